import CTessera
import TesseraCatalog
import TesseraGeometry

/// Runs a session's engines in this process and holds their rows.
package final class LayoutChain: LayoutRunner {
  /// Most derived first.
  private(set) var layers: [ChainedEngine] = []
  private var adjusting: ChainedEngine?
  package let numbering: ChainNumbers
  package let state: OutputState
  package let values: SessionValues
  package let traits: ChainTraits
  package let prepared: RowStore
  package let index: PreparedIndex
  package var trace: (@Sendable (String) -> Void)?
  var context = CallContext(viewport: Viewport())
  /// The output's size when each engine first prepared its base in this call.
  private var checkpoints: [(runs: Int, rows: Int)?]
  /// For queries that call an engine; created by the first.
  package private(set) var answers: RowStore?
  /// Receives each part of a `BatchQuestion`, numbered from 0; returns whether to go on.
  package var partFinished: ((Int, Result<PreparedPart, HostError>) -> Bool)?

  private let memory: any RowMemory
  private var sizesMemory: ColumnMemory?

  // Nil without address space. Untouched pages cost nothing.
  var roomForSizes: UnsafeMutablePointer<tessera_size>? {
    // Rows never need this size, so the memory isn't reused and is zero.
    let byteCount = SizesQuestion.longest * MemoryLayout<tessera_size>.stride + 1
    if sizesMemory == nil { sizesMemory = ColumnMemory.obtain(byteCount: byteCount) }
    return sizesMemory?.base.assumingMemoryBound(to: tessera_size.self)
  }

  // Call `create` first. `engines` has the most derived first.
  package init(
    engines: [LoadedEngine], values: SessionValues, starts: UnsafeBufferPointer<UInt64>,
    memory: any RowMemory, examiner: (any CallExaminer)? = nil
  ) throws(HostError) {
    let descriptions = engines.map(\.description)
    let numbering = try ChainNumbers(chain: descriptions)
    traits = ChainTraits(chain: descriptions)
    (self.numbering, self.values, self.memory) = (numbering, values, memory)
    prepared = try memory.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    let state = OutputState(store: prepared, sectionStarts: starts)
    state.examiner = examiner
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
    for (place, layer) in layers.enumerated() {
      if let examiner {
        layer.host.hidesExtensions = examiner.hidesExtensions
        layer.host.observe = { [unowned examiner] in examiner.observe($0, ofEngineAt: place) }
      }
      layer.host.noteNothingToAdjust = { [unowned state, unowned layer] in
        guard state.call == .prepare else { return state.refuse("not_needed", onlyIn: "prepare") }
        layer.hasNothingToAdjust = true
        return TESSERA_OK
      }
    }
    adjusting = first(from: 0, \.adjust)?.layer
  }

  deinit { destroy() }

  package var top: ChainedEngine { layers[0] }

  package var isAdjusted: Bool { adjusting.map { !$0.hasNothingToAdjust } ?? false }

  package var warnings: [String] { partWarnings + layers.flatMap(\.host.warnings) }
  var partWarnings: [String] = []

  package var progress: (@Sendable (Double) -> Bool)? {
    get { top.host.progress }
    set { for layer in layers { layer.host.progress = newValue } }
  }

  package private(set) var isLost = true

  package var timeLimit: Double?

  package var time = QuestionTime()

  package var endReports: Int32?

  package func noticesEnd() -> Bool { false }

  package var roomRemedy: HostError.Remedy { .allowMoreRows }

  package var sandbox: SandboxGrade { .none }

  package func close() { destroy() }

  package func renew() { destroy() }

  package func destroy() {
    isLost = true
    state.note(.destroy)
    for layer in layers { layer.destroy() }
  }

  @discardableResult
  package func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext, rows: RowStore?
  ) throws(HostError) -> Asked.Reply { try question.answer(by: self, rows ?? prepared, context) }

  package func valuesChanged() { values.fill(layers) }

  package func supply(_ starts: SectionStarts) {
    state.sectionStarts = UnsafeBufferPointer(starts.buffer)
  }

  // Inlined to avoid a copy of the table.
  @inline(__always)
  func first<Function>(
    from place: Int, _ function: (tessera_engine) -> Function?
  ) -> (layer: ChainedEngine, call: Function)? {
    var place = place
    while place < layers.count {
      if let call = function(layers[place].engine.table) { return (layers[place], call) }
      place += 1
    }
    return nil
  }

  func place(of layer: ChainedEngine) -> Int { layers.firstIndex { $0 === layer } ?? 0 }

  /// Bases first.
  package func create() throws(HostError) {
    state.note(.create)
    for layer in layers.reversed() {
      layer.host.clear()
      try check(layer.create(), .create, in: prepared)
    }
    isLost = false
  }

  package func answerStore(limit: Int, columns: BuiltInColumns) throws(HostError) -> RowStore {
    if let answers, answers.capacity == limit, answers.columns == columns {
      answers.clear()
      return answers
    }
    answers = nil
    let store = try memory.answerStore(numbering, columns: columns, capacity: limit)
    answers = store
    return store
  }

  /// Discards earlier reports and checkpoints.
  func begin(_ call: EngineCall, _ context: CallContext, in store: RowStore) {
    self.context = context
    state.mirroring =
      traits.isMirrored && context.viewport.direction == .rightToLeft
      ? (context.viewport, context.mirrorWidth) : nil
    state.note(call)
    if !partWarnings.isEmpty { partWarnings = [] }
    for layer in layers { layer.host.clear() }
    for index in checkpoints.indices { checkpoints[index] = nil }
    state.store = store
    state.problem = nil
    state.call = call
  }

  /// Discards the base's rows when it is prepared again in one call.
  func restart(_ layer: Int) {
    if let checkpoint = checkpoints[layer] {
      state.store.truncate(runs: checkpoint.runs, rows: checkpoint.rows)
      state.discardCount += 1
    } else {
      checkpoints[layer] = (state.store.runs.count, state.store.rowCount)
    }
    for deeper in checkpoints.indices where deeper > layer { checkpoints[deeper] = nil }
    if let adjusting, place(of: adjusting) > layer { adjusting.hasNothingToAdjust = false }
  }

  /// The first error since the last call: the program's, or a broken contract of the engine.
  func takeDelegateError() -> HostError? {
    values.takeDelegateError().map { $0.kind == .brokenContract ? broken($0) : $0 }
  }

  private static func name(of status: tessera_status) -> String {
    switch status {
    case TESSERA_ERROR_INVALID_VALUE: "TESSERA_ERROR_INVALID_VALUE"
    case TESSERA_ERROR_UNSUPPORTED: "TESSERA_ERROR_UNSUPPORTED"
    case TESSERA_ERROR_NOT_FOUND: "TESSERA_ERROR_NOT_FOUND"
    case TESSERA_ERROR_WRONG_STATE: "TESSERA_ERROR_WRONG_STATE"
    case TESSERA_ERROR_FAILED: "TESSERA_ERROR_FAILED"
    default: "the status \(status)"
    }
  }

  func perform(
    _ call: EngineCall, _ context: CallContext, in store: RowStore,
    _ arguments: @autoclosure () -> String, _ body: () -> tessera_status
  ) throws(HostError) {
    begin(call, context, in: store)
    let status = traced("\(call.name)(\(arguments()))", body) { status in
      let size = call == .prepare ? state.contentSize : nil
      return "status \(status), \(state.store.runs.count) runs, \(state.store.rowCount) rows"
        + (size.map { ", content \(Value.size($0))" } ?? "")
    }
    state.call = nil
    try check(status, call, in: store)
  }

  func check(_ status: tessera_status, _ call: EngineCall, in store: RowStore) throws(HostError) {
    if values.declaresDelegates, let error = takeDelegateError() { throw error }
    let id = traits.id
    switch status {
    case TESSERA_OK:
      guard !store.wasFull else {
        throw HostError(
          .invalidStatus,
          "\(call.name) went on and returned OK after it was refused rows", engine: id)
      }
    case TESSERA_ERROR_NO_SPACE where store.wasFull:
      throw .noRoom(id, capacity: store.capacity, store === prepared ? .allowMoreRows : .askForPart)
    case TESSERA_ERROR_NO_SPACE:
      throw HostError(
        .refusedByEngine,
        layers.lazy.compactMap(\.host.failure).first ?? "\(call.name) could not allocate memory",
        engine: id)
    case TESSERA_ERROR_CANCELLED where layers.contains { $0.host.isCancelled }:
      throw .cancelled(call.name, of: id)
    case TESSERA_ERROR_INVALID_VALUE, TESSERA_ERROR_UNSUPPORTED, TESSERA_ERROR_NOT_FOUND,
      TESSERA_ERROR_WRONG_STATE,
      TESSERA_ERROR_FAILED:
      // More specific than the engine's report.
      if let (code, what) = state.problem {
        throw broken(HostError(code, "it \(what) (in \(call.name))"))
      }
      if let reporter = layers.first(where: { $0.host.failure != nil }),
        let failure = reporter.host.failure
      {
        throw HostError(.refusedByEngine, failure, engine: reporter.engine.description.id)
      }
      throw HostError(
        .refusedWithoutReason,
        "\(call.name) returned \(Self.name(of: status)) without a reason", engine: id)
    default:
      throw HostError(
        .invalidStatus,
        "\(call.name) returned the status \(status), which is not allowed here", engine: id)
    }
  }

  func broken(_ error: HostError) -> HostError { traits.broken(error) }

  func traced<Result>(
    _ text: @autoclosure () -> String, _ call: () -> Result, result: (Result) -> String
  ) -> Result {
    guard let trace else { return call() }
    let start = monotonicNanoseconds()
    let value = call()
    let microseconds = Double((monotonicNanoseconds() - start + 50) / 100) / 10
    trace("\(text()) -> \(result(value)), \(microseconds) µs")
    return value
  }
}

