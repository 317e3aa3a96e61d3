import TesseraGeometry
import TesseraHost

/// The animation as the JSON that the page's script reads: one row a track in drawing order, as
/// `[kind, section, item, from, to]`, the last two being `[x, y, width, height]`, and, where there
/// is more to tell, an object with `a` (alpha from and to), `v` (whether it is seen before, during
/// and after), `t` (the transform at even steps, sixteen numbers each), `m` (masking at even steps),
/// `c` (the picture's place in its cell at even steps) and `l` (label).
struct AnimatedPageData {
  let picture: AnimatedPicture
  let scene: Scene

  private let shown: ShownAttributes

  init(picture: AnimatedPicture, scene: Scene) {
    self.picture = picture
    self.scene = scene
    shown = ShownAttributes(names: picture.animation.attributes.map(\.name))
  }

  private var page: PageData<[Element]> {
    PageData(picture: scene.picture, survey: scene.survey)
  }

  /// All but the rows, up to the bracket that opens them.
  var head: Markup { page.head }

  /// What comes after the rows.
  var tail: Markup {
    let animation = picture.animation
    return """

      ],
      "contents": [\(list(animation.contentSizeBefore)), \(list(animation.contentSizeAfter))],
      "offsets": [\(list(animation.offsetBefore)), \(list(animation.offsetAfter))],
      "duration": \(exact: picture.timeline.duration),
      "rests": [\(exact: Timeline.restBefore), \(exact: Timeline.restAfter)]}
      """
  }

  func row(of track: AnimationTrack) -> Markup {
    let identity = track.identity
    var row: Markup = """
      [\(scene.survey.tallyIndex(of: identity) ?? 0),\(identity.section),\(identity.item),\
      \(list(track.from.frame)),\(list(track.to.frame))
      """
    let extras = extras(of: track)
    for (index, extra) in extras.enumerated() {
      row += "\(index == 0 ? ",{" as Markup : ",")\(extra)"
    }
    row += extras.isEmpty ? "]" : "}]"
    return row
  }

  private func extras(of track: AnimationTrack) -> [Markup] {
    var extras: [Markup] = []
    let alphas = [track.from.alpha, track.to.alpha].map { min(max($0, 0), 1) }
    if alphas != [1, 1] { extras.append("\"a\":[\(alphas[0]),\(alphas[1])]") }
    let seen = [
      track.before != nil && !track.from.isHidden, !track.to.isHidden,
      track.after != nil && !track.to.isHidden,
    ].map { $0 ? 1 : 0 }
    if seen != [1, 1, 1] { extras.append("\"v\":[\(seen[0]),\(seen[1]),\(seen[2])]") }
    if track.from.transform != .identity || track.to.transform != .identity {
      extras.append("\"t\":[\(transforms(of: track))]")
    }
    extras += inside(track)
    if track.identity.category == .cell, let label = label(of: track) {
      extras.append("\"l\":\(json: label)")
    }
    return extras
  }

  /// What is in an element, told at both ends where it goes in proportion, else more finely.
  private func inside(_ track: AnimationTrack) -> [Markup] {
    let attributes = picture.animation.attributes
    var extras: [Markup] = []
    var steps = shown.isMaskingLinear(attributes) ? [0, 1] : Timeline.samples
    let maskings = steps.map { shown.masking(of: track, at: $0, attributes) }
    if maskings.contains(where: { $0 > 0 }) {
      extras.append("\"m\":[\(Markup.list(maskings.map { "\($0)" }))]")
    }
    steps = shown.isContentLinear(attributes) ? [0, 1] : Timeline.samples
    let contents = steps.compactMap { shown.content(of: track, at: $0, attributes) }
    if !contents.isEmpty {
      extras.append("\"c\":[\(Markup.list(contents.map(list)))]")
    }
    return extras
  }

  private func label(of track: AnimationTrack) -> String? {
    let label = track.after == nil ? picture.labelBefore : picture.label
    return label?(track.identity.section, track.identity.item)
  }

  private func transforms(of track: AnimationTrack) -> Markup {
    let steps = track.from.transform == track.to.transform ? [0] : Timeline.samples
    var list: Markup = ""
    for (index, step) in steps.enumerated() {
      let transform = track.element(at: step, attributes: []).transform
      let numbers = transform.isFinite ? transform.elements : Transform.identity.elements
      if index > 0 { list += "," }
      for (place, number) in numbers.enumerated() {
        list += "\(place == 0 ? "[" as Markup : ",")\(exact: number)"
      }
      list += "]"
    }
    return list
  }

  private func list(_ size: Size) -> Markup { "[\(size.width), \(size.height)]" }
  private func list(_ point: Point) -> Markup { "[\(point.x), \(point.y)]" }
  private func list(_ rect: Rect) -> Markup {
    "[\(rect.x),\(rect.y),\(rect.width),\(rect.height)]"
  }
}
