import Foundation
import Testing

@Suite(
  .enabled(
    if: FixedPictures.areReadable,
    "this machine lacks gdk-pixbuf or its loaders of WebP and AVIF; Extras/Pages/setup installs them"
  ))
struct PictureItemTests {
  private func rows(_ arguments: String..., in folder: TemporaryFolder? = nil) throws -> [[String]]
  {
    let result = try Program.figure(
      arguments + ["--format", "csv"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  // The oracle is Pillow, by sizes.csv: each orientation of JPEG, WebP, AVIF.
  @Test func sizesAreThoseOfThePicturesAsTheyAreShown() throws {
    let table = try String(contentsOfFile: "\(FixedPictures.folder)/sizes.csv", encoding: .utf8)
    let expected = table.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").map(String.init)
    }
    let found = try rows("flow", "--images", FixedPictures.folder, "--bounds", "1000x1000")
    // category,kind,section,item,x,y,width,height,zIndex,alpha,hidden,label,image
    let files = found.map { [String($0[12].split(separator: "/").last ?? ""), $0[6], $0[7]] }
    #expect(files == expected)
    #expect(found.map { $0[11] } == expected.map { String($0[0].split(separator: ".")[0]) })
  }

  @Test func numbersInNamesAreOrderedByValue() throws {
    let folder = try TemporaryFolder()
    for name in ["10.png", "9.png", "a2b10.png", "a2b9.png", "a02b1.png", "B.png", ".hidden.png"] {
      try folder.write("p/\(name)", PNG.bytes(width: 2, height: 1))
    }
    try folder.write("p/notes.txt", "no picture")
    let names = try rows("flow", "--images", "p", in: folder).map { $0[11] }
    #expect(names == ["9", "10", "B", "a02b1", "a2b9", "a2b10"])
  }

  @Test func aPatternSelectsFiles() throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "b.png", "c.gif"] {
      try folder.write(name, PNG.bytes(width: 2, height: 1))
    }
    #expect(try rows("flow", "--images", "*.png", in: folder).map { $0[12] } == ["a.png", "b.png"])
    // Contents decide, not the extension.
    #expect(try rows("flow", "--images", "c.gif", in: folder).map { $0[12] } == ["c.gif"])
  }

