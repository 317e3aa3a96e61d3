const all = layout.elements;
const device = byId("device");
const short = (n) => String(Math.round(n * 1000) / 1000);

// [left, top, right, bottom] in the layout.
function reach(e) {
  const [, , , x, y, w, h, more] = e;
  const t = more && more.t;
  if (!t) return [x, y, x + w, y + h];
  const seen = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [dx, dy] of [[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]]) {
    const by = Math.max(0.01, dx * t[3] + dy * t[7] + t[15]);
    const px = x + w / 2 + (dx * t[0] + dy * t[4] + t[12]) / by;
    const py = y + h / 2 + (dx * t[1] + dy * t[5] + t[13]) / by;
    seen[0] = Math.min(seen[0], px); seen[1] = Math.min(seen[1], py);
    seen[2] = Math.max(seen[2], px); seen[3] = Math.max(seen[3], py);
  }
  return seen;
}
const reaches = all.map(reach);

// Boxes of the sections that scroll across the others, and the box of each element.
const bandOf = [];
const bands = layout.bands.map((band) => {
  const [x, y, w, h] = band.rect, box = child(stage, "div"), inner = child(box, "div");
  box.className = "band";
  box.style.cssText = band.style;
  if (layout.rightToLeft) box.dir = "rtl";
  Object.assign(box.style, {
    left: -left + "px", top: y - top_ + "px", width: layout.content[0] + "px", height: h + "px",
  });
  Object.assign(inner.style, { width: w + "px", height: h + "px" });
  // Space for a scroll bar below.
  box.style.height = h + box.offsetHeight - box.clientHeight + "px";
  const members = [], stops = new Map();
  all.forEach((e, i) => {
    if (e[1] !== band.section || !layout.scrolling.includes(e[0])) return;
    members.push(i);
    if (!band.stops || layout.kinds[e[0]][0] !== "cell") return;
    const place = e[3] + band.scrolled - x;
    const start = layout.rightToLeft ? w - place - e[5] : place;
    stops.set(start, Math.max(stops.get(start) || 0, e[5]));
  });
  for (const [start, width] of stops) {
    Object.assign(child(inner, "i").style, {
      insetInlineStart: start + "px", width: width + "px", scrollSnapAlign: band.stops,
    });
  }
  box.scrollLeft = band.scrolled;
  box.addEventListener("scroll", renderSoon, { passive: true });
  const made = { ...band, box, inner, members, shift: () => band.scrolled - box.scrollLeft };
  for (const i of members) bandOf[i] = made;
  return made;
});

function seen(i) {
  const r = reaches[i], shift = bandOf[i] ? bandOf[i].shift() : 0;
  return [r[0] + shift, r[1], r[2] + shift, r[3]];
}

// By z index, depth, category, nearness in the middle of the viewport, listing order.
const layers = { decoration: 0, cell: 1, supplementary: 2 };
const category = (e) => layout.kinds[e[0]][0];
const zIndex = (e) => (e[7] && e[7].z) || 0;
const depth = (e) => {
  const t = e[7] && e[7].t;
  const d = t ? t[14] / t[15] : 0;
  return Number.isFinite(d) ? d : 0;
};
const [eyeX, eyeY, eyeWidth, eyeHeight] = layout.viewport;
function lean(e) {
  const [, , , x, y, w, h, more] = e;
  const t = more && more.t;
  if (!t) return 0;
  const area = t[0] * t[5] - t[1] * t[4];
  const px = (eyeX + eyeWidth / 2 - x - w / 2) * t[15] - t[12];
  const py = (eyeY + eyeHeight / 2 - y - h / 2) * t[15] - t[13];
  const dx = (px * t[5] - py * t[4]) / area, dy = (py * t[0] - px * t[1]) / area;
  const d = (dx * t[2] + dy * t[6] + t[14]) / t[15];
  return Number.isFinite(d) ? d : 0;
}
const leans = all.map(lean);
const ranks = new Uint32Array(all.length);
all.map((_, i) => i).sort((i, j) => {
  const a = all[i], b = all[j];
  return zIndex(a) - zIndex(b) || depth(a) - depth(b)
    || layers[category(a)] - layers[category(b)] || leans[i] - leans[j]
    || i - j;
}).forEach((i, rank) => { ranks[i] = rank + 1; });

// A grid index. Elements that touch more than 64 squares are in a separate list.
const side = Math.max(64, Math.sqrt(stageWidth * stageHeight * 32 / Math.max(1, all.length)));
const squares = new Map();
const wide = [];
const column = (x) => Math.floor(x / side);
reaches.forEach((r, i) => {
  if (bandOf[i]) return;
  const [c0, r0, c1, r1] = r.map(column);
  if (!((c1 - c0 + 1) * (r1 - r0 + 1) <= 64)) { wide.push(i); return; }
  for (let c = c0; c <= c1; c++) {
    for (let q = r0; q <= r1; q++) {
      const key = c + "," + q;
      const square = squares.get(key);
      if (square) square.push(i); else squares.set(key, [i]);
    }
  }
});

