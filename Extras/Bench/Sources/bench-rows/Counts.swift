import TesseraHost

// C functions, so that callgrind can start counting before each and dump after it. No two have the
// same prefix, which callgrind would mix up. `work` is set beforehand.
nonisolated(unsafe) private var work: () throws -> Void = {}
nonisolated(unsafe) private var failure: (any Error)?

/// Differs in each function; identical functions would be merged.
nonisolated(unsafe) public private(set) var counted = 0

private func perform(_ number: Int) {
  counted = number
  do { try work() } catch { failure = error }
}

/// A prepare of 100,000 items.
@c @inline(never) public func prepare_counted() { perform(1) }
/// With a size for each item.
@c @inline(never) public func sizes_counted() { perform(2) }
/// 100 items of a derived engine.
@c @inline(never) public func derived_counted() { perform(3) }
/// The first query builds the index.
@c @inline(never) public func index_counted() { perform(4) }
/// Viewport queries.
@c @inline(never) public func query_counted() { perform(5) }
/// Item lookups.
@c @inline(never) public func lookup_counted() { perform(6) }
/// An update with two changes.
@c @inline(never) public func update_counted() { perform(7) }
/// Prepares of no items.
@c @inline(never) public func empty_counted() { perform(8) }

/// Extras/Bench/bench divides by these numbers.
private let times = 100

/// Warms up each work once, then counts it once or `times` times.
///
/// - Parameter updated: Item count of the updated layout.
func count(folder: String, updated: Int) throws {
  let host = Host(
    searchPath: SearchPath(folders: [folder]), configuration: HostConfiguration(isolation: .none))
  func layout(_ name: String, _ items: Int) throws -> Session {
    let session = try Session(host.engine(name))
    try session.setSections([items])
    return session
  }
  func counted(_ function: () -> Void, _ body: @escaping () throws -> Void) throws {
    work = body
    function()
    if let failure { throw failure }
  }
  func prepareAgain(_ session: Session) throws {
    session.bounds.width += 1
    _ = try session.contentSize()
  }
  let items = 100_000
  let mosaic = try layout("mosaic", items)
  try prepareAgain(mosaic)
  try counted(prepare_counted) { try prepareAgain(mosaic) }
  try counted(index_counted) { _ = try mosaic.elements(in: mosaic.visibleRect) }
  let content = try mosaic.contentSize()
  let rects = (0..<times).map {
    Rect(x: 0, y: content.height * Double($0) / Double(times), width: 375, height: 667)
  }
  try counted(query_counted) { for rect in rects { _ = try mosaic.elements(in: rect) } }
  try counted(lookup_counted) {
    for number in 0..<times {
      _ = try mosaic.element(.cell(section: 0, item: number * (items / times)))
    }
  }

  let flow = try layout("flow", items)
  try flow.setItemValues(
    "size",
    .sizes(
      (0..<items).map { (item: Int) -> Size in
        Size(width: Double(30 + item % 61), height: Double(20 + item % 37))
      }))
  try prepareAgain(flow)
  try counted(sizes_counted) { try prepareAgain(flow) }

  let derived = try layout("aspect-flow", 100)
  try prepareAgain(derived)
  try counted(derived_counted) { for _ in 0..<times { try prepareAgain(derived) } }

  let empty = try layout("mosaic", 0)
  try prepareAgain(empty)
  try counted(empty_counted) { for _ in 0..<times { try prepareAgain(empty) } }

  let changing = try layout("mosaic", updated)
  _ = try changing.elements(in: changing.visibleRect)
  let batch = try UpdateBatch(
    [.delete(ItemPath(section: 0, item: 10)), .insert(ItemPath(section: 0, item: updated / 2))],
    before: [updated], after: [updated])
  try counted(update_counted) { _ = try changing.update(batch) { _ in } }
}
