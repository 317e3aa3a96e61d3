import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// The order of runs against a sort of all their elements by what they are.
@Suite struct RunOrderTests {
  private static let kinds = [
    KindDescription(name: "zebra", category: .supplementary),
    KindDescription(name: "apple", category: .supplementary),
    KindDescription(name: "leaf", category: .decoration),
  ]

  private struct Key: Comparable, Hashable {
    let section: UInt32
    let category: String
    let kind: String
    let item: UInt64

    static func < (left: Key, right: Key) -> Bool {
      (left.section, left.category, left.kind, left.item)
        < (right.section, right.category, right.kind, right.item)
    }
  }

  private static func keys(of run: Run) -> [Key] {
    (0..<UInt64(run.count)).map {
      Key(
        section: run.section, category: run.category.name,
        kind: run.category == .cell ? "" : kinds[Int(run.kind)].name, item: run.firstItem + $0)
    }
  }

  /// Runs of any identity, most of which hold elements of their own.
  private static func runs(_ random: inout SeededGenerator) -> ContiguousArray<Run> {
    var runs = ContiguousArray<Run>()
    var row = 0
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let category = ElementCategory.allCases[Int.random(in: 0..<3, using: &random)]
      let kind: UInt32 =
        switch category {
        case .cell: 0
        case .supplementary: UInt32.random(in: 0...1, using: &random)
        case .decoration: 2
        }
      let count = Int.random(in: 1...3, using: &random)
      runs.append(
        Run(
          category: category, kind: kind, section: UInt32.random(in: 0...2, using: &random),
          firstItem: UInt64.random(in: 0...20, using: &random), count: count, row: row))
      row += count
    }
    return runs
  }

  @Test(arguments: 1...400) func runsAreOrderedAndDuplicatesFound(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let runs = Self.runs(&random)
    let all = runs.flatMap(Self.keys)
    let hasDuplicates = Set(all).count < all.count
    let order: RunOrder
    do throws(HostError) { order = try RunOrder(runs, kinds: Self.kinds) } catch {
      #expect(hasDuplicates, "seed \(seed): \(error)")
      #expect(error.kind == .brokenContract)
      #expect(error.message.contains("twice"))
      return
    }
    #expect(!hasDuplicates, "seed \(seed): \(runs)")
    #expect(order.places.flatMap { Self.keys(of: runs[$0]) } == all.sorted(), "seed \(seed)")
    if let ranks = order.rankOfPlace {
      #expect(order.places.map { ranks[$0] } == Array(order.places.indices))
    } else {
      #expect(order.places == Array(runs.indices))
    }
    for section in UInt32(0)...3 {
      for (category, kind, name) in [
        (ElementCategory.cell, 0, ""), (.supplementary, 0, "zebra"), (.supplementary, 1, "apple"),
        (.decoration, 2, "leaf"),
      ] {
        for item in UInt64(0)...25 {
          let found = order.run(
            holding: item, category, kind: UInt32(kind), section: section, in: runs)
          let key = Key(section: section, category: category.name, kind: name, item: item)
          #expect(found == runs.indices.first { Self.keys(of: runs[$0]).contains(key) })
        }
      }
    }
  }
}
