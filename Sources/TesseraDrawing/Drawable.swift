import TesseraGeometry

/// A drawing of a layout or an animation; any finite numbers are valid.
public protocol Drawable {
  /// Writes an SVG document in UTF-8 chunks; O(*n*) in drawing order, else O(*n* log *n*).
  ///
  /// - Parameter sink: A chunk is valid during the call. An error ends the writing.
  func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure)

  /// Writes a self-contained web page in UTF-8 chunks, as `writeSVG`.
  func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure)
}

extension Drawable {
  /// The drawing as SVG.
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { piece in bytes.append(contentsOf: piece) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The drawing as a self-contained web page.
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { piece in bytes.append(contentsOf: piece) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Markup {
  /// Writes a document in chunks of about 64 KiB, valid during the call: head, values, tail.
  public static func stream<Values: Sequence, Failure: Error>(
    head: Markup, _ values: Values, tail: Markup,
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void,
    markup: (Values.Element) -> Markup
  ) throws(Failure) {
    try stream(head: head, values, tail: tail, to: sink) { $1 += markup($0) }
  }

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
