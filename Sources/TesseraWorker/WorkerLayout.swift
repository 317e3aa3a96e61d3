import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// The engines of a session at work in a process of their own.
///
/// When that dies, the error tells how, and the next call starts another one and gives it all again.
package final class WorkerLayout: LayoutRunner {
  package let traits: ChainTraits
  package let numbering: Numbering
  package private(set) var prepared: RowStore
  package private(set) var index: PreparedIndex
  package private(set) var warnings: [String] = []
  package var progress: (@Sendable (Double) -> Bool)?
  package var trace: (@Sendable (String) -> Void)?

  package let chain: [EngineDescription]
  package let values: SessionValues
  package let input: SharedInput
  package let map: SharedMap
  private let source: any WorkerSource
  package private(set) var rows: SharedRows
  package var starts: SectionStarts
  package private(set) var worker: Worker?

  /// - Parameter startsNow: Whether the worker is started here, or by the first question.
  package init(
    chain: [EngineDescription], values: SessionValues, starts: SectionStarts, input: SharedInput,
    source: any WorkerSource, startsNow: Bool
  ) throws(HostError) {
    self.chain = chain
    self.values = values
    self.starts = starts
    self.input = input
    self.source = source
    traits = ChainTraits(chain: chain)
    numbering = try Numbering(chain: chain)
    map = SharedMap(numbering: numbering, rowMemory: source.limits.rowMemory)
    let memory = try Self.memory(map)
    rows = SharedRows(memory: memory, map: map)
    prepared = try rows.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    if startsNow { worker = try start(memory) }
  }

  private static func memory(_ map: SharedMap) throws(HostError) -> SharedMemory {
    try SharedMemory(named: "tessera-rows", byteCount: map.byteCount, isReadOnly: false)
  }

  /// Starts a worker and has it load the chain.
  private func start(_ memory: SharedMemory) throws(HostError) -> Worker {
    let worker = try source.start(memory: memory, input: input.memory)
    var (answer, reader) = try watching {
      () throws(HostError) -> (Answer, ByteReader) in
      try worker.ask(nil, nil, of: traits.id) { (_, _) throws(HostError) in
        throw ByteReader.broken("is a question before it is ready")
      }
    }
    guard answer == .done else {
      throw try reader.hostError().about(traits.id)
    }
    let found = try reader.engineDescriptions()
    guard found == chain else {
      throw traits.broken(
        "it describes itself otherwise than when it was listed; an engine registers the same each "
          + "time")
    }
    return worker
  }

  /// The worker, a new one where the last is gone.
  private func living() throws(HostError) -> Worker {
    if let worker, !worker.isGone { return worker }
    if let lost = worker, lost.death == nil {
      let error = lost.died(lost.end(nil), "the time between two calls", traits.id)
      note(error)
      worker = nil
      throw error
    }
    let memory = try Self.memory(map)
    rows = SharedRows(memory: memory, map: map)
    prepared = try rows.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    worker = nil
    let new = try start(memory)
    worker = new
    return new
  }

  package var isLost: Bool { worker == nil || worker?.death != nil }

  private func note(_ error: HostError) { source.engineDied(error) }

  private func watching<Result>(
    _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    do throws(HostError) { return try body() } catch {
      if error.kind == .died { note(error) }
      throw error
    }
  }

  /// Has the engines destroy their layouts and their process end.
  ///
  /// - Throws: `.died` where that goes wrong.
  package func close() throws(HostError) {
    guard let worker, !worker.isGone else { return }
    _ = try ask(.destroy, Given(surroundings: Surroundings()))
    worker.end(nil)
    self.worker = nil
  }

  /// - Throws: `.died` where that goes wrong.
  package func renew() throws(HostError) {
    guard let worker, !worker.isGone else { return }
    index.forget()
    _ = try ask(.renew, Given(surroundings: Surroundings()))
  }

  // ---------------------------------------------------------------- calls

  /// - Parameter capacity: How many rows the answer may have; nil where it has none.
  package func ask(
    _ request: Request, _ given: Given, withData: Bool = false, name: String? = nil,
    capacity: Int? = nil,
    _ payload: (inout ByteWriter) -> Void = { _ in }
  ) throws(HostError) -> ByteReader {
    let worker = try living()
    var flags: UInt8 = 0
    if progress != nil { flags |= RequestFlags.progress }
    if trace != nil { flags |= RequestFlags.trace }
    if withData { flags |= RequestFlags.data }
    var message = ByteWriter(reserving: 512)
    message.put(request.rawValue)
    message.put(flags)
    if withData { message.put(values, starts: starts, in: input) }
    message.put(given)
    payload(&message)
    var (answer, reader) = try watching { () throws(HostError) in
      try worker.ask(message, name ?? request.name, of: traits.id, reply: reply)
    }
    let failure = try checked { () throws(HostError) -> HostError? in
      for line in try reader.strings() { trace?(ForeignText.onOneLine(line)) }
      warnings = try reader.strings().prefix(100).map { ForeignText.onOneLine($0) }
      guard answer != .done else { return nil }
      return try reader.hostError()
    }
    if let words = worker.takeWords() { warnings.append("it printed \"\(words)\"") }
    guard let failure else { return reader }
    if let own = values.takeDelegateError() { throw own }
    // What the program asked for is too much only for the room that it really gave.
    guard
      failure.kind != .invalidInput || failure == capacity.map({ .noRoom(traits.id, capacity: $0) })
    else {
      worker.end(nil)
      throw traits.broken("its process says of what it was asked: \(failure.message)")
    }
    throw failure
  }

  /// Reads an answer; a worker whose answer makes no sense is not asked again.
  package func checked<Result>(
    _ read: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    do throws(HostError) { return try read() } catch {
      worker?.end(nil)
      throw traits.broken(error.message)
    }
  }

  /// Answers what the worker asks while it works.
  private func reply(
    _ answer: Answer, _ question: inout ByteReader
  ) throws(HostError) -> ByteWriter {
    guard answer != .delegate else {
      return try values.delegateReply(&question, ahead: answersAhead)
    }
    var reply = ByteWriter(reserving: 16)
    let fraction = try question.double()
    reply.put(progress?(fraction >= 0 && fraction <= 1 ? fraction : 0) ?? true)
    return reply
  }

  /// The most answers that are given before an engine asks for them.
  package static let mostAskedAhead = 4096

  /// What a function of section and item gives for the items that follow one.
  ///
  /// It ends with the section, and before the first that goes wrong: what nobody asked for is no
  /// error.
  private func answersAhead(
    of arguments: [CallValue], _ count: Int, _ function: DelegateFunction
  ) -> [CallValue] {
    guard count > 0, arguments.count == 2, case .unsigned(let section) = arguments[0],
      case .unsigned(let item) = arguments[1], section < UInt64(starts.counts.count)
    else { return [] }
    let end = UInt64(starts.counts[Int(section)])
    var values: [CallValue] = []
    var next = item + 1
    while values.count < count, next < end {
      guard let value = function.answerAhead([.unsigned(section), .unsigned(next)]) else { break }
      values.append(value)
      next += 1
    }
    return values
  }

  /// Takes the runs that an answer speaks of.
  package func adoptRuns(
    _ reader: inout ByteReader, into store: RowStore, itemCounts: [Int]?
  ) throws(HostError) {
    let count = try reader.int()
    let runs = try SharedRun.read(
      count, from: rows.base + SharedMap.runs, capacity: store.capacity,
      kinds: numbering.kinds, itemCounts: itemCounts)
    // To read a page that was never written costs memory as writing it does: who claims rows has paid
    // for their frames.
    let rowCount = runs.last.map { $0.row + $0.count } ?? 0
    guard UInt64(rowCount) * UInt64(MemoryLayout<Rect>.stride) <= worker?.touchedBytes ?? 0
    else {
      throw ByteReader.broken("speaks of \(rowCount) rows, which were never written")
    }
    store.adopt(runs)
  }

  package func writeRuns(of store: RowStore, _ message: inout ByteWriter) {
    SharedRun.write(store.runs, to: rows.base + SharedMap.runs)
    message.put(store.capacity)
    message.put(store.runs.count)
  }
}

