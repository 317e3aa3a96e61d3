/// Something that can be drawn: a picture of one layout, or of the way from one layout to another.
///
/// Any finite numbers give a valid drawing, of no elements as well as of millions.
public protocol Drawable {
  /// Writes an SVG document in UTF-8, piece by piece.
  ///
  /// - Parameter sink: Receives each piece, which is valid during the call. An error that it throws
  ///   ends the writing.
  /// - Complexity: O(*n* log *n*), O(*n*) where the elements are already in drawing order.
  func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure)

  /// Writes one self-contained web page in UTF-8, piece by piece.
  ///
  /// - Parameter sink: Receives each piece, which is valid during the call. An error that it throws
  ///   ends the writing.
  /// - Complexity: O(*n* log *n*), O(*n*) where the elements are already in drawing order.
  func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure)
}

extension Drawable {
  /// The drawing as one SVG document.
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { piece in bytes.append(contentsOf: piece) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The drawing as one self-contained web page.
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { piece in bytes.append(contentsOf: piece) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Markup {
  /// Writes a document to a sink in pieces of about 64 KiB: its head, a part for each value, its
  /// tail.
  static func stream<Values: Sequence, Failure: Error>(
    head: Markup, _ values: Values, tail: Markup,
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void,
    part: (Values.Element, inout Markup) -> Void
  ) throws(Failure) {
    var pending = head
    for value in values {
      part(value, &pending)
      if pending.bytes.count >= 1 << 16 { try pending.flush(to: sink) }
    }
    pending += tail
    try pending.flush(to: sink)
  }

  /// Passes all of it to a sink and empties it.
  private mutating func flush<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let result = bytes.withUnsafeBytes { piece -> Result<Void, Failure> in
      do throws(Failure) {
        try sink(piece)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    removeAll()
  }
}
