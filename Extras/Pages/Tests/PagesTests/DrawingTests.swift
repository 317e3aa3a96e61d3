import Foundation
import Testing

/// PNG and PDF, read by independent programs.
@Suite(
  .enabled(if: Librsvg.isPresent, "this machine lacks librsvg; Extras/Pages/setup installs it"))
struct DrawingTests {
  static let program = Librsvg.program

  /// One cell of 300 × 300 points: a picture of 348 × 416, with the cell at 24, 92.
  static let arguments = [
    "layout", "flow", "--items", "1", "--bounds", "300x300", "--set", "itemSize=300x300",
  ]

  private func draw(_ more: String..., in folder: TemporaryFolder) throws -> ProgramResult {
    try Program.tessera(Self.arguments + more, in: folder)
  }

  private func cellColour(_ svg: String) throws -> String {
    let cell = try #require(svg.firstMatch(of: /class="cell"[^>]* fill="(#\w+)"/))
    return "\(cell.1)ff"
  }

  private func read(_ path: String, _ points: String...) throws -> [String] {
    let script = Built.fixtures.appendingPathComponent("png.py").path
    let result = try Program.run("python3", [script, path] + points)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [1, 2, 3])
  func scaleIsThePixelsOfAPoint(scale: Int) throws {
    let folder = try TemporaryFolder()
    let scaling = ["--scale", "\(scale)"]
    let svg = try Program.tessera(Self.arguments + scaling + ["--format", "svg"], in: folder).output
    let result = try draw("--scale", "\(scale)", "-o", "x.png", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(try folder.names == ["x.png"])
    // A point of the cell beside its number, one of the sheet, and the transparent corner.
    let found = try read(
      folder.path("x.png"), "\(54 * scale),\(122 * scale)", "\(174 * scale),\(10 * scale)", "0,0")
    #expect(
      found == ["\(348 * scale) \(416 * scale)", try cellColour(svg), "#f5f6f8ff", "#00000000"])
  }

  @Test func svgFollowsItsViewer() throws {
    let folder = try TemporaryFolder()
    func svg(_ options: String...) throws -> String {
      try Program.figure(
        Self.arguments.dropFirst() + ["--wireframe"] + options + ["--format", "svg"], in: folder
      ).output
    }
    #expect(try svg().contains("prefers-color-scheme:dark"))
    #expect(try svg() == svg("--theme", "auto"))
    #expect(try !svg("--theme", "light").contains("prefers-color-scheme"))
  }

  @Test
  func pageHasThePointsOfThePicture() throws {
    let folder = try TemporaryFolder()
    let svg = try draw("--format", "svg", in: folder).output
    #expect(try draw("-o", "x.pdf", in: folder).status == 0)
    #expect(try Program.run("pdfinfo", [folder.path("x.pdf")]).output.contains("348 x 416 pts"))
    _ = try Program.run("pdftoppm", ["-r", "72", "-png", folder.path("x.pdf"), folder.path("x")])
    #expect(try read(folder.path("x-1.png"), "54,122") == ["348 416", try cellColour(svg)])
    // Reproducible on any day.
    let first = try Data(contentsOf: URL(fileURLWithPath: folder.path("x.pdf")))
    #expect(try draw("-o", "y.pdf", in: folder).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("y.pdf"))) == first)
  }

  @Test func momentOfAnAnimationIsDrawn() throws {
    let folder = try TemporaryFolder()
    let animation = ["transition", "flow", "grid", "--items", "4", "-o", "x.png"]
    let whole = try Program.tessera(animation, in: folder)
    #expect(whole.status == 64 && whole.errors.contains("png holds only one moment"))
    #expect(try Program.tessera(animation + ["--progress", "0.5"], in: folder).status == 0)
    // The SVG's size at a scale of 2.
    let svg = try Program.tessera(
      animation.dropLast(2) + ["--progress", "0.5", "--format", "svg"], in: folder
    ).output
    let size = try #require(svg.firstMatch(of: /width="(\d+)" height="(\d+)"/))
    let doubled = [size.1, size.2].compactMap { Int($0).map { "\($0 * 2)" } }
    #expect(try read(folder.path("x.png"))[0] == doubled.joined(separator: " "))
  }

  @Test func tooManyPixelsAreRefused() throws {
    let folder = try TemporaryFolder()
    let result = try draw("--scale", "100", "-o", "x.png", in: folder)
    #expect(result.status == 65)
    #expect(
      result.errors == """
        tessera: the picture would have 34800 × 41600 pixels, but a side can have at most 32767 and \
        all of it 100 million; give a smaller --scale, show less of the layout, or write .svg or .pdf

        """)
    #expect(try folder.names == [])
  }

  /// An invalid library stands for a missing one.
  @Test func missingLibraryIsNamedWithItsPackage() throws {
    let folder = try TemporaryFolder()
    try folder.write("librsvg-2.so.2", "")
    let result = try Program.tessera(
      Self.arguments + ["-o", "x.png"], in: folder, environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(result.status == 69)
    #expect(
      result.errors == """
        tessera: this machine lacks librsvg-2.so.2; install it (Debian: apt install librsvg2-2)

        """)
    #expect(try folder.names == ["librsvg-2.so.2"])
  }

  @Test(
    arguments: [
      ("<svg", 65, "librsvg cannot draw this"), ("", 65, "librsvg cannot draw this"),
      ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", 65, "no width and height in pixels"),
      (
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"9\"/>", 65,
        "would have no pixels"
      ),
    ])
  func wrongDocumentIsReported(document: String, status: Int32, sentence: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("x.svg", document)
    let result = try Program.shell("'\(Self.program)' draw png 1 <x.svg", in: folder)
    #expect(result.status == status)
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["", "paint", "draw png", "draw gif 1", "draw png 0", "draw png nan"])
  func wrongRequestIsRefused(request: String) throws {
    let result = try Program.run("bash", ["-c", "'\(Self.program)' \(request) </dev/null"])
    #expect(result.status == 64)
    #expect(!result.errors.isEmpty && result.output.isEmpty)
  }

  @Test func programHasFewRightsBeforeItReads() throws {
    let folder = try TemporaryFolder()
    let result = try Program.shell(
      """
      mkfifo input
      '\(Self.program)' draw png 1 <input >/dev/null 2>&1 & exec 3>input
      until grep -q '^Seccomp:.2' /proc/$!/status; do kill -0 $! || break; done
      grep -E '^(NoNewPrivs|Seccomp):' /proc/$!/status
      grep -E '^Max (cpu time|core file size|address space)' /proc/$!/limits
      exec 3>&-; wait $!; echo $?
      """, in: folder)
    let lines = result.output.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(
      lines == [
        "NoNewPrivs: 1", "Seccomp: 2", "Max cpu time 120 120 seconds",
        "Max core file size 0 0 bytes", "Max address space 1610612736 1610612736 bytes", "65",
      ])
  }
}

enum Librsvg {
  static let program = Built.folder.appendingPathComponent("tessera-pictures").path
  static let isPresent =
    (try? Program.run("bash", ["-c", "echo | '\(program)' draw png 1"]).status) != 69
}
