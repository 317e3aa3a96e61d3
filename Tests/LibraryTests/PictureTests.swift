import Foundation
import TestSupport
import Testing

/// A program in Python that lays out a table through ctypes and draws it.
@Suite struct PictureTests {
  private static let script = "\(BuiltProducts.repository.path)/Documentation/Examples/table.py"

  private func draw(_ engines: String, to picture: String) throws -> ProgramResult {
    try Program.run(
      "python3", [Self.script, picture, engines],
      environment: ["LD_LIBRARY_PATH": try Prefix.shared.get().libraries])
  }

  /// Rows of one line are 38 high and of two 56, headers 28; the picture shows 60 to 400 of them.
  ///
  /// By hand: header 28, rows 56, 38, 56, 56; header 28, rows 38, 56, 38, 38; the last row begins
  /// at 394. The first header stays in sight.
  @Test func theTableIsDrawn() throws {
    let folder = try TemporaryFolder()
    let result = try draw(Prefix.engines, to: folder.path("table.svg"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "\(folder.path("table.svg")): 8 rows, 432 points high\n")
    let svg = String(decoding: try folder.bytes("table.svg"), as: UTF8.self)
    let rows = svg.split(separator: "\n").filter { $0.hasPrefix("<rect x=") }
      .filter { $0.contains("fill=\"#fff\"") }.map { line in
        line.matches(of: /(?:y|height)="([-\d.]+)"/).compactMap { Double($0.output.1) }
      }
    #expect(
      rows == [
        [-32, 56], [24, 38], [62, 56], [118, 56], [202, 38], [240, 56], [296, 38], [334, 38],
      ])
    #expect(svg.contains(">Yew</text>") && svg.contains(">Conifers</text>"))
    let valid = try Program.run(
      "python3",
      [
        "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
        folder.path("table.svg"),
      ])
    #expect(valid.status == 0, "\(valid.errors)")
  }
}
