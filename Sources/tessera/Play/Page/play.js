// The playground: settings on the left become a scenario, the host lays it out, and the elements in
// and near the viewport become nodes. The whole state is in the address after #.

const layout = { kinds: [], hues: 8, shades: 8 };

// MARK: State

// `engine` is a name that the host accepts; `values` and `sectionValues` apply to all items and
// sections; texts are expressions, as on the command line. `other` is the second engine; `second` has
// the settings of the second layout if they are not those of the first.
const freshState = (engine) => ({
  engine, bounds: [375, 667], offset: [0, 0], parameters: {}, counts: [20], values: {},
  sectionValues: {}, delegate: {}, other: "", second: null,
});
let state = freshState("");
let undone = [], done = [];
let facts = null, engines = [], hasTable = false;
// What each item is called, by section; null until items are inserted, deleted or moved.
let names = null;
let selected = null;

const total = () => state.counts.reduce((sum, n) => sum + n, 0);

function scenario(from = state, counts = from.counts, only = facts) {
  const result = {};
  for (const key of ["bounds", "offset", "scale", "direction", "contentInsets", "safeAreaInsets",
    "layoutMargins", "measure"]) {
    if (from[key] !== undefined && from[key] !== "") result[key] = from[key];
  }
  const known = (values, list) => Object.fromEntries(Object.entries(values)
    .filter(([name, value]) => value !== "" && (!list || list.some((v) => v.name === name))));
  result.parameters = known(from.parameters, only && only.parameters);
  result.delegate = known(from.delegate, only && only.delegateFunctions);
  if (!from.usesTable) {
    const itemValues = known(from.values, only && only.itemValues);
    const values = known(from.sectionValues, only && only.sectionValues);
    result.sections = counts.map((items) => ({ items, values, itemValues }));
  }
  return result;
}

// Applies a change that can be undone.
function change(edit, { merges = false } = {}) {
  const before = JSON.stringify(state);
  edit(state);
  if (JSON.stringify(state) === before) return;
  if (!merges || !done.length || done[done.length - 1].merges !== merges) {
    done.push({ text: before, merges, names: JSON.stringify(names) });
  }
  undone = [];
  settle();
}

function travel(from, to) {
  const entry = from.pop();
  if (!entry) return;
  to.push({ text: JSON.stringify(state), names: JSON.stringify(names) });
  const engine = state.engine;
  state = JSON.parse(entry.text);
  names = JSON.parse(entry.names || "null");
  if (state.engine !== engine) chooseEngine(state.engine); else settle();
}

// Shows a new state everywhere.
function settle() {
  history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));
  byId("undo").disabled = !done.length;
  byId("redo").disabled = !undone.length;
  fillControls();
  fitDevice();
  views[0].ask();
  if (state.other) views[1].ask();
}

function stateOfAddress() {
  try {
    const found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return found && typeof found.engine === "string" ? { ...freshState(""), ...found } : null;
  } catch { return null; }
}

// MARK: Connection

let socket, number = 0;
const waiting = new Map();
const decoder = new TextDecoder();
const send = (message) => {
  if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("not connected"));
  message.number = ++number;
  socket.send(JSON.stringify(message));
  return new Promise((answer, fail) => waiting.set(message.number, { answer, fail }));
};

function connect() {
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  address.hash = "";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => socket.send(JSON.stringify({ do: "start" }));
  socket.onmessage = ({ data }) => receive(typeof data === "string" ? JSON.parse(data) : rows(data));
  socket.onclose = () => {
    badge("disconnected", "bad");
    for (const { fail } of waiting.values()) fail(new Error("not connected"));
    waiting.clear();
    setTimeout(connect, 1000);
  };
}

function receive(message) {
  const asked = waiting.get(message.number);
  if (asked) {
    waiting.delete(message.number);
    if (message.do === "failed") asked.fail(message); else asked.answer(message);
  } else if (message.do === "start") {
    begin(message);
  } else if (message.do === "reloaded") {
    reloaded(message);
  } else if (message.do === "failed") {
    showError(message.message);
  }
}

// Reads rows: a header, then columns of doubles.
function rows(data) {
  const length = new DataView(data).getUint32(0, true);
  const message = JSON.parse(decoder.decode(new Uint8Array(data, 4, length)));
  bytesFetched += data.byteLength;
  let place = 4 + length;
  const column = (width) => {
    const found = new Float64Array(data, place, message.count * width);
    place += found.byteLength;
    return found;
  };
  const widths = { frame: 4, transform: 16, alpha: 1, zIndex: 1, hidden: 1 };
  message.column = {};
  for (const name of message.columns) message.column[name] = column(widths[name]);
  return message;
}
let bytesFetched = 0;

