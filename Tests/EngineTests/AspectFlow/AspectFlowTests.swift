import TesseraHost
import TestSupport
import Testing

@Suite struct AspectFlowTests {
  private static let ratios = [1.0, 0.01, 0.5, 4.0 / 3, 2, 16.0 / 9, 100]

  private func session(_ sizes: [Size], _ ratios: [Double]) throws -> Session {
    let session = try ShippedEngines.session("org.tessera.aspect-flow")
    try session.setSections([sizes.count])
    try session.setItemValues("size", .sizes(sizes))
    try session.setItemValues("aspectRatio", .numbers(ratios))
    return session
  }

  private static func combinations() -> (sizes: [Size], ratios: [Double]) {
    let lengths = [1.0, 7.5, 40, 140, 300]
    let sizes = lengths.flatMap { width in lengths.map { Size(width: width, height: $0) } }
    return (
      sizes.flatMap { Array(repeating: $0, count: ratios.count) },
      sizes.flatMap { _ in ratios }
    )
  }

  @Test func aPictureThatFitsIsTheLargestOfItsRatioInTheMiddle() throws {
    let (sizes, ratios) = Self.combinations()
    let elements = try session(sizes, ratios).elements()
    #expect(elements.count == sizes.count)
    for (index, element) in elements.enumerated() {
      let (cell, ratio) = (sizes[index], ratios[index])
      #expect(element.frame.size == cell)
      #expect(try #require(element.value("layoutMode", elements)) == .choice("aspectFit"))
      let content = try element.contentRect(elements)
      #expect(content.minX >= 0 && content.maxX <= cell.width * (1 + 1e-12))
      #expect(content.minY >= 0 && content.maxY <= cell.height * (1 + 1e-12))
      #expect(abs(content.width / content.height / ratio - 1) < 1e-12)
      // The largest fit: it touches two opposite edges.
      #expect(
        abs(content.width - cell.width) < 1e-9 || abs(content.height - cell.height) < 1e-9)
      #expect(abs(content.midX - cell.width / 2) < 1e-9)
      #expect(abs(content.midY - cell.height / 2) < 1e-9)
    }
  }

  @Test(arguments: ["aspectFit", "aspectFill"])
  func theDelegateOverridesTheParameterForEachItem(_ parameter: String) throws {
    let session = try ShippedEngines.session("org.tessera.aspect-flow")
    try session.setSections([3, 4])
    try session.setItemValues("aspectRatio", .constant(.number(2)))
    try session.setParameter("layoutMode", to: .choice(parameter))
    try session.setDelegate(
      "layoutModeForItem",
      DelegateFunction("layoutModeForItem") { (section: UInt32, item: UInt32) -> UInt8 in
        UInt8(truncatingIfNeeded: (section + item) % 2)
      })
    let elements = try session.elements()
    for element in elements {
      let isFill = (element.identity.section + element.identity.item) % 2 == 1
      #expect(
        element.value("layoutMode", elements) == .choice(isFill ? "aspectFill" : "aspectFit"))
      #expect(
        try element.contentRect(elements)
          == Rect(x: 0, y: isFill ? 0 : 35, width: 140, height: isFill ? 140 : 70))
    }
    try session.setDelegate("layoutModeForItem", nil)
    let rest = try session.elements()
    #expect(rest.allSatisfy { $0.value("layoutMode", rest) == .choice(parameter) })
  }

  @Test func invalidModeIsReportedWithTheItem() throws {
    let session = try ShippedEngines.session("org.tessera.aspect-flow")
    try session.setSections([1, 3])
    try session.setDelegate(
      "layoutModeForItem",
      DelegateFunction("layoutModeForItem") { (section: UInt32, item: UInt32) -> UInt8 in
        section == 1 && item == 2 ? 7 : 1
      })
    session.expectRefusal(
      "org.tessera.aspect-flow: layoutModeForItem of item 2 in section 1 is 7; it must be 0 "
        + "for aspectFit or 1 for aspectFill")
  }

  @Test(arguments: [0.0, -1])
  func invalidRatioIsReportedWithTheItem(_ ratio: Double) throws {
    try session(Array(repeating: Size(width: 140, height: 140), count: 3), [1, ratio, 1])
      .expectRefusal("aspectRatio of item 1 in section 0")
  }
}

extension Element {
  fileprivate func value(_ name: String, _ elements: Elements) -> Value? {
    elements.attributes.firstIndex { $0.name == name }.map { attributes[$0] }
  }

  fileprivate func contentRect(_ elements: Elements) throws -> Rect {
    guard let rect = value("contentRect", elements).flatMap({ Rect($0) }) else {
      throw Placement.Deviation("cells have a contentRect", self)
    }
    return rect
  }
}
