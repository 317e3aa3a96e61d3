import TesseraHost

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
