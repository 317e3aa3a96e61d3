// The playground: settings become a scenario, the host lays it out, and elements in and near the
// viewport become nodes. The whole state is in the address after #.

const layout = { kinds: [], hues: 8, shades: 8, fit: "cover" };

// MARK: State

// `engine` is any name for the host; `values` and `sectionValues` apply to all items and sections,
// as expressions. `other` is the second engine; `second` has its settings if different; `sections`
// has a file's values that vary by section or item.
const freshState = (engine) => ({
  engine, bounds: [375, 667], offset: [0, 0], parameters: {}, lists: {}, counts: [20], values: {},
  sectionValues: {}, delegate: {}, other: "", second: null,
});
let state = freshState("");
let undone = [], done = [];
let facts = null, engines = [];
// Viewport settings: key, option and component names.
let settings = [];
// Items per section of the table; null without a table.
let tableCounts = null;
// Item labels by section; null until items are inserted, deleted or moved.
let names = null;
// The command's pictures by section, with item labels; null if none.
let pictures = null;
let selected = null;

const total = () => state.counts.reduce((sum, n) => sum + n, 0);

function scenario(from = state, counts = from.counts, only = facts) {
  const result = {};
  for (const key of [...settings.map((s) => s.key), "measure"]) {
    if (from[key] !== undefined && from[key] !== "") result[key] = from[key];
  }
  const known = (values, list) => Object.fromEntries(Object.entries(values)
    .filter(([name, value]) => value !== "" && (!list || list.some((v) => v.name === name))));
  result.parameters = known(from.parameters, only && only.parameters);
  result.lists = known(from.lists || {}, only && only.lists);
  result.delegate = known(from.delegate, only && only.delegateFunctions);
  // For table items, the host takes only section values.
  const itemValues = known(from.values, only && only.itemValues);
  const values = known(from.sectionValues, only && only.sectionValues);
  const given = (i, key, list) => known((from.sections && from.sections[i] || {})[key] || {}, list);
  result.sections = counts.map((items, i) => ({
    items,
    values: { ...given(i, "values", only && only.sectionValues), ...values, ...heldValues(i, from) },
    itemValues: { ...given(i, "itemValues", only && only.itemValues), ...itemValues },
  }));
  return result;
}

function change(edit, { merges = false } = {}) {
  const before = JSON.stringify(state);
  edit(state);
  if (JSON.stringify(state) === before) return;
  if (!merges || !done.length || done[done.length - 1].merges !== merges) {
    done.push({ text: before, merges, names: JSON.stringify(names) });
  }
  undone = [];
  showState();
}

function travel(from, to) {
  const entry = from.pop();
  if (!entry) return;
  to.push({ text: JSON.stringify(state), names: JSON.stringify(names) });
  const engine = state.engine;
  state = JSON.parse(entry.text);
  names = JSON.parse(entry.names || "null");
  if (state.engine !== engine) chooseEngine(state.engine); else showState();
}

function showState() {
  history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));
  byId("undo").disabled = !done.length;
  byId("redo").disabled = !undone.length;
  fillControls();
  fitDevice();
  showProgram();
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

// The event stream, and the server's id for this page.
let events = null, page = null;
const decoder = new TextDecoder();

async function send(message) {
  const asked = page;
  let response = null;
  if (asked) {
    response = await fetch("ask/" + asked, { method: "POST", body: JSON.stringify(message) })
      .catch(() => null);
  }
  if (response && response.status === 400) throw new Error(await response.text());
  if (!response || !response.ok) {
    if (asked && asked === page) reconnect();
    throw new Error("not connected");
  }
  const isText = response.headers.get("Content-Type") === "application/json";
  const answer = isText ? await response.json() : rows(await response.arrayBuffer());
  if (answer.failed) throw answer;
  return answer;
}

function connect() {
  events = new EventSource("events");
  events.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.do === "start") begin(message); else reloaded(message);
  };
  events.onerror = reconnect;
}

// Restarts after a lost stream or message, and requests everything again.
function reconnect() {
  events.close();
  page = null;
  badge("disconnected", "bad");
  setTimeout(connect, 1000);
}

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

