import TesseraHost
import TesseraScenario
import Testing

/// Names of sections, and days and hours of tables; places are worked out by hand.
@Suite struct SectionNameTests {
  private func scenario(_ text: String) throws -> Scenario {
    var scenario = Scenario()
    scenario.content = .table(try ItemTable(parsing: Array(text.utf8), name: "t.csv"))
    return scenario
  }

  @Test func namesAreSectionsInTheOrderOfTheirFirstRows() throws {
    let scenario = try scenario("section,label\nb,1\na,2\nb,3\n")
    #expect(scenario.itemCounts == [2, 1])
    #expect(scenario.sectionLabels == ["b", "a"])
    #expect(scenario.labels == ["1", "3", "2"])
  }

  @Test func numbersBeforeANameAreNames() throws {
    let scenario = try scenario("section,label\n7,1\nx,2\n7,3\n")
    #expect(scenario.itemCounts == [2, 1] && scenario.sectionLabels == ["7", "x"])
  }

  @Test func numbersAloneAreNoNames() throws {
    let scenario = try scenario("section,label\n2,1\n0,2\n")
    #expect(scenario.itemCounts == [1, 0, 1] && scenario.sectionLabels == [nil, nil, nil])
  }

  @Test func scenarioNamesItsSections() throws {
    let text = #"{"sections": [{"items": 2, "label": "Fruit"}, {"items": 1}]}"#
    let scenario = try Scenario(parsing: Array(text.utf8), name: "s.json")
    #expect(scenario.sectionLabels == ["Fruit", nil])
    #expect(try Scenario(scenario.json) == scenario)
  }

  /// 4 May 2026 is a Monday.
  ///
  /// Nothing begins on the 6th, which is a day all the same.
  @Test func datesAreDays() throws {
    let scenario = try scenario(
      "start,label\n2026-05-07,c\n2026-05-04T09:00,a\n2026-05-05 23:59:59Z,b\n")
    #expect(scenario.sectionLabels == ["Mon 4 May", "Tue 5 May", "Wed 6 May", "Thu 7 May"])
    #expect(scenario.itemCounts == [1, 1, 0, 1] && scenario.labels == ["a", "b", "c"])
  }

  @Test func longGapIsLeftOut() throws {
    let scenario = try scenario("start\n2026-01-01\n2026-03-01\n")
    #expect(scenario.sectionLabels == ["Thu 1 Jan", "Sun 1 Mar"])
  }

  @Test(arguments: ["start\n2026-05-04\n9:00\n", "start\n2026-02-30\n", "begin\n2026-05-04\n"])
  func otherTextsAreNoDays(text: String) throws {
    #expect(try scenario(text).sectionLabels.allSatisfy { $0 == nil })
  }
}