/// What starts workers for a session, and hears of their ends.
package protocol WorkerSource: AnyObject, Sendable {
  var limits: WorkerLimits { get }
  func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker
  func engineDied(_ error: HostError)
}

/// What a session asks of its engines, each as one question to their process.
extension WorkerLayout {
  package func supply(_ starts: SectionStarts) { self.starts = starts }

  package func answerStore(limit: Int) throws(HostError) -> RowStore {
    try rows.answerStore(numbering, columns: numbering.adjustedColumns, capacity: limit)
  }

  package func shapeStore(limit: Int) throws(HostError) -> RowStore {
    try rows.answerStore(numbering, columns: .all, capacity: limit)
  }

  package func prepare(_ given: Given) throws(HostError) -> Size {
    index.forget()
    var answer = try ask(.prepare, given, withData: true, capacity: prepared.capacity)
    return try checked { () throws(HostError) in
      let size = try answer.size()
      guard size.isSound else {
        throw ByteReader.broken("has the content size \(Value.size(size))")
      }
      index.forget()
      try adoptRuns(&answer, into: prepared, itemCounts: starts.counts)
      return size
    }
  }

  package func isStillValid(_ given: Given) throws(HostError) -> Bool {
    guard
      chain.first(where: { $0.abilities.contains(.prepare) })?.abilities.contains(.stillValid)
        == true
    else { return false }
    var answer = try ask(.stillValid, given)
    return try checked { () throws(HostError) in try answer.bool() }
  }

