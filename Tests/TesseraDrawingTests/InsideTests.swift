import Foundation
import TesseraDrawing
import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Masking and the picture in a cell, by attributes of a known name and type; places are worked out
/// by hand.
@Suite struct InsideTests {
  private func attribute(
    _ name: String, _ type: ValueType, _ initial: Value,
    _ interpolation: AttributeDescription.Interpolation = .linear
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, help: "One.", type: type, choices: [], interpolation: interpolation,
      isAdjusted: false, initial: initial)
  }

  private func cell(_ attributes: Value..., at x: Double = 100) -> Element {
    var cell = Sample.cell(0, x, 50, 80, 60)
    cell.attributes = attributes
    return cell
  }

  private func read(_ element: Element, _ names: String...) throws -> MarkupReader {
    var picture = Sample.picture([element])
    picture.attributeNames = names
    return try MarkupReader(picture.svg())
  }

  private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Value {
    .rect(Rect(x: x, y: y, width: width, height: height))
  }

  @Test func maskCoversItsElement() throws {
    let reader = try read(cell(.bool(true), .number(0.6)), "isOld", "maskingValue")
    let masks = reader.all("rect", class: "mask")
    #expect(masks.map(\.frame) == [[100, 50, 80, 60]])
    #expect(masks.map { $0.attributes["fill-opacity"] } == ["0.6"])
    let names = reader.nodes.map { $0.attributes["class"] }
    let (mask, shape) = (names.firstIndex(of: "mask"), names.firstIndex(of: "cell"))
    #expect(try #require(mask) > #require(shape))
  }

  @Test(
    arguments: [
      (-1, []), (0, []), (.nan, []), (1e-9, ["0"]), (1, ["1"]), (7, ["1"]), (.infinity, ["1"]),
    ] as [(Double, [String])])
  func maskingIsBounded(value: Double, opacities: [String]) throws {
    let reader = try read(cell(.number(value)), "maskingValue")
    #expect(
      reader.all("rect", class: "mask").compactMap { $0.attributes["fill-opacity"] } == opacities)
  }

  @Test func pictureIsMeasuredFromTheCell() throws {
    let reader = try read(cell(rect(0, 15, 80, 30)), "contentRect")
    #expect(reader.all("rect", class: "picture").map(\.frame) == [[100, 65, 80, 30]])
    let plain = try read(cell(), "contentRect").all("rect", class: "cell")[0]
    let paler = reader.all("rect", class: "cell")[0]
    #expect(paler.frame == plain.frame)
    #expect(reader.all("rect", class: "picture")[0].attributes["fill"] == plain.attributes["fill"])
    let (light, dark) = try (brightness(paler), brightness(plain))
    #expect(light > dark)
  }

  private func brightness(_ node: MarkupReader.Node) throws -> Int {
    let number = try #require(Int((node.attributes["fill"] ?? "").dropFirst(), radix: 16))
    return number >> 16 + number >> 8 & 255 + number & 255
  }

  @Test func overhangingPictureIsCutOff() throws {
    let reader = try read(cell(rect(-40, 10, 160, 500)), "contentRect")
    #expect(reader.all("rect", class: "picture").map(\.frame) == [[100, 60, 80, 50]])
  }

  @Test func glyphIsInsideThePicture() throws {
    let reader = try read(cell(rect(0, 15, 80, 30)), "contentRect")
    let path = try #require(reader.all("path", class: "glyph").first?.attributes["d"])
    let numbers = path.split { "Mz, ".contains($0) }.compactMap { Double($0) }
    #expect(numbers.count == 26)
    for index in stride(from: 0, to: numbers.count, by: 2) {
      #expect((100...180).contains(numbers[index]))
      #expect((65...95).contains(numbers[index + 1]))
    }
  }

  @Test func otherAttributesAndElementsHaveNoPicture() throws {
    let place = rect(0, 0, 40, 40)
    var header = Sample.extra(.supplementary, "header", Rect(x: 0, y: 0, width: 90, height: 50))
    header.attributes = [place]
    let readers = [
      try read(cell(place), "contentBox"), try read(cell(.number(1)), "contentRect"),
      try read(cell(), "contentRect"), try read(header, "contentRect"),
      try read(cell(rect(0, 0, 0, 60)), "contentRect"),
      try read(cell(rect(200, 0, 10, 60)), "contentRect"),
      try read(cell(rect(.nan, 0, 10, 60)), "contentRect"),
      try read(cell(place), "maskingValue"),
    ]
    for reader in readers {
      #expect(reader.all("rect", class: "picture").isEmpty)
      #expect(reader.all("rect", class: "mask").isEmpty)
    }
  }

  @Test func maskAndPictureAreTransformed() throws {
    // w = 1 + 0.005·dx: 0.8 at dx = -40, where the cell and its picture begin, and 1 at dx = 0.
    var leaning = cell(rect(0, 15, 40, 30), .number(0.5))
    leaning.transform.m14 = 0.005
    let reader = try read(leaning, "contentRect", "maskingValue")
    let pictures = reader.all("polygon", class: "picture").map { $0.numbers("points") }
    #expect(pictures == [[90, 61.25, 140, 65, 140, 95, 90, 98.75]])
    let shape = reader.all("polygon", class: "cell").map { $0.numbers("points") }
    #expect(reader.all("polygon", class: "mask").map { $0.numbers("points") } == shape)
  }

  @Test func pageHasMaskingAndPicture() throws {
    var picture = Sample.picture([cell(rect(-40, 10, 160, 500), .number(0.6)), cell(at: 0)])
    picture.attributeNames = ["contentRect", "maskingValue"]
    let page = picture.html()
    #expect(page.contains("\"m\":0.6,\"c\":[0,10,80,50],"))
    #expect(page.contains("[0,0,0,0,50,80,60]"))
  }

  @Test func nearerOfElementsWithTheSameRotationIsInFront() throws {
    // Turned by 45° about the vertical axis, away from the middle of the viewport at 187.5.
    let turn = 0.5.squareRoot()
    let elements = [0, 100, 275, 375].enumerated().map { item, middle -> Element in
      var element = Sample.cell(item, middle - 90, 0, 180, 180)
      let sine = middle < 187.5 ? turn : -turn
      (element.transform.m11, element.transform.m13) = (turn, -sine)
      (element.transform.m31, element.transform.m33) = (sine, turn)
      return element
    }
    let titles = try MarkupReader(Sample.picture(elements).svg()).all("title").dropFirst()
    let order = titles.compactMap { Int(String($0.text.dropFirst(5).prefix(1))) }
    #expect(order.filter { $0 < 2 } == [0, 1])
    #expect(order.filter { $0 >= 2 } == [3, 2])
  }

  @Test func pinnedHeadersAreInFront() throws {
    let header = Sample.extra(
      .supplementary, "header", Rect(x: 0, y: 0, width: 375, height: 44), zIndex: 1024)
    let elements = [header] + (0..<3).map { Sample.cell($0, 0, 30, 50, 50, zIndex: $0) }
    let shapes = SVGTests.shapes(in: try MarkupReader(Sample.picture(elements).svg()))
    #expect(shapes.map { $0.attributes["class"] } == ["cell", "cell", "cell", "header"])
  }
}

