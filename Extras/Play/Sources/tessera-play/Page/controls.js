// Settings, viewport and inspector.

// MARK: Controls

function control(parent, { key, label, title, kind, choices, placeholder, limits, set }) {
  const row = child(parent, "div");
  row.className = "control";
  const name = child(row, "label");
  name.htmlFor = `c-${key}`;
  // Long names break before a capital letter.
  label.split(/(?=[A-Z])/).forEach((part, i) => name.append(i ? document.createElement("wbr") : "", part));
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
  if (limits) slider(row, input, limits);
  if (title) child(row, "p", title).className = "help";
  return input;
}

function slider(row, input, { minimum, maximum, isWhole }) {
  const range = child(row, "input");
  // About two hundred round steps, such as 0.5.
  const step = isWhole ? 1 : 10 ** Math.floor(Math.log10((maximum - minimum) / 100)) / 2;
  Object.assign(range, { type: "range", min: minimum, max: maximum, step, tabIndex: -1 });
  range.setAttribute("aria-label", `${input.id.split("-").pop()}, slider`);
  range.addEventListener("input", () => {
    input.value = String(+Number(range.value).toPrecision(12));
    input.dispatchEvent(new Event("input"));
  });
  fillers.push(() => { range.value = state.parameters[input.id.split("-").pop()] ?? input.dataset.initial; });
}

// A small picture of the layout for each choice.
function swatches(row, name, choices, set) {
  const box = child(row, "div");
  box.className = "swatches";
  const buttons = choices.map((choice) => {
    const button = child(box, "button");
    Object.assign(button, { type: "button", title: choice });
    const image = child(button, "img");
    image.alt = "";
    child(button, "span", choice);
    button.addEventListener("click", () => set(choice));
    return { choice, button, image };
  });
  let drawn = "";
  const draw = async () => {
    if (total() > 500 || state.usesTable) { box.hidden = true; return; }
    const from = { ...scenario(), offset: [0, 0] }, engine = state.engine;
    const asked = JSON.stringify([engine, { ...from, parameters: { ...from.parameters, [name]: "" } }]);
    if (asked === drawn) return;
    drawn = asked;
    box.hidden = false;
    for (const { choice, image } of buttons) {
      if (drawn !== asked || engine !== state.engine) return;
      const parameters = { ...from.parameters, [name]: choice };
      try {
        const { text } = await send({ do: "draw", side: 2, engine, scenario: { ...from, parameters }, format: "figure" });
        image.src = "data:image/svg+xml," + encodeURIComponent(text);
      } catch { image.removeAttribute("src"); }
    }
  };
  fillers.push(() => {
    const chosen = state.parameters[name] ?? row.querySelector("select").dataset.initial;
    for (const { choice, button } of buttons) button.setAttribute("aria-pressed", String(choice === chosen));
    clearTimeout(box.timer);
    box.timer = setTimeout(draw, 400);
  });
}

const textOf = (value) => Array.isArray(value) ? value.join(",") : String(value ?? "");
const numbersOf = (text) => text.split(/[,x×]/).map(Number);
let fillers = [];