// MARK: Views

// One shown layout: a scroller whose stage is as large as the content, or as large as browsers allow.
const longest = 15000000;
class View {
  constructor(side, scroller, stage) {
    Object.assign(this, { side, scroller, stage, nodes: new Map(), content: [0, 0], frames: new Map() });
    this.isWaiting = false;
    this.isStale = false;
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    if (!side) scroller.addEventListener("scrollend", () => this.rest());
  }

  // Scrolls to where the engine lets a scroll come to rest.
  rest() {
    if (!snaps || animating || this.content[1] > longest || this.content[0] > longest) return;
    const proposed = this.offset;
    send({
      do: "rest", side: 0, engine: this.engine, scenario: { ...scenario(), offset: proposed },
      usesTable: !!state.usesTable, proposed, velocity: [0, 0],
    }).then(({ offset }) => {
      if (Math.hypot(offset[0] - proposed[0], offset[1] - proposed[1]) < 1) return;
      this.scroller.scrollTo({ left: offset[0], top: offset[1], behavior: "smooth" });
    }, () => {});
  }

  get engine() { return this.side ? state.other : state.engine; }

  // The scroll offset in points of the content; a stage that is too short is scrolled in proportion.
  get offset() {
    const along = (scrolled, visible, content) => {
      const stage = Math.min(content, longest);
      if (content <= longest || stage <= visible) return scrolled;
      return scrolled * (content - visible) / (stage - visible);
    };
    return [
      along(this.scroller.scrollLeft, this.scroller.clientWidth, this.content[0]),
      along(this.scroller.scrollTop, this.scroller.clientHeight, this.content[1]),
    ];
  }

  scrolled() {
    if (animating) return;
    if (!this.side) state.offset = this.offset.map((n) => Math.round(n * 2) / 2);
    const twin = views[1 - this.side];
    if (state.other && Math.abs(twin.scroller.scrollTop - this.scroller.scrollTop) > 1) {
      twin.scroller.scrollTop = this.scroller.scrollTop;
    }
    this.ask();
    settleLater();
  }

  // Asks for rows; while an answer is awaited, remembers that it is out of date.
  ask() {
    if (!this.engine || (!facts && !this.side)) return;
    if (this.isWaiting) { this.isStale = true; return; }
    this.isWaiting = true;
    const [x, y] = this.offset;
    const [w, h] = state.bounds;
    const from = this.side && state.second ? { ...state, ...state.second } : state;
    const given = scenario(from, state.counts, this.side ? otherFacts : facts);
    given.offset = [x, y];
    send({
      do: "show", side: this.side, engine: this.engine, scenario: given, usesTable: !!state.usesTable,
      view: [x - w / 2, y - h / 2, w * 2, h * 2],
    }).then((message) => this.show(message), (failure) => this.fail(failure)).finally(() => {
      this.isWaiting = false;
      if (this.isStale) { this.isStale = false; this.ask(); }
    });
  }

  fail(failure) {
    badge(failure.died ? "crashed" : "failed", "bad");
    showError(failure.message);
  }

  show(message) {
    if (!this.side) { badge("live", "good"); showError(""); }
    this.message = message;
    if (message.contentSize.join() !== this.content.join()) {
      this.content = message.contentSize;
      this.resizeStage();
    }
    this.render(message);
    if (!this.side) {
      byId("figures").textContent = `content ${short(this.content[0])} × ${short(this.content[1])} · `
        + `${message.count} elements near the viewport · prepare ${short(message.prepare)} ms · `
        + `query ${short(message.query)} ms`
        + (message.warnings.length ? "\n" + message.warnings.join("\n") : "");
      this.framesCount = (this.framesCount || 0) + 1;
    }
    if (state.other) compare();
  }

  resizeStage() {
    const [w, h] = this.content;
    this.stage.style.width = Math.max(Math.min(w, longest), 1) + "px";
    this.stage.style.height = Math.max(Math.min(h, longest), 1) + "px";
  }

