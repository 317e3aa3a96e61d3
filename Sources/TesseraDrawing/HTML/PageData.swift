import TesseraGeometry
import TesseraHost

/// The layout as the JSON that the page's script reads: one row an element, as
/// `[kind, section, item, x, y, width, height]` and, where there is more to tell, an object with
/// `z` (z index), `a` (alpha), `t` (transform), `m` (masking), `c` (the picture's place in its cell),
/// `l` (label) and `v` (the engine's attributes).
struct PageData<Content: RandomAccessCollection> where Content.Element == Element {
  let picture: Picture<Content>
  let survey: Survey
  private let shown: ShownAttributes

  init(picture: Picture<Content>, survey: Survey) {
    self.picture = picture
    self.survey = survey
    shown = ShownAttributes(names: picture.attributeNames)
  }

  /// Browsers place nothing reliably beyond some ten million pixels.
  private static var farthest: Double { 15_000_000 }

  /// All but the rows, up to the bracket that opens them.
  var head: Markup {
    let viewport = picture.viewport
    let stage = stage
    let kinds = survey.tallies.map { tally -> Markup in
      "[\(json: tally.category.name), \(json: tally.name)]"
    }
    let names = picture.attributeNames.map { name -> Markup in "\(json: name)" }
    return """
      {"viewport": [\(viewport.x), \(viewport.y), \(viewport.width), \(viewport.height)],
      "stage": [\(stage.x), \(stage.y), \(stage.width), \(stage.height)],
      "content": [\(picture.contentSize.width), \(picture.contentSize.height)],
      "rightToLeft": \(picture.direction == .rightToLeft ? "true" : "false"),
      "hues": \(Palette.light.inks.count), "shades": \(Palette.light.fills[0].count),
      "kinds": [\(Markup.list(kinds))],
      "attributes": [\(Markup.list(names))],
      "elements": [
      """
  }

  let tail: Markup = "\n]}"

  func row(of element: Element) -> Markup {
    let identity = element.identity
    let frame = element.frame
    var row: Markup = """
      [\(survey.tallyIndex(of: identity) ?? 0),\(identity.section),\(identity.item),\
      \(frame.x),\(frame.y),\(frame.width),\(frame.height)
      """
    let extras = extras(of: element)
    if !extras.isEmpty { row += ",{\(Markup.list(extras))}" }
    row += "]"
    return row
  }

  private func extras(of element: Element) -> [Markup] {
    var extras: [Markup] = []
    if element.zIndex != 0 { extras.append("\"z\":\(element.zIndex)") }
    if element.alpha < 1 { extras.append("\"a\":\(max(0, element.alpha))") }
    if element.transform != .identity, element.transform.isFinite {
      let numbers = element.transform.elements.map { number -> Markup in "\(exact: number)" }
      extras.append("\"t\":[\(Markup.list(numbers))]")
    }
    let masking = shown.masking(of: element)
    if masking > 0 { extras.append("\"m\":\(masking)") }
    if let content = shown.content(of: element) {
      extras.append(
        "\"c\":[\(content.x),\(content.y),\(content.width),\(content.height)]")
    }
    let identity = element.identity
    if identity.category == .cell, let label = picture.label?(identity.section, identity.item) {
      extras.append("\"l\":\(json: label)")
    }
    if !element.attributes.isEmpty {
      let values = element.attributes.map { value -> Markup in "\(json: value.description)" }
      extras.append("\"v\":[\(Markup.list(values))]")
    }
    return extras
  }

  /// The part of the content that can be scrolled to: all of it, or of content beyond what browsers
  /// can do, the part with elements and the viewport.
  private var stage: Rect {
    var stage = picture.scrollableRect
    if max(stage.width, stage.height) > Self.farthest {
      stage = picture.viewport
      if let bounds = survey.bounds { stage.formUnion(bounds) }
    }
    stage.width = min(stage.width, Self.farthest)
    stage.height = min(stage.height, Self.farthest)
    return stage
  }
}
