import TesseraGeometry

/// The sign that stands for a picture: hills and a sun.
enum PictureGlyph {
  /// In parts of the picture's width and height.
  private static let hills: [(x: Double, y: Double)] = [
    (0.1, 0.86), (0.36, 0.44), (0.54, 0.7), (0.67, 0.54), (0.9, 0.86),
  ]
  private static let sun = (x: 0.72, y: 0.28)
  /// The sun's corners, in parts of its radius.
  private static let corners: [(x: Double, y: Double)] = [
    (1, 0), (0.707, 0.707), (0, 1), (-0.707, 0.707), (-1, 0), (-0.707, -0.707), (0, -1),
    (0.707, -0.707),
  ]
  /// The sun's radius, in parts of the picture's shorter side.
  private static let radius = 0.09

  /// The outlines of the hills and of the sun, in a picture.
  static func outlines(in rect: Rect) -> [[Point]] {
    let radius = radius * min(rect.width, rect.height)
    let middle = Point(x: rect.x + sun.x * rect.width, y: rect.y + sun.y * rect.height)
    return [
      hills.map { Point(x: rect.x + $0.x * rect.width, y: rect.y + $0.y * rect.height) },
      corners.map { Point(x: middle.x + $0.x * radius, y: middle.y + $0.y * radius) },
    ]
  }
}
