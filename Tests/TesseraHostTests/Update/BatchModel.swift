import TesseraHost
import TestSupport

/// Data with a name for each section and item, changed one step at a time as a collection view
/// would: the slow and plain way that the tests compare with.
struct BatchModel: Equatable {
  struct Section: Equatable {
    var name: String
    var items: [String]
  }

  var sections: [Section]

  init(_ counts: [Int]) {
    sections = counts.enumerated().map { section, count in
      Section(name: "s\(section)", items: (0..<count).map { "s\(section)i\($0)" })
    }
  }

  /// Applies operations: what leaves first, the last first, then what arrives, the first first.
  mutating func apply(_ operations: [UpdateOperation], after: [Int]) {
    let start = self
    var leaving: [ItemPath] = []
    var arriving: [(ItemPath, String)] = []
    var leavingSections: [Int] = []
    var arrivingSections: [(Int, Section)] = []
    for operation in operations {
      switch operation {
      case .insert(let place): arriving.append((place, "new"))
      case .delete(let place): leaving.append(place)
      case .move(let origin, let target):
        leaving.append(origin)
        arriving.append((target, start.sections[origin.section].items[origin.item]))
      case .reload, .reloadSection: break
      case .insertSection(let section):
        arrivingSections.append((section, Section(name: "new", items: [])))
      case .deleteSection(let section): leavingSections.append(section)
      case .moveSection(let origin, let target):
        leavingSections.append(origin)
        arrivingSections.append((target, start.sections[origin]))
      }
    }
    for case .reloadSection(let section) in operations {
      let moved = leavingSections.sorted(by: >)
      precondition(!moved.contains(section))
      var target = section - moved.filter { $0 < section }.count
      for arrival in arrivingSections.map(\.0).sorted() where arrival <= target { target += 1 }
      var items = sections[section].items.prefix(after[target])
      while items.count < after[target] { items.append("new") }
      sections[section].items = Array(items)
    }
    for place in leaving.sorted(by: >) { sections[place.section].items.remove(at: place.item) }
    for section in leavingSections.sorted(by: >) { sections.remove(at: section) }
    for (place, section) in arrivingSections.sorted(by: { $0.0 < $1.0 }) {
      sections.insert(section, at: place)
    }
    // The items that come with an inserted section fill the places that no move takes.
    for (section, content) in sections.enumerated() where content.name == "new" {
      let taken = arriving.filter { $0.0.section == section }.count
      sections[section].items = Array(repeating: "new", count: after[section] - taken)
    }
    for (place, name) in arriving.sorted(by: { $0.0 < $1.0 }) {
      sections[place.section].items.insert(name, at: place.item)
    }
  }

  /// Where each item that is named is.
  var places: [String: ItemPath] {
    var places: [String: ItemPath] = [:]
    for (section, content) in sections.enumerated() {
      for (item, name) in content.items.enumerated() where name != "new" {
        places[name] = ItemPath(section: section, item: item)
      }
    }
    return places
  }
}

/// A right batch at random, with the counts before and after.
struct RandomBatch {
  let operations: [UpdateOperation]
  let before: [Int]
  let after: [Int]

  init(using random: inout SeededGenerator) {
    let before = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0...7, using: &random)
    }
    var operations: [UpdateOperation] = []
    // The sections of the new data by where they come from; nil for an inserted one.
    var order: [Int?] = []
    var moved: [Int] = []
    var reloaded: Set<Int> = []
    for section in before.indices {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: operations.append(.deleteSection(section))
      case 1: moved.append(section)
      case 2:
        operations.append(.reloadSection(section))
        reloaded.insert(section)
        order.append(section)
      default: order.append(section)
      }
    }
    for section in moved {
      order.insert(section, at: Int.random(in: 0...order.count, using: &random))
    }
    for _ in 0..<Int.random(in: 0...1, using: &random) {
      order.insert(nil, at: Int.random(in: 0...order.count, using: &random))
    }
    for (target, origin) in order.enumerated() {
      if let origin {
        if moved.contains(origin) { operations.append(.moveSection(origin, to: target)) }
      } else {
        operations.append(.insertSection(target))
      }
    }
    // Items that stay, by new section, and those that will move.
    var after = [Int](repeating: 0, count: order.count)
    var movers: [ItemPath] = []
    for section in before.indices {
      let target = order.firstIndex(of: section)
      if reloaded.contains(section) || moved.contains(section) {
        after[target ?? 0] =
          moved.contains(section) ? before[section] : Int.random(in: 0...7, using: &random)
        continue
      }
      for item in 0..<before[section] {
        let place = ItemPath(section: section, item: item)
        let choice = Int.random(in: 0..<6, using: &random)
        if choice == 0 {
          movers.append(place)
        } else if let target {
          if choice == 1 { operations.append(.delete(place)) } else { after[target] += 1 }
          if choice == 2 { operations.append(.reload(place)) }
        }
      }
    }
    // Where things may arrive; how many of them, then their places.
    let open = order.indices.filter { target in
      order[target].map { !reloaded.contains($0) } ?? true
    }
    var arrivals: [(section: Int, origin: ItemPath?)] = []
    for mover in movers {
      if let section = open.randomElement(using: &random) {
        arrivals.append((section, mover))
      } else if order.contains(mover.section) {
        operations.append(.delete(mover))
      }
    }
    for section in open where order[section] != nil {
      for _ in 0..<Int.random(in: 0...2, using: &random) { arrivals.append((section, nil)) }
    }
    for section in open {
      let here = arrivals.filter { $0.section == section }.shuffled(using: &random)
      after[section] += here.count
      if order[section] == nil { after[section] += Int.random(in: 0...3, using: &random) }
      let places = (0..<after[section]).shuffled(using: &random)
      for (arrival, item) in zip(here, places) {
        let place = ItemPath(section: section, item: item)
        operations.append(arrival.origin.map { .move($0, to: place) } ?? .insert(place))
      }
    }
    self.operations = operations.shuffled(using: &random)
    self.before = before
    self.after = after
  }
}