extension LayoutChain {
  package func prepare(_ context: CallContext) throws(HostError) -> Size {
    let size = try place(context)
    for number in layers.indices { layers[number].keepParameters(values.overridden(number)) }
    index.rowsChanged(isEverything: context.change.what & TESSERA_CHANGED_ALL != 0)
    return size
  }

  /// As `prepare`, but the next prepare isn't compared with it.
  func place(_ context: CallContext) throws(HostError) -> Size {
    if isLost { try create() }
    let change = context.change
    index.rowsWillChange()
    values.forgetOverrides()
    values.fill(layers)
    if change.what & TESSERA_CHANGED_ALL == 0, !prepared.isEdited {
      prepared.restart()
    } else {
      prepared.clear()
    }
    state.contentSize = nil
    adjusting?.hasNothingToAdjust = false
    try perform(
      .prepare, context, in: prepared, "\(context.viewport.traceText), \(state.traceText)"
    ) { prepare(from: 0) }
    guard let size = state.contentSize else {
      throw HostError(
        .invalidContentSize,
        "prepare returned without calling set_content_size; call it with the size of the content",
        engine: traits.id)
    }
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw HostError(
        .invalidContentSize,
        "prepare set the content size \(Value.size(size)); expected finite numbers, 0 or more",
        engine: traits.id)
    }
    guard !traits.isLazy || prepared.rowCount == 0 else {
      throw HostError(
        .lazyRows,
        "it declares that it is lazy, but prepare added \(prepared.rowCount) rows",
        engine: traits.id)
    }
    return size
  }

  package func isStillValid(_ context: CallContext) -> Bool {
    guard let layer = first(from: 0, { $0.prepare })?.layer,
      layer.engine.table.still_valid != nil
    else { return false }
    let viewport = context.viewport
    // The last prepare's overrides are restored afterwards.
    let overrides = values.overrides.isEmpty ? nil : values.overrides
    values.clearOverrides(from: 0, layers)
    begin(.stillValid, context, in: prepared)
    let result = traced("still_valid(\(viewport.traceText))") {
      isStillValid(from: 0)
    } result: {
      "\($0)"
    }
    state.call = nil
    values.forgetOverrides()
    if let overrides {
      values.overrides = overrides
      values.fill(layers)
    }
    return result == 1
  }

  /// Engines can query their own layout meanwhile.
  func withQueries<Result>(
    _ call: EngineCall, _ context: CallContext, _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    begin(call, context, in: prepared)
    for layer in layers {
      layer.host.query = { [unowned self, unowned layer] in self.answer($0, for: layer, $1) }
    }
    defer {
      for layer in layers {
        layer.host.query = nil
        layer.output.callReturned()
      }
      state.call = nil
      state.store = prepared
    }
    return try body()
  }

  private func answer(
    _ raw: tessera_rect, for layer: ChainedEngine, _ output: HostTable.Output
  ) -> tessera_status {
    let rect = Rect(x: raw.x, y: raw.y, width: raw.width, height: raw.height)
    // A lazy engine can't query while it answers a query.
    guard let call = state.call, !state.isQuery, rect.isFinite else {
      return TESSERA_ERROR_WRONG_STATE
    }
    layer.output.callReturned()
    do throws(HostError) {
      let answer = try answerStore(limit: context.rowLimit)
      state.store = answer
      if traits.isLazy {
        state.call = .elements
        defer { state.call = call }
        try check(query(from: 0, raw), .elements, in: answer)
      } else if !index.copy(index.rows(in: rect), to: answer) {
        throw HostError(
          .tooManyRows,
          "it asked for more than \(context.rowLimit) elements at once; ask for fewer")
      }
      output.pointee = layer.output.pointer
      return TESSERA_OK
    } catch {
      layer.host.note(TESSERA_ERROR_FAILED, error.message)
      return TESSERA_ERROR_FAILED
    }
  }
}

