"use strict";

// Pages define `layout`; `e` is the index of a kind, a section and an item.

const byId = (id) => document.getElementById(id);

function child(parent, tag, text = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  parent.append(node);
  return node;
}

const nameOf = ([kind, section, item]) => `${layout.kinds[kind][1]} ${item} of section ${section}`;

function dress(node, e, label, w, h) {
  const [kind, name] = layout.kinds[e[0]], [, section, item] = e;
  node.classList.add("e", kind);
  if (kind === "cell") {
    const shades = layout.shades;
    const shade = (item + 3 * Math.floor(item / shades)) % shades;
    node.classList.add(`h${section % layout.hues}`, `s${shade}`);
    labelCell(node, String(item), label, w, h);
  } else if (kind === "supplementary") {
    if (name === "header" || name === "footer") node.classList.add(name);
    if (h > w && w < 60) node.classList.add("upright");
    if (Math.min(w, h) >= 10) node.textContent = label || nameOf(e);
  } else if (Math.min(w, h) < 5) {
    node.classList.add("line");
  }
}

function labelCell(node, digits, label, w, h) {
  const isRow = label && (h < 36 || w > 4 * h);
  const size = isRow ? Math.min(13, h * 0.6)
    : Math.min(h * (label ? 0.36 : 0.45), w * 0.8 / (0.62 * digits.length), 24);
  if (size < 6.5) return;
  if (isRow) node.classList.add("row");
  child(node, "b", digits).style.fontSize = size + "px";
  if (!label) return;
  const room = w - (isRow ? 28 + Math.max(18, size * 0.62 * digits.length) : 10);
  child(node, "span", fitted(label, room, isRow ? 13 : 11));
}

// Names often differ at their ends, so the ellipsis is in the middle.
const measure = document.createElement("canvas").getContext("2d");
// Keeps emoji of several characters together.
const segmenter = Intl.Segmenter && new Intl.Segmenter();
function fitted(text, width, size) {
  const family = getComputedStyle(document.body).fontFamily;
  if (measure.size !== size) Object.assign(measure, { size, font: `${size}px ${family}` });
  const fits = (shown) => measure.measureText(shown).width <= width;
  if (fits(text)) return text;
  const letters = Array.from(segmenter?.segment(text) ?? text, (part) => part.segment ?? part);
  const cut = (n) => letters.slice(0, Math.ceil(n / 2)).join("") + "…"
    + letters.slice(letters.length - Math.floor(n / 2)).join("");
  let [least, most] = [2, letters.length];
  while (least < most) {
    const n = Math.ceil((least + most) / 2);
    if (fits(cut(n))) least = n; else most = n - 1;
  }
  return cut(least);
}

// `content` is [x, y, width, height] from the cell's corner.
function showInside(node, content, masking) {
  const inner = (name) => {
    const found = node.querySelector("." + name);
    if (found) return found;
    const made = document.createElement("i");
    made.className = name;
    node.prepend(made);
    return made;
  };
  if (masking !== undefined) {
    inner("mask").style.opacity = masking;
    // Light text is more legible from here on.
    node.classList.toggle("dimmed", masking >= 0.53);
  }
  if (content) {
    const picture = inner("picture");
    node.classList.add("framed");
    const [x, y, w, h] = content.map((n) => n + "px");
    const image = node.querySelector("img");
    for (const shown of image ? [picture, image] : [picture]) {
      Object.assign(shown.style, { left: x, top: y, width: w, height: h });
    }
    picture.classList.toggle("plain", Math.min(content[2], content[3]) < 20);
  }
}

function showImage(node, address, label, isPlaced) {
  const image = document.createElement("img");
  Object.assign(image, { src: address, alt: label || "", loading: "lazy", decoding: "async" });
  image.style.objectFit = isPlaced ? "cover" : layout.fit;
  node.classList.add("pictured");
  node.replaceChildren(image);
}

// By pointer or arrow keys; a double click resets.
function wireHandles(size, resize, usual) {
  for (const handle of document.querySelectorAll(".handle")) {
    const axes = handle.dataset.drag;
    handle.addEventListener("pointerdown", (event) => {
      const start = [event.clientX, event.clientY, ...size()];
      const zoom = handle.getBoundingClientRect().width / handle.offsetWidth || 1;
      handle.setPointerCapture(event.pointerId);
      document.body.classList.add("dragging");
      const move = (to) => resize(
        start[2] + (axes.includes("x") ? (to.clientX - start[0]) / zoom : 0),
        start[3] + (axes.includes("y") ? (to.clientY - start[1]) / zoom : 0));
      handle.addEventListener("pointermove", move);
      handle.addEventListener("lostpointercapture", () => {
        handle.removeEventListener("pointermove", move);
        document.body.classList.remove("dragging");
      }, { once: true });
    });
    handle.addEventListener("dblclick", () => resize(...usual));
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 1 : 10;
      const by = { ArrowRight: [step, 0], ArrowLeft: [-step, 0], ArrowDown: [0, step],
        ArrowUp: [0, -step] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [width, height] = size();
      resize(width + by[0], height + by[1]);
    });
  }
}
