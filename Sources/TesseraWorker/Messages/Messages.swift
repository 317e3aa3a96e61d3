import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

// The protocol between a host and its worker. Every message is a type below, with its encoding:
// `fields`, or `write` and `read` side by side. Messages cross in the boxes of shared memory (`Channel`), rows and runs
// beside them (`SharedRows`). What a worker sends to its host is not trusted: its numbers are `Untrusted`,
// which has no arithmetic.
//
//   message             direction   fields                                      answered by
//   WorkerStart               to worker   rights, limits, libraries, task             Descriptions
//   QuestionHead        to worker   kind, flags, [EngineInput], CallContext    precedes each question
//   PrepareQuestion     to worker   unless it is still valid                    PreparedReply
//   BatchQuestion       to worker   first section, [sections, bounds]           BatchReply
//   RectQuestion        to worker   rect, capacity                              RowsReply
//   ElementQuestion     to worker   category, kind, section, item               RowsReply
//   AdjustQuestion      to worker   rect, rows                                  RowsReply
//   CallQuestion        to worker   name, arguments                             CallReply
//   RestQuestion        to worker   proposed offset, velocity                   PointReply
//   TargetQuestion      to worker   item, point, nearest                        TargetReply
//   BeginUpdateQuestion to worker   place and count of the operations           EmptyMessage
//   EndUpdateQuestion   to worker                                               EmptyMessage
//   ShapeQuestion       to worker   initial or final, rows                      RowsReply
//   SizingQuestion      to worker                                               SizingReply
//   ProposalsQuestion   to worker   sections                                    SizesReply
//   DestroyQuestion     to worker                                               EmptyMessage
//   RenewQuestion       to worker                                               EmptyMessage
//   Outcome             to host     trace lines, warnings, [error]              precedes each reply
//   DelegateQuestion    to host     function, arguments, how many follow        DelegateReply
//   ProgressQuestion    to host     fraction                                    FlagReply
//
// The task `.examine` has messages of its own, in TesseraExamination.

/// What crosses between a host and its worker.
package protocol Message: ByteCodable {}

/// A message of the host that the worker answers with a reply.
protocol Question: Message {
  associatedtype Reply: Message
  static var kind: QuestionKind { get }
}

/// Which question follows; the first byte of what a host sends.
enum QuestionKind: UInt8, CaseIterable {
  case prepare = 1, batch, elements, element, adjust, call, restingOffset, reorderingTarget
  case beginUpdate, endUpdate, shape, sizing, proposals, destroy, renew

  /// The function's name in the contract.
  var name: String {
    switch self {
    case .prepare, .batch: "prepare"
    case .elements: "elements_in_rect"
    case .element: "element"
    case .adjust: "adjust"
    case .call: "a published function"
    case .restingOffset: "resting_offset"
    case .reorderingTarget: "reordering.target"
    case .beginUpdate: "updates.begin"
    case .endUpdate: "updates.end"
    case .shape: "updates.initial_attributes or final_attributes"
    case .sizing: "sizing.estimate"
    case .proposals: "sizing.proposal"
    case .destroy: "destroy"
    case .renew: "destroy or create"
    }
  }
}

/// What follows in a message of the worker; its first byte.
package enum AnswerKind: UInt8, CaseIterable {
  /// The call returned: an outcome and the reply.
  case done = 1
  /// The call failed: an outcome with an error.
  case failed
  /// The worker needs results of a delegate function to go on.
  case delegate
  /// The worker reports its progress and asks whether to go on.
  case progress
}

// ---------------------------------------------------------------- questions of the host

/// Precedes each question: which it is, what the worker reports meanwhile, and whether values and
/// section starts follow.
///
/// The call context always follows.
struct QuestionHead: Message, Equatable {
  let kind: QuestionKind
  let reportsProgress: Bool
  /// Whether the host wants a line for each call into an engine.
  let traces: Bool
  let hasData: Bool

