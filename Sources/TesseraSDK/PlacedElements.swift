import CTessera
public import TesseraGeometry

/// Queries the layout's own elements once the layout is prepared.
///
/// ```swift
/// private let placed = PlacedElements()
/// ```
///
/// Make it a property of the layout. It works in `restingOffset`, in `target` and in published
/// functions; elsewhere it throws.
public final class PlacedElements {
  private var host: HostReference?

  /// Creates a query for the layout that has it as a property.
  public init() {}

  /// Returns the runs with prepared frames that intersect `rect`, in no particular order.
  ///
  /// Throws if the host does not support queries. Usually O(log *n* + *k*) for *n* elements and *k*
  /// results.
  public func runs(in rect: Rect) throws(LayoutFailure) -> [(run: Run, frames: [Rect])] {
    guard let host, let table = host.pointee.extension(host, TESSERA_EXT_QUERY) else {
      throw .unsupported(
        "the host does not say where elements are (\(TESSERA_EXT_QUERY)); use one that does")
    }
    let query = table.assumingMemoryBound(to: tessera_query.self)
    var pointer: UnsafeMutablePointer<tessera_output>?
    let status = query.pointee.elements_in_rect(host, tessera_rect(rect), &pointer)
    guard status == TESSERA_OK, let pointer else { throw refusal(status) }
    let output = Output(pointer: pointer, host: host)
    var found: [(run: Run, frames: [Rect])] = []
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      let frames = rows.frame.withMutableSpan { frames in
        var copies: [Rect] = []
        copies.reserveCapacity(frames.count)
        for row in frames.indices { copies.append(frames[row]) }
        return copies
      }
      found.append((run, frames))
    }
    return found
  }

  /// Returns where a dropped item goes: before or after the cell that the host proposes.
  ///
  /// A cell makes room only when the dragged item has passed its middle, which avoids flicker. A
  /// drop on a header or footer of an empty section goes into the section.
  ///
  /// - Parameters:
  ///   - item: The item's current place.
  ///   - point: The position of its centre.
  ///   - proposed: The cell at the point, or the nearest one.
  ///   - isPast: Whether the point is past the middle of the cell's frame, in reading order.
  public func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input,
    isPast: (Rect) -> Bool
  ) throws(LayoutFailure) -> ItemPlace {
    let touched = try runs(in: Rect(x: point.x - 0.5, y: point.y - 0.5, width: 1, height: 1))
    let empty = touched.first {
      $0.run.category == .supplementary && input.items(inSection: $0.run.section).isEmpty
    }
    if let empty { return ItemPlace(section: empty.run.section, item: 0) }
    guard proposed != item, let frame = try frame(of: proposed, near: point) else {
      return proposed
    }
    var target = proposed
    // An item removed before the cell shifts the cell by one.
    let leavesPlaceBefore = proposed.section == item.section && proposed.item > item.item
    if isPast(frame) != leavesPlaceBefore { target.item += leavesPlaceBefore ? -1 : 1 }
    return target
  }

  private func frame(of cell: ItemPlace, near point: Point) throws(LayoutFailure) -> Rect? {
    var reach = 1.0
    while reach < 1e12 {
      let rect = Rect(
        x: point.x - reach, y: point.y - reach, width: 2 * reach, height: 2 * reach)
      for (run, frames) in try runs(in: rect)
      where run.category == .cell && run.section == cell.section && run.items.contains(cell.item) {
        return frames[cell.item - run.items.lowerBound]
      }
      reach *= 8
    }
    return nil
  }

  private func refusal(_ status: Status) -> LayoutFailure {
    switch status {
    case TESSERA_ERROR_WRONG_STATE:
      .failed(
        "where elements are can be asked only in restingOffset, in target and in published functions, "
          + "of a prepared layout; keep what prepare and adjust need")
    case TESSERA_OK: .failed("the host gave no elements and did not say why")
    default: LayoutFailure(status: status, message: nil)
    }
  }
}

extension PlacedElements: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.placed.append(self)
  }

  func bind(to host: HostReference) { self.host = host }
}
