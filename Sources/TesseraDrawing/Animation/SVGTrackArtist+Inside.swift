import TesseraGeometry
import TesseraHost

/// What lies in an element on its way: the picture of a cell, and the shade that dims it.
extension SVGTrackArtist {
  /// The picture of a cell that is not transformed; nothing where it has none.
  ///
  /// - Parameter start: where the cell starts, as the moving group has it.
  func picture(in track: AnimationTrack, from start: Rect) -> Markup {
    let steps = shown.isContentLinear(animation.attributes) ? [0, 1] : Timeline.samples
    let end = track.to.frame
    let places = steps.compactMap { step -> Rect? in
      let corner = Point(
        x: start.x + (end.x - start.x) * step, y: start.y + (end.y - start.y) * step)
      return content(of: track, at: step)?.offset(by: corner)
    }
    guard let last = places.last else { return "" }
    let artist = artist(of: track)
    let look = artist.pictureLook(of: drawn(track))
    var growth = motion.animate("x", values: places.map { "\($0.x)" })
    growth += motion.animate("y", values: places.map { "\($0.y)" })
    growth += motion.animate("width", values: places.map { "\($0.width)" })
    growth += motion.animate("height", values: places.map { "\($0.height)" })
    return artist.rectangle(last, look: look, title: growth)
      + glyph(in: track, places.map(artist.glyphs), ink: look.ink)
  }

  /// The picture of a cell that is transformed.
  func picture(in track: AnimationTrack, poses: [Element]) -> Markup {
    let contents = Timeline.samples.compactMap { content(of: track, at: $0) }
    guard contents.count == poses.count else { return "" }
    let artist = artist(of: track)
    let look = artist.pictureLook(of: drawn(track))
    let outlines = Self.outlines(of: poses) { contents[$0].corners }
    let glyphs = zip(poses.indices, contents).map { ($0, artist.glyphs(in: $1)) }
    var shapes: [[[Point]]] = Array(repeating: [], count: poses.count)
    if glyphs.allSatisfy({ !$0.1.isEmpty }), let first = glyphs.first {
      for part in first.1.indices {
        let seen = Self.outlines(of: poses) { glyphs[$0].1[part] }
        for index in shapes.indices { shapes[index].append(seen[index]) }
      }
    }
    return polygon(outlines, look: look)
      + glyph(in: track, shapes, ink: look.ink)
  }

  /// The shade over an element that is dimmed at some time.
  ///
  /// - Parameter shape: draws a shape over the element that looks so and holds a motion.
  func mask(over track: AnimationTrack, _ shape: (SVGLook, Markup) -> Markup) -> Markup {
    let steps = shown.isMaskingLinear(animation.attributes) ? [0, 1] : Timeline.samples
    let maskings = steps.map { shown.masking(of: track, at: $0, animation.attributes) }
    guard let last = maskings.last, maskings.contains(where: { $0 > 0 }) else { return "" }
    let fading = motion.animate("fill-opacity", values: maskings.map { "\($0)" })
    return shape(.mask(opacity: last, radius: 0), fading)
  }

  /// The sign at every step, where there is room for it all the way.
  private func glyph(
    in track: AnimationTrack, _ steps: [[[Point]]], ink: String
  ) -> Markup {
    guard let last = steps.last, steps.allSatisfy({ !$0.isEmpty }) else { return "" }
    let paths = steps.map { SVGArtist<[Element]>.path($0) }
    return artist(of: track).path(last, ink: ink, motion: motion.animate("d", values: paths))
  }

  private func content(of track: AnimationTrack, at step: Double) -> Rect? {
    shown.content(of: track, at: step, animation.attributes)
  }
}
