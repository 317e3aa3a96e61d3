import TesseraGeometry
import TesseraHost

extension Picture {
  /// The picture as one web page that needs nothing else.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the picture as one web page that needs nothing else, piece by piece, in UTF-8.
  ///
  /// The page scrolls the content in a viewport of the bounds, which can be resized and does not
  /// lay out again. It holds every element that is not hidden once, and makes nodes only for those
  /// near the viewport. `extent` decides what the page says of itself, not what it holds.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let survey = Survey(elements, middle: viewport.middle)
    let data = PageData(picture: self, survey: survey)
    var pending = HTMLDocument.head(of: self, survey: survey)
    pending += data.head
    var isFirst = true
    for element in elements where !element.isHidden {
      pending += isFirst ? "\n" : ",\n"
      isFirst = false
      pending += data.row(of: element)
      if pending.bytes.count >= 1 << 16 {
        try pending.flush(to: sink)
      }
    }
    pending += data.tail
    pending += HTMLDocument.tail
    try pending.flush(to: sink)
  }
}

/// The page round the data.
enum HTMLDocument {
  /// Everything up to the body.
  static func opening(title: String, style: Markup = "") -> Markup {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>
    \(PageStyle.sheet)\(PageStyle.colours)\(style)</style>
    </head>

    """
  }

  /// Everything up to the data.
  static func head<Content: RandomAccessCollection>(
    of picture: Picture<Content>, survey: Survey
  ) -> Markup {
    let viewport = picture.viewport
    return """
      \(opening(title: picture.engineName))<body>
      <header>
      <h1>\(picture.engineName)</h1>
      <p>\(picture.engineID)</p>
      <p>\(picture.summary(of: survey)) · content \(picture.extentText)\
      \(picture.shownNote)</p>
      </header>
      <main>
      <section class="bench">
      <p id="caption" aria-live="polite"></p>
      <div id="device" style="width: \(viewport.width)px; height: \(viewport.height)px">
      <div id="scroller"><div id="stage" role="list" aria-label="elements"></div></div>
      <div class="handle right" data-drag="x"></div>
      <div class="handle bottom" data-drag="y"></div>
      <button class="handle corner" data-drag="xy" aria-label="Resize the viewport: arrow keys" \
      title="Drag to resize the viewport, double-click to reset"></button>
      </div>
      </section>
      <aside>
      <h2 id="name">\(survey.order.isEmpty ? "No elements" : "Point at an element")</h2>
      <dl id="facts"></dl>
      <p class="hint">Hover or focus an element to see its place. Tab into the content, then walk \
      the elements with the arrow keys.</p>
      <p class="hint">This page is a still: resizing the viewport shows more or less of the \
      layout and does not lay out again.</p>
      <p class="hint" id="crowd" role="status"></p>
      </aside>
      </main>
      <noscript>This page needs JavaScript to show the layout.</noscript>
      <script type="application/json" id="layout">

      """
  }

  /// Everything after the data.
  static let tail: Markup =
    "\n</script>\n<script>\n" + PageScript.code + "</script>\n</body>\n</html>\n"
}

extension Picture {
  /// What a page says where it does not hold all elements.
  fileprivate var shownNote: String {
    switch extent {
    case .content: ""
    case .viewport: " · only the elements in the viewport"
    case .rect(let rect):
      (" · only the elements in \(rect.x), \(rect.y), \(rect.width) × \(rect.height)" as Markup)
        .text
    }
  }
}

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

/// How the page looks, in light and in dark.
enum PageStyle {
  /// The classes `.h0`… (a section's hue) and `.s0`… (an item's shade in it).
  static var colours: Markup {
    var sheet = rules(Palette.light)
    sheet += "@media (prefers-color-scheme: dark) {\n"
    sheet += rules(Palette.dark)
    sheet += "}\n"
    return sheet
  }

  private static func rules(_ palette: Palette) -> Markup {
    var rules: Markup = ""
    for (hue, fills) in palette.fills.enumerated() {
      rules += ".h\(hue) { --ink: \(palette.inks[hue].hex) }\n"
      for (shade, fill) in fills.enumerated() {
        rules += ".h\(hue).s\(shade) { --fill: \(fill.hex) }\n"
      }
    }
    return rules
  }

  static let sheet: Markup = #"""
    :root {
      color-scheme: light dark;
      --page: #f5f6f8; --paper: #ffffff; --ground: #e9ecf1; --text: #1f2733; --soft: #5d6878;
      --edge: #d8dce3; --accent: #d6336c; --bar: #3b4758; --bar-ink: #ffffff;
      --hatch: #e7eaef; --hatch-line: #d3d9e2; --hatch-edge: #aab3c0; --badge: #5d6878;
      --mask: #3d4552;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #15181d; --paper: #1e2329; --ground: #191d22; --text: #e8ebf0; --soft: #9aa5b5;
        --edge: #343b45; --accent: #f06595; --bar: #c5cedb; --bar-ink: #15181d;
        --hatch: #272d35; --hatch-line: #353d48; --hatch-edge: #56616f; --badge: #7b8797;
        --mask: #0b0d10;
      }
    }
    * { box-sizing: border-box }
    body {
      margin: 0; padding: 24px; background: var(--page); color: var(--text);
      font: 13px/1.45 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Helvetica, Arial,
        sans-serif;
    }
    header { margin: 0 0 20px }
    h1 { font-size: 20px; margin: 0; line-height: 1.25 }
    header p { margin: 2px 0 0; color: var(--soft) }
    main { display: flex; flex-wrap: wrap; gap: 32px 44px; align-items: flex-start }
    .bench { min-width: 0 }
    #caption {
      margin: 0 0 6px; color: var(--accent); font-weight: 600; font-size: 11px;
      font-variant-numeric: tabular-nums;
    }
    #caption span { color: var(--soft); font-weight: 400 }
    #device {
      position: relative; min-width: 40px; min-height: 40px; background: var(--ground);
      outline: 1.5px dashed var(--accent); outline-offset: 1px;
      box-shadow: 0 8px 30px rgb(0 0 0 / .10);
    }
    #scroller {
      width: calc(100% + var(--bar-x, 0px)); height: calc(100% + var(--bar-y, 0px));
      overflow: hidden; scrollbar-width: thin;
    }
    #stage {
      position: relative; isolation: isolate; overflow: hidden;
      min-width: 100%; min-height: 100%;
    }
    #paper { position: absolute; background: var(--paper) }
    .handle { position: absolute; touch-action: none; background: none; border: 0; padding: 0 }
    .handle.right {
      right: calc(-12px - var(--bar-x, 0px)); top: 0; bottom: 0; width: 12px; cursor: ew-resize;
    }
    .handle.bottom {
      bottom: calc(-12px - var(--bar-y, 0px)); left: 0; right: 0; height: 12px; cursor: ns-resize;
    }
    .handle.corner {
      right: calc(-10px - var(--bar-x, 0px)); bottom: calc(-10px - var(--bar-y, 0px));
      width: 18px; height: 18px; cursor: nwse-resize;
      background: var(--paper); border: 2px solid var(--accent); border-radius: 50%;
    }
    .handle.corner:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
    .dragging * { user-select: none }
    .e {
      position: absolute; display: flex; flex-direction: column; align-items: center;
      justify-content: center; overflow: hidden; cursor: default; line-height: 1.15;
    }
    .e:hover { outline: 2px solid var(--accent); outline-offset: -1px }
    .e:focus { outline: 3px solid var(--accent); outline-offset: -1px }
    .e b { font-weight: 600; flex: none }
    .e span {
      font-size: 11px; max-width: 100%; padding: 0 5px; overflow: hidden; white-space: nowrap;
      text-overflow: ellipsis;
    }
    .e.cell {
      color: var(--ink); background: var(--fill); border-radius: min(4px, 12%);
      box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 20%, transparent);
    }
    .e.framed { background: color-mix(in srgb, var(--fill) 40%, var(--paper)) }
    .e b, .e span { position: relative; z-index: 1 }
    .picture {
      position: absolute; background: var(--fill); border-radius: min(2px, 12%);
      container-type: size;
    }
    .picture::before, .picture::after {
      content: ""; position: absolute; background: var(--ink); opacity: .16;
    }
    .picture::before {
      left: calc(72% - 9cqmin); top: calc(28% - 9cqmin); width: 18cqmin; height: 18cqmin;
      border-radius: 50%;
    }
    .picture::after {
      inset: 0; clip-path: polygon(10% 86%, 36% 44%, 54% 70%, 67% 54%, 90% 86%);
    }
    .picture.plain::before, .picture.plain::after { content: none }
    .mask { position: absolute; inset: 0; background: var(--mask) }
    .e.row { flex-direction: row; justify-content: flex-start; gap: 8px; padding: 0 10px }
    .e.row b { min-width: 18px }
    .e.row span { padding: 0; font-size: 13px }
    .rtl .e.row { flex-direction: row-reverse }
    .e.supplementary {
      background: var(--badge); color: #fff; border-radius: 12px; font-size: 12px;
      font-weight: 600; align-items: flex-start; padding: 0 10px; white-space: nowrap;
    }
    .rtl .e.supplementary { align-items: flex-end }
    .e.header { background: var(--bar); color: var(--bar-ink); border-radius: 0 }
    .e.footer {
      background: var(--paper); color: var(--bar); border-radius: 0;
      box-shadow: inset 0 0 0 1px var(--bar);
    }
    .e.supplementary.upright { writing-mode: vertical-rl; padding: 10px 0; align-items: center;
      justify-content: flex-start }
    .e.decoration {
      box-shadow: inset 0 0 0 1px var(--hatch-edge);
      background: repeating-linear-gradient(135deg, var(--hatch) 0 4px, var(--hatch-line) 4px 7px);
    }
    .e.decoration.line { background: var(--badge); box-shadow: none }
    aside { flex: 1 1 220px; max-width: 340px; padding-top: 20px }
    h2 { font-size: 16px; margin: 0 0 10px; overflow-wrap: anywhere }
    dl {
      display: grid; grid-template-columns: max-content 1fr; gap: 4px 14px; margin: 0 0 18px;
      font-variant-numeric: tabular-nums;
    }
    dt { color: var(--soft) }
    dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
    .hint { color: var(--soft); font-size: 12px; margin: 0 0 8px }
    .hint:empty { display: none }

    """#
}
