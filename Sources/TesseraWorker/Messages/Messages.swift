import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

// The protocol between a host and its worker. Every message is a type below, with `write` and
// `read` side by side; messages cross in the boxes of shared memory (`Channel`), rows and runs
// beside them (`SharedRows`).
//
//   message             direction   fields                                      answered by
//   Setup               to worker   rights, limits, libraries, task             Descriptions
//   QuestionHead        to worker   kind, flags, [SuppliedValues], CallContext    precedes each question
//   PrepareQuestion     to worker                                               PreparedReply
//   StillValidQuestion  to worker                                               FlagReply
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
package protocol Message {
  /// Appends the message.
  func write(to writer: inout ByteWriter)
  /// Reads what `write` wrote.
  ///
  /// - Throws: `.brokenContract` for bytes that do not encode such a message.
  static func read(from reader: inout ByteReader) throws(HostError) -> Self
}

/// A message of the host that the worker answers with a reply.
protocol Question: Message {
  associatedtype Reply: Message
  static var kind: QuestionKind { get }
}

/// Which question follows; the first byte of what a host sends.
enum QuestionKind: UInt8, CaseIterable {
  case prepare = 1, stillValid, elements, element, adjust, call, restingOffset, reorderingTarget
  case beginUpdate, endUpdate, shape, sizing, proposals, destroy, renew

  /// The function's name in the contract.
  var name: String {
    switch self {
    case .prepare: "prepare"
    case .stillValid: "still_valid"
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
    case .renew: "destroy and create"
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
    guard let kind = QuestionKind(rawValue: try reader.uint8()) else {
      throw ByteReader.broken("is an unknown question")
    }
    let flags = try reader.uint8()
    return QuestionHead(
      kind: kind, reportsProgress: flags & 1 != 0, traces: flags & 2 != 0,
      hasData: flags & 4 != 0)
  }
}

/// The store that a question is about: its capacity in rows, and how many of its runs lie in shared
/// memory.
struct StoreRows: Message, Equatable {
  let capacity: Int
  let runCount: Int

  func write(to writer: inout ByteWriter) {
    writer.put(capacity)
    writer.put(runCount)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> StoreRows {
    StoreRows(capacity: try reader.int(), runCount: try reader.int())
  }
}

/// Asks the engines to prepare the layout.
struct PrepareQuestion: Question, Equatable {
  typealias Reply = PreparedReply
  static let kind = QuestionKind.prepare

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> PrepareQuestion {
    PrepareQuestion()
  }
}

/// Asks whether the prepared layout still holds.
struct StillValidQuestion: Question, Equatable {
  typealias Reply = FlagReply
  static let kind = QuestionKind.stillValid

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> StillValidQuestion {
    StillValidQuestion()
  }
}

/// Asks a lazy layout for its elements in a rect.
struct RectQuestion: Question, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.elements
  let rect: Rect
  let capacity: Int

  func write(to writer: inout ByteWriter) {
    writer.put(rect)
    writer.put(capacity)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> RectQuestion {
    RectQuestion(rect: try reader.rect(), capacity: try reader.int())
  }
}

/// Asks a lazy layout for one element.
struct ElementQuestion: Question, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.element
  let category: Int32
  let elementKind: UInt32
  let section: UInt32
  let item: UInt64

  func write(to writer: inout ByteWriter) {
    writer.put(category)
    writer.put(elementKind)
    writer.put(section)
    writer.put(item)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> ElementQuestion {
    ElementQuestion(
      category: try reader.int32(), elementKind: try reader.uint32(),
      section: try reader.uint32(), item: try reader.uint64())
  }

  /// The element as a run of one.
  var run: tessera_run {
    tessera_run(
      category: category, kind: elementKind, section: section, reserved: 0, first_item: item,
      count: 1)
  }
}

/// Asks the engines to adjust the rows of an answer for the viewport.
struct AdjustQuestion: Question, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.adjust
  let rect: Rect
  let rows: StoreRows

  func write(to writer: inout ByteWriter) {
    writer.put(rect)
    rows.write(to: &writer)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> AdjustQuestion {
    AdjustQuestion(rect: try reader.rect(), rows: try .read(from: &reader))
  }
}

/// Calls a published function.
struct CallQuestion: Question, Equatable {
  typealias Reply = CallReply
  static let kind = QuestionKind.call
  let name: String
  let arguments: [CallValue]

  func write(to writer: inout ByteWriter) {
    writer.put(name)
    writer.put(arguments)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> CallQuestion {
    CallQuestion(name: try reader.string(), arguments: try reader.callValues())
  }
}

/// Asks where a scroll comes to rest.
struct RestQuestion: Question, Equatable {
  typealias Reply = PointReply
  static let kind = QuestionKind.restingOffset
  let proposed: Point
  let velocity: Point

