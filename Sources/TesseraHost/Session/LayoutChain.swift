import CTessera
import TesseraGeometry

/// The engines of a session, the most derived first, and the rows that they write.
final class LayoutChain: LayoutRunner {
  /// How far the output was when an engine first had its base prepared.
  private struct Mark {
    let runs: Int
    let rows: Int
  }

  private(set) var layers: [Layer] = []
  let numbering: Numbering
  let state: OutputState
  let values: SessionValues
  let traits: ChainTraits
  /// What prepare wrote.
  let prepared: RowStore
  let index: PreparedIndex
  /// Told a line about each call into the engine.
  var trace: (@Sendable (String) -> Void)?
  /// What the call that runs was made with.
  var given = Given(surroundings: Surroundings())
  private var marks: [Mark?]
  /// What queries are answered with where prepared rows do not do; made when there is one.
  private var answered: RowStore?

  private let memory: any RowMemory

  /// - Parameters:
  ///   - records: The engines, the most derived first.
  ///   - memory: Where their rows go.
  init(
    records: [EngineRecord], values: SessionValues, starts: UnsafeBufferPointer<UInt64>,
    memory: any RowMemory
  ) throws(HostError) {
    let descriptions = records.map(\.description)
    let numbering = try Numbering(chain: descriptions)
    traits = ChainTraits(chain: descriptions)
    self.numbering = numbering
    self.values = values
    self.memory = memory
    prepared = try memory.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    let state = OutputState(store: prepared, sectionStarts: starts)
    self.state = state
    marks = Array(repeating: nil, count: records.count)
    layers = records.enumerated().map { index, record in
      Layer(
        record: record,
        output: OutputTable(
          state: state, numbering: numbering, layer: index,
          isIncremental: record.description.traits.contains(.incremental)),
        base: index + 1 < records.count ? SuperTable(chain: self, layer: index) : nil)
    }
  }

  var top: Layer { layers[0] }

  /// What the engines reported with status OK since the last call.
  var warnings: [String] { layers.flatMap(\.host.warnings) }

  var progress: (@Sendable (Double) -> Bool)? {
    get { top.host.progress }
    set { for layer in layers { layer.host.progress = newValue } }
  }

  private(set) var isLost = false

  func close() {
    isLost = true
    destroy()
  }

  func renew() { close() }

  /// Has every engine destroy its layout, the most derived first.
  func destroy() { for layer in layers { layer.destroy() } }

  func supply(_ starts: SectionStarts) {
    state.sectionStarts = UnsafeBufferPointer(starts.buffer)
  }

  /// The first engine of the chain, from a place on, that has a function of its own.
  func first<Function>(
    from layer: Int, with function: KeyPath<tessera_engine, Function?>
  ) -> Layer? {
    layers.dropFirst(layer).first { $0.record.table[keyPath: function] != nil }
  }

  /// The place of an engine in the chain.
  func place(of layer: Layer) -> Int { layers.firstIndex { $0 === layer } ?? 0 }

  /// Makes the instances of all engines, bases first.
  func create() throws(HostError) {
    isLost = false
    for layer in layers.reversed() {
      layer.host.clear()
      try check(layer.create(), "create", in: prepared)
    }
  }

  func answerStore(limit: Int) throws(HostError) -> RowStore {
    if let answered, answered.capacity == limit {
      answered.clear()
      return answered
    }
    answered = nil
    let store = try memory.answerStore(
      numbering, columns: numbering.adjustedColumns, capacity: limit)
    answered = store
    return store
  }

  func shapeStore(limit: Int) throws(HostError) -> RowStore {
    answered = nil
    return try memory.answerStore(numbering, columns: .all, capacity: limit)
  }

  /// Begins a call that writes to a store: nothing has been said, no base is prepared.
  func begin(_ call: OutputState.Call, in store: RowStore) {
    for layer in layers { layer.host.clear() }
    for index in marks.indices { marks[index] = nil }
    state.store = store
    state.problem = nil
    state.call = call
  }

  /// Takes back what an engine's base added before, when that is prepared again in one call.
  func restart(_ layer: Int) {
    if let mark = marks[layer] {
      state.store.truncate(runs: mark.runs, rows: mark.rows)
      state.takenBack += 1
    } else {
      marks[layer] = Mark(runs: state.store.runs.count, rows: state.store.rowCount)
    }
    for deeper in marks.indices where deeper > layer { marks[deeper] = nil }
  }

  /// What went wrong in a delegate function since this was last called: in the words of whoever
  /// answers it, or what the engine did wrong.
  func takeDelegateError() -> HostError? {
    values.takeDelegateError().map { $0.kind == .brokenContract ? broken($0.message) : $0 }
  }

  /// - Throws: What a status other than OK means to the caller.
  func check(
    _ status: tessera_status, _ call: String, in store: RowStore
  ) throws(HostError) {
    if let error = takeDelegateError() { throw error }
    let id = traits.id
    switch status {
    case TESSERA_OK:
      guard !store.wasFull else {
        throw broken("\(call) went on and returned OK after it was refused rows")
      }
    case TESSERA_NO_SPACE where store.wasFull:
      throw .noRoom(id, capacity: store.capacity)
    case TESSERA_CANCELLED where layers.contains { $0.host.isCancelled }:
      throw HostError(.cancelled, "\(call) of \(id) was cancelled")
    case TESSERA_INVALID_VALUE, TESSERA_UNSUPPORTED, TESSERA_NOT_FOUND, TESSERA_WRONG_STATE,
      TESSERA_FAILED:
      let speaker = layers.first { $0.host.failure != nil }
      if speaker == nil, let problem = state.problem { throw broken("\(problem) (in \(call))") }
      throw HostError(
        .refused,
        "\(speaker?.record.description.id ?? id): "
          + (speaker?.host.failure ?? "\(call) failed with status \(status) and gave no reason"))
    default:
      throw broken("\(call) returned the status \(status), which it may not return here")
    }
  }

  func broken(_ sentence: String) -> HostError { traits.broken(sentence) }

  /// Does a call into the engine, and tells about it where someone listens.
  func traced<Result>(
    _ text: @autoclosure () -> String, _ call: () -> Result, result: (Result) -> String
  ) -> Result {
    guard let trace else { return call() }
    let start = ContinuousClock.now
    let value = call()
    let microseconds = (ContinuousClock.now - start) / .microseconds(1)
    trace("\(text()) -> \(result(value)), \((microseconds * 10).rounded() / 10) µs")
    return value
  }
}