  /// Pictures have at most a third of the width, strips follow it; on paper, four are in a row.
  @Test func picturesInFiguresHaveRoomThatSuitsThem() throws {
    let folder = try TemporaryFolder()
    for item in 0..<8 { try folder.write("\(item).png", PNG.bytes(width: 1000, height: 500)) }
    func frames(_ engine: String, _ options: String...) throws -> [[Double]] {
      let result = try Program.figure(
        [engine, "--images", "*.png", "-o", "x.svg"] + options, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let text = try String(contentsOfFile: folder.path("x.svg"), encoding: .utf8)
      return text.matches(
        of: /<image [^>]*x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"/
      ).map { [$0.1, $0.2, $0.3, $0.4].compactMap { Double($0) } }
    }
    #expect(try frames("flow", "--bounds", "400x600").map { $0[2] }.max() == 120)
    #expect(try frames("flow", "--bounds", "4000x600").map { $0[2] }.max() == 240)
    #expect(
      try frames("flow", "--bounds", "400x600", "--set", "itemSize=90,90").map { $0[2] }.max() == 90
    )
    #expect(try frames("mosaic", "--bounds", "1200x600")[0] == [0, 1, 1200, 360])
    #expect(try frames("mosaic", "--bounds", "300x600")[0] == [0, 1, 300, 200])
    #expect(
      try frames("mosaic", "--bounds", "1200x600", "--set", "segmentHeight=50")[0][3] == 50)
    #expect(
      try rows("mosaic", "--images", "*.png", "--bounds", "1200x600", in: folder)[0][7] == "200")
  }

  @Test func sizesAreScaledDownToTheBounds() throws {
    let folder = try TemporaryFolder()
    try folder.write("wide.png", PNG.bytes(width: 400, height: 200))
    try folder.write("tall.png", PNG.bytes(width: 100, height: 400))
    try folder.write("small.png", PNG.bytes(width: 30, height: 20))
    // Fits the size set by the user or a derived engine.
    let set = try rows("flow", "--images", "*.png", "--set", "itemSize=40,40", in: folder)
    #expect(set.map { [$0[6], $0[7]] } == [["30", "20"], ["10", "40"], ["40", "20"]])
    let given = try rows("cover-flow", "--images", "*.png", in: folder)
    #expect(given.map { [$0[6], $0[7]] } == [["30", "20"], ["45", "180"], ["180", "90"]])
    let found = try rows("flow", "--images", "*.png", "--bounds", "100x80", in: folder)
    // small unscaled; tall by 80/400; wide by 100/400.
    #expect(found.map { [$0[6], $0[7]] } == [["30", "20"], ["20", "80"], ["100", "50"]])
    let scaled = try rows(
      "flow", "--images", "*.png", "--item", "size=row.width/10,row.height/10", in: folder)
    #expect(scaled.map { [$0[6], $0[7]] } == [["3", "2"], ["10", "40"], ["40", "20"]])
  }

  @Test func brokenFilesAreReportedAndLeftOut() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: "\(FixedPictures.folder)/orientation-6.jpg"))
    try folder.write("p/bomb.png", PNG.bytes(width: 100_000, height: 100_000, hasPixels: false))
    try folder.write("p/cut.jpg", Array(whole.dropLast(40)))
    try folder.write("p/header.jpg", Array(whole.prefix(30)))
    try folder.write("p/empty.png", "")
    try folder.write("p/good.png", PNG.bytes(width: 4, height: 2))
    try folder.write("p/text.jpg", "This is no picture.")
    try folder.makeFolder("p/folder.png")
    for name in ["plain.gif", "plain.webp", "plain.avif", "plain.png"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(FixedPictures.folder)/\(name)"))
      try folder.write("p/cut-\(name)", Array(bytes.dropLast(9)))
    }
    let result = try Program.figure(
      "flow", "--images", "p", "--format", "csv", in: folder)
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 2)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 10, "\(result.errors)")
    for (name, reason) in [
      ("bomb.png", "it has 100000 × 100000 pixels, but a picture can have at most 268435456"),
      ("cut.jpg", "the file ends before the picture does"),
      ("header.jpg", "the file ends before the picture does"),
      ("empty.png", "it is empty"), ("folder.png", "it is no file"),
      ("text.jpg", "it is no PNG, JPEG, GIF, WebP, AVIF, HEIF, TIFF or RAW file of a camera"),
      ("cut-plain.gif", "the file ends before the picture does"),
      ("cut-plain.webp", "the file ends before the picture does"),
      ("cut-plain.avif", "the file ends before the picture does"),
      ("cut-plain.png", "the file ends before the picture does"),
    ] {
      #expect(lines.contains("tessera: p/\(name) is left out: \(reason)"), "\(name)")
    }
  }

  @Test(
    arguments: [
      (["--images", "p", "--recursive"], ["p", "b 2", "b 10", "b 10/deep"], [1, 1, 2, 1]),
      (["--images", "p/**/x*.png"], ["b 2", "b 10", "b 10/deep"], [1, 1, 1]),
      (["--images", "p", "--recursive", "--format", "svg"], ["p", "b 10/deep"], []),
    ] as [([String], [String], [Int])])
  func foldersAreSections(options: [String], names: [String], counts: [Int]) throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b 10/x1", "b 10/y", "b 2/x2", "b 10/deep/x3", ".hidden/x4", "b 10/.x5"] {
      try folder.write("p/\(name).png", PNG.bytes(width: 4, height: 2))
    }
    let result = try Program.figure(
      ["flow", "--set", "headerReferenceSize=0x30"]
        + (options.contains("svg") ? [] : ["--format", "csv"]) + options, in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let cells = result.output.split(separator: "\n").filter { $0.hasPrefix("cell") }
    for (section, count) in counts.enumerated() {
      #expect(cells.count { $0.hasPrefix("cell,,\(section),") } == count)
    }
    if counts.isEmpty { for name in names { #expect(result.output.contains(">\(name)</text>")) } }
  }

  @Test func unreadFoldersAreMentioned() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "d/e"] {
      try folder.write("p/\(name).png", PNG.bytes(width: 4, height: 2))
    }
    let result = try Program.figure(
      "flow", "--images", "p", "--format", "csv", in: folder)
    #expect(
      result.errors
        == "tessera: p: 2 subfolders not read; give --recursive to read them\n")
  }

  @Test func nothingThatIsAPictureIsAnError() throws {
    let folder = try TemporaryFolder()
    try folder.write("text.jpg", "This is no picture.")
    try folder.makeFolder("empty")
    try folder.write("t.csv", "image\ntext.jpg\n")
    for (arguments, sentence) in [
      (["--images", "text.jpg"], "none of the files can be read as a picture"),
      (["--images", "empty"], "the folder has no file that ends like a picture, such as .jpg"),
      (["--images", "nowhere"], "there is no such folder, and no file matches"),
      (["--items-from", "t.csv"], "no file of column image can be read as a picture"),
    ] {
      let result = try Program.figure(["flow"] + arguments, in: folder)
      #expect(result.status == 66)
      #expect(result.errors.contains(sentence), "\(result.errors)")
    }
  }

  @Test func bracesStandForFewPatterns() throws {
    let folder = try TemporaryFolder()
    try folder.write("a1.png", PNG.bytes(width: 4, height: 2))
    let few = try Program.figure(
      "flow", "--images", "{a1,{b,c}}.{png,jpg}", "--format", "csv", in: folder)
    #expect(few.status == 0)
    let many = try Program.figure(
      "flow", "--images", String(repeating: "{a,b}", count: 25), in: folder)
    #expect(many.status == 64)
    #expect(many.errors.contains("the braces stand for more than 4096 patterns"))
  }

  @Test func aColumnOfATableHasPictures() throws {
    let folder = try TemporaryFolder()
    try folder.write("data/p/a.png", PNG.bytes(width: 60, height: 20))
    try folder.write("data/b.png", PNG.bytes(width: 20, height: 40))
    try folder.write("data/bad.png", "text")
    try folder.write(
      "data/t.csv",
      """
      section,image,label
      1,b.png,The second
      0,p/a.png,The first
      1,bad.png,The broken one
      1,,Without
      1,https://example.org/c.png,Elsewhere

      """)
    let result = try Program.figure(
      "aspect-flow", "--items-from", "data/t.csv", "--format", "csv", in: folder)
    #expect(result.status == 0)
    #expect(result.errors.contains("data/bad.png is left out: it is no PNG"))
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let label = try #require(rows[0].firstIndex(of: "label"))
    #expect(
      rows.dropFirst().map { [$0[2], $0[label], $0[label + 1]] } == [
        ["0", "The first", "p/a.png"], ["1", "The second", "b.png"], ["1", "Without", ""],
        ["1", "Elsewhere", "https://example.org/c.png"],
      ])
  }

  @Test func anOptionThatReplacesPicturesSaysSo() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/a.png", PNG.bytes(width: 60, height: 20))
    let result = try Program.figure(
      "aspect-flow", "--images", "p", "--item", "aspectRatio=1", in: folder)
    #expect(
      result.errors.contains("--item aspectRatio replaces the column image of --images p"),
      "\(result.errors)")
    let both = try Program.figure(
      "flow", "--images", "p", "--items", "3", in: folder)
    #expect(both.status == 64)
  }

  // In a cell of 140 × 140, aspect-flow puts a picture of 20 × 12 at 0, 28 with 140 × 84.
  @Test func svgShowsPicturesWhereTheEnginePutsThem() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/a b#ü.png", PNG.bytes(width: 20, height: 12))
    try folder.makeFolder("out")
    func svg(_ engine: String, _ more: String...) throws -> String {
      let result = try Program.figure(
        [engine, "--images", "p", "-o", "out/x.svg"] + more, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      return try folder.read("out/x.svg")
    }
    let link = "href=\"../p/a%20b%23%C3%BC.png\""
    #expect(
      try svg("aspect-flow").contains(
        "<image class=\"image\" x=\"13\" y=\"41\" width=\"140\" height=\"84\" \(link) "
          + "preserveAspectRatio=\"xMidYMid slice\""))
    let values = ["cover": "xMidYMid slice", "contain": "xMidYMid meet", "fill": "none"]
    for (fit, value) in values {
      let drawn = try svg("grid", "--fit", fit)
      #expect(drawn.contains("\(link) preserveAspectRatio=\"\(value)\""))
      #expect(drawn.contains("<title>a b#ü</title>"))
    }
  }

  // In a cell of 10 × 6 a picture of 40 × 24 is embedded with 20 × 12 pixels; a translucent one is
  // PNG.
  @Test func picturesAreEmbeddedInTwiceTheirSize() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/a.png", PNG.bytes(width: 40, height: 24, alpha: 128))
    try folder.write("p/b.png", PNG.bytes(width: 40, height: 24))
    for format in ["svg", "html"] {
      let result = try Program.figure(
        "flow", "--images", "p", "--item", "size=10x6", "--embed", "--bounds", "100x100",
        "--format", format, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let found = result.output.matches(of: /data:image\/(png|jpeg);base64,([A-Za-z0-9+\/=]+)/)
      #expect(found.map { String($0.1) } == ["png", "jpeg"])
      let bytes = try found.map { try #require(Data(base64Encoded: String($0.2))) }
      // Width and height at their fixed place in the header.
      #expect(Array(bytes[0][16..<24]) == [0, 0, 0, 20, 0, 0, 0, 12])
      let frame = try #require(bytes[1].firstRange(of: Data([0xFF, 0xC0])))
      #expect(Array(bytes[1][(frame.lowerBound + 5)..<(frame.lowerBound + 9)]) == [0, 12, 0, 20])
      #expect(!result.output.contains("a.png\""))
    }
  }

  private func names(_ folder: TemporaryFolder, _ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
  }

  private func webpSize(_ folder: TemporaryFolder, _ path: String) throws -> [Int] {
    let bytes = try folder.bytes(path)
    #expect(bytes.starts(with: Array("RIFF".utf8)) && bytes[8..<12].elementsEqual("WEBP".utf8))
    func number(_ place: Int) -> Int { Int(bytes[place + 1]) << 8 | Int(bytes[place]) }
    if bytes[12..<16].elementsEqual("VP8X".utf8) { return [number(24) + 1, number(27) + 1] }
    #expect(bytes[12..<16].elementsEqual("VP8 ".utf8))
    return [number(26) & 0x3FFF, number(28) & 0x3FFF]
  }

  // A picture of 1400 × 700 has copies at that ratio; one of 640 has one copy and itself; one of
  // 300 has no copies.
  @Test func smallerCopiesAreMadeOnce() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/a b.png", PNG.bytes(width: 1400, height: 700))
    try folder.write("p/c.png", PNG.bytes(width: 640, height: 300))
    try folder.write("p/d.png", PNG.bytes(width: 300, height: 300))
    let arguments = [
      "grid", "--images", "p", "-o", "x.html", "--thumbnails", "t/small", "--widths",
      "400,900",
    ]
    let first = try Program.figure(arguments, in: folder)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
    let made = try names(folder, "t/small")
    #expect(made.count == 4)
    let sizes = try made.map { try webpSize(folder, "t/small/\($0)") }
    #expect(Set(sizes) == [[320, 160], [640, 320], [1280, 640], [320, 150]])
    let page = try folder.read("x.html")
    let sets = page.matches(of: /srcset="([^"]*)"/).map { String($0.1) }
    #expect(sets.count == 2)
    #expect(
      sets[0].matches(of: /t\/small\/a%20b-[0-9a-f]{8}-\d+\.webp (\d+)w/).map { $0.1 } == [
        "320", "640", "1280",
      ])
    #expect(sets[1].hasSuffix(", p/c.png 640w"))
    // √(400·900) = 600.
    #expect(page.contains(/sizes="\(min-width: 600px\) min\([0-9.]+vw, [0-9]+px\), min\(/))
    #expect(page.contains("<img class=\"large\" src=\"p/a%20b.png\""))
    #expect(page.contains("<img src=\"p/d.png\" alt=\"d\""))

    func times() throws -> [Date] {
      try made.map { name in
        let path = folder.path("t/small/\(name)")
        return try #require(
          FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
      }
    }
    let before = try times()
    #expect(try Program.figure(arguments, in: folder).status == 0)
    #expect(try times() == before)
    let old = Date(timeIntervalSince1970: 1_000_000)
    let path = folder.path("t/small/\(made[0])")
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    #expect(try Program.figure(arguments, in: folder).status == 0)
    let after = try times()
    #expect(after[0] > old && Array(after.dropFirst()) == Array(before.dropFirst()))
    #expect(try folder.read("x.html") == page)
  }

  // Default widths; they change at their geometric means: √(375·768) = 536.7 and so on.
  @Test func aPageHasSeveralWidths() throws {
    let folder = try TemporaryFolder()
    for number in 1...9 {
      try folder.write("My <p>/\(number).png", PNG.bytes(width: 30, height: 20))
    }
    let arguments = ["aspect-flow", "--images", "My <p>", "-o", "x.html"]
    #expect(try Program.figure(arguments, in: folder).status == 0)
    let page = try folder.read("x.html")
    #expect(page.contains("<title>My &lt;p&gt;</title>"))
    #expect(page.matches(of: /@media \(width/).count == 4)
    for edge in [537, 991, 1568] { #expect(page.contains("(width >= \(edge)px)")) }
    let attributes = "width=\"30\" height=\"20\" loading=\"lazy\" decoding=\"async\">"
    for number in 1...9 {
      #expect(
        page.contains("<img src=\"My%20%3Cp%3E/\(number).png\" alt=\"\(number)\" \(attributes)"))
    }
    #expect(!page.contains(" style="))

    #expect(try Program.figure(arguments + ["--widths", "300,600"], in: folder).status == 0)
    let two = try folder.read("x.html")
    #expect(two.matches(of: /@media \(width/).count == 2)
    #expect(two.contains("(width >= 424px)"))
    #expect(try Program.figure(arguments + ["--bounds", "300x500"], in: folder).status == 0)
    #expect(try !folder.read("x.html").contains("@media (width"))
    try folder.write("s.json", "{\"bounds\": [300, 500]}")
    let note = "the page has one width, 300, since the scenario has bounds; give --widths"
    for (more, isNoted) in [
      ([], true), (["--bounds", "300x500"], false), (["--widths", "300"], false),
    ] {
      let result = try Program.figure(arguments + ["--scenario", "s.json"] + more, in: folder)
      #expect(result.status == 0 && result.errors.contains(note) == isNoted, "\(result.errors)")
    }

    let without = try Program.figure(
      "flow", "--widths", "300,600", "-o", "x.html", in: folder)
    #expect(without.status == 64)
    #expect(without.errors.contains("--widths is for a page with pictures"))
    for widths in ["", "0", "300,300", "300,x"] {
      #expect(try Program.figure(arguments + ["--widths", widths], in: folder).status == 64)
    }
  }

  // The browser's places equal the command's, at three widths, in light and dark, with and without
  // scripts.
  @Test(
    .enabled(
      if: Browser.isPresent, "no chromium with Playwright; Extras/Pages/setup --tests installs both"
    ))
  func whatTheBrowserShowsIsWhatTheCommandGives() throws {
    let result = try Program.run(
      Browser.python.path,
      ["\(FixedPictures.folder)/browser.py", Built.command.path, FixedPictures.folder])
    #expect(result.status == 0, "\(result.output)\n\(result.errors)")
  }
}

