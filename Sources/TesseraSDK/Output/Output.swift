import CTessera
public import TesseraGeometry

/// Where a layout puts its elements; valid for the call from the host.
public struct Output {
  let pointer: UnsafeMutablePointer<tessera_output>
  let host: HostReference

  /// Reserves rows for a run and gives their columns.
  ///
  /// In adjust, for an element that the layout has: the row that the query is about to return, or
  /// else a copy of the prepared row.
  ///
  /// - Throws: What the host refuses: too many rows, a section or an item that does not exist.
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
  /// - Parameter body: Gets one rectangle an element, holding anything; called also for a run of no
  ///   elements.
  /// - Throws: What the host refuses, and what `body` throws.
  public func add(
    _ run: Run, frames body: (inout MutableSpan<Rect>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try add(run).frame.withMutableSpan(body)
  }

  /// Adds the one element of a run with its frame.
  ///
  /// - Throws: What the host refuses.
  public func add(_ run: Run, frame: Rect) throws(LayoutFailure) {
    try add(run) { frames in
      for row in frames.indices { frames[row] = frame }
    }
  }

  /// How many runs there are already: from a base, or, in adjust, what a query is about to return.
  public var runCount: Int { Int(clamping: pointer.pointee.run_count(pointer)) }

  /// A run that is there already, and its rows.
  ///
  /// - Parameter index: Below `runCount`.
  /// - Throws: What the host refuses.
  public func get(_ index: Int) throws(LayoutFailure) -> (run: Run, rows: Rows) {
    var run = tessera_run()
    var rows: UnsafePointer<tessera_rows>?
    let status = pointer.pointee.get(pointer, UInt64(clamping: index), &run, &rows)
    guard status == TESSERA_OK, let rows else {
      throw LayoutFailure(status: failing(status), message: "there is no run \(index)")
    }
    return (Run(run), Rows(pointer: rows))
  }

  /// The content size set so far, or of the last prepare.
  public var contentSize: Size { Size(pointer.pointee.content_size(pointer)) }

  /// Sets the extent of the whole content, in points; the last one set holds.
  ///
  /// - Throws: A size that is not finite or that is negative.
  public func setContentSize(_ size: Size) throws(LayoutFailure) {
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw .invalidValue(
        "the content would be \(describe(size)) points; it must be finite and not negative, "
          + "so give smaller lengths, or fewer items")
    }
    pointer.pointee.set_content_size(pointer, tessera_size(size))
  }

  /// Tells the host how far a long call is; cheap enough for every few thousand items.
  ///
  /// - Parameter fraction: 0…1.
  /// - Throws: The host's wish to stop; let it pass.
  public func progress(_ fraction: Double) throws(LayoutFailure) {
    if host.pointee.progress(host, fraction) == 0 {
      throw LayoutFailure(status: TESSERA_CANCELLED, message: nil)
    }
  }

  /// Tells the user something that does not stop the layout.
  public func warn(_ message: String) {
    message.withCString { host.pointee.report(host, TESSERA_OK, $0) }
  }

  private func refusal(of run: Run, status: Status) -> LayoutFailure {
    // The host knows how many rows it allows and says so itself.
    if status == TESSERA_NO_SPACE || status == TESSERA_CANCELLED {
      return LayoutFailure(status: status, message: nil)
    }
    return LayoutFailure(
      status: failing(status),
      message: "the host refused items \(run.items) of section \(run.section) with status \(status)"
    )
  }

  /// A host that says OK without giving anything must not make the call look like a success.
  private func failing(_ status: Status) -> Status {
    status == TESSERA_OK ? TESSERA_FAILED : status
  }
}
