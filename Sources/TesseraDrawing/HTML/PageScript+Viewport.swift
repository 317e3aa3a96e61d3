extension PageScript {
  /// Sets the stage, follows scrolling, and resizes the viewport.
  static let viewport: Markup = #"""
    const laidOut = [layout.viewport[2], layout.viewport[3]];

    function caption() {
      const size = `viewport ${short(device.offsetWidth)} × ${short(device.offsetHeight)}`;
      byId("caption").textContent = size;
      child(byId("caption"), "span", ` — laid out for ${laidOut[0]} × ${laidOut[1]}`);
    }

    // Puts scrollbars outside the viewport, so that it shows its whole size.
    function fitScrollbars() {
      const overflow = (is) => is ? "scroll" : "hidden";
      scroller.style.overflowX = overflow(stageWidth > device.clientWidth);
      scroller.style.overflowY = overflow(stageHeight > device.clientHeight);
      device.style.setProperty("--bar-x", scroller.offsetWidth - scroller.clientWidth + "px");
      device.style.setProperty("--bar-y", scroller.offsetHeight - scroller.clientHeight + "px");
    }

    let isPending = false;
    function renderSoon() {
      if (isPending) return;
      isPending = true;
      requestAnimationFrame(() => { isPending = false; render(); });
    }

    function resize(width, height) {
      device.style.width = Math.max(40, width) + "px";
      device.style.height = Math.max(40, height) + "px";
    }

    for (const handle of document.querySelectorAll(".handle")) {
      const axes = handle.dataset.drag;
      handle.addEventListener("pointerdown", (event) => {
        const start = [event.clientX, event.clientY, device.offsetWidth, device.offsetHeight];
        handle.setPointerCapture(event.pointerId);
        document.body.classList.add("dragging");
        const move = (to) => resize(
          start[2] + (axes.includes("x") ? to.clientX - start[0] : 0),
          start[3] + (axes.includes("y") ? to.clientY - start[1] : 0));
        handle.addEventListener("pointermove", move);
        handle.addEventListener("lostpointercapture", () => {
          handle.removeEventListener("pointermove", move);
          document.body.classList.remove("dragging");
        }, { once: true });
      });
      handle.addEventListener("dblclick", () => resize(...laidOut));
      handle.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 1 : 10;
        const by = { ArrowRight: [step, 0], ArrowLeft: [-step, 0], ArrowDown: [0, step],
          ArrowUp: [0, -step] }[event.key];
        if (!by) return;
        event.preventDefault();
        resize(device.offsetWidth + by[0], device.offsetHeight + by[1]);
      });
    }

    stage.style.width = stageWidth + "px";
    stage.style.height = stageHeight + "px";
    stage.classList.toggle("rtl", layout.rightToLeft);
    const paper = child(stage, "div", "");
    paper.id = "paper";
    paper.setAttribute("role", "presentation");
    Object.assign(paper.style, {
      left: -left + "px", top: -top_ + "px", width: layout.content[0] + "px",
      height: layout.content[1] + "px",
    });
    fitScrollbars();
    scroller.scrollTo(layout.viewport[0] - left, layout.viewport[1] - top_);
    scroller.addEventListener("scroll", renderSoon, { passive: true });
    new ResizeObserver(() => { fitScrollbars(); caption(); renderSoon(); }).observe(device);
    caption();
    render();

    """#
}
