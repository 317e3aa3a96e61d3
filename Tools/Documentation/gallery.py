"""The gallery in Plugins/README.md: the first sentence and the first picture of each engine's page."""

from markdown import PICTURE, Page
from repository import ROOT


def text():
    """A list of the engines, then a picture of each."""
    pages = sorted((Page(path) for path in ROOT.glob("Plugins/*/README.md")), key=Page.title)
    listed = "".join(f"- [{page.title()}]({place(page)}): {first_sentence(page)}\n" for page in pages)
    return listed + "\n" + "\n".join(section(page) for page in pages)


def place(page):
    return f"{page.path.parent.name}/README.md"


def first_sentence(page):
    return page.abstract().partition(". ")[0].rstrip(".")


def section(page):
    match = PICTURE.search(page.text)
    width = min(int(match[0].partition('width="')[2].partition('"')[0]), 420)
    picture = f'<img src="{page.path.parent.name}/{match[1]}" width="{width}" alt="{match[2]}">'
    return f"### {page.title()}\n\n{picture}\n"
