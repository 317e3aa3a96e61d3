import TesseraGeometry

extension Picture {
  /// The picture as one web page that needs nothing else.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the picture as one web page that needs nothing else, piece by piece, in UTF-8.
  ///
  /// The page scrolls the content in a viewport of the bounds, which can be resized and does not
  /// lay out again. It holds every element that is not hidden once, and makes nodes only for those
  /// near the viewport. `extent` decides what the page says of itself, not what it holds.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let survey = Survey(elements, middle: viewport.middle)
    let data = PageData(picture: self, survey: survey)
    var pending = HTMLDocument.head(of: self, survey: survey)
    pending += data.head
    var isFirst = true
    for element in elements where !element.isHidden {
      pending += isFirst ? "\n" : ",\n"
      isFirst = false
      pending += data.row(of: element)
      if pending.bytes.count >= 1 << 16 {
        try pending.flush(to: sink)
      }
    }
    pending += data.tail
    pending += HTMLDocument.tail
    try pending.flush(to: sink)
  }
}
