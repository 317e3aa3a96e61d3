import CTessera
import TesseraCatalog
import TesseraGeometry

/// Runs the engines of a session in this process, and holds the rows that they write.
package final class LayoutChain: LayoutRunner {
  /// The size of the output when an engine first prepared its base in the current call.
  private struct Checkpoint {
    let runs: Int
    let rows: Int
  }

  // No access to these lasts while an engine or the program runs: checking them would cost more than a
  // small call.
  /// The engines, the most derived first.
  @exclusivity(unchecked) private(set) var layers: [ChainedEngine] = []
  package let numbering: ChainNumbers
  package let state: OutputState
  package let values: SessionValues
  package let traits: ChainTraits
  /// The rows of the last prepare.
  package let prepared: RowStore
  package let index: PreparedIndex
  /// Receives a line of text for each call into the engines.
  @exclusivity(unchecked) package var trace: (@Sendable (String) -> Void)?
  /// The arguments of the running call.
  @exclusivity(unchecked) var context = CallContext(viewport: Viewport())
  @exclusivity(unchecked) private var checkpoints: [Checkpoint?]
  /// The store for the rows of queries that call an engine; created by the first one.
  @exclusivity(unchecked) private var answers: RowStore?

  private let memory: any RowMemory

  /// Creates a chain without instances; call `create` before anything else.
  ///
  /// - Parameters:
  ///   - engines: The engines, the most derived first.
  ///   - memory: Allocates the stores for their rows.
  package init(
    engines: [LoadedEngine], values: SessionValues, starts: UnsafeBufferPointer<UInt64>,
    memory: any RowMemory
  ) throws(HostError) {
    let descriptions = engines.map(\.description)
    let numbering = try ChainNumbers(chain: descriptions)
    traits = ChainTraits(chain: descriptions)
    self.numbering = numbering
    self.values = values
    self.memory = memory
    prepared = try memory.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    let state = OutputState(store: prepared, sectionStarts: starts)
    self.state = state
    checkpoints = Array(repeating: nil, count: engines.count)
    layers = engines.enumerated().map { index, engine in
      ChainedEngine(
        engine: engine,
        output: OutputTable(
          state: state, numbering: numbering, layer: index,
          isIncremental: engine.description.traits.contains(.incremental)),
        base: index + 1 < engines.count ? SuperTable(chain: self, layer: index) : nil)
    }
  }

  package var top: ChainedEngine { layers[0] }

  /// The warnings that the engines reported in the last call.
  package var warnings: [String] { partWarnings + layers.flatMap(\.host.warnings) }
  /// The warnings about the parts of the last call, if it prepared parts.
  @exclusivity(unchecked) var partWarnings: [String] = []

  package var progress: (@Sendable (Double) -> Bool)? {
    get { top.host.progress }
    set { for layer in layers { layer.host.progress = newValue } }
  }

  @exclusivity(unchecked) package private(set) var isLost = false

  package func close() {
    isLost = true
    destroy()
  }

  package func renew() { close() }

  /// Destroys the layout of every engine, the most derived first.
  package func destroy() { for layer in layers { layer.destroy() } }

  package func valuesChanged() { values.fill(layers) }

  package func supply(_ starts: SectionStarts) {
    state.sectionStarts = UnsafeBufferPointer(starts.buffer)
  }

  /// The first engine of the chain, from an index on, that implements a function, and the function.
  func first<Function>(
    from place: Int, _ function: (tessera_engine) -> Function?
  ) -> (layer: ChainedEngine, call: Function)? {
    for layer in layers.dropFirst(place) {
      if let call = function(layer.engine.table) { return (layer, call) }
    }
    return nil
  }

  /// The index of an engine in the chain.
  func place(of layer: ChainedEngine) -> Int { layers.firstIndex { $0 === layer } ?? 0 }

  /// Creates the instances of all engines, bases first.
  package func create() throws(HostError) {
    isLost = false
    for layer in layers.reversed() {
      layer.host.clear()
      try check(layer.create(), "create", in: prepared)
    }
  }

  package func answerStore(limit: Int) throws(HostError) -> RowStore {
    if let answers, answers.capacity == limit {
      answers.clear()
      return answers
    }
    answers = nil
    let store = try memory.answerStore(
      numbering, columns: numbering.adjustedColumns, capacity: limit)
    answers = store
    return store
  }

  package func shapeStore(limit: Int) throws(HostError) -> RowStore {
    answers = nil
    return try memory.answerStore(numbering, columns: .all, capacity: limit)
  }

  /// Begins a call that writes to a store: discards earlier reports and checkpoints.
  func begin(_ call: OutputState.Call, in store: RowStore) {
    if !partWarnings.isEmpty { partWarnings = [] }
    for layer in layers { layer.host.clear() }
    for index in checkpoints.indices { checkpoints[index] = nil }
    state.store = store
    state.problem = nil
    state.call = call
  }

  /// Discards the rows that an engine's base added if the engine prepares the base again in one
  /// call.
  func restart(_ layer: Int) {
    if let checkpoint = checkpoints[layer] {
      state.store.truncate(runs: checkpoint.runs, rows: checkpoint.rows)
      state.discardCount += 1
    } else {
      checkpoints[layer] = Checkpoint(runs: state.store.runs.count, rows: state.store.rowCount)
    }
    for deeper in checkpoints.indices where deeper > layer { checkpoints[deeper] = nil }
  }

  /// Returns the first error of a delegate function since the last call of this method, or nil.
  ///
  /// It is the implementation's own error, or a broken contract that names the engine.
  func takeDelegateError() -> HostError? {
    values.takeDelegateError().map { $0.kind == .brokenContract ? broken($0) : $0 }
  }

  /// The name of a failure in the contract.
  private static func name(of status: tessera_status) -> String {
    switch status {
    case TESSERA_INVALID_VALUE: "TESSERA_INVALID_VALUE"
    case TESSERA_UNSUPPORTED: "TESSERA_UNSUPPORTED"
    case TESSERA_NOT_FOUND: "TESSERA_NOT_FOUND"
    case TESSERA_WRONG_STATE: "TESSERA_WRONG_STATE"
    case TESSERA_FAILED: "TESSERA_FAILED"
    default: "the status \(status)"
    }
  }

  /// Checks the status that a call returned.
  ///
  /// - Throws: The error for a status other than OK, or for rows that the host refused.
  func check(
    _ status: tessera_status, _ call: String, in store: RowStore
  ) throws(HostError) {
    if let error = takeDelegateError() { throw error }
    let id = traits.id
    switch status {
    case TESSERA_OK:
      guard !store.wasFull else {
        throw broken(.ignoredRefusal(in: call))
      }
    case TESSERA_NO_SPACE where store.wasFull:
      throw .noRoom(
        id, capacity: store.capacity, store === prepared ? .allowMoreRows : .askForPart)
    case TESSERA_CANCELLED where layers.contains { $0.host.isCancelled }:
      throw .cancelled(call, of: id)
    case TESSERA_INVALID_VALUE, TESSERA_UNSUPPORTED, TESSERA_NOT_FOUND, TESSERA_WRONG_STATE,
      TESSERA_FAILED:
      let reporter = layers.first { $0.host.failure != nil }
      if let reporter, let failure = reporter.host.failure {
        throw .refused(failure, by: reporter.engine.description.id)
      }
      if let (code, found) = state.problem { throw broken(.rejectedRun(code, found, in: call)) }
      throw .refused(call, withoutReason: Self.name(of: status), by: id)
    default:
      throw broken(.invalidStatus(status, from: call))
    }
  }

  func broken(_ error: HostError) -> HostError { traits.broken(error) }

  /// Performs a call into an engine, and traces it if `trace` is set.
  func traced<Result>(
    _ text: @autoclosure () -> String, _ call: () -> Result, result: (Result) -> String
  ) -> Result {
    guard let trace else { return call() }
    let start = MonotonicClock.nanoseconds()
    let value = call()
    let microseconds = Double((MonotonicClock.nanoseconds() - start + 50) / 100) / 10
    trace("\(text()) -> \(result(value)), \(microseconds) µs")
    return value
  }
}