  func write(to writer: inout ByteWriter) {
    writer.put(proposed)
    writer.put(velocity)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> RestQuestion {
    RestQuestion(proposed: try reader.point(), velocity: try reader.point())
  }
}

/// Asks where a dragged item goes.
struct TargetQuestion: Question, Equatable {
  typealias Reply = TargetReply
  static let kind = QuestionKind.reorderingTarget
  let item: ItemPath
  let point: Point
  let nearest: ItemPath

  func write(to writer: inout ByteWriter) {
    writer.put(item)
    writer.put(point)
    writer.put(nearest)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> TargetQuestion {
    TargetQuestion(item: try reader.path(), point: try reader.point(), nearest: try reader.path())
  }
}

/// Announces a batch update, whose operations lie in the input memory.
struct BeginUpdateQuestion: Question, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.beginUpdate
  let offset: Int
  let count: Int

  func write(to writer: inout ByteWriter) {
    writer.put(offset)
    writer.put(count)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> BeginUpdateQuestion {
    BeginUpdateQuestion(offset: try reader.int(), count: try reader.int())
  }
}

/// Ends a batch update.
struct EndUpdateQuestion: Question, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.endUpdate

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> EndUpdateQuestion {
    EndUpdateQuestion()
  }
}

/// Asks for initial or final attributes of the rows of a store.
struct ShapeQuestion: Question, Equatable {
  typealias Reply = RowsReply
  static let kind = QuestionKind.shape
  let ends: UpdateEnds
  let rows: StoreRows

