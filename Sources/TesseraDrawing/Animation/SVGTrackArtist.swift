import TesseraGeometry
import TesseraHost

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
