import CTessera
import TesseraGeometry

/// What one layout of an examination is given, as the host sent it.
struct ExaminedScene {
  let data: SuppliedData
  let surroundings: Surroundings

  /// How many items there are.
  var itemCount: Int { Int(data.starts.last ?? 0) }

  /// Whether the host answers any delegate function.
  var hasDelegate: Bool { data.delegates.joined().contains(true) }

  /// The same without functions that the host answers: it does so for one thread only.
  var withoutDelegate: ExaminedScene {
    let data = SuppliedData(
      starts: data.starts, settings: data.settings, columns: data.columns,
      delegates: data.delegates.map { $0.map { _ in false } }, sizing: data.sizing)
    return ExaminedScene(data: data, surroundings: surroundings)
  }

  /// Enough rows for its items, and for as many headers and separators again.
  var rowCapacity: Int { max(4096, 2 * itemCount + 16 * data.starts.count) }
}

/// One layout of an examination: a chain of instances of the engines, with values of its own.
final class ExaminedLayout {
  let chain: LayoutChain
  private let scene: ExaminedScene
  private let relay: DelegateRelay?
  private var contentSize = Size.zero

  /// Makes the instances.
  ///
  /// - Throws: What the engines refuse.
  init(
    _ scene: ExaminedScene, _ examined: ExaminedEngines, memory: (any RowMemory)? = nil
  ) throws(HostError) {
    self.scene = scene
    let values = try SessionValues(chain: examined.records.map(\.description))
    values.adopt(scene.data, delegates: examined.relay.functions)
    relay = scene.hasDelegate ? examined.relay : nil
    chain = try LayoutChain(
      records: examined.records, values: values, starts: scene.data.starts,
      memory: memory ?? ProcessRows.modest(capacity: scene.rowCapacity))
    try chain.create()
  }

  /// Has it prepared as if anything might have changed, or only what is said.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    defer { relay?.callEnded() }
    let change = tessera_change(what: changed, first_section: 0, first_item: 0)
    contentSize = try chain.prepare(Given(surroundings: scene.surroundings, change: change))
  }

  /// All that it answers.
  func image() throws(HostError) -> LayoutRows {
    LayoutRows(try answer(), chain.numbering, contentSize: contentSize)
  }

  /// What a query for everything is answered with; nothing is prepared for it.
  ///
  /// - Parameter limit: The most rows of the answer.
  func answer(limit: Int? = nil) throws(HostError) -> RowStore {
    defer { relay?.callEnded() }
    let limit = limit ?? scene.rowCapacity
    let everything = Rect(
      x: -1, y: -1, width: contentSize.width + 2, height: contentSize.height + 2)
    if chain.traits.isLazy { return try chain.elements(in: everything, given, limit: limit) }
    guard chain.traits.hasAdjust else { return chain.prepared }
    let answer = try chain.answerStore(limit: limit)
    for run in chain.prepared.runs {
      guard answer.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
      else { throw HostError(.brokenContract, "the same layout has more rows than before") }
    }
    try chain.adjust(answer, for: everything, given)
    return answer
  }

  /// What it answers for its first item, where it is asked for items one by one.
  func askForItem() throws(HostError) {
    guard chain.traits.isLazy, scene.itemCount > 0 else { return }
    let section = scene.data.starts.firstIndex { $0 > 0 } ?? 1
    let run = tessera_run(
      category: TESSERA_CELL, kind: 0, section: UInt32(section - 1), reserved: 0, first_item: 0,
      count: 1)
    _ = try chain.element(run, given)
  }

  /// Where a scroll to the start rests.
  func askForRest() throws(HostError) {
    _ = try chain.restingOffset(for: .zero, velocity: .zero, given)
  }

  private var given: Given {
    let isMirrored =
      scene.surroundings.direction == .rightToLeft && chain.traits.isMirrored
    return Given(
      surroundings: scene.surroundings, mirrorWidth: isMirrored ? contentSize.width : nil)
  }
}

/// The engines that an examination is about, in their process.
final class ExaminedEngines: @unchecked Sendable {
  let records: [EngineRecord]
  let relay: DelegateRelay

  init(_ records: [EngineRecord], _ channel: Channel) throws(HostError) {
    self.records = records
    relay = try DelegateRelay(chain: records.map(\.description), channel: channel)
  }
}
