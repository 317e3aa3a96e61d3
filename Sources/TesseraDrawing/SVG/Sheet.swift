import TesseraGeometry

/// Where the parts of an SVG picture go, in pixels as drawn.
///
/// The picture is at most 800 wide and 1200 high, as suits a web page; only content that would
/// become a thread is let grow beyond that. Content smaller than a hand is enlarged.
struct Sheet {
  /// The part of the content that is drawn, in points.
  let region: Rect
  /// Pixels a point.
  let scale: Double
  /// Where the region goes.
  let frame: Rect
  /// The whole picture.
  let size: Size

  static let margin = 24.0
  /// Room for the title above the region.
  static let titleHeight = 46.0
  /// Room for the viewport's caption between title and region.
  static let captionHeight = 22.0

  private static let largest = Size(width: 800, height: 1200)
  private static let smallestWidth = 272.0
  /// The short side is not drawn thinner than this for the sake of the long one.
  private static let thinnest = 96.0
  /// The long side is not drawn longer than this for the sake of the short one.
  private static let longest = 12_000.0

  /// - Parameter hasCaption: whether the viewport's caption needs room above the region.
  init(region: Rect, hasCaption: Bool) {
    let top = Self.margin + Self.titleHeight + (hasCaption ? Self.captionHeight : 0)
    let width = max(region.width, 1)
    let height = max(region.height, 1)
    let fit = min(
      (Self.largest.width - 2 * Self.margin) / width,
      (Self.largest.height - top - Self.margin) / height)
    let enlarged = max(1, min(8, 240 / max(width, height)))
    let legible = min(1, Self.thinnest / min(width, height), Self.longest / max(width, height))
    let scale = max(min(fit, enlarged), legible)
    let drawn = Size(width: max(1, width * scale), height: max(1, height * scale))
    let total = max(Self.smallestWidth, drawn.width + 2 * Self.margin)

    self.region = region
    self.scale = scale
    frame = Rect(
      x: (total - drawn.width) / 2, y: top, width: drawn.width, height: drawn.height)
    size = Size(width: total, height: top + drawn.height + Self.margin)
  }

  /// Where a rectangle of the content is drawn.
  func place(_ rect: Rect) -> Rect {
    Rect(
      x: frame.x + (rect.x - region.x) * scale, y: frame.y + (rect.y - region.y) * scale,
      width: rect.width * scale, height: rect.height * scale)
  }

  /// Points of the content that are this many pixels long.
  func points(_ pixels: Double) -> Double { pixels / scale }
}
