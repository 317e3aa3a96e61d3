import Foundation
import TesseraDrawing
import TesseraFigures
import TesseraHost
import Testing

/// Figures, read back by a strict reader; places are worked out by hand.
@Suite struct FigureTests {
  private static let names = ["aa", "Playground.swift", "the quick brown fox", "abcdefghijkl"]

  private func figure(
    _ elements: [Element], content: Size = Size(width: 300, height: 200),
    change: (inout Picture<[Element]>, inout Figure) -> Void = { _, _ in }
  ) throws -> MarkupReader {
    var picture = Sample.picture(
      elements, content: content, viewport: Rect(x: 0, y: 0, width: 800, height: 600))
    var figure = Figure()
    picture.label = { _, item in Self.names.indices.contains(item) ? Self.names[item] : nil }
    change(&picture, &figure)
    return try MarkupReader(FigurePicture(picture, figure).svg())
  }

  /// A small n is 0.64 em wide, a slash 0.34 and an ellipsis 1; each with a margin of 2 in 100.
  @Test(
    arguments: [
      ("nnn nnn", 20.0, 2, ["nnn", "nnn"]),
      ("nnn nnn", 20, 1, []),
      ("nn/nnn", 20, 2, ["nn/", "nnn"]), ("n-n_n.n", 12, 4, ["n-", "n_", "n.", "n"]),
      ("nnnnnnnn", 40, 1, ["nnnn…"]), ("nnnnnnnn", 36, 1, []), ("nnnnnnnn", 53, 1, ["nnnnnnnn"]),
      ("-nnnnn", 40, 2, ["-nnnnn"]), ("-nnnnnnn", 44, 2, ["-nnnn…"]),
      // A word longer than a line ends the text.
      ("nnnnnnnn nn", 40, 3, ["nnnn…"]), ("nnnnnnnn nn", 40, 1, ["nnnn…"]),
      ("nnnn nnnnnnnnn", 40, 3, ["nnnn", "nnnn…"]), ("nnnnnnn", 25, 3, []),
      ("nnnnnnnnnnnnnnnn", 40, 2, ["nnnn…"]), ("nnnn", 5, 9, []),
      ("nnnne\u{301}nnn", 46, 2, ["nnnne\u{301}…"]),
      ("nnnnNnnn", 30, 2, ["nnnn", "Nnnn"]), ("nn nnNnnn", 45, 2, ["nn", "nnNnnn"]),
      ("nnnnNnnn", 40, 1, ["nnnn…"]), ("NNNNNNNN", 40, 2, []),
      // A soft hyphen is neither shown nor a break.
      ("nnn\u{AD}nnnnnn", 40, 2, ["nnnn…"]), ("nn\u{AD}nn", 40, 2, ["nnnn"]),
      // A wide letter is 1.01 em wide. No line begins with a comma.
      ("日本語日本語", 32, 2, ["日本語", "日本語"]), ("日本語、日本", 32, 3, ["日本", "語、日", "本"]),
      ("東京都港区", 42, 1, ["東京都…"]), ("東京都港区", 32, 1, ["東京…"]), ("東京都港区", 22, 1, []),
      ("nnnn東京", 32, 2, ["nnnn", "東京"]), ("nnn👨‍👩‍👧‍👦", 32, 2, ["nnn", "👨‍👩‍👧‍👦"]),
      ("nnn", 20, 1, ["nnn"]), ("", 20, 1, []), ("n", 20, 0, []), ("  n", 20, 1, ["n"]),
    ] as [(String, Double, Int, [String])])
  func namesAreWrappedAtWords(name: String, width: Double, count: Int, lines: [String]) {
    #expect(wrapped(name, width: width, lines: count, size: 10) == lines)
  }

  @Test func figureIsTheContentAlone() throws {
    let reader = try figure([Sample.cell(0, 0, 0, 100, 50), Sample.cell(1, 110, 0, 190, 50)])
    #expect(reader.nodes[0].numbers("viewBox") == [0, 0, 300, 200])
    #expect(reader.all("text").map(\.text) == ["aa", "Playground.swift"])
    #expect(reader.all("rect", class: "viewport").isEmpty)
    // Eleven pixels on a screen of 800 × 600, four from the corner.
    let text = reader.all("text")[1]
    #expect(text.numbers("x") == [114] && text.numbers("font-size") == [11])
    #expect(reader.all("title").map(\.text) == ["aa", "Playground.swift"])
  }

