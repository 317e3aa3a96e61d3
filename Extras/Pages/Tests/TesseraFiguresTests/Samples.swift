import TesseraDrawing
import TesseraHost

enum Sample {
  static func cell(
    _ item: Int, section: Int = 0, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    zIndex: Int = 0
  ) -> Element {
    Element(
      identity: .cell(section: section, item: item),
      frame: Rect(x: x, y: y, width: width, height: height), zIndex: zIndex)
  }

  static func extra(
    _ category: ElementCategory, _ kind: String, section: Int = 0, _ frame: Rect, zIndex: Int = 0
  ) -> Element {
    Element(
      identity: ElementIdentity(category: category, kind: kind, section: section, item: 0),
      frame: frame, zIndex: zIndex)
  }

  static func picture(
    _ elements: [Element], content: Size = Size(width: 375, height: 667),
    viewport: Rect = Rect(x: 0, y: 0, width: 375, height: 667)
  ) -> Picture<[Element]> {
    Picture(
      engineName: "Sample", engineID: "org.example.sample", contentSize: content,
      viewport: viewport, elements: elements)
  }
}
