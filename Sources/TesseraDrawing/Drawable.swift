import TesseraGeometry

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
  /// Writes a document to a sink in pieces of about 64 KiB: its head, the markup of each value, its tail.
  ///
  /// - Parameter sink: Receives each piece, which is valid during the call. An error that it throws
  ///   ends the writing.
  public static func stream<Values: Sequence, Failure: Error>(
    head: Markup, _ values: Values, tail: Markup,
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void,
    markup: (Values.Element) -> Markup
  ) throws(Failure) {
    try stream(head: head, values, tail: tail, to: sink) { $1 += markup($0) }
  }

  /// Writes a document to a sink in pieces of about 64 KiB: its head, a part for each value, its
  /// tail.
  static func stream<Values: Sequence, Failure: Error>(
    head: Markup, _ values: Values, tail: Markup,
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void,
    part: (Values.Element, inout TextBuffer) -> Void
  ) throws(Failure) {
    var pending = TextBuffer(capacity: 1 << 17)
    pending += head
    for value in values {
      part(value, &pending)
      guard pending.count >= 1 << 16 else { continue }
      try pending.withBytes(sink)
      pending.removeAll()
    }
    pending += tail
    try pending.withBytes(sink)
  }
}
