import CTessera
import TesseraCatalog
import TesseraGeometry

/// Everything that a layout is given, as plain data in which every default is filled in.
///
/// A scenario resolves to it, a recording repeats it field by field, and the conformance suite
/// generates, shrinks and prints it. `LayoutField` is the table of its fields. The viewport settings are
/// its properties: `input.bounds`.
@dynamicMemberLookup
public struct LayoutInput: Hashable, Sendable {
  /// The viewport settings.
  public var viewport = Viewport()
  /// The values of parameters by name; the others keep their initial values.
  public var parameters: [String: Value] = [:]
  /// The records of lists by name; the others are empty.
  public var lists: [String: RecordList] = [:]
  /// The item count of each section.
  public var counts: [Int]
  /// Section values by name.
  public var sectionValues: [String: ValueColumn] = [:]
  /// Item values by name, for the items of all sections in order.
  public var itemValues: [String: ValueColumn] = [:]
  /// Answers of delegate functions by name, as a scenario has them.
  public var delegate: [String: JSONNode] = [:]
  /// The size of each item for engines that measure items, as a scenario has it.
  public var measure: JSONNode?

  /// The item count of the one section that a layout has by default.
  public static let defaultItemCount = 20

  /// The default input, of one section of 20 items or of sections with other item counts.
  public init(counts: [Int] = [Self.defaultItemCount]) { self.counts = counts }

  /// The number of items in all sections.
  public var itemCount: Int { counts.reduce(0, +) }

  /// A viewport setting.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
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
    for field in LayoutField.settings {
      let (value, range) = (field.value(in: self), field.range)
      func found(_ expected: String) -> HostError {
        let numbers = value.numbers.map(\.shortText).joined(separator: ",")
        return HostError(.invalidInput, "\(field.name) is \(numbers); expected \(expected)")
      }
      let isFinite = value.numbers.allSatisfy { $0.isFinite && $0.magnitude <= Self.limit }
      guard isFinite, value.numbers.allSatisfy({ $0 >= range.lowerBound }) else {
        throw found("\(field.expectation), at most 1e12 in magnitude")
      }
      guard value.numbers.allSatisfy(range.contains) else { throw found(field.expectation) }
    }
  }

  // Every prepare after a change of the viewport checks it, so the usual case reads no table.
  private var isValid: Bool {
    let lengths = SIMD2(bounds.width, bounds.height)
    func areSmall(_ insets: Insets) -> Bool {
      let numbers = SIMD4(insets.top, insets.left, insets.bottom, insets.right)
      // False if one is not a number.
      return all(numbers .<= Self.limit) && all(numbers .>= -Self.limit)
    }
    return all(lengths .>= 0) && all(lengths .<= Self.limit) && Self.isValid(offset)
      && areSmall(contentInsets) && areSmall(safeAreaInsets) && areSmall(layoutMargins)
      && scale >= 0.01 && scale <= 1000
  }

  /// Whether a point is a valid scroll offset.
  package static func isValid(_ offset: Point) -> Bool {
    offset.isFinite && max(offset.x.magnitude, offset.y.magnitude) <= limit
  }

  /// The maximum magnitude of each number.
  static let limit = 1e12

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
