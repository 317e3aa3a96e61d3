import TesseraGeometry
import TesseraHost
import TestSupport

/// A layout whose data and viewport change step by step, all values kept item by item.
struct ChangingCase {
  var layout = LayoutCase()
  /// The values of items, by name, section and item.
  var items: [String: [[Value]]] = [:]
  let engine: Engine

  /// A case of sections of so many items, each of which has every value of its own.
  init(
    of engine: Engine, counts: [Int], using random: inout some RandomNumberGenerator
  ) {
    self.engine = engine
    layout.counts = counts
    for value in engine.settableValues where value.scope == .item {
      items[value.name] = counts.map { count in
        (0..<count).map { _ in random.value(of: value, engine.fallback(of: value)) }
      }
    }
  }

  private func column(_ name: String) -> ValueColumn? {
    guard
      let description = engine.settableValues.first(where: { $0.name == name && $0.scope == .item }
      ),
      let all = items[name]?.flatMap({ $0 })
    else { return nil }
    return ValueColumn(all, type: description.type)
  }

  /// Gives a session the counts and all values of items.
  func supply(_ session: Session) throws(HostError) {
    for (name, value) in layout.sectionValues { try session.setSectionValues(name, value) }
    for name in items.keys {
      if let column = column(name) { try session.setItemValues(name, column) }
    }
  }

  /// A session that was given nothing but this.
  func fresh() throws -> Session {
    let session = try layout.session(of: engine)
    try supply(session)
    return session
  }

  /// Changes something, and tells a session of that alone.
  ///
  /// - Returns: What was changed.
  mutating func step(
    _ session: Session, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return try changeBounds(session, using: &random)
    case 1: return try changeParameter(session, using: &random)
    case 2, 3, 4: return try changeItem(session, using: &random)
    default: return try changeCounts(session, using: &random)
    }
  }

  private mutating func changeBounds(
    _ session: Session, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: layout.bounds.width = random.number(in: 200...900)
    case 1: layout.bounds.height = random.number(in: 200...900)
    case 2: layout.scale = random.pick([1, 2, 3])
    case 3: layout.contentInsets = random.edges(upTo: 30)
    default: layout.safeAreaInsets = random.edges(upTo: 60)
    }
    session.bounds = layout.bounds
    session.scale = layout.scale
    session.contentInsets = layout.contentInsets
    session.safeAreaInsets = layout.safeAreaInsets
    return "bounds"
  }

  private mutating func changeParameter(
    _ session: Session, using random: inout some RandomNumberGenerator
  ) throws -> String {
    var changed = layout
    var (parameter, value): (ParameterDescription, Value)
    repeat {
      parameter = random.pick(engine.settableParameters)
      value = random.value(of: parameter)
      changed = layout
      changed.parameters[parameter.name] = value
      // Drawn again if the engine refuses it together with others.
    } while (try? changed.session(of: engine).contentSize()) == nil
    layout = changed
    try session.setParameter(parameter.name, to: value)
    return "\(parameter.name) = \(value)"
  }

  /// Gives one item another value.
  mutating func changeItem(
    _ session: Session, at place: (section: Int, item: Int)? = nil,
    using random: inout some RandomNumberGenerator
  ) throws -> String {
    let filled = layout.counts.indices.filter { layout.counts[$0] > 0 }
    guard !items.isEmpty, !filled.isEmpty else { return "nothing" }
    let description = random.pick(engine.settableValues.filter { $0.scope == .item })
    let section = place?.section ?? random.pick(filled)
    let item = place?.item ?? Int.random(in: 0..<layout.counts[section], using: &random)
    let before = items[description.name]?[section][item]
    var value = before
    for _ in 0..<20 where value == before {
      value = random.value(of: description, engine.fallback(of: description))
    }
    if let value { items[description.name]?[section][item] = value }
    if let column = column(description.name) {
      try session.setItemValues(description.name, column)
    }
    return "\(description.name) of \(section), \(item)"
  }

  private mutating func changeCounts(
    _ session: Session, using random: inout some RandomNumberGenerator
  ) throws -> String {
    let kind = Int.random(in: 0..<6, using: &random)
    if kind == 0 || layout.counts.isEmpty {
      insert(section: Int.random(in: 0...layout.counts.count, using: &random))
    } else if kind == 1 {
      remove(section: Int.random(in: 0..<layout.counts.count, using: &random))
    } else {
      let section = Int.random(in: 0..<layout.counts.count, using: &random)
      let count = layout.counts[section]
      let place = kind < 4 ? count : Int.random(in: 0...count, using: &random)
      let room = Int.random(in: 1...9, using: &random)
      if kind.isMultiple(of: 2) {
        insert(room, at: place, section: section, using: &random)
      } else {
        remove(max(0, place - room)..<place, section: section)
      }
    }
    try session.setSections(layout.counts)
    try supply(session)
    return "counts \(layout.counts)"
  }

  private mutating func insert(section: Int) {
    layout.counts.insert(0, at: section)
    for name in items.keys { items[name]?.insert([], at: section) }
  }

  private mutating func remove(section: Int) {
    layout.counts.remove(at: section)
    for name in items.keys { items[name]?.remove(at: section) }
  }

  /// Puts new items into a section.
  mutating func insert(
    _ count: Int, at place: Int, section: Int, using random: inout some RandomNumberGenerator
  ) {
    layout.counts[section] += count
    for value in engine.settableValues where value.scope == .item {
      let new = (0..<count).map { _ in random.value(of: value, engine.fallback(of: value)) }
      items[value.name]?[section].insert(contentsOf: new, at: place)
    }
  }

  /// Takes items out of a section.
  mutating func remove(_ range: Range<Int>, section: Int) {
    layout.counts[section] -= range.count
    for name in items.keys { items[name]?[section].removeSubrange(range) }
  }
}
