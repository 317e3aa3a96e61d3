import CTessera
import TesseraGeometry

extension tessera_insets {
  /// Insets, left and right exchanged where the layout is mirrored.
  init(_ insets: Insets, isMirrored: Bool) {
    self.init(
      top: insets.top, left: isMirrored ? insets.right : insets.left, bottom: insets.bottom,
      right: isMirrored ? insets.left : insets.right)
  }
}

extension tessera_rect {
  init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
