import Foundation
import Testing

@Suite(
  .enabled(
    if: MetadataPictures.areReadable,
    "this machine lacks gdk-pixbuf or its loaders of WebP, AVIF and HEIF; Extras/Pages/setup installs them"
  ))
struct PictureMetadataTests {
  private func svg(_ arguments: String...) throws -> String {
    let result = try Program.figure(
      ["flow", "--images", MetadataPictures.folder, "--format", "svg"] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result.output
  }

  private func titles(_ drawing: String) -> [String] {
    drawing.matches(of: /<title>([^<]*)<\/title>/).map { String($0.1) }
  }

  // The oracle is texts.csv: Pillow and ExifTool wrote the texts, differently for each format.
  @Test func textsAreThoseThatTheFilesSay() throws {
    for (option, place) in [("caption", 4), ("date", 3)] {
      let expected = MetadataPictures.rows.map { row in
        let text = row[place].replacing("&", with: "&amp;").replacing("<", with: "&lt;")
          .replacing(">", with: "&gt;")
        return "\(row[0].split(separator: ".").first ?? "")\(text.isEmpty ? "" : " \(text)")"
      }
      #expect(titles(try svg("--caption", option)) == expected)
    }
    let names = MetadataPictures.rows.map { row in
      "\(row[0].split(separator: ".").first ?? "") \(row[0])"
    }
    #expect(titles(try svg("--caption", "file")) == names)
  }

  @Test func sizesAreThoseOfThePicturesAsTheyAreShown() throws {
    let result = try Program.figure(
      "flow", "--images", MetadataPictures.folder, "--bounds", "1000x1000", "--format",
      "csv")
    // category,kind,section,item,x,y,width,height,…
    let found = result.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[6...7].map(String.init)
    }
    #expect(found == MetadataPictures.rows.map { Array($0[1...2]) })
  }

  private func page(_ folder: TemporaryFolder, _ arguments: String...) throws -> String {
    let all = ["grid", "--images", MetadataPictures.folder, "-o", "x.html"] + arguments
    let result = try Program.figure(all, in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try folder.read("x.html")
  }

  private func images(_ page: String) -> [(alternative: String, address: String)] {
    page.matches(of: /<img src="([^"]*)"[^>]* alt="([^"]*)"/).map { (String($0.2), String($0.1)) }
  }

  @Test func picturesSayWhatTheyShow() throws {
    let folder = try TemporaryFolder()
    let plain = images(try page(folder)).map(\.alternative)
    let rows = MetadataPictures.rows
    #expect(plain.count == rows.count)
    let place = try #require(rows.firstIndex { $0[0] == "exif.jpg" })
    let blank = try #require(rows.firstIndex { $0[0] == "blank.jpg" })
    #expect(plain[place] == "Boats on the lake" && plain[blank] == "blank")
    let dated = images(try page(folder, "--caption", "date")).map(\.alternative)
    #expect(dated[place] == "Boats on the lake, 2024-05-03 14:22" && dated[blank] == "blank")
  }

  // A grid of 50 points with a gap of 20, and one of 10.
  @Test func captionsAreBelowOrOver() throws {
    let folder = try TemporaryFolder()
    func captions(_ spacing: String, _ more: String...) throws -> [Bool] {
      let arguments = ["--set", "spacing=\(spacing)", "--bounds", "300x300"] + more
      let all = ["grid", "--images", MetadataPictures.folder, "-o", "x.html"] + arguments
      #expect(try Program.figure(all, in: folder).status == 0)
      let page = try folder.read("x.html")
      return [
        page.contains(".cell .caption { display: block; top: 100% }"),
        page.contains("linear-gradient"),
      ]
    }
    #expect(try captions("20", "--caption", "file") == [true, false])
    #expect(try captions("10", "--caption", "file") == [false, true])
    #expect(try captions("20") == [true, false])
    #expect(try captions("10") == [false, false])
  }

  @Test func aFigureDarkensPicturesUnderCaptions() throws {
    let more = ["--item", "size=120,90", "--set", "minimumLineSpacing=4"]
    let arguments =
      ["flow", "--images", MetadataPictures.folder, "--format", "svg"] + more
    let count = MetadataPictures.rows.count
    let over = try Program.figure(arguments + ["--caption", "file"]).output
    #expect(over.matches(of: /fill="url\(#shade\)"/).count == count)
    #expect(over.contains(">exif.heic</text>"))
    let without = try Program.figure(arguments).output
    #expect(!without.contains("#shade") && !without.contains("exif.heic"))
  }

  @Test func whatBrowsersDoNotShowIsConverted() throws {
    let folder = try TemporaryFolder()
    let rows = MetadataPictures.rows
    let hidden = ["heic", "tif", "dng", "raf", "cr3"]
    func isHidden(_ place: Int) -> Bool {
      hidden.contains { rows[place][0].hasSuffix(".\($0)") }
    }
    for (place, image) in images(try page(folder)).enumerated() {
      #expect(image.address.hasPrefix("data:image/jpeg") == isHidden(place), "\(rows[place][0])")
    }
    // A full-size copy is also the large view.
    let linked = try page(folder, "--thumbnails", "t")
    #expect(!linked.contains("src=\"data:"))
    let place = try #require(rows.firstIndex { $0[0] == "exif.heic" })
    #expect(images(linked)[place].address.contains(/^t\/exif-[0-9a-f]{8}-64\.webp$/))
    #expect(linked.contains(/<img class="large" src="t\/exif-[0-9a-f]{8}-64\.webp"/))
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("t"))
    #expect(made.count == rows.indices.count(where: isHidden))
  }

