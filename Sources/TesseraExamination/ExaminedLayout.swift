import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// One layout of an examination: a chain of instances of the engines, with values of its own.
final class ExaminedLayout {
  let chain: LayoutChain
  private(set) var scene: ExaminedScene
  private let values: SessionValues
  private let delegates: [[DelegateFunction]]
  private let memory: SharedMemory
  private let relay: DelegateRelay?
  private let interposition: Interposition?
  private(set) var contentSize = Size.zero

  /// Creates the instances.
  ///
  /// - Parameter interposition: Stands between the layout and its engines.
  /// - Throws: An error if an engine refuses.
  init(
    _ scene: ExaminedScene, _ examined: ExaminedEngines, interposition: Interposition? = nil
  ) throws(HostError) {
    self.scene = scene
    memory = examined.memory
    self.interposition = interposition
    let values = try SessionValues(chain: examined.engines.map(\.description))
    delegates = examined.relay.functions
    values.adopt(scene.data, delegates: delegates)
    self.values = values
    relay = scene.hasDelegate ? examined.relay : nil
    chain = try LayoutChain(
      engines: interposition?.engines ?? examined.engines, values: values,
      starts: scene.data.starts, memory: interposition?.rows ?? .modest(capacity: scene.rowCapacity)
    )
    WorkerStage.creation.note(in: memory)
    try chain.create()
  }

  /// Prepares the layout, by default as if everything might have changed.
  ///
  /// Of counts and values, everything from the first item on has changed.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    defer { relay?.callEnded() }
    WorkerStage.prepare.note(in: memory)
    let change = tessera_change(what: changed, first_section: 0, first_item: 0)
    contentSize = try chain.prepare(CallContext(surroundings: scene.surroundings, change: change))
  }

  /// Gives the layout other input; this does not prepare it.
  func take(_ scene: ExaminedScene) {
    self.scene = scene
    chain.state.sectionStarts = scene.data.starts
    values.adopt(scene.data, delegates: delegates)
  }

  /// Calls a published function: the result, or why there is none.
  func call(_ name: String, _ arguments: [Value]) -> String {
    defer { relay?.callEnded() }
    WorkerStage.publishedFunction.note(in: memory)
    do throws(HostError) {
      return try chain.call(name, arguments, context)?.description ?? "nothing"
    } catch {
      return "the error \"\(error.message)\""
    }
  }

  /// The content size and all elements of the layout.
  func image() throws(HostError) -> LayoutRows {
    LayoutRows(try answer(), chain.numbering, contentSize: contentSize)
  }

  /// The result of a query for everything; this does not prepare the layout.
  ///
  /// - Parameter limit: The maximum number of rows in the result.
  func answer(limit: Int? = nil) throws(HostError) -> RowStore {
    defer { relay?.callEnded() }
    let limit = limit ?? scene.rowCapacity
    let everything = Rect(
      x: -1, y: -1, width: contentSize.width + 2, height: contentSize.height + 2)
    (chain.traits.isLazy ? WorkerStage.elements : .adjust).note(in: memory)
    if chain.traits.isLazy { return try chain.elements(in: everything, context, limit: limit) }
    guard chain.traits.hasAdjust else { return chain.prepared }
    let answer = try chain.answerStore(limit: limit)
    for run in chain.prepared.runs {
      guard answer.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
      else { throw HostError(.brokenContract, "the same layout has more rows than before") }
      interposition?.leaveSpace(in: answer)
    }
    try chain.adjust(answer, for: everything, context)
    return answer
  }

  /// Looks up the first item, if the engine is lazy.
  func lookUpFirstItem() throws(HostError) {
    guard chain.traits.isLazy, scene.itemCount > 0 else { return }
    WorkerStage.element.note(in: memory)
    let section = scene.data.starts.firstIndex { $0 > 0 } ?? 1
    let run = tessera_run(
      category: TESSERA_CELL, kind: 0, section: UInt32(section - 1), reserved: 0, first_item: 0,
      count: 1)
    _ = try chain.element(run, context)
  }

  /// Asks for the resting offset of a scroll to the start.
  func findRestingOffset() throws(HostError) {
    WorkerStage.restingOffset.note(in: memory)
    _ = try chain.restingOffset(for: .zero, velocity: .zero, context)
  }

  // The chain destroys what is left.
  deinit { WorkerStage.destruction.note(in: memory) }

  /// Destroys the instances.
  func destroy() {
    WorkerStage.destruction.note(in: memory)
    chain.destroy()
  }

  private var context: CallContext {
    let isMirrored =
      scene.surroundings.direction == .rightToLeft && chain.traits.isMirrored
    return CallContext(
      surroundings: scene.surroundings, mirrorWidth: isMirrored ? contentSize.width : nil,
      rowLimit: scene.rowCapacity)
  }
}

/// The input of one layout of an examination, as received from the host.
struct ExaminedScene {
  let data: SuppliedValues
  let surroundings: Surroundings

  /// The number of items in each section.
  var counts: [Int] { zip(data.starts, data.starts.dropFirst()).map { Int($1 - $0) } }

  /// The number of items.
  var itemCount: Int { Int(data.starts.last ?? 0) }

  /// Whether the program supplies any delegate function.
  var hasDelegate: Bool { data.delegates.joined().contains(true) }

  /// The same input without delegate functions, which the host answers on one thread only.
  var withoutDelegate: ExaminedScene {
    let data = SuppliedValues(
      starts: data.starts, settings: data.settings, columns: data.columns,
      delegates: data.delegates.map { $0.map { _ in false } }, sizing: data.sizing)
    return ExaminedScene(data: data, surroundings: surroundings, rowFactor: rowFactor)
  }

  /// How many times as many rows the engine needs as most engines.
  var rowFactor = 1

  /// Enough rows for the items, and for as many headers and separators.
  var rowCapacity: Int { rowFactor * max(4096, 2 * itemCount + 16 * data.starts.count) }
}

/// The engines under examination, with the relay for their delegate functions.
final class ExaminedEngines: @unchecked Sendable {
  let engines: [LoadedEngine]
  let relay: DelegateRelay
  /// The memory in which each call is noted, for the host to report where the process ended.
  let memory: SharedMemory

  init(
    _ engines: [LoadedEngine], _ memory: SharedMemory, _ channel: Channel
  ) throws(HostError) {
    self.engines = engines
    self.memory = memory
    relay = try DelegateRelay(chain: engines.map(\.description), channel: channel)
  }
}
