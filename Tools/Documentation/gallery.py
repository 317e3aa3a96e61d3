"""The gallery in Plugins/README.md: first sentence and picture of each engine's page."""

from markdown import PICTURE, Page
from repository import ROOT


def text():
    """A list of the engines, with a picture of each."""
    pages = sorted((Page(path) for path in ROOT.glob("Plugins/*/README.md")), key=Page.title)
    return "".join(
        f"- [{page.title()}]({page.path.parent.name}/README.md): {first_sentence(page)}\n  {picture(page)}\n"
        for page in pages
    )


def first_sentence(page):
    return page.abstract().partition(". ")[0].rstrip(".")


def picture(page):
    match = PICTURE.search(page.text)
    width = min(int(match[0].partition('width="')[2].partition('"')[0]), 420)
    return f'<br><img src="{page.path.parent.name}/{match[1]}" width="{width}" alt="{match[2]}">'