extension InsideTests {
  private func animated(
    _ from: Element, _ to: Element, _ interpolation: AttributeDescription.Interpolation = .linear
  ) -> AnimatedPicture {
    let attributes = [
      attribute("maskingValue", .number, .number(0), interpolation),
      attribute("contentRect", .rect, .rect(.zero), interpolation),
    ]
    let size = Size(width: 300, height: 300)
    return AnimatedPicture(
      engineName: "One", engineID: "org.example.one",
      animation: LayoutAnimation(
        from: LayoutMoment(elements: [from], attributes: attributes, contentSize: size),
        to: LayoutMoment(elements: [to], attributes: attributes, contentSize: size)),
      bounds: size)
  }

  private func values(_ picture: AnimatedPicture, _ attribute: String) throws -> [String] {
    try MarkupReader(picture.svg()).all("animate").filter {
      $0.attributes["attributeName"] == attribute
    }.compactMap { $0.attributes["values"] }
  }

  @Test func maskAndPictureAreAnimated() throws {
    let picture = animated(
      cell(.number(0), rect(0, 15, 80, 30)), cell(.number(0.6), rect(20, 0, 40, 60), at: 10))
    #expect(try values(picture, "fill-opacity") == ["0;0;0.6;0.6"])
    // The group moves the cell; in it the picture goes from 10 + 0 to 10 + 20.
    #expect(try values(picture, "x") == ["10;10;30;30"])
    #expect(try values(picture, "y") == ["65;65;50;50"])
    #expect(try values(picture, "width") == ["80;80;40;40"])
    #expect(try values(picture, "height") == ["30;30;60;60"])
    let fills = try MarkupReader(picture.svg()).all("rect").filter {
      ["cell", "picture"].contains($0.attributes["class"])
    }
    let (cell, inner) = try (brightness(fills[0]), brightness(fills[1]))
    #expect(cell > inner)
    let page = picture.html()
    #expect(page.contains("\"m\":[0,0.6],\"c\":[[0,15,80,30],[20,0,40,60]]"))
  }

