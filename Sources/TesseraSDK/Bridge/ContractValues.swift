import CTessera
import TesseraGeometry

extension tessera_value {
  /// A value in the member of its type, the other bytes zero; all zero for nil.
  init<Value: LayoutValue>(_ value: Value?) {
    self.init()
    guard let stored = value?.stored else { return }
    withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: stored, as: Value.Stored.self) }
  }
}

extension Rect {
  init(_ rect: tessera_rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}

extension tessera_rect {
  init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}

extension Point {
  init(_ point: tessera_point) {
    self.init(x: point.x, y: point.y)
  }
}

extension tessera_point {
  init(_ point: Point) {
    self.init(x: point.x, y: point.y)
  }
}

extension Insets {
  init(_ insets: tessera_insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}

extension Size {
  init(_ size: tessera_size) {
    self.init(width: size.width, height: size.height)
  }
}

extension tessera_size {
  init(_ size: Size) {
    self.init(width: size.width, height: size.height)
  }
}
