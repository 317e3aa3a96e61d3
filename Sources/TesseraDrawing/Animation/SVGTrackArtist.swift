import TesseraGeometry
import TesseraHost

/// Draws the tracks of an animation as SVG, each as one group: where it is in the layout after, or
/// before where it disappears, with what makes it move.
struct SVGTrackArtist {
  let animation: LayoutAnimation
  let motion: SVGMotion
  private let region: Rect?
  private let before: SVGArtist<[Element]>
  private let after: SVGArtist<[Element]>

  init(picture: AnimatedPicture, scene: Scene, sheet: Sheet) {
    animation = picture.animation
    motion = SVGMotion(picture.timeline)
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
    var element = track.to
    element.identity = track.identity
    let look = artist(of: track).look(of: element)
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

  private func artist(of track: AnimationTrack) -> SVGArtist<[Element]> {
    track.after == nil ? before : after
  }

  private func rectangle(_ track: AnimationTrack, look: SVGLook) -> Markup {
    let from = track.from.frame
    let to = track.to.frame
    var label = track.to
    label.identity = track.identity
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
    let shape: Markup = """
      <rect class="\(look.name)" x="\(to.x)" y="\(to.y)" width="\(max(0, to.width))" \
      height="\(max(0, to.height))"\(artist.rounding(of: small, look: look))\
      \(look.paint)>\(title(of: track))\(growth)</rect>
      """
    if move.bytes.isEmpty { return shape + text }
    return from.size == to.size
      ? "<g>\(move)\(shape)\(text)</g>" : "\(shape)<g>\(move)\(text)</g>"
  }

  private func polygon(_ track: AnimationTrack, poses: [Element], look: SVGLook) -> Markup {
    let outlines = Self.outlines(of: poses)
    let points = outlines.map { SVGArtist<[Element]>.points($0) }
    let from = track.from.frame
    let to = track.to.frame
    var label = track.to
    label.identity = track.identity
    let small = Size(width: min(from.width, to.width), height: min(from.height, to.height))
    label.frame = Rect(
      x: -small.width / 2, y: -small.height / 2, width: small.width, height: small.height)
    let text = artist(of: track).text(of: label, look: look, tangent: nil)
    return """
      <polygon class="\(look.name)" points="\(points.last ?? "")" stroke-linejoin="round"\
      \(look.paint)>\(title(of: track))\(motion.animate("points", samples: points))</polygon>\
      \(text.bytes.isEmpty ? "" : turning(text, with: poses))
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

  /// The outlines of an element all the way, each with as many corners as the richest, as only such
  /// move smoothly; where nothing is seen, all of them lie in the frame's middle.
  private static func outlines(of poses: [Element]) -> [[Point]] {
    var outlines = poses.map { Projection($0).outline }
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