  render(message) {
    layout.kinds = message.kinds;
    const { frame, transform, alpha, zIndex, hidden } = message.column;
    const [ox, oy] = this.offset;
    const shiftX = this.scroller.scrollLeft - ox, shiftY = this.scroller.scrollTop - oy;
    const seen = new Set();
    this.rowOf = new Map();
    let place = 0;
    for (const [kind, section, first, count] of message.runs) {
      for (let k = 0; k < count; k++, place++) {
        const e = [kind, section, first + k];
        const key = `${message.kinds[kind].join("/")}/${section}/${first + k}`;
        seen.add(key);
        this.rowOf.set(key, place);
        if (hidden && hidden[place]) {
          const node = this.nodes.get(key);
          if (node) { node.remove(); this.nodes.delete(key); }
          continue;
        }
        const [x, y, w, h] = frame.subarray(4 * place, 4 * place + 4);
        let node = this.nodes.get(key);
        const looks = `${w}/${h}/${labelOf(e) || ""}`;
        if (!node || node.dataset.looks !== looks) {
          const fresh = this.createNode(e, key, w, h);
          fresh.dataset.looks = looks;
          if (node) node.replaceWith(fresh); else this.stage.append(fresh);
          this.nodes.set(key, fresh);
          node = fresh;
        }
        const style = node.style;
        style.left = x + shiftX + "px";
        style.top = y + shiftY + "px";
        style.width = w + "px";
        style.height = h + "px";
        style.opacity = alpha ? alpha[place] : "";
        style.zIndex = order(message, e, place);
        style.transform = transform
          ? `matrix3d(${transform.subarray(16 * place, 16 * place + 16).join(",")})` : "";
        this.showMore(node, message, place);
      }
    }
    for (const [key, node] of this.nodes) {
      if (!seen.has(key)) { node.remove(); this.nodes.delete(key); }
    }
    if (!this.side) {
      updateSelection();
    }
  }

  createNode(e, key, w, h) {
    const node = document.createElement("div");
    node.dataset.key = key;
    node.tabIndex = selected === key ? 0 : -1;
    node.setAttribute("role", "listitem");
    node.setAttribute("aria-label", nameOf(e));
    dress(node, e, labelOf(e), w, h);
    return node;
  }

  showMore(node, message, place) {
    const at = (name) => message.attributes.indexOf(name);
    const value = (name) => at(name) < 0 ? undefined : message.values[place][at(name)];
    const masking = value("maskingValue"), content = value("contentRect");
    showInside(node, content && content.split(",").map(Number),
      masking === undefined ? undefined : Number(masking));
  }
}

// Drawing order: z index, then category, then listing order; 3D depth is the browser's.
const layers = { decoration: 0, cell: 1, supplementary: 2 };
function order(message, e, place) {
  const z = message.column.zIndex ? message.column.zIndex[place] : 0;
  return Math.round(Math.max(-100000, Math.min(100000, z))) * 3 + layers[message.kinds[e[0]][0]];
}

function labelOf([kind, section, item]) {
  if (!names || layout.kinds[kind][0] !== "cell") return undefined;
  return names[section] && names[section][item];
}

const short = (n) => String(Math.round(n * 1000) / 1000);
let views = [];
let otherFacts = null;
let animating = false;

function badge(text, kind) {
  byId("state").textContent = text;
  byId("state").className = "badge " + kind;
}

function showError(text) {
  byId("error").textContent = text;
  byId("error").hidden = !text;
}

let laterTimer;
function settleLater() {
  clearTimeout(laterTimer);
  laterTimer = setTimeout(() => {
    history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));
  }, 300);
}

// MARK: Start, engines, reloading

function begin(message) {
  Object.assign(layout, { hues: message.hues, shades: message.shades });
  engines = message.listing.engines.filter((e) => !e.shadowedBy);
  hasTable = message.hasTable;
  const first = message.engine || (engines[0] && engines[0].id) || "";
  if (!state.engine) state = stateOfAddress() || fromScenario(message.scenario, first);
  fillEngines(first);
  if (!first) return badge("no engines", "bad");
  chooseEngine(state.engine);
  if (state.other) chooseOther(state.other);
}

// The state that shows a scenario file, as the command gives it.
function fromScenario(given, engine) {
  const result = freshState(engine);
  for (const key of ["bounds", "offset", "scale", "direction", "contentInsets", "safeAreaInsets",
    "layoutMargins", "measure"]) {
    if (given[key] !== undefined && given[key] !== null) result[key] = given[key];
  }
  const text = (values) => Object.fromEntries(Object.entries(values || {})
    .map(([name, value]) => [name, value]));
  result.parameters = text(given.parameters);
  result.delegate = text(given.delegate);
  if (given.sections) {
    result.counts = given.sections.map((s) => s.items);
    Object.assign(result.values, text(given.sections[0] && given.sections[0].itemValues));
    Object.assign(result.sectionValues, text(given.sections[0] && given.sections[0].values));
  }
  Object.assign(result.values, text(given.itemValues));
  Object.assign(result.sectionValues, text(given.sectionValues));
  if (hasTable) result.usesTable = true;
  return result;
}