  @Test func titleLegendAndSourceAreAroundTheContent() throws {
    let reader = try figure([Sample.cell(0, 0, 0, 100, 50)]) { _, figure in
      figure.title = "Things & more"
      figure.source = "A source"
      figure.colours = ColourScale(title: "kind", values: ["x"], counts: [1])
    }
    let texts = reader.all("text")
    #expect(texts.map(\.text) == ["Things & more", "kind", "x", "aa", "A source"])
    let content = reader.all("svg", class: "content")[0].frame
    #expect(content.suffix(2) == [300, 200] && content[0] == 18)
    for text in texts[..<3] { #expect(text.numbers("y")[0] < content[1]) }
    #expect(texts[4].numbers("y")[0] > content[1] + 200)
    #expect(reader.nodes[0].numbers("height")[0] > texts[4].numbers("y")[0] + 2)
  }

  /// The first child begins 20 below the top of its parent, or 5, where no line fits.
  @Test(arguments: [(20.0, true), (5, false)])
  func nameOfAGroupIsInTheStripAboveItsChildren(strip: Double, isShown: Bool) throws {
    let reader = try figure([
      Sample.cell(1, 0, 0, 300, 200), Sample.cell(0, 2, strip, 296, 190 - strip, zIndex: 1),
    ])
    let names = reader.all("text").filter { $0.text == "Playground.swift" }
    #expect(names.count == (isShown ? 1 : 0))
    // The descenders of DejaVu Sans reach a quarter of an em below the baseline.
    if let name = names.first {
      #expect(name.numbers("y")[0] + 0.24 * name.numbers("font-size")[0] <= strip)
    }
    // One step smaller than outermost cells.
    #expect(reader.all("text").last?.numbers("font-size") == [10])
  }

  @Test func coveredNamesAreNotDrawn() throws {
    let reader = try figure([
      Sample.cell(1, 0, 0, 200, 100), Sample.cell(0, 100, 0, 200, 100, zIndex: 1),
    ])
    #expect(reader.all("text").map(\.text) == ["aa"])
  }

  @Test func linesStayInTheirBox() throws {
    for width in stride(from: 10.0, through: 200, by: 7) {
      for height in [4.0, 11, 13.3, 20, 28, 60] {
        let reader = try figure((0..<4).map { Sample.cell($0, 0, 70 * Double($0), width, height) })
        {
          $1.caption = { _, item in ["1234", "a caption of words"][item % 2] }
        }
        for text in reader.all("text") {
          let (x, y) = (text.numbers("x")[0], text.numbers("y")[0])
          let size = text.numbers("font-size")[0]
          let top = (y / 70).rounded(.down) * 70
          let length = textWidth(text.text, size: size)
          let start = text.attributes["text-anchor"] == "end" ? x - length : x
          #expect(start >= 4 - 1e-6 && start + length <= width - 4 + 1e-6)
          #expect(y - 0.93 * size >= top - 0.3 && y + 0.24 * size <= top + height + 0.3)
        }
      }
    }
  }

  /// All cells are rows of 40 points: with 11 pixels and lines of 13.2, the baseline of one line is
  /// at (40 - 13.2) / 2 + 0.95 · 11.
  @Test func rowsOfAListHaveTheirCaptionsAtTheEnd() throws {
    let reader = try figure([Sample.cell(0, 0, 0, 300, 40), Sample.cell(1, 0, 50, 300, 40)]) {
      $1.caption = { _, item in "\(item + 7)" }
    }
    let texts = reader.all("text")
    #expect(texts.map(\.text) == ["aa", "7", "Playground.swift", "8"])
    #expect(texts.map { $0.numbers("x")[0] } == [4, 296, 4, 296])
    #expect(texts.map { $0.attributes["text-anchor"] } == [nil, "end", nil, "end"])
    for (text, top) in zip(texts, [0.0, 0, 50, 50]) {
      #expect(abs(text.numbers("y")[0] - top - 23.85) < 0.01)
    }
  }

  /// An "n" is 0.64 em wide, so three of 9 pixels need 17.6 of the 26 - 6 that a box of 26 leaves.
  @Test func smallEventsHaveTheStartOfTheirNames() throws {
    for (width, name, shown) in [
      (26.0, "nnnnnnnnnn", ["nnn"]), (23, "nnnnnnnnnn", []), (26, "東京都港区", ["東京"]),
    ] {
      let reader = try figure([Sample.cell(0, 0, 0, width, 18)]) { picture, _ in
        picture.label = { _, _ in name }
        picture.kinds = [KindDescription(name: "hour", category: .supplementary, role: .label)]
      }
      #expect(reader.all("text").map(\.text) == shown)
    }
  }

  /// A quarter of an hour of 6 points has a line of 7 points on paper, and none on a screen.
  ///
  /// Events of one picture share a size.
  @Test func textOfEventsIsAsSmallAsMostNamesNeed() throws {
    func sizes(_ cells: [Element], isPaper: Bool) throws -> [String: Double] {
      var picture = Sample.picture(
        cells, content: Size(width: 300, height: 200),
        viewport: Rect(x: 0, y: 0, width: 800, height: 600))
      var figure = Figure()
      figure.paper = isPaper ? .a4 : nil
      picture.label = { _, item in ["Standup", "Review"][item] }
      picture.kinds = [KindDescription(name: "hour", category: .supplementary, role: .label)]
      var bytes: [UInt8] = []
      try FigurePicture(picture, figure).writePages { bytes += $0 }
      return try Dictionary(
        MarkupReader(String(decoding: bytes, as: UTF8.self)).all("text").map {
          ($0.text, $0.numbers("font-size")[0])
        }, uniquingKeysWith: { first, _ in first })
    }
    let short = [Sample.cell(0, 0, 0, 90, 6)]
    #expect(try sizes(short, isPaper: true)["Standup"] == 7)
    #expect(try sizes(short, isPaper: false)["Standup"] == nil)
    // "Standup", 4.4 em wide, fits 60 - 8 - 3 points at 10.5.
    let narrow = [Sample.cell(0, 0, 0, 60, 40), Sample.cell(1, 100, 0, 90, 40)]
    let found = try sizes(narrow, isPaper: false)
    #expect(found["Review"] == found["Standup"] && found["Standup"] != nil)
  }

  /// If cells touch, pictures on paper are 12 points lower than their cells, for names; cells below
  /// 48 points have no names.
  @Test(arguments: [90.0, 40]) func namesOfPicturesOnPaperAreInTheirCells(_ height: Double) throws {
    var picture = Sample.picture(
      [Sample.cell(0, 0, 0, 80, height), Sample.cell(1, 0, height, 80, height)],
      content: Size(width: 80, height: 2 * height))
    var figure = Figure()
    figure.paper = .a4
    picture.label = { _, item in ["one.jpg", "two.jpg"][item] }
    picture.image = { _, item in CellImage(address: "\(item).jpg") }
    var bytes: [UInt8] = []
    try FigurePicture(picture, figure).writePages { bytes += $0 }
    let reader = try MarkupReader(String(decoding: bytes, as: UTF8.self))
    let isRoomy = height == 90
    #expect(
      reader.all("image").map { $0.numbers("height")[0] }
        == Array(repeating: isRoomy ? 78 : 40, count: 2))
    let names = reader.all("text").filter { $0.text.hasSuffix(".jpg") }
    #expect(names.map { $0.numbers("y")[0] } == (isRoomy ? [88, 178] : []))
  }

