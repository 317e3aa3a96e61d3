import CTessera

/// Values of one kind, one for each section or each item, in the host's memory.
///
/// A column may be the same value over and over, which takes no memory: ask for `constant` where a
/// layout has a shorter way then. Valid for the call from the host that it was read in.
public struct Column<Value: RowValue> {
  @usableFromInline let base: UnsafeRawPointer?
  @usableFromInline let stride: Int
  /// How many values there are.
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

  /// The value that all have, or nil where they may differ or where there are none.
  @inlinable public var constant: Value? {
    stride == 0 && count > 0 ? self[0] : nil
  }

  /// The value of a section or an item.
  ///
  /// - Parameter index: The section, or the item's place among all items; below `count`.
  @inlinable public subscript(index: Int) -> Value {
    precondition(index >= 0 && index < count, "no such section or item")
    return Value(
      stored: base.unsafelyUnwrapped.load(fromByteOffset: index &* stride, as: Value.Stored.self))
  }

  /// The values of some sections or items, which then count from 0.
  ///
  /// - Parameter range: Within 0..<count.
  @inlinable public subscript(range: Range<Int>) -> Column {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such sections or items")
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
  /// Calls `body` with all values where they lie side by side; nil, without a call, where they do
  /// not, as for a constant.
  @inlinable public func withSpan<Result, Failure>(
    _ body: (Span<Value>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard stride == MemoryLayout<Value>.stride, let base else { return nil }
    let values = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: Value.self), count: count)
    return try body(values.span)
  }
}