function fillEngines(given) {
  const options = engines.map((e) => [e.id, e.name]);
  if (given && !engines.some((e) => e.id === given)) {
    options.unshift([given, given.split("#").pop() + " (file)"]);
  }
  const fill = (select, all) => {
    select.replaceChildren();
    for (const [value, text] of all) {
      const option = child(select, "option", text);
      option.value = value;
    }
  };
  fill(byId("engine"), options);
  fill(byId("other"), [["", "nothing"], ["=", "this, as it is now"], ...options, ["file", "a library file…"]]);
  const pictures = byId("pictures");
  pictures.replaceChildren();
  byId("gallery").addEventListener("toggle", () => {
    if (pictures.children.length) return;
    for (const [value, text] of options) {
      const button = child(pictures, "button");
      button.type = "button";
      const image = child(button, "img");
      image.loading = "lazy";
      image.alt = "";
      image.src = "picture/" + encodeURIComponent(value);
      child(button, "span", text);
      button.addEventListener("click", () => { useEngine(value); byId("gallery").open = false; });
    }
  });
}

function useEngine(name) {
  done.push({ text: JSON.stringify(state), names: JSON.stringify(names) });
  undone = [];
  state.engine = name;
  chooseEngine(name);
}

function chooseEngine(name) {
  send({ do: "engine", engine: name }).then((message) => {
    snaps = message.snaps;
    adoptFacts(message.facts);
    byId("engine").value = name;
    settle();
    views[0].scroller.scrollTo(...state.offset);
  }, (failure) => { showError(failure.message); badge("failed", "bad"); });
}
let snaps = false;

// Compares with an engine, with the settings as they are now ("="), or with a library file.
function chooseOther(name) {
  byId("other-file").hidden = name !== "file";
  if (name === "file") return byId("other-file").focus();
  if (name === "=") {
    name = state.engine;
    const { parameters, values, sectionValues, delegate } = JSON.parse(JSON.stringify(state));
    state.second = { parameters, values, sectionValues, delegate };
  }
  state.other = name;
  byId("other").value = name;
  byId("second").hidden = !name;
  byId("overlay-label").hidden = !name;
  byId("scrub-label").hidden = !name;
  byId("differences").textContent = "";
  views[1].message = undefined;
  if (!name) { otherFacts = null; return settle(); }
  send({ do: "engine", engine: name }).then((message) => {
    otherFacts = message.facts;
    settle();
  }, (failure) => showError(failure.message));
}

function adoptFacts(found) {
  facts = found;
  document.title = `${found.name} – Tessera playground`;
  buildControls();
}

function reloaded(message) {
  if (message.message) {
    badge("kept the previous library", "bad");
    showError(message.message);
    return;
  }
  if (!message.side) adoptFacts(message.facts); else otherFacts = message.facts;
  badge("reloaded", "busy");
  byId("verdict").hidden = true;
  showError(message.dropped.join("\n"));
  fillControls();
  views[message.side].ask();
}

// MARK: Controls

function control(parent, { key, label, title, kind, choices, placeholder, set }) {
  const row = child(parent, "div");
  row.className = "control";
  const name = child(row, "label", label);
  name.htmlFor = `c-${key}`;
  name.title = title || label;
  const input = document.createElement(choices ? "select" : "input");
  input.id = `c-${key}`;
  if (choices) {
    for (const choice of choices) child(input, "option", choice).value = choice;
  } else if (kind === "bool") {
    input.type = "checkbox";
  } else {
    input.type = "text";
    input.spellcheck = false;
    input.placeholder = placeholder ?? "";
  }
  input.addEventListener(choices || kind === "bool" ? "change" : "input", () =>
    set(kind === "bool" ? String(input.checked) : input.value));
  row.append(input);
  return input;
}

const textOf = (value) => Array.isArray(value) ? value.join(",") : String(value ?? "");
const numbersOf = (text) => text.split(/[,x×]/).map(Number);
let fillers = [];

