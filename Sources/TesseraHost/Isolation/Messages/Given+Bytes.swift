import CTessera
import TesseraGeometry

extension ByteWriter {
  mutating func put(_ given: Given) {
    put(given.surroundings)
    put(given.change.what)
    put(given.change.first_section)
    put(given.change.first_item)
    put(given.mirrorWidth != nil)
    put(given.mirrorWidth ?? 0)
    put(given.rowLimit)
  }

  mutating func put(_ surroundings: Surroundings) {
    put(surroundings.bounds)
    put(surroundings.offset)
    put(surroundings.contentInsets)
    put(surroundings.safeAreaInsets)
    put(surroundings.layoutMargins)
    put(surroundings.scale)
    put(surroundings.direction == .rightToLeft)
  }

  mutating func put(_ size: Size) {
    put(size.width)
    put(size.height)
  }

  mutating func put(_ point: Point) {
    put(point.x)
    put(point.y)
  }

  mutating func put(_ rect: Rect) {
    put(rect.x)
    put(rect.y)
    put(rect.width)
    put(rect.height)
  }

  mutating func put(_ insets: Insets) {
    put(insets.top)
    put(insets.left)
    put(insets.bottom)
    put(insets.right)
  }
}

extension ByteReader {
  mutating func given() throws(HostError) -> Given {
    let surroundings = try surroundings()
    let change = tessera_change(
      what: try uint32(), first_section: try uint32(), first_item: try uint64())
    let isMirrored = try bool()
    let width = try double()
    return Given(
      surroundings: surroundings, change: change, mirrorWidth: isMirrored ? width : nil,
      rowLimit: try int())
  }

  private mutating func surroundings() throws(HostError) -> Surroundings {
    Surroundings(
      bounds: try size(), offset: try point(), contentInsets: try insets(),
      safeAreaInsets: try insets(), layoutMargins: try insets(), scale: try double(),
      direction: try bool() ? .rightToLeft : .leftToRight)
  }

  mutating func size() throws(HostError) -> Size {
    Size(width: try double(), height: try double())
  }

  mutating func point() throws(HostError) -> Point { Point(x: try double(), y: try double()) }

  mutating func rect() throws(HostError) -> Rect {
    Rect(x: try double(), y: try double(), width: try double(), height: try double())
  }

  mutating func insets() throws(HostError) -> Insets {
    Insets(top: try double(), left: try double(), bottom: try double(), right: try double())
  }

  mutating func path() throws(HostError) -> ItemPath {
    ItemPath(section: try int(), item: try int())
  }
}