  /// Two masonry columns without a common line: on pages of 757 points, each cell is on the page
  /// that shows it whole, and the next page begins with the first remaining cell.
  ///
  /// By hand, with cells of 200 and 330 points: three and two end above 757. The next page begins
  /// with the fourth cell of 200, at 600.
  @Test func cellsOfAMasonryAreOnThePageThatShowsThemWhole() throws {
    let cells =
      (0..<10).map { Sample.cell($0, 0, Double($0) * 200, 90, 200) }
      + (0..<6).map { Sample.cell(10 + $0, 100, Double($0) * 330, 90, 330) }
    var picture = Sample.picture(cells, content: Size(width: 190, height: 2000))
    var figure = Figure()
    figure.paper = .a4
    picture.label = { _, item in "cell \(item)" }
    var pages: [[UInt8]] = [[]]
    try FigurePicture(picture, figure).writePages { part in
      if Array(part) == [0] { pages.append([]) } else { pages[pages.count - 1] += part }
    }
    let shown = try pages.map { page in
      try MarkupReader(String(decoding: page, as: UTF8.self)).all("text").map(\.text)
        .filter { $0.hasPrefix("cell") }
    }
    #expect(Set(shown[0]) == ["cell 0", "cell 1", "cell 2", "cell 10", "cell 11"])
    #expect(shown.joined().count == 16 && Set(shown.joined()).count == 16)
    for page in pages {
      let reader = try MarkupReader(String(decoding: page, as: UTF8.self))
      for rect in reader.all("rect") where rect.attributes["class"]?.hasPrefix("cell") == true {
        #expect(rect.numbers("height")[0] > 190)
      }
    }
  }

