"""Compares galleries in a browser with the command.

    browser.py COMMAND PICTURES

COMMAND is the built tessera-figure, beside tessera; PICTURES is a folder of pictures. Exits with
status 1 at the first difference.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

COMMAND, PICTURES = sys.argv[1:]
CORE = str(Path(COMMAND).with_name("tessera"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 200_000  # milliseconds, also on a loaded machine
WIDTHS = {375: 667, 768: 1024, 1280: 800}


def run(*arguments, command=COMMAND):
    result = subprocess.run([command, *arguments], capture_output=True, text=True)
    assert result.returncode == 0, f"{arguments}: {result.stderr}"
    return result.stdout


def engines():
    listing = json.loads(run("list", "--format", "json", command=CORE))
    return [engine["id"] for engine in listing["engines"]]


def engine_that_crops_nothing():
    """An engine with cells of the pictures' shapes."""
    for engine in engines():
        facts = json.loads(run("info", engine, "--format", "json", command=CORE))
        if not any(value["name"] == "aspectRatio" for value in facts["itemValues"]):
            continue
        lines = run(engine, "--images", PICTURES, "--format", "ndjson").splitlines()[1:]
        ratios = {frame[2] / frame[3] for frame in (json.loads(line)["frame"] for line in lines)}
        if len(ratios) > 1 and not facts["attributes"]:
            return engine
    raise AssertionError("every engine crops pictures")


# By visible image: its rectangle, its cell's rectangle, and whether it is loaded.
MEASURE = """() => [...document.querySelectorAll(".cell")].map((cell) => {
  const image = cell.querySelector("img"), frame = cell.getBoundingClientRect();
  if (!image || !frame.width) return null;
  const box = image.getBoundingClientRect();
  return { id: cell.id, frame: [frame.x + scrollX, frame.y + scrollY, frame.width, frame.height],
    box: [box.x, box.y, box.width, box.height], natural: [image.naturalWidth, image.naturalHeight],
    fit: getComputedStyle(image).objectFit, loaded: image.complete && image.naturalWidth > 0,
    seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    alt: image.alt, lazy: image.loading, decoding: image.decoding };
}).filter((measure) => measure)"""
LOADED = """() => [...document.querySelectorAll(".cell img")].every((image) => {
  const box = image.getBoundingClientRect();
  const seen = box.width && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return !seen || image.complete && image.naturalWidth > 0;
})"""


def drawn(measure):
    """Size of the whole drawn picture; its box may clip it."""
    (width, height), (w, h) = measure["natural"], measure["box"][2:]
    if measure["fit"] == "fill":
        return w, h
    choose = max if measure["fit"] == "cover" else min
    scale = choose(w / width, h / height)
    return width * scale, height * scale


def open_page(browser, path, width, errors, **settings):
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS.get(width, 800)}, **settings
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri(), timeout=PATIENCE)
    page.wait_for_function(LOADED, timeout=PATIENCE)
    return page


def check_places(page, width, engine):
    """Every picture is in place, distorted by at most a pixel."""
    table = json.loads(
        run(
            engine, "--images", PICTURES, "--bounds", f"{width}x{WIDTHS[width]}", "--format", "json"
        )
    )
    cells = {
        f"c{e['section']}-{e['item']}": e for e in table["elements"] if e["category"] == "cell"
    }
    top = page.evaluate("document.querySelector('.stage').getBoundingClientRect().top + scrollY")
    measures = page.evaluate(MEASURE)
    assert len(measures) == len(cells), f"{len(measures)} pictures, not {len(cells)}"
    for measure in measures:
        x, y, w, h = cells[measure["id"]]["frame"]
        for found, expected in zip(measure["frame"], [x, y + top, w, h]):
            assert (
                abs(found - expected) < 1
            ), f"{measure['id']} is at {measure['frame']}, not {x, y + top, w, h}"
        assert measure["alt"] == cells[measure["id"]]["label"]
        assert (measure["lazy"], measure["decoding"]) == ("lazy", "async")
        if not measure["seen"]:
            continue
        assert measure["loaded"], f"{measure['id']} is not loaded"
        # The cell has the picture's shape, so nothing is clipped.
        across, down = drawn(measure)
        assert (
            abs(across - w) <= 1 and abs(down - h) <= 1
        ), f"{measure['id']}: {across} x {down} in {w} x {h}"


