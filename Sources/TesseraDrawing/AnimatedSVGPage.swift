import TesseraGeometry
import TesseraHost

extension AnimatedPicture {
  /// Writes an SVG document that plays in a loop without a script, in UTF-8 chunks.
  ///
  /// Viewers without animation show the layout after.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let (scene, names) = (scene, animation.names)
    let viewport = Rect(origin: animation.offsetAfter, size: bounds)
    let arrangement = SVGArrangement(
      region: scene.region,
      hasCaption: min(animation.offsetBefore.y, viewport.minY) <= scene.region.minY)
    let artist = SVGTrackArtist(picture: self, scene: scene, arrangement: arrangement)
    let end = still([], contentSize: animation.contentSizeAfter, viewport: viewport)
    let page = SVGPage(
      picture: scene.picture, hues: Set(names.map { Palette.hue(section: $0.section) }),
      summary: scene.summary, extentText: scene.extentText, arrangement: arrangement,
      ground: { region in
        SVGPage.ground(of: end, arrangement: arrangement, region: region) {
          growth(to: $0, artist.motion)
        }
      },
      viewport: scrolling(
        SVGPage.viewport(of: end, arrangement: arrangement), arrangement: arrangement, artist.motion
      ))
    try Markup.stream(
      head: page.head + page.start(of: arrangement.strips[0]), scene.drawnElements.order,
      tail: SVGPage.stripEnd + page.tail, to: sink
    ) { offset, text in
      var markup: Markup = ""
      artist.draw(animation.tracks[offset], named: names[offset], into: &markup)
      text += markup
    }
  }

  private func growth(to size: Size, _ motion: SVGMotion) -> Markup {
    let before = animation.contentSizeBefore
    let after = animation.contentSizeAfter
    return motion.animate(
      "width", from: max(0, size.width - after.width + before.width), to: size.width)
      + motion.animate(
        "height", from: max(0, size.height - after.height + before.height), to: size.height)
  }

  private func scrolling(_ outline: Markup, arrangement: SVGArrangement, _ motion: SVGMotion)
    -> Markup
  {
    let before = animation.offsetBefore
    let after = animation.offsetAfter
    let move = motion.move(
      fromX: (before.x - after.x) * arrangement.scale, y: (before.y - after.y) * arrangement.scale)
    return move.isEmpty ? outline : "<g>\(move)\(outline)</g>\n"
  }
}

/// Draws each track as a group: the element after, or before if it disappears, with its movement.
struct SVGTrackArtist {
  let motion: SVGMotion
  private let animation: LayoutAnimation
  private let shown: ShownAttributes
  private let before: SVGArtist<[Element]>
  private let after: SVGArtist<[Element]>

  init(picture: AnimatedPicture, scene: Scene, arrangement: SVGArrangement) {
    animation = picture.animation
    motion = SVGMotion(picture)
    shown = ShownAttributes(animation.attributes)
    let isWhole = scene.picture.extent == .content
    let (start, end) = (picture.picture(at: 0), picture.picture(at: 1))
    before = SVGArtist(
      picture: start, drawnElements: scene.drawnElements, arrangement: arrangement,
      region: scene.region, isWhole: isWhole)
    after = SVGArtist(
      picture: end, drawnElements: scene.drawnElements, arrangement: arrangement,
      region: scene.region, isWhole: isWhole)
  }