function buildControls() {
  fillers = [];
  for (const id of ["items", "parameters", "values", "functions", "surroundings"]) {
    byId(id).replaceChildren();
  }
  const filler = (input, read) => fillers.push(() => {
    if (document.activeElement === input && input.type === "text") return;
    const value = read();
    if (input.type === "checkbox") input.checked = value === "true"; else input.value = value;
    input.classList.toggle("changed", value !== "" && value !== input.dataset.initial);
  });
  const counts = control(byId("items"), {
    key: "counts", label: "Items", title: "Items of each section, such as 20 or 3,5,8",
    set: (text) => {
      const found = text.split(",").map((n) => Math.floor(Number(n)));
      if (!text || found.some((n) => !(n >= 0))) return;
      names = null;
      change((s) => { s.counts = found; delete s.usesTable; }, { merges: "counts" });
    },
  });
  counts.dataset.initial = "20";
  filler(counts, () => state.counts.join(","));
  const group = (id, list, target, describe) => {
    for (const one of list) {
      const choices = one.choices && one.choices.length ? one.choices : null;
      const isBool = one.type === "bool";
      const initial = one.initial === undefined ? one.fallback : textOf(one.initial);
      if (one.ownedBy) continue;
      const input = control(byId(id), {
        key: `${target}-${one.name}`, label: one.name, title: describe(one), choices,
        kind: isBool && id === "parameters" ? "bool" : "text", placeholder: initial ?? "",
        set: (text) => change((s) => {
          if (text === "" || text === initial) delete s[target][one.name];
          else s[target][one.name] = text;
        }, { merges: `${target}.${one.name}` }),
      });
      input.dataset.initial = initial ?? "";
      filler(input, () => {
        const value = state[target][one.name];
        return value !== undefined ? textOf(value)
          : choices || input.type === "checkbox" ? initial ?? "" : "";
      });
    }
  };
  group("parameters", facts.parameters, "parameters", (p) =>
    [p.help, p.unit, p.minimum !== null && p.minimum !== undefined ? `at least ${p.minimum}` : "",
      p.maximum !== null && p.maximum !== undefined ? `at most ${p.maximum}` : ""]
      .filter(Boolean).join("; "));
  group("values", facts.itemValues.map((v) => ({ ...v, choices: [] })), "values",
    (v) => `For every item: ${v.help}`);
  group("values", facts.sectionValues.map((v) => ({ ...v, choices: [] })), "sectionValues",
    (v) => `For every section: ${v.help}`);
  group("functions", facts.delegateFunctions, "delegate", (f) => `${f.signature}: ${f.help}`);
  byId("values-group").hidden = !facts.itemValues.length && !facts.sectionValues.length;
  byId("functions-group").hidden = !facts.delegateFunctions.length;
  const surroundings = byId("surroundings");
  const vector = (key, label, count, title) => filler(control(surroundings, {
    key, label, title, placeholder: Array(count).fill(0).join(","),
    set: (text) => {
      const numbers = numbersOf(text);
      if (text !== "" && (numbers.length !== count || numbers.some((n) => !Number.isFinite(n)))) return;
      change((s) => { if (text === "") delete s[key]; else s[key] = numbers; }, { merges: key });
    },
  }), () => state[key] ? state[key].join(",") : "");
  const size = control(surroundings, {
    key: "bounds", label: "bounds", title: "Width and height in points, such as 390x844",
    set: (text) => {
      const numbers = numbersOf(text);
      if (numbers.length === 2 && numbers.every((n) => n >= 0)) {
        change((s) => { s.bounds = numbers; }, { merges: "bounds" });
      }
    },
  });
  size.dataset.initial = "375x667";
  filler(size, () => state.bounds.join("x"));
  filler(control(surroundings, {
    key: "scale", label: "scale", title: "Device pixels per point", placeholder: "2",
    set: (text) => {
      if (text !== "" && !(Number(text) > 0)) return;
      change((s) => { if (text === "") delete s.scale; else s.scale = Number(text); },
        { merges: "scale" });
    },
  }), () => state.scale === undefined ? "" : String(state.scale));
  const direction = control(surroundings, {
    key: "direction", label: "direction", title: "The reading direction",
    choices: ["leftToRight", "rightToLeft"],
    set: (text) => change((s) => {
      if (text === "leftToRight") delete s.direction; else s.direction = text;
    }),
  });
  direction.dataset.initial = "leftToRight";
  filler(direction, () => state.direction || "leftToRight");
  vector("contentInsets", "contentInsets", 4, "Top, left, bottom, right");
  vector("safeAreaInsets", "safeAreaInsets", 4, "Top, left, bottom, right");
  vector("layoutMargins", "layoutMargins", 4, "Top, left, bottom, right");
}

function fillControls() {
  for (const fill of fillers) fill();
  byId("engine").value = state.engine;
}

// MARK: Viewport

const presets = [
  ["Phone 375 × 667", [375, 667]], ["Phone 390 × 844", [390, 844]], ["Phone, turned", [844, 390]],
  ["Tablet 768 × 1024", [768, 1024]], ["Window 1280 × 800", [1280, 800]],
];

function fitDevice() {
  for (const id of ["device", "second"]) {
    const style = byId(id).style;
    style.width = state.bounds[0] + "px";
    style.height = state.bounds[1] + "px";
  }
  byId("caption").textContent = `${short(state.bounds[0])} × ${short(state.bounds[1])}`;
}

function resize(width, height) {
  const bounds = [Math.max(40, Math.round(width)), Math.max(40, Math.round(height))];
  change((s) => { s.bounds = bounds; }, { merges: "bounds" });
}

wireHandles(() => state.bounds, resize, [375, 667]);

// MARK: Selection and inspector