// A scroller with a stage as large as the content, or as browsers allow.
const longest = 15000000;
class View {
  constructor(side, scroller, stage) {
    Object.assign(this, { side, scroller, stage, nodes: new Map(), content: [0, 0], frames: new Map() });
    this.isWaiting = false;
    this.isStale = false;
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    if (!side) scroller.addEventListener("scrollend", () => this.rest());
  }

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

  // Offset in content points; a stage that is too short scrolls proportionally.
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
    saveStateLater();
  }

  // Requests rows; while waiting, only marks them outdated.
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
    if (page) badge(failure.died ? "crashed" : "failed", "bad");
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
        const looks = `${w}/${h}/${labelOf(e) || ""}/${pictureOf(e) ? "picture" : ""}`;
        if (!node || node.dataset.looks !== looks) {
          const fresh = this.createNode(e, key, w, h, message.attributes.includes("contentRect"));
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
        if (!this.side) style.touchAction = touchOf(section);
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

  createNode(e, key, w, h, isPlaced) {
    const node = document.createElement("div"), picture = pictureOf(e);
    node.dataset.key = key;
    node.tabIndex = selected === key ? 0 : -1;
    node.setAttribute("role", "listitem");
    node.setAttribute("aria-label", picture ? `${nameOf(e)}, ${picture.label}` : nameOf(e));
    dress(node, e, labelOf(e), w, h);
    if (picture) showImage(node, picture.address, picture.label, isPlaced);
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

// Drawing order: z index, category, listing order; 3D depth is the browser's.
const layers = { decoration: 0, cell: 1, supplementary: 2 };
function order(message, e, place) {
  const z = message.column.zIndex ? message.column.zIndex[place] : 0;
  return Math.round(Math.max(-100000, Math.min(100000, z))) * 3 + layers[message.kinds[e[0]][0]];
}

function labelOf([kind, section, item]) {
  if (!names || layout.kinds[kind][0] !== "cell") return undefined;
  return names[section] && names[section][item];
}

// The command's picture of an item; undefined without one, or after item changes.
function pictureOf([kind, section, item]) {
  if (!pictures || !state.usesTable || layout.kinds[kind][0] !== "cell") return undefined;
  const label = pictures[section] && pictures[section][item];
  return typeof label === "string" ? { address: `image/${section}/${item}`, label } : undefined;
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
function saveStateLater() {
  clearTimeout(laterTimer);
  laterTimer = setTimeout(() => {
    history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));
  }, 300);
}

// MARK: Start, engines, reloading

function begin(message) {
  page = message.page;
  Object.assign(layout, { hues: message.hues, shades: message.shades });
  engines = message.listing.engines.filter((e) => !e.shadowedBy);
  ({ settings, tableCounts, pictures } = message);
  const first = message.engine || (engines[0] && engines[0].id) || "";
  const isFirst = !state.engine && !message.engine && !stateOfAddress();
  if (!state.engine) state = stateOfAddress() || fromScenario(message.scenario, first);
  fillEngines(first);
  if (isFirst && engines.length > 1) {
    byId("gallery").classList.add("first");
    byId("gallery").open = true;
  }
  if (!first) return badge("no engines", "bad");
  chooseEngine(state.engine);
  if (state.other) chooseOther(state.other);
}

// The state of a scenario file from the command.
function fromScenario(given, engine) {
  const result = freshState(engine);
  for (const key of [...settings.map((s) => s.key), "measure"]) {
    if (given[key] !== undefined && given[key] !== null) result[key] = given[key];
  }
  Object.assign(result.parameters, given.parameters);
  Object.assign(result.lists, given.lists);
  Object.assign(result.delegate, given.delegate);
  if (given.sections) {
    result.counts = given.sections.map((s) => s.items);
    // Controls show values shared by all sections; a list may have one value per item.
    const isShared = (key, name) => given.sections.every((s) => {
      const value = (s[key] || {})[name];
      return !Array.isArray(value)
        && JSON.stringify(value) === JSON.stringify(given.sections[0][key][name]);
    });
    const rest = given.sections.map(() => ({ values: {}, itemValues: {} }));
    for (const [key, target] of [["itemValues", "values"], ["values", "sectionValues"]]) {
      given.sections.forEach((section, i) => {
        for (const [name, value] of Object.entries(section[key] || {})) {
          if (name in (given.sections[0][key] || {}) && isShared(key, name)) result[target][name] = value;
          else rest[i][key][name] = value;
        }
      });
    }
    if (rest.some((s) => Object.keys({ ...s.values, ...s.itemValues }).length)) result.sections = rest;
  }
  if (tableCounts && !given.sections) Object.assign(result, { counts: tableCounts, usesTable: true });
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
      button.addEventListener("click", () => useEngine(value));
    }
  });
}

