import TesseraGeometry
import TesseraHost

extension Picture: Drawable {
  /// Writes a self-contained web page in UTF-8 chunks.
  ///
  /// Resizing the viewport doesn't repeat the layout. Nodes exist only near the viewport.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let drawnElements = drawnElements
    let shown = ShownAttributes(names: attributeNames)
    try Markup.stream(
      head: pageHead(drawnElements) + dataHead(drawnElements),
      elements.lazy.filter { !$0.isHidden }.enumerated(),
      tail: "\n]}" + HTMLPage.end(script: PackageResources.still_js), to: sink
    ) { row, page in
      page += row.offset == 0 ? "\n" : ",\n"
      page += dataRow(of: row.element, drawnElements, shown)
    }
  }

  private func pageHead(_ drawnElements: DrawnElements) -> Markup {
    """
    \(HTMLPage.head(
      title: engineName, id: engineID, summary: summary(of: drawnElements), extent: extentText,
      note: extentNote))<main>
    <section class="bench">
    <p id="caption" aria-live="polite"></p>
    <div id="device" style="width: \(viewport.width)px; height: \(viewport.height)px">
    <div id="scroller"><div id="stage" role="list" aria-label="elements"></div></div>
    <div class="handle right" data-drag="x"></div>
    <div class="handle bottom" data-drag="y"></div>
    <button class="handle corner" data-drag="xy" aria-label="Resize the viewport with the arrow keys" \
    title="Drag to resize the viewport, double-click to reset"></button>
    </div>
    </section>
    <aside>
    <h2 id="name">\(drawnElements.order.isEmpty ? "No elements" : "Point at an element")</h2>
    <dl id="facts"></dl>
    <p class="hint">Point at an element or focus it to see its position and attributes. Press Tab to \
    enter the content, then move between elements with the arrow keys.</p>
    <p class="hint">No engine can run in this page, so it is a still of one size, \
    \(viewport.width) × \(viewport.height): resizing the viewport shows more or less of it and does \
    not repeat the layout.</p>
    <p class="hint" id="crowd" role="status"></p>
    </aside>
    </main>
    \(HTMLPage.dataStart)
    """
  }

  private var extentNote: Markup {
    switch extent {
    case .content: ""
    case .viewport: " · only the elements in the viewport"
    case .rect(let rect):
      " · only the elements in \(rect.x), \(rect.y), \(rect.width) × \(rect.height)"
    }
  }
}

/// The common parts of pages; styles and scripts are files in `Page`.
public enum HTMLPage {
  /// - Parameters:
  ///   - note: Text after the content's extent.
  ///   - style: Rules after `page.css`.
  static func head(
    title: String, id: String, summary: String, extent: String, note: Markup = "",
    style: [UInt8] = []
  ) -> Markup {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>
    \(Markup(PackageResources.page_css))\(colours)\(Markup(style))</style>
    </head>
    <body>
    <header>
    <h1>\(title)</h1>
    <p>\(id)</p>
    <p>\(summary) · content \(extent)\(note)</p>
    </header>

    """
  }

  static let dataStart: Markup = """
    <noscript>This page needs JavaScript to show the layout.</noscript>
    <script type="application/json" id="layout">

    """

  static func end(script: [UInt8]) -> Markup {
    """

    </script>
    <script>
    \(Markup(PackageResources.elements_js))
    \(Markup(PackageResources.shared_js))
    \(Markup(script))</script>
    </body>
    </html>

    """
  }

  /// The classes `.h0`… (section hues) and `.s0`… (item shades), in light and dark.
  private static var colours: Markup {
    """
    \(rules(.light))@media (prefers-color-scheme: dark) {
    \(rules(.dark))}

    """
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

  /// The style sheet, in UTF-8.
  public static var style: [UInt8] { PackageResources.page_css + colours.bytes }

  /// The script for the colours and text of nodes, in UTF-8.
  public static var script: [UInt8] { PackageResources.elements_js }

  /// The number of section hues.
  public static var hueCount: Int { Palette.light.inks.count }

  /// The number of item shades per hue.
  public static var shadeCount: Int { Palette.light.fills[0].count }
}

extension Picture {
  func dataHead(_ drawnElements: DrawnElements) -> Markup {
    let kinds = drawnElements.kinds.map { kind -> Markup in
      "[\(json: kind.category.name),\(json: kind.name)]"
    }
    let names = attributeNames.map { name -> Markup in "\(json: name)" }
    return """
      {"viewport": \(json: viewport),
      "stage": \(json: stage(of: drawnElements)),
      "content": \(json: contentSize),
      "rightToLeft": \(direction == .rightToLeft ? "true" : "false"),
      "hues": \(Palette.light.inks.count), "shades": \(Palette.light.fills[0].count),
      "fit": "\(fit.rawValue)", "kinds": \(list: kinds),
      "attributes": \(list: names),
      \(bandData(drawnElements))"elements": [
      """
  }

  /// `[kind, section, item, x, y, width, height]` and an object of differences from the defaults.
  ///
  /// These are `z` (z index), `a` (alpha), `t` (transform), `m` (masking), `c` (picture rect in its
  /// cell), `l` (label), `p` (image URL) and `v` (attributes).
  private func dataRow(
    of element: Element, _ drawnElements: DrawnElements, _ shown: ShownAttributes
  ) -> Markup {
    let (frame, identity) = (element.frame, element.identity)
    var extras: [Markup] = []
    if element.zIndex != 0 { extras.append("\"z\":\(element.zIndex)") }
    if element.alpha < 1 { extras.append("\"a\":\(max(0, element.alpha))") }
    if element.transform != .identity, element.transform.isFinite {
      extras.append("\"t\":\(json: element.transform)")
    }
    let masking = shown.masking(of: element)
    if masking > 0 { extras.append("\"m\":\(masking)") }
    if let content = shown.content(of: element) { extras.append("\"c\":\(json: content)") }
    if identity.category == .cell, let label = label?(identity.section, identity.item) {
      extras.append("\"l\":\(json: label)")
    } else if identity.category != .cell, let title = title?(element) {
      extras.append("\"l\":\(json: title)")
    }
    if let image = image(of: element) { extras.append("\"p\":\(json: image.address)") }
    if !element.attributes.isEmpty {
      let values = element.attributes.map { value -> Markup in "\(json: value.description)" }
      extras.append("\"v\":\(list: values)")
    }
    return drawnElements.row(
      identity, "\(frame.x),\(frame.y),\(frame.width),\(frame.height)", extras)
  }

  /// If browsers can't scroll all content, the part with the elements and the viewport.
  private func stage(of drawnElements: DrawnElements) -> Rect {
    // Browsers position unreliably beyond some ten million pixels.
    let longest = 15_000_000.0
    var stage = scrollableRect
    if max(stage.width, stage.height) > longest {
      stage = viewport
      if let bounds = drawnElements.bounds { stage.formUnion(bounds) }
    }
    stage.width = min(stage.width, longest)
    stage.height = min(stage.height, longest)
    return stage
  }
}

extension DrawnElements {
  /// - Parameter extras: Members of the object at the end; omitted if empty.
  func row(_ identity: ElementIdentity, _ place: Markup, _ extras: [Markup]) -> Markup {
    let kind = kindIndex(of: identity) ?? 0
    var row: Markup = "[\(kind),\(identity.section),\(identity.item),\(place)"
    if !extras.isEmpty { row += ",{\(extras.joined(","))}" }
    row += "]"
    return row
  }
}
