/// One column of a run's rows, in the host's memory: what is assigned is in place at once.
///
/// Valid until the call from the host returns. Empty where the layout has not declared the column.
public struct RowColumn<Value: RowValue> {
  @usableFromInline let base: UnsafeMutablePointer<Value.Stored>?
  /// How many rows there are.
  public let count: Int

  init(_ base: UnsafeMutablePointer<Value.Stored>?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// The value of a row.
  ///
  /// - Parameter row: Below `count`.
  @inlinable public subscript(row: Int) -> Value {
    get {
      precondition(row >= 0 && row < count, "no such row, or the column is not declared")
      return Value(stored: base.unsafelyUnwrapped[row])
    }
    nonmutating set {
      precondition(row >= 0 && row < count, "no such row, or the column is not declared")
      base.unsafelyUnwrapped[row] = newValue.stored
    }
  }

  /// Calls `body` with the column as it is stored: the fastest way to fill many rows.
  @inlinable public func withMutableSpan<Result, Failure>(
    _ body: (inout MutableSpan<Value.Stored>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = UnsafeMutableBufferPointer(start: base, count: count)
    var span = buffer.mutableSpan
    return try body(&span)
  }
}
