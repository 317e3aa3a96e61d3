import Glibc
import TesseraSDK

final class Circle: PreparingLayout, UpdatingLayout {
  static let identity = EngineIdentity(
    id: "org.example.circle", name: "Circle", version: "1.0.0", author: "You", license: "MIT",
    summary: "Items on a circle; new ones come from its middle.")

  @Parameter("Width and height of an item.", unit: "pt", in: 0...) var itemSize = 70.0

  /// The size of the content: what is visible, but room for one item.
  private func content(_ input: Input) -> Size {
    Size(width: max(input.extent.width, itemSize), height: max(input.extent.height, itemSize))
  }

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let content = content(input)
    let middle = Point(x: content.width / 2, y: content.height / 2)
    let side = min(content.width, content.height)
    let radius = min(side / 2.5, (side - itemSize) / 2)
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      try output.add(.cells(inSection: section, items: 0..<items.count)) { frames in
        for (row, item) in items.enumerated() {
          let angle = 2 * Double.pi * Double(item) / Double(input.itemCount)
          frames[row] = Rect(
            x: middle.x + radius * cos(angle) - itemSize / 2,
            y: middle.y + radius * sin(angle) - itemSize / 2, width: itemSize, height: itemSize)
        }
      }
    }
    try output.setContentSize(content)
  }

  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    try moveToTheMiddle(input, output, scale: 1)
  }

  func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    try moveToTheMiddle(input, output, scale: 0.1)
  }

  private func moveToTheMiddle(
    _ input: Input, _ output: Output, scale: Double
  ) throws(LayoutFailure) {
    let content = content(input)
    for index in 0..<output.runCount {
      let rows = try output.get(index).rows
      for row in 0..<rows.count {
        let frame = rows.frame[row]
        rows.frame[row] = Rect(
          x: (content.width - frame.width) / 2, y: (content.height - frame.height) / 2,
          width: frame.width, height: frame.height)
        rows.transform[row].m11 = scale
        rows.transform[row].m22 = scale
      }
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Circle.self, host: host)
}
