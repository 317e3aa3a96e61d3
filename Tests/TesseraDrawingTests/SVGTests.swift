import TesseraDrawing
import TesseraGeometry
import TesseraHost
import Testing

/// Expectations are calculated by hand.
@Suite struct SVGTests {
  static let shapes: Set = [
    "cell", "header", "footer", "supplementary", "decoration",
  ]

  static func shapes(in reader: MarkupReader) -> [MarkupReader.Node] {
    reader.nodes.filter { shapes.contains($0.attributes["class"] ?? "") }
  }

  @Test func sheetHoldsContentAtItsSizeAndTheViewportOutlined() throws {
    let reader = try MarkupReader(Sample.picture([]).svg())
    #expect(reader.nodes[0].numbers("viewBox") == [0, 0, 423, 783])
    #expect(reader.all("svg", class: "content")[0].frame == [24, 92, 375, 667])
    let outline = reader.all("rect", class: "viewport")[0]
    #expect(outline.frame == [24, 92, 375, 667])
    #expect(outline.attributes["stroke-dasharray"] != nil)
    #expect(reader.all("text", class: "viewport-size")[0].text == "viewport 375 × 667")
  }

  @Test func everyVisibleElementIsOneShape() throws {
    var elements = Sample.sections
    elements[2].isHidden = true
    let reader = try MarkupReader(Sample.picture(elements).svg())
    #expect(Self.shapes(in: reader).count == elements.count - 1)
    #expect(reader.all("rect", class: "header").count == 2)
    #expect(reader.all("rect", class: "footer").count == 2)
    #expect(reader.all("rect", class: "decoration").count == 2)
    let texts = reader.all("text").map(\.text)
    #expect(texts.contains("header 0 of section 1") && texts.contains("footer 0 of section 0"))
    #expect(texts.contains("7 cells, 2 binders, 2 footers, 2 headers, 1 hidden"))
  }

  @Test func elementsAreDrawnFromBackToFront() throws {
    let box = Rect(x: 0, y: 0, width: 50, height: 50)
    let elements = [
      Sample.cell(0, 0, 0, 50, 50, zIndex: 2), Sample.cell(1, 0, 0, 50, 50),
      Sample.cell(2, 0, 0, 50, 50, zIndex: -3), Sample.extra(.decoration, "shade", box),
      Sample.extra(.supplementary, "badge", box), Sample.extra(.decoration, "line", box, zIndex: 1),
    ]
    let reader = try MarkupReader(Sample.picture(elements).svg())
    let names = reader.nodes.filter {
      Self.shapes.contains($0.path.last ?? "") || $0.name == "title"
    }
    .dropFirst().map { $0.text.prefix { $0 != "·" }.dropLast() }
    let expected = ["cell 2", "shade 0", "cell 1", "badge 0", "line 0", "cell 0"]
    #expect(names == expected.map { "\($0) of section 0" })
  }

  @Test func alphaIsHonoured() throws {
    var cell = Sample.cell(0, 0, 0, 50, 50)
    cell.alpha = 0.25
    let reader = try MarkupReader(Sample.picture([cell]).svg())
    #expect(reader.all("g").compactMap { $0.attributes["opacity"] } == ["0.25"])
    #expect(reader.all("rect", class: "cell")[0].path == ["svg", "svg", "g", "g"])
  }

  @Test func foreignTextIsEscapedAndControlCharactersAreLeftOut() throws {
    var picture = Sample.picture([
      Sample.cell(0, 0, 0, 300, 100),
      Sample.extra(
        .supplementary, "<k&\"'>", Rect(x: 0, y: 120, width: 300, height: 40)),
    ])
    picture.engineName = "<script>&\"'\u{1}\u{FFFE}]]>"
    picture.engineID = "a<b"
    picture.label = { _, _ in "x<y>&\u{0}\u{9F}z\n" }
    let reader = try MarkupReader(picture.svg())
    #expect(reader.all("title")[0].text == "<script>&\"']]>")
    let texts = reader.all("text").map(\.text)
    #expect(texts.contains("<script>&\"']]>"))
    #expect(texts.contains("x<y>&z "))
    #expect(texts.contains("<k&\"'> 0 of section 0"))
  }

