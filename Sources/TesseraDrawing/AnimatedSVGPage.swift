import TesseraGeometry
import TesseraHost

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

/// Draws the tracks of an animation as SVG, each as one group: where it is in the layout after, or
/// before where it disappears, with what makes it move.
struct SVGTrackArtist {
  let animation: LayoutAnimation
  let motion: SVGMotion
  let shown: ShownAttributes
  private let region: Rect?
  private let before: SVGArtist<[Element]>
  private let after: SVGArtist<[Element]>

  init(picture: AnimatedPicture, scene: Scene, sheet: Sheet) {
    animation = picture.animation
    motion = SVGMotion(picture.timeline)
    shown = ShownAttributes(names: animation.attributes.map(\.name))
    region = scene.picture.extent == .content ? nil : scene.region
    var start = picture.picture(at: 0)
    var end = picture.picture(at: 1)
    start.label = picture.labelBefore
    end.label = picture.label
    before = SVGArtist(picture: start, survey: scene.survey, sheet: sheet)
    after = SVGArtist(picture: end, survey: scene.survey, sheet: sheet)
  }

  /// Appends a track, or nothing where it never comes near what is drawn.
  func draw(_ track: AnimationTrack, into markup: inout Markup) {
    let isFlat = track.from.transform == .identity && track.to.transform == .identity
    let poses =
      isFlat
      ? [track.from, track.to]
      : Timeline.samples.map { track.element(at: $0, attributes: animation.attributes) }
    if let region {
      let reaches = poses.compactMap { Rect(around: Projection($0).outline) }
      guard var reach = reaches.first else { return }
      for other in reaches { reach.formUnion(other) }
      if reach.clipped(to: region) == nil { return }
    }
    let hasPicture = [track.from, track.to].contains { shown.content(of: $0) != nil }
    let look = artist(of: track).look(of: drawn(track), isPale: hasPicture)
    let opacity = min(max(track.to.alpha, 0), 1)
    let attribute: Markup = opacity < 1 ? " opacity=\"\(opacity)\"" : ""
    markup += "<g class=\"track\"\(attribute)>"
    markup += motion.animate("opacity", from: min(max(track.from.alpha, 0), 1), to: opacity)
    markup += motion.visibility(
      track.before != nil && !track.from.isHidden, !track.to.isHidden,
      track.after != nil && !track.to.isHidden)
    if isFlat {
      markup += rectangle(track, look: look)
    } else {
      markup += polygon(track, poses: poses, look: look)
    }
    markup += "</g>\n"
  }

  /// An element as it ends, with the identity that it is known by.
  func drawn(_ track: AnimationTrack) -> Element {
    var element = track.to
    element.identity = track.identity
    return element
  }

  func artist(of track: AnimationTrack) -> SVGArtist<[Element]> {
    track.after == nil ? before : after
  }

  private func rectangle(_ track: AnimationTrack, look: SVGLook) -> Markup {
    let from = track.from.frame
    let to = track.to.frame
    var label = drawn(track)
    let small = Size(width: min(from.width, to.width), height: min(from.height, to.height))
    label.frame = Rect(
      x: to.midX - small.width / 2, y: to.midY - small.height / 2, width: small.width,
      height: small.height)
    let artist = artist(of: track)
    let text = artist.text(of: label, look: look, tangent: nil)
    let move = motion.move(fromX: from.midX - to.midX, y: from.midY - to.midY)
    var growth: Markup = ""
    if from.size != to.size {
      growth += motion.animate("x", from: from.x, to: to.x)
      growth += motion.animate("y", from: from.y, to: to.y)
      growth += motion.animate("width", from: max(0, from.width), to: max(0, to.width))
      growth += motion.animate("height", from: max(0, from.height), to: max(0, to.height))
    }
    let radii = artist.rounding(of: small, look: look)
    let shape = rectangle(to, look: look, radii: radii, title(of: track) + growth)
    let mask = mask(over: track) { rectangle(to, look: $0, radii: radii, $1 + growth) }
    let isMoved = from.size == to.size
    let picture = picture(in: track, from: isMoved ? to : from)
    if move.bytes.isEmpty { return shape + picture + mask + text }
    return isMoved
      ? "<g>\(move)\(shape)\(picture)\(mask)\(text)</g>"
      : "\(shape)\(picture)\(mask)<g>\(move)\(text)</g>"
  }

  private func rectangle(
    _ frame: Rect, look: SVGLook, radii: Markup, _ content: Markup
  ) -> Markup {
    """
    <rect class="\(look.name)" x="\(frame.x)" y="\(frame.y)" width="\(max(0, frame.width))" \
    height="\(max(0, frame.height))"\(radii)\(look.paint)>\(content)</rect>
    """
  }

