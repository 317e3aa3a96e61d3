import TesseraGeometry
import TesseraHost

extension AnimatedPicture: Drawable {
  /// Writes a self-contained web page in UTF-8 chunks.
  ///
  /// The animation loops in a viewport of the bounds, with a pause button and a scrubber; `#t=0.4`
  /// in the URL shows that progress, paused. At most the 4000 elements nearest to the viewport have
  /// nodes.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let scene = scene
    let shown = ShownAttributes(animation.attributes)
    let drawn = nearest(of: scene)
    let names = animation.names
    try Markup.stream(
      head: pageHead(scene, drawn: drawn.count) + scene.picture.dataHead(scene.drawnElements),
      drawn.enumerated(),
      tail: dataTail + HTMLPage.end(script: PackageResources.animated_js), to: sink
    ) { row, page in
      page += row.offset == 0 ? "\n" : ",\n"
      page += dataRow(of: animation.tracks[row.element], named: names[row.element], scene, shown)
    }
  }

  private func pageHead(_ scene: Scene, drawn: Int) -> Markup {
    let count = scene.drawnElements.order.count
    let note: Markup =
      drawn < count ? " · only the \(drawn) elements nearest to the viewport, of \(count)" : ""
    return """
      \(HTMLPage.head(
        title: still.engineName, id: still.engineID, summary: scene.summary, extent: scene.extentText,
        note: note, style: PackageResources.animated_css))<main>
      <section class="bench">
      <form id="controls">
      <button type="button" id="play">Play</button>
      <input type="range" id="scrubber" min="0" max="1" step="any" value="0" \
      aria-label="Progress">
      <output id="progress" for="scrubber">0.000</output>
      <label>Speed <select id="speed">
      <option value="1">1×</option>
      <option value="0.5">½×</option>
      <option value="0.2">⅕×</option>
      <option value="0.05">¹⁄₂₀×</option>
      </select></label>
      </form>
      <div id="device" style="width: \(bounds.width)px; height: \(bounds.height)px">
      <div id="scroller"><div id="stage" role="img" aria-label="moving elements"></div></div>
      </div>
      </section>
      </main>
      \(HTMLPage.dataStart)
      """
  }

  /// In drawing order.
  private func nearest(of scene: Scene) -> [Int] {
    let most = 4000
    guard scene.drawnElements.order.count > most else { return scene.drawnElements.order }
    let start = Rect(origin: animation.offsetBefore, size: bounds)
    let end = Rect(origin: animation.offsetAfter, size: bounds)
    let distances = animation.tracks.map { track in
      min(track.from.distance(to: start), track.to.distance(to: end))
    }
    let chosen = Set(
      scene.drawnElements.order.sorted { distances[$0] < distances[$1] }.prefix(most))
    return scene.drawnElements.order.filter(chosen.contains)
  }
}

extension Element {
  /// Along the longer axis; 0 if they touch.
  fileprivate func distance(to rect: Rect) -> Double {
    guard let reach = Rect(around: Projection(self).outline) else { return .infinity }
    return max(
      0, reach.minX - rect.maxX, rect.minX - reach.maxX, reach.minY - rect.maxY,
      rect.minY - reach.maxY)
  }
}

extension AnimatedPicture {
  private var dataTail: Markup {
    """

    ],
    "contents": [\(json: animation.contentSizeBefore),\(json: animation.contentSizeAfter)],
    "offsets": [\(json: animation.offsetBefore),\(json: animation.offsetAfter)],
    "duration": \(exact: seconds),
    "rests": [\(exact: AnimatedPicture.restBefore),\(exact: AnimatedPicture.restAfter)]}
    """
  }

  /// `[kind, section, item, from, to]`, with rects `[x, y, width, height]`, and differences.
  ///
  /// These are `a` (alpha before and after), `v` (visible before, during, after), `t`, `m`, `c`
  /// (transforms, masking and picture rect at `AnimatedPicture.samples`), `l` (label) and `i` (names
  /// before and after).
  private func dataRow(
    of track: AnimationTrack, named name: ElementIdentity, _ scene: Scene,
    _ shown: ShownAttributes
  ) -> Markup {
    var extras: [Markup] = []
    let alphas = [track.from.alpha, track.to.alpha].map { min(max($0, 0), 1) }
    if alphas != [1, 1] { extras.append("\"a\":[\(alphas[0]),\(alphas[1])]") }
    let seen = track.visibility.map { $0 ? 1 : 0 }
    if seen != [1, 1, 1] { extras.append("\"v\":[\(seen[0]),\(seen[1]),\(seen[2])]") }
    if track.from.transform != .identity || track.to.transform != .identity {
      extras.append("\"t\":\(list: track.sampledTransforms)")
    }
    let maskings = shown.maskings(of: track)
    if !maskings.isEmpty { extras.append("\"m\":\(list: maskings.map { "\($0)" })") }
    let contents = shown.contents(of: track)
    if !contents.isEmpty { extras.append("\"c\":\(list: contents.map { "\(json: $0)" })") }
    if let label = label(of: track) { extras.append("\"l\":\(json: label)") }
    if track.title != name.description { extras.append("\"i\":\(json: track.title)") }
    return scene.drawnElements.row(
      name, "\(json: track.from.frame),\(json: track.to.frame)", extras)
  }
}

extension AnimationTrack {
  /// Only one if constant.
  fileprivate var sampledTransforms: [Markup] {
    let steps = from.transform == to.transform ? [0] : AnimatedPicture.samples
    return steps.map { step in
      let transform = element(at: step, attributes: []).transform
      return "\(json: transform.isFinite ? transform : .identity)"
    }
  }
}