  @Test(arguments: [0, 1e-9, 1, 1e7, 1e15, 1e300])
  func anyExtentGivesAValidPicture(extent: Double) throws {
    let rect = Rect(x: 0, y: 0, width: extent, height: extent)
    for viewport in [.zero, rect, Rect(x: -extent, y: extent, width: 10, height: 10)] {
      for elements in [[], [Sample.cell(0, -extent, 0, extent, extent)]] {
        var picture = Sample.picture(elements, content: rect.size, viewport: viewport)
        for shown in [Picture<[Element]>.Extent.content, .viewport, .rect(rect)] {
          picture.extent = shown
          let reader = try MarkupReader(picture.svg())
          for node in reader.nodes {
            for name in ["x", "y", "width", "height", "viewBox", "font-size", "rx"] {
              #expect(node.numbers(name).allSatisfy { $0.isFinite })
              #expect(!(node.attributes[name] ?? "").contains("e"))
            }
          }
          #expect(reader.nodes[0].numbers("width")[0] >= 100)
        }
      }
    }
  }

  @Test func onlyElementsInTheExtentAreDrawn() throws {
    let cells = (0..<20).map { Sample.cell($0, 0, Double($0) * 100, 375, 90) }
    var picture = Sample.picture(
      cells, content: Size(width: 375, height: 2000),
      viewport: Rect(x: 0, y: 450, width: 375, height: 300))
    #expect(Self.shapes(in: try MarkupReader(picture.svg())).count == 20)
    picture.extent = .viewport
    let seen = try MarkupReader(picture.svg())
    #expect(seen.all("rect", class: "cell").map { $0.frame[1] } == [400, 500, 600, 700])
    #expect(seen.all("svg", class: "content")[0].attributes["overflow"] == "hidden")
    picture.extent = .rect(Rect(x: 0, y: 1295, width: 10, height: 10))
    let part = try MarkupReader(picture.svg())
    #expect(part.all("rect", class: "cell").map { $0.frame[1] } == [1300])
    #expect(part.all("rect", class: "viewport").isEmpty)
  }

  /// Far elements are dropped and long ones clipped, since renderers have 32-bit numbers.
  @Test(arguments: [1e7, 1e15, 1e300]) func farEdgesAreNear(far: Double) throws {
    let cells = [
      Sample.cell(0, -far, 0, 2 * far, 50), Sample.cell(1, far, 60, 50, 50),
      Sample.cell(2, 0, 120, 90, 50),
    ]
    let rects = try MarkupReader(
      Sample.picture(cells, content: Size(width: 300, height: 200)).svg()
    ).all("rect", class: "cell")
    #expect(rects.count == 2)
    for rect in rects { #expect(rect.frame.allSatisfy { abs($0) < 300_000 }) }
    // Text is not enlarged 10,000 times.
    let tiny = try MarkupReader(
      Sample.picture(
        [Sample.cell(0, 0, 0, 300, 1e10)], content: Size(width: 300, height: 1e10)
      ).svg())
    #expect(tiny.all("text").allSatisfy { $0.numbers("font-size")[0] < 1e4 * 24 })
  }

  @Test func sizeThatNoDrawingReachesIsRefused() throws {
    var picture = Sample.picture([], content: Size(width: 375, height: 1e15))
    #expect(try picture.shownSize() == Size(width: 375, height: 1e15))
    picture.contentSize.height = 1.7e308
    #expect(throws: HostError.self) { try picture.shownSize() }
    picture.extent = .rect(Rect(x: 2e15, y: 0, width: 10, height: 10))
    #expect(throws: HostError.self) { try picture.shownSize() }
    picture.extent = .viewport
    #expect(try picture.shownSize() == Size(width: 375, height: 667))
  }

  /// 32-bit floats are 512 apart at 5 000 000 000.
  @Test func whatIsFarAwayIsDrawnNearZero() throws {
    for (start, origin) in [(5e9, 0), (5e9 + 0.25, 0.25), (60_000, 60_000), (-1e15, 0)] {
      var picture = Sample.picture(
        [Sample.cell(1, 10, start + 20, 90, 50)], content: Size(width: 375, height: 1e10),
        viewport: Rect(x: 0, y: start, width: 375, height: 300))
      picture.extent = .viewport
      let reader = try MarkupReader(picture.svg())
      #expect(reader.all("svg", class: "content")[0].numbers("viewBox") == [0, origin, 375, 300])
      #expect(reader.all("rect", class: "cell").map(\.frame) == [[10, origin + 20, 90, 50]])
      for text in reader.all("text") where text.path.contains("g") {
        #expect(origin..<origin + 300 ~= text.numbers("y")[0])
      }
      for ground in reader.all("rect", class: "ground") where origin < 1 && start > 0 {
        #expect(ground.frame[1] < origin && ground.frame[1] > -10 && ground.frame[3] < 320)
      }
      if start == 5e9 {
        #expect(reader.all("title").contains { $0.text.contains(" · 10, 5000000020 · ") })
      }
    }
  }
}