function buildControls() {
  fillers = [];
  for (const id of ["items", "parameters", "lists", "values", "functions", "surroundings"]) {
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
      change((s) => { s.counts = found; delete s.usesTable; delete s.sections; }, { merges: "counts" });
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
      const set = (text) => change((s) => {
        if (text === "" || text === initial) delete s[target][one.name];
        else s[target][one.name] = text;
      }, { merges: `${target}.${one.name}` });
      const [minimum, maximum] = [one.minimum, one.maximum].map((n) => typeof n === "number" ? n : NaN);
      const isSlid = id === "parameters" && maximum - minimum > 0 && maximum - minimum <= 100000;
      const input = control(byId(id), {
        key: `${target}-${one.name}`, label: one.name, title: describe(one), choices, set,
        kind: isBool && id === "parameters" ? "bool" : "text", placeholder: initial ?? "",
        limits: isSlid ? { minimum, maximum, isWhole: one.type === "integer" } : undefined,
      });
      input.dataset.initial = initial ?? "";
      if (choices && id === "parameters" && choices.length < 7) {
        swatches(input.parentElement, one.name, choices, set);
      }
      filler(input, () => {
        const value = state[target][one.name];
        return value !== undefined ? textOf(value)
          : choices || input.type === "checkbox" ? initial ?? "" : "";
      });
    }
  };
  group("parameters", facts.parameters, "parameters", (p) => {
    const limit = (text, value) => value === null || value === undefined ? "" : `${text} ${value}`;
    const limits = [limit("at least", p.minimum), limit("at most", p.maximum), p.unit && `in ${p.unit}`];
    const told = limits.filter(Boolean).join(", ");
    return p.help + (told && ` ${told[0].toUpperCase()}${told.slice(1)}.`);
  });
  group("values", facts.itemValues.map((v) => ({ ...v, choices: [] })), "values",
    (v) => `For every item: ${v.help}`);
  group("values", facts.sectionValues.map((v) => ({ ...v, choices: [] })), "sectionValues",
    (v) => `For every section: ${v.help}`);
  group("functions", facts.delegateFunctions, "delegate", (f) => `${f.signature}: ${f.help}`);
  for (const list of facts.lists) {
    const label = child(byId("lists"), "label", list.name);
    label.htmlFor = `c-list-${list.name}`;
    label.title = [list.help, ...list.columns.map((c) => `${c.name}: ${c.help}`)].join("\n");
    const input = child(byId("lists"), "textarea");
    Object.assign(input, { id: label.htmlFor, title: label.title, rows: 6, spellcheck: false });
    input.placeholder = `[{ "${list.columns[0].name}": ${JSON.stringify(list.columns[0].initial)} }]`;
    input.addEventListener("input", () => {
      let records = [];
      try {
        records = input.value.trim() === "" ? [] : JSON.parse(input.value);
        input.setCustomValidity("");
      } catch (failure) { return input.setCustomValidity(failure.message); }
      change((s) => {
        if (records.length === 0) delete s.lists[list.name]; else s.lists[list.name] = records;
      }, { merges: `lists.${list.name}` });
    });
    fillers.push(() => {
      if (document.activeElement === input) return;
      const records = state.lists[list.name];
      input.value = records ? JSON.stringify(records, null, 1) : "";
    });
  }
  byId("lists-group").hidden = !facts.lists.length;
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
  for (const { key, numbers } of settings) {
    const title = numbers.join(", ").replace(/^./, (c) => c.toUpperCase());
    if (numbers.length === 4) vector(key, key, 4, title);
  }
}

function fillControls() {
  for (const fill of fillers) fill();
  byId("engine").value = state.engine;
}

// MARK: Viewport

const presets = [
  ["Phone 375 × 667", [375, 667]], ["Phone 390 × 844", [390, 844]], ["Phone, turned", [844, 390]],
  ["Tablet 768 × 1024", [768, 1024]], ["Window 1280 × 800", [1280, 800]], ["Desk 1920 × 1080", [1920, 1080]],
];

function fitDevice() {
  for (const id of ["device", "second"]) {
    const style = byId(id).style;
    style.width = state.bounds[0] + "px";
    style.height = state.bounds[1] + "px";
  }
  byId("caption").textContent = `${short(state.bounds[0])} × ${short(state.bounds[1])}`;
  const room = byId("devices").parentElement.clientWidth, scale = Math.min(1, room / state.bounds[0]);
  const zoom = byId("zoom");
  zoom.hidden = scale === 1;
  zoom.textContent = isTrueSize ? "Fit" : `${Math.round(100 * scale)} %: true size`;
  byId("devices").classList.toggle("true-size", isTrueSize);
  byId("devices").style.zoom = isTrueSize ? "" : scale;
}

// Don't shrink a viewport larger than its column.
let isTrueSize = false;
byId("zoom").addEventListener("click", () => { isTrueSize = !isTrueSize; fitDevice(); });
addEventListener("resize", () => fitDevice());

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
  fact("x, y", `${short(x)}, ${short(y)}`);
  fact("size", `${short(w)} × ${short(h)}`);
  const { alpha, zIndex, transform } = message.column;
  if (zIndex && zIndex[place]) fact("z index", zIndex[place]);
  if (alpha && alpha[place] !== 1) fact("alpha", alpha[place]);
  if (transform) {
    const t = transform.subarray(16 * place, 16 * place + 16);
    const rows = [0, 4, 8, 12].map((k) => [...t.subarray(k, k + 4)]);
    fact("transform", rows.map((r) => r.map((n) => +n.toPrecision(4)).join("  ")).join("\n"));
  }
  message.attributes.forEach((name, k) => fact(name, message.values[place][k]));
  fact("written by", writers);
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