function updateSelection() {
  const view = views[0];
  const keys = [...view.nodes.keys()];
  const focusable = view.nodes.has(selected) ? selected : keys[0];
  for (const [key, node] of view.nodes) {
    node.tabIndex = key === focusable ? 0 : -1;
    node.classList.toggle("selected", key === selected);
  }
  if (selected && view.rowOf.has(selected)) describe(selected);
}

function describe(key) {
  const view = views[0], message = view.message;
  const place = view.rowOf.get(key);
  if (place === undefined) return;
  const [, kind, section, item] = key.split("/");
  byId("name").textContent = `${kind} ${item} of section ${section}`;
  const list = byId("facts");
  list.replaceChildren();
  const fact = (term, text) => { child(list, "dt", term); child(list, "dd", text); };
  const [x, y, w, h] = message.column.frame.subarray(4 * place, 4 * place + 4);
  const label = names && kind === "cell" && names[section] && names[section][item];
  if (label) fact("label", label);
  fact("section", section);
  fact("item", item);
  fact("x, y", `${x}, ${y}`);
  fact("size", `${w} × ${h}`);
  const { alpha, zIndex, transform } = message.column;
  if (zIndex && zIndex[place]) fact("z index", zIndex[place]);
  if (alpha && alpha[place] !== 1) fact("alpha", alpha[place]);
  if (transform) {
    const t = transform.subarray(16 * place, 16 * place + 16);
    const rows = [0, 4, 8, 12].map((k) => [...t.subarray(k, k + 4)]);
    fact("transform", rows.map((r) => r.map((n) => +n.toPrecision(4)).join("  ")).join("\n"));
  }
  message.attributes.forEach((name, k) => fact(name, message.values[place][k]));
}

function select(key, focuses = false) {
  selected = key;
  updateSelection();
  const node = views[0].nodes.get(key);
  if (focuses && node) node.focus();
}

const stage = byId("stage");
const keyOf = (target) => target.closest(".e")?.dataset.key;
stage.addEventListener("pointerover", (event) => {
  const key = keyOf(event.target);
  if (key) describe(key);
});
stage.addEventListener("pointerleave", () => { if (selected) describe(selected); });
stage.addEventListener("click", (event) => {
  const key = keyOf(event.target);
  if (key) select(key);
});
stage.addEventListener("focusin", (event) => {
  const key = keyOf(event.target);
  if (key && key !== selected) select(key);
});
stage.addEventListener("keydown", (event) => {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const keys = [...views[0].rowOf.keys()];
  const next = keys[keys.indexOf(selected) + steps[event.key]];
  if (next) select(next, true);
});

// MARK: Changes of the items, animated with the host's tracks

function selectedItem() {
  const [category, , section, item] = (selected || "").split("/");
  return category === "cell" ? [Number(section), Number(item)] : [0, 0];
}

function changeItems(kind) {
  if (state.usesTable) return showError("The items come from a table; set their count to change them.");
  const [section, item] = selectedItem();
  const counts = [...state.counts];
  const before = { ...scenario(), offset: views[0].offset };
  const operations = [];
  const fresh = names || counts.map((n) => Array.from({ length: Math.min(n, 5000) }, (_, i) => String(i)));
  const list = fresh.map((one) => [...one]);
  if (kind === "insert") {
    counts[section] += 1;
    operations.push({ insert: [section, item] });
    list[section].splice(item, 0, "new");
  } else if (kind === "delete") {
    if (!counts[section]) return;
    counts[section] -= 1;
    operations.push({ delete: [section, item] });
    list[section].splice(item, 1);
  } else if (kind === "reload") {
    if (!counts[section]) return;
    operations.push({ reload: [section, item] });
  } else if (kind === "move") {
    if (!counts[section]) return;
    operations.push({ move: [section, item], to: [section, 0] });
    list[section].unshift(...list[section].splice(item, 1));
  } else {
    const size = Math.min(counts[section], 500);
    const places = Array.from({ length: size }, (_, i) => i);
    for (let i = size - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [places[i], places[j]] = [places[j], places[i]];
    }
    places.forEach((from, to) => operations.push({ move: [section, from], to: [section, to] }));
    const old = [...list[section]];
    places.forEach((from, to) => { list[section][to] = old[from]; });
  }
  // What is at the top stays there, so only the layout before has an offset.
  const after = { ...scenario(state, counts), offset: undefined };
  const finish = () => {
    names = list;
    change((s) => { s.counts = counts; });
    if (kind === "reload") views[0].ask();
  };
  if (total() > 5000) return finish();
  send({ do: "update", engine: state.engine, script: { before, after, operations } })
    .then(({ animation }) => animate(animation, list).then(finish), (failure) => showError(failure.message));
}

