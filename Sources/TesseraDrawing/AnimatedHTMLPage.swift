import TesseraGeometry
import TesseraHost

extension AnimatedPicture {
  /// The animation as one web page that needs nothing else.
  ///
  /// - Complexity: O(*n* log *n*).
  public func html() -> String {
    var bytes: [UInt8] = []
    writeHTML { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the animation as one web page that needs nothing else, piece by piece, in UTF-8.
  ///
  /// The page scrolls the content in a viewport of the bounds. It plays over and over, can be
  /// paused, and any moment can be chosen with its scrubber; opened with `#t=0.4` at the end of its
  /// address it shows that moment and waits. It has a node for every element that is not hidden
  /// all the way; of more than 4000, for those that come nearest to the viewport.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n* log *n*).
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let scene = scene
    let data = AnimatedPageData(picture: self, scene: scene)
    let drawn = nearest(of: scene)
    var pending = AnimatedPage.head(of: self, scene: scene, drawn: drawn.count)
    pending += data.head
    var isFirst = true
    for offset in drawn {
      pending += isFirst ? "\n" : ",\n"
      isFirst = false
      pending += data.row(of: animation.tracks[offset])
      if pending.bytes.count >= 1 << 16 { try pending.flush(to: sink) }
    }
    pending += data.tail
    pending += AnimatedPage.tail
    try pending.flush(to: sink)
  }

  /// As many tracks as a page can move, those that come nearest to the viewport, in drawing order.
  private func nearest(of scene: Scene) -> [Int] {
    let most = 4000
    guard scene.survey.order.count > most else { return scene.survey.order }
    let start = Rect(origin: animation.offsetBefore, size: bounds)
    let end = Rect(origin: animation.offsetAfter, size: bounds)
    let distances = animation.tracks.map { track in
      min(track.from.distance(to: start), track.to.distance(to: end))
    }
    let chosen = Set(scene.survey.order.sorted { distances[$0] < distances[$1] }.prefix(most))
    return scene.survey.order.filter(chosen.contains)
  }
}

extension Element {
  /// How far it lies from a rectangle, along the axis where it is farther; 0 where they touch.
  fileprivate func distance(to rect: Rect) -> Double {
    guard let reach = Rect(around: Projection(self).outline) else { return .infinity }
    return max(
      0, reach.minX - rect.maxX, rect.minX - reach.maxX, reach.minY - rect.maxY,
      rect.minY - reach.maxY)
  }
}

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

/// What the page of an animation does: places the elements of any moment, plays, and lets the
/// moment be chosen.
enum AnimatedPageScript {
  /// Reads the data.
  static let setting: Markup = #"""
    const layout = JSON.parse(document.getElementById("layout").textContent);
    const [left, top_, stageWidth, stageHeight] = layout.stage;
    const byId = (id) => document.getElementById(id);
    const scroller = byId("scroller"), stage = byId("stage");
    stage.style.width = stageWidth + "px";
    stage.style.height = stageHeight + "px";
    stage.classList.toggle("rtl", layout.rightToLeft);

    """#

  /// Makes a node for every track and moves them.
  static let tracks: Markup = #"""
    const between = (a, b, p) => p >= 1 ? b : p <= 0 ? a : a + (b - a) * p;

    const paper = child(stage, "div", "");
    paper.id = "paper";
    Object.assign(paper.style, { left: -left + "px", top: -top_ + "px" });

    const tracks = layout.elements.map((e, rank) => {
      const [, , , from, to, more = {}] = e;
      const node = document.createElement("div");
      dress(node, e, more.l, Math.min(from[2], to[2]), Math.min(from[3], to[3]));
      node.title = `${nameOf(e)}\n${from.join(", ")} → ${to.join(", ")}`;
      Object.assign(node.style, {
        left: from[0] - left + "px", top: from[1] - top_ + "px", width: from[2] + "px",
        height: from[3] + "px", zIndex: rank + 1,
      });
      stage.append(node);
      const resizes = from[2] !== to[2] || from[3] !== to[3];
      return { node, from, to, resizes, alphas: more.a, seen: more.v, transforms: more.t,
        contents: more.c, maskings: more.m && more.m.map((m) => [m]) };
    });