  package func elements(in rect: Rect, _ given: Given, limit: Int) throws(HostError) -> RowStore {
    let store = try answerStore(limit: limit)
    var answer = try ask(.elements, given, capacity: store.capacity) { message in
      message.put(rect)
      message.put(store.capacity)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
    return store
  }

  package func element(_ run: tessera_run, _ given: Given) throws(HostError) -> RowStore {
    let store = try answerStore(limit: LayoutChain.lookUpRows)
    var answer = try ask(.element, given, capacity: store.capacity) { message in
      message.put(run.category)
      message.put(run.kind)
      message.put(run.section)
      message.put(run.first_item)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
    return store
  }

  package func adjust(_ store: RowStore, for rect: Rect, _ given: Given) throws(HostError) {
    var answer = try ask(.adjust, given, capacity: store.capacity) { message in
      message.put(rect)
      writeRuns(of: store, &message)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
  }

  package func call(
    _ name: String, _ arguments: [CallValue], _ given: Given
  ) throws(HostError) -> CallValue? {
    guard let declared = chain.lazy.flatMap(\.publishedFunctions).first(where: { $0.name == name })
    else { return nil }
    let signature = try declared.parsedSignature
    try signature.check(arguments, of: name)
    var answer = try ask(.call, given, name: name) { message in
      message.put(name)
      message.put(count: arguments.count)
      for argument in arguments { message.put(argument) }
    }
    let value = try checked { () throws(HostError) -> CallValue? in
      try answer.bool() ? try answer.callValue() : nil
    }
    return try value?.converted(to: signature.result, .brokenContract, "\(name) gave")
  }

  package func restingOffset(
    for proposed: Point, velocity: Point, _ given: Given
  ) throws(HostError) -> Point {
    var answer = try ask(.restingOffset, given) { message in
      message.put(proposed)
      message.put(velocity)
    }
    return try checked { () throws(HostError) in try answer.point() }
  }

  package func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ given: Given
  ) throws(HostError) -> (section: UInt32, item: UInt64) {
    var answer = try ask(.reorderingTarget, given) { message in
      message.put(item.section)
      message.put(item.item)
      message.put(point)
      message.put(nearest.section)
      message.put(nearest.item)
    }
    return try checked { () throws(HostError) in (try answer.uint32(), try answer.uint64()) }
  }

  package func beginUpdate(_ operations: [tessera_update], _ given: Given) throws(HostError) {
    guard traits.hasUpdates else { return }
    let byteCount = operations.count * MemoryLayout<tessera_update>.stride
    let copy = try input.allocate(byteCount: byteCount)
    defer { input.deallocate(copy, byteCount: byteCount) }
    operations.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: byteCount) }
    }
    _ = try ask(.beginUpdate, given) { message in
      message.put(input.offset(of: copy))
      message.put(operations.count)
    }
  }

  package func endUpdate() throws(HostError) {
    guard traits.hasUpdates, !isLost else { return }
    _ = try ask(.endUpdate, Given(surroundings: Surroundings()))
  }

  package func shape(_ store: RowStore, as ends: UpdateEnds, _ given: Given) throws(HostError) {
    var answer = try ask(.shape, given, capacity: store.capacity) { message in
      message.put(ends.rawValue)
      writeRuns(of: store, &message)
    }
    let before = store.runs
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: nil)
      guard store.runs == before else { throw ByteReader.broken("speaks of other elements") }
    }
  }

  package func sizing(_ given: Given) throws(HostError) -> SizingRule? {
    var answer = try ask(.sizing, given, withData: true)
    return try checked { () throws(HostError) in
      let isOn = try answer.bool()
      let place = SessionValues.Place(layer: try answer.int(), index: try answer.int())
      let estimate = try answer.size()
      guard isOn else { return nil }
      guard chain.indices.contains(place.layer),
        chain[place.layer].values.indices.contains(place.index),
        chain[place.layer].values[place.index].scope == .item
      else { throw ByteReader.broken("speaks of a value that it does not declare") }
      return SizingRule(place: place, estimate: estimate)
    }
  }

  package func proposals(_ given: Given, sections: Range<Int>) throws(HostError) -> [Size] {
    var sizes: [Size] = []
    for first in stride(from: sections.lowerBound, to: sections.upperBound, by: 65_536) {
      let part = first..<min(first + 65_536, sections.upperBound)
      var answer = try ask(.proposals, given) { message in
        message.put(part.lowerBound)
        message.put(part.upperBound)
      }
      try checked { () throws(HostError) in
        for _ in part { sizes.append(try answer.size()) }
      }
    }
    return sizes
  }
}
