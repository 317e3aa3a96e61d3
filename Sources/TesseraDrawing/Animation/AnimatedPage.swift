import TesseraHost

/// The page round the data of an animation.
enum AnimatedPage {
  /// Everything up to the data.
  static func head(
    of picture: AnimatedPicture, scene: Scene, drawn: Int
  ) -> Markup {
    let count = scene.survey.order.count
    let note: Markup =
      drawn < count ? "<p>\(drawn) of the \(count) elements are drawn: the nearest.</p>\n" : ""
    return """
      \(HTMLDocument.opening(title: picture.engineName, style: style))<body>
      <header>
      <h1>\(picture.engineName)</h1>
      <p>\(picture.engineID)</p>
      <p>\(scene.summary) · content \(scene.extentText)</p>
      \(note)</header>
      <main>
      <section class="bench">
      <form id="controls">
      <button type="button" id="play">Play</button>
      <input type="range" id="scrubber" min="0" max="1" step="any" value="0" \
      aria-label="Progress">
      <output id="moment" for="scrubber">0.000</output>
      <label>Speed <select id="speed">
      <option value="1">1×</option>
      <option value="0.5">½×</option>
      <option value="0.2">⅕×</option>
      <option value="0.05">¹⁄₂₀×</option>
      </select></label>
      </form>
      <div id="device" style="width: \(picture.bounds.width)px; \
      height: \(picture.bounds.height)px">
      <div id="scroller"><div id="stage" role="img" aria-label="elements on their way"></div></div>
      </div>
      </section>
      </main>
      <noscript>This page needs JavaScript to play the animation.</noscript>
      <script type="application/json" id="layout">

      """
  }

  /// Everything after the data.
  static let tail: Markup =
    "\n</script>\n<script>\n\"use strict\";\n" + AnimatedPageScript.setting + PageScript.nodes
    + AnimatedPageScript.tracks + AnimatedPageScript.controls + "</script>\n</body>\n</html>\n"

  private static let style: Markup = #"""
    #controls { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center;
      margin: 0 0 14px }
    #controls button { min-width: 68px; padding: 4px 10px; font: inherit; font-weight: 600 }
    #controls select { font: inherit }
    #scrubber { flex: 1 1 160px; accent-color: var(--accent) }
    #moment { font-variant-numeric: tabular-nums; color: var(--accent); font-weight: 600 }
    #scroller { overflow: auto }

    """#
}
