const between = (a, b, p) => p >= 1 ? b : p <= 0 ? a : a + (b - a) * p;

const tracks = layout.elements.map((e, rank) => {
  const [, , , from, to, more = {}] = e;
  const node = document.createElement("div");
  dress(node, e, more.l, Math.min(from[2], to[2]), Math.min(from[3], to[3]));
  node.title = `${more.i || nameOf(e)}\n${from.join(", ")} → ${to.join(", ")}`;
  Object.assign(node.style, {
    left: from[0] - left + "px", top: from[1] - top_ + "px", width: from[2] + "px",
    height: from[3] + "px", zIndex: rank + 1,
  });
  stage.append(node);
  const resizes = from[2] !== to[2] || from[3] !== to[3];
  return { node, from, to, resizes, alphas: more.a, seen: more.v, transforms: more.t,
    contents: more.c, maskings: more.m && more.m.map((m) => [m]) };
});

// Interpolates between the two nearest of evenly spaced lists.
function at(lists, p) {
  const place = p * (lists.length - 1), k = Math.floor(place);
  const one = lists[k], other = lists[k + 1] || one;
  return one.map((n, i) => between(n, other[i], place - k));
}

function show(p) {
  for (const track of tracks) {
    const { node, from, to, resizes, alphas, seen, transforms, contents, maskings } = track;
    const style = node.style;
    if (seen) {
      const isSeen = seen[p <= 0 ? 0 : p < 1 ? 1 : 2];
      style.visibility = isSeen ? "" : "hidden";
      if (!isSeen) continue;
    }
    const dx = between(from[0], to[0], p) - from[0];
    const dy = between(from[1], to[1], p) - from[1];
    style.transform = `translate(${dx.toFixed(3)}px, ${dy.toFixed(3)}px)`
      + (transforms ? ` matrix3d(${at(transforms, p).join(",")})` : "");
    if (resizes) {
      style.width = between(from[2], to[2], p) + "px";
      style.height = between(from[3], to[3], p) + "px";
    }
    if (alphas) style.opacity = between(alphas[0], alphas[1], p);
    if (contents || maskings) {
      showInside(node, contents && at(contents, p),
        maskings ? at(maskings, p)[0] : undefined);
    }
  }
  resizePaper(...at(layout.contents, p));
  const [start, end] = layout.offsets;
  if (start[0] !== end[0] || start[1] !== end[1]) {
    scroller.scrollTo(between(start[0], end[0], p) - left, between(start[1], end[1], p) - top_);
  }
}

const play = byId("play"), scrubber = byId("scrubber"), speed = byId("speed");
const [restBefore, restAfter] = layout.rests;
let progress = 0, isPlaying = false, lastTime = 0, rest = 0;

function goTo(p) {
  progress = Math.min(1, Math.max(0, p));
  scrubber.value = progress;
  byId("progress").textContent = progress.toFixed(3);
  show(progress);
}

// Plays in a loop until the user pauses or scrubs.
function setPlaying(is) {
  isPlaying = is;
  play.textContent = is ? "Pause" : "Play";
  if (!is) return;
  if (progress >= 1) goTo(0);
  rest = progress === 0 ? restBefore : 0;
  lastTime = performance.now();
  requestAnimationFrame(step);
}

function step(now) {
  if (!isPlaying) return;
  const passed = Math.max(0, now - lastTime) / 1000;
  lastTime = now;
  if (rest > 0) {
    rest -= passed;
    if (rest <= 0 && progress >= 1) { goTo(0); rest = restBefore; }
  } else {
    goTo(progress + passed * Number(speed.value) / layout.duration);
    if (progress >= 1) rest = restAfter;
  }
  requestAnimationFrame(step);
}

play.addEventListener("click", () => setPlaying(!isPlaying));
scrubber.addEventListener("input", () => { setPlaying(false); goTo(Number(scrubber.value)); });
byId("controls").addEventListener("submit", (event) => event.preventDefault());

// Shows the progress in a URL such as page.html#t=0.4; returns whether there is one.
function showRequested() {
  const found = /[#&]t=([0-9.]+)/.exec(location.hash);
  const p = found ? Number(found[1]) : NaN;
  if (Number.isNaN(p)) return false;
  setPlaying(false);
  goTo(p);
  return true;
}
addEventListener("hashchange", showRequested);
scroller.scrollTo(layout.offsets[0][0] - left, layout.offsets[0][1] - top_);
goTo(0);
if (!showRequested() && !matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(true);
