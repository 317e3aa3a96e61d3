extension PageScript {
  /// Makes nodes near the viewport, tells about elements, walks them by keyboard.
  static let elements: Markup = #"""
    const short = (n) => String(Math.round(n * 1000) / 1000);
    const frameOf = (e) => `${e[3]}, ${e[4]} · ${e[5]} × ${e[6]}`;

    function makeNode(i) {
      const e = all[i], [, , , x, y, w, h] = e, more = e[7] || {};
      const node = document.createElement("div");
      node.dataset.index = i;
      node.tabIndex = i === current ? 0 : -1;
      node.setAttribute("role", "listitem");
      node.title = `${nameOf(e)}\n${frameOf(e)}` + (more.l ? `\n${more.l}` : "");
      node.setAttribute("aria-label", `${nameOf(e)}, at ${e[3]}, ${e[4]}, ${w} by ${h}`);
      Object.assign(node.style, {
        left: x - left + "px", top: y - top_ + "px", width: w + "px", height: h + "px",
        zIndex: ranks[i],
      });
      if ("a" in more) node.style.opacity = more.a;
      if (more.t) node.style.transform = `matrix3d(${more.t.join(",")})`;
      dress(node, e, more.l, w, h);
      showInside(node, more.c, more.m);
      return node;
    }

    // Shows what is known of an element.
    function tell(i) {
      const e = all[i], more = e[7] || {};
      byId("name").textContent = nameOf(e);
      const facts = byId("facts");
      facts.replaceChildren();
      const fact = (term, text) => { child(facts, "dt", term); child(facts, "dd", text); };
      if (more.l) fact("label", more.l);
      fact("section", e[1]);
      fact("item", e[2]);
      fact("x, y", `${e[3]}, ${e[4]}`);
      fact("size", `${e[5]} × ${e[6]}`);
      if (more.z) fact("z index", more.z);
      if ("a" in more) fact("alpha", more.a);
      if (more.t) {
        const rows = [0, 4, 8, 12].map((k) => more.t.slice(k, k + 4));
        fact("transform", rows.map((r) => r.map((n) => +n.toPrecision(4)).join("  ")).join("\n"));
      }
      (more.v || []).forEach((value, k) => fact(layout.attributes[k] || "attribute", value));
    }

    const nodes = new Map();
    const mostNodes = 4000;
    let current = 0;

    // Keeps nodes for the elements in and near the viewport.
    function render() {
      const x = scroller.scrollLeft + left, y = scroller.scrollTop + top_;
      const w = scroller.clientWidth, h = scroller.clientHeight;
      const inside = elementsIn(x, y, x + w, y + h);
      const wanted = new Set([...inside].slice(0, mostNodes));
      for (const i of elementsIn(x - w / 2, y - h / 2, x + w * 1.5, y + h * 1.5)) {
        if (wanted.size >= mostNodes) break;
        wanted.add(i);
      }
      const focused = stage.contains(document.activeElement) ? current : -1;
      for (const [i, node] of nodes) {
        if (!wanted.has(i) && i !== focused) { node.remove(); nodes.delete(i); }
      }
      for (const i of wanted) {
        if (nodes.has(i)) continue;
        const node = makeNode(i);
        nodes.set(i, node);
        stage.append(node);
      }
      if (!wanted.has(current) && focused < 0 && inside.size) mark([...inside][0]);
      byId("crowd").textContent = inside.size > mostNodes
        ? `${mostNodes} of the ${inside.size} elements here are drawn.` : "";
    }

    // Makes an element the one that Tab reaches.
    function mark(i) {
      if (nodes.has(current)) nodes.get(current).tabIndex = -1;
      current = i;
      if (nodes.has(i)) nodes.get(i).tabIndex = 0;
    }

    function goTo(i) {
      const r = reaches[i], margin = 8;
      const along = (from, to, start, length) =>
        from < start + margin ? from - margin
          : to > start + length - margin ? Math.min(from - margin, to + margin - length) : start;
      scroller.scrollTo(
        along(r[0] - left, r[2] - left, scroller.scrollLeft, scroller.clientWidth),
        along(r[1] - top_, r[3] - top_, scroller.scrollTop, scroller.clientHeight));
      mark(i);
      render();
      const node = nodes.get(i);
      if (node) node.focus({ preventScroll: true });
    }

    const indexOf = (target) => {
      const node = target.closest(".e");
      return node ? Number(node.dataset.index) : -1;
    };
    stage.addEventListener("pointerover", (event) => {
      const i = indexOf(event.target);
      if (i >= 0) tell(i);
    });
    stage.addEventListener("pointerleave", () => {
      if (stage.contains(document.activeElement)) tell(current);
    });
    stage.addEventListener("focusin", (event) => {
      const i = indexOf(event.target);
      if (i >= 0) { mark(i); tell(i); }
    });
    stage.addEventListener("keydown", (event) => {
      const last = all.length - 1;
      const steps = {
        ArrowRight: current + 1, ArrowDown: current + 1, ArrowLeft: current - 1,
        ArrowUp: current - 1, Home: 0, End: last,
      };
      if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      goTo(Math.max(0, Math.min(last, steps[event.key])));
    });

    """#
}