/// The calls into the most derived engine.
extension LayoutChain {
  package func prepare(_ context: CallContext) throws(HostError) -> Size {
    if isLost { try create() }
    self.context = context
    let (viewport, change) = (context.viewport, context.change)
    index.rowsWillChange()
    values.forgetOverrides()
    values.fill(layers)
    if change.what & TESSERA_CHANGED_ALL == 0, !prepared.isEdited {
      prepared.restart()
    } else {
      prepared.clear()
    }
    state.contentSize = nil
    begin(.prepare, in: prepared)
    let status = traced("prepare(\(viewport.traceText), \(state.traceText))") {
      prepare(from: 0)
    } result: { status in
      let size = state.contentSize.map { ", content \(Value.size($0))" } ?? ""
      return "\(outcome(status))\(size)"
    }
    state.call = .none
    try check(status, "prepare", in: prepared)
    guard let size = state.contentSize else {
      throw broken(.missingContentSize)
    }
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw broken(.invalidContentSize(size))
    }
    guard !traits.isLazy || prepared.rowCount == 0 else {
      throw broken(.lazyRows(prepared.rowCount))
    }
    for number in layers.indices { layers[number].keepParameters(values.overridden(number)) }
    index.rowsChanged(isEverything: change.what & TESSERA_CHANGED_ALL != 0)
    return size
  }

  package func prepareUnlessValid(_ context: CallContext) throws(HostError) -> Size? {
    try isStillValid(context) ? nil : try prepare(context)
  }

  /// Whether the prepared layout is still valid with other bounds.
  package func isStillValid(_ context: CallContext) throws(HostError) -> Bool {
    guard let layer = first(from: 0, { $0.prepare })?.layer,
      layer.engine.table.still_valid != nil
    else { return false }
    self.context = context
    let viewport = context.viewport
    // The overrides of the last prepare are restored afterwards.
    let overrides = values.overrides.isEmpty ? nil : values.overrides
    values.clearOverrides(from: 0, layers)
    begin(.stillValid, in: prepared)
    let result = traced("still_valid(\(viewport.traceText))") {
      isStillValid(from: 0)
    } result: {
      "\($0)"
    }
    state.call = .none
    values.forgetOverrides()
    if let overrides {
      values.overrides = overrides
      values.fill(layers)
    }
    return result == 1
  }

  package func elements(
    in rect: Rect, _ context: CallContext, limit: Int
  ) throws(HostError) -> RowStore {
    self.context = context
    let store = try answerStore(limit: limit)
    begin(.query, in: store)
    let status = traced("elements_in_rect(\(Value.rect(rect)))") {
      query(from: 0, tessera_rect(rect))
    } result: {
      outcome($0)
    }
    state.call = .none
    try check(status, "elements_in_rect", in: store)
    return store
  }

  package func element(_ run: tessera_run, _ context: CallContext) throws(HostError) -> RowStore {
    self.context = context
    let store = try answerStore(limit: Self.lookUpRows)
    begin(.query, in: store)
    let place = "section \(run.section), item \(run.first_item)"
    let status = traced("element(category \(run.category), kind \(run.kind), \(place))") {
      withUnsafePointer(to: run) { lookUp(from: 0, $0) }
    } result: {
      outcome($0)
    }
    state.call = .none
    try check(status, "element", in: store)
    return store
  }

  package func adjust(_ store: RowStore, for rect: Rect, _ context: CallContext) throws(HostError) {
    self.context = context
    begin(.adjust, in: store)
    state.preparedRows = traits.isLazy ? nil : index
    let status = traced("adjust(\(context.viewport.traceText), rect \(Value.rect(rect)))") {
      adjust(from: 0, tessera_rect(rect))
    } result: {
      outcome($0)
    }
    state.call = .none
    state.preparedRows = nil
    try check(status, "adjust", in: store)
  }

  /// The capacity in rows for a query of one element, with space for others that the engine adds.
  package static let lookUpRows = 1 << 16

  private func outcome(_ status: tessera_status) -> String {
    "status \(status), \(state.store.runs.count) runs, \(state.store.rowCount) rows"
  }
}

