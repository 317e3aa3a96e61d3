import CTessera
import TesseraGeometry

/// The sizes of items that are measured when they are first asked for: an estimate until then.
///
/// Owned by the session; the engine reads it as its item value.
final class SizingColumn {
  /// The item value that it supplies.
  let place: SessionValues.Place
  let column: tessera_column
  let count: Int
  private let type: ValueType
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let owner: any InputMemory
  private var isMeasured: [Bool]
  private var estimate: Size
  /// What each section's items were offered when they were measured.
  private var proposals: [Size]
  /// How often measured sizes were forgotten because their items are offered something else.
  private(set) var forgotten = 0
  /// The first item whose size changed since the last prepare; nil if none did.
  private(set) var firstChange: Int? = 0

  init(
    place: SessionValues.Place, type: ValueType, count: Int, estimate: Size, sections: Int,
    memory owner: any InputMemory
  ) throws(HostError) {
    self.owner = owner
    byteCount = max(32, count * type.stride)
    self.place = place
    self.type = type
    self.count = count
    self.estimate = estimate
    memory = try owner.allocate(byteCount: byteCount)
    column = tessera_column(data: memory, stride: UInt64(type.stride))
    isMeasured = Array(repeating: false, count: count)
    proposals = Array(repeating: Size(width: -1, height: -1), count: sections)
    for item in 0..<count { store(estimate, item) }
  }

  deinit { owner.deallocate(memory, byteCount: byteCount) }

  func isMeasured(_ item: Int) -> Bool { isMeasured[item] }

  /// Takes the size that measuring gave.
  func measure(_ item: Int, as size: Size) {
    isMeasured[item] = true
    set(item, size)
  }

  /// Moves what is known of an item to another place.
  func move(_ from: Int, to: Int) {
    let size = size(from)
    let known = isMeasured.remove(at: from)
    isMeasured.insert(known, at: to)
    let step = from < to ? 1 : -1
    var place = from
    while place != to {
      store(self.size(place + step), place)
      place += step
    }
    store(size, to)
    firstChange = min(firstChange ?? from, from, to)
  }

  /// Takes over what another column knows of an item.
  func adopt(_ item: Int, from other: SizingColumn, _ old: Int) {
    guard other.isMeasured[old] else { return }
    isMeasured[item] = true
    set(item, other.size(old))
  }

  /// Gives items that are not measured a new estimate.
  func setEstimate(_ size: Size) {
    guard size != estimate else { return }
    estimate = size
    for item in 0..<count where !isMeasured[item] { set(item, size) }
  }

  /// Forgets the measured sizes of a section whose items are offered something else now.
  func setProposal(_ proposal: Size, section: Int, items: Range<Int>) {
    guard proposals[section] != proposal else { return }
    proposals[section] = proposal
    var isForgetting = false
    for item in items where isMeasured[item] {
      isMeasured[item] = false
      isForgetting = true
      set(item, estimate)
    }
    if isForgetting { forgotten += 1 }
  }

  func proposal(section: Int) -> Size { proposals[section] }

  /// Notes that a prepare has seen all sizes.
  func prepared() { firstChange = nil }

  private func set(_ item: Int, _ size: Size) {
    guard size != self.size(item) else { return }
    store(size, item)
    firstChange = min(firstChange ?? item, item)
  }

  private func size(_ item: Int) -> Size {
    if type == .size { return memory.load(fromByteOffset: item * 16, as: Size.self) }
    return Size(
      width: estimate.width, height: memory.load(fromByteOffset: item * 8, as: Double.self))
  }

  private func store(_ size: Size, _ item: Int) {
    if type == .size {
      memory.storeBytes(of: size, toByteOffset: item * 16, as: Size.self)
    } else {
      memory.storeBytes(of: size.height, toByteOffset: item * 8, as: Double.self)
    }
  }
}
