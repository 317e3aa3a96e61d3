import CTessera
import TesseraCatalog
import TesseraRuntime

// What a host and its worker send each other besides questions about the layout (`Questions.swift`) and
// their replies. Messages cross in the boxes of shared memory (`Channel`), rows and runs beside them
// (`SharedRows`). What a worker sends is not trusted: its numbers are `Untrusted`, which has no arithmetic.
//
// A host sends `WorkerStart`, and the worker answers with an `Outcome` and the engines' descriptions. Then
// the host sends a `QuestionHead`, the values if they have changed, the call context and the question, and
// the worker answers with an `Outcome`, the reply, and the number of runs if the question writes rows.
// Meanwhile the worker can ask the host, after an `AnswerKind`: with a `DelegateQuestion`, answered by
// results or an error, or with its progress as a `Double`, answered by whether to go on. The task
// `.examine` has messages of its own, in TesseraExamination.

/// Precedes each question: which it is, what the worker reports meanwhile, and what else is sent.
struct QuestionHead: ByteCodable, Equatable {
  /// The place of the question's type in `questionTypes`.
  var type: UInt8
  var reportsProgress = false
  /// Whether the host wants a line for each call into an engine.
  var traces = false
  /// Whether values and section starts follow.
  var hasData = false
  /// Whether the question lies in the input memory, and its offset and size follow instead.
  var isLong = false
  /// Whether the question is about the rows of an answer, not about those of the last prepare.
  var isOfAnswer = false
  /// The built-in columns of the answer.
  var columns = BuiltInColumns()
  /// The capacity of the answer in rows.
  var capacity = 0
  /// How many runs of the answer lie in shared memory.
  var runCount = 0

  func write(to writer: inout ByteWriter) {
    writer.put(type)
    writer.put(
      (reportsProgress ? 1 : 0) | (traces ? 2 : 0) | (hasData ? 4 : 0) | (isLong ? 8 : 0)
        | (isOfAnswer ? UInt8(16) : 0))
    guard isOfAnswer else { return }
    writer.put(columns.rawValue)
    writer.put(capacity)
    writer.put(runCount)
  }

  static func read(from reader: inout ByteReader) throws(HostError) -> QuestionHead {
    var head = QuestionHead(type: try reader.read())
    guard questionTypes.indices.contains(Int(head.type)) else {
      throw ByteReader.broken("is an unknown question")
    }
    let flags = try reader.read(UInt8.self)
    head.reportsProgress = flags & 1 != 0
    head.traces = flags & 2 != 0
    head.hasData = flags & 4 != 0
    head.isLong = flags & 8 != 0
    head.isOfAnswer = flags & 16 != 0
    guard head.isOfAnswer else { return head }
    head.columns = BuiltInColumns(rawValue: try reader.read())
    head.capacity = try reader.read()
    head.runCount = try reader.read()
    return head
  }
}

extension CallContext: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(viewport)
    writer.put(change.what)
    writer.put(change.first_section)
    writer.put(change.first_item)
    writer.put(change.last_count)
    writer.put(mirrorWidth)
    writer.put(rowLimit)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> CallContext {
    CallContext(
      viewport: try reader.read(),
      change: tessera_change(
        what: try reader.read(), first_section: try reader.read(), first_item: try reader.read(),
        last_count: try reader.read()),
      mirrorWidth: try reader.read(), rowLimit: try reader.read())
  }
}

extension Viewport: ByteCodable {
  /// The bytes of the numbers, before the direction.
  private static let numberBytes = MemoryLayout<Viewport>.offset(of: \.direction) ?? 0

  package func write(to writer: inout ByteWriter) {
    withUnsafeBytes(of: self) { writer.put(raw: $0.prefix(Self.numberBytes)) }
    writer.put(direction == .rightToLeft)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Viewport {
    var viewport = Viewport()
    let numbers = try reader.raw(count: numberBytes)
    withUnsafeMutableBytes(of: &viewport) { $0.copyBytes(from: numbers) }
    viewport.direction = try reader.read() ? .rightToLeft : .leftToRight
    return viewport
  }
}

extension SessionValues.Place: FieldCodable {
  package static let fields = Fields(SessionValues.Place.init(layer:index:), \.layer, \.index)
}

// The input of a layout besides its call context. Section starts and values lie in memory that the
// worker can read; the message holds their offsets there.
extension ByteWriter {
  package mutating func put(
    _ values: SessionValues, starts: SectionStarts, in input: SharedInput
  ) {
    put(starts.counts.count)
    put(input.offset(of: starts.buffer.baseAddress!))
    for settings in values.settings {
      for setting in settings { withUnsafeBytes(of: setting) { put(raw: $0) } }
    }
    for (layer, columns) in values.columns.enumerated() {
      for (index, memory) in columns.enumerated() {
        let place = SessionValues.Place(layer: layer, index: index)
        put(memory.map { values.shifted($0.column, at: place) }, in: input)
      }
    }
    for list in values.lists.joined() {
      put(list?.count ?? -1)
      for column in list?.columns ?? [] { put(column.column, in: input) }
    }
    for delegates in values.delegates {
      for function in delegates { put(function != nil) }
    }
    put(count: values.sizing.count + values.borrowedSizing.count)
    for sizing in values.sizing {
      put(sizing.place)
      put(sizing.column, in: input)
    }
    for sizing in values.borrowedSizing {
      put(sizing.place)
      put(sizing.memory.column, in: input)
    }
  }