/// Calls the first engine that implements a function, from an index in the chain on.
extension LayoutChain {
  func prepare(from place: Int) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.prepare }) else { return TESSERA_UNSUPPORTED }
    return withInput(layer) { call(layer.instance, $0, layer.output.pointer) }
  }

  func adjust(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.adjust }) else { return TESSERA_OK }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func query(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.elements_in_rect }) else {
      return TESSERA_UNSUPPORTED
    }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func lookUp(from place: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.element }) else { return TESSERA_UNSUPPORTED }
    return withInput(layer) { call(layer.instance, $0, run, layer.output.pointer) }
  }

  func isStillValid(from place: Int) -> Int32 {
    guard let layer = first(from: place, { $0.prepare })?.layer,
      let call = layer.engine.table.still_valid
    else { return 0 }
    return withInput(layer) { call(layer.instance, $0) }
  }

  /// Calls a function of an engine with its current input.
  func withInput<Result>(
    _ layer: ChainedEngine, _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    var change = context.change
    if layer !== top, change.what & TESSERA_CHANGED_ALL == 0 {
      let number = place(of: layer)
      if layer.parametersDiffer { change.what |= TESSERA_CHANGED_PARAMETERS }
      let overridden = values.overridden(number)
      if layer.listsMayDiffer(overridden) { change.what |= TESSERA_CHANGED_LISTS }
      if layer.valuesMayDiffer(overridden) {
        change.what |= TESSERA_CHANGED_VALUES
        (change.first_section, change.first_item) = (0, 0)
      }
    }
    return layer.withInput(
      context, isMirrored: traits.isMirrored, starts: state.sectionStarts, change: change, body)
  }
}

