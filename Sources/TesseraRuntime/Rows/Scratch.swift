// Keeps its memory when cleared, and avoids an array's checks, which cost as much as a small query.
package final class Scratch<Item> {
  package private(set) var items: UnsafeMutablePointer<Item>
  package private(set) var count = 0
  private var capacity = 8

  package init() { items = .allocate(capacity: capacity) }

  deinit { items.deallocate() }

  package var buffer: UnsafeMutableBufferPointer<Item> {
    UnsafeMutableBufferPointer(start: items, count: count)
  }

  package var last: Item {
    get { items[count - 1] }
    set { items[count - 1] = newValue }
  }

  package func append(_ item: Item) {
    if count == capacity {
      capacity *= 2
      let more = UnsafeMutablePointer<Item>.allocate(capacity: capacity)
      more.moveInitialize(from: items, count: count)
      items.deallocate()
      items = more
    }
    (items + count).initialize(to: item)
    count += 1
  }

  package func truncate(to kept: Int) { count = kept }

  package func sort(by precedes: (Item, Item) -> Bool) {
    var buffer = buffer
    buffer.sort(by: precedes)
  }

  package func clear() {
    count = 0
    guard capacity > 1 << 16 else { return }
    items.deallocate()
    capacity = 8
    items = .allocate(capacity: capacity)
  }
}
