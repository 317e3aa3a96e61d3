import TesseraGeometry

extension Picture {
  /// The picture as one SVG document.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the picture as an SVG document, piece by piece, in UTF-8.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let survey = Survey(elements, middle: viewport.middle)
    let region = region(of: survey)
    let sheet = Sheet(region: region, hasCaption: viewport.minY <= region.minY)
    let document = SVGDocument(picture: self, survey: survey, sheet: sheet)
    let artist = SVGArtist(picture: self, survey: survey, sheet: sheet)
    var pending = document.head
    for offset in survey.order {
      artist.draw(element(at: offset), into: &pending)
      if pending.bytes.count >= 1 << 16 {
        try pending.flush(to: sink)
      }
    }
    pending += document.tail
    try pending.flush(to: sink)
  }
}

extension Markup {
  /// Hands all of it to a sink and starts afresh.
  mutating func flush<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let whole = bytes
    let result = whole.withUnsafeBytes { part -> Result<Void, Failure> in
      do throws(Failure) {
        try sink(part)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    removeAll()
  }
}
