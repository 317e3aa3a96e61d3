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
