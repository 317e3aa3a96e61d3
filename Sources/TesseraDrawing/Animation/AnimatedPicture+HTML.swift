import TesseraGeometry
import TesseraHost

extension AnimatedPicture {
  /// The animation as one web page that needs nothing else.
  ///
  /// - Complexity: O(*n* log *n*).
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the animation as one web page that needs nothing else, piece by piece, in UTF-8.
  ///
  /// The page scrolls the content in a viewport of the bounds. It plays over and over, can be
  /// paused, and any moment can be chosen with its scrubber; opened with `#t=0.4` at the end of its
  /// address it shows that moment and waits. It has a node for every element that is not hidden
  /// all the way; of more than 4000, for those that come nearest to the viewport.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n* log *n*).
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let scene = scene
    let data = AnimatedPageData(picture: self, scene: scene)
    let drawn = nearest(of: scene)
    var pending = AnimatedPage.head(of: self, scene: scene, drawn: drawn.count)
    pending += data.head
    var isFirst = true
    for offset in drawn {
      pending += isFirst ? "\n" : ",\n"
      isFirst = false
      pending += data.row(of: animation.tracks[offset])
      if pending.bytes.count >= 1 << 16 { try pending.flush(to: sink) }
    }
    pending += data.tail
    pending += AnimatedPage.tail
    try pending.flush(to: sink)
  }

  /// As many tracks as a page can move, those that come nearest to the viewport, in drawing order.
  private func nearest(of scene: Scene) -> [Int] {
    let most = 4000
    guard scene.survey.order.count > most else { return scene.survey.order }
    let start = Rect(origin: animation.offsetBefore, size: bounds)
    let end = Rect(origin: animation.offsetAfter, size: bounds)
    let distances = animation.tracks.map { track in
      min(track.from.distance(to: start), track.to.distance(to: end))
    }
    let chosen = Set(scene.survey.order.sorted { distances[$0] < distances[$1] }.prefix(most))
    return scene.survey.order.filter(chosen.contains)
  }
}

extension Element {
  /// How far it lies from a rectangle, along the axis where it is farther; 0 where they touch.
  fileprivate func distance(to rect: Rect) -> Double {
    guard let reach = Rect(around: Projection(self).outline) else { return .infinity }
    return max(
      0, reach.minX - rect.maxX, rect.minX - reach.maxX, reach.minY - rect.maxY,
      rect.minY - reach.maxY)
  }
}
