import TesseraHost
import Testing

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
      [.reload(path(0, -1))], [1], [1],
      "item -1 of section 0 is reloaded, but that section has 1 item before the update; give item 0"
    ),
    (
      [.delete(path(0, 0))], [0], [0],
      "item 0 of section 0 is deleted, but that section has no items before the update; leave this operation out"
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
      [.moveSection(0, to: 0)], [], [],
      "section 0 is moved, but there are no sections before the update; leave this operation out"
    ),
    (
      [.reloadSection(.min)], [1, 1], [1, 1],
      "section \(Int.min) is reloaded, but there are 2 sections before the update; give a section from 0 to 1"
    ),
    (
      [.moveSection(0, to: 2)], [1, 1], [1, 1],
      "section 2 is the target of a move, but there are 2 sections after the update; give a section from 0 to 1"
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
      [.move(path(0, 1), to: path(0, 0)), .move(path(0, 1), to: path(0, 1))], [3], [3],
      "item 1 of section 0 is moved twice; change it once"
    ),
    (
      [.reload(path(0, 1)), .delete(path(0, 1))], [3], [2],
      "item 1 of section 0 is deleted and reloaded; change it once"
    ),
    (
      [.reload(path(0, 1)), .reload(path(0, 1))], [3], [3],
      "item 1 of section 0 is reloaded twice; change it once"
    ),
    (
      [.deleteSection(0), .moveSection(0, to: 0)], [3, 1], [3, 1],
      "section 0 is deleted and moved; change it once"
    ),
    (
      [.reloadSection(0), .moveSection(0, to: 1)], [3, 1], [1, 3],
      "section 0 is moved and reloaded; change it once"
    ),
    (
      [.insert(path(0, 1)), .insert(path(0, 1))], [3], [5],
      "item 1 of section 0 of the new data is inserted twice; give each arrival a place of its own"
    ),
    (
      [.insert(path(0, 1)), .move(path(0, 0), to: path(0, 1))], [3], [4],
      "item 1 of section 0 of the new data is inserted and the target of a move; give each arrival a place of its own"
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
      [.deleteSection(0), .reload(path(0, 1))], [3], [],
      "item 1 of section 0 is reloaded and its section is deleted; leave the item's operation out"
    ),
    (
      [.moveSection(0, to: 1), .delete(path(0, 1))], [3, 1], [1, 2],
      "item 1 of section 0 is deleted and its section is moved; leave the item's operation out"
    ),
    (
      [.moveSection(0, to: 1), .move(path(0, 1), to: path(0, 0))], [3, 1], [2, 2],
      "item 1 of section 0 is moved and its section is moved; leave the item's operation out"
    ),
    (
      [.reloadSection(0), .move(path(0, 1), to: path(1, 0))], [3, 1], [2, 2],
      "item 1 of section 0 is moved and its section is reloaded; leave the item's operation out"
    ),
    (
      [.insertSection(0), .insert(path(0, 1))], [1], [2, 1],
      "item 1 of section 0 is inserted and its section is inserted; leave the item's operation out"
    ),
    (
      [.insertSection(0), .reloadSection(0), .insert(path(1, 1))], [1], [2, 2],
      "item 1 of section 1 is inserted and its section is reloaded; leave the item's operation out"
    ),
    (
      [.reloadSection(1), .move(path(0, 0), to: path(1, 0))], [1, 1], [0, 2],
      "item 0 of section 1 is the target of a move and its section is reloaded; leave the item's operation out"
    ),
  ]

  static let counts: [Case] = [
    (
      [], [1, 2], [1],
      "there are 2 sections before the update and 1 section after it, but the operations lead to 2; insert or delete the sections that differ"
    ),
    (
      [.insertSection(0), .deleteSection(1)], [1, 2], [1],
      "there are 2 sections before the update and 1 section after it, but the operations lead to 2; insert or delete the sections that differ"
    ),
    (
      [.delete(path(1, 3)), .delete(path(1, 4))], [5, 12], [5, 9],
      "section 1 has 12 items before the update and 9 items after it, but the operations lead to 10; insert or delete the items that differ"
    ),
    (
      [.deleteSection(0), .insert(path(0, 0))], [5, 0], [2],
      "section 0 (section 1 before) has no items before the update and 2 items after it, but the operations lead to 1; insert or delete the items that differ"
    ),
    (
      [.moveSection(0, to: 1)], [5, 5], [5, 4],
      "section 1 (section 0 before) has 5 items before the update and 4 items after it, but the operations lead to 5; insert or delete the items that differ"
    ),
    (
      [.insert(path(0, 0))], [.max], [.max],
      "section 0 has \(Int.max) items before the update and \(Int.max) items after it, but the operations lead to \(Int.max); insert or delete the items that differ"
    ),
  ]

  @Test("Each is refused in one sentence", arguments: sizes + ranges + contradictions + counts)
  func refused(_ sample: Case) {
    #expect(throws: HostError(.invalidInput, sample.message)) {
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
