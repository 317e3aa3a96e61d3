import CTessera

/// Who a stretch of rows is, numbered as the whole chain of engines numbers kinds.
struct Run: Equatable {
  var category: ElementCategory
  var kind: UInt32
  var section: UInt32
  var firstItem: UInt64
  var count: Int
  /// The first of the rows.
  var row: Int
  /// How many of the rows, from the first on, hold what the last prepare left in them.
  var kept = 0
}
