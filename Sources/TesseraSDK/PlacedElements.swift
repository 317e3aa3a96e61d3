import CTessera
public import TesseraGeometry

/// Queries the layout's own elements once the layout is prepared.
///
/// ```swift
/// private let placed = PlacedElements()
/// ```
///
/// Make it a property of the layout. It works in `restingOffset` and in published functions;
/// elsewhere it throws.
public final class PlacedElements {
  private var host: HostReference?

  /// Creates a query; it finds the elements of the layout that has it as a property.
  public init() {}

  /// Returns the elements whose prepared frames intersect `rect`, in no particular order: runs, each
  /// with the frames of its elements as prepared.
  ///
  /// - Throws: If the host does not support queries, or not in this call.
  /// - Complexity: O(log *n* + *k*) for *n* elements and *k* results, in general.
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

  private func refusal(_ status: Status) -> LayoutFailure {
    switch status {
    case TESSERA_ERROR_WRONG_STATE:
      .failed(
        "where elements are can be asked only in restingOffset and in published functions, of a "
          + "prepared layout; keep what prepare and adjust need")
    case TESSERA_OK: .failed("the host gave no elements and did not say why")
    default: LayoutFailure(status: status, message: nil)
    }
  }
}

extension PlacedElements: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.placed.append(self)
  }

  func bind(to host: HostReference) {
    self.host = host
  }
}
