import TesseraGeometry

extension AnimatedPicture {
  /// The animation as one SVG document that plays by itself, without a script.
  ///
  /// - Complexity: O(*n* log *n*).
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the animation as an SVG document that plays by itself, piece by piece, in UTF-8.
  ///
  /// It runs over and over, 0.6 s of rest before and 1 s after each run. Where animation is not
  /// supported it shows the layout after. What is transformed moves in 30 straight pieces, all else
  /// in one.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n* log *n*).
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let scene = scene
    let viewport = Rect(origin: animation.offsetAfter, size: bounds)
    let sheet = Sheet(
      region: scene.region,
      hasCaption: min(animation.offsetBefore.y, viewport.minY) <= scene.region.minY)
    let artist = SVGTrackArtist(picture: self, scene: scene, sheet: sheet)
    let end = still([], contentSize: animation.contentSizeAfter, viewport: viewport)
    let document = SVGDocument(
      picture: scene.picture, summary: scene.summary, extentText: scene.extentText, sheet: sheet,
      ground: SVGDocument.ground(of: end, sheet: sheet) { growth(to: $0, artist.motion) },
      viewport: scrolled(
        SVGViewport(picture: end, sheet: sheet).markup, sheet: sheet, artist.motion))
    var pending = document.head
    for offset in scene.survey.order {
      artist.draw(animation.tracks[offset], into: &pending)
      if pending.bytes.count >= 1 << 16 { try pending.flush(to: sink) }
    }
    pending += document.tail
    try pending.flush(to: sink)
  }

  /// How the content grows to what it is after.
  private func growth(to size: Size, _ motion: SVGMotion) -> Markup {
    let before = animation.contentSizeBefore
    let after = animation.contentSizeAfter
    return motion.animate(
      "width", from: max(0, size.width - after.width + before.width), to: size.width)
      + motion.animate(
        "height", from: max(0, size.height - after.height + before.height), to: size.height)
  }

  /// The viewport's outline as it goes with the offset.
  private func scrolled(_ outline: Markup, sheet: Sheet, _ motion: SVGMotion) -> Markup {
    let before = animation.offsetBefore
    let after = animation.offsetAfter
    let move = motion.move(
      fromX: (before.x - after.x) * sheet.scale, y: (before.y - after.y) * sheet.scale)
    return move.bytes.isEmpty ? outline : "<g>\(move)\(outline)</g>\n"
  }
}
