import Foundation
import TesseraGeometry
import TesseraHost
import Testing

@testable import TesseraDrawing

/// Places are calculated by hand.
@Suite struct StyleTests {
  /// Ten rows of 30 points, at intervals of 40.
  private static let rows = (0..<10).map { Sample.cell($0, 0, Double($0) * 40, 100, 30) }

  private static func picture(
    _ elements: [Element] = rows, content: Size = Size(width: 100, height: 390),
    style change: (inout DrawingStyle) -> Void
  ) throws -> MarkupReader {
    var picture = Sample.picture(
      elements, content: content, viewport: Rect(x: 0, y: 0, width: 100, height: 100))
    change(&picture.style)
    return try MarkupReader(picture.svg())
  }

  @Test func widthScalesTheDocumentOnly() throws {
    let usual = try Self.picture { _ in }.nodes[0]
    // 390 points, a title of 92 and a margin of 24; minimal width.
    #expect(usual.numbers("width") == [272] && usual.numbers("height") == [506])
    let sized = try Self.picture { $0.width = 544 }.nodes[0]
    #expect(sized.numbers("width") == [544] && sized.numbers("height") == [1012])
    #expect(sized.numbers("viewBox") == [0, 0, 272, 506])
    #expect(usual.numbers("viewBox") == [0, 0, 272, 506])
  }

  @Test(
    arguments: [
      (1, []),
      // Halves meet between rows ending at 190 and starting at 200.
      (2, [195]),
      // A third is 130, in the row from 120; the nearest gap is at 110. Two are 260: 270.
      (3, [115, 275]),
    ] as [(Int, [Double])])
  func cutsAreBetweenRows(count: Int, cuts: [Double]) {
    let region = Rect(x: 0, y: 0, width: 100, height: 390)
    #expect(region.cuts(into: count, around: Self.rows.map(\.frame)) == cuts)
    let wide = Rect(x: 0, y: 0, width: 390, height: 100)
    let columns = Self.rows.map { cell in
      Rect(x: cell.frame.y, y: 0, width: cell.frame.height, height: 100)
    }
    #expect(wide.cuts(into: count, around: columns) == cuts)
  }

  @Test func stripsAreSideBySideAndHoldEachElementOnce() throws {
    let reader = try Self.picture { $0.columns = 2 }
    // Small content is enlarged to 240, by 240 / 195. Strips are 20 apart.
    let strips = reader.all("svg", class: "content")
    #expect(strips.map(\.frame) == [[24, 92, 123.077, 240], [167.077, 92, 123.077, 240]])
    #expect(strips.map { $0.numbers("viewBox") } == [[0, 0, 100, 195], [0, 195, 100, 195]])
    #expect(reader.all("rect", class: "cell").count == 10)
    #expect(reader.nodes[0].numbers("height") == [356])
    #expect(reader.all("rect", class: "viewport").count == 1)
    #expect(reader.all("text", class: "viewport-size").count == 1)
  }

  /// The picture is light without CSS; a dark-mode rule exists for each colour.
  @Test func automaticPictureHasARuleForEachColour() throws {
    func svg(_ theme: DrawingStyle.Theme) -> String {
      var picture = Sample.picture(Sample.sections)
      picture.style.theme = theme
      return picture.svg()
    }
    let (light, dark, auto) = (svg(.light), svg(.dark), svg(.auto))
    let style = try #require(auto.firstMatch(of: /(?s)<style>(.*)<\/style>\n/))
    #expect(auto.replacing(style.0, with: "") == light)
    var rules: [String: String] = [:]
    for rule in style.1.matches(of: /(text)?\[(fill|stroke)="(#\w+)"\]\{(?:fill|stroke):(#\w+)\}/) {
      rules["\(rule.1.map(String.init) ?? "")\(rule.2)\(rule.3)"] = String(rule.4)
    }
    let applied = light.replacing(/<(\w+)([^>]*)>/) { tag in
      let attributes = tag.2.replacing(/(fill|stroke)="(#\w+)"/) { attribute in
        let key = "\(attribute.1)\(attribute.2)"
        let colour = (tag.1 == "text" ? rules["text\(key)"] : nil) ?? rules[key]
        return "\(attribute.1)=\"\(colour ?? "no rule")\""
      }
      return "<\(tag.1)\(attributes)>"
    }
    #expect(applied == dark)
    #expect(!style.1.contains("\n") && style.1.contains(Palette.light.inks[1].hex))
    var picture = Sample.picture([Sample.cell(0, 0, 0, 10, 10)])
    picture.style.theme = .auto
    #expect(!picture.svg().contains(Palette.light.inks[1].hex))
  }
}
