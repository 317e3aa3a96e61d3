"""The gallery in Plugins/README.md: first sentence and picture of each engine's page."""

from markdown import PICTURE, Page
from repository import ROOT, relative

PAGE = ROOT / "Plugins/README.md"
BEGIN = "<!-- Tools/docs writes what follows: gallery -->\n"
END = "<!-- up to here -->\n"


def stale():
    """A message if the page is out of date."""
    if PAGE.read_text() != text():
        yield f"{relative(PAGE)} is out of date; run Tools/docs"


def write():
    new = text()
    if PAGE.read_text() != new:
        PAGE.write_text(new)
        print(relative(PAGE))


def text():
    """The page with the gallery replaced."""
    before, found, rest = PAGE.read_text().partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise SystemExit(f"Tools/docs: {relative(PAGE)} lacks {BEGIN.strip()} or {END.strip()}")
    return f"{before}{BEGIN}\n{engines().strip()}\n\n{END}{after}"


def engines():
    """A list of the engines, with a picture of each."""
    pages = sorted((Page(path) for path in ROOT.glob("Plugins/*/README.md")), key=Page.title)
    return "".join(
        f"- [{page.title()}]({page.path.parent.name}/README.md): {first_sentence(page)}\n "
        f" {picture(page)}\n"
        for page in pages
    )


def first_sentence(page):
    return page.abstract().partition(". ")[0].rstrip(".")


def picture(page):
    match = PICTURE.search(page.text)
    width = min(int(match[0].partition('width="')[2].partition('"')[0]), 420)
    return f'<br><img src="{page.path.parent.name}/{match[1]}" width="{width}" alt="{match[2]}">'
