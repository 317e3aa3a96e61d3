import Foundation
import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct LayoutOutputTests {
  static let attributes = [
    Fixture.attribute("layoutMode", .choice("fit"), choices: ["fit", "fill, whole"]),
    Fixture.attribute("contentRect", .rect(.zero)), Fixture.attribute("isOn", .bool(true)),
    Fixture.attribute("count", .integer(0)),
  ]
  static let values: [Value] = [
    .choice("fill, whole"), .rect(Rect(x: 0.1, y: -0.0, width: 1e-7, height: 3)), .bool(false),
    .integer(.max),
  ]
  static let cell = Element(
    identity: .cell(section: 0, item: 0), frame: Rect(x: 0, y: 44, width: 100, height: 90.5))
  static let header = Element(
    identity: .init(category: .supplementary, kind: "head\"er\n", section: 1, item: 2),
    frame: Rect(x: -0.1, y: 1e300, width: 1 / 3, height: 9_007_199_254_740_992),
    transform: Transform(elements: (0..<16).map { Double($0) / 2 })!, alpha: 0.5, zIndex: -1024,
    isHidden: true)

  func text(
    _ elements: [Element], _ format: LayoutWriter.Format, _ attributes: [AttributeDescription] = []
  ) -> String {
    let writer = LayoutWriter(
      engine: "org.example.base", contentSize: Size(width: 375, height: 700.25),
      attributes: attributes)
    var bytes: [UInt8] = []
    writer.write(elements, as: format) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  func withAttributes(_ element: Element) -> Element {
    var element = element
    element.attributes = Self.values
    return element
  }

  @Test("json leaves out what is as by default")
  func json() {
    #expect(
      text([Self.cell, Self.header], .json) == """
        {"engine":"org.example.base","contentSize":[375,700.25],"elements":[
        {"category":"cell","section":0,"item":0,"frame":[0,44,100,90.5]},
        {"category":"supplementary","kind":"head\\"er\\n","section":1,"item":2,\
        "frame":[-0.1,1e+300,0.3333333333333333,9007199254740992],"zIndex":-1024,"alpha":0.5,\
        "hidden":true,"transform3D":[0,0.5,1,1.5,2,2.5,3,3.5,4,4.5,5,5.5,6,6.5,7,7.5]}
        ]}

        """)
    #expect(
      text([], .json)
        == "{\"engine\":\"org.example.base\",\"contentSize\":[375,700.25],\"elements\":[]}\n")
    #expect(
      text([withAttributes(Self.cell)], .json, Self.attributes).contains(
        """
        "attributes":{"layoutMode":"fill, whole","contentRect":[0.1,-0,1e-07,3],"isOn":false,\
        "count":9223372036854775807}}
        """))
  }

  @Test("ndjson has the same objects, one a line, after a line for the whole")
  func ndjson() {
    let lines = text([Self.cell, Self.header], .ndjson).split(separator: "\n")
    let whole = text([Self.cell, Self.header], .json).split(separator: "\n")
    #expect(lines[0] == "{\"engine\":\"org.example.base\",\"contentSize\":[375,700.25]}")
    #expect(lines[1] + "," == whole[1])
    #expect(lines[2] == whole[2])
    #expect(lines.count == 3)
  }

  @Test("csv has the columns of the guide, those of the attributes, and transforms where any is")
  func csv() {
    #expect(
      text([Self.cell], .csv) == """
        category,kind,section,item,x,y,width,height,zIndex,alpha,hidden
        cell,,0,0,0,44,100,90.5,0,1,false

        """)
    let header = "category,kind,section,item,x,y,width,height,zIndex,alpha,hidden"
    #expect(
      text([withAttributes(Self.cell)], .csv, Self.attributes) == """
        \(header),layoutMode,contentRect.x,contentRect.y,contentRect.width,contentRect.height,\
        isOn,count
        cell,,0,0,0,44,100,90.5,0,1,false,"fill, whole",0.1,-0,1e-07,3,false,9223372036854775807

        """)
    let transformed = text([Self.cell, Self.header], .csv).split(separator: "\n")
    #expect(
      transformed[0].hasSuffix(
        ",hidden,transform3D.m11,transform3D.m12,transform3D.m13,"
          + "transform3D.m14,transform3D.m21,transform3D.m22,transform3D.m23,transform3D.m24,"
          + "transform3D.m31,transform3D.m32,transform3D.m33,transform3D.m34,transform3D.m41,"
          + "transform3D.m42,transform3D.m43,transform3D.m44"))
    #expect(transformed[1].hasSuffix(",false,1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"))
    #expect(transformed[2].contains("supplementary,\"head\"\"er"))
  }

  @Test("numbers read back to the same doubles, bit for bit")
  func numbers() throws {
    var generator = SeededGenerator(seed: 3)
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1 / 3, 1e15, 1e16, 123_456_789_012_345_680, 0x1p53, -0x1p53 - 2,
      .greatestFiniteMagnitude, .leastNormalMagnitude,
    ]
    while numbers.count < 4000 {
      let number = Double(bitPattern: generator.next())
      if number.isFinite && number.magnitude >= .leastNormalMagnitude { numbers.append(number) }
    }
    let elements = stride(from: 0, to: 4000, by: 4).map { place in
      Element(
        identity: .cell(section: 0, item: place),
        frame: Rect(
          x: numbers[place], y: numbers[place + 1], width: numbers[place + 2],
          height: numbers[place + 3]))
    }
    let document = try LayoutDocument(parsing: Array(text(elements, .json).utf8), name: "layout")
    let read = document.elements.flatMap { $0.frame.compactMap { $0?.bitPattern } }
    #expect(read == numbers.map(\.bitPattern))
    let rows = text(elements, .csv).split(separator: "\n").dropFirst()
    let fields = rows.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false)[4..<8] }
    #expect(fields.compactMap { Double($0)?.bitPattern } == numbers.map(\.bitPattern))
  }

  @Test("the text comes in chunks, never as one")
  func chunks() {
    let writer = LayoutWriter(engine: "e", contentSize: .zero, attributes: [])
    let elements = (0..<20_000).map { item in
      Element(identity: .cell(section: 0, item: item), frame: .zero)
    }
    for format in LayoutWriter.Format.allCases {
      var sizes: [Int] = []
      writer.write(elements, as: format) { sizes.append($0.count) }
      #expect(sizes.count > 5)
      #expect(sizes.allSatisfy { $0 > 0 && $0 < 70_000 })
    }
  }
}
