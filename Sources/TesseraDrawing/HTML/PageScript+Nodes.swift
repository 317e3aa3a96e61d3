extension PageScript {
  /// Names elements and gives their nodes colours and text; a row starts with the kind's number,
  /// the section and the item.
  static let nodes: Markup = #"""
    const nameOf = (e) => {
      const [kind, name] = layout.kinds[e[0]];
      if (kind === "cell") return `cell ${e[1]}.${e[2]}`;
      return e[2] === 0 ? `${name} ${e[1]}` : `${name} ${e[1]}.${e[2]}`;
    };
    function child(parent, tag, text) {
      const node = document.createElement(tag);
      node.textContent = text;
      parent.append(node);
      return node;
    }

    // Gives a node the colours and the text of an element that is w by h.
    function dress(node, e, label, w, h) {
      const [kind, name] = layout.kinds[e[0]], [, section, item] = e;
      node.classList.add("e", kind);
      if (kind === "cell") {
        const shades = layout.shades;
        const shade = (item + 3 * Math.floor(item / shades)) % shades;
        node.classList.add(`h${section % layout.hues}`, `s${shade}`);
        fillCell(node, String(item), label, w, h);
      } else if (kind === "supplementary") {
        if (name === "header" || name === "footer") node.classList.add(name);
        if (h > w && w < 60) node.classList.add("upright");
        if (Math.min(w, h) >= 10) node.textContent = nameOf(e);
      } else if (Math.min(w, h) < 5) {
        node.classList.add("line");
      }
    }

    // Shows the picture in a cell, [x, y, width, height] from its corner, and how dim a node is.
    function showInside(node, c, m) {
      const inner = (name) => {
        const found = node.querySelector("." + name);
        if (found) return found;
        const made = document.createElement("i");
        made.className = name;
        node.prepend(made);
        return made;
      };
      if (m !== undefined) inner("mask").style.opacity = m;
      if (c) {
        const picture = inner("picture");
        node.classList.add("framed");
        const [x, y, w, h] = c.map((n) => n + "px");
        Object.assign(picture.style, { left: x, top: y, width: w, height: h });
        picture.classList.toggle("plain", Math.min(c[2], c[3]) < 20);
      }
    }

    function fillCell(node, digits, label, w, h) {
      const isRow = label && (h < 36 || w > 4 * h);
      const size = isRow ? Math.min(13, h * 0.6)
        : Math.min(h * (label ? 0.36 : 0.45), w * 0.8 / (0.62 * digits.length), 24);
      if (size < 6.5) return;
      if (isRow) node.classList.add("row");
      child(node, "b", digits).style.fontSize = size + "px";
      if (label) child(node, "span", label);
    }

    """#
}
