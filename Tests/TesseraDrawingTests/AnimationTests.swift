import Foundation
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import Testing

/// Animated pictures, read back; what they move by is worked out by hand.
///
/// A run of half a second rests 0.6 s before and 1 s after: it moves from 0.6/2.1 to 1.1/2.1.
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

  @Test func everyTrackIsOneShape() throws {
    let after = Sample.sections.filter { $0.identity.section == 0 }
    var moved = after.map { element in
      var element = element
      element.frame.y += 30
      return element
    }
    moved.append(Sample.cell(9, 0, 0, 20, 20))
    let picture = picture(from: Sample.sections, to: moved)
    let reader = try MarkupReader(picture.svg())
    #expect(picture.animation.tracks.count == Sample.sections.count + 1)
    #expect(reader.all("g", class: "track").count == picture.animation.tracks.count)
    let shapes = ["cell", "header", "footer", "decoration"].flatMap {
      reader.all("rect", class: $0)
    }
    #expect(shapes.count == picture.animation.tracks.count)
    #expect(reader.all("desc").first?.text.contains("; 1 appears, 7 disappear; content") == true)
  }

  @Test func elementsHiddenThroughoutAreNotDrawn() throws {
    var hidden = Sample.cell(0, 0, 0, 10, 10)
    hidden.isHidden = true
    #expect(try tracks(picture(from: [hidden], to: [hidden])).isEmpty)
    let shown = Sample.cell(0, 0, 0, 10, 10)
    let picture = picture(from: [hidden], to: [shown])
    let seen = try MarkupReader(picture.svg()).all("animate").filter {
      $0.attributes["attributeName"] == "visibility"
    }
    #expect(seen.map { $0.attributes["values"] } == ["hidden;visible;visible"])
    #expect(seen.map { $0.attributes["keyTimes"] } == ["0;0.285714;0.52381"])
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

  @Test func unchangedElementsAreNotAnimated() throws {
    let cell = Sample.cell(0, 10, 20, 50, 50)
    var picture = picture(from: [cell], to: [cell])
    picture.animation = LayoutAnimation(
      tracks: picture.animation.tracks, attributes: [], contentSizeBefore: .zero,
      contentSizeAfter: .zero, offsetBefore: .zero, offsetAfter: .zero)
    let reader = try MarkupReader(picture.svg())
    #expect(reader.nodes.allSatisfy { !$0.name.hasPrefix("animate") })
    #expect(reader.all("rect", class: "cell").map(\.path) == [["svg", "svg", "g", "g"]])
  }

  @Test func zIndexIsThatOfTheLayoutAfter() throws {
    let from = [Sample.cell(0, 0, 0, 50, 50), Sample.cell(1, 0, 0, 50, 50, zIndex: 1)]
    let to = [Sample.cell(0, 0, 0, 50, 50, zIndex: 1), Sample.cell(1, 0, 0, 50, 50)]
    let titles = try MarkupReader(picture(from: from, to: to).svg()).all("title").dropFirst()
    #expect(titles.map { $0.text.prefix(6) } == ["cell 1", "cell 0"])
  }

  @Test func framesOfResizedElementsAreAnimated() throws {
    let picture = picture(
      from: [Sample.cell(0, 10, 20, 50, 50)], to: [Sample.cell(0, 10, 0, 100, 40)])
    let changes = try MarkupReader(picture.svg()).all("animate")
      .filter { $0.path.contains("rect") && $0.path.contains("g") }
    #expect(
      changes.map { [$0.attributes["attributeName"], $0.attributes["values"]] } == [
        ["y", "20;20;0;0"], ["width", "50;50;100;100"], ["height", "50;50;40;40"],
      ])
  }

  @Test func fadingIsAnimated() throws {
    let picture = picture(from: [], to: [Sample.cell(0, 0, 0, 50, 50)])
    let fades = try MarkupReader(picture.svg()).all("animate").filter {
      $0.attributes["attributeName"] == "opacity"
    }
    #expect(fades.map { $0.attributes["values"] } == ["0;0;1;1"])
  }

  @Test func elementsKeepTheirNamesThroughChanges() throws {
    // Item 3 becomes item 1, item 1 disappears, and item 0 appears, which is the fifth; stills of these
    // items say which colours they have.
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
    animated.label = { _, item in "new \(item)" }
    animated.labelBefore = { _, item in "old \(item)" }
    let still = try MarkupReader(
      Sample.picture([4, 3, 1].map { Sample.cell($0, 0, 0, 50, 50) }).svg()
    ).all("rect", class: "cell").map { $0.attributes["fill"] }
    let reader = try MarkupReader(animated.svg())
    #expect(reader.all("rect", class: "cell").map { $0.attributes["fill"] } == still)
    let texts = ["4", "new 0", "3", "new 1", "1", "old 1"]
    #expect(reader.all("text").suffix(7).map(\.text).filter(texts.contains) == texts)
    #expect(
      reader.all("title").map(\.text).contains { $0.hasPrefix("cell 3 of section 0 → cell 1 of") })
    // The page, and each moment.
    let rows = try PageReader(animated.html()).rows
    #expect(rows.map { $0[2] as? Int } == [4, 3, 1])
    let labels = rows.map { ($0.last as? [String: Any])?["l"] as? String }
    #expect(labels == ["new 0", "new 1", "old 1"])
    for (progress, items) in [(0.0, [3, 1]), (0.5, [4, 3, 1]), (1, [4, 3])] {
      let moment = animated.picture(at: progress)
      #expect(moment.elements.map(\.identity.item) == items)
      #expect(moment.label?(0, 3) == "new 1")
    }
  }

  @Test func insertedSectionsGetNamesOfTheirOwn() {
    // Section 1 becomes section 2, and sections 1 and 3 are new: with two before, 2 and 3 are free.
    func track(_ before: Int?, _ after: Int, _ item: Int) -> AnimationTrack {
      let old = before.map { Sample.cell(item, Double($0), 0, 5, 5) }
      var new = Sample.cell(item, Double(after), 0, 5, 5)
      new.identity.section = after
      let identity = before.map { ElementIdentity.cell(section: $0, item: item) }
      return AnimationTrack(before: identity, after: new.identity, from: old ?? new, to: new)
    }
    let tracks = [
      track(0, 0, 0), track(1, 2, 0), track(nil, 1, 0), track(nil, 2, 1), track(nil, 3, 0),
    ]
    var animated = picture(from: [], to: [])
    animated.animation = LayoutAnimation(
      tracks: tracks, attributes: [], contentSizeBefore: .zero, contentSizeAfter: .zero,
      offsetBefore: .zero, offsetAfter: .zero)
    let names = animated.picture(at: 0.5).elements.map(\.identity)
    // In the order of the elements after: sections 0, 1, 2, 2 and 3.
    #expect(names.map(\.section) == [0, 2, 1, 1, 3])
    #expect(names.map(\.item) == [0, 0, 0, 1, 0])
  }

  @Test func transformsAreSampled() throws {
    let from = Sample.cell(0, 0, 0, 100, 100)
    var to = from
    (to.transform.m11, to.transform.m12) = (0, 1)
    (to.transform.m21, to.transform.m22) = (-1, 0)
    let reader = try MarkupReader(picture(from: [from], to: [to]).svg())
    let change = try #require(
      reader.all("animate").first { $0.attributes["attributeName"] == "points" })
    let outlines = (change.attributes["values"] ?? "").split(separator: ";")
    let times = (change.attributes["keyTimes"] ?? "").split(separator: ";").map { Double($0) ?? -1 }
    #expect(outlines.count == 33)
    #expect(times.count == 33)
    #expect(times == times.sorted())
    #expect(outlines[1] == "0,0 100,0 100,100 0,100")
    // A square turned by 45° stands on its corner: its half diagonal is 70.711.
    #expect(outlines[16] == "50,-20.711 120.711,50 50,120.711 -20.711,50")
    #expect(outlines[32] == "100,0 100,100 0,100 0,0")
    let turn = reader.all("animateTransform").first { $0.attributes["type"] == "rotate" }
    let angles = (turn?.attributes["values"] ?? "").split(separator: ";")
    #expect(angles[0] == "0")
    #expect(angles[16] == "45")
    #expect(angles[32] == "90")
  }

  @Test func outlinesKeepTheirNumberOfCorners() throws {
    // Leaning so far that the viewer's plane cuts it: five corners at the end, four at first.
    let from = Sample.cell(0, 0, 0, 100, 100)
    var to = from
    (to.transform.m14, to.transform.m24) = (0.02, 0.012)
    let reader = try MarkupReader(picture(from: [from], to: [to]).svg())
    let change = try #require(
      reader.all("animate").first { $0.attributes["attributeName"] == "points" })
    let counts = (change.attributes["values"] ?? "").split(separator: ";").map {
      $0.split(separator: " ").count
    }
    #expect(Set(counts) == [5])
  }

  @Test func viewportAndContentAreAnimated() throws {
    let picture = picture(from: [], to: [], offset: Point(x: 0, y: 100))
    let reader = try MarkupReader(picture.svg())
    // 400 points of height are drawn at most twice as large and not smaller: the scale is 1.
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

  @Test func stillShowsOneMoment() {
    var picture = picture(
      from: [Sample.cell(0, 0, 0, 40, 40), Sample.cell(5, 7, 0, 40, 40)],
      to: [Sample.cell(0, 100, 0, 40, 40)], offset: Point(x: 0, y: 50))
    picture.label = { _, item in "new \(item)" }
    picture.labelBefore = { _, item in "old \(item)" }
    let still = picture.picture(at: 0.4)
    #expect(still.elements.map(\.frame.x) == [40, 7])
    #expect(still.label?(0, 0) == "new 0")
    #expect(still.label?(0, 5) == "old 5")
    #expect(still.contentSize == Size(width: 300, height: 340))
    #expect(still.viewport == Rect(x: 0, y: 20, width: 300, height: 200))
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

  @Test func textTurnsTheShorterWay() throws {
    // From 170° to 190°, which is -170°: in matrices, the angle jumps on the way.
    func turned(_ degrees: Double) -> Element {
      var cell = Sample.cell(0, 0, 0, 100, 100)
      let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      (cell.transform.m11, cell.transform.m12) = (cosine, sine)
      (cell.transform.m21, cell.transform.m22) = (-sine, cosine)
      return cell
    }
    let reader = try MarkupReader(picture(from: [turned(170)], to: [turned(190)]).svg())
    let turn = reader.all("animateTransform").first { $0.attributes["type"] == "rotate" }
    let angles = (turn?.attributes["values"] ?? "").split(separator: ";").compactMap { Double($0) }
    #expect(angles.count == 33)
    #expect(angles.first == 170)
    #expect(angles.last == 190)
    #expect(angles == angles.sorted())
  }

  @Test func tracksOutsideTheRegionAreNotDrawn() throws {
    let passing = [Sample.cell(0, -100, 50, 50, 50), Sample.cell(0, 400, 50, 50, 50)]
    let outside = [Sample.cell(1, 0, 500, 50, 50), Sample.cell(1, 200, 500, 50, 50)]
    var picture = picture(from: [passing[0], outside[0]], to: [passing[1], outside[1]])
    #expect(try tracks(picture).count == 2)
    picture.extent = .viewport
    let titles = try MarkupReader(picture.svg()).all("title").dropFirst().map(\.text)
    #expect(titles == ["cell 0 of section 0 · -100, 50 · 50 × 50 → 400, 50 · 50 × 50"])
  }

  @Test func pageHasTheElementsNearestToTheViewport() throws {
    let cells = (0..<4100).map { Sample.cell($0, 0, Double($0) * 10, 50, 10) }
    let page = try PageReader(picture(from: cells, to: cells).html())
    #expect(try page.rows.compactMap { $0[2] as? Int } == Array(0..<4000))
    let header = page.body.all("p").map(\.text)
    #expect(
      header.contains { $0.hasSuffix("only the 4000 elements nearest to the viewport, of 4100") })
  }

  @Test func titleShowsHowTheContentGrows() throws {
    let texts = try MarkupReader(picture(from: [], to: []).svg()).all("text").map(\.text)
    #expect(texts.contains("300 × 300 → 400"))
  }

  @Test func piecesFormTheDocument() {
    let cells = (0..<3000).map { Sample.cell($0, Double($0 % 50) * 6, Double($0 / 50) * 6, 5, 5) }
    let picture = picture(
      from: cells,
      to: cells.map { cell in
        var cell = cell
        cell.frame.x += 1
        return cell
      })
    var count = 0
    var bytes: [UInt8] = []
    picture.writeSVG { piece in
      count += 1
      bytes.append(contentsOf: piece)
    }
    #expect(count > 1)
    #expect(String(decoding: bytes, as: UTF8.self) == picture.svg())
  }
}