  func draw(_ track: AnimationTrack, named name: ElementIdentity, into markup: inout Markup) {
    var (from, to) = (track.from, track.to)
    from.frame = from.frame.offset(by: after.canvas.shift)
    to.frame = to.frame.offset(by: after.canvas.shift)
    let track = AnimationTrack(before: track.before, after: track.after, from: from, to: to)
    let isFlat = track.from.transform == .identity && track.to.transform == .identity
    let poses =
      isFlat
      ? [track.from, track.to]
      : AnimatedPicture.samples.map { track.element(at: $0, attributes: animation.attributes) }
    if let region = after.canvas.region {
      let reaches = poses.compactMap { Rect(around: Projection($0).outline) }
      guard var reach = reaches.first else { return }
      for other in reaches { reach.formUnion(other) }
      if reach.clipped(to: region) == nil { return }
    }
    let artist = track.after == nil ? before : after
    var drawn = track.to
    drawn.identity = name
    let hasPicture = [track.from, track.to].contains { shown.content(of: $0) != nil }
    let look = artist.look(of: drawn, isPale: hasPicture)
    let opacity = min(max(track.to.alpha, 0), 1)
    let attribute: Markup = opacity < 1 ? " opacity=\"\(opacity)\"" : ""
    markup += "<g class=\"track\"\(attribute)>"
    markup += motion.animate("opacity", from: min(max(track.from.alpha, 0), 1), to: opacity)
    markup += motion.visibility(track.visibility)
    markup +=
      isFlat
      ? flat(track, drawn, look: look, artist)
      : transformed(track, drawn, poses: poses, look: look, artist)
    markup += "</g>\n"
  }

  private func flat(
    _ track: AnimationTrack, _ drawn: Element, look: SVGLook, _ artist: SVGArtist<[Element]>
  ) -> Markup {
    let from = track.from.frame
    let to = track.to.frame
    let small = track.smallestSize
    var label = drawn
    label.frame = Rect(
      x: to.midX - small.width / 2, y: to.midY - small.height / 2, width: small.width,
      height: small.height)
    let text = artist.text(of: label, look: look, tangent: nil)
    let move = motion.move(fromX: from.midX - to.midX, y: from.midY - to.midY)
    let isMoved = from.size == to.size
    // The contents of a moving group stay still.
    let growth = isMoved ? "" : motion.animate(from: from, to: to)
    let shape = artist.canvas.rectangle(to, look: look, rounded: small, title(of: track) + growth)
    let mask = mask(over: track, look) {
      artist.canvas.rectangle(to, look: $0, rounded: small, $1 + growth)
    }
    let picture = picture(in: track, drawn, from: isMoved ? to : from, artist)
    if move.isEmpty { return shape + picture + mask + text }
    return isMoved
      ? "<g>\(move)\(shape)\(picture)\(mask)\(text)</g>"
      : "\(shape)\(picture)\(mask)<g>\(move)\(text)</g>"
  }

  private func transformed(
    _ track: AnimationTrack, _ drawn: Element, poses: [Element], look: SVGLook,
    _ artist: SVGArtist<[Element]>
  ) -> Markup {
    let outlines = outlines(of: poses) { Rect(origin: .zero, size: poses[$0].frame.size).corners }
    let small = track.smallestSize
    var label = drawn
    label.frame = Rect(
      x: -small.width / 2, y: -small.height / 2, width: small.width, height: small.height)
    let text = artist.text(of: label, look: look, tangent: nil)
    return polygon(outlines, look: look, artist, title(of: track))
      + picture(in: track, drawn, poses: poses, artist)
      + mask(over: track, look) { polygon(outlines, look: $0, artist, $1) }
      + (text.isEmpty ? "" : turning(text, with: poses))
  }

  private func title(of track: AnimationTrack) -> Markup {
    guard after.hasTitles else { return "" }
    let shift = Point(x: -after.canvas.shift.x, y: -after.canvas.shift.y)
    let (from, to) = (track.from.frame.offset(by: shift), track.to.frame.offset(by: shift))
    let start: Markup = "\(from.x), \(from.y) · \(from.width) × \(from.height)"
    let end: Markup = "\(to.x), \(to.y) · \(to.width) × \(to.height)"
    let way: Markup = from == to ? start : "\(start) → \(end)"
    return "<title>\(track.title) · \(way)</title>"
  }

  private func polygon(
    _ outlines: [[Point]], look: SVGLook, _ artist: SVGArtist<[Element]>, _ content: Markup = ""
  ) -> Markup {
    let points = outlines.map(SVGCanvas.points)
    return artist.canvas.polygon(
      outlines.last ?? [], look: look, content + motion.animate("points", values: points))
  }

