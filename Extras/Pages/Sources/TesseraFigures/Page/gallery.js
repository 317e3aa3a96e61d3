"use strict";

// Keyboard control. Without this script, a picture still links to its large view, which the style
// sheet shows while it is the address's target.

const pictures = [...document.querySelectorAll(".cell")].filter((cell) => cell.querySelector("a"));
const shown = () => pictures.findIndex((cell) => "#" + cell.id === location.hash);
const isSeen = (cell) => getComputedStyle(cell).display !== "none";
let last = -1;

// Replaces the address, so that Back leaves the large view at once.
const show = (index) => location.replace("#" + pictures[index].id);

function close() {
  // The last change's event may be pending.
  if (shown() >= 0) last = shown();
  location.replace("#closed");
  if (last >= 0) pictures[last].querySelector("a").focus({ preventScroll: true });
}

// The next picture visible at the current width, or -1.
function next(index, step) {
  for (let i = index + step; i >= 0 && i < pictures.length; i += step) {
    if (isSeen(pictures[i])) return i;
  }
  return -1;
}

addEventListener("hashchange", () => {
  const index = shown();
  if (index < 0) return;
  last = index;
  pictures[index].querySelector("a").focus({ preventScroll: true });
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const large = shown();
  const focused = pictures.findIndex((cell) => cell.contains(document.activeElement));
  if (event.key === "Escape" && large >= 0) {
    close();
  } else if (step && (large >= 0 || focused >= 0)) {
    const index = next(large >= 0 ? large : focused, step);
    if (index >= 0 && large >= 0) show(index);
    else if (index >= 0) pictures[index].querySelector("a").focus();
  } else {
    return;
  }
  event.preventDefault();
});

document.querySelector(".close").addEventListener("click", (event) => {
  event.preventDefault();
  close();
});
last = shown();
