/// Distributes the events of a day over lanes: overlapping events share no lane.
struct EventLanes {
  struct Event {
    let item: Int
    let start, end: Double
    /// The first lane, and the end of the covered ones.
    fileprivate(set) var lane: Int32 = 0
    fileprivate(set) var reach: Int32 = 1
    /// In its cluster.
    fileprivate(set) var lanes: Int32 = 1
  }

  /// Sorted by `arrange`, for sequential memory access.
  private(set) var events: [Event] = []
  /// The end of each lane's last event.
  private var ends = LaneTree()
  /// Negated: the minimum ends last.
  private var negatedEnds = LaneTree()
  private var nextStarts = LaneTree()

  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
  }

  mutating func append(item: Int, start: Double, end: Double) {
    events.append(Event(item: item, start: start, end: end))
  }

  /// Gives all events their lanes; O(*n* log *n*).
  mutating func arrange() {
    sort()
    var first = 0
    while first < events.count {
      // An event overlaps an earlier one if it starts before the latest end.
      var end = first
      var latest = -Double.infinity
      var count = 0
      repeat {
        latest = max(latest, events[end].end)
        takeLane(end, inUse: &count)
        end += 1
      } while end < events.count && events[end].start < latest
      finish(first..<end, lanes: count)
      first = end
    }
  }

  /// By start, then the longer one, then by item.
  private mutating func sort() {
    func comes(_ one: Event, before other: Event) -> Bool {
      if one.start != other.start { return one.start < other.start }
      if one.end != other.end { return one.end > other.end }
      return one.item < other.item
    }
    // They usually are.
    let isSorted = zip(events, events.dropFirst()).allSatisfy { !comes($1, before: $0) }
    if !isSorted { events.sort(by: comes) }
  }

  /// Gives an event the lowest free lane at its start, up to the next lane in use.
  ///
  /// - Parameter count: The number of lanes used by the cluster so far.
  private mutating func takeLane(_ event: Int, inUse count: inout Int) {
    var taken = events[event]
    let (start, end) = (taken.start, taken.end)
    let lane = ends.first(below: start.nextUp) ?? count
    if lane == ends.capacity {
      ends.grow()
      negatedEnds.grow()
      nextStarts.grow()
    }
    taken.lane = Int32(truncatingIfNeeded: lane)
    let reach = lane + 1 < count ? negatedEnds.first(from: lane + 1, below: -start) : nil
    taken.reach = reach.map { Int32(truncatingIfNeeded: $0) } ?? .max
    events[event] = taken
    ends[lane] = end
    negatedEnds[lane] = -end
    count = max(count, lane + 1)
  }

  /// Ends events at the lanes of later overlapping ones, and clears the lanes.
  private mutating func finish(_ cluster: Range<Int>, lanes: Int) {
    if lanes > 1 {
      let lanes = Int32(truncatingIfNeeded: lanes)
      for place in cluster.reversed() {
        var event = events[place]
        let lane = Int(event.lane)
        if let next = nextStarts.first(from: lane + 1, below: event.end) {
          event.reach = min(event.reach, Int32(truncatingIfNeeded: next))
        }
        event.reach = min(event.reach, lanes)
        event.lanes = lanes
        events[place] = event
        nextStarts[lane] = event.start
      }
    } else {
      for place in cluster { events[place].reach = 1 }
    }
    ends.clear(lanes)
    negatedEnds.clear(lanes)
    nextStarts.clear(lanes)
  }
}

/// A number for each lane, in a tree of minima to search.
struct LaneTree {
  private(set) var capacity = 0
  /// The root is at 1, and the children of i are at 2i and 2i + 1; empty lanes have infinity.
  private var minima: [Double] = []

  /// Doubles the number of lanes, initially 0.
  mutating func grow() {
    guard capacity > 0 else {
      (capacity, minima) = (1, [.infinity, .infinity])
      return
    }
    let old = minima[capacity...]
    capacity *= 2
    minima = Array(repeating: .infinity, count: capacity) + old
    minima += Array(repeating: .infinity, count: capacity * 2 - minima.count)
    for node in (1..<capacity).reversed() {
      minima[node] = min(minima[2 * node], minima[2 * node + 1])
    }
  }

  /// Empties the first lanes, the only ones with a number; O(*lanes*).
  mutating func clear(_ lanes: Int) {
    var (first, count) = (capacity, lanes)
    while first > 0 {
      for node in first..<first + count { minima[node] = .infinity }
      (first, count) = (first / 2, (count + 1) / 2)
    }
  }

  /// O(log *lanes*) to set.
  subscript(lane: Int) -> Double {
    get { minima[capacity + lane] }
    set {
      var node = capacity + lane
      minima[node] = newValue
      while node > 1 {
        node /= 2
        let least = min(minima[2 * node], minima[2 * node + 1])
        guard least != minima[node] else { return }
        minima[node] = least
      }
    }
  }

  /// O(log *lanes*).
  func first(below limit: Double) -> Int? {
    guard capacity > 0, minima[1] < limit else { return nil }
    return first(under: 1, below: limit)
  }

  /// O(log *lanes*).
  func first(from lane: Int, below limit: Double) -> Int? {
    guard lane < capacity else { return nil }
    var node = capacity + lane
    while !(minima[node] < limit) {
      // To the neighbour of the nearest ancestor that has a right one.
      while !node.isMultiple(of: 2) { node /= 2 }
      guard node > 0 else { return nil }
      node += 1
    }
    return first(under: node, below: limit)
  }

  private func first(under node: Int, below limit: Double) -> Int {
    var node = node
    while node < capacity {
      node *= 2
      if !(minima[node] < limit) { node += 1 }
    }
    return node - capacity
  }
}
