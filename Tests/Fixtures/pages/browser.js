// Runs a page's script in node with a minimal DOM, and prints expressions as JSON, one per line.
//
//     node browser.js PAGE.html EXPRESSION...
//
// Elements are found by id, without layout. `runFrame(milliseconds)` runs animation frames.
"use strict";
const fs = require("fs"), vm = require("vm");

class ClassList extends Set {
  add(...names) { names.forEach((name) => super.add(name)); }
  remove(name) { this.delete(name); }
  toggle(name, is) { if (is) super.add(name); else this.delete(name); }
  contains(name) { return this.has(name); }
}

class Node {
  constructor(id = "") {
    Object.assign(this, {
      id, children: [], parent: null, text: "", dataset: {}, attributes: {}, listeners: {},
      classList: new ClassList(), scrollLeft: 0, scrollTop: 0, value: "1",
      clientWidth: 100, clientHeight: 100, offsetWidth: 100, offsetHeight: 100,
      style: { setProperty(name, value) { this[name] = value; } },
    });
  }
  set className(name) { this.classList = new ClassList([name]); }
  get textContent() { return this.text + this.children.map((c) => c.textContent).join(""); }
  set textContent(text) { this.children = []; this.text = String(text); }
  append(child) { child.parent = this; this.children.push(child); }
  prepend(child) { child.parent = this; this.children.unshift(child); }
  remove() { this.parent.children.splice(this.parent.children.indexOf(this), 1); this.parent = null; }
  replaceChildren() { this.children = []; this.text = ""; }
  setAttribute(name, value) { this.attributes[name] = value; }
  querySelector(selector) {
    return this.children.find((c) => c.classList.has(selector.slice(1))) || null;
  }
  contains(node) { return node === this || (!!node && this.contains(node.parent)); }
  closest(selector) {
    if (this.classList.has(selector.slice(1))) return this;
    return this.parent && this.parent.closest(selector);
  }
  // A canvas with letters 6 pixels wide.
  getContext() { return { measureText: (text) => ({ width: 6 * text.length }) }; }
  scrollTo(x, y) { this.scrollLeft = x; this.scrollTop = y; }
  focus() { document.activeElement = this; this.dispatch("focusin"); }
  addEventListener(name, listener) { (this.listeners[name] ||= []).push(listener); }
  dispatch(name, more = {}) {
    const event = { target: this, preventDefault() { this.isPrevented = true; }, ...more };
    for (let node = this; node; node = node.parent) {
      (node.listeners[name] || []).forEach((listener) => listener(event));
    }
  }
}

const page = fs.readFileSync(process.argv[2], "utf8");
const body = page.slice(page.indexOf("<body>"));
const known = new Map([...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => [id, new Node(id)]));
const [, data] = /id="layout">\n(.*?)\n<\/script>/s.exec(body);
known.get("layout").textContent = data;
const [, script] = /<script>\n(.*)<\/script>/s.exec(body);

let frames = [], time = 0;
const document = {
  activeElement: null, body: new Node(),
  getElementById: (id) => known.get(id) || null,
  createElement: () => new Node(),
  querySelectorAll: () => [],
};
Object.assign(globalThis, {
  document, location: { hash: "" }, performance: { now: () => time },
  addEventListener() {}, matchMedia: () => ({ matches: true }),
  requestAnimationFrame: (frame) => frames.push(frame),
  getComputedStyle: () => ({ fontFamily: "sans-serif" }),
  ResizeObserver: class { observe() {} },
  runFrame(milliseconds) {
    time += milliseconds;
    const due = frames;
    frames = [];
    due.forEach((frame) => frame(time));
  },
});
vm.runInThisContext(script, { filename: process.argv[2] });
for (const expression of process.argv.slice(3)) {
  console.log(JSON.stringify(vm.runInThisContext(expression) ?? null));
}
