// Actions on a layout: item changes, comparing, export.

// MARK: Changes of the items, animated with the host's tracks

function selectedItem() {
  const [category, , section, item] = (selected || "").split("/");
  return category === "cell" ? [Number(section), Number(item)] : [0, 0];
}

function changeItems(kind) {
  if (state.usesTable) return showError("The items come from a table; set their count to change them.");
  const [section, item] = selectedItem();
  if (state.sections) return showError("The items have values of a file; set their count to change them.");
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
  // The new layout has no offset, so the top stays in place.
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
    view.nodes.forEach((node) => { node.hidden = false; });
  });
}

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
    const e = [0, identity.section, identity.item], picture = pictureOf(e);
    dress(node, e, label || undefined, size[2], size[3]);
    if (picture) showImage(node, picture.address, picture.label, false);
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

// The transition to the second layout at the slider's progress.
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
  for (const { key, option: name } of settings) {
    if (key === "bounds" || key === "offset" || state[key] === undefined) continue;
    option(`--${name}`, textOf(state[key]));
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

// A picture in SVG as PNG, with as many pixels for each point as the layout has.
async function rendered(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  const scale = state.scale ?? 2;
  canvas.width = Math.ceil(image.naturalWidth * scale);
  canvas.height = Math.ceil(image.naturalHeight * scale);
  const context = canvas.getContext("2d");
  if (context) context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (blob) return blob;
  throw new Error(`A picture of ${canvas.width} × ${canvas.height} pixels is too large for this browser; export SVG.`);
}

function exportAs(format) {
  const copy = (text) => navigator.clipboard.writeText(text)
    .then(() => badge("copied", "good"), () => showError(text));
  const name = facts.id.split(".").pop();
  if (format === "command" && (state.sections || state.usesTable)) {
    showError("The items have values of a file, which a command line does not hold; export a scenario file.");
  } else if (format === "command" && Object.keys(state.lists).length) {
    showError("The records of a list come from a file, which a command line does not hold; export a scenario file.");
  } else if (format === "command") copy(commandLine());
  else if (format === "link") copy(location.href);
  else if (format === "json") {
    save(`${name}.json`, JSON.stringify(scenario(), null, 2) + "\n", "application/json");
  } else {
    send({ do: "draw", side: 0, engine: state.engine, scenario: { ...scenario(), offset: state.offset },
      usesTable: !!state.usesTable, format: format === "png" ? "svg" : format })
      .then(async ({ text }) => format === "png" ? save(`${name}.png`, await rendered(text), "image/png")
        : save(`${name}.${format}`, text, format === "svg" ? "image/svg+xml" : "text/html"))
      .catch((failure) => showError(failure.message));
  }
  byId("export").open = false;
}

// MARK: Sections that are swiped

// A section whose value `orthogonal` has a name other than none scrolls across the others by
// `orthogonalOffset`. While the pointer holds it, it moves by exactly that, as one that is continuous.
let held = null, press = null, wheelTimer;

function sectionValue(section, name) {
  const value = facts && facts.sectionValues.find((one) => one.name === name);
  if (!value) return undefined;
  const own = state.sections && state.sections[section] && state.sections[section].values[name];
  const parameter = facts.parameters.find((one) => one.name === value.fallback);
  return [state.sectionValues[name], own, state.parameters[value.fallback], parameter && parameter.initial]
    .find((found) => found !== undefined && found !== "");
}

const isSwiped = (section) => sectionValue(section, "orthogonalOffset") !== undefined
  && ![undefined, "none"].includes(sectionValue(section, "orthogonal"));
// The axis across the scroll direction: 0 for x.
const swipeAxis = () => views[0].content[0] > state.bounds[0] && views[0].content[1] <= state.bounds[1] ? 1 : 0;
const touchOf = (section) => !isSwiped(section) ? "" : swipeAxis() ? "pan-x" : "pan-y";
const heldValues = (section, from) => held && from === state && held.section === section
  ? { orthogonal: "continuous", orthogonalOffset: held.offset } : {};

function hold(section, offset) {
  held = { section, offset };
  views[0].ask();
}

// Lets a section go: the engine says where it comes to rest. Until then it stays where it was let go.
function letGo(velocity) {
  const released = held, { section } = released;
  // What moves on freely is proposed for its end, and a page or a group for where it was let go.
  const isFree = sectionValue(section, "orthogonal").startsWith("continuous");
  const offset = released.offset + (isFree ? velocity * 0.3 : 0);
  send({
    // A copy of the state, for which no section is held.
    do: "rest", side: 0, engine: state.engine, scenario: { ...scenario({ ...state }), offset: state.offset },
    usesTable: !!state.usesTable, section, proposed: [offset, 0], velocity: [velocity, 0],
  }).then((answer) => {
    if (held === released) held = null;
    else if (held && held.section === section) return;
    change((s) => {
      const shared = s.sectionValues.orthogonalOffset;
      delete s.sectionValues.orthogonalOffset;
      s.sections = s.counts.map((_, i) => {
        const own = s.sections && s.sections[i] || { values: {}, itemValues: {} };
        const values = shared ? { orthogonalOffset: shared, ...own.values } : { ...own.values };
        return { ...own, values };
      });
      s.sections[section].values.orthogonalOffset = Math.round(answer.offset * 2) / 2;
    });
  }, (failure) => {
    if (held === released) held = null;
    showError(failure.message);
  }).finally(() => views[0].ask());
}

const swipeOffset = (section) => held && held.section === section
  ? held.offset : Number(sectionValue(section, "orthogonalOffset")) || 0;
// How far a movement of the pointer scrolls: the content follows the pointer.
const swipeSign = () => state.direction === "rightToLeft" && !swipeAxis() ? 1 : -1;
function swipedCell(target) {
  const [category, , section] = (keyOf(target) || "").split("/");
  return category === "cell" && !animating && isSwiped(Number(section)) ? Number(section) : -1;
}

stage.addEventListener("pointerdown", (event) => {
  const section = swipedCell(event.target);
  if (section < 0 || event.button) return;
  const at = swipeAxis() ? event.clientY : event.clientX;
  press = { section, id: event.pointerId, at, last: at, time: event.timeStamp, speed: 0, start: swipeOffset(section) };
});
stage.addEventListener("pointermove", (event) => {
  if (!press || event.pointerId !== press.id) return;
  const at = swipeAxis() ? event.clientY : event.clientX;
  const scale = byId("scroller").getBoundingClientRect().width / state.bounds[0] || 1;
  if (!press.isMoving && Math.abs(at - press.at) < 6) return;
  if (!press.isMoving) stage.setPointerCapture(press.id);
  press.isMoving = true;
  const passed = event.timeStamp - press.time;
  if (passed > 0) press.speed = swipeSign() * (at - press.last) / scale / passed * 1000;
  Object.assign(press, { last: at, time: event.timeStamp });
  hold(press.section, press.start + swipeSign() * (at - press.at) / scale);
});
for (const type of ["pointerup", "pointercancel"]) {
  stage.addEventListener(type, (event) => {
    if (!press || event.pointerId !== press.id) return;
    // A pointer that rested before it went up has no speed.
    const speed = event.timeStamp - press.time > 80 ? 0 : press.speed;
    const { isMoving } = press;
    press = null;
    if (isMoving) letGo(speed);
  });
}
stage.addEventListener("wheel", (event) => {
  const section = swipedCell(event.target);
  const across = swipeAxis() ? event.deltaY : event.deltaX || (event.shiftKey ? event.deltaY : 0);
  const along = swipeAxis() || event.shiftKey ? 0 : event.deltaY;
  if (section < 0 || press || Math.abs(across) <= Math.abs(along)) return;
  event.preventDefault();
  hold(section, swipeOffset(section) - swipeSign() * across);
  clearTimeout(wheelTimer);
  wheelTimer = setTimeout(() => { if (held && !press) letGo(0); }, 160);
}, { passive: false });