  private func polygon(_ track: AnimationTrack, poses: [Element], look: SVGLook) -> Markup {
    let outlines = Self.outlines(of: poses) { index in
      Rect(origin: .zero, size: poses[index].frame.size).corners
    }
    let from = track.from.frame
    let to = track.to.frame
    var label = drawn(track)
    let small = Size(width: min(from.width, to.width), height: min(from.height, to.height))
    label.frame = Rect(
      x: -small.width / 2, y: -small.height / 2, width: small.width, height: small.height)
    let text = artist(of: track).text(of: label, look: look, tangent: nil)
    return polygon(outlines, look: look, title(of: track))
      + picture(in: track, poses: poses)
      + mask(over: track) { polygon(outlines, look: $0, $1) }
      + (text.bytes.isEmpty ? "" : turning(text, with: poses))
  }

  /// A polygon with a number of corners that goes through one outline after the other.
  func polygon(_ outlines: [[Point]], look: SVGLook, _ content: Markup = "") -> Markup {
    let points = outlines.map { SVGArtist<[Element]>.points($0) }
    return """
      <polygon class="\(look.name)" points="\(points.last ?? "")" stroke-linejoin="round"\
      \(look.paint)>\(content)\(motion.animate("points", values: points))</polygon>
      """
  }

  /// Text round the origin as it goes with an element's middle.
  private func turning(_ text: Markup, with poses: [Element]) -> Markup {
    var turns: [PlaneTurn] = []
    for pose in poses {
      let turn =
        Projection(pose).tangent.map(PlaneTurn.init)
        ?? PlaneTurn(vanishedAt: pose.frame.midX, pose.frame.midY)
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

  /// The outlines of a polygon all the way, each with as many corners as the richest, as only such
  /// move smoothly; where nothing is seen, all of them lie in the frame's middle.
  ///
  /// - Parameter polygon: its corners at a pose, from the corner of the frame.
  static func outlines(of poses: [Element], _ polygon: (Int) -> [Point]) -> [[Point]] {
    var outlines = poses.indices.map { Projection(poses[$0]).outline(of: polygon($0)) }
    let most = max(3, outlines.map(\.count).max() ?? 0)
    for (index, pose) in poses.enumerated() {
      let filler = outlines[index].last ?? Point(x: pose.frame.midX, y: pose.frame.midY)
      while outlines[index].count < most { outlines[index].append(filler) }
    }
    return outlines
  }

  private func title(of track: AnimationTrack) -> Markup {
    guard after.hasTitles else { return "" }
    let (from, to) = (track.from.frame, track.to.frame)
    let start: Markup = "\(from.x), \(from.y) · \(from.width) × \(from.height)"
    let end: Markup = "\(to.x), \(to.y) · \(to.width) × \(to.height)"
    let way: Markup = from == to ? start : "\(start) → \(end)"
    return "<title>\(track.identity.name) · \(way)</title>"
  }
}

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

/// The animation elements of SVG that play along a timeline, over and over.
struct SVGMotion {
  private let timing: Markup
  private let ends: Markup
  private let samples: Markup
  private let start: Markup
  private let end: Markup

  init(_ timeline: Timeline) {
    timing = " dur=\"\(timeline.cycle)s\" repeatCount=\"indefinite\""
    start = "\(exact: timeline.moment(0))"
    end = "\(exact: timeline.moment(1))"
    ends = "0;\(start);\(end);1"
    var times: Markup = "0"
    for progress in Timeline.samples { times += ";\(exact: timeline.moment(progress))" }
    times += ";1"
    samples = times
  }

  /// An attribute that goes from one value to another in proportion; nothing where they are equal.
  func animate(_ attribute: Markup, from: Double, to: Double) -> Markup {
    guard from != to else { return "" }
    return animate(attribute, values: "\(from);\(from);\(to);\(to)", times: ends)
  }

  /// An attribute that takes one value at each of `Timeline.samples`, or goes from the first of two
  /// values to the second in proportion; nothing where all are equal.
  func animate(_ attribute: Markup, values: [Markup]) -> Markup {
    guard let first = values.first, values.contains(where: { $0 != first }) else { return "" }
    return animate(
      attribute, values: Self.list(values), times: values.count == 2 ? ends : samples)
  }

  /// A movement by offsets that ends where it is drawn; nothing where there is none.
  func move(fromX x: Double, y: Double) -> Markup {
    guard x != 0 || y != 0 else { return "" }
    return transform(
      "translate", values: "\(x) \(y);\(x) \(y);0 0;0 0", times: ends, isFirst: true)
  }

  /// One of several transforms on an element, with a value at each of `Timeline.samples`.
  func transform(_ type: Markup, samples values: [Markup], isFirst: Bool) -> Markup {
    transform(type, values: Self.list(values), times: samples, isFirst: isFirst)
  }

  /// Whether something is seen: before the movement, during it, and after it.
  func visibility(_ before: Bool, _ during: Bool, _ after: Bool) -> Markup {
    if before, during, after { return "" }
    let words = [before, during, after].map { $0 ? "visible" : "hidden" as Markup }
    return """
      <animate attributeName="visibility" calcMode="discrete" \
      values="\(words[0]);\(words[1]);\(words[2])" keyTimes="0;\(start);\(end)"\(timing)/>
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

  /// Values with the first and the last held while the layouts rest.
  private static func list(_ values: [Markup]) -> Markup {
    var list: Markup = ""
    for value in values.prefix(1) + values { list += "\(value);" }
    return list + (values.last ?? "")
  }
}