// Plays tracks in the first view: nodes of their own, from their first to their last place.
function animate(animation, labels) {
  const view = views[0];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || !animation.tracks.length) return Promise.resolve();
  const played = play(view, animation, labels);
  animating = true;
  const running = played.map(({ node, from, to }) => node.animate([from, to], {
    duration: 450, easing: "ease-in-out", fill: "both",
  }).finished);
  return Promise.all(running).then(() => {
    for (const { node } of played) node.remove();
    animating = false;
    view.stage.classList.remove("playing");
    view.nodes.forEach((node) => { node.hidden = false; });
  });
}

// Creates the nodes of tracks that touch the viewport at either end.
function play(view, animation, labels) {
  const [ox, oy] = view.offset, [w, h] = state.bounds;
  const touches = ({ frame: [x, y, width, height] }) =>
    x < ox + w * 1.5 && x + width > ox - w / 2 && y < oy + h * 1.5 && y + height > oy - h / 2;
  view.nodes.forEach((node) => { node.hidden = true; });
  const played = [];
  const kept = layout.kinds;
  layout.kinds = [];
  for (const track of animation.tracks) {
    if (!touches(track.from) && !touches(track.to)) continue;
    const identity = track.after || track.before;
    const pair = [identity.category, identity.kind || identity.category];
    layout.kinds[0] = pair;
    const node = document.createElement("div");
    const size = track.to.frame;
    const label = pair[0] === "cell" && labels && track.after
      && labels[identity.section] && labels[identity.section][identity.item];
    dress(node, [0, identity.section, identity.item], label || undefined, size[2], size[3]);
    const keyframe = (end) => ({
      left: end.frame[0] + "px", top: end.frame[1] + "px", width: end.frame[2] + "px",
      height: end.frame[3] + "px", opacity: end.alpha === undefined ? 1 : end.alpha,
      transform: end.transform3D ? `matrix3d(${end.transform3D.join(",")})` : "none",
    });
    node.style.zIndex = ((track.to.zIndex || 0) * 3) + layers[pair[0]];
    view.stage.append(node);
    played.push({ node, from: keyframe(track.from), to: keyframe(track.to) });
  }
  layout.kinds = kept;
  return played;
}

// The transition to the second engine's layout, at the progress of the slider.
let scrubbed = null;
function scrub(progress) {
  if (progress === 0) {
    if (scrubbed) for (const { node } of scrubbed.played) node.remove();
    scrubbed = null;
    animating = false;
    views[0].nodes.forEach((node) => { node.hidden = false; });
    return views[0].ask();
  }
  const show = () => {
    for (const one of scrubbed.animations) one.currentTime = progress;
  };
  if (scrubbed) return show();
  if (total() > 5000) return showError("A transition of more than 5000 items is not shown.");
  const given = { ...scenario(state, state.counts, null), offset: views[0].offset };
  send({
    do: "transition", from: { engine: state.engine, scenario: given },
    to: {
      engine: state.other,
      scenario: { ...given, ...(state.second && scenario({ ...state, ...state.second }, state.counts, null)) },
    },
  }).then(({ animation }) => {
    if (scrubbed) return;
    animating = true;
    const played = play(views[0], animation, names);
    const animations = played.map(({ node, from, to }) => {
      const one = node.animate([from, to], { duration: 1000, fill: "both" });
      one.pause();
      return one;
    });
    scrubbed = { played, animations };
    scrub(Number(byId("scrub").value));
  }, (failure) => showError(failure.message));
}

// MARK: Compare

function compare() {
  const [a, b] = views;
  if (!a.message || !b.message) return;
  const frameOf = (view, key) => {
    const place = view.rowOf.get(key);
    return place === undefined ? null : [...view.message.column.frame.subarray(4 * place, 4 * place + 4)];
  };
  const found = [];
  for (const [view, twin] of [[a, b], [b, a]]) {
    for (const [key, node] of view.nodes) {
      const own = frameOf(view, key), other = frameOf(twin, key);
      node.classList.toggle("missing", !other);
      const differs = !!other && own.some((n, i) => Math.abs(n - other[i]) > 1e-6);
      node.classList.toggle("differs", differs);
      if (view === a && (differs || !other)) {
        const [, kind, section, item] = key.split("/");
        found.push(`${kind} ${item} of section ${section}: ${own.map(short).join(", ")}`
          + (other ? ` and ${other.map(short).join(", ")}` : ", missing in the second"));
      }
    }
  }
  byId("differences").textContent = found.length
    ? `${found.length} near the viewport differ: ${found.slice(0, 5).join("; ")}${found.length > 5 ? "; …" : ""}`
    : "Nothing near the viewport differs.";
}

