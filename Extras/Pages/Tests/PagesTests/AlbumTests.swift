import Foundation
import Testing

@Suite(
  .enabled(
    if: FixedPictures.areReadable,
    "this machine lacks gdk-pixbuf or its loaders of WebP and AVIF; Extras/Pages/setup installs them"
  ))
struct AlbumTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 1...3 {
      try folder.write("trip/\(number).png", PNG.bytes(width: 3000, height: 40 + number))
      try folder.write("trip/garden/\(number).png", PNG.bytes(width: 400, height: 300))
    }
    let camera = Built.fixtures.appendingPathComponent("metadata/exif.jpg")
    try folder.write("trip/4.jpg", Array(try Data(contentsOf: camera)))
    return folder
  }

  private func album(_ folder: TemporaryFolder, _ arguments: String...) throws -> ProgramResult {
    try Program.tessera(
      arguments + ["-o", "site"], as: "tessera-album", in: folder)
  }

  // Copies are 320, 640 and 1280 pixels wide if the picture is wider; the large one at most 2048.
  @Test func everythingIsInTheSite() throws {
    let folder = try folder()
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let result = try album(folder, "trip", "--title", "Sum & mer")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(after.filter { $0 != "site" && !$0.hasPrefix("site/") } == before)
    let copies = after.filter { $0.hasPrefix("site/pictures/") }
    #expect(copies.count == 3 * 4 + 3 * 2 + 1, "\(copies)")
    #expect(copies.count { $0.hasSuffix("-2048.webp") } == 3)
    let page = try folder.read("site/index.html")
    #expect(page.contains("<title>Sum &amp; mer</title>"))
    let links = page.matches(of: /(?:src|href)="([^"#]+)"/).map { String($0.1) }
    #expect(links.count >= 14)
    for link in links { #expect(after.contains("site/\(link)"), "\(link)") }
    #expect(page.contains(">trip</li>") && page.contains(">garden</li>"))
    // The next run keeps all copies.
    let dates = try copies.map { try folder.modified($0) }
    #expect(try album(folder, "trip").status == 0)
    #expect(try copies.map { try folder.modified($0) } == dates)
    #expect(try folder.read("site/index.html").contains("<title>trip</title>"))
  }

  /// What the camera wrote into the file is in no copy.
  @Test func copiesSayNothingOfTheirOrigin() throws {
    let folder = try folder()
    let original = try folder.bytes("trip/4.jpg")
    #expect(Data(original).firstRange(of: Data("Boats on the lake".utf8)) != nil)
    #expect(try album(folder, "trip").status == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("site/pictures")) {
      let bytes = Data(try folder.bytes("site/pictures/\(name)"))
      for text in ["Exif", "EXIF", "XMP ", "Boats"] {
        #expect(bytes.firstRange(of: Data(text.utf8)) == nil, "\(name) has \(text)")
      }
    }
  }

  @Test func optionsOfAlbums() throws {
    let folder = try folder()
    let captioned = try album(folder, "trip", "--captions", "--originals", "link")
    #expect(captioned.status == 0, "\(captioned.errors)")
    let page = try folder.read("site/index.html")
    #expect(page.contains("Boats on the lake"))
    #expect(page.contains("<img class=\"large\" src=\"../trip/1.png\""))
    #expect(!page.contains("-2048.webp"))
    #expect(try album(folder, "trip", "--sort", "date", "--large", "640").status == 0)
    let sorted = try folder.read("site/index.html")
    let ids = sorted.matches(of: /<img src="pictures\/([^"]+)-[0-9a-f]{8}-(\d+)\./)
      .map { "\($0.1) \($0.2)" }
    #expect(ids.prefix(3) == ["1 640", "2 640", "3 640"] && ids[3].hasPrefix("4 "), "\(ids)")
    for (arguments, sentence) in [
      (["--large", "10"], "--large is 10; give 320 to 16384"),
      (["--engine", "nowhere"], "nowhere"),
    ] {
      let result = try Program.tessera(
        ["trip", "-o", "x"] + arguments, as: "tessera-album", in: folder)
      #expect([64, 66].contains(result.status) && result.errors.contains(sentence))
      #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }
    let empty = try Program.tessera(["nowhere", "-o", "x"], as: "tessera-album", in: folder)
    #expect(
      empty.status == 66 && empty.errors.hasPrefix("tessera: nowhere: there is no such folder"))
  }

  private func pages(
    _ folder: TemporaryFolder, _ arguments: String...
  ) throws -> (count: Int, info: String, text: String) {
    let result = try Program.tessera(
      ["trip", "-o", "x.pdf"] + arguments, as: "tessera-sheet", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let info = try Program.run("pdfinfo", [folder.path("x.pdf")]).output
    let text = try Program.run("pdftotext", [folder.path("x.pdf"), "-"]).output
    let count = info.firstMatch(of: /Pages: +(\d+)/).flatMap { Int($0.1) }
    return (count ?? 0, info, text)
  }

  @Test(
    .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"))
  func sheetsArePagesOfPaper() throws {
    let folder = try TemporaryFolder()
    for number in 1...70 {
      try folder.write("trip/photo-\(number).png", PNG.bytes(width: 40, height: 30))
    }
    let plain = try pages(folder)
    // Four of 4 : 3 in a row of 510 points are 90 high: seven rows on a page of 757 points.
    #expect(plain.count == 3, "\(plain.info)")
    #expect(plain.info.contains("595.276 x 841.89 pts (A4)") && !plain.text.contains("photo"))
    let named = try pages(folder, "--names", "--title", "Summer", "--paper", "a5")
    #expect(named.info.contains("419.528 x 595.276 pts"))
    #expect(named.text.contains("Summer") && named.text.contains("photo-70"))
    // The next larger size would need two pages.
    #expect(try pages(folder, "--fit-page").count == 1)
    let sizes = try Program.run("pdfimages", ["-list", folder.path("x.pdf")]).output
    #expect(sizes.split(separator: "\n").count { $0.contains(" image ") } == 70)
    let wrong = try Program.tessera(["trip", "-o", "x.png"], as: "tessera-sheet", in: folder)
    #expect(wrong.status == 64 && wrong.errors.contains("give a name that ends with .pdf"))
  }

  /// A picture of 3000 × 41 pixels is as wide as the paper within its margins, 510 points or 7.09
  /// inches.
  @Test(
    .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"))
  func resolutionIsThatOfTheOption() throws {
    let folder = try TemporaryFolder()
    try folder.write("trip/1.png", PNG.bytes(width: 3000, height: 1500))
    func width(_ dpi: String) throws -> Int {
      _ = try pages(folder, "--dpi", dpi, "--fit-page")
      let list = try Program.run("pdfimages", ["-list", folder.path("x.pdf")]).output
      let row = list.split(separator: "\n").first { $0.contains(" image ") }
      return row.flatMap { Int($0.split(separator: " ")[3]) } ?? 0
    }
    let (low, high) = (try width("72"), try width("144"))
    #expect(low > 300 && abs(high - 2 * low) <= 2, "\(low) \(high)")
  }
}

extension TemporaryFolder {
  fileprivate func modified(_ name: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.modificationDate] as? Date
  }
}
