/// A point in points; y grows downward.
public struct Point: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var x, y: Double

  /// Creates a point.
  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin.
  public static let zero = Point(x: 0, y: 0)

  /// Whether both coordinates are finite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }

  /// Adds the coordinates.
  @inlinable public static func + (one: Point, other: Point) -> Point {
    Point(x: one.x + other.x, y: one.y + other.y)
  }
}

/// A width and a height, in points.
public struct Size: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var width, height: Double

  /// Creates a size.
  @inlinable public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The size 0×0.
  public static let zero = Size(width: 0, height: 0)

  /// Whether both lengths are finite.
  @inlinable public var isFinite: Bool { width.isFinite && height.isFinite }

  /// Returns the size reduced by insets.
  @inlinable public func inset(by insets: Insets) -> Size {
    Rect(origin: .zero, size: self).inset(by: insets).size
  }
}

/// A rectangle in points: minX ≤ x < maxX and minY ≤ y < maxY.
///
/// Same memory layout as the contract's `tessera_rect`.
public struct Rect: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var x, y, width, height: Double

  /// Creates a rectangle.
  @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle.
  @inlinable public init(origin: Point, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// The rectangle of size 0×0 at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The left edge.
  @inlinable public var minX: Double { x }
  /// The upper edge.
  @inlinable public var minY: Double { y }
  /// The right edge, exclusive.
  @inlinable public var maxX: Double { x + width }
  /// The lower edge, exclusive.
  @inlinable public var maxY: Double { y + height }
  /// The horizontal centre.
  @inlinable public var midX: Double { x + width / 2 }
  /// The vertical centre.
  @inlinable public var midY: Double { y + height / 2 }
  /// The upper left corner.
  @inlinable public var origin: Point {
    get { Point(x: x, y: y) }
    set { (x, y) = (newValue.x, newValue.y) }
  }
  /// The width and the height.
  @inlinable public var size: Size {
    get { Size(width: width, height: height) }
    set { (width, height) = (newValue.width, newValue.height) }
  }
  /// The lower right corner.
  @inlinable public var corner: Point { Point(x: maxX, y: maxY) }
  /// Whether all four numbers are finite.
  @inlinable public var isFinite: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite
  }

  /// Returns the rectangle translated by a point.
  @inlinable public func moved(by point: Point) -> Rect { Rect(origin: point + origin, size: size) }

  /// Whether the rectangles overlap; touching edges don't, an empty rectangle never does.
  @inlinable public func intersects(_ other: Rect) -> Bool {
    width > 0 && height > 0 && other.width > 0 && other.height > 0
      && maxX > other.minX && minX < other.maxX && maxY > other.minY && minY < other.maxY
  }

  /// Returns the rectangle with each edge moved inward; a negative length becomes 0.
  @inlinable public func inset(by insets: Insets) -> Rect {
    Rect(
      x: x + insets.left, y: y + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}

/// Distances from the four edges, in points; positive is inward.
public struct Insets: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var top, left, bottom, right: Double

  /// Creates insets.
  @inlinable public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// No insets.
  public static let zero = Insets()

  /// The upper left corner of the inset area.
  @inlinable public var origin: Point { Point(x: left, y: top) }

  /// Whether all four are finite.
  @inlinable public var isFinite: Bool {
    top.isFinite && left.isFinite && bottom.isFinite && right.isFinite
  }
}

/// A direction of the plane.
public enum Axis: Sendable {
  case x, y

  /// The perpendicular axis.
  @inlinable public var other: Axis { self == .x ? .y : .x }
}

extension Point {
  /// Creates a point on an axis.
  @inlinable public init(_ position: Double, along axis: Axis) {
    self.init(x: axis == .x ? position : 0, y: axis == .x ? 0 : position)
  }

  /// The coordinate on an axis.
  @inlinable public subscript(axis: Axis) -> Double {
    get { axis == .x ? x : y }
    set { if axis == .x { x = newValue } else { y = newValue } }
  }
}

extension Size {
  /// The length on an axis.
  @inlinable public subscript(axis: Axis) -> Double {
    get { axis == .x ? width : height }
    set { if axis == .x { width = newValue } else { height = newValue } }
  }
}

extension Insets {
  /// The two insets on an axis.
  @inlinable public subscript(axis: Axis) -> (start: Double, end: Double) {
    axis == .x ? (left, right) : (top, bottom)
  }

  /// The sum of both insets on an axis.
  @inlinable public func length(_ axis: Axis) -> Double { self[axis].start + self[axis].end }

  /// Returns the insets combined edge by edge.
  @inlinable public func combined(
    with other: Insets, _ combine: (Double, Double) -> Double
  ) -> Insets {
    Insets(
      top: combine(top, other.top), left: combine(left, other.left),
      bottom: combine(bottom, other.bottom), right: combine(right, other.right))
  }
}

extension Rect {
  /// Creates the rectangle from 0 to `breadth` across an axis.
  @inlinable public init(along axis: Axis, start: Double, length: Double, breadth: Double) {
    self.init(
      x: axis == .x ? start : 0, y: axis == .x ? 0 : start,
      width: axis == .x ? length : breadth, height: axis == .x ? breadth : length)
  }
}

/// Rounds a length below 2^51 pixels to the pixel grid, half up; `scale` is pixels per point.
@inlinable public func roundedToPixel(_ length: Double, scale: Double) -> Double {
  let half = length * scale + 0.5
  // `quickFloor`, without its handling of large numbers.
  let whole = (half + 0x1.8p52) - 0x1.8p52
  return (whole - (whole > half ? 1 : 0)) / scale
}

extension Double {
  /// `rounded(.down)`, inlined; zero is always positive.
  ///
  /// On the baseline CPU `rounded(.down)` is a C library call, too slow for every item.
  @inlinable public var quickFloor: Double {
    let whole = quickNearest
    return whole - (whole > self ? 1 : 0)
  }

  /// `rounded(.up)`, inlined.
  @inlinable public var quickCeiling: Double {
    let whole = quickNearest
    return whole - (whole < self ? -1 : 0)
  }

  // Less than 1 away. Adding and subtracting 2^52 rounds; larger numbers are integers.
  @inlinable var quickNearest: Double {
    let far = Double(signOf: self, magnitudeOf: 0x1p52)
    let whole = (self + far) - far
    return abs(self) < 0x1p52 ? whole : self
  }
}

extension Range where Bound == Int {
  /// Binary search for the first number where `belongs` is and stays true; else the end.
  ///
  /// - Complexity: O(log *n*) calls.
  @inlinable public func partitioningIndex(where belongs: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if belongs(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
