"""Builds the site with MkDocs and Material: pages and reference.

Pages are ordinary Markdown; mkdocs.yml has the looks. Their order follows the lists in
Documentation/README.md and in the pages linked there.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from markdown import Page
from repository import PAGES, ROOT, extra_pages, markdown_files, relative

TOOL = ROOT / ".build/mkdocs"
NEEDED = "mkdocs-material>=9.5,<10"
SETTINGS = pathlib.Path(__file__).parent / "mkdocs.yml"
ITEM = re.compile(r"- \[([^\]]*)\]\(([^()#\s]+\.md)\)")


def build(output, reference):
    """Writes the site into a folder, replacing it. `reference` are its pages by path."""
    if (
        output.exists()
        and any(output.iterdir())
        and not (output / "search/search_index.json").is_file()
    ):
        sys.exit(f"Tools/docs: {output} exists and is not a site; pass another --output")
    tool = mkdocs()
    with tempfile.TemporaryDirectory(prefix="tessera-site-") as folder:
        folder = pathlib.Path(folder)
        pages = {path: Page(path) for path in [*markdown_files(), *extra_pages()]} | reference
        for path, page in pages.items():
            write(folder / "pages" / relative(path), page)
        settings = {
            "INHERIT": str(SETTINGS),
            "docs_dir": str(folder / "pages"),
            "site_dir": str(folder / "site"),
            "nav": contents(pages),
        }
        # JSON is valid YAML.
        (folder / "mkdocs.yml").write_text(json.dumps(settings))
        run(tool, "build", "--strict", "--config-file", folder / "mkdocs.yml")
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / "site", output)


def problems(site):
    """A message for each page that the site's search misses."""
    found = json.loads((site / "search/search_index.json").read_text())["docs"]
    places = {section["location"].partition("#")[0] for section in found}
    for name in (
        "Tutorial",
        "Commands/layout",
        "Cases/bounds",
        "Contract/the-engine",
        "Swift/Session",
    ):
        if f"Documentation/{name}.html" not in places:
            yield (
                f"the site has no page Documentation/{name}.html; see"
                " Tools/Documentation/site_builder.py"
            )


def mkdocs():
    """The path of MkDocs, installed if missing."""
    tool = TOOL / "bin/mkdocs"
    if not tool.is_file():
        run(sys.executable, "-m", "venv", TOOL)
        run(TOOL / "bin/pip", "install", "--quiet", NEEDED)
    return tool


def write(place, page):
    """Writes a page, and the files that it shows or links to."""
    place.parent.mkdir(parents=True, exist_ok=True)
    # The name after a code block's language is its title. Heights become styles, because of a theme
    # rule.
    text = re.sub(r"^( *```\w+) (\S.*)$", r'\1 title="\2"', page.text, flags=re.M)
    place.write_text(re.sub(r'(<img [^>]*)height="(\d+)"', r'\1style="height: \2px"', text))
    for _, _, _, target in page.links():
        path = (page.path.parent / target.partition("#")[0]).resolve()
        if path.is_relative_to(ROOT) and path.is_file() and path.suffix != ".md":
            copy = place.parent / target.partition("#")[0]
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


def contents(pages):
    """Page order: as linked in Documentation/README.md, then extras."""
    first = [ROOT / "README.md", PAGES / "README.md"]
    groups, seen = [{"Tessera": relative(first[0])}, {"Contents": relative(first[1])}], set(first)
    for title, path in listed(pages[PAGES / "README.md"]):
        if path is None:
            groups.append({title: []})
        else:
            groups[-1][[*groups[-1]][0]].append({title: branch(path, pages, seen)})
    extras = []
    for path in extra_pages():
        if path.name == "README.md":
            others = [
                other for other in extra_pages() if path.parent in other.parents and other != path
            ]
            extras.append({pages[path].title(): [relative(page) for page in [path, *others]]})
    return groups + ([{"Other products": extras}] if extras else [])


def branch(path, pages, seen):
    """A page, with the pages linked from its lists if it is the first of a folder."""
    seen.add(path)
    below = [
        {title: branch(child, pages, seen)}
        for title, child in (listed(pages[path]) if path.name == "README.md" else [])
        if child and child not in seen and path.parent in child.parents
    ]
    return [relative(path), *below] if below else relative(path)


def listed(page):
    """The headings of a page, without a path, and the entries of its lists."""
    for _, line in page.prose:
        item = ITEM.match(line)
        if item:
            yield item[1].replace("`", ""), (page.path.parent / item[2]).resolve()
        elif line.startswith("## "):
            yield line[3:].strip(), None


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        said = f"{result.stdout}{result.stderr}".strip()
        sys.exit(f"Tools/docs: {pathlib.Path(words[0]).name} fails, so there is no site:\n{said}")
