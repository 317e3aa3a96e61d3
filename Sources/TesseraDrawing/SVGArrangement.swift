import TesseraGeometry
import TesseraHost

/// The arrangement of an SVG picture, in pixels.
public struct SVGArrangement {
  /// The drawn part of the content, in points.
  public let region: Rect
  /// Pixels per point.
  public let scale: Double
  /// The strips in points of the content, and their frames in the picture.
  public var strips: [(region: Rect, frame: Rect)]
  /// The size of the picture.
  public let size: Size

  static let margin = 24.0
  static let titleHeight = 46.0
  static let captionHeight = 22.0

  private static let largest = Size(width: 800, height: 1200)
  private static let smallestWidth = 272.0
  private static let thinnest = 96.0
  /// Overrides `thinnest`.
  private static let longest = 12_000.0
  private static let gap = 20.0

  /// At most 800 by 1200 to suit a web page, unless the content would become a thread.
  init(region: Rect, cuts: [Double] = [], hasCaption: Bool) {
    let top = Self.margin + Self.titleHeight + (hasCaption ? Self.captionHeight : 0)
    let regions = region.cut(at: cuts)
    let isTall = region.isTall
    let gaps = Self.gap * Double(cuts.count)
    let width = max(regions.map(\.width).max() ?? 0, 1)
    let height = max(regions.map(\.height).max() ?? 0, 1)
    let across = max(isTall ? Double(regions.count) * width : width, 1)
    let down = max(isTall ? height : Double(regions.count) * height, 1)
    let fit = min(
      (Self.largest.width - 2 * Self.margin - (isTall ? gaps : 0)) / across,
      (Self.largest.height - top - Self.margin - (isTall ? 0 : gaps)) / down)
    let enlarged = max(1, min(8, 240 / max(width, height)))
    let legible = min(1, Self.thinnest / min(width, height), Self.longest / max(across, down))
    let scale = max(min(fit, enlarged), legible)
    let drawn = Size(
      width: max(1, across * scale) + (isTall ? gaps : 0),
      height: max(1, down * scale) + (isTall ? 0 : gaps))
    let total = max(Self.smallestWidth, drawn.width + 2 * Self.margin)

    self.init(
      region, cuts: cuts, scale: scale, origin: Point(x: (total - drawn.width) / 2, y: top),
      size: Size(width: total, height: top + drawn.height + Self.margin))
  }

  /// Lays out the strips of a region.
  public init(_ region: Rect, cuts: [Double], scale: Double, origin: Point, size: Size) {
    let regions = region.cut(at: cuts)
    let isTall = region.isTall
    let width = max(regions.map(\.width).max() ?? 0, 1)
    let height = max(regions.map(\.height).max() ?? 0, 1)
    (self.region, self.scale, self.size) = (region, scale, size)
    strips = regions.enumerated().map { index, region in
      let step = Double(index)
      let frame = Rect(
        x: origin.x + (isTall ? step * (width * scale + Self.gap) : 0),
        y: origin.y + (isTall ? 0 : step * (height * scale + Self.gap)),
        width: max(1, region.width * scale), height: max(1, region.height * scale))
      return (region, frame)
    }
  }

  /// The size of all strips and gaps, in pixels.
  public static func size(of region: Rect, cuts: [Double], scale: Double) -> Size {
    let regions = region.cut(at: cuts)
    let gaps = gap * Double(cuts.count)
    let width = max(regions.map(\.width).max() ?? 0, 1) * scale
    let height = max(regions.map(\.height).max() ?? 0, 1) * scale
    let count = Double(regions.count)
    return region.isTall
      ? Size(width: max(1, width * count + gaps), height: max(1, height))
      : Size(width: max(1, width), height: max(1, height * count + gaps))
  }

  /// The longest side of the strips, in points.
  public static func longestSide(of region: Rect, cuts: [Double]) -> Double {
    region.cut(at: cuts).map { max($0.width, $0.height) }.max() ?? 1
  }

  func points(_ pixels: Double) -> Double { pixels / scale }

  func place(_ rect: Rect, in strip: (region: Rect, frame: Rect)) -> Rect {
    Rect(
      x: strip.frame.x + (rect.x - strip.region.x) * scale,
      y: strip.frame.y + (rect.y - strip.region.y) * scale,
      width: rect.width * scale, height: rect.height * scale)
  }
}

extension Rect {
  /// Whether strips are side by side.
  fileprivate var isTall: Bool { height >= width }

  fileprivate func cut(at cuts: [Double]) -> [Rect] {
    let ends = isTall ? [minY] + cuts + [maxY] : [minX] + cuts + [maxX]
    guard cuts.count > 0 else { return [self] }
    return zip(ends, ends.dropFirst()).map { start, end in
      isTall
        ? Rect(x: x, y: start, width: width, height: end - start)
        : Rect(x: start, y: y, width: end - start, height: height)
    }
  }

  /// Moves cuts by at most a quarter of a strip to a gap of elements or marks; O(*n*) per cut.
  func cuts(
    into count: Int, around frames: some Sequence<Rect>, or marks: some Sequence<Rect> = [Rect]()
  ) -> [Double] {
    guard count > 1 else { return [] }
    let (start, end) = isTall ? (minY, maxY) : (minX, maxX)
    let length = (end - start) / Double(count)
    func extent(_ rect: Rect) -> (Double, Double) {
      isTall ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
    }
    return (1..<count).map { index in
      let ideal = start + length * Double(index)
      let near = (ideal - length / 4)...(ideal + length / 4)
      var best = ideal
      var least = Double.infinity
      var free = near.lowerBound
      func consider(_ from: Double, _ to: Double) {
        guard from <= to else { return }
        let distance = max(from - ideal, ideal - to, 0)
        if distance < least { (best, least) = ((from + to) / 2, distance) }
      }
      func look(between extents: [(Double, Double)]) {
        free = near.lowerBound
        let crossing = extents.filter { $0.0 < near.upperBound && $0.1 > near.lowerBound }
        for (from, to) in crossing.sorted(by: { $0.0 < $1.0 }) {
          consider(free, from)
          free = max(free, to)
        }
        consider(free, near.upperBound)
      }
      look(between: frames.map(extent))
      if least == .infinity { look(between: marks.map(extent)) }
      return best
    }
  }
}