def check_keyboard(page):
    """Tab, Enter, arrows and Escape; the page below the large view doesn't move."""
    page.evaluate("scrollTo(0, 40)")
    before = page.evaluate("scrollY")
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.closest('.cell').id")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.cell:target') !== null")
    large = page.evaluate("""() => {
      const box = document.querySelector(".cell:target").getBoundingClientRect();
      const image = document.querySelector(".cell:target img");
      return { box: [box.x, box.y, box.width, box.height], page: [innerWidth, innerHeight],
        fit: getComputedStyle(image).objectFit };
    }""")
    assert large["box"][:2] == [0, 0] and abs(large["box"][3] - large["page"][1]) < 1, large
    assert large["fit"] == "scale-down"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(id) => document.querySelector('.cell:target').id !== id", arg=first)
    second = page.evaluate("document.querySelector('.cell:target').id")
    page.keyboard.press("Escape")
    page.wait_for_function("document.querySelector('.cell:target') === null")
    focused = page.evaluate("document.activeElement.closest('.cell').id")
    assert focused == second, f"{focused} has the focus, not {second}"
    assert page.evaluate("scrollY") == before, "the page has scrolled"


def check_without_script(browser, path, errors):
    page = open_page(browser, path, 768, errors, java_script_enabled=False)
    first = page.locator(".cell a.open").first
    first.click()
    close = page.locator(".close")
    close.wait_for(state="visible")
    box = page.locator(".cell:target").bounding_box()
    assert box["x"] == 0 and box["y"] == 0 and box["width"] == 768, box
    close.click()
    close.wait_for(state="hidden")
    page.context.close()


def check_gallery(browser, folder, errors):
    engine = engine_that_crops_nothing()
    for name, more in {"linked": [], "embedded": ["--embed"]}.items():
        path = folder / f"{name}.html"
        run(engine, "--images", PICTURES, "-o", str(path), *more)
        for width in WIDTHS:
            for scheme in ["light", "dark"] if not more else ["dark"]:
                page = open_page(browser, path, width, errors, color_scheme=scheme)
                assert page.evaluate(
                    "document.documentElement.scrollWidth <= innerWidth"
                ), "the page is too wide"
                if scheme == "light" or more:
                    check_places(page, width, engine)
                ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert (ground == "rgb(255, 255, 255)") == (scheme == "light"), ground
                page.context.close()
        # Between two widths nothing is distorted, and the page is full.
        for width in [320, 600, 1700] if not more else []:
            page = open_page(browser, path, width, errors)
            for measure in page.evaluate(MEASURE):
                if measure["seen"]:
                    across, down = drawn(measure)
                    w, h = measure["box"][2:]
                    assert abs(across - w) <= 1 and abs(down - h) <= 1, measure
            full = page.evaluate("document.querySelector('.stage').getBoundingClientRect().width")
            assert abs(full - page.evaluate("document.documentElement.clientWidth")) < 1, full
            page.context.close()
        page = open_page(browser, path, 1280, errors)
        check_keyboard(page)
        page.context.close()
        check_without_script(browser, path, errors)


# Visible captions, and all cells.
CAPTIONS = """() => ({ cells: [...document.querySelectorAll(".cell")].map((cell) => {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const box = cell.querySelector(".caption").getBoundingClientRect();
  return { id: cell.id, left, right, top, bottom, text: cell.querySelector(".caption").textContent,
    caption: [box.left, box.right, box.top, box.bottom] };
}), end: document.querySelector("main").getBoundingClientRect().bottom })"""


def check_captions(browser, folder, errors):
    """Each caption is below or inside its own picture, at all widths."""
    for spacing, is_below in [(24, True), (4, False)]:
        path = folder / f"captions-{spacing}.html"
        run(
            "justified",
            "--images",
            PICTURES,
            "--caption",
            "file",
            "-o",
            str(path),
            "--set",
            "targetRowHeight=90",
            "--set",
            f"minimumLineSpacing={spacing}",
        )
        for width in [320, 375, 600, 768, 1280, 1700]:
            page = open_page(browser, path, width, errors)
            found = page.evaluate(CAPTIONS)
            for cell in found["cells"]:
                left, right, top, bottom = cell["caption"]
                assert cell["text"].count(".") == 1, cell
                assert (
                    cell["left"] - 1 < left < right < cell["right"] + 1 and bottom - top >= 17
                ), cell
                inside = cell["top"] < top and bottom < cell["bottom"] + 1
                assert (
                    (abs(top - cell["bottom"]) < 1 and bottom <= found["end"] + 1)
                    if is_below
                    else inside
                ), cell
                for other in found["cells"]:
                    across = min(right, other["right"]) - max(left, other["left"])
                    down = min(bottom, other["bottom"]) - max(top, other["top"])
                    assert other is cell or across <= 1 or down <= 2, (width, cell, other)
            page.context.close()