// Call the first engine from an index on that implements the function.
extension LayoutChain {
  func prepare(from place: Int) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.prepare }) else {
      return TESSERA_ERROR_UNSUPPORTED
    }
    return withInput(layer) { call(layer.instance, $0, layer.output.pointer) }
  }

  func adjust(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.adjust }) else { return TESSERA_OK }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func query(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.elements_in_rect }) else {
      return TESSERA_ERROR_UNSUPPORTED
    }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func lookUp(from place: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard let (layer, call) = first(from: place, { $0.element }) else {
      return TESSERA_ERROR_UNSUPPORTED
    }
    return withInput(layer) { input in
      lending(UnsafeMutablePointer(mutating: run), "the tessera_run") {
        call(layer.instance, input, $0, layer.output.pointer)
      }
    }
  }

  func isStillValid(from place: Int) -> Int32 {
    guard let layer = first(from: place, { $0.prepare })?.layer,
      let call = layer.engine.table.still_valid
    else { return 0 }
    let result = withInput(layer) { call(layer.instance, $0) }
    if result != 0, result != 1, state.oddNumber == nil {
      state.oddNumber = "still_valid returned \(result); expected 0 or 1"
    }
    return result
  }

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
        (change.first_section, change.first_item, change.last_count) = (0, 0, 0)
      }
    }
    return layer.withInput(
      context, isMirrored: traits.isMirrored, starts: state.sectionStarts, change: change, body)
  }
}