function useEngine(name) {
  done.push({ text: JSON.stringify(state), names: JSON.stringify(names) });
  undone = [];
  state.engine = name;
  byId("gallery").open = false;
  byId("gallery").classList.remove("first");
  chooseEngine(name);
}

function chooseEngine(name) {
  send({ do: "engine", engine: name }).then((message) => {
    snaps = message.snaps;
    writers = message.writers;
    adoptFacts(message.facts);
    byId("engine").value = name;
    showState();
    views[0].scroller.scrollTo(...state.offset);
  }, (failure) => { showError(failure.message); if (page) badge("failed", "bad"); });
}
let snaps = false, writers = "";

// Compares with an engine, the current settings ("=") or a library file.
function chooseOther(name) {
  byId("other-file").hidden = name !== "file";
  if (name === "file") return byId("other-file").focus();
  if (name === "=") {
    name = state.engine;
    const { parameters, lists, values, sectionValues, delegate } = JSON.parse(JSON.stringify(state));
    state.second = { parameters, lists, values, sectionValues, delegate };
  }
  state.other = name;
  byId("other").value = name;
  byId("second").hidden = !name;
  byId("overlay-label").hidden = !name;
  byId("scrub-label").hidden = !name;
  byId("differences").textContent = "";
  views[1].message = undefined;
  if (!name) { otherFacts = null; return showState(); }
  send({ do: "engine", engine: name }).then((message) => {
    otherFacts = message.facts;
    showState();
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
  if (!message.side) {
    writers = message.writers;
    adoptFacts(message.facts);
  } else {
    otherFacts = message.facts;
  }
  badge("reloaded", "busy");
  byId("verdict").hidden = true;
  showError(message.dropped.join("\n"));
  fillControls();
  views[message.side].ask();
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
  change((s) => Object.assign(s, { parameters: {}, lists: {}, values: {}, sectionValues: {}, delegate: {} }));
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
  if (file) openFile(file.name, await file.text());
  event.target.value = "";
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  if (event.target.matches("input[type=text]")) return;
  event.preventDefault();
  if (event.shiftKey) travel(undone, done); else travel(done, undone);
});

// Tables, scenarios and recordings can be dropped anywhere.
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) openFile(file.name, await file.text());
});

function openFile(name, text) {
  if (!/\.jsonl?$/i.test(name)) return useTable(name, text);
  return send({ do: "open", name, text }).then(({ engine, scenario }) => {
    const isHere = engine && engines.some((e) => e.id === engine);
    const { other, second } = state;
    const opened = { ...fromScenario(scenario, isHere ? engine : state.engine), other, second };
    const before = state.engine;
    names = null;
    change((s) => {
      for (const key of Object.keys(s)) delete s[key];
      Object.assign(s, opened);
    });
    if (state.engine !== before) chooseEngine(state.engine);
    views[0].scroller.scrollTo(...state.offset);
    if (engine && !isHere) showError(`The recorded engine ${engine} is not on the search path.`);
  }, (failure) => showError(failure.message));
}

function useTable(name, text) {
  return send({ do: "items", name, text }).then(({ counts }) => {
    names = pictures = null;
    tableCounts = counts;
    change((s) => { s.counts = counts; s.usesTable = true; });
    views[0].ask();
  }, (failure) => showError(failure.message));
}

byId("controls").addEventListener("submit", (event) => event.preventDefault());
// Waits for all scripts, as an answer may be faster.
document.addEventListener("DOMContentLoaded", connect);
