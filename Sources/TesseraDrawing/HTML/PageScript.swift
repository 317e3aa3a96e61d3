/// What the page does: finds the elements near the viewport, makes nodes for them, tells about the
/// one that is pointed at, and lets the viewport be resized.
enum PageScript {
  static var code: Markup { "\"use strict\";\n" + geometry + nodes + elements + viewport }

  /// Reads the data, and finds elements by place through squares of the plane.
  private static let geometry: Markup = #"""
    const layout = JSON.parse(document.getElementById("layout").textContent);
    const [left, top_, stageWidth, stageHeight] = layout.stage;
    const all = layout.elements;
    const byId = (id) => document.getElementById(id);
    const scroller = byId("scroller"), stage = byId("stage"), device = byId("device");

    // Where an element is seen: [left, top, right, bottom].
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

    // The order of drawing: z index, depth, category, how near its plane is in the middle of the
    // viewport, order of listing.
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

    // Squares of the plane with the elements that touch them; what touches many is kept apart.
    const side = Math.max(64, Math.sqrt(stageWidth * stageHeight * 32 / Math.max(1, all.length)));
    const squares = new Map();
    const wide = [];
    const column = (x) => Math.floor(x / side);
    reaches.forEach((r, i) => {
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

    // The elements that are seen in a rectangle of the content.
    function elementsIn(x0, y0, x1, y1) {
      const found = new Set();
      const test = (i) => {
        const r = reaches[i];
        if (r[0] <= x1 && r[2] >= x0 && r[1] <= y1 && r[3] >= y0) found.add(i);
      };
      wide.forEach(test);
      for (let c = column(x0); c <= column(x1); c++) {
        for (let q = column(y0); q <= column(y1); q++) {
          (squares.get(c + "," + q) || []).forEach(test);
        }
      }
      return found;
    }

    """#
}