extension PictureItemTests {
  /// Sixty cells of 80 × 100, 20 apart, five to a row of 510 points: of rows of 120 points, six and
  /// the title fit on the first page's 757 points.
  @Test(
    .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"))
  func contactSheetsArePagesOfPaper() throws {
    let folder = try TemporaryFolder()
    let pictures = FixedPictures.folder
    let names = try FileManager.default.contentsOfDirectory(atPath: pictures)
      .filter { $0.hasSuffix(".jpg") }.sorted()
    try #require(names.count >= 2)
    let rows = (0..<60).map {
      "\(pictures)/\(names[$0 % 2]),number \($0),\($0 < 40 ? "North" : "South")"
    }
    try folder.write("t.csv", "image,label,section\n" + rows.joined(separator: "\n") + "\n")
    let arguments = [
      "grid", "--items-from", "t.csv", "--set", "itemSize=80,100", "--set",
      "spacing=20", "--title", "Sheet", "--paper", "a4", "-o", "x.pdf",
    ]
    let result = try Program.figure(arguments, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let info = try Program.run("pdfinfo", [folder.path("x.pdf")]).output
    #expect(info.contains("595.276 x 841.89 pts (A4)"))
    #expect(info.contains(/Pages: +2\n/))
    for page in 1...2 {
      let text = try Program.run(
        "pdftotext", ["-f", "\(page)", "-l", "\(page)", folder.path("x.pdf"), "-"]
      ).output
      #expect(text.filter { $0 != " " }.contains("\n\(page)/2\n"))
      #expect(text.contains("Sheet") == (page == 1))
      #expect(text.matches(of: /number \d+/).count == 30)
    }
    // Title, section names and pictures with names share a left edge: 15 mm.
    let rooms = [
      "--set", "minimumLineSpacing=20", "--title", "Sheet", "--paper", "a4", "-o", "y.pdf",
    ]
    let edges = ["justified", "--items-from", "t.csv"] + rooms
    #expect(try Program.figure(edges, in: folder).status == 0)
    let words = try Program.run("pdftotext", ["-bbox", "-l", "1", folder.path("y.pdf"), "-"]).output
    let lefts = words.matches(of: /xMin="([0-9.]+)".*>(Sheet|North|number)</).map { Double($0.1) }
    #expect(Set(words.matches(of: />(Sheet|North|number)</).map { String($0.1) }).count == 3)
    #expect(lefts.prefix(3).allSatisfy { abs(($0 ?? 0) - 42.52) < 1.5 }, "\(lefts.prefix(3))")
    #expect(try Program.figure(arguments.dropLast() + ["x.png"], in: folder).status == 0)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
      .filter { $0.hasSuffix(".png") }
    #expect(pages.sorted() == ["x-1.png", "x-2.png"])
    let png = try Data(contentsOf: URL(filePath: folder.path("x-2.png")))
    #expect(Array(png[16..<24]) == [0, 0, 4, 167, 0, 0, 6, 148])
    let nowhere = try Program.figure(arguments.dropLast(2) + ["--format", "png"], in: folder)
    #expect(nowhere.status == 64 && nowhere.errors.contains("--paper writes a png for each page"))
    let svg = try Program.figure(arguments.dropLast() + ["x.svg"], in: folder)
    #expect(svg.status == 64 && svg.errors.contains("--paper is for pdf and png, not for svg"))
  }

  /// A timetable and a treemap fit one page.
  ///
  /// With hours of 60 points, a day needs more than two pages, and each repeats the days.
  @Test(
    .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"))
  func daysAreRepeatedAndOnePageIsOne() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "week.csv",
      "label,start,end\nReview,2026-05-06T14:00,2026-05-06T15:15\nCall,2026-05-04T09:30,2026-05-04T09:45\n"
    )
    try folder.write("t.csv", "label,weight,bytes\nlarge,3,2048\nsmall,1,500\n")
    func pages(_ arguments: [String]) throws -> [Substring] {
      let result = try Program.figure(
        arguments + ["--title", "Sheet", "--paper", "a4", "-o", "x.pdf"], in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let text = try Program.run("pdftotext", [folder.path("x.pdf"), "-"]).output
      return text.split(separator: "\u{C}")
    }
    #expect(try pages(["timetable", "--items-from", "week.csv"]).count == 1)
    let week = try pages(["timetable", "--items-from", "week.csv", "--set", "hourHeight=60"])
    #expect(week.count == 3)
    for page in week {
      #expect(page.contains("Mon 4 May") && page.contains("Wed 6 May"))
      #expect(!page.contains("(continued)"))
    }
    #expect(week[0].contains("Call") && week[1].contains("14:00–15:15"))
    let files = try pages(["treemap", "--items-from", "t.csv", "--color", "bytes"])
    #expect(files.count == 1)
    #expect(files[0].contains("2 KiB") && files[0].contains("500 B"))
  }

  /// 8,000,000 points at 757 per page need more than 10,000 pages.
  @Test func paperHasAnEnd() throws {
    let folder = try TemporaryFolder()
    let result = try Program.figure(
      "grid", "--items", "100000", "--set", "itemSize=80,800", "--bounds", "80x80",
      "--paper",
      "a4", "-o", "x.pdf", in: folder)
    #expect(result.status == 65)
    #expect(result.errors.contains("more than 10000 pages of a4; show less of the layout"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("x.pdf")))
  }
}

/// Written by Pillow, which also gave the displayed sizes.
enum FixedPictures {
  static let folder = Built.fixtures.appendingPathComponent("pictures")
    .path

  static let areReadable =
    (try? Program.figure(
      "flow", "--images", "\(folder)/*.{webp,avif}", "--format", "csv"
    ).output.split(separator: "\n").count) == 5
}

private enum Browser {
  static let python = Built.repository.appendingPathComponent(
    "Extras/Pages/.build/browser/bin/python")
  static let isPresent =
    (try? Program.run("chromium", ["--version"]).status) == 0
    && FileManager.default.isExecutableFile(
      atPath: python.deletingLastPathComponent().appendingPathComponent("playwright").path)
}

/// Independent of the libraries: stored blocks, no filter.
enum PNG {
  static func bytes(
    width: Int, height: Int, alpha: UInt8 = 255, hasPixels: Bool = true
  ) -> [UInt8] {
    var pixels: [UInt8] = []
    for row in 0..<(hasPixels ? height : 0) {
      pixels.append(0)
      for column in 0..<width {
        pixels += [UInt8(truncatingIfNeeded: column), UInt8(truncatingIfNeeded: row), 99, alpha]
      }
    }
    var packed: [UInt8] = [0x78, 0x01]
    var rest = pixels[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let length = UInt16(block.count)
      packed += [rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      packed += [UInt8(~length & 255), UInt8(~length >> 8)] + block
    } while !rest.isEmpty
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in pixels { (a, b) = ((a + UInt32(byte)) % 65_521, (a + UInt32(byte) + b) % 65_521) }
    packed += bigEndian(b << 16 | a)
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", packed) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return bigEndian(UInt32(data.count)) + body + bigEndian(~sum)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