/// The calls of derived engines to their bases, through `tessera_super`.
extension LayoutChain {
  func prepareBase(of layer: Int) -> tessera_status {
    guard state.call == .prepare, let base = first(from: layer + 1, { $0.prepare })?.layer else {
      return TESSERA_WRONG_STATE
    }
    guard hasValidLists(for: layer) else { return TESSERA_INVALID_VALUE }
    restart(layer)
    values.clearOverrides(from: layer + 1, layers)
    let status = prepare(from: layer + 1)
    guard status == TESSERA_OK, base.isLazy, !traits.isLazy else { return status }
    // A lazy base of an engine that is not lazy is queried for everything at once.
    let far = 1e13
    return query(
      from: layer + 1, tessera_rect(x: -far, y: -far, width: 2 * far, height: 2 * far))
  }

  func adjustBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.call == .adjust ? adjust(from: layer + 1, rect) : TESSERA_WRONG_STATE
  }

  func queryBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.call == .query ? query(from: layer + 1, rect) : TESSERA_WRONG_STATE
  }

  func lookUpInBase(of layer: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard state.call == .query else { return TESSERA_WRONG_STATE }
    // The derived engine has its own numbers of kinds.
    guard
      let translated = layers[layer].output.translated(run.pointee, for: layers[layer + 1].output)
    else { return TESSERA_NOT_FOUND }
    return withUnsafePointer(to: translated) { lookUp(from: layer + 1, $0) }
  }

  func isBaseStillValid(of layer: Int) -> Int32 {
    guard state.call == .stillValid, hasValidLists(for: layer) else { return 0 }
    return isStillValid(from: layer + 1)
  }

  /// Whether the records that a derived engine gives its bases are valid; if not, reports why.
  private func hasValidLists(for layer: Int) -> Bool {
    guard let problem = values.problem(ofListsOverriddenBy: layer) else { return true }
    layers[layer].host.note(TESSERA_INVALID_VALUE, "in the list that it gives its base, \(problem)")
    return false
  }
}
