import CTessera
public import TesseraGeometry

/// Receives the elements of a layout; valid during the call from the host.
public struct Output {
  let pointer: UnsafeMutablePointer<tessera_output>
  let host: HostReference

  /// Reserves rows for a run and returns their columns.
  ///
  /// In adjust, for an existing element, returns the row that the query is about to return, or else
  /// a copy of the prepared row. Throws if the host rejects the run: too many rows, or no such
  /// section or item.
  public func add(_ run: Run) throws(LayoutFailure) -> Rows {
    guard var contractRun = run.contractRun else {
      throw .failed("section \(run.section), items \(run.items) cannot be added; they start at 0")
    }
    var rows: UnsafePointer<tessera_rows>?
    let status = pointer.pointee.add(pointer, &contractRun, &rows)
    guard status == TESSERA_OK, let rows else {
      throw refusal(of: run, status: status)
    }
    return Rows(pointer: rows)
  }

  /// Adds a run and fills its frames through `body`.
  ///
  /// - Parameter body: Writes every rectangle, uninitialized at first; also called for an empty
  ///   run.
  public func add(
    _ run: Run, frames body: (inout MutableSpan<Rect>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try add(run).frame.withMutableSpan(body)
  }

  /// Adds the one element of a run with its frame.
  public func add(_ run: Run, frame: Rect) throws(LayoutFailure) {
    try add(run) { frames in
      for row in frames.indices { frames[row] = frame }
    }
  }

  /// Declares the first frames of `rows` unchanged in this prepare: the host need not read them.
  ///
  /// An incremental layout that calls it for every run that it fetches also lets its base keep the
  /// rows next time. It must change nothing in them that the base relies on, and write all its
  /// columns in every later row.
  ///
  /// - Parameter count: At most the rows' `kept`. The host compares some frames, and a query fails
  ///   if one differs.
  public func leave(_ rows: Rows, first count: Int) {
    _ = pointer.pointee.leave(pointer, rows.pointer, UInt64(clamping: count))
  }

  /// Declares in prepare that adjust will be a no-op until the next prepare, at any viewport.
  ///
  /// The host then answers queries by itself. For layouts that move elements only for some
  /// parameters, such as pinned headers. An older host calls adjust all the same.
  public func needsNoAdjust() {
    guard let table = host.pointee.extension(host, TESSERA_EXT_ADJUSTING) else { return }
    _ = table.assumingMemoryBound(to: tessera_adjusting.self).pointee.not_needed(host)
  }

  /// The number of existing runs: the base's, or, in adjust, the runs about to be returned.
  public var runCount: Int { Int(clamping: pointer.pointee.run_count(pointer)) }

  /// Returns an existing run and its rows.
  public func get(_ index: Int) throws(LayoutFailure) -> (run: Run, rows: Rows) {
    var run = tessera_run()
    var rows: UnsafePointer<tessera_rows>?
    let status = pointer.pointee.get(pointer, UInt64(clamping: index), &run, &rows)
    guard status == TESSERA_OK, let rows else {
      throw LayoutFailure(status: failing(status), message: "there is no run \(index)")
    }
    return (Run(run), Rows(pointer: rows))
  }

  /// The content size set so far, or the last prepare's.
  public var contentSize: Size { Size(pointer.pointee.content_size(pointer)) }

  /// Sets the size of the whole content, in points; the last call wins.
  public func setContentSize(_ size: Size) throws(LayoutFailure) {
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw .invalidValue(
        "the content would be \(describe(size)) points; it must be finite and not negative, "
          + "so give smaller lengths, or fewer items")
    }
    pointer.pointee.set_content_size(pointer, tessera_size(size))
  }

  /// Reports progress of a long call, 0…1; cheap enough for every few thousand items.
  ///
  /// Throws if the host cancels the call; do not catch it.
  public func progress(_ fraction: Double) throws(LayoutFailure) {
    if host.pointee.progress(host, fraction) == 0 {
      throw LayoutFailure(status: TESSERA_ERROR_CANCELLED, message: nil)
    }
  }

  /// Reports a warning to the user.
  public func warn(_ message: String) {
    message.withCString { host.pointee.report(host, TESSERA_OK, $0) }
  }

  private func refusal(of run: Run, status: Status) -> LayoutFailure {
    // The host reports these itself.
    if status == TESSERA_ERROR_NO_SPACE || status == TESSERA_ERROR_CANCELLED {
      return LayoutFailure(status: status, message: nil)
    }
    return LayoutFailure(
      status: failing(status),
      message: "the host refused items \(run.items) of section \(run.section) with status \(status)"
    )
  }

  /// OK without a result is a failure.
  private func failing(_ status: Status) -> Status {
    status == TESSERA_OK ? TESSERA_ERROR_FAILED : status
  }
}

