import CTessera
import CTesseraSystem
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// One layout of an examination: a chain of instances of the engines, with values of its own.
final class ExaminedLayout {
  let chain: LayoutChain
  private let scene: ExaminedScene
  private let relay: DelegateRelay?
  private var contentSize = Size.zero

  /// Creates the instances.
  ///
  /// - Throws: An error if an engine refuses.
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

  /// Prepares the layout, by default as if everything might have changed.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    defer { relay?.callEnded() }
    let change = tessera_change(what: changed, first_section: 0, first_item: 0)
    contentSize = try chain.prepare(CallContext(surroundings: scene.surroundings, change: change))
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
    if chain.traits.isLazy { return try chain.elements(in: everything, context, limit: limit) }
    guard chain.traits.hasAdjust else { return chain.prepared }
    let answer = try chain.answerStore(limit: limit)
    for run in chain.prepared.runs {
      guard answer.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
      else { throw HostError(.brokenContract, "the same layout has more rows than before") }
    }
    try chain.adjust(answer, for: everything, context)
    return answer
  }

  /// Looks up the first item, if the engine is lazy.
  func lookUpFirstItem() throws(HostError) {
    guard chain.traits.isLazy, scene.itemCount > 0 else { return }
    let section = scene.data.starts.firstIndex { $0 > 0 } ?? 1
    let run = tessera_run(
      category: TESSERA_CELL, kind: 0, section: UInt32(section - 1), reserved: 0, first_item: 0,
      count: 1)
    _ = try chain.element(run, context)
  }

  /// Asks for the resting offset of a scroll to the start.
  func findRestingOffset() throws(HostError) {
    _ = try chain.restingOffset(for: .zero, velocity: .zero, context)
  }

  private var context: CallContext {
    let isMirrored =
      scene.surroundings.direction == .rightToLeft && chain.traits.isMirrored
    return CallContext(
      surroundings: scene.surroundings, mirrorWidth: isMirrored ? contentSize.width : nil)
  }
}

/// The input of one layout of an examination, as received from the host.
struct ExaminedScene {
  let data: SuppliedValues
  let surroundings: Surroundings

  /// The number of items.
  var itemCount: Int { Int(data.starts.last ?? 0) }

  /// Whether the program supplies any delegate function.
  var hasDelegate: Bool { data.delegates.joined().contains(true) }

  /// The same input without delegate functions, which the host answers on one thread only.
  var withoutDelegate: ExaminedScene {
    let data = SuppliedValues(
      starts: data.starts, settings: data.settings, columns: data.columns,
      delegates: data.delegates.map { $0.map { _ in false } }, sizing: data.sizing)
    return ExaminedScene(data: data, surroundings: surroundings)
  }

  /// Enough rows for the items, and for as many headers and separators.
  var rowCapacity: Int { max(4096, 2 * itemCount + 16 * data.starts.count) }
}

/// The engines under examination, with the relay for their delegate functions.
final class ExaminedEngines: @unchecked Sendable {
  let records: [EngineRecord]
  let relay: DelegateRelay

  init(_ records: [EngineRecord], _ channel: Channel) throws(HostError) {
    self.records = records
    relay = try DelegateRelay(chain: records.map(\.description), channel: channel)
  }
}

/// Compares an engine's input before and after each of its calls.
///
/// Section starts and values lie in pages that a worker cannot write, so they need no comparison.
final class InputWatch: CallObserver {
  /// The first part of the input that was written to: "its parameters".
  private(set) var written: String?

  func observe<Result>(
    _ layer: Layer, _ input: inout tessera_input,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let before = copies(of: layer, input)
    defer {
      let after = copies(of: layer, input)
      for (old, new) in zip(before, after) where old.bytes != new.bytes {
        written = written ?? old.name
      }
    }
    return withUnsafeMutablePointer(to: &input) { body(UnsafePointer($0)) }
  }

  private func copies(
    of layer: Layer, _ input: tessera_input
  ) -> [(name: String, bytes: [UInt8])] {
    [
      ("its parameters", Array(UnsafeRawBufferPointer(layer.parameters))),
      ("the pointers to its values", Array(UnsafeRawBufferPointer(layer.columns))),
      ("its delegate functions", Array(UnsafeRawBufferPointer(layer.functions))),
      ("its input", withUnsafeBytes(of: input) { Array($0) }),
    ]
  }
}

extension ProcessRows {
  /// Rows with an inaccessible page at one end, so that a write beyond that end crashes at once.
  ///
  /// There is unused space at the other end, and there are unused rows between runs.
  static func guarded(at side: Examination.Side, capacity: Int) -> ProcessRows {
    ProcessRows(capacity: capacity, spacing: guardedSpacing) { byteCount in
      let slack = 4096 - byteCount % 4096
      guard let block = GuardedBlock(byteCount: byteCount + slack) else { return nil }
      return ColumnMemory(
        base: block.base + (side == .end ? slack : 0), byteCount: byteCount, owner: block)
    }
  }

  /// The number of unused rows between two runs of guarded rows.
  static let guardedSpacing = 4

  /// Rows for many layouts in sequence, within the address space of a sandbox.
  ///
  /// A write outside the rows does no harm here; other examinations detect it.
  static func modest(capacity: Int) -> ProcessRows {
    let space = 4096
    return ProcessRows(capacity: capacity) { byteCount in
      guard let whole = ColumnMemory.obtain(byteCount: byteCount + 2 * space) else { return nil }
      return ColumnMemory(base: whole.base + space, byteCount: byteCount, owner: whole)
    }
  }
}

/// Memory between two inaccessible pages.
private final class GuardedBlock {
  let base: UnsafeMutableRawPointer
  private let byteCount: Int

  init?(byteCount: Int) {
    guard let base = tessera_guarded_create(UInt64(byteCount)) else { return nil }
    self.base = base
    self.byteCount = byteCount
  }

  deinit { tessera_guarded_destroy(base, UInt64(byteCount)) }
}

// The unused rows after each run contain a pattern, which is checked after the engine's call.
extension RowStore {
  /// The first write outside the rows of a run, in the unused half next to one of its ends: "the
  /// frame of row 1 after the 12 rows of run 0"; nil if there is none.
  func strayWrite(at side: Examination.Side) -> String? {
    let half = spacing / 2
    for (number, run) in runs.enumerated() {
      let end = run.row + run.count
      let (space, place) =
        side == .end
        ? (end..<min(end + half, capacity), "after")
        : (max(run.row - half, 0)..<run.row, "before")
      for (name, memory, stride) in columns {
        let bytes = UnsafeRawBufferPointer(
          start: memory.base + space.lowerBound * stride, count: space.count * stride)
        guard let byte = bytes.firstIndex(where: { $0 != Self.spacePattern }) else { continue }
        let row = side == .end ? byte / stride + 1 : space.count - byte / stride
        return "the \(name) of row \(row) \(place) the \(run.count) rows of run \(number)"
      }
    }
    return nil
  }
}