  func write(to writer: inout ByteWriter) {
    writer.put(kind.rawValue)
    writer.put((reportsProgress ? 1 : 0) | (traces ? 2 : 0) | (hasData ? UInt8(4) : 0))
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> QuestionHead {
    guard let kind = QuestionKind(rawValue: try reader.read()) else {
      throw ByteReader.broken("is an unknown question")
    }
    let flags = try reader.read(UInt8.self)
    return QuestionHead(
      kind: kind, reportsProgress: flags & 1 != 0, traces: flags & 2 != 0,
      hasData: flags & 4 != 0)
  }
}

/// The store that a question is about: its capacity in rows, and how many of its runs lie in shared
/// memory.
struct StoreRows: Message, FieldCodable, Equatable {
  static let fields = Fields(StoreRows.init, \.capacity, \.runCount)
  let capacity: Int
  let runCount: Int
}

/// Asks the engines to prepare the layout.
struct PrepareQuestion: Question, Equatable {
  typealias Reply = PreparedReply
  static let kind = QuestionKind.prepare
  /// Whether the engines are first asked if the prepared layout is still valid, and then keep it.
  let unlessValid: Bool

  // Like its reply, it is read and written by hand: a list of fields takes a microsecond.
  func write(to writer: inout ByteWriter) { writer.put(unlessValid) }

  static func read(from reader: inout ByteReader) throws(HostError) -> PrepareQuestion {
    PrepareQuestion(unlessValid: try reader.read())
  }
}

/// Asks the engines to prepare parts of the data, each as a layout of its own.
///
/// The worker records each outcome in shared memory (`SharedParts`) before it goes on.
struct BatchQuestion: Question, FieldCodable, Equatable {
  typealias Reply = BatchReply
  static let kind = QuestionKind.batch
  static let fields = Fields(BatchQuestion.init, \.firstSection, \.parts)
  /// The most parts of one question: they fit a box.
  static let limit = 65_536
  /// The section that the first part begins with.
  let firstSection: Int
  let parts: [LayoutPart]
}

/// Asks a lazy layout for its elements in a rect.
struct RectQuestion: Question, FieldCodable, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.elements
  static let fields = Fields(RectQuestion.init, \.rect, \.capacity)
  let rect: Rect
  let capacity: Int
}

/// Asks a lazy layout for one element.
struct ElementQuestion: Question, FieldCodable, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.element
  static let fields = Fields(ElementQuestion.init, \.category, \.elementKind, \.section, \.item)
  let category: Int32
  let elementKind: UInt32
  let section: UInt32
  let item: UInt64

  /// The element as a run of one.
  var run: tessera_run {
    tessera_run(
      category: category, kind: elementKind, section: section, reserved: 0, first_item: item,
      count: 1)
  }
}

/// Asks the engines to adjust the rows of an answer for the viewport.
struct AdjustQuestion: Question, FieldCodable, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.adjust
  static let fields = Fields(AdjustQuestion.init, \.rect, \.rows)
  let rect: Rect
  let rows: StoreRows
}

/// Calls a published function.
struct CallQuestion: Question, FieldCodable, Equatable {
  typealias Reply = CallReply
  static let kind = QuestionKind.call
  static let fields = Fields(CallQuestion.init, \.name, \.arguments)
  let name: String
  let arguments: [Value]
}

/// Asks where a scroll comes to rest.
struct RestQuestion: Question, FieldCodable, Equatable {
  typealias Reply = PointReply
  static let kind = QuestionKind.restingOffset
  static let fields = Fields(RestQuestion.init, \.proposed, \.velocity)
  let proposed: Point
  let velocity: Point
}

/// Asks where a dragged item goes.
struct TargetQuestion: Question, FieldCodable, Equatable {
  typealias Reply = TargetReply
  static let kind = QuestionKind.reorderingTarget
  static let fields = Fields(TargetQuestion.init, \.item, \.point, \.nearest)
  let item: ItemPath
  let point: Point
  let nearest: ItemPath
}

/// Announces a batch update, whose operations lie in the input memory.
struct BeginUpdateQuestion: Question, FieldCodable, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.beginUpdate
  static let fields = Fields(BeginUpdateQuestion.init, \.offset, \.count)
  let offset: Int
  let count: Int
}

/// Ends a batch update.
struct EndUpdateQuestion: Question, FieldCodable, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.endUpdate
  static let fields = Fields(EndUpdateQuestion.init)
}

/// Asks for initial or final attributes of the rows of a store.
struct ShapeQuestion: Question, FieldCodable, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.shape
  static let fields = Fields(ShapeQuestion.init, \.ends, \.rows)
  let ends: UpdateEnds
  let rows: StoreRows
}

/// Asks which item value is measured, and its estimate.
struct SizingQuestion: Question, FieldCodable, Equatable {
  typealias Reply = SizingReply
  static let kind = QuestionKind.sizing
  static let fields = Fields(SizingQuestion.init)
}

