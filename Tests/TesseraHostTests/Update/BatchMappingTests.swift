import TesseraHost
import TestSupport
import Testing

@Suite("The mapping of a batch")
struct BatchMappingTests {
  /// Every place of one side is asked for, and the answers compared with the plain model's names.
  private func compare(_ batch: UpdateBatch) {
    let before = BatchModel(batch.before)
    var after = before
    after.apply(batch.operations, after: batch.after)
    #expect(after.sections.map(\.items.count) == batch.after)
    let old = before.places
    let new = after.places
    for (name, place) in old { #expect(batch.destination(of: place) == new[name]) }
    for (section, content) in after.sections.enumerated() {
      for (item, name) in content.items.enumerated() {
        #expect(batch.origin(of: ItemPath(section: section, item: item)) == old[name])
      }
      #expect(
        batch.origin(ofSection: section) == before.sections.firstIndex { $0.name == content.name })
    }
    for (section, content) in before.sections.enumerated() {
      #expect(
        batch.destination(ofSection: section)
          == after.sections.firstIndex { $0.name == content.name })
    }
  }

  @Test("Thousands of random batches map every item as applying them step by step does")
  func random() throws {
    var random = SeededGenerator(seed: 4)
    var changes = 0
    for _ in 0..<4000 {
      let sample = RandomBatch(using: &random)
      changes += sample.operations.count
      compare(
        try UpdateBatch(sample.operations, before: sample.before, after: sample.after))
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

  @Test("An item moves out of a deleted section and into an inserted one")
  func moveBetweenSections() throws {
    let batch = try UpdateBatch(
      [
        .deleteSection(0), .insertSection(1),
        .move(ItemPath(section: 0, item: 2), to: ItemPath(section: 1, item: 1)),
      ], before: [3, 1], after: [1, 3])
    #expect(batch.destination(of: ItemPath(section: 0, item: 2)) == ItemPath(section: 1, item: 1))
    #expect(batch.destination(of: ItemPath(section: 0, item: 0)) == nil)
    #expect(batch.origin(of: ItemPath(section: 1, item: 1)) == ItemPath(section: 0, item: 2))
    #expect(batch.origin(of: ItemPath(section: 1, item: 2)) == nil)
    #expect(batch.origin(of: ItemPath(section: 0, item: 0)) == ItemPath(section: 1, item: 0))
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
