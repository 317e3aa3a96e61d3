import Foundation
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import Testing

/// Animated pictures, parsed; movements are calculated by hand.
///
/// Half a second, after 0.6 s and before 1 s of rest: from 0.6/2.1 to 1.1/2.1.
@Suite struct AnimationTests {
  private static let times = "0;0.285714;0.52381;1"

  private func picture(
    from: [Element], to: [Element], offset: Point = .zero
  ) -> AnimatedPicture {
    let size = Size(width: 300, height: 300)
    return AnimatedPicture(
      engineName: "One → <Other>", engineID: "org.example.one",
      animation: LayoutAnimation(
        from: LayoutMoment(elements: from, contentSize: size),
        to: LayoutMoment(
          elements: to, contentSize: Size(width: 300, height: 400), offset: offset)),
      bounds: Size(width: 300, height: 200))
  }

  private func tracks(_ picture: AnimatedPicture) throws -> [MarkupReader.Node] {
    try MarkupReader(picture.svg()).all("g", class: "track")
  }

  @Test func unresizedElementsAreTranslated() throws {
    let picture = picture(
      from: [Sample.cell(0, 10, 20, 50, 50)], to: [Sample.cell(0, 110, 0, 50, 50)])
    let reader = try MarkupReader(picture.svg())
    let moves = reader.all("animateTransform")
    #expect(moves.map { $0.attributes["values"] } == ["-100 20;-100 20;0 0;0 0"])
    #expect(moves.map { $0.attributes["keyTimes"] } == [Self.times])
    #expect(moves.map { $0.attributes["dur"] } == ["2.1s"])
    #expect(reader.all("rect", class: "cell").map(\.frame) == [[110, 0, 50, 50]])
  }

  @Test func fadingIsAnimated() throws {
    let picture = picture(from: [], to: [Sample.cell(0, 0, 0, 50, 50)])
    let fades = try MarkupReader(picture.svg()).all("animate").filter {
      $0.attributes["attributeName"] == "opacity"
    }
    #expect(fades.map { $0.attributes["values"] } == ["0;0;1;1"])
  }

  @Test func elementsKeepTheirNamesThroughChanges() throws {
    // Item 3 becomes 1, item 1 disappears, item 0 appears as the fifth; stills show their colours.
    let place = Sample.cell(1, 0, 0, 50, 50)
    let leaving = AnimationTrack(
      before: place.identity, after: nil, from: place, to: place)
    let staying = AnimationTrack(
      before: .cell(section: 0, item: 3), after: place.identity,
      from: Sample.cell(3, 90, 0, 50, 50), to: place)
    let fresh = Sample.cell(0, 0, 90, 50, 50)
    let appearing = AnimationTrack(before: nil, after: fresh.identity, from: fresh, to: fresh)
    var animated = picture(from: [], to: [])
    animated.animation = LayoutAnimation(
      tracks: [leaving, staying, appearing], attributes: [], contentSizeBefore: .zero,
      contentSizeAfter: .zero, offsetBefore: .zero, offsetAfter: .zero)
    animated.label = { _, item in "it \(item)" }
    let still = try MarkupReader(
      Sample.picture([4, 3, 1].map { Sample.cell($0, 0, 0, 50, 50) }).svg()
    ).all("rect", class: "cell").map { $0.attributes["fill"] }
    let reader = try MarkupReader(animated.svg())
    #expect(reader.all("rect", class: "cell").map { $0.attributes["fill"] } == still)
    let texts = ["4", "it 0", "3", "it 1", "1", "it 1"]
    #expect(reader.all("text").suffix(7).map(\.text).filter(texts.contains) == texts)
    #expect(
      reader.all("title").map(\.text).contains { $0.hasPrefix("cell 3 of section 0 → cell 1 of") })
    let rows = try PageReader(animated.html()).rows
    #expect(rows.map { $0[2] as? Int } == [4, 3, 1])
    let labels = rows.map { ($0.last as? [String: Any])?["l"] as? String }
    #expect(labels == ["it 0", "it 1", "it 1"])
    for (progress, items) in [(0.0, [3, 1]), (0.5, [4, 3, 1]), (1, [4, 3])] {
      let moment = animated.picture(at: progress)
      #expect(moment.elements.map(\.identity.item) == items)
      #expect(moment.label?(0, 3) == "it 1")
    }
  }

  @Test func viewportAndContentAreAnimated() throws {
    let picture = picture(from: [], to: [], offset: Point(x: 0, y: 100))
    let reader = try MarkupReader(picture.svg())
    // Heights of 400 are scaled by 1 to 2: here 1.
    #expect(
      reader.all("animateTransform").map { $0.attributes["values"] } == ["0 -100;0 -100;0 0;0 0"])
    let growth = reader.all("animate").map { $0.attributes["values"] }
    #expect(growth == ["300;300;400;400"])
  }

  @Test func pageHasARowForEveryTrack() throws {
    var turned = Sample.cell(0, 50, 0, 40, 40)
    turned.transform.m11 = 3
    let picture = picture(
      from: [Sample.cell(0, 0, 0, 40, 40), Sample.cell(1, 0, 0, 9, 9)], to: [turned])
    let page = picture.html()
    let (data, rows) = try (PageReader(page).data, PageReader(page).rows)
    #expect(rows.count == 2)
    #expect(rows[0][3] as? [Double] == [0, 0, 40, 40])
    #expect(rows[0][4] as? [Double] == [50, 0, 40, 40])
    let extras = try #require(rows[0][5] as? [String: Any])
    let transforms = try #require(extras["t"] as? [[Double]])
    #expect(transforms.count == 31)
    #expect(transforms[0][0] == 1 && transforms[15][0] == 2 && transforms[30][0] == 3)
    let leaving = try #require(rows[1][5] as? [String: Any])
    #expect(leaving["a"] as? [Double] == [1, 0])
    #expect(leaving["v"] as? [Int] == [1, 1, 0])
    #expect(data["duration"] as? Double == 0.5)
    #expect(!page.contains("<Other>"))
    #expect(!page.contains("http"))
  }

  @Test func anyNumbersGiveAPicture() throws {
    var wild = Sample.cell(0, -1e300, 1e300, 0, 0)
    wild.transform.m44 = -1
    wild.alpha = 7
    let durations = [
      (0, 0.5, "2.1s"), (-1, 0.5, "2.1s"), (.nan, 0.5, "2.1s"), (.infinity, 86_400, "86401.6s"),
      (1e-300, 0.01, "1.61s"),
    ]
    for (duration, seconds, period) in durations {
      var picture = picture(from: [wild], to: [Sample.cell(0, 0, 0, 1e-9, 1e9)])
      picture.duration = duration
      for extent in [Picture<[Element]>.Extent.content, .viewport, .rect(.zero)] {
        picture.extent = extent
        let svg = try MarkupReader(picture.svg())
        #expect(svg.all("g", class: "track").count == 1)
        let times = svg.nodes.compactMap { $0.attributes["dur"] }
        #expect(Set(times) == (times.isEmpty ? [] : [period]))
        let page = try PageReader(picture.html())
        let row = try #require(page.rows.first)
        let limit = 1e15
        #expect(row[3] as? [Double] == [-limit, limit, 0, 0])
        #expect(row[4] as? [Double] == [0, 0, 0, 1e9])
        #expect((row[5] as? [String: Any])?["a"] == nil)
        #expect(page.data["duration"] as? Double == seconds)
      }
    }
  }
}