/// The elements that rows describe: one category, kind and section, with consecutive items.
public struct Run: Equatable, Sendable {
  /// The category of an element.
  public enum Category: Int32, Sendable {
    /// Shows an item.
    case cell
    /// Belongs to the data, such as a header.
    case supplementary
    /// Belongs to the layout, such as a separator.
    case decoration
  }

  /// The category of the elements.
  public let category: Category
  /// The kind's number in this engine; 0 for cells.
  let kind: UInt32
  /// The section of the elements.
  public let section: Int
  /// The items, counted within the section.
  public let items: Range<Int>

  /// Creates a run of cells; items count within the section.
  public static func cells(inSection section: Int, items: Range<Int>) -> Run {
    Run(category: .cell, kind: 0, section: section, items: items)
  }

  /// Creates a run of elements of a kind in a section, by default of item 0.
  public static func elements(
    _ kind: Kind, inSection section: Int, items: Range<Int> = 0..<1
  ) -> Run {
    let category: Category = kind.category == .supplementary ? .supplementary : .decoration
    return Run(category: category, kind: kind.number, section: section, items: items)
  }

  /// Whether the elements are of this kind.
  public func isKind(_ kind: Kind) -> Bool {
    category.rawValue == kind.category.contractCategory && self.kind == kind.number
  }
}

extension Run {
  init(_ run: tessera_run) {
    category = Category(rawValue: run.category) ?? .cell
    kind = run.kind
    section = Int(run.section)
    let first = Int(clamping: run.first_item)
    items = first..<first.addingReportingOverflow(Int(clamping: run.count)).partialValue
  }

  /// Nil if a number is out of the contract's range, for instance negative.
  var contractRun: tessera_run? {
    guard let section = UInt32(exactly: section), let first = UInt64(exactly: items.lowerBound)
    else { return nil }
    return tessera_run(
      category: category.rawValue, kind: kind, section: section, reserved: 0,
      first_item: first, count: UInt64(items.count))
  }
}

/// The rows of a run in columns, in the host's memory; valid until the call returns.
public struct Rows {
  let pointer: UnsafePointer<tessera_rows>

  /// The number of rows.
  public var count: Int { Int(clamping: pointer.pointee.count) }

  /// The number of rows at the start that are as the last successful prepare left them; often 0.
  public var kept: Int { Int(clamping: pointer.pointee.kept) }

  /// The frames of the elements.
  ///
  /// Uninitialized in a run that was just added: write every row from `kept` on.
  public var frame: RowColumn<Rect> {
    let frames = UnsafeMutableRawPointer(pointer.pointee.frame).assumingMemoryBound(to: Rect.self)
    return RowColumn(frames, count: count)
  }

  /// Matrices about the frames' centres.
  public var transform: RowColumn<Transform> {
    let transforms = pointer.pointee.transform.map {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Transform.self)
    }
    return RowColumn(transforms, count: count)
  }

  /// Opacity, 0…1.
  public var alpha: RowColumn<Double> { RowColumn(pointer.pointee.alpha, count: count) }

  /// Stacking order, higher in front.
  public var zIndex: RowColumn<Int32> { RowColumn(pointer.pointee.z_index, count: count) }

  /// Whether the element is hidden.
  public var hidden: RowColumn<Bool> { RowColumn(pointer.pointee.hidden, count: count) }

  /// The column of an attribute.
  public subscript<Value>(attribute: Attribute<Value>) -> RowColumn<Value> {
    let column = pointer.pointee.attributes.flatMap { $0[attribute.number] }
    return RowColumn(column?.assumingMemoryBound(to: Value.Stored.self), count: count)
  }
}

/// One column of a run's rows, in the host's memory.
///
/// Valid until the call from the host returns. Empty if the layout does not declare the column.
public struct RowColumn<Value: RowValue> {
  @usableFromInline let base: UnsafeMutablePointer<Value.Stored>?
  /// The number of rows.
  public let count: Int

  init(_ base: UnsafeMutablePointer<Value.Stored>?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// The value of a row.
  @inlinable public subscript(row: Int) -> Value {
    get {
      precondition(
        UInt(bitPattern: row) < UInt(bitPattern: count),
        "no such row, or the column is not declared")
      return Value(stored: base.unsafelyUnwrapped[row])
    }
    nonmutating set {
      precondition(
        UInt(bitPattern: row) < UInt(bitPattern: count),
        "no such row, or the column is not declared")
      base.unsafelyUnwrapped[row] = newValue.stored
    }
  }

  /// Calls `body` with the stored column: the fastest way to fill many rows.
  @inlinable public func withMutableSpan<Result, Failure>(
    _ body: (inout MutableSpan<Value.Stored>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = UnsafeMutableBufferPointer(start: base, count: count)
    var span = buffer.mutableSpan
    return try body(&span)
  }
}
