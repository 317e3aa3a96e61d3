public import CTessera
public import TesseraGeometry

/// The bounds, counts and viewport of a layout; valid during the call from the host.
public struct Input {
  @usableFromInline let pointer: UnsafePointer<tessera_input>
  private let base: BaseLink

  init(_ pointer: UnsafePointer<tessera_input>, base: BaseLink = BaseLink(nil)) {
    self.pointer = pointer
    self.base = base
  }

  /// The size of the viewport, in points.
  public var bounds: Size { viewport.size }

  /// The viewport, in content points; its origin is the scroll offset.
  public var viewport: Rect { Rect(pointer.pointee.viewport) }

  /// The space between the bounds and the content's origin.
  public var contentInsets: Insets { Insets(pointer.pointee.content_insets) }

  /// The area that bars and notches cover, as insets from the bounds.
  public var safeArea: Insets { Insets(pointer.pointee.safe_area) }

  /// The margins to keep free, as insets from the bounds.
  public var layoutMargins: Insets { Insets(pointer.pointee.layout_margins) }

  /// Device pixels per point.
  public var scale: Double { pointer.pointee.scale }

  /// Whether the content reads right to left; layouts with the trait `mirrors` ignore it.
  public var isRightToLeft: Bool { pointer.pointee.right_to_left != 0 }

  /// The number of sections.
  public var sectionCount: Int { Int(pointer.pointee.section_count) }

  /// The number of items in all sections.
  public var itemCount: Int { Int(clamping: pointer.pointee.section_starts[sectionCount]) }

  /// The items of a section, by their positions among all items.
  public func items(inSection section: Int) -> Range<Int> {
    precondition(section >= 0 && section < sectionCount, "no such section")
    let starts = pointer.pointee.section_starts
    let start = Int(clamping: starts[section])
    return start..<max(start, Int(clamping: starts[section + 1]))
  }

  /// The base of a derived layout; without a base every call on it throws.
  public var `super`: Super { Super(link: base) }

  /// The difference from the input of this layout's last successful prepare.
  public var change: Change { Change(pointer.pointee.change) }
}

extension Input {
  /// The size that content can fill without scrolling: bounds less insets, never negative.
  public var extent: Size {
    let (bounds, insets) = (bounds, contentInsets)
    return Size(
      width: room(bounds.width, insets.left, insets.right),
      height: room(bounds.height, insets.top, insets.bottom))
  }

  /// Returns how far insets of the bounds extend into the content, never negative.
  public func insideContent(_ insets: Insets) -> Insets {
    let content = contentInsets
    return Insets(
      top: max(0, insets.top - content.top), left: max(0, insets.left - content.left),
      bottom: max(0, insets.bottom - content.bottom), right: max(0, insets.right - content.right))
  }

  private func room(_ length: Double, _ leading: Double, _ trailing: Double) -> Double {
    min(max(0, length - leading - trailing), .greatestFiniteMagnitude)
  }
}

/// The difference from the input of a layout's last successful prepare.
public struct Change: Sendable {
  /// The kinds of changes.
  public struct Kinds: OptionSet, Sendable {
    /// The contract's bits.
    public let rawValue: UInt32

    /// Creates kinds from the contract's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Anything: the first prepare, or an unknown difference.
    public static let all = Kinds(rawValue: TESSERA_CHANGED_ALL)
    /// Size, insets, scale or direction.
    public static let bounds = Kinds(rawValue: TESSERA_CHANGED_BOUNDS)
    /// Parameters.
    public static let parameters = Kinds(rawValue: TESSERA_CHANGED_PARAMETERS)
    /// The number of sections or items.
    public static let counts = Kinds(rawValue: TESSERA_CHANGED_COUNTS)
    /// Values of sections or items.
    public static let values = Kinds(rawValue: TESSERA_CHANGED_VALUES)
    /// Lists: their lengths or their records.
    public static let lists = Kinds(rawValue: TESSERA_CHANGED_LISTS)
  }

  /// What changed.
  public let what: Kinds
  /// The first section whose counts or values changed.
  public let firstSection: Int
  /// The first item of that section whose count or value changed.
  public let firstItem: Int
  /// The number of items at the end that are unchanged, with their sections; 0 if unknown.
  public let unchangedLastItems: Int

  init(_ change: tessera_change) {
    what = Kinds(rawValue: change.what)
    firstSection = Int(change.first_section)
    firstItem = Int(clamping: change.first_item)
    unchangedLastItems =
      change.what & TESSERA_CHANGED_ALL == 0 ? Int(clamping: change.last_count) : 0
  }

  /// The number of items at the start of a section that existed with the same values.
  ///
  /// All items of a section before `firstSection`, none of a section after it; 0 if unknown. If
  /// above 0, the section's own values are unchanged.
  public func unchangedItems(inSection section: Int) -> Int {
    guard !what.contains(.all), section <= firstSection else { return 0 }
    return section < firstSection ? .max : firstItem
  }
}

/// Values for each section, item or record, in the host's memory.
///
/// A repeated value takes no memory: check `constant` for a shortcut. Valid during the call from
/// the host.
public struct Column<Value: RowValue> {
  @usableFromInline let base: UnsafeRawPointer?
  @usableFromInline let stride: Int
  /// The number of values.
  public let count: Int

  init() {
    base = nil
    stride = 0
    count = 0
  }

  init(_ column: tessera_column, count: Int) {
    base = column.data
    stride = Int(clamping: column.stride)
    self.count = base == nil ? 0 : count
  }

  /// The value of all elements; nil if they may differ or the column is empty.
  @inlinable public var constant: Value? {
    stride == 0 && count > 0 ? self[0] : nil
  }

  /// The value of a section, an item among all items, or a record.
  @inlinable public subscript(index: Int) -> Value {
    // One comparison: a negative index becomes a large unsigned one.
    precondition(
      UInt(bitPattern: index) < UInt(bitPattern: count), "no such section, item or record")
    return Value(
      stored: base.unsafelyUnwrapped.load(fromByteOffset: index &* stride, as: Value.Stored.self))
  }

  /// The values of a range, with indices from 0.
  @inlinable public subscript(range: Range<Int>) -> Column {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "no such sections, items or records")
    return Column(
      base: base.map { $0 + range.lowerBound &* stride }, stride: stride, count: range.count)
  }

  @inlinable init(base: UnsafeRawPointer?, stride: Int, count: Int) {
    self.base = base
    self.stride = stride
    self.count = count
  }
}

extension Column where Value: PlainRowValue {
  /// Calls `body` with all values if they are contiguous; returns nil if not, as for a constant.
  @inlinable public func withSpan<Result, Failure>(
    _ body: (Span<Value>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard stride == MemoryLayout<Value>.stride, let base else { return nil }
    let values = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: Value.self), count: count)
    return try body(values.span)
  }
}