function elementsIn(x0, y0, x1, y1) {
  const found = new Set();
  const test = (i) => {
    const r = seen(i);
    if (r[0] <= x1 && r[2] >= x0 && r[1] <= y1 && r[3] >= y0) found.add(i);
  };
  wide.forEach(test);
  for (const { rect, members } of bands) {
    if (rect[1] <= y1 && rect[1] + rect[3] >= y0) members.forEach(test);
  }
  for (let c = column(x0); c <= column(x1); c++) {
    for (let q = column(y0); q <= column(y1); q++) {
      (squares.get(c + "," + q) || []).forEach(test);
    }
  }
  return found;
}

function createNode(i) {
  const e = all[i], [, , , x, y, w, h] = e, more = e[7] || {};
  const node = document.createElement("div");
  node.dataset.index = i;
  node.tabIndex = i === current ? 0 : -1;
  node.setAttribute("role", "listitem");
  node.title = `${nameOf(e)}\n${x}, ${y} · ${w} × ${h}` + (more.l ? `\n${more.l}` : "");
  node.setAttribute("aria-label", `${nameOf(e)}, at ${x}, ${y}, ${w} by ${h}`);
  const band = bandOf[i];
  Object.assign(node.style, {
    left: (band ? x + band.scrolled - band.rect[0] : x - left) + "px",
    top: y - (band ? band.rect[1] : top_) + "px", width: w + "px", height: h + "px",
    zIndex: ranks[i],
  });
  if ("a" in more) node.style.opacity = more.a;
  if (more.t) node.style.transform = `matrix3d(${more.t.join(",")})`;
  dress(node, e, more.l, w, h);
  if (more.p) showImage(node, more.p, more.l, more.c);
  showInside(node, more.c, more.m);
  return node;
}

function describe(i) {
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
    const node = createNode(i);
    nodes.set(i, node);
    (bandOf[i] ? bandOf[i].inner : stage).append(node);
  }
  if (!wanted.has(current) && focused < 0 && inside.size) setCurrent([...inside][0]);
  byId("crowd").textContent = inside.size > mostNodes
    ? `${mostNodes} of the ${inside.size} elements in the viewport are drawn.` : "";
}

// The one in the tab order.
function setCurrent(i) {
  if (nodes.has(current)) nodes.get(current).tabIndex = -1;
  current = i;
  if (nodes.has(i)) nodes.get(i).tabIndex = 0;
}

function goTo(i) {
  const margin = 8, band = bandOf[i];
  const along = (from, to, start, length) =>
    from < start + margin ? from - margin
      : to > start + length - margin ? Math.min(from - margin, to + margin - length) : start;
  if (band) {
    const [start, , end] = seen(i);
    band.box.scrollLeft += along(start, end, 0, layout.content[0]);
  }
  const r = seen(i);
  scroller.scrollTo(
    along(r[0] - left, r[2] - left, scroller.scrollLeft, scroller.clientWidth),
    along(r[1] - top_, r[3] - top_, scroller.scrollTop, scroller.clientHeight));
  setCurrent(i);
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
  if (i >= 0) describe(i);
});
stage.addEventListener("pointerleave", () => {
  if (stage.contains(document.activeElement)) describe(current);
});
stage.addEventListener("focusin", (event) => {
  const i = indexOf(event.target);
  if (i >= 0) { setCurrent(i); describe(i); }
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

const boundsOfLayout = [layout.viewport[2], layout.viewport[3]];

function updateCaption() {
  const size = `viewport ${short(device.offsetWidth)} × ${short(device.offsetHeight)}`;
  byId("caption").textContent = size;
  child(byId("caption"), "span", ` — laid out for ${boundsOfLayout[0]} × ${boundsOfLayout[1]}`);
}

// Puts scroll bars outside of the viewport.
function fitScrollbars() {
  const overflow = (is) => is ? "scroll" : "hidden";
  scroller.style.overflowX = overflow(stageWidth > device.clientWidth);
  scroller.style.overflowY = overflow(stageHeight > device.clientHeight);
  device.style.setProperty("--bar-x", scroller.offsetWidth - scroller.clientWidth + "px");
  device.style.setProperty("--bar-y", scroller.offsetHeight - scroller.clientHeight + "px");
}

let isPending = false;
function renderSoon() {
  if (isPending) return;
  isPending = true;
  requestAnimationFrame(() => { isPending = false; render(); });
}

function resize(width, height) {
  device.style.width = Math.max(40, width) + "px";
  device.style.height = Math.max(40, height) + "px";
}

wireHandles(() => [device.offsetWidth, device.offsetHeight], resize, boundsOfLayout);

resizePaper(...layout.content);
fitScrollbars();
scroller.scrollTo(layout.viewport[0] - left, layout.viewport[1] - top_);
scroller.addEventListener("scroll", renderSoon, { passive: true });
new ResizeObserver(() => { fitScrollbars(); updateCaption(); renderSoon(); }).observe(device);
updateCaption();
render();
