import TesseraHost
import TestSupport
import Testing

@Suite("The mapping of a batch")
struct BatchMappingTests {
  @Test("Thousands of random batches map every item and section")
  func random() throws {
    var random = SeededGenerator(seed: 4)
    var changes = 0
    for _ in 0..<4000 {
      let sample = RandomBatch(using: &random)
      changes += sample.operations.count
      let batch = try UpdateBatch(
        sample.operations, before: sample.before, after: sample.items.map(\.count))
      var sections: [Int: Int] = [:]
      var items: [ItemPath: ItemPath] = [:]
      for (section, origins) in sample.items.enumerated() {
        #expect(batch.origin(ofSection: section) == sample.sections[section])
        if let origin = sample.sections[section] { sections[origin] = section }
        for (item, origin) in origins.enumerated() {
          let place = ItemPath(section: section, item: item)
          #expect(batch.origin(of: place) == origin)
          if let origin { items[origin] = place }
        }
      }
      for (section, count) in sample.before.enumerated() {
        #expect(batch.destination(ofSection: section) == sections[section])
        for item in 0..<count {
          let place = ItemPath(section: section, item: item)
          #expect(batch.destination(of: place) == items[place])
        }
      }
    }
    #expect(changes > 20_000)
  }

  @Test("Items reloaded alone or with their section, and no others, are reloaded")
  func reloads() throws {
    let batch = try UpdateBatch(
      [.reload(ItemPath(section: 0, item: 1)), .reloadSection(1), .insertSection(0)],
      before: [3, 4], after: [2, 3, 2])
    let reloaded = (0..<2).flatMap { section in
      (0..<4).map { ItemPath(section: section, item: $0) }
    }.filter(batch.isReloaded)
    #expect(
      reloaded == [
        ItemPath(section: 0, item: 1), ItemPath(section: 1, item: 0), ItemPath(section: 1, item: 1),
      ])
    #expect(batch.isSectionReloaded(1))
    #expect(!batch.isSectionReloaded(0))
    #expect(batch.destination(of: ItemPath(section: 1, item: 1)) == ItemPath(section: 2, item: 1))
    #expect(batch.destination(of: ItemPath(section: 1, item: 2)) == nil)
    #expect(batch.origin(of: ItemPath(section: 0, item: 0)) == nil)
  }

  @Test("Places that do not exist are nowhere")
  func outside() throws {
    let batch = try UpdateBatch([], before: [2], after: [2])
    for place in [
      ItemPath(section: -1, item: 0), ItemPath(section: 1, item: 0), ItemPath(section: 0, item: 2),
      ItemPath(section: 0, item: -1), ItemPath(section: .max, item: .max),
    ] {
      #expect(batch.destination(of: place) == nil)
      #expect(batch.origin(of: place) == nil)
      #expect(!batch.isReloaded(place))
    }
    for section in [-1, 1, .min, .max] {
      #expect(batch.destination(ofSection: section) == nil)
      #expect(batch.origin(ofSection: section) == nil)
      #expect(!batch.isSectionReloaded(section))
    }
  }

  @Test("As many items as a number can count are mapped")
  func huge() throws {
    let first = ItemPath(section: 0, item: 0)
    let last = ItemPath(section: 0, item: .max - 1)
    let batch = try UpdateBatch([.move(last, to: first)], before: [.max], after: [.max])
    #expect(batch.destination(of: first) == ItemPath(section: 0, item: 1))
    #expect(batch.origin(of: first) == last)
    #expect(batch.origin(of: last) == ItemPath(section: 0, item: .max - 2))
  }
}

@Suite("Refused batches")
struct BatchRefusalTests {
  typealias Case = (operations: [UpdateOperation], before: [Int], after: [Int], message: String)

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  static let sizes: [Case] = [
    ([], [1, -2], [1], "section 1 has -2 items before the update; give 0 or more"),
    ([], [1], [-1], "section 0 has -1 items after the update; give 0 or more"),
  ]

  static let ranges: [Case] = [
    (
      [.delete(path(0, 5))], [5], [4],
      "item 5 of section 0 is deleted, but that section has 5 items before the update; give an item from 0 to 4"
    ),
    (
      [.insert(path(3, 0))], [1, 1], [1, 1],
      "item 0 of section 3 is inserted, but there are 2 sections after the update; give a section from 0 to 1"
    ),
    (
      [.move(path(0, 0), to: path(0, .max))], [2], [2],
      "item \(Int.max) of section 0 is the target of a move, but that section has 2 items after the update; give an item from 0 to 1"
    ),
    (
      [.deleteSection(1)], [4], [],
      "section 1 is deleted, but there is 1 section before the update; give section 0"
    ),
    (
      [.reloadSection(.min)], [1, 1], [1, 1],
      "section \(Int.min) is reloaded, but there are 2 sections before the update; give a section from 0 to 1"
    ),
  ]

