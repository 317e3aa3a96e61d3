import Foundation
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import Testing

@Suite struct HTMLTests {
  /// Cells of 100 points, 12 apart, scrolled by 30: the first starts 14 from the edge.
  @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func sectionsOfAWireframeAreSwiped(direction: LayoutDirection) throws {
    let isReversed = direction == .rightToLeft
    let cells = (0..<6).map { item -> Element in
      let x = 14 - 30 + 112 * Double(item)
      return Sample.cell(item, isReversed ? 375 - x - 100 : x, 40, 100, 80)
    }
    let header = Sample.extra(.supplementary, "header", Rect(x: 0, y: 0, width: 375, height: 36))
    var picture = Sample.picture(cells + [header])
    picture.direction = direction
    #expect(picture.html().contains("\"bands\": [],"))
    picture.swipes = [0: ("groupPaging", 30)]
    picture.title = { $0.identity.kind == nil ? nil : "Featured" }
    let page = picture.html()
    // 14 on both sides.
    let (start, width) = (isReversed ? 375 - 688.0 : 0, 6 * 112.0 - 12 + 28)
    #expect(page.contains("\"rect\": [\(Int(start)),40,\(Int(width)),80]"), "\(page)")
    #expect(
      page.contains("\"scrolled\": \(isReversed ? -30 : 30)")
        && page.contains("\"stops\": \"start\""))
    #expect(page.contains("scroll-snap-type: x mandatory") && page.contains("\"scrolling\": [0]"))
    #expect(page.contains("\"l\":\"Featured\""))
    picture.extent = .viewport
    #expect(picture.html().contains("\"bands\": [],"))
  }

  private func data(_ page: String) throws -> [String: Any] { try PageReader(page).data }
  private func rows(_ page: String) throws -> [[Any]] { try PageReader(page).rows }

  @Test func rowsHaveWhatDiffersFromTheDefaults() throws {
    var cell = Sample.cell(0, 0, 0, 10, 10, zIndex: 7)
    cell.alpha = 0.5
    cell.transform.m34 = -0.001_187_668
    cell.attributes = [.choice("aspectFit"), .number(0.25)]
    var clear = Sample.cell(2, 40, 0, 10, 10)
    clear.alpha = -1
    var picture = Sample.picture([cell, Sample.cell(1, 20, 0, 10, 10), clear])
    picture.attributeNames = ["layoutMode", "mask"]
    let rows = try rows(picture.html())
    let extras = try #require(rows[0].last as? [String: Any])
    #expect(extras["z"] as? Int == 7)
    #expect(extras["a"] as? Double == 0.5)
    #expect((extras["t"] as? [Double])?[11] == -0.001_187_668)
    #expect(extras["v"] as? [String] == ["aspectFit", "0.25"])
    #expect(rows[1].count == 7)
    #expect((rows[2].last as? [String: Any])?["a"] as? Double == 0)
    #expect(try data(picture.html())["attributes"] as? [String] == ["layoutMode", "mask"])
  }

  @Test func textCannotEndTheScript() throws {
    let label = "</script><!-- \\ \"quoted\" \u{2028}\u{1}&amp; 東京"
    var picture = Sample.picture([Sample.cell(0, 0, 0, 10, 10)])
    picture.label = { _, _ in label }
    picture.engineName = "</title><script>alert(1)</script>"
    let page = picture.html()
    #expect(page.components(separatedBy: "</script").count == 3)
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(!page.contains("<!--"))
    let extras = try #require(try rows(page)[0].last as? [String: Any])
    #expect(extras["l"] as? String == label)
  }

  @Test func pageNeedsNothingElse() {
    let page = Sample.picture(Sample.sections).html()
    for reference in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
      #expect(!page.contains(reference))
    }
  }

  @Test func pageStartsAtTheScrollOffset() throws {
    var picture = Sample.picture(
      [], content: Size(width: 300, height: 900),
      viewport: Rect(x: -12, y: 40, width: 320, height: 480))
    picture.contentInsets = Insets(top: 5, left: 12, bottom: 6, right: 8)
    picture.direction = .rightToLeft
    let page = picture.html()
    let data = try data(page)
    #expect(data["viewport"] as? [Double] == [-12, 40, 320, 480])
    #expect(data["stage"] as? [Double] == [-12, -5, 320, 911])
    #expect(data["rightToLeft"] as? Bool == true)
    #expect(page.contains("style=\"width: 320px; height: 480px\""))
    #expect(try rows(page).isEmpty)
  }
}