  @Test func aNarrowEventShowsItsStart() throws {
    func texts(_ width: Double) throws -> [String] {
      try figure([Sample.cell(0, 0, 0, width, 60)]) { _, figure in
        figure.caption = { _, _ in "9:00–10:30" }
      }.all("text").map(\.text)
    }
    #expect(try texts(120) == ["aa", "9:00–10:30"])
    #expect(try texts(60) == ["aa", "9:00"])
    #expect(try texts(24) == ["aa"])
  }

  /// Events of one name share a colour; others have their day's.
  @Test func eventsOfOneNameHaveOneColour() throws {
    let cells = [
      Sample.cell(0, section: 0, 0, 0, 90, 40), Sample.cell(0, section: 1, 100, 0, 90, 40),
      Sample.cell(1, section: 1, 200, 0, 90, 40),
    ]
    let reader = try figure(cells) { picture, _ in
      picture.kinds = [KindDescription(name: "hour", category: .supplementary, role: .label)]
    }
    let fills = reader.all("rect").filter { $0.attributes["class"]?.hasPrefix("cell") == true }
      .map { $0.attributes["fill"] }
    #expect(fills.count == 3 && fills[0] == fills[1] && fills[1] != fills[2])
  }

  @Test func longFiguresKeepTheirSize() throws {
    let cells = [Sample.cell(0, 0, 0, 300, 44), Sample.cell(1, 0, 131_956, 300, 44)]
    for (longest, height, count) in [(8e6, 132_000.0, 2), (12_000, 12_000, 0)] {
      let reader = try figure(cells, content: Size(width: 300, height: 132_000)) { _, figure in
        figure.longest = longest
      }
      #expect(reader.nodes[0].numbers("height") == [height])
      #expect(reader.all("text").count == count)
    }
  }