# This value makes a section scroll sideways; it starts at the stop nearest to the offset.
SWIPED = {
    "bounds": [375, 480],
    "lists": {
        "nodes": [
            {
                "kind": "horizontal",
                "width": 0.9,
                "heightIs": "absolute",
                "height": 150,
                "children": [{}],
            }
        ]
    },
    "parameters": {"interGroupSpacing": 10, "contentInsets": [0, 14, 14, 14]},
    "sections": [
        {
            "items": 4,
            "label": "First",
            "values": {"orthogonal": "groupPaging", "orthogonalOffset": 200},
        },
        {"items": 1, "label": "Second"},
    ],
}
BANDS = """() => [...document.querySelectorAll(".band")].map((band) => {
  const box = band.getBoundingClientRect(), start = band.scrollLeft;
  band.scrollLeft = 0;
  const before = band.scrollLeft;
  band.scrollLeft = 1e6;
  const shapes = [...band.querySelectorAll("rect.cell, .e.cell")].map((e) => e.getBoundingClientRect());
  return { name: band.getAttribute("aria-label"), focus: band.tabIndex, start, before, after: band.scrollLeft,
    width: box.width, snap: getComputedStyle(band).scrollSnapType,
    right: box.right - Math.max(...shapes.map((s) => s.right)), shapes: shapes.length,
    down: band.scrollHeight - band.clientHeight };
})"""


def check_bands(browser, folder, errors):
    """Sideways sections scroll from start to end; a script sets only the initial offset.

    By hand: a cell is 0.9 × (375 - 28) = 312.3 wide, so four end at 14 + 4 × 312.3 + 3 × 10 =
    1293.2;
    with the inset, 1307.2 - 375 = 932.2 points are out of sight. The second cell is 322.3 after the
    first.
    """
    (folder / "swiped.json").write_text(json.dumps(SWIPED))
    (folder / "apps.csv").write_text(
        "label,section\n" + "".join(f"app {k},{'First' if k < 4 else 'Second'}\n" for k in range(5))
    )
    names = sorted(name for name in os.listdir(PICTURES) if name.endswith(".jpg"))
    rows = "".join(
        f"{PICTURES}/{names[k % len(names)]},{'First' if k < 4 else 'Second'}\n" for k in range(5)
    )
    (folder / "images.csv").write_text("image,section\n" + rows)
    for table in ("apps", "images"):
        path = folder / f"bands-{table}.html"
        run(
            "compositional",
            "--scenario",
            str(folder / "swiped.json"),
            "--items-from",
            str(folder / f"{table}.csv"),
            "-o",
            str(path),
        )
        for width in (320, 375):
            page = open_page(browser, path, width, errors)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            (band,) = page.evaluate(BANDS)
            scale = band["width"] / 375
            assert (band["before"], band["focus"], band["shapes"]) == (0, 0, 4), band
            assert abs(band["start"] - 322.3 * scale) <= 1, band
            assert (
                abs(band["after"] - 932.2 * scale) <= 1 and abs(band["right"] - 14 * scale) <= 1
            ), band
            assert band["snap"] == "x mandatory" and band["down"] <= 0, band
            page.context.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto((folder / "bands-apps.html").as_uri())
    assert page.locator(".band rect.cell").count() == 4
    page.close()


def check_names(browser, folder, errors):
    """Pointer and keyboard show a tile's full name."""
    (folder / "names.csv").write_text(
        "path,bytes\nx/src/main.c,2048\nx/src/deep/tree.c,4096\nx/doc/page.md,1024\n"
    )
    path = folder / "names.html"
    run("treemap", "--items-from", str(folder / "names.csv"), "--caption", "bytes", "-o", str(path))
    page = open_page(browser, path, 800, errors)
    tip = page.locator("body > div")
    names = page.eval_on_selector_all(
        ".cell", "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
    )
    assert "src / deep / tree.c, 4 KiB" in names and "src / deep, 4 KiB" in names, names
    page.locator(f'.cell[aria-label="{"doc / page.md, 1 KiB"}"]').hover()
    assert tip.inner_text() == "doc / page.md, 1 KiB"
    page.keyboard.press("Tab")
    assert (
        tip.inner_text()
        == names[0]
        == page.evaluate("document.activeElement.getAttribute('aria-label')")
    )
    page.keyboard.press("End")
    assert tip.inner_text() == names[-1]
    page.keyboard.press("Escape")
    assert not tip.is_visible() and page.locator('.cell[tabindex="0"]').count() == 1
    page.context.close()


def main():
    errors = []
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE
        )
        folder = Path(temporary)
        for check in (check_gallery, check_captions, check_bands, check_names):
            check(browser, folder, errors)
        browser.close()
    assert not errors, f"the console says {errors}"


main()