  private mutating func put(_ column: tessera_column?, in input: SharedInput) {
    put(column.map { input.offset(of: $0.data!) } ?? -1)
    put(column?.stride ?? 0)
  }
}

extension ByteReader {
  /// Reads what the host wrote for the engines of a chain.
  package mutating func engineInput(
    _ chain: [EngineDescription], in input: UnsafeMutableRawPointer
  ) throws(HostError) -> EngineInput {
    let sections = try read(Int.self)
    let starts = UnsafeMutableBufferPointer(
      start: (input + (try read(Int.self))).bindMemory(to: UInt64.self, capacity: sections + 1),
      count: sections + 1)
    let settings = try chain.map { engine throws(HostError) in
      try engine.parameters.map { _ throws(HostError) in try rawValue() }
    }
    let columns = try chain.map { engine throws(HostError) in
      try engine.values.map { _ throws(HostError) in try column(in: input) }
    }
    let lists = try chain.map { engine throws(HostError) in
      try engine.lists.map { list throws(HostError) in try records(of: list, in: input) }
    }
    let delegates = try chain.map { engine throws(HostError) in
      try engine.delegateFunctions.map { _ throws(HostError) in try read(Bool.self) }
    }
    var measured: [(place: SessionValues.Place, memory: ValueMemory)] = []
    for _ in 0..<(try read(UInt32.self)) {
      let place = try read(SessionValues.Place.self)
      guard let memory = try column(in: input) else {
        throw ByteReader.broken("holds measured sizes without memory")
      }
      measured.append((place, memory))
    }
    return EngineInput(
      starts: SectionStarts(borrowing: starts), settings: settings, columns: columns, lists: lists,
      delegates: delegates, sizing: measured)
  }

  private mutating func records(
    of list: ListDescription, in input: UnsafeMutableRawPointer
  ) throws(HostError) -> ListMemory? {
    let count = try read(Int.self)
    guard count >= 0 else { return nil }
    var columns: [ValueMemory] = []
    for _ in list.columns {
      guard let column = try column(in: input) else {
        throw ByteReader.broken("holds a list without one of its columns")
      }
      columns.append(column)
    }
    return ListMemory(count: count, columns: columns)
  }

  private mutating func rawValue() throws(HostError) -> tessera_value {
    var value = tessera_value()
    let bytes = try raw(count: MemoryLayout<tessera_value>.size)
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return value
  }

  private mutating func column(in input: UnsafeMutableRawPointer) throws(HostError) -> ValueMemory?
  {
    let offset = try read(Int.self)
    let stride = try read(UInt64.self)
    guard offset >= 0 else { return nil }
    return ValueMemory(borrowing: tessera_column(data: input + offset, stride: stride))
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

/// Precedes each reply: what the engines reported during the call, and whether it failed.
package struct Outcome: ByteCodable, Equatable {
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

/// Asks for the result of a delegate function, and for those of the items that follow.
package struct DelegateQuestion: FieldCodable, Equatable {
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

extension SessionValues {
  /// Answers a worker's question for the result of a delegate function.
  ///
  /// - Parameter answersAhead: Returns results of following items, at most the given number.
  /// - Throws: `.brokenContract` for a function that the session does not have, or for arguments
  ///   that do not fit it.
  package func reply(
    to question: DelegateQuestion,
    ahead answersAhead: ([Value], Int, DelegateFunction) -> [Value] = { _, _, _ in [] }
  ) throws(HostError) -> Result<[Value], HostError> {
    guard let layer = question.layer.exactly(in: 0..<delegates.count),
      let place = question.function.exactly(in: 0..<delegates[layer].count),
      let function = delegates[layer][place]
    else { throw ByteReader.broken("asks for a delegate function that is not set") }
    let arguments = try question.arguments.arguments(of: function.name, function.signature)
    let ahead = question.ahead.clamped(to: 0...DelegateQuestion.mostAhead)
    do throws(HostError) {
      let value = try function.answer(arguments)
      return .success([value] + answersAhead(arguments, ahead, function))
    } catch {
      return .failure(error)
    }
  }
}