  static let contradictions: [Case] = [
    (
      [.delete(path(0, 1)), .delete(path(0, 1))], [3], [1],
      "item 1 of section 0 is deleted twice; change it once"
    ),
    (
      [.move(path(0, 1), to: path(0, 0)), .delete(path(0, 1))], [3], [3],
      "item 1 of section 0 is deleted and moved; change it once"
    ),
    (
      [.insert(path(0, 1)), .insert(path(0, 1))], [3], [5],
      "item 1 of section 0 of the new data is inserted twice; give each arrival a place of its own"
    ),
    (
      [.moveSection(0, to: 1), .moveSection(1, to: 1)], [3, 3], [3, 3],
      "section 1 of the new data is the target of two moves; give each arrival a place of its own"
    ),
    (
      [.deleteSection(0), .delete(path(0, 1))], [3], [],
      "item 1 of section 0 is deleted and its section is deleted; leave the item's operation out"
    ),
    (
      [.reloadSection(0), .move(path(0, 1), to: path(1, 0))], [3, 1], [2, 2],
      "item 1 of section 0 is moved and its section is reloaded; leave the item's operation out"
    ),
    (
      [.reloadSection(1), .move(path(0, 0), to: path(1, 0))], [1, 1], [0, 2],
      "item 0 of section 1 is the target of a move and its section is reloaded; leave the item's operation out"
    ),
  ]

  static let counts: [Case] = [
    (
      [.insertSection(0), .deleteSection(1)], [1, 2], [1],
      "there are 2 sections before the update and 1 section after it, but the operations lead to 2; insert or delete the sections that differ"
    ),
    (
      [.deleteSection(0), .insert(path(0, 0))], [5, 0], [2],
      "section 0 (section 1 before) has no items before the update and 2 items after it, but the operations lead to 1; insert or delete the items that differ"
    ),
    (
      [.insert(path(0, 0))], [.max], [.max],
      "section 0 has \(Int.max) items before the update and \(Int.max) items after it, but the operations lead to \(Int.max); insert or delete the items that differ"
    ),
  ]

  @Test("Each is refused in one sentence", arguments: sizes + ranges + contradictions + counts)
  func refused(_ sample: Case) {
    #expect(throws: HostError(.invalidUpdate, sample.message)) {
      try UpdateBatch(sample.operations, before: sample.before, after: sample.after)
    }
  }

  @Test("What is named only once is not refused")
  func allowed() throws {
    let same = Self.path(0, 1)
    #expect(throws: Never.self) {
      _ = try UpdateBatch([.move(same, to: same)], before: [3], after: [3])
      _ = try UpdateBatch([.delete(same), .insert(same)], before: [3], after: [3])
      _ = try UpdateBatch(
        [.moveSection(0, to: 1), .insert(Self.path(1, 0))], before: [1, 1], after: [1, 2])
    }
  }
}

struct RandomBatch {
  let operations: [UpdateOperation]
  let before: [Int]
  /// Old section of each new one; nil if inserted.
  let sections: [Int?]
  /// Old path of each item, by section; nil if inserted.
  let items: [[ItemPath?]]

  init(using random: inout SeededGenerator) {
    let before = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0...7, using: &random)
    }
    var operations: [UpdateOperation] = []
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
    if Bool.random(using: &random) {
      order.insert(nil, at: Int.random(in: 0...order.count, using: &random))
    }
    for (target, origin) in order.enumerated() {
      if let origin, moved.contains(origin) {
        operations.append(.moveSection(origin, to: target))
      } else if origin == nil {
        operations.append(.insertSection(target))
      }
    }
    // Items that stay in their section, by new section, and moved items.
    var items = [[ItemPath?]](repeating: [], count: order.count)
    var movers: [ItemPath] = []
    for section in before.indices {
      let target = order.firstIndex(of: section)
      let places = (0..<before[section]).map { ItemPath(section: section, item: $0) }
      if let target, moved.contains(section) {
        items[target] = places
      } else if let target, reloaded.contains(section) {
        let count = Int.random(in: 0...7, using: &random)
        items[target] = (0..<count).map { places.indices.contains($0) ? places[$0] : nil }
      } else {
        for place in places {
          let choice = Int.random(in: 0..<6, using: &random)
          if choice == 0 {
            movers.append(place)
          } else if let target {
            if choice == 1 {
              operations.append(.delete(place))
            } else {
              items[target].append(place)
            }
            if choice == 2 { operations.append(.reload(place)) }
          }
        }
      }
    }
    let open = order.indices.filter { target in
      order[target].map { !reloaded.contains($0) } ?? true
    }
    var arrivals = [[ItemPath?]](repeating: [], count: order.count)
    for mover in movers {
      if let section = open.randomElement(using: &random) {
        arrivals[section].append(mover)
      } else if order.contains(mover.section) {
        operations.append(.delete(mover))
      }
    }
    for section in open {
      let new = Int.random(in: 0...2, using: &random)
      if order[section] == nil {
        items[section] += Array(repeating: nil, count: new)
      } else {
        arrivals[section] += Array(repeating: nil, count: new)
      }
      let staying = items[section]
      let count = staying.count + arrivals[section].count
      let targets = (0..<count).shuffled(using: &random).prefix(arrivals[section].count)
      let arriving = Dictionary(uniqueKeysWithValues: zip(targets, arrivals[section]))
      var next = staying.makeIterator()
      items[section] = (0..<count).map { arriving[$0] ?? next.next() ?? nil }
      for (item, origin) in arriving {
        let place = ItemPath(section: section, item: item)
        operations.append(origin.map { .move($0, to: place) } ?? .insert(place))
      }
    }
    (self.before, sections, self.items) = (before, order, items)
    self.operations = operations.shuffled(using: &random)
  }
}
