
// Scrolls bands to their initial offset, a fraction of their length.
for (const band of document.querySelectorAll(".band")) {
  const style = getComputedStyle(band);
  const start = style.getPropertyValue("--start") * band.scrollWidth;
  band.scrollLeft = style.direction === "rtl" ? -start : start;
}
