// Shows the full name of the hovered or focused cell; arrow keys move the focus. Without this
// script, browsers show tooltips, but not for the keyboard.

const figure = document.querySelector("svg");
const cells = [...figure.querySelectorAll(".cell")].filter((cell) => cell.querySelector("title"));
const tip = document.createElement("div");
tip.style = "position: fixed; max-width: min(480px, 90vw); padding: 4px 8px; border-radius: 4px; pointer-events: none;"
  + "background: CanvasText; color: Canvas; font: 13px/1.4 ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);

function show(cell, x, y) {
  tip.textContent = cell.getAttribute("aria-label");
  tip.hidden = false;
  const below = y + 20 + tip.offsetHeight <= innerHeight;
  tip.style.left = Math.max(4, Math.min(x + 8, innerWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(4, below ? y + 20 : y - 8 - tip.offsetHeight) + "px";
}

figure.setAttribute("role", "list");
cells.forEach((cell, index) => {
  const title = cell.querySelector("title");
  cell.setAttribute("role", "listitem");
  cell.setAttribute("aria-label", title.textContent);
  cell.setAttribute("tabindex", index ? -1 : 0);
  title.remove();
});

figure.addEventListener("pointermove", (event) => {
  if (cells.includes(event.target)) show(event.target, event.clientX, event.clientY);
  else tip.hidden = true;
});
figure.addEventListener("pointerleave", () => { tip.hidden = true; });
// Focus listeners on the figure would make it focusable.
document.addEventListener("focusin", (event) => {
  const box = event.target.getBoundingClientRect();
  if (cells.includes(event.target) && event.target.matches(":focus-visible")) show(event.target, box.left, box.top);
});
document.addEventListener("focusout", () => { tip.hidden = true; });
figure.addEventListener("keydown", (event) => {
  const index = cells.indexOf(event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || index < 0) return;
  const steps = {
    ArrowRight: index + 1, ArrowDown: index + 1, ArrowLeft: index - 1, ArrowUp: index - 1,
    Home: 0, End: cells.length - 1,
  };
  if (event.key === "Escape") tip.hidden = true;
  const next = cells[steps[event.key]];
  if (!next) return;
  event.preventDefault();
  cells[index].setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
});