// Calls from derived engines to their bases, through `tessera_super`.
extension LayoutChain {
  func prepareBase(of layer: Int) -> tessera_status {
    guard state.call == .prepare else { return state.refuse("prepare of super", onlyIn: "prepare") }
    guard let base = first(from: layer + 1, { $0.prepare })?.layer else {
      return TESSERA_ERROR_WRONG_STATE
    }
    guard hasValidOverrides(layer) else { return TESSERA_ERROR_INVALID_VALUE }
    restart(layer)
    values.clearOverrides(from: layer + 1, layers)
    let status = prepare(from: layer + 1)
    guard status == TESSERA_OK, base.isLazy, !traits.isLazy else { return status }
    // An eager engine queries its lazy base for everything at once.
    var found = query(from: layer + 1, .everything(of: state.contentSize ?? .zero))
    guard found == TESSERA_OK else { return found }
    state.store.forEachMissingCell(state.sectionStarts) { cell in
      guard found == TESSERA_OK else { return }
      found = withUnsafePointer(to: cell.contract) { lookUp(from: layer + 1, $0) }
    }
    return found
  }

  func adjustBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.call == .adjust
      ? adjust(from: layer + 1, rect) : state.refuse("adjust of super", onlyIn: "adjust")
  }

  func queryBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.isQuery
      ? query(from: layer + 1, rect) : state.refuse("elements_in_rect of super", onlyIn: "queries")
  }

  func lookUpInBase(of layer: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard state.isQuery else { return state.refuse("element of super", onlyIn: "queries") }
    // The derived engine numbers kinds differently.
    guard
      let translated = layers[layer].output.translated(run.pointee, for: layers[layer + 1].output)
    else { return TESSERA_ERROR_NOT_FOUND }
    return withUnsafePointer(to: translated) { lookUp(from: layer + 1, $0) }
  }

  func isBaseStillValid(of layer: Int) -> Int32 {
    guard state.call == .stillValid, hasValidOverrides(layer) else { return 0 }
    return isStillValid(from: layer + 1)
  }

  private func hasValidOverrides(_ layer: Int) -> Bool {
    guard let problem = values.problem(ofOverridesBy: layer) else { return true }
    state.problem = state.problem ?? (.invalidOverride, "gave its base \(problem)")
    return false
  }
}

extension LayoutChain {
  /// In an examination, lends a copy of an argument and reads back the engine's writes.
  func lending<Content, Result>(
    _ content: UnsafeMutablePointer<Content>, count: Int = 1, _ name: String,
    _ body: (UnsafeMutablePointer<Content>) -> Result
  ) -> Result {
    let size = count * MemoryLayout<Content>.stride
    guard let copy = state.examiner?.lend(byteCount: size, name) else { return body(content) }
    copy.copyMemory(from: content, byteCount: size)
    defer { UnsafeMutableRawPointer(content).copyMemory(from: copy, byteCount: size) }
    return body(copy.assumingMemoryBound(to: Content.self))
  }
}