  /// Far content is skipped or clipped, as renderers have limited numbers.
  @Test(arguments: [1e7, 1e15, 1e300]) func farEdgesAreNear(far: Double) throws {
    let cells = [
      Sample.cell(0, -far, 0, 2 * far, 50), Sample.cell(1, far, 60, 50, 50),
      Sample.cell(2, 0, 120, 90, 50),
    ]
    let reader = try figure(cells)
    let rects = reader.all("rect").filter { $0.attributes["class"]?.hasPrefix("cell") == true }
    #expect(rects.count == 2)
    for rect in rects { #expect(rect.frame.allSatisfy { abs($0) < 300_000 }) }
    let tiny = try figure(
      [Sample.cell(0, 0, 0, 300, 1e10)], content: Size(width: 300, height: 1e10)
    ) { $1.longest = 12_000 }
    #expect(tiny.all("text").allSatisfy { $0.numbers("font-size")[0] < 1e4 * 24 })
  }

  /// A badge at the trailing corner only shortens the lines below it.
  @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func namesAvoidBadges(direction: LayoutDirection) throws {
    let x = direction == .rightToLeft ? 0.0 : 76
    let badge = Sample.extra(
      .supplementary, "badge", Rect(x: x, y: -6, width: 24, height: 24), zIndex: 1)
    let reader = try figure([Sample.cell(2, 0, 0, 100, 80), badge]) { picture, _ in
      picture.direction = direction
      picture.kinds = [KindDescription(name: "badge", category: .supplementary, role: .badge)]
    }
    // "the quick" at 11 points is 5.2 em wide, and 100 - 8 - 24 points have room for it.
    #expect(reader.all("text").map(\.text) == ["the quick", "brown fox"])
  }

  /// Cells of 50 have room for eight letters of 9 points, cells of 30 × 14 for a line of 11.
  @Test(arguments: [(50.0, 50.0, 9.0), (300, 14, 11), (300, 11, 9.17)])
  func textSuitsMostCells(width: Double, height: Double, size: Double) throws {
    let cells = (0..<9).map { Sample.cell(0, Double($0) * 320, 0, width, height) }
    let found = try figure(cells, content: Size(width: 300, height: 3000)).all("text")
      .map { $0.numbers("font-size")[0] }
    #expect(found.count == 9 && found.allSatisfy { abs($0 - size) < 0.01 })
  }

  @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func titlesBeginWhereCellsDo(direction: LayoutDirection) throws {
    let header = Sample.extra(.supplementary, "header", Rect(x: 0, y: 0, width: 300, height: 36))
    let reader = try figure([header, Sample.cell(0, 12, 40, 276, 100)]) { picture, figure in
      picture.direction = direction
      figure.title = "Things"
      picture.title = { _ in "Summer" }
      picture.kinds = [KindDescription(name: "header", category: .supplementary, role: .header)]
    }
    let (content, texts) = (reader.all("svg", class: "content")[0].frame[0], reader.all("text"))
    func edge(_ name: String) -> Double? {
      texts.first { $0.text == name }.map { text in
        direction == .rightToLeft ? 300 - text.numbers("x")[0] : text.numbers("x")[0]
      }
    }
    #expect(edge("Summer") == 16 && edge("aa") == 16)
    #expect(edge("Things") == (direction == .rightToLeft ? 12 - content : content + 12))
  }

  /// An accent takes no room; a bidirectional control is shown by its number.
  @Test func charactersAreMeasuredAsTheyAreShown() {
    #expect(textWidth("ÉÎñŠż", size: 10) == textWidth("EInSz", size: 10))
    // At least the widths that a browser measures in DejaVu Sans.
    for (text, width) in [("ЖЩЮ", 32.5), ("שלום", 22.1), ("سس", 21.1), ("مرحبا", 23.1)] {
      #expect(width...width * 1.5 ~= textWidth(text, size: 10), "\(text)")
    }
    // And hardly more than in Noto Sans CJK and Noto Color Emoji.
    for (text, width) in [
      ("東京ー、", 40.0), ("か\u{3099}", 10), ("\u{1112}\u{1161}\u{11ab}", 9.2), ("ｱｲ", 10),
      ("😀", 12.48), ("👍🏽", 12.48), ("🇩🇪", 12.48), ("❤️", 12.48), ("1️⃣", 12.48),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 12.48), ("ßøæœÆŒ", 52.9), ("“–”’", 18.6), ("①℃", 20.3),
    ] {
      #expect(width...width * 1.23 ~= textWidth(text, size: 10), "\(text)")
    }
    // Without an emoji font, each part is a box of 6.
    #expect(24...25 ~= textWidth("👨‍👩‍👧‍👦", size: 10))
    let shown = textWidth("x\\u{202E}y", size: 10)
    #expect(textWidth("x\u{202E}y", size: 10) >= shown)
  }

  @Test func placesOfPicturesHaveTheNames() throws {
    var cell = Sample.cell(0, 10, 10, 100, 100)
    cell.attributes = [.rect(Rect(x: 0, y: 30, width: 100, height: 40))]
    let reader = try figure([cell]) { picture, _ in picture.attributeNames = ["contentRect"] }
    let shapes = reader.all("rect").filter { $0.attributes["class"]?.hasPrefix("cell") == true }
    #expect(shapes.map(\.frame) == [[10, 10, 100, 100], [10, 40, 100, 40]])
    #expect(shapes[0].attributes["class"] == "cell ground")
    #expect(reader.all("text")[0].numbers("x") == [14])
    #expect(40...60 ~= reader.all("text")[0].numbers("y")[0])
  }

