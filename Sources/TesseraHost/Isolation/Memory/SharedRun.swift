/// A run as it crosses from one process to the other: five words.
struct SharedRun {
  static let stride = 40

  /// Writes runs one after the other.
  static func write(_ runs: ContiguousArray<Run>, to memory: UnsafeMutableRawPointer) {
    var place = memory
    for run in runs {
      place.storeBytes(of: run.category.rawValue, as: Int32.self)
      place.storeBytes(of: run.kind, toByteOffset: 4, as: UInt32.self)
      place.storeBytes(of: UInt64(run.section), toByteOffset: 8, as: UInt64.self)
      place.storeBytes(of: run.firstItem, toByteOffset: 16, as: UInt64.self)
      place.storeBytes(of: UInt64(run.count), toByteOffset: 24, as: UInt64.self)
      place.storeBytes(of: UInt64(run.row), toByteOffset: 32, as: UInt64.self)
      place += stride
    }
  }

  /// Reads runs that another process wrote, and may change meanwhile: each word once, and nothing of
  /// it believed.
  ///
  /// - Parameters:
  ///   - capacity: The most rows that they may take together.
  ///   - itemCounts: How many items each section has; nil where cells may be of any item, as those
  ///     that disappear are.
  /// - Throws: `.brokenContract` with the first that cannot be.
  static func read(
    _ count: Int, from memory: UnsafeRawPointer, capacity: Int, kinds: [KindDescription],
    itemCounts: [Int]?
  ) throws(HostError) -> ContiguousArray<Run> {
    guard count >= 0, count <= capacity else { throw impossible("\(count) runs") }
    var runs = ContiguousArray<Run>()
    // Memory is taken as runs turn out to be there, not as they are announced.
    runs.reserveCapacity(min(count, 4096))
    var rows = 0
    for number in 0..<count {
      let place = memory + number * stride
      let rawCategory = place.load(as: Int32.self)
      let kind = place.load(fromByteOffset: 4, as: UInt32.self)
      let section = place.load(fromByteOffset: 8, as: UInt64.self)
      let firstItem = place.load(fromByteOffset: 16, as: UInt64.self)
      let length = place.load(fromByteOffset: 24, as: UInt64.self)
      let row = place.load(fromByteOffset: 32, as: UInt64.self)
      guard let category = ElementCategory(rawValue: rawCategory) else {
        throw impossible("a run of category \(rawCategory)")
      }
      let isKnown =
        category == .cell
        ? kind == 0 : Int(kind) < kinds.count && kinds[Int(kind)].category == category
      guard isKnown else { throw impossible("a run of kind \(kind)") }
      guard section < UInt64(UInt32.max), section < UInt64(itemCounts?.count ?? .max) else {
        throw impossible("a run of section \(section)")
      }
      guard row == UInt64(rows), length > 0, length <= UInt64(capacity - rows) else {
        throw impossible("a run of \(length) rows at \(row)")
      }
      let (end, overflows) = firstItem.addingReportingOverflow(length)
      var last = UInt64(Int64.max)
      if category == .cell, let itemCounts { last = UInt64(itemCounts[Int(section)]) }
      guard !overflows, end <= last else {
        throw impossible("items \(firstItem) and \(length) more of section \(section)")
      }
      runs.append(
        Run(
          category: category, kind: kind, section: UInt32(section), firstItem: firstItem,
          count: Int(length), row: rows))
      rows += Int(length)
    }
    return runs
  }

  private static func impossible(_ found: String) -> HostError {
    HostError(
      .brokenContract, "its process answered with \(found), which cannot be; it is not used")
  }
}
