"""Checks that links, pictures and named paths lead to existing files."""

import re

from markdown import Page
from repository import ROOT, markdown_files, relative

FOLDERS = "Sources|Plugins|Tests|Tools|Documentation"
# A path below one of the folders, without placeholders.
NAMED = re.compile(rf"(?:{FOLDERS})(?:/[\w.+-]+)*/?")
# Created by readers.
MADE_BY_THE_READER = {"Plugins/Diagonal"}


def problems(paths=None, more=None):
    """A message for each link, picture or path of a page that leads nowhere.

    The pages are those at `paths`, or all. Links can also lead to the pages of `more`, which need
    not exist as files.
    """
    pages = {path.resolve(): Page(path) for path in markdown_files()} | (more or {})
    paths = [path.resolve() for path in paths or pages]
    pages |= {path: Page(path) for path in paths if path not in pages}
    for path in paths:
        page = pages[path]
        for number, is_picture, _, target in page.links():
            fault = fault_of(target, page, pages)
            if fault:
                yield f"{relative(path)}:{number}: {target}: {fault}"
        for number, text in page.code_spans():
            if not NAMED.fullmatch(text) or text in MADE_BY_THE_READER:
                continue
            # An extra's page also names paths in its own folder.
            if not (ROOT / text).exists() and not (path.parent / text).exists():
                yield (
                    f"{relative(path)}:{number}: {text}: this file does not exist; name an"
                    " existing one"
                )


def fault_of(target, page, pages):
    if re.match(r"[a-z]+:", target):
        return None if target.startswith("https://") else "expected https:// or a relative path"
    name, _, anchor = target.partition("#")
    path = (page.path.parent / name).resolve() if name else page.path.resolve()
    if path not in pages and not path.exists():
        return "this file does not exist; link to an existing one"
    if not anchor:
        return None
    if path not in pages:
        return "only a Markdown page has anchors; link to the file"
    anchors = [heading[3] for heading in pages[path].headings()]
    if anchor in anchors:
        return None
    return f"no heading has this anchor; the anchors are {', '.join(anchors)}"