/// Asks for the sizes that the items of sections are offered.
struct ProposalsQuestion: Question, Equatable {
  typealias Reply = SizesReply
  static let kind = QuestionKind.proposals
  /// The most sections of one question: their sizes fit a box.
  static let limit = 65_536
  let sections: Range<Int>

  func write(to writer: inout ByteWriter) {
    writer.put(sections.lowerBound)
    writer.put(sections.upperBound)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> ProposalsQuestion {
    let (first, end) = (try reader.read(Int.self), try reader.read(Int.self))
    guard first >= 0, end >= first, end - first <= limit else {
      throw ByteReader.broken("asks for the sections from \(first) up to \(end)")
    }
    return ProposalsQuestion(sections: first..<end)
  }
}

/// Asks the engines to destroy their layouts.
struct DestroyQuestion: Question, FieldCodable, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.destroy
  static let fields = Fields(DestroyQuestion.init)
}

/// Asks the engines to destroy their layouts and create new ones.
struct RenewQuestion: Question, FieldCodable, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.renew
  static let fields = Fields(RenewQuestion.init)
}

// ---------------------------------------------------------------- answers of the worker

/// Precedes each reply: what the engines reported during the call, and whether it failed.
package struct Outcome: Message, Equatable {
  /// A line for each call into an engine, if the host asked for them.
  package let trace: [String]
  /// Warnings of the engines; the call itself succeeded.
  package let warnings: [String]
  /// Why there is no reply; nil if one follows.
  package let failure: Untrusted<HostError>?

  package init(trace: [String] = [], warnings: [String] = [], failure: HostError? = nil) {
    self.trace = trace
    self.warnings = warnings
    self.failure = failure.map(Untrusted.init)
  }

  package func write(to writer: inout ByteWriter) {
    writer.put((failure == nil ? AnswerKind.done : .failed).rawValue)
    writer.put(trace)
    writer.put(warnings)
    if let failure { writer.put(failure) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Outcome {
    let kind = AnswerKind(rawValue: try reader.read())
    guard kind == .done || kind == .failed else {
      throw ByteReader.broken("is neither a reply nor an error")
    }
    return Outcome(
      trace: try reader.read(), warnings: try reader.read(),
      failure: kind == .failed ? try reader.read(HostError.self) : nil)
  }
}

/// A reply with no fields.
struct EmptyMessage: Message, FieldCodable, Equatable {
  static let fields = Fields(EmptyMessage.init)
}

/// What the engines of a library, or of a chain, declare: the answer to `WorkerStart`.
package struct Descriptions: Message, FieldCodable, Equatable {
  package static let fields = Fields(Descriptions.init(engines:), \.engines)
  package let engines: [EngineDescription]

  package init(engines: [EngineDescription]) { self.engines = engines }
}

/// What prepare set and wrote; the runs lie in shared memory.
struct PreparedReply: Message, Equatable {
  /// Whether the prepared layout is still valid; then there is nothing else.
  let isKept: Bool
  let contentSize: Size
  let runCount: Untrusted<Int>

  func write(to writer: inout ByteWriter) {
    writer.put(isKept)
    writer.put(contentSize)
    writer.put(runCount)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> PreparedReply {
    PreparedReply(
      isKept: try reader.read(), contentSize: try reader.read(), runCount: try reader.read())
  }
}

/// How many parts were prepared, or failed; there is no room for the rows of more.
struct BatchReply: Message, FieldCodable, Equatable {
  static let fields = Fields(BatchReply.init, \.done)
  let done: Untrusted<Int>
}

/// The number of runs in shared memory.
struct RowsReply: Message, FieldCodable, Equatable {
  static let fields = Fields(RowsReply.init, \.runCount)
  let runCount: Untrusted<Int>
}

/// Yes or no.
struct FlagReply: Message, FieldCodable, Equatable {
  static let fields = Fields(FlagReply.init, \.value)
  let value: Bool
}

/// A point.
struct PointReply: Message, FieldCodable, Equatable {
  static let fields = Fields(PointReply.init, \.point)
  let point: Point
}

/// An index path.
struct TargetReply: Message, FieldCodable, Equatable {
  static let fields = Fields(TargetReply.init, \.section, \.item)
  let section: Untrusted<UInt32>
  let item: Untrusted<UInt64>
}

/// The result of a published function; nil if no engine publishes it.
struct CallReply: Message, FieldCodable, Equatable {
  static let fields = Fields(CallReply.init, \.value)
  let value: Untrusted<Value>?
}

/// The item value that measuring supplies; nil if nothing is measured.
struct SizingReply: Message, FieldCodable, Equatable {
  static let fields = Fields(SizingReply.init, \.rule)

  /// The place of the item value in the chain, and its estimate.
  struct Rule: FieldCodable, Equatable {
    static let fields = Fields(Rule.init, \.layer, \.index, \.estimate)
    let layer: Untrusted<Int>
    let index: Untrusted<Int>
    let estimate: Size

    init(layer: Untrusted<Int>, index: Untrusted<Int>, estimate: Size) {
      (self.layer, self.index, self.estimate) = (layer, index, estimate)
    }

    init(_ rule: SizingRule) {
      self.init(
        layer: Untrusted(rule.place.layer), index: Untrusted(rule.place.index),
        estimate: rule.estimate)
    }

    /// The rule.
    ///
    /// - Throws: `.brokenContract` if the chain does not declare the item value.
    func checked(in chain: [EngineDescription]) throws(HostError) -> SizingRule {
      let layer = try layer.int(in: 0..<chain.count, "engine")
      let index = try index.int(in: 0..<chain[layer].values.count, "item value")
      guard chain[layer].values[index].scope == .item else {
        throw ByteReader.broken("names an item value that it does not declare")
      }
      return SizingRule(
        place: SessionValues.Place(layer: layer, index: index), estimate: estimate)
    }
  }

  let rule: Rule?
}

/// A size for each section that was asked about.
struct SizesReply: Message, FieldCodable, Equatable {
  static let fields = Fields(SizesReply.init, \.sizes)
  let sizes: [Size]
}

// ---------------------------------------------------------------- questions of the worker

/// Asks for the result of a delegate function, and for those of the items that follow.
package struct DelegateQuestion: Message, FieldCodable, Equatable {
  package static let fields = Fields(
    DelegateQuestion.init, \.layer, \.function, \.ahead, \.arguments)
  /// The most results that are given before an engine asks for them.
  static let mostAhead = 4096

  /// The place of the engine in the chain.
  let layer: Untrusted<UInt32>
  /// The place of the function among those that the engine declares.
  let function: Untrusted<UInt32>
  /// How many results of following items the worker can use.
  let ahead: Untrusted<UInt32>
  let arguments: Untrusted<[Value]>
}

/// The requested result and those of following items, or the error.
package struct DelegateReply: Message, Equatable {
  var values: [Value] = []
  var failure: HostError?

  package func write(to writer: inout ByteWriter) {
    writer.put(failure == nil)
    if let failure { writer.put(failure) } else { writer.put(values) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> DelegateReply {
    try reader.read()
      ? DelegateReply(values: try reader.read())
      : DelegateReply(failure: try reader.read(HostError.self))
  }
}

/// Reports how far a call is, from 0 to 1, and asks whether to go on.
struct ProgressQuestion: Message, FieldCodable, Equatable {
  static let fields = Fields(ProgressQuestion.init, \.fraction)
  let fraction: Double
}

extension SessionValues {
  /// Answers a worker's question for the result of a delegate function.
  ///
  /// - Parameter answersAhead: Returns results of following items, at most the given number.
  /// - Throws: `.brokenContract` for a function that the session does not have, or for arguments
  ///   that do not fit it.
  package func reply(
    to question: DelegateQuestion,
    ahead answersAhead: ([Value], Int, DelegateFunction) -> [Value] = { _, _, _ in [] }
  ) throws(HostError) -> DelegateReply {
    guard let layer = question.layer.exactly(in: 0..<delegates.count),
      let place = question.function.exactly(in: 0..<delegates[layer].count),
      let function = delegates[layer][place]
    else { throw ByteReader.broken("asks for a delegate function that is not set") }
    let arguments = try question.arguments.arguments(of: function.name, function.signature)
    let ahead = question.ahead.clamped(to: 0...DelegateQuestion.mostAhead)
    do throws(HostError) {
      let value = try function.answer(arguments)
      return DelegateReply(values: [value] + answersAhead(arguments, ahead, function))
    } catch {
      return DelegateReply(failure: error)
    }
  }
}
