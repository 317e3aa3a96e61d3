import Testing

@testable import TesseraScenario

/// Places are calculated by hand.
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
  /// The 6th is empty, but still a day.
  @Test func datesAreDays() throws {
    let scenario = try scenario(
      "start,label\n2026-05-07,c\n2026-05-04T09:00,a\n2026-05-05 23:59:59Z,b\n")
    #expect(scenario.sectionLabels == ["Mon 4 May", "Tue 5 May", "Wed 6 May", "Thu 7 May"])
    #expect(scenario.itemCounts == [1, 1, 0, 1] && scenario.labels == ["a", "b", "c"])
  }

  @Test(arguments: ["start\n2026-05-04\n9:00\n", "start\n2026-02-30\n", "begin\n2026-05-04\n"])
  func otherTextsAreNoDays(text: String) throws {
    #expect(try scenario(text).sectionLabels.allSatisfy { $0 == nil })
  }

  /// Columns of Google Calendar and Outlook; 12:05 AM is 00:05.
  @Test func exportsOfCalendarsHaveDays() throws {
    let scenario = try scenario(
      """
      Subject,Start Date,Start Time,End Date,End Time,Location
      Lunch,05/05/2026,12:30 PM,05/05/2026,1:30 PM,Town
      Holiday,05/04/2026,,05/04/2026,,
      Night,05/04/2026,12:05 AM,05/04/2026,11:00:00 PM,

      """)
    #expect(scenario.sectionLabels == ["Mon 4 May", "Tue 5 May"])
    #expect(scenario.labels == ["Holiday", "Night", "Lunch"])
    guard case .table(let table) = scenario.content else { return }
    #expect(table.columnNames == ["Location", "start", "end", "label"])
    #expect(
      table.texts(of: "start") == ["2026-05-04 00:00", "2026-05-04 00:05", "2026-05-05 12:30"])
    #expect(table.texts(of: "end") == ["2026-05-04 24:00", "2026-05-04 23:00", "2026-05-05 13:30"])
  }

  /// German Outlook has the day first; iCalendar has no separators and exclusive end dates.
  @Test(arguments: [
    (
      """
      Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ort
      Runde;5.5.2026;12:30:00;5.5.2026;13:30:00;Bonn
      Frei;4.5.2026;00:00:00;5.5.2026;00:00:00;

      """, ["Ort", "start", "end", "label"]
    ),
    (
      """
      UID,SUMMARY,DTSTART,DTEND
      1,Runde,20260505T123000Z,2026-05-05 13:30:00+02:00
      2,Frei,20260504,20260505

      """, ["UID", "start", "end", "label"]
    ),
    (
      "Summary,DtStart,DtEnd\nFrei,2026-05-04,\nRunde,20260505T1230,20260505T1330\n",
      ["start", "end", "label"]
    ),
  ])
  func otherCalendarsHaveDays(text: String, columns: [String]) throws {
    let scenario = try scenario(text)
    #expect(scenario.sectionLabels == ["Mon 4 May", "Tue 5 May"])
    #expect(scenario.labels == ["Frei", "Runde"])
    guard case .table(let table) = scenario.content else { return }
    #expect(table.columnNames == columns)
    #expect(table.texts(of: "start") == ["2026-05-04 00:00", "2026-05-05 12:30"])
    let ends = table.texts(of: "end") ?? []
    #expect(["2026-05-05 00:00", "2026-05-04 24:00"].contains(ends[0]))
    #expect(ends[1] == "2026-05-05 13:30")
  }

  /// The holiday and the night span two days; the night's second day exists only for it.
  ///
  /// Events ending at midnight stay on one day, and 40 days are not split.
  @Test func eventsPastMidnightAreOnEachOfTheirDays() throws {
    let scenario = try scenario(
      """
      start,end,label,place
      2026-05-05T22:00,2026-05-06T06:00,Night,x
      2026-05-04,2026-05-05 24:00,Holiday,y
      2026-05-04T23:00,2026-05-05T00:00,Late,z
      2026-05-05T12:00,2026-06-14T12:00,Long,w

      """)
    #expect(scenario.sectionLabels == ["Mon 4 May", "Tue 5 May", "Wed 6 May"])
    #expect(scenario.itemCounts == [2, 3, 1])
    #expect(scenario.labels == ["Holiday", "Late", "Night", "Holiday", "Long", "Night"])
    guard case .table(let table) = scenario.content else { return }
    #expect(table.texts(of: "place") == ["y", "z", "x", "y", "w", "x"])
    #expect(
      table.texts(of: "start") == [
        "2026-05-04", "2026-05-04T23:00", "2026-05-05T22:00", "2026-05-05 00:00",
        "2026-05-05T12:00", "2026-05-06 00:00",
      ])
    #expect(
      table.texts(of: "end") == [
        "2026-05-04 24:00", "2026-05-05T00:00", "2026-05-05 24:00", "2026-05-05 24:00",
        "2026-06-14T12:00", "2026-05-06T06:00",
      ])
  }

  /// Table sections take scenario values by name, then by number.
  @Test func tableKeepsTheValuesOfSections() throws {
    let text = """
      {"sections": [{"items": 2, "label": "Games", "values": {"inset": 1}},
      {"items": 1, "label": "News", "values": {"inset": 2}, "itemValues": {"size": [1, 2]}}]}
      """
    let file = try Scenario(parsing: Array(text.utf8), name: "s.json")
    func insets(_ table: String) throws -> [String] {
      let over = try scenario(table).over(file)
      return over.sections.map {
        "\($0.label ?? "") \($0.items) \($0.values["inset"]?.value.double ?? 0) \($0.itemValues.count)"
      }
    }
    #expect(
      try insets("section,label\nNews,a\nOther,b\nGames,c\nGames,d\n")
        == ["News 1 2.0 0", "Other 1 2.0 0", "Games 2 1.0 0"])
    #expect(try insets("section\n0\n1\n1\n") == ["Games 1 1.0 0", "News 2 2.0 0"])
    #expect(try insets("label\na\n") == ["Games 1 1.0 0"])
  }

  @Test(
    arguments: [
      ("13/05/2026", "04/05/2026", ["2026-05-13 09:30", "2026-05-04 10:00"]),
      ("05/13/2026", "05/04/26", ["2026-05-13 09:30", "2026-05-04 10:00"]),
      ("13.5.2026", "4.5.2026", ["2026-05-13 09:30", "2026-05-04 10:00"]),
      ("4.5.2026", "3.4.2026", ["2026-05-04 09:30", "2026-04-03 10:00"]),
      ("2026-05-13", "2026-05-04", ["2026-05-13 09:30", "2026-05-04 10:00"]),
      ("13/13/2026", "04/05/2026", nil), ("soon", "04/05/2026", nil), ("05/2026", "05/2026", nil),
    ] as [(String, String, [String]?)])
  func exportsOfCalendarsHaveTheirOwnDates(first: String, second: String, starts: [String]?) throws
  {
    let rows = "a,\(first),9:30,10:00\nb,\(second),10:00,11:00\n"
    let table = try ItemTable(
      parsing: Array("subject,start date,start time,end time\n\(rows)".utf8), name: "t.csv")
    var found = table.texts(of: "start")
    if table.labels?.first == "b" { found?.reverse() }
    #expect(found == starts)
    if starts == nil { #expect(table.columnNames.contains("start date")) }
  }

  @Test(arguments: [
    "1/2/9223372036854775807", "1/2/92233720368547758070", "1/2/10000", "9223372036854775807/1/2",
    "1/9223372036854775807/2026", "9223372036854775807.1.2026", "1/2/-2026", "0/0/0", "2/30/2026",
    "-9223372036854775808/1/2", "1/2/0",
  ])
  func datesOfNoYearAreNoDates(date: String) throws {
    let header = "Subject,Start Date,Start Time,End Date,End Time"
    let table = try ItemTable(
      parsing: Array("\(header)\nx,\(date),9:00 AM,1/2/2026,10:00 AM\n".utf8), name: "t.csv")
    let isDate = ["1/2/-2026", "1/2/0"].contains(date)
    #expect((table.columnNames == header.split(separator: ",").map(String.init)) != isDate)
  }
}
