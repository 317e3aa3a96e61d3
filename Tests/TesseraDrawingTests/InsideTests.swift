import Foundation
import TesseraDrawing
import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Places are calculated by hand.
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

  @Test func otherAttributesAndElementsHaveNoPicture() throws {
    let place = rect(0, 0, 40, 40)
    var header = Sample.extra(.supplementary, "header", Rect(x: 0, y: 0, width: 90, height: 50))
    header.attributes = [place]
    let readers = [
      try read(cell(place), "contentBox"), try read(cell(.number(1)), "contentRect"),
      try read(cell(), "contentRect"), try read(header, "contentRect"),
      try read(cell(rect(.nan, 0, 10, 60)), "contentRect"),
      try read(cell(place), "maskingValue"),
    ]
    for reader in readers {
      #expect(reader.all("rect", class: "picture").isEmpty)
      #expect(reader.all("rect", class: "mask").isEmpty)
    }
  }

  @Test func pageHasMaskingAndPicture() throws {
    var picture = Sample.picture([cell(rect(-40, 10, 160, 500), .number(0.6)), cell(at: 0)])
    picture.attributeNames = ["contentRect", "maskingValue"]
    let page = picture.html()
    #expect(page.contains("\"m\":0.6,\"c\":[0,10,80,50],"))
    #expect(page.contains("[0,0,0,0,50,80,60]"))
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
    // The group moves the cell; the picture moves from 10 + 0 to 10 + 20.
    #expect(try values(picture, "x") == ["10;10;30;30"])
    #expect(try values(picture, "y") == ["65;65;50;50"])
    #expect(try values(picture, "width") == ["80;80;40;40"])
    #expect(try values(picture, "height") == ["30;30;60;60"])
    let page = picture.html()
    #expect(page.contains("\"m\":[0,0.6],\"c\":[[0,15,80,30],[20,0,40,60]]"))
  }
}
