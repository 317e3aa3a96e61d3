import CTessera
import TesseraCatalog
import TesseraRuntime

// Messages use the boxes of `Channel`, rows and runs use `SharedRows`. A worker isn't trusted: its
// numbers are `Untrusted`, without arithmetic.
//
// The host sends `WorkerStart`, then for each question a `QuestionHead`, changed values, the call
// context and the question. The worker answers with an `Outcome`, the reply and the number of runs,
// and can ask in between after an `AnswerKind`.

struct QuestionHead: ByteCodable, Equatable {
  /// The index in `questionTypes`.
  var type: UInt8
  var reportsProgress = false
  /// Requests a line for each call into an engine.
  var traces = false
  /// Whether values and section starts follow.
  var hasData = false
  /// The question is in input memory; its offset and size follow.
  var isLong = false
  /// About the rows of an answer, not of the last prepare.
  var isOfAnswer = false
  var columns = BuiltInColumns()
  /// In rows.
  var capacity = 0
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

// Messages hold offsets of section starts and values in input memory.
extension ByteWriter {
  package mutating func put(_ values: SessionValues, starts: SectionStarts, in input: SharedInput) {
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
    for function in values.delegates.joined() { put(function != nil) }
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

package enum AnswerKind: UInt8, CaseIterable {
  case done = 1
  case failed
  case delegate
  case progress
}

package struct Outcome: ByteCodable, Equatable {
  /// A line for each call into an engine, if requested.
  package let trace: [String]
  /// The call itself succeeded.
  package let warnings: [String]
  /// Nil if a reply follows.
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

/// Asks for a delegate result and the results of following items.
package struct DelegateQuestion: FieldCodable, Equatable {
  package static let fields = Fields(
    DelegateQuestion.init, \.layer, \.function, \.ahead, \.arguments)
  /// The maximum number of prefetched results.
  static let mostAhead = 4096

  let layer: Untrusted<UInt32>
  let function: Untrusted<UInt32>
  /// How many further results the worker accepts.
  let ahead: Untrusted<UInt32>
  let arguments: Untrusted<[Value]>
}

extension SessionValues {
  /// Throws `.brokenContract` for an unknown function or wrong arguments.
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