  /// Interpolation needs equal numbers of corners; invisible outlines shrink to the frame's middle.
  private func outlines(of poses: [Element], _ polygon: (Int) -> [Point]) -> [[Point]] {
    var outlines = poses.indices.map { Projection(poses[$0]).outline(of: polygon($0)) }
    let most = max(3, outlines.map(\.count).max() ?? 0)
    for (index, pose) in poses.enumerated() {
      let filler = outlines[index].last ?? pose.frame.middle
      while outlines[index].count < most { outlines[index].append(filler) }
    }
    return outlines
  }

  private func turning(_ text: Markup, with poses: [Element]) -> Markup {
    var turns: [PlaneTurn] = []
    for pose in poses {
      let turn =
        Projection(pose).tangent.map(PlaneTurn.init)
        ?? PlaneTurn(shrinkingTo: pose.frame.middle)
      turns.append(turns.last.map(turn.following) ?? turn)
    }
    guard let last = turns.last else { return "" }
    let moves = turns.map { turn -> Markup in "\(turn.x) \(turn.y)" }
    let angles = turns.map { turn -> Markup in "\(turn.angle)" }
    let skews = turns.map { turn -> Markup in "\(turn.skew)" }
    let scales = turns.map { turn -> Markup in "\(turn.scaleX) \(turn.scaleY)" }
    return """
      <g transform="translate(\(last.x) \(last.y)) rotate(\(last.angle)) skewX(\(last.skew)) \
      scale(\(last.scaleX) \(last.scaleY))">\
      \(motion.transform("translate", samples: moves, isFirst: true))\
      \(motion.transform("rotate", samples: angles, isFirst: false))\
      \(motion.transform("skewX", samples: skews, isFirst: false))\
      \(motion.transform("scale", samples: scales, isFirst: false))\(text)</g>
      """
  }

  /// Without transforms; may be empty.
  private func picture(
    in track: AnimationTrack, _ drawn: Element, from start: Rect, _ artist: SVGArtist<[Element]>
  ) -> Markup {
    let (contents, end) = (shown.contents(of: track), track.to.frame)
    let places = contents.enumerated().map { index, content in
      let progress = Double(index) / Double(max(1, contents.count - 1))
      return content.offset(
        by: Point(
          x: start.x + (end.x - start.x) * progress, y: start.y + (end.y - start.y) * progress))
    }
    guard let last = places.last else { return "" }
    let look = artist.pictureLook(of: drawn)
    let sides: [(name: Markup, side: (Rect) -> Double)] = [
      ("x", \.x), ("y", \.y), ("width", \.width), ("height", \.height),
    ]
    let growth = sides.map { name, side in
      motion.animate(name, values: places.map { "\(side($0))" })
    }
    return artist.canvas.rectangle(last, look: look, growth.joined(""))
      + glyph(places.map(artist.glyphs), ink: look.ink, artist)
  }

  /// With transforms; may be empty.
  private func picture(
    in track: AnimationTrack, _ drawn: Element, poses: [Element], _ artist: SVGArtist<[Element]>
  ) -> Markup {
    let contents = shown.contents(of: track, isSampled: true)
    guard !contents.isEmpty else { return "" }
    let look = artist.pictureLook(of: drawn)
    let glyphs = contents.map(artist.glyphs)
    var shapes: [[[Point]]] = Array(repeating: [], count: poses.count)
    if glyphs.allSatisfy({ !$0.isEmpty }), let first = glyphs.first {
      for part in first.indices {
        let seen = outlines(of: poses) { glyphs[$0][part] }
        for index in shapes.indices { shapes[index].append(seen[index]) }
      }
    }
    return polygon(outlines(of: poses) { contents[$0].corners }, look: look, artist)
      + glyph(shapes, ink: look.ink, artist)
  }