  func write(to writer: inout ByteWriter) {
    writer.put(ends.rawValue)
    rows.write(to: &writer)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> ShapeQuestion {
    guard let ends = UpdateEnds(rawValue: try reader.uint8()) else {
      throw ByteReader.broken("asks for neither initial nor final attributes")
    }
    return ShapeQuestion(ends: ends, rows: try .read(from: &reader))
  }
}

/// Asks which item value is measured, and its estimate.
struct SizingQuestion: Question, Equatable {
  typealias Reply = SizingReply
  static let kind = QuestionKind.sizing

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> SizingQuestion {
    SizingQuestion()
  }
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
    let (first, end) = (try reader.int(), try reader.int())
    guard first >= 0, end >= first, end - first <= limit else {
      throw ByteReader.broken("asks for the sections from \(first) up to \(end)")
    }
    return ProposalsQuestion(sections: first..<end)
  }
}

/// Asks the engines to destroy their layouts.
struct DestroyQuestion: Question, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.destroy

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> DestroyQuestion {
    DestroyQuestion()
  }
}

/// Asks the engines to destroy their layouts and create new ones.
struct RenewQuestion: Question, Equatable {
  typealias Reply = EmptyMessage
  static let kind = QuestionKind.renew

  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> RenewQuestion {
    RenewQuestion()
  }
}

// ---------------------------------------------------------------- answers of the worker

/// Precedes each reply: what the engines reported during the call, and whether it failed.
package struct Outcome: Message, Equatable {
  /// A line for each call into an engine, if the host asked for them.
  package let trace: [String]
  /// Warnings of the engines; the call itself succeeded.
  package let warnings: [String]
  /// Why there is no reply; nil if one follows.
  package let failure: HostError?

  package init(trace: [String] = [], warnings: [String] = [], failure: HostError? = nil) {
    self.trace = trace
    self.warnings = warnings
    self.failure = failure
  }

  package func write(to writer: inout ByteWriter) {
    writer.put((failure == nil ? AnswerKind.done : .failed).rawValue)
    writer.put(trace)
    writer.put(warnings)
    if let failure { writer.put(failure) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Outcome {
    let kind = AnswerKind(rawValue: try reader.uint8())
    guard kind == .done || kind == .failed else {
      throw ByteReader.broken("is neither a reply nor an error")
    }
    return Outcome(
      trace: try reader.strings(), warnings: try reader.strings(),
      failure: kind == .failed ? try reader.hostError() : nil)
  }
}

/// A reply with no fields.
struct EmptyMessage: Message, Equatable {
  func write(to writer: inout ByteWriter) {}

  static func read(from reader: inout ByteReader) throws(HostError) -> EmptyMessage {
    EmptyMessage()
  }
}

/// What the engines of a library, or of a chain, declare: the answer to `Setup`.
package struct Descriptions: Message, Equatable {
  package let engines: [EngineDescription]

  package init(engines: [EngineDescription]) { self.engines = engines }

  package func write(to writer: inout ByteWriter) {
    writer.put(engines)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Descriptions {
    Descriptions(engines: try reader.engineDescriptions())
  }
}

/// What prepare set and wrote; the runs lie in shared memory.
struct PreparedReply: Message, Equatable {
  let contentSize: Size
  let runCount: Int

  func write(to writer: inout ByteWriter) {
    writer.put(contentSize)
    writer.put(runCount)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> PreparedReply {
    PreparedReply(contentSize: try reader.size(), runCount: try reader.int())
  }
}

/// The number of runs in shared memory.
struct RowsReply: Message, Equatable {
  let runCount: Int

  func write(to writer: inout ByteWriter) {
    writer.put(runCount)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> RowsReply {
    RowsReply(runCount: try reader.int())
  }
}

/// Yes or no.
struct FlagReply: Message, Equatable {
  let value: Bool

  func write(to writer: inout ByteWriter) {
    writer.put(value)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> FlagReply {
    FlagReply(value: try reader.bool())
  }
}

/// A point.
struct PointReply: Message, Equatable {
  let point: Point

  func write(to writer: inout ByteWriter) {
    writer.put(point)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> PointReply {
    PointReply(point: try reader.point())
  }
}

/// An index path.
struct TargetReply: Message, Equatable {
  let section: UInt32
  let item: UInt64

  func write(to writer: inout ByteWriter) {
    writer.put(section)
    writer.put(item)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> TargetReply {
    TargetReply(section: try reader.uint32(), item: try reader.uint64())
  }
}

/// The result of a published function; nil if no engine publishes it.
struct CallReply: Message, Equatable {
  let value: CallValue?

  func write(to writer: inout ByteWriter) {
    writer.put(value != nil)
    if let value { writer.put(value) }
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> CallReply {
    CallReply(value: try reader.bool() ? try reader.callValue() : nil)
  }
}

/// The item value that measuring supplies; nil if nothing is measured.
struct SizingReply: Message, Equatable {
  let rule: SizingRule?

  func write(to writer: inout ByteWriter) {
    writer.put(rule != nil)
    guard let rule else { return }
    writer.put(rule.place.layer)
    writer.put(rule.place.index)
    writer.put(rule.estimate)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> SizingReply {
    guard try reader.bool() else { return SizingReply(rule: nil) }
    let place = SessionValues.Place(layer: try reader.int(), index: try reader.int())
    return SizingReply(rule: SizingRule(place: place, estimate: try reader.size()))
  }
}

/// A size for each section that was asked about.
struct SizesReply: Message, Equatable {
  let sizes: [Size]

  func write(to writer: inout ByteWriter) {
    writer.put(count: sizes.count)
    for size in sizes { writer.put(size) }
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> SizesReply {
    var sizes: [Size] = []
    for _ in 0..<(try reader.count(ofAtLeast: 16)) { sizes.append(try reader.size()) }
    return SizesReply(sizes: sizes)
  }
}

// ---------------------------------------------------------------- questions of the worker

/// Asks for the result of a delegate function, and for those of the items that follow.
package struct DelegateQuestion: Message, Equatable {
  /// The most results that are given before an engine asks for them.
  static let mostAhead = 4096

  /// The place of the engine in the chain.
  let layer: Int
  /// The place of the function among those that the engine declares.
  let function: Int
  /// How many results of following items the worker can use.
  let ahead: Int
  let arguments: [CallValue]

  package func write(to writer: inout ByteWriter) {
    writer.put(UInt32(clamping: layer))
    writer.put(UInt32(clamping: function))
    writer.put(UInt32(clamping: ahead))
    writer.put(arguments)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> DelegateQuestion {
    DelegateQuestion(
      layer: Int(try reader.uint32()), function: Int(try reader.uint32()),
      ahead: min(Int(try reader.uint32()), mostAhead), arguments: try reader.callValues())
  }
}

/// The requested result and those of following items, or the error.
package struct DelegateReply: Message, Equatable {
  var values: [CallValue] = []
  var failure: HostError?

  package func write(to writer: inout ByteWriter) {
    writer.put(failure == nil)
    if let failure { writer.put(failure) } else { writer.put(values) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> DelegateReply {
    guard try reader.bool() else { return DelegateReply(failure: try reader.hostError()) }
    return DelegateReply(values: try reader.callValues())
  }
}

/// Reports how far a call is, from 0 to 1, and asks whether to go on.
struct ProgressQuestion: Message, Equatable {
  let fraction: Double

  func write(to writer: inout ByteWriter) {
    writer.put(fraction)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> ProgressQuestion {
    ProgressQuestion(fraction: try reader.double())
  }
}

extension SessionValues {
  /// Answers a worker's question for the result of a delegate function.
  ///
  /// - Parameter answersAhead: Returns results of following items, at most the given number.
  /// - Throws: `.brokenContract` for a function that the session does not have, or for arguments
  ///   that do not fit it.
  package func reply(
    to question: DelegateQuestion,
    ahead answersAhead: ([CallValue], Int, DelegateFunction) -> [CallValue] = { _, _, _ in [] }
  ) throws(HostError) -> DelegateReply {
    guard question.layer < delegates.count, question.function < delegates[question.layer].count,
      let function = delegates[question.layer][question.function],
      question.arguments.count == function.signature.arguments.count
    else { throw ByteReader.broken("asks for a delegate function that is not set") }
    do throws(HostError) {
      let value = try function.answer(question.arguments)
      return DelegateReply(
        values: [value] + answersAhead(question.arguments, question.ahead, function))
    } catch {
      return DelegateReply(failure: error)
    }
  }
}