// MARK: Export and import

const quoted = (text) => /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function commandLine() {
  const words = ["tessera", "layout", state.engine];
  const option = (name, value) => words.push(name, value);
  option("--bounds", state.bounds.join("x"));
  if (state.counts.length === 1) option("--items", String(state.counts[0]));
  else option("--sections", state.counts.join(","));
  for (const [name, value] of Object.entries(state.parameters)) option("--set", `${name}=${textOf(value)}`);
  for (const [name, value] of Object.entries(state.values)) option("--item", `${name}=${textOf(value)}`);
  for (const [name, value] of Object.entries(state.sectionValues)) option("--section", `${name}=${textOf(value)}`);
  for (const [name, value] of Object.entries(state.delegate)) option("--delegate", `${name}=${textOf(value)}`);
  const names = { scale: "--scale", direction: "--direction", contentInsets: "--content-insets",
    safeAreaInsets: "--safe-area", layoutMargins: "--layout-margins" };
  for (const [key, name] of Object.entries(names)) {
    if (state[key] !== undefined) option(name, textOf(state[key]));
  }
  if (state.offset.some((n) => n)) option("--offset", state.offset.join(","));
  return words.map(quoted).join(" ");
}

function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function exportAs(format) {
  const copy = (text) => navigator.clipboard.writeText(text)
    .then(() => badge("copied", "good"), () => showError(text));
  const name = facts.id.split(".").pop();
  if (format === "command") copy(commandLine());
  else if (format === "link") copy(location.href);
  else if (format === "json") {
    save(`${name}.json`, JSON.stringify(scenario(), null, 2) + "\n", "application/json");
  } else {
    send({ do: "draw", side: 0, engine: state.engine, scenario: { ...scenario(), offset: state.offset },
      usesTable: !!state.usesTable, format })
      .then(({ text }) => save(`${name}.${format}`, text, format === "svg" ? "image/svg+xml" : "text/html"),
        (failure) => showError(failure.message));
  }
  byId("export").open = false;
}

// MARK: Wiring

views = [new View(0, byId("scroller"), stage), new View(1, byId("scroller2"), byId("stage2"))];
for (const [text, bounds] of presets) {
  child(byId("presets"), "option", text).value = bounds.join("x");
}
byId("presets").addEventListener("change", (event) => resize(...numbersOf(event.target.value)));
byId("engine").addEventListener("change", (event) => useEngine(event.target.value));
byId("other").addEventListener("change", (event) => {
  state.second = null;
  chooseOther(event.target.value);
});
byId("other-file").addEventListener("change", (event) => {
  const path = event.target.value.trim();
  if (path) chooseOther(path.includes("/") ? path : "./" + path);
});
byId("overlay").addEventListener("change", (event) =>
  byId("devices").classList.toggle("overlaid", event.target.checked));
byId("scrub").addEventListener("input", (event) => scrub(Number(event.target.value)));
byId("undo").addEventListener("click", () => travel(done, undone));
byId("redo").addEventListener("click", () => travel(undone, done));
byId("reset").addEventListener("click", () => {
  names = null;
  change((s) => Object.assign(s, { parameters: {}, values: {}, sectionValues: {}, delegate: {} }));
});
byId("check").addEventListener("click", () => {
  const badge = byId("verdict");
  badge.hidden = false;
  badge.className = "badge busy";
  badge.textContent = "checking";
  send({ do: "check", engine: state.engine }).then(({ passed, text }) => {
    badge.className = "badge " + (passed ? "good" : "bad");
    badge.textContent = passed ? "passes quick" : "fails quick";
    byId("report").textContent = text;
    byId("report").hidden = false;
  }, (failure) => showError(failure.message));
});
for (const button of document.querySelectorAll("[data-change]")) {
  button.addEventListener("click", () => changeItems(button.dataset.change));
}
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", () => exportAs(button.dataset.export));
}
byId("import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    const given = JSON.parse(await file.text());
    const wanted = fromScenario(given, state.engine);
    change((s) => Object.assign(s, wanted));
  } catch {
    showError(`${file.name} is not a scenario file.`);
  }
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  if (event.target.matches("input[type=text]")) return;
  event.preventDefault();
  if (event.shiftKey) travel(undone, done); else travel(done, undone);
});

// A table of items can be dropped anywhere.
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) useTable(file.name, await file.text());
});

function useTable(name, text) {
  return send({ do: "items", name, text }).then(({ counts }) => {
    names = null;
    hasTable = true;
    change((s) => { s.counts = counts; s.usesTable = true; });
    views[0].ask();
  }, (failure) => showError(failure.message));
}

byId("controls").addEventListener("submit", (event) => event.preventDefault());
connect();
