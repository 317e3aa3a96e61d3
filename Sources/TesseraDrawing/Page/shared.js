// Both pages: the data and the stage. A row of the data starts with the index of its kind, the
// section and the item.

const layout = JSON.parse(document.getElementById("layout").textContent);
const [left, top_, stageWidth, stageHeight] = layout.stage;
const scroller = byId("scroller"), stage = byId("stage");

stage.style.width = stageWidth + "px";
stage.style.height = stageHeight + "px";
stage.classList.toggle("rtl", layout.rightToLeft);
const paper = child(stage, "div");
paper.id = "paper";
paper.setAttribute("role", "presentation");
Object.assign(paper.style, { left: -left + "px", top: -top_ + "px" });

function resizePaper(width, height) {
  Object.assign(paper.style, { width: width + "px", height: height + "px" });
}
