#!/usr/bin/env python3
"""Searches the site in a browser, offline: what is found, in which order, and how long a key takes.

search.py COMMAND [SCREENSHOT]: the texts of the reference are those that the command prints. browser.py
beside the pictures does the same.
"""

import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tools/Documentation"))

import reference  # noqa: E402
import site_builder  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from repository import Command  # noqa: E402

#: What one types, and the address that comes first, or must be among those found.
FIRST = {
    "codes of errors": "documentation/tessera/troubleshooting/#Codes-of-errors",
    "figures": "documentation/tessera/pictures/#Figures",
}
AMONG = {"engineNotFound": "documentation/tessera/troubleshooting/#Codes-of-errors"}


def check_search(browser, command, screenshot=None):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        catalogue = site_builder.Catalogue(folder / "Tessera.docc", reference.pages(Command(command)), [])
        (folder / "search.html").write_text(catalogue.search_page())
        page = browser.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "search.html").as_uri())
        for query, address in FIRST.items():
            page.fill("#words", query)
            found = page.eval_on_selector_all("#results a", "links => links.map(link => link.getAttribute('href'))")
            assert found and found[0] == address, f"{query}: found {found[:3]}; expected {address}"
        for query, address in AMONG.items():
            page.fill("#words", query)
            found = page.eval_on_selector_all("#results a", "links => links.map(link => link.getAttribute('href'))")
            assert address in found, f"{query}: found {found}; expected {address}"
            assert page.locator("mark").first.text_content().lower() == query.lower()
        page.fill("#words", "xyzzyx")
        assert page.text_content("#count") == "0 sections"
        # The middle of the times of each key of a query, with the list that it shows.
        times = page.evaluate(
            """(query) => [...query].map((_, count) => {
              document.getElementById("words").value = query.slice(0, count + 1)
              const start = performance.now()
              show()
              return performance.now() - start
            }).sort((one, other) => one - other)""",
            "the frames of elements in a layout",
        )
        print(f"a key takes {times[len(times) // 2]:.1f} ms, at most {times[-1]:.1f} ms")
        assert times[len(times) // 2] < 50, times
        assert len(asked) == 1, asked
        if screenshot:
            page.fill("#words", "captions")
            time.sleep(0.2)
            page.screenshot(path=screenshot)
        page.close()


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        check_search(browser, *sys.argv[1:])
        browser.close()


if __name__ == "__main__":
    main()
