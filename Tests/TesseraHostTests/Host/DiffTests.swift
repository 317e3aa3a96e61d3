import TesseraHost
import TestSupport
import Testing

@Suite("Comparing identities")
struct DiffTests {
  /// Invariants of any diff: shared identities are mapped, others not; replaying the operations as
  /// a batch gives the same result.
  private func verify(_ before: [[String]], _ after: [[String]]) throws -> UpdateBatch {
    let batch = try UpdateBatch(from: before, to: after)
    let again = try UpdateBatch(
      batch.operations, before: before.map(\.count), after: after.map(\.count))
    let old = places(before)
    let new = places(after)
    for (name, place) in old {
      #expect(batch.destination(of: place) == new[name])
      #expect(again.destination(of: place) == new[name])
    }
    for (name, place) in new {
      #expect(batch.origin(of: place) == old[name])
      #expect(again.origin(of: place) == old[name])
    }
    return batch
  }

  private func places(_ names: [[String]]) -> [String: ItemPath] {
    var places: [String: ItemPath] = [:]
    for (section, names) in names.enumerated() {
      for (item, name) in names.enumerated() {
        places[name] = ItemPath(section: section, item: item)
      }
    }
    return places
  }

  private func moves(_ batch: UpdateBatch) -> Int {
    batch.operations.count { if case .move = $0 { true } else { false } }
  }

  private func longestRising(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).map { subset in
      let chosen = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }

  @Test("Random data of several sections become exactly the others, with the fewest moves")
  func random() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      var names = (0..<20).map { "the name of item \($0)" }.shuffled(using: &random)
      let before = sections(of: names.prefix(Int.random(in: 0...12, using: &random)), &random)
      names = Int.random(in: 0..<3, using: &random) == 0 ? names.shuffled(using: &random) : names
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        names.swapAt(Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random))
      }
      let after = sections(of: names.prefix(Int.random(in: 0...12, using: &random)), &random)
      let batch = try verify(before, after)
      let unchecked = try UpdateBatch(from: before, to: after, areUnique: true)
      #expect(unchecked.operations == batch.operations)
      let copied = try UpdateBatch(
        from: before, to: after.map { $0.map { String($0.reversed().reversed()) } })
      #expect(copied.operations == batch.operations)
      let old = places(before)
      let new = places(after)
      let shared = new.keys.filter { old[$0] != nil }
      let staying = zip(before.indices, after.indices).map { section, _ in
        longestRising(
          after[section].compactMap { old[$0] }.filter { $0.section == section }.map(\.item))
      }.reduce(0, +)
      #expect(moves(batch) == shared.count - staying)
    }
  }

  private func sections(
    of names: some Collection<String>, _ random: inout SeededGenerator
  ) -> [[String]] {
    var sections = Array(repeating: [String](), count: Int.random(in: 1...3, using: &random))
    for name in names {
      let last = sections.count - 1
      let section = Int.random(in: 0...4, using: &random)
      sections[section > last ? 0 : section].append(name)
    }
    return sections
  }

  @Test("Operations come in their documented order")
  func order() throws {
    let batch = try verify(
      [["a", "b", "c", "d"], ["e"], ["x", "y"]], [["c", "new", "b"], ["fresh", "y"]])
    #expect(
      batch.operations == [
        .delete(ItemPath(section: 1, item: 0)), .delete(ItemPath(section: 0, item: 3)),
        .delete(ItemPath(section: 0, item: 0)), .deleteSection(2),
        .insert(ItemPath(section: 0, item: 1)),
        .move(ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 2)),
        .insert(ItemPath(section: 1, item: 0)),
        .move(ItemPath(section: 2, item: 1), to: ItemPath(section: 1, item: 1)),
      ])
  }

  @Test("Identities are the same where their bytes are, however they are kept")
  func bytes() throws {
    var kept = String(repeating: "x", count: 100)
    kept.removeLast(97)
    let batch = try UpdateBatch(from: [["xxx", "\u{e9}"]], to: [[kept, "e\u{301}"]])
    #expect(
      batch.operations == [
        .delete(ItemPath(section: 0, item: 1)), .insert(ItemPath(section: 0, item: 1)),
      ])
    _ = try verify([["", "a", "\0", "\0\0"]], [["\0\0", "", "\0"]])
  }
}

@Suite("Repeated identities")
struct DiffRefusalTests {
  private func message(_ before: [[String]], _ after: [[String]]) -> String? {
    do throws(HostError) {
      _ = try UpdateBatch(from: before, to: after)
      return nil
    } catch {
      #expect(error.kind == .invalidInput)
      return error.message
    }
  }

  @Test("The sentence names the identity and both places")
  func sentence() {
    #expect(
      message([["a", "b"], ["c", "a"]], [["b"]])
        == "identity \"a\" is both item 0 of section 0 and item 1 of section 1 before the update; "
        + "give each item an identity of its own")
    #expect(
      message([["b"]], [["b"], [], ["c", "c"]])
        == "identity \"c\" is both item 0 of section 2 and item 1 of section 2 after the update; "
        + "give each item an identity of its own")
  }
}
