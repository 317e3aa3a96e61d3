import Foundation
import Testing

@Suite struct FigureCommandTests {
  private static let table: String = {
    let sections = ["North", "South", "East"]
    let words = [
      "Alpha", "Extraordinarily-long/name.of_a file", "Ox", "Two words", "Île", "wwwwwwww",
    ]
    var rows: [String] = []
    for index in 0..<60 {
      let (width, height) = (20 + index * 37 % 90, 12 + index * 13 % 50)
      rows.append(
        "\(sections[index / 20]),\(words[index % 6]),\(width),\(height),\(index * 4321)")
    }
    return "section,label,width,height,value\n" + rows.joined(separator: "\n") + "\n"
  }()
  private static let layout = [
    "flow", "--bounds", "420x600", "--set", "headerReferenceSize=0x26", "--set",
    "minimumLineSpacing=3",
  ]

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("t.csv", Self.table)
    return folder
  }

  private func svg(_ arguments: [String], _ table: String = Self.table) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("t.csv", table)
    let result = try Program.figure(
      arguments + ["--items-from", "t.csv", "--format", "svg"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  private func numbers(_ tag: Substring, _ names: String...) -> [Double] {
    names.map { name in
      tag.firstRange(of: " \(name)=\"").flatMap { range in
        Double(tag[range.upperBound...].prefix { $0 != "\"" })
      } ?? .nan
    }
  }

  /// Text boxes contain the text that poppler finds in the PDF, with the PDF's font.
  @Test(
    .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"),
    arguments: [[], ["--caption", "value", "--color", "value", "--title", "Numbers"]])
  func noTextLeavesItsElementOrTouchesAnother(options: [String]) throws {
    let folder = try folder()
    let arguments = Self.layout + options
    let pdf = ["--items-from", "t.csv", "-o", "x.pdf"]
    #expect(try Program.figure(arguments + pdf, in: folder).status == 0)
    let svg = try svg(arguments)
    let start = try #require(svg.firstRange(of: "class=\"content\"")).upperBound
    let corner = numbers(svg[start...].prefix { $0 != ">" }, "x", "y")
    let frames = svg[start...].split(separator: "<rect ").dropFirst()
      .filter { $0.hasPrefix("class=\"cell") || $0.hasPrefix("class=\"supplementary") }
      .map { rect -> [Double] in
        let frame = numbers(" " + rect.prefix { $0 != ">" }, "x", "y", "width", "height")
        return [frame[0] + corner[0], frame[1] + corner[1], frame[2], frame[3]]
      }
    #expect(frames.count == 63)
    let page = try Program.run("pdftotext", ["-bbox", folder.path("x.pdf"), "-"]).output
    let words = page.split(separator: "<word ").dropFirst().map { word in
      (
        box: numbers(" " + word, "xMin", "yMin", "xMax", "yMax"),
        text: word.split(separator: ">")[1].prefix { $0 != "<" }
      )
    }
    var inside = 0
    for word in words {
      let box = word.box
      let (x, y) = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
      guard y > corner[1] else { continue }
      let found = frames.contains { frame in
        let (right, bottom) = (frame[0] + frame[2], frame[1] + frame[3])
        guard frame[0] < x, frame[1] < y, x < right, y < bottom else { return false }
        // The room for accents and descenders may reach the edge.
        return frame[0] <= box[0] + 0.1 && right >= box[2] - 0.1 && frame[1] <= box[1] + 0.6
          && bottom >= box[3] - 0.6
      }
      #expect(found, "\(word.text) at \(box)")
      if found { inside += 1 }
      // 9 pixels of text span more than 9, from the highest letter to the lowest.
      #expect(box[3] - box[1] >= 9)
    }
    #expect(inside > 60)
    for (index, one) in words.enumerated() {
      for other in words[..<index] {
        let overlap = [
          min(one.box[2], other.box[2]) - max(one.box[0], other.box[0]),
          min(one.box[3], other.box[3]) - max(one.box[1], other.box[1]),
        ]
        // Lines share the room of accents and descenders.
        #expect(overlap.contains { $0 < 0.6 }, "\(one) \(other)")
      }
    }
  }

  @Test(
    arguments: [
      ([], true), (["--items-from", "t.csv"], true), (["--items-from", "u.csv"], true),
      (["--items-from", "t.csv", "--wireframe"], false),
    ] as [([String], Bool)])
  func figureIsTheDefault(options: [String], isFigure: Bool) throws {
    let folder = try folder()
    try folder.write("u.csv", "width,height\n10,20\n")
    let svg = try Program.figure(["flow", "--format", "svg"] + options, in: folder)
    #expect(svg.status == 0, "\(svg.errors)")
    #expect(svg.output.contains("class=\"viewport\"") != isFigure)
  }

  private static let week = """
    label,start,end
    Review,2026-05-06T14:00,2026-05-06T15:15
    Standup,2026-05-04T09:30,2026-05-04T10:30

    """

  /// Events show their times, results have the texts of hours and days, and elements from a file
  /// are drawn like the engine's.
  @Test func elementsOfAFileAreDrawn() throws {
    let folder = try TemporaryFolder()
    try folder.write("week.csv", Self.week)
    let file = ["timetable", "--elements", "week.json"]
    let base = ["timetable", "--items-from", "week.csv", "--bounds", "600x800"]
    let drawn = try Program.figure(base + ["--format", "svg"], in: folder).output
    #expect(drawn.contains(">Review</text>") && drawn.contains(">14:00–15:15</text>"))
    #expect(try Program.figure(base + ["-o", "week.json"], in: folder).status == 0)
    let json = String(decoding: try folder.bytes("week.json"), as: UTF8.self)
    for label in ["Review", "9:00", "Mon 4 May", "Tue 5 May"] {
      #expect(json.contains("\"label\":\"\(label)\""), "\(label)")
    }
    let csv = try Program.figure(base + ["--format", "csv"], in: folder).output
    #expect(csv.split(separator: "\n").count { $0.hasSuffix(",Mon 4 May") } == 1)
    let again = try Program.figure(base + file.suffix(2) + ["--format", "svg"], in: folder).output
    #expect(again == drawn)
    let alone = try Program.figure(file + ["--format", "svg"], in: folder).output
    #expect(alone.contains(">Review</text>") && alone.contains(">Mon 4 May</text>"))
    #expect(alone.contains(">9:00</text>") && !alone.contains("14:00–15:15"))
    let copy = try Program.figure(file + ["--format", "json"], in: folder).output
    #expect(copy == json)
    // The first ten hours have one event.
    let part = try Program.figure(
      file + ["--rect", "0,0,600,644", "--format", "csv"], in: folder
    ).output
    #expect(part.split(separator: "\n").count { $0.hasPrefix("cell") } == 1)
    // The viewport is the file's.
    let table = ["grid", "--elements", "grid.json", "--visible", "--format", "csv"]
    try folder.write(
      "grid.json",
      #"{"bounds":[50,20],"contentSize":[100,100],"elements":[{"category":"cell","section":0,"item":0,"frame":[0,0,9,9]},"#
        + #"{"category":"cell","section":0,"item":1,"frame":[60,0,9,9]}]}"#)
    func rows(_ options: [String]) throws -> Int {
      try Program.figure(table + options, in: folder).output.split(separator: "\n").count - 1
    }
    #expect(try rows([]) == 1)
    #expect(try rows(["--bounds", "70x20"]) == 2)
    for option in [["--trace"], ["--set", "spacing=3"], ["--items", "3"]] {
      let replaced = try Program.figure(table + option, in: folder)
      #expect(replaced.status == 64, "\(option)")
      #expect(replaced.errors.contains("\(option[0]) is for a layout, which --elements replaces"))
    }
  }

  /// Elements that no engine can return are rejected, in one sentence.
  @Test(
    arguments: [
      ("[0,null,1,1]", "", "the frame of cell 2 of section 0 lacks a number"),
      (
        "[0,0,-1,1]", "",
        "the frame of cell 2 of section 0 is 0,0,-1,1; expected a width and height"
      ),
      ("[0,0,1]", "", "elements[0].frame is a list of 3; expected 4 numbers"),
      ("[0,0,NaN,1]", "", "\"N\" "), ("[0,0,1e999,1]", "", "too large or too small for a double"),
      (#""wide""#, "", #"elements[0].frame is the text "wide"; expected 4 numbers"#),
      ("[0,0,1,1]", #","section":1e9"#, ""), ("[0,0,1e300,1e300]", "", ""),
      ("[0,0,1,1]", #","alpha":2"#, "the alpha of cell 2 of section 0 is 2; expected 0 to 1"),
      (
        "[0,0,1,1]", #","kind":"star""#,
        #"is a cell of the kind "star", which the engine does not have"#
      ),
    ] as [(String, String, String)])
  func elementsThatNoEngineReturnsAreRefused(frame: String, member: String, sentence: String) throws
  {
    let folder = try TemporaryFolder()
    let section = member.contains("section") ? "" : #","section":0"#
    try folder.write(
      "x.json",
      #"{"contentSize":[1,1],"elements":[{"category":"cell","item":2\#(section),"frame":\#(frame)\#(member)}]}"#
    )
    let result = try Program.figure(
      "grid", "--elements", "x.json", "--format", "svg", in: folder)
    #expect(result.status == (sentence.isEmpty ? 0 : 65), "\(result.errors)")
    #expect(result.errors.contains(sentence) || sentence.isEmpty, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == (sentence.isEmpty ? 0 : 1))
    #expect(result.output.hasPrefix("<svg") == sentence.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"elements":[]}"#, "contentSize lacks a number; give all of them"),
      (#"{"contentSize":[1,1]}"#, "elements is missing; expected a list"),
      (
        #"{"contentSize":[1,-1],"elements":[]}"#, "contentSize is 1,-1; expected a width and height"
      ),
      (
        #"{"bounds":[1,-1],"contentSize":[1,1],"elements":[]}"#,
        "bounds is 1,-1; expected width and height 0 or more"
      ),
      (
        #"{"bounds":"wide","contentSize":[1,1],"elements":[]}"#,
        #"bounds is the text "wide"; expected"#
      ),
      (
        #"{"engine":"org.tessera.flow","contentSize":[1,1],"elements":[]}"#,
        "are those of org.tessera.flow, not of org.tessera.grid"
      ),
      (
        #"{"contentSize":[1,1],"elements":[{"category":"cell","section":0,"item":0,"frame":[0,0,1,1]},{"category":"cell","section":0,"item":0,"frame":[0,0,2,2]}]}"#,
        "cell 0 of section 0 occurs twice"
      ),
    ] as [(String, String)])
  func documentsThatAreNoLayoutAreRefused(document: String, sentence: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("x.json", document)
    let result = try Program.figure("grid", "--elements", "x.json", in: folder)
    #expect(result.status == 65)
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  /// A range can overflow; invalid hours have no text.
  @Test func numbersBeyondMeasureAreDrawn() throws {
    let folder = try TemporaryFolder()
    try folder.write("t.csv", "label,start,end,age\none,9,10,-1e308\ntwo,10,1e300,1e308\n")
    try folder.write(
      "x.json",
      #"{"contentSize":[100,100],"elements":[{"category":"cell","section":0,"item":0,"frame":[0,0,90,1e300],"label":"one"},"#
        + #"{"category":"cell","section":0,"item":1,"frame":[0,50,90,40],"label":"two"}]}"#)
    let result = try Program.figure(
      "timetable", "--elements", "x.json", "--items-from", "t.csv", "--color", "age",
      "--format", "svg", in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(">two</text>") && !result.output.contains("–1e"))
  }

  /// A repeated header has its section's name; headers of days in one section have the days;
  /// otherwise the distinguishing attribute.
  @Test func everyHeaderHasItsText() throws {
    let folder = try TemporaryFolder()
    func texts(_ engine: String, _ table: String, _ headers: [String]) throws -> [String] {
      try folder.write("t.csv", table)
      let cells = #"{"category":"cell","section":0,"item":0,"frame":[0,40,90,40]}"#
      try folder.write(
        "x.json",
        #"{"contentSize":[400,400],"elements":[\#(([cells] + headers).joined(separator: ","))]}"#)
      let result = try Program.figure(
        engine, "--elements", "x.json", "--items-from", "t.csv", "--format", "svg",
        in: folder)
      #expect(result.status == 0, "\(result.errors)")
      return result.output.matches(of: /font-weight="600"[^>]*>([^<]+)</).map { String($0.1) }
    }
    func header(
      _ item: Int, section: Int = 0, _ frame: String, _ more: String = "", kind: String = "header"
    ) -> String {
      #"{"category":"supplementary","kind":"\#(kind)","section":\#(section),"item":\#(item),"frame":[\#(frame)]\#(more)}"#
    }
    let one = "section,label\nNorth,a\n"
    // On three pages; then a place for a button beside the title, and a smaller header on a further
    // page.
    let pages = (0..<3).map { header($0, "0,\($0 * 100),300,30") }
    #expect(try texts("flow", one, pages) == ["North", "North", "North"])
    let beside = [header(0, "0,0,280,30"), header(1, "300,0,100,30"), header(2, "0,200,200,30")]
    #expect(try texts("flow", one, beside) == ["North", "North"])
    func day(_ item: Int, section: Int = 0, _ day: Int) -> String {
      header(
        item, section: section, "\((item + section) * 100),0,100,30",
        #","attributes":{"day":\#(day)}"#,
        kind: "dayHeader")
    }
    let dates =
      "label,start,end\na,2026-05-04T09:00,2026-05-04T10:00\nb,2026-05-06T09:00,2026-05-06T10:00\n"
    let days = ["Mon 4 May", "Tue 5 May", "Wed 6 May"]
    #expect(try texts("timetable", dates, (0..<3).map { day($0, $0) }) == days)
    #expect(try texts("timetable", dates, (0..<3).map { day(0, section: $0, $0) }) == days)
    #expect(
      try texts("timetable", dates, [day(0, section: 1, 1), day(1, section: 1, 1)]) == [
        days[1], days[1],
      ])
    let week = "section,label,start,end\nWeek 19,a,9,10\n"
    #expect(try texts("timetable", week, (0..<2).map { day($0, $0) }) == ["day 1", "day 2"])
    #expect(try texts("timetable", week, [day(0, 0)]) == ["Week 19"])
  }

  /// Lengths beyond a format's limit end with one sentence; lengths at the limit are drawn.
  @Test(arguments: ["svg", "html", "png", "pdf"])
  func lengthsThatNoDrawingReachesAreRefused(format: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("t.csv", "label\nAlpha\nBeta\n")
    let base = ["flow", "--items-from", "t.csv", "-o", "x.\(format)"]
    for (options, status) in [
      (["--set", "itemSize=1e300,1e300"], 65), (["--rect", "1e300,0,10,10"], 65),
      (["--set", "itemSize=1e12,1e12"], 0), (["--set", "itemSize=1e12,1e12", "--wireframe"], 0),
      (["--set", "sectionInset=-1.7e308,-1.7e308,-1.7e308,-1.7e308"], 69),
    ] {
      let result = try Program.figure(base + options, in: folder)
      #expect(result.status == status, "\(options): \(result.errors)")
      if status != 0 {
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      }
    }
    let insets = "backgroundInsets=1.7e308,1.7e308,1.7e308,1.7e308"
    let result = try Program.figure(
      "compositional", "--items", "2", "--set", "background=true", "--set", insets, "-o",
      "x.\(format)", in: folder)
    #expect(
      result.status == 69 && result.errors.contains("it must have edges up to 1e300"),
      "\(result.errors)")
  }

  /// A table of 3,000 rows of 44 points is 132,000 points long in a browser, too long for a PDF
  /// page.
  @Test func longFiguresAreLegible() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<3000).map { "Name \($0)" }
    try folder.write("t.csv", "label\n\(rows.joined(separator: "\n"))\n")
    let base = ["table", "--items-from", "t.csv"]
    let svg = try Program.figure(base + ["--format", "svg"], in: folder)
    #expect(svg.errors.isEmpty && svg.output.contains(">Name 2999</text>"))
    #expect(
      svg.output.contains(#"font-size="9""#) && svg.output.prefix(200).contains(#"width="375""#))
    let pdf = try Program.figure(base + ["-o", "x.pdf"], in: folder)
    #expect(pdf.status == 0 && pdf.errors.contains("give --paper with a .pdf"), "\(pdf.errors)")
    #expect(pdf.errors.split(separator: "\n").count == 1)
    let paper = try Program.figure(base + ["--paper", "a4", "-o", "x.pdf"], in: folder)
    #expect(paper.status == 0 && paper.errors.isEmpty)
  }

  @Test func captionsAreThoseOfTheTable() throws {
    let drawn = try svg(
      ["grid", "--set", "itemSize=90,90", "--caption", "v", "--color", "v"],
      "label;v\na;NaN\nb;inf\nc;1,5\nd;-12345,6\ne;1e400\nf;0,000001\n")
    let texts = drawn.matches(of: />([^<>\n]+)<\/text>/).map { String($0.1) }
    #expect(
      texts.suffix(11) == [
        "a", "b", "inf", "c", "1,5", "d", "-12345,6", "e", "1e400", "f", "0,000001",
      ], "\(texts)")
  }

  @Test func hoursAreBesideTheFirstDay() throws {
    func label(_ more: [String]) throws -> Double {
      let svg = try svg(
        ["timetable", "--direction", "rightToLeft"] + more,
        "section,start,end,label\nA,9,10,x\nB,9,10,y\nC,9,10,z\n")
      let text = try #require(svg.firstMatch(of: /x="([^"]+)"[^>]*>9:00</))
      return Double(text.1) ?? 0
    }
    // Three days of 120 and a column of 56 for the hours.
    #expect(try label([]) > 360)
    #expect(try label(["--offset", "0,0"]) < 360)
  }

  /// On paper, hours of the night without events are left out, unless the hours are given.
  @Test func nightsWithoutEventsAreNotPrinted() throws {
    let folder = try TemporaryFolder()
    func height(_ table: String, _ more: [String] = []) throws -> String {
      try folder.write("t.csv", "label,start,end\n\(table)")
      let result = try Program.figure(
        ["timetable", "--items-from", "t.csv", "--paper", "a4", "-o", "x.pdf"] + more,
        in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let text = try Program.run("pdftotext", ["-layout", folder.path("x.pdf"), "-"]).output
      let hours = text.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^\s*(\d+):00/).map { String($0.1) }
      }
      return "\(hours.first ?? "") \(hours.last ?? "")"
    }
    #expect(try height("a,2026-05-04T09:30,2026-05-04T10:00\n") == "8 17")
    #expect(try height("a,2026-05-04T06:30,2026-05-04T19:10\n") == "6 19")
    #expect(
      try height("a,2026-05-04T09:30,2026-05-04T10:00\n", ["--set", "firstHour=0"]) == "0 23")
    #expect(try height("a,2026-05-04T22:00,2026-05-05T06:00\n") == "0 23")
  }

  /// Of fifteen days, seven are on each page, with all hours and the whole names of the days.
  @Test(arguments: ["leftToRight", "rightToLeft"])
  func weeksArePagesOfPaper(direction: String) throws {
    let folder = try TemporaryFolder()
    let rows = (4...18).map { day -> String in
      let date = "2026-05-\(day < 10 ? "0" : "")\(day)"
      return "event \(day),\(date)T09:00,\(date)T11:00"
    }
    try folder.write("t.csv", "label,start,end\n" + rows.joined(separator: "\n") + "\n")
    let result = try Program.figure(
      [
        "timetable", "--items-from", "t.csv", "--paper", "a4", "--title", "May",
        "--direction", direction, "-o", "x.pdf",
      ], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    for (page, days) in zip(1..., [4...10, 11...17, 18...18]) {
      let text = try Program.run(
        "pdftotext",
        ["-layout", "-f", "\(page)", "-l", "\(page)", folder.path("x.pdf"), "-"]
      ).output
      let shown = text.matches(of: /[A-Z][a-z]{2} (\d+) May/).compactMap { Int($0.1) }
      #expect(Set(shown) == Set(days) && shown.count == days.count, "\(text)")
      let events = text.matches(of: /event (\d+)/).compactMap { Int($0.1) }
      #expect(Set(events) == Set(days), "\(text)")
      #expect(text.contains("8:00") && text.contains("17:00"))
      #expect(text.filter { $0 != " " }.contains("\(page)/3"))
    }
  }

  /// Groups have no colour, so their values are not in the legend.
  @Test func legendIsThatOfItemsOutsideOfGroups() throws {
    let svg = try svg(
      ["treemap", "--color", "age"],
      "label,weight,parent,age\nall,0,-1,0\none,1,0,20\ntwo,2,0,30\n")
    #expect(svg.contains(">20</text>") && svg.contains(">30</text>") && !svg.contains(">0</text>"))
  }

  @Test func headersShowTheNamesOfSections() throws {
    let plain = try svg(Self.layout)
    for name in ["North", "South", "East"] { #expect(plain.contains(">\(name)</text>")) }
    let templated = try svg(Self.layout + ["--text", "header={section} no. {item}"])
    #expect(templated.contains(">South no. 0</text>"))
  }

  /// A day has its name in English, and as ISO 8601 has it where `--text` asks for that.
  @Test func headersShowDates() throws {
    let week =
      "label,start,end\na,2026-05-04 09:00,2026-05-04 10:00\nb,2026-05-06 09:00,2026-05-06 10:00\n"
    let named = try svg(["timetable"], week)
    #expect(named.contains(">Mon 4 May</text>") && named.contains(">Tue 5 May</text>"))
    let dated = try svg(
      ["timetable", "--text", "dayHeader={date}", "--text", "hourLabel={hour}h"], week)
    #expect(dated.contains(">2026-05-04</text>") && dated.contains(">2026-05-05</text>"))
    #expect(!dated.contains("May<") && dated.contains(">9h</text>"))
  }

  /// Named sections have headers in a figure, of 36 points where nothing sets their height.
  @Test(
    arguments: [
      ([], "36"), (["--set", "headerReferenceSize=0x26"], "26"), (["--wireframe"], nil),
      (["--section", "headerReferenceSize=0x20"], "20"),
      (["--set", "headerReferenceSize=0,0"], nil),
    ] as [([String], String?)])
  func namesHaveRoom(options: [String], height: String?) throws {
    let svg = try svg(["flow"] + options, "section,label\nNorth,a\nSouth,b\n")
    let headers = svg.matches(of: /class="supplementary ground"[^>]* height="([^"]+)"/)
    #expect(headers.map { String($0.1) } == (height.map { [$0, $0] } ?? []))
    #expect(svg.contains(">North</text>") == (height != nil))
  }

  /// The strip of src has the name of the folder.
  @Test func pathsAreATreemap() throws {
    let drawn = try svg(
      ["treemap", "--bounds", "400x300", "--caption", "bytes"],
      "path,bytes\n/p,100\n/p/src,75\n/p/src/a.c,75\n/p/doc,25\n")
    let names = drawn.matches(of: /<text[^>]*>([^<]+)</).map { String($0.1) }
    #expect(names == ["src", "doc", "25 B", "a.c", "75 B"])
  }

  @Test(
    arguments: [
      (
        ["--caption", "size"],
        "--caption: t.csv has no column \"size\"; it has label, width, height and value"
      ),
      (
        ["--text", "badge=x"], "--text badge: the engine has no such kind; it has header and footer"
      ),
      (["--text", "header={x}"], "--text header: {x} is unknown; use {section} or {item}"),
      (["--text", "header={x"], "--text header is \"{x\"; close the brace with }"),
    ] as [([String], String)])
  func wrongNamesAreReported(options: [String], message: String) throws {
    let arguments = Self.layout + ["--items-from", "t.csv", "-o", "x.svg"] + options
    let result = try Program.figure(arguments, in: try folder())
    #expect(
      result.status == 65 && result.errors.hasSuffix("tessera: \(message)\n"), "\(result.errors)")
  }

  @Test func onlyFiguresHaveTitles() throws {
    let result = try Program.figure("flow", "--wireframe", "--title", "x", "-o", "x.svg")
    #expect(result.status == 64 && result.errors.contains("--title is for figures"))
  }

  /// Bytes have units, other numbers the table's digits, up to three decimals.
  @Test(
    arguments: [
      ("bytes", "1023", "1023 B"), ("bytes", "1024", "1 KiB"), ("bytes", "1500", "1.5 KiB"),
      ("bytes", "10485760", "10 MiB"), ("bytes", "nothing", "nothing"), ("price", "70.40", "70.40"),
      ("price", "7.00", "7.00"), ("price", "0.123456", "0.123"), ("price", "12345.60", "12.3k"),
    ])
  func numbersAreWrittenForReaders(column: String, cell: String, text: String) throws {
    let svg = try svg(
      ["flow", "--set", "itemSize=80x80", "--caption", column], "label,\(column)\naa,\(cell)\n")
    #expect(svg.contains(">\(text)</text>"))
  }

  /// Two days of max(120, (375 - 56) / 2) points have a header of 44 with one more row of 20.
  ///
  /// The trip has a timed part, so it isn't a whole-day event.
  @Test func eventsOfWholeDaysAreAboveTheHours() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "t.csv",
      """
      Subject,Start Date,Start Time,End Date,End Time
      Fair,05/04/2026,,05/05/2026,
      Talk,05/04/2026,09:00 AM,05/04/2026,11:00 AM
      """)
    let arguments = ["timetable", "--items-from", "t.csv"]
    func frames(_ more: [String]) throws -> [[Double]] {
      let svg = try Program.figure(arguments + more + ["--format", "svg"], in: folder).output
      return svg.split(separator: "<rect ").filter { $0.hasPrefix("class=\"cell") }
        .map { numbers(" " + $0.prefix { $0 != ">" }, "x", "y", "width", "height") }
    }
    let found = try frames([])
    #expect(found.contains([58, 44, 315, 18]), "\(found)")
    #expect(found.contains([58, 604, 155.5, 120]) && found.count == 2, "\(found)")
    let high = try frames(["--set", "dayHeaderHeight=30+10"])
    #expect(high.contains([58, 40, 315, 18]), "\(high)")
    // Results and wireframes keep the engine's places.
    let data = try Program.figure(arguments + ["--format", "csv"], in: folder).output
    #expect(data.contains("cell,,0,0,58,44,") && data.contains(",1440,"))
    try folder.write(
      "u.csv",
      "start,end,label\n2026-05-04 10:00,2026-05-06 11:00,Trip\n2026-05-05 00:00,2026-05-06 00:00,Trip\n"
    )
    let trip = try Program.figure(
      ["timetable", "--items-from", "u.csv", "--format", "svg"], in: folder)
    #expect(trip.status == 0 && trip.output.contains("height=\"1440\""))
  }
}
