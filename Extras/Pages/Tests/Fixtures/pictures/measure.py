#!/usr/bin/env python3
"""Measures the texts of drawings in a browser, in light and in dark: no text is outside of its shape or over another text, none is
below 7 points in print, each has a contrast of 4.5 : 1 to what is under it, and none is cut that its shape has room for.

measure.py SVG...: prints a line for each fault, and how many texts there are; the status is 1 if there is a fault.
browser.py measures the figures of the pages.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

MEASURE = """(isDark) => {
  const faults = [], boxes = []
  const number = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number)
  const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0)
  const shapes = [...document.querySelectorAll("rect, polygon")].filter((shape) => !shape.closest("defs"))
  const over = (ground, shape) => {
    const style = getComputedStyle(shape)
    if (style.fill == "none") return ground
    if (style.fill.startsWith("url")) return ground
    const colour = number(style.fill)
    const opacity = Number(style.fillOpacity) * (colour[3] ?? 1) * (shape.parentElement.tagName == "g" ? Number(getComputedStyle(shape.parentElement).opacity) : 1)
    return ground.map((part, place) => part * (1 - opacity) + colour[place] * opacity)
  }
  const follows = (first, second) => (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) != 0
  const covers = (shape, x, y) => {
    const place = shape.getBoundingClientRect()
    return place.left <= x && place.right >= x && place.top <= y && place.bottom >= y
  }
  const canvas = document.createElement("canvas").getContext("2d")
  for (const text of document.querySelectorAll("text")) {
    const box = text.getBoundingClientRect(), style = getComputedStyle(text)
    const matrix = text.getScreenCTM(), zoom = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c))
    const shown = text.textContent, size = parseFloat(style.fontSize) * zoom
    const say = (fault) => faults.push(`"${shown}" ${fault}`)
    const isTurned = Math.abs(matrix.b) > 1e-6 || Math.abs(matrix.c) > 1e-6
    if (size < 6.99) say(`has ${size.toFixed(2)} points`)
    // Ink is lower than the box of a font: from the height of capitals to the baseline.
    const baseline = matrix.f + matrix.d * (text.y.baseVal.length ? text.y.baseVal[0].value : 0)
    const ink = isTurned ? box : { left: box.left, right: box.right, top: baseline - 0.74 * size, bottom: baseline }
    const page = document.querySelector("svg").getBoundingClientRect()
    if (ink.left < page.left - 1 || ink.right > page.right + 1 || ink.top < page.top - 1 || ink.bottom > page.bottom + 1) say("is outside of the picture")
    for (const other of boxes) {
      const [left, right] = [Math.max(ink.left, other.ink.left), Math.min(ink.right, other.ink.right)]
      const [top, bottom] = [Math.max(ink.top, other.ink.top), Math.min(ink.bottom, other.ink.bottom)]
      if (right - left <= 1 || bottom - top <= 1) continue
      // Unless a shape between them covers the text below.
      if (!shapes.some((shape) => follows(other.text, shape) && follows(shape, text) && covers(shape, (left + right) / 2, (top + bottom) / 2)))
        say(`is over "${other.shown}"`)
    }
    boxes.push({ ink, shown, text })
    // What is under the text, from the back.
    const middle = [(ink.left + ink.right) / 2, (ink.top + ink.bottom) / 2]
    let ground = isDark ? [21, 24, 29] : [255, 255, 255]
    for (const shape of shapes) {
      if (follows(shape, text) && covers(shape, ...middle)) ground = over(ground, shape)
    }
    const [one, two] = [light(number(style.fill)), light(ground)].sort((a, b) => b - a)
    const contrast = (one + 0.05) / (two + 0.05)
    if (contrast < 4.45) say(`has a contrast of ${contrast.toFixed(2)}`)
    // The shape of a cell precedes its text.
    let shape = text.previousElementSibling
    while (shape && !(shape.tagName == "rect" && /\\b(cell|header|footer|supplementary|badge)\\b/.test(shape.getAttribute("class") || ""))) {
      shape = shape.tagName == "text" || shape.tagName == "rect" || shape.tagName == "path" ? shape.previousElementSibling : null
    }
    // The mark of a scale has no shape.
    if (!shape || isTurned || text.classList.contains("soft")) continue
    const room = shape.getBoundingClientRect()
    if (ink.left < room.left - 1 || ink.right > room.right + 1 || ink.top < room.top - 1 || ink.bottom > room.bottom + 1) say("is outside of its shape")
    // After the names of the cells that it is inside of.
    const name = shape.querySelector("title")?.textContent.split("\\n")[0].split(" / ").at(-1)
    if (name && shown.endsWith("…") && name.startsWith(shown.slice(0, -1))) {
      canvas.font = `${style.fontWeight} ${size}px ${style.fontFamily}`
      if (canvas.measureText(name).width < room.width - 12) say(`is cut, and "${name}" has room`)
    }
  }
  return { faults, count: boxes.length }
}"""


def faults(browser, paths):
    """A line for each fault, and how many texts there are."""
    found, count = [], 0
    for appearance in ("light", "dark"):
        page = browser.new_page(color_scheme=appearance)
        for path in paths:
            page.set_content(f"<!doctype html><body style='margin: 0'>{pathlib.Path(path).read_text()}")
            measured = page.evaluate(MEASURE, appearance == "dark")
            count += measured["count"]
            found += [f"{path}: {appearance}: {fault}" for fault in measured["faults"]]
        page.close()
    return found, count


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        found, count = faults(browser, sys.argv[1:])
        browser.close()
    print("\n".join([*found, f"{count} texts"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
