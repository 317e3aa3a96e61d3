import CTessera
import TesseraCatalog
import TesseraGeometry

/// The arguments that every call into the engines of a session has.
package struct CallContext {
  package var viewport: Viewport
  package var change = tessera_change()
  /// The width of the content if the host mirrors the layout; else nil.
  package var mirrorWidth: Double?
  /// The maximum number of rows that an engine's own query returns.
  package var rowLimit = 10_000_000

  package init(
    viewport: Viewport, change: tessera_change = tessera_change(),
    mirrorWidth: Double? = nil, rowLimit: Int = 10_000_000
  ) {
    self.viewport = viewport
    self.change = change
    self.mirrorWidth = mirrorWidth
    self.rowLimit = rowLimit
  }
}

/// The viewport settings that a layout is given.
public struct Viewport: Hashable, Sendable {
  /// The viewport's size in points.
  public var bounds: Size
  /// The viewport's scroll offset, in points of the content.
  public var offset: Point
  /// Insets around the content, inside the bounds.
  public var contentInsets: Insets
  /// The safe area, measured from the edges of the bounds.
  public var safeAreaInsets: Insets
  /// The layout margins, measured from the edges of the bounds.
  public var layoutMargins: Insets
  /// Device pixels per point.
  public var scale: Double
  /// The direction in which the content reads.
  public var direction: LayoutDirection

  /// Creates viewport settings; those left out have these defaults everywhere.
  public init(
    bounds: Size = Size(width: 375, height: 667), offset: Point = .zero,
    contentInsets: Insets = .zero, safeAreaInsets: Insets = .zero, layoutMargins: Insets = .zero,
    scale: Double = 2, direction: LayoutDirection = .leftToRight
  ) {
    (self.bounds, self.offset, self.contentInsets) = (bounds, offset, contentInsets)
    (self.safeAreaInsets, self.layoutMargins) = (safeAreaInsets, layoutMargins)
    (self.scale, self.direction) = (scale, direction)
  }

  /// Checks that all numbers are finite and in range.
  ///
  /// - Throws: `.invalidInput`, naming the first invalid setting.
  package func check() throws(HostError) {
    guard !isValid else { return }
    try check("bounds", [bounds.width, bounds.height], atLeast: 0, "width and height 0 or more")
    try check("offset", [offset.x, offset.y])
    for (name, insets) in [
      ("contentInsets", contentInsets), ("safeAreaInsets", safeAreaInsets),
      ("layoutMargins", layoutMargins),
    ] {
      try check(name, [insets.top, insets.left, insets.bottom, insets.right])
    }
    try check("scale", [scale], atLeast: 0.01, "0.01 to 1000")
    guard scale <= 1000 else {
      throw .invalidValue("scale", is: scale.shortText, expected: "0.01 to 1000")
    }
  }

  private var isValid: Bool {
    let lengths = SIMD2(bounds.width, bounds.height)
    let content = SIMD4(
      contentInsets.top, contentInsets.left, contentInsets.bottom, contentInsets.right)
    let safe = SIMD4(
      safeAreaInsets.top, safeAreaInsets.left, safeAreaInsets.bottom, safeAreaInsets.right)
    let margins = SIMD4(
      layoutMargins.top, layoutMargins.left, layoutMargins.bottom, layoutMargins.right)
    func areSmall(_ numbers: SIMD4<Double>) -> Bool {
      // False if one is not a number.
      all(numbers .<= Self.limit) && all(numbers .>= -Self.limit)
    }
    return all(lengths .>= 0) && all(lengths .<= Self.limit) && Self.isValid(offset)
      && areSmall(content) && areSmall(safe) && areSmall(margins) && scale >= 0.01 && scale <= 1000
  }

  private func check(
    _ name: String, _ numbers: [Double], atLeast low: Double = -.infinity,
    _ expected: String = "finite numbers"
  ) throws(HostError) {
    guard numbers.allSatisfy({ $0.isFinite && $0 >= low && $0.magnitude <= Self.limit }) else {
      throw .invalidValue(
        name, is: numbers.map(\.shortText).joined(separator: ","),
        expected: "\(expected), at most 1e12 in magnitude")
    }
  }

  /// Whether a point is a valid scroll offset.
  package static func isValid(_ offset: Point) -> Bool {
    offset.isFinite && max(offset.x.magnitude, offset.y.magnitude) <= limit
  }

  /// The maximum magnitude of each number.
  private static let limit = 1e12

  /// Whether all settings but the scroll offset are equal.
  package func equalsApartFromOffset(_ other: Viewport) -> Bool {
    var moved = other
    moved.offset = offset
    return moved == self
  }

  /// The bounds and the offset, for a line of a trace.
  package var traceText: String { "bounds \(Value.size(bounds)), offset \(Value.point(offset))" }
}

/// The direction in which the content reads.
public enum LayoutDirection: String, CaseIterable, Sendable {
  /// From left to right.
  case leftToRight
  /// From right to left.
  case rightToLeft
}

/// The index path of an item: its section, and its number in the section.
public struct ItemPath: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The section, from 0.
  public var section: Int
  /// The item's number in its section, from 0.
  public var item: Int

  /// Creates the index path of an item.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether one index path precedes another: by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    left.section != right.section ? left.section < right.section : left.item < right.item
  }
}