  @Test func rawFilesBesideTheirPicturesAreLeftOut() throws {
    let folder = try TemporaryFolder()
    func copy(_ name: String, _ copy: String) throws {
      let path = "\(MetadataPictures.folder)/\(name)"
      try folder.write(copy, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    try copy("exif.jpg", "p/a.jpg")
    try copy("camera.dng", "p/a.DNG")
    try copy("camera.dng", "p/b.dng")
    let result = try Program.figure(
      "flow", "--images", "p", "--format", "csv", in: folder)
    #expect(result.output.contains(",p/a.jpg\n") && result.output.contains(",p/b.dng\n"))
    #expect(!result.output.contains("a.DNG"))
    #expect(
      result.errors
        == "tessera: p: 1 RAW file not read, with another picture of the same name beside it\n"
    )
    try copy("exif.jpg", "q/c.jpg")
    try folder.write("q/d.nef", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    try folder.write("q/e.raf", Array("FUJIFILMCCD-RAW 0201".utf8))
    let broken = try Program.figure(
      "flow", "--images", "q", "--format", "csv", in: folder)
    #expect(broken.status == 0)
    #expect(broken.errors.contains("q/d.nef is left out: "))
    #expect(
      broken.errors.contains(
        "q/e.raf is left out: it is the RAW file of a camera, and has no preview in it"))
  }

  @Test func aProblemOfManyFilesIsReportedOnce() throws {
    let folder = try TemporaryFolder()
    for number in 1...12 { try folder.write("p/\(number).heic", "no picture") }
    let result = try Program.figure("flow", "--images", "p", in: folder)
    #expect(result.status == 66)
    #expect(
      result.errors.contains("p/1.heic and 11 others are left out: it is no PNG, JPEG, GIF"),
      "\(result.errors)")
  }
}

/// Pictures with captions.
///
/// Pillow 13.0.0 and pillow-heif 1.8.1 wrote the pictures and their EXIF, ExifTool 12.57 the IPTC
/// and XMP, and ImageMagick 6.9.11 the TIFF of the other byte order. The RAW files follow the
/// published layouts of DNG, RAF and CR3; ExifTool finds the same previews in them.
private enum MetadataPictures {
  static let folder = Built.fixtures.appendingPathComponent("metadata")
    .path

  /// name,width,height,date,caption, in the order of the names.
  static let rows: [[String]] = {
    let table = (try? String(contentsOfFile: "\(folder)/texts.csv", encoding: .utf8)) ?? ""
    return table.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
      return fields.map { $0.trimmingCharacters(in: ["\""]) }
    }
  }()

  static let areReadable =
    (try? Program.figure(
      "flow", "--images", "\(folder)/exif.{webp,avif,heic}", "--format", "csv"
    ).output.split(separator: "\n").count) == 4
}
