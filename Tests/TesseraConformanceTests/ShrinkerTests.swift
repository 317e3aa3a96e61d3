import TesseraGeometry
import TesseraHost
import TesseraScenario
import Testing

@testable import TesseraConformance

@Suite struct ShrinkerTests {
  private func smallest(_ start: LayoutInput, fails: (LayoutInput) -> Bool) -> LayoutInput {
    Shrinker(tries: 2000, time: .seconds(60)).smallest(
      from: start, smaller: { $0.smaller() }, fails: fails)
  }

  private var full: LayoutInput {
    var sample = LayoutInput(counts: [13, 0, 40, 7])
    sample.bounds = Size(width: 731.4375, height: 402.5)
    sample.offset = Point(x: 17.5, y: 33)
    sample.contentInsets = Insets(top: 3.5, left: 4, bottom: 5, right: 6)
    sample.layoutMargins.left = 9.25
    sample.scale = 3
    sample.direction = .rightToLeft
    sample.parameters = [
      "spacing": .number(12.3125), "mode": .choice("fill"), "columns": .integer(5),
    ]
    sample.sectionValues = ["inset": .constant(.insets(Insets(top: 7, left: 2)))]
    sample.itemValues = [
      "size": .sizes(
        (0..<60).map { Size(width: Double($0) + 0.5, height: 20.0625) })
    ]
    sample.delegate = ["mode": JSONNode(text: "item%2", source: "delegate")]
    return sample
  }

  @Test func everythingShrinksToAnEmptySection() {
    let found = smallest(full) { _ in true }
    #expect(found == LayoutInput(counts: [0]))
  }

  @Test(arguments: [1, 2, 7, 16, 39, 60])
  func leastNumberOfItemsIsFound(_ least: Int) {
    #expect(smallest(full) { $0.itemCount >= least }.itemCount == least)
  }

  @Test func onlyTheRelevantSizeRemains() {
    let found = smallest(full) { sample in
      guard let values = sample.itemValues["size"]?.each else { return false }
      return values.contains { $0.numbers[0] == 41.5 }
    }
    var expected = LayoutInput(counts: [1])
    expected.itemValues = ["size": .sizes([Size(width: 41.5, height: 0)])]
    #expect(found == expected)
  }

  @Test func shrinkingIsDeterministicAndLimited() {
    var tries = 0
    func run() -> LayoutInput {
      Shrinker(tries: 25, time: .seconds(60)).smallest(
        from: full, smaller: { $0.smaller() },
        fails: { sample in
          tries += 1
          return sample.itemCount % 3 == 0
        })
    }
    #expect(run() == run())
    #expect(tries <= 50)
  }
}