  /// Empty if one of the shapes is.
  private func glyph(
    _ shapes: [[[Point]]], ink: String, _ artist: SVGArtist<[Element]>
  ) -> Markup {
    guard let last = shapes.last, shapes.allSatisfy({ !$0.isEmpty }) else { return "" }
    let paths = shapes.map(SVGArtist<[Element]>.path)
    return artist.path(last, ink: ink, motion.animate("d", values: paths))
  }

  private func mask(
    over track: AnimationTrack, _ look: SVGLook, _ shape: (SVGLook, Markup) -> Markup
  ) -> Markup {
    let maskings = shown.maskings(of: track)
    guard let last = maskings.last else { return "" }
    let fading = motion.animate("fill-opacity", values: maskings.map { "\($0)" })
    return shape(after.mask(opacity: last, over: look), fading)
  }
}

extension AnimationTrack {
  fileprivate var smallestSize: Size {
    Size(
      width: min(from.frame.width, to.frame.width), height: min(from.frame.height, to.frame.height))
  }
}

struct SVGMotion {
  private let timing: Markup
  private let ends: Markup
  private let samples: Markup
  private let start: Markup
  private let end: Markup

  init(_ picture: AnimatedPicture) {
    timing = " dur=\"\(picture.cycle)s\" repeatCount=\"indefinite\""
    start = "\(exact: picture.moment(0))"
    end = "\(exact: picture.moment(1))"
    ends = "0;\(start);\(end);1"
    let times = AnimatedPicture.samples.map { progress -> Markup in
      "\(exact: picture.moment(progress))"
    }
    samples = "0;\(times.joined(";"));1"
  }

  /// Empty if constant.
  func animate(_ attribute: Markup, from: Double, to: Double) -> Markup {
    guard from != to else { return "" }
    return animate(attribute, values: "\(from);\(from);\(to);\(to)", times: ends)
  }

  func animate(from: Rect, to: Rect) -> Markup {
    animate("x", from: from.x, to: to.x) + animate("y", from: from.y, to: to.y)
      + animate("width", from: max(0, from.width), to: max(0, to.width))
      + animate("height", from: max(0, from.height), to: max(0, to.height))
  }

  /// Two values, or one for each of `AnimatedPicture.samples`; empty if constant.
  func animate(_ attribute: Markup, values: [Markup]) -> Markup {
    guard let first = values.first, values.contains(where: { $0 != first }) else { return "" }
    return animate(attribute, values: Self.list(values), times: values.count == 2 ? ends : samples)
  }

  /// Ends at 0; empty if constant.
  func move(fromX x: Double, y: Double) -> Markup {
    guard x != 0 || y != 0 else { return "" }
    return transform("translate", values: "\(x) \(y);\(x) \(y);0 0;0 0", times: ends, isFirst: true)
  }

  /// A value for each of `AnimatedPicture.samples`.
  func transform(_ type: Markup, samples values: [Markup], isFirst: Bool) -> Markup {
    transform(type, values: Self.list(values), times: samples, isFirst: isFirst)
  }

  /// Before, during and after the movement; empty if always visible.
  func visibility(_ visibility: [Bool]) -> Markup {
    if visibility.allSatisfy(\.self) { return "" }
    let words = visibility.map { $0 ? "visible" : "hidden" as Markup }
    return """
      <animate attributeName="visibility" calcMode="discrete" \
      values="\(words.joined(";"))" keyTimes="0;\(start);\(end)"\(timing)/>
      """
  }

  private func animate(_ attribute: Markup, values: Markup, times: Markup) -> Markup {
    """
    <animate attributeName="\(attribute)" values="\(values)" keyTimes="\(times)"\(timing)/>
    """
  }

  private func transform(
    _ type: Markup, values: Markup, times: Markup, isFirst: Bool
  ) -> Markup {
    """
    <animateTransform attributeName="transform" type="\(type)" \
    additive="\(isFirst ? "replace" : "sum")" values="\(values)" \
    keyTimes="\(times)"\(timing)/>
    """
  }

  /// Repeats the first and last value for the rests.
  private static func list(_ values: [Markup]) -> Markup {
    (values.prefix(1) + values + values.suffix(1)).joined(";")
  }
}
