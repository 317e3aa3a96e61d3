// A row of the data starts with kind index, section and item.

const layout = JSON.parse(document.getElementById("layout").textContent);
const [left, top_, stageWidth, stageHeight] = layout.stage;
const scroller = byId("scroller"), stage = byId("stage");

stage.style.width = stageWidth + "px";
stage.style.height = stageHeight + "px";
stage.classList.toggle("rtl", layout.rightToLeft);
const paper = child(stage, "div");
paper.id = "paper";
paper.setAttribute("role", "presentation");

// Browsers can't position distant nodes.
function resizePaper(width, height) {
  const [x, y] = [Math.max(0, -left), Math.max(0, -top_)];
  Object.assign(paper.style, {
    left: x + "px", top: y + "px",
    width: Math.max(0, Math.min(width - left, stageWidth) - x) + "px",
    height: Math.max(0, Math.min(height - top_, stageHeight) - y) + "px",
  });
}