  @Test func pictureOfOneEndFillsTheCellAtTheOther() throws {
    let picture = animated(cell(.number(0), .rect(.zero)), cell(.number(0), rect(20, 0, 40, 60)))
    #expect(try values(picture, "x") == ["100;100;120;120"])
    #expect(try values(picture, "width") == ["80;80;40;40"])
    #expect(try values(picture, "fill-opacity").isEmpty)
  }

  @Test(arguments: [
    (AttributeDescription.Interpolation.step, "0;0;0.6;0.6"),
    (AttributeDescription.Interpolation.none, "0;0;0;0"),
  ])
  func attributesThatAreNotLinearChangeAtOnce(
    interpolation: AttributeDescription.Interpolation, start: String
  ) throws {
    let picture = animated(
      cell(.number(0), .rect(.zero)), cell(.number(0.6), .rect(.zero)), interpolation)
    let all = try #require(try values(picture, "fill-opacity").first)
    #expect(all.hasPrefix(start))
    #expect(all.split(separator: ";").count == 33)
    #expect(all.hasSuffix(";0.6;0.6"))
  }

  @Test func maskAndPictureAreAnimatedWithATransform() throws {
    var end = cell(.number(0.6), rect(0, 0, 80, 30))
    end.transform.m14 = 0.005
    let picture = animated(cell(.number(0), rect(0, 0, 80, 30)), end)
    let reader = try MarkupReader(picture.svg())
    let polygons = reader.all("polygon")
    #expect(polygons.map { $0.attributes["class"] } == ["cell", "picture", "mask"])
    #expect(polygons[2].attributes["points"] == polygons[0].attributes["points"])
    // At dx = ±40, w is 0.8 and 1.2; dy is -30 and 0.
    #expect(polygons[1].numbers("points") == [90, 42.5, 173.333, 55, 173.333, 80, 90, 80])
    #expect(try values(picture, "fill-opacity") == ["0;0;0.6;0.6"])
    #expect(try values(picture, "points").count == 3)
  }

  @Test(arguments: [false, true])
  func drawingOrderIsThatOfTheTransformedLayout(isReversed: Bool) throws {
    // Turned by 45° right of the middle: the left one lies in front, wherever it comes from.
    let turn = 0.5.squareRoot()
    let turned = [160.0, 200].enumerated().map { item, x -> Element in
      var element = Sample.cell(item, x, 0, 100, 100)
      (element.transform.m11, element.transform.m13) = (turn, turn)
      (element.transform.m31, element.transform.m33) = (-turn, turn)
      return element
    }
    let flat = [0.0, 50].enumerated().map { Sample.cell($0, 50 - $1, 0, 40, 40) }
    let size = Size(width: 300, height: 300)
    let moments = [flat, turned].map { LayoutMoment(elements: $0, contentSize: size) }
    let picture = AnimatedPicture(
      engineName: "One", engineID: "org.example.one",
      animation: LayoutAnimation(
        from: moments[isReversed ? 1 : 0], to: moments[isReversed ? 0 : 1]),
      bounds: size)
    let titles = try MarkupReader(picture.svg()).all("title").dropFirst()
    #expect(titles.map { $0.text.prefix(6) } == ["cell 1", "cell 0"])
  }
}