  /// 32-bit floats are 512 apart at 5 000 000 000.
  @Test func whatIsFarAwayIsDrawnNearZero() throws {
    for (start, origin) in [(5e9, 0), (5e9 + 0.25, 0.25), (60_000, 60_000), (-1e15, 0)] {
      let element = Sample.cell(1, 10, start + 20, 90, 50)
      let reader = try figure([element], content: Size(width: 375, height: 1e10)) { picture, _ in
        picture.viewport = Rect(x: 0, y: start, width: 375, height: 300)
        picture.extent = .viewport
      }
      #expect(reader.all("svg", class: "content")[0].numbers("viewBox") == [0, origin, 375, 300])
      let cell = reader.all("rect").first { $0.attributes["class"]?.hasPrefix("cell") == true }
      #expect(cell?.frame == [10, origin + 20, 90, 50])
      for text in reader.all("text") { #expect(origin..<origin + 300 ~= text.numbers("y")[0]) }
    }
  }

  @Test func tooltipsOfNestedCellsHaveTheNamesOfAll() throws {
    var picture = Sample.picture([
      Sample.cell(1, 0, 0, 300, 200), Sample.cell(0, 2, 20, 296, 170, zIndex: 1),
    ])
    var figure = Figure()
    picture.label = { _, item in Self.names[item] }
    figure.caption = { _, item in item == 0 ? "3 KiB" : "0" }
    let drawing = FigurePicture(picture, figure)
    let titles = try MarkupReader(drawing.svg()).all("title").map(\.text)
    #expect(titles == ["Playground.swift", "Playground.swift / aa, 3 KiB"])
    let page = drawing.html()
    #expect(page.contains("<script>") && page.contains("Playground.swift / aa, 3 KiB"))
  }

  @Test func headerHasItsNameAndALine() throws {
    let header = Sample.extra(
      .supplementary, "header", section: 1, Rect(x: 0, y: 10, width: 300, height: 30))
    let reader = try figure([header]) { picture, figure in
      picture.kinds = [KindDescription(name: "header", category: .supplementary, role: .header)]
      figure.text = { element in "Section \(element.identity.section)" }
    }
    let text = reader.all("text")[0]
    #expect(text.text == "Section 1" && text.attributes["font-weight"] == "600")
    #expect(text.numbers("font-size") == [13])
    #expect(reader.all("rect", class: "hairline ink")[0].frame == [0, 39, 300, 1])
    // A page that ends in the header has no line.
    let page = try figure([header]) { picture, figure in
      picture.kinds = [KindDescription(name: "header", category: .supplementary, role: .header)]
      figure.text = { _ in "Section" }
      picture.extent = .rect(Rect(x: 0, y: 0, width: 300, height: 14))
    }
    #expect(page.all("rect", class: "hairline ink").isEmpty)
  }

  @Test func everyTextIsLegibleOnEveryFill() {
    for fill in 0...FigureFill.other {
      for isDark in [false, true] {
        let ground = FigureFill.colour(fill, isDark: isDark).hex
        let ink = FigureFill.ink(on: fill, isDark: isDark).hex
        #expect(Self.contrast(ground, ink) >= 4.5, "\(fill) \(ground) \(ink)")
      }
    }
    for (colours, isDark) in [(SVGColours.light, false), (.dark, true)] {
      let ground = FigureFill.ground(isDark: isDark).hex
      for ink in [colours.text, colours.soft] {
        #expect(Self.contrast(ground, ink.hex) >= 4.5)
      }
    }
  }

  /// The contrast of WCAG 2.2, from "#rrggbb".
  private static func contrast(_ one: String, _ other: String) -> Double {
    func luminance(_ hex: String) -> Double {
      let number = Int(hex.dropFirst(), radix: 16) ?? 0
      let parts = [16, 8, 0].map { shift -> Double in
        let part = Double(number >> shift & 0xFF) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05)
    return max(a, b) / min(a, b)
  }

  @Test func themesDifferInTheirRules() throws {
    let plain = try figure([Sample.cell(0, 0, 0, 100, 50)])
    #expect(plain.all("style").isEmpty)
    let auto = try figure([Sample.cell(0, 0, 0, 100, 50)]) { picture, _ in
      picture.style.theme = .auto
    }
    let cell = try #require(auto.all("rect").first { $0.text.isEmpty && $0.path.count > 2 })
    let names = (cell.attributes["class"] ?? "").split(separator: " ")
    let fill = try #require(names.first { $0.hasPrefix("f") }?.dropFirst())
    let dark = FigureFill.colour(Int(fill) ?? 0, isDark: true).hex
    #expect(auto.all("style")[0].text.contains(".f\(fill){fill:\(dark)}"))
  }

  @Test func numbersHaveASequentialScale() {
    let scale = ColourScale(title: "", values: ["0", "31", "", "16"], counts: [4])
    let fills = (0..<4).map { scale.fill(section: 0, item: $0) - FigureFill.sequential.lowerBound }
    // The last of 32 steps, and 16 / 31.
    #expect(fills[0] == 0 && fills[1] == 31 && fills[3] == 16)
    #expect(scale.fill(section: 0, item: 2) == FigureFill.neutral(1))
    #expect(scale.range?.low == "0" && scale.range?.high == "31" && scale.range?.middle == nil)
  }

  /// Common spellings of missing numbers.
  @Test func whatIsNoNumberHasNoColour() {
    for text in ["NaN", "nan", "NA", "n/a", "null", "None", "inf", ""] {
      let scale = ColourScale(title: "", values: ["0", text, "31"], counts: [3])
      #expect(scale.fill(section: 0, item: 1) == FigureFill.neutral(1), "\(text)")
      #expect(scale.range?.high == "31" && scale.categories.isEmpty)
    }
    let words = ColourScale(title: "", values: ["NaN", "NA"], counts: [2])
    #expect(words.range == nil && words.categories.count == 2)
  }

  @Test func equalNumbersHaveNoRange() {
    let scale = ColourScale(title: "", values: ["3", "", "3"], counts: [3])
    #expect(scale.range == nil && scale.categories.map(\.name) == ["3"])
    #expect(scale.categories.map(\.fill) == [scale.fill(section: 0, item: 2)])
  }

  @Test func numbersAroundZeroDivergeFromTheMiddle() {
    let scale = ColourScale(title: "", values: ["-1", "0", "4"], counts: [2, 1])
    let start = FigureFill.diverging.lowerBound
    // From -4 to 4 in 33 steps: -1 is at 3/8 of them.
    #expect(scale.fill(section: 0, item: 0) == start + 12)
    #expect(scale.fill(section: 0, item: 1) == start + 16)
    #expect(scale.fill(section: 1, item: 0) == start + 32)
    #expect(scale.range?.middle == "0")
  }

  @Test func theMostFrequentCategoriesHaveColours() {
    let letters = ["b", "a", "a"] + "cdefghijk".map { "\($0)" }
    let scale = ColourScale(title: "", values: letters, counts: [letters.count])
    #expect(scale.categories.map(\.name) == ["a", "b", "c", "d", "e", "f", "g", "h", "other"])
    #expect(scale.fill(section: 0, item: 1) == FigureFill.category(0))
    #expect(scale.fill(section: 0, item: 11) == FigureFill.other)
  }

  @Test func datesAreNumbers() {
    let scale = ColourScale(title: "", values: ["2020-01-01", "2020-01-03"], counts: [2]) {
      Double($0.suffix(2))
    }
    #expect(scale.range?.low == "2020-01-01" && scale.range?.high == "2020-01-03")
    #expect(scale.fill(section: 0, item: 0) == FigureFill.sequential.lowerBound)
  }

  @Test(
    arguments: [
      (0, "0"), (9999, "9999"), (10_000, "10k"), (12_345, "12.3k"), (999_600, "1M"),
      (-2_500_000, "-2.5M"), (123_456_789, "123M"), (3.25, "3.25"), (7.8e12, "7.8T"),
    ] as [(Double, String)])
  func captionsHaveThreeDigits(number: Double, text: String) {
    #expect(number.compactText == text)
  }

  @Test func pageOfAFigureHasNoScript() throws {
    var picture = Sample.picture([Sample.cell(0, 0, 0, 100, 50)])
    var figure = Figure()
    figure.title = "A <title>"
    let page = FigurePicture(picture, figure).html()
    #expect(page.contains("<title>A &lt;title&gt;</title>") && !page.contains("<script"))
    #expect(page.contains("<svg") && page.contains("prefers-color-scheme"))
    // A layout that scrolls sideways also does in the page.
    let limit = "body > svg { display: block; max-width: 100%"
    #expect(page.contains(limit))
    picture.contentSize.width = 376
    #expect(!FigurePicture(picture, figure).html().contains(limit))
  }
}