    // The numbers at a moment, between the two lists told that lie nearest.
    function at(lists, p) {
      const place = p * (lists.length - 1), k = Math.floor(place);
      const one = lists[k], other = lists[k + 1] || one;
      return one.map((n, i) => between(n, other[i], place - k));
    }

    // Shows a moment, 0...1.
    function show(p) {
      for (const track of tracks) {
        const { node, from, to, resizes, alphas, seen, transforms, contents, maskings } = track;
        const style = node.style;
        if (seen) {
          const isSeen = seen[p <= 0 ? 0 : p < 1 ? 1 : 2];
          style.visibility = isSeen ? "" : "hidden";
          if (!isSeen) continue;
        }
        const dx = between(from[0], to[0], p) - from[0];
        const dy = between(from[1], to[1], p) - from[1];
        style.transform = `translate(${dx.toFixed(3)}px, ${dy.toFixed(3)}px)`
          + (transforms ? ` matrix3d(${at(transforms, p).join(",")})` : "");
        if (resizes) {
          style.width = between(from[2], to[2], p) + "px";
          style.height = between(from[3], to[3], p) + "px";
        }
        if (alphas) style.opacity = between(alphas[0], alphas[1], p);
        if (contents || maskings) {
          showInside(node, contents && at(contents, p),
            maskings ? at(maskings, p)[0] : undefined);
        }
      }
      const [before, after] = layout.contents;
      paper.style.width = between(before[0], after[0], p) + "px";
      paper.style.height = between(before[1], after[1], p) + "px";
      const [start, end] = layout.offsets;
      if (start[0] !== end[0] || start[1] !== end[1]) {
        scroller.scrollTo(between(start[0], end[0], p) - left, between(start[1], end[1], p) - top_);
      }
    }

    """#

  /// Plays over and over until the moment is chosen by hand, or by `#t=0.4` in the address.
  static let controls: Markup = #"""
    const play = byId("play"), scrubber = byId("scrubber"), speed = byId("speed");
    const [restBefore, restAfter] = layout.rests;
    let progress = 0, isPlaying = false, lastTime = 0, rest = 0;

    function goTo(p) {
      progress = Math.min(1, Math.max(0, p));
      scrubber.value = progress;
      byId("moment").textContent = progress.toFixed(3);
      show(progress);
    }

    function setPlaying(is) {
      isPlaying = is;
      play.textContent = is ? "Pause" : "Play";
      if (!is) return;
      if (progress >= 1) goTo(0);
      rest = progress === 0 ? restBefore : 0;
      lastTime = performance.now();
      requestAnimationFrame(step);
    }

    function step(now) {
      if (!isPlaying) return;
      const passed = Math.max(0, now - lastTime) / 1000;
      lastTime = now;
      if (rest > 0) {
        rest -= passed;
        if (rest <= 0 && progress >= 1) { goTo(0); rest = restBefore; }
      } else {
        goTo(progress + passed * Number(speed.value) / layout.duration);
        if (progress >= 1) rest = restAfter;
      }
      requestAnimationFrame(step);
    }

    play.addEventListener("click", () => setPlaying(!isPlaying));
    scrubber.addEventListener("input", () => { setPlaying(false); goTo(Number(scrubber.value)); });
    byId("controls").addEventListener("submit", (event) => event.preventDefault());

    // The moment that the address asks for, as in page.html#t=0.4.
    function asked() {
      const found = /[#&]t=([0-9.]+)/.exec(location.hash);
      const p = found ? Number(found[1]) : NaN;
      if (Number.isNaN(p)) return false;
      setPlaying(false);
      goTo(p);
      return true;
    }
    addEventListener("hashchange", asked);
    scroller.scrollTo(layout.offsets[0][0] - left, layout.offsets[0][1] - top_);
    goTo(0);
    if (!asked() && !matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(true);

    """#
}
