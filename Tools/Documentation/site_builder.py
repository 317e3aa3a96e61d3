"""Builds the site: the pages that Documentation/README.md links to and the reference, as a DocC catalogue.

The pages are ordinary Markdown, which forges display too. In the catalogue, links become references, lists of
pages become topics, and pictures become resources. Where a page names the help of a command, the list of cases or
the header, the site has a link to the page of the reference.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from markdown import LINK, PICTURE, Page
from repository import PAGES, ROOT, relative

ROOT_PAGE = PAGES / "README.md"
CONTRACT = PAGES / "Contract/README.md"
HEADER = ROOT / "Sources/CTessera/include/tessera/tessera.h"
HELP = re.compile(r"(?<!\[)`tessera (\w+) --(help|list)`")
FIRST_PAGE = "documentation/tessera/"
FORWARD = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={FIRST_PAGE}">
<title>Tessera</title>
<link rel="canonical" href="{FIRST_PAGE}">
<p><a href="{FIRST_PAGE}">Tessera</a></p>
</html>
"""
SEARCH_STYLE = "position: fixed; right: 1rem; bottom: 1rem; z-index: 100; padding: .4rem .8rem; background: #0b5cad; color: #fff"
ITEM = re.compile(r"- \[[^\]]*\]\(([^()#\s]+\.md)\)")
STRICT = "--warnings-as-errors"
LANDING = ["--synthesized-landing-page-name=Tessera", "--synthesized-landing-page-kind=Documentation"]
MODULES = ["TesseraSDK", "TesseraGeometry", "TesseraHost", "TesseraCatalog", "TesseraRuntime"]
C_MODULES = ["CTessera", "CTesseraNote"]
LOOKS = pathlib.Path(__file__).parent / "Site"


def build(output, pages, products=None):
    """Writes the site into a folder, replacing it. `pages` are those of the reference.

    If `products` is the folder of a build's products, the site includes the API of the Swift modules.
    """
    if output.exists() and not (output.is_dir() and is_ours(output)):
        sys.exit(f"Tools/docs: {output} exists and is not a site; pass another --output")
    with tempfile.TemporaryDirectory(prefix="tessera-site-") as folder:
        folder = pathlib.Path(folder)
        archives = [module_archive(name, products, folder) for name in MODULES if products]
        catalogue = Catalogue(folder / "Tessera.docc", pages, MODULES if archives else [])
        catalogue.write()
        archive = folder / "Tessera.doccarchive"
        known = [f"--dependency={module}" for module in archives]
        docc("convert", folder / "Tessera.docc", *options("Tessera", archive), *known, STRICT)
        if archives:
            docc("merge", archive, *archives, "--output-path", folder / "all.doccarchive", *LANDING)
            archive = folder / "all.doccarchive"
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(archive, output)
    # docc leaves a page there that says that it was not found.
    (output / "index.html").write_text(FORWARD)
    (output / "search.html").write_text(catalogue.search_page())
    for page in output.rglob("index.html"):
        if page.parent != output:
            link = f'<a href="{os.path.relpath(output / "search.html", page.parent)}" style="{SEARCH_STYLE}">Search all pages</a>'
            page.write_text(page.read_text().replace('<div id="app">', f'{link}<div id="app">', 1))


def problems(site):
    """A message for each page that must be in the site and is not."""
    forward = re.search(r"url=([^\"]+)", (site / "index.html").read_text())
    if "search.html" not in (site / FIRST_PAGE / "index.html").read_text():
        yield "the pages of the site have no link to search.html; see Tools/Documentation/site_builder.py"
    names = ("tour", "commands-layout", "cases-bounds", "contract-the-engine")
    for place in (forward[1] if forward else "", *[f"{FIRST_PAGE}{name}/" for name in names]):
        if not place or not (site / place / "index.html").is_file():
            yield f"the site has no page at /{place}; see Tools/Documentation/site_builder.py"


def is_ours(folder):
    """Whether a folder is empty or was written by docc."""
    return not any(folder.iterdir()) or (folder / "metadata.json").is_file()


def module_archive(name, products, folder):
    """Builds the archive of a module's public declarations."""
    graphs = folder / f"{name}-graphs"
    graphs.mkdir()
    maps = [ROOT / f"Sources/{module}/include/module.modulemap" for module in C_MODULES]
    maps += [products / f"{module}.build/module.modulemap" for module in ("CTesseraSystem", "CTesseraNumbers")]
    run(
        beside_swift("swift-symbolgraph-extract"),
        *("-module-name", name, "-I", products / "Modules", "-output-dir", graphs),
        *("-target", f"{platform.machine()}-unknown-linux-gnu"),
        *("-minimum-access-level", "public", "-skip-synthesized-members"),
        *[word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")],
    )
    archive = folder / f"{name}.doccarchive"
    # Not strict: undocumented parameters are allowed.
    docc("convert", "--additional-symbol-graph-dir", graphs, *options(name, archive))
    return archive


def options(name, output):
    return [
        f"--output-path={output}",
        "--transform-for-static-hosting",
        "--enable-experimental-external-link-support",
        f"--fallback-display-name={name}",
        f"--fallback-bundle-identifier=org.tessera.{name}",
    ]


def docc(*words):
    run(beside_swift("docc"), *words)


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        said = f"{result.stdout}{result.stderr}".strip()
        sys.exit(f"Tools/docs: {pathlib.Path(words[0]).name} rejects the pages:\n{said}")


def beside_swift(name):
    """The path of a tool that comes with Swift."""
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / name if swift else None
    found = beside if beside and beside.is_file() else shutil.which(name)
    if not found:
        sys.exit(f"Tools/docs: {name} is neither in the folder of swift nor in PATH; it comes with Swift")
    return found


class Catalogue:
    """The pages of the site as a DocC catalogue."""

    def __init__(self, folder, reference, modules):
        self.folder, self.modules = folder, modules
        self.pages, self.resources = {}, {}
        self.find(ROOT_PAGE.resolve(), reference)

    def find(self, path, reference):
        """Adds a page, and the pages that its lists link to."""
        page = self.pages[path] = reference.get(path) or Page(path)
        for child in self.children(page):
            if child not in self.pages:
                self.find(child, reference)

    def children(self, page):
        if page.path.name != "README.md":
            return
        for _, line in page.prose:
            item = ITEM.match(line)
            if item:
                yield (page.path.parent / item[1]).resolve()

    def write(self):
        self.folder.mkdir(parents=True)
        shutil.copytree(LOOKS, self.folder, dirs_exist_ok=True)
        names = {}
        for path, page in self.pages.items():
            name = identifier(path)
            if name.lower() in names:
                sys.exit(f"Tools/docs: {relative(path)} and {names[name.lower()]} would both be {name}; rename one")
            names[name.lower()] = relative(path)
            (self.folder / f"{name}.md").write_text(self.text(page))
        resources = self.folder / "Resources"
        resources.mkdir(exist_ok=True)
        for path, name in self.resources.items():
            if not path.is_file():
                sys.exit(f"Tools/docs: a page shows {relative(path)}, which does not exist; draw it")
            shutil.copy(path, resources / name)

    def sections(self):
        """Of each part of a page below a heading: its address, the page's title, the heading and the text."""
        found = []
        for path, page in self.pages.items():
            address = FIRST_PAGE + ("" if path == ROOT_PAGE.resolve() else identifier(path).lower() + "/")
            lines = page.text.splitlines()
            starts = [(number, level, title) for number, level, title, _ in page.headings()]
            for (number, level, title), (end, _, _) in zip(starts, [*starts[1:], (len(lines) + 1, 0, "")]):
                text = PICTURE.sub(lambda picture: picture[2], " ".join(lines[number : end - 1]))
                text = re.sub(r"[`*|]|```|-{3,}", " ", LINK.sub(r"\2", text))
                heading = "" if level == 1 else re.sub("[`*]", "", LINK.sub(r"\2", title))
                where = f"#{fragment(title)}" if heading else ""
                found.append([address + where, page.title(), heading, " ".join(text.split())])
        return found

    def search_page(self):
        """The page that searches the texts of all pages, which are in it."""
        # In a script, < could end it.
        sections = json.dumps(self.sections(), ensure_ascii=False).replace("<", "\\u003c")
        return (pathlib.Path(__file__).parent / "search.html").read_text().replace("/*SECTIONS*/[]", sections)

    def text(self, page):
        """The text of a page in the format of DocC."""
        lines, topics, group, fenced = [], [], "Pages", False
        for line in page.text.splitlines():
            if line.startswith("```"):
                # Only the checks use what follows the language.
                line, fenced = line.split(" ")[0], not fenced
            elif not fenced:
                item = ITEM.match(line) if page.path.name == "README.md" else None
                if line.startswith("## "):
                    group = line[3:].strip()
                if item:
                    topics.append((group, identifier((page.path.parent / item[1]).resolve())))
                    continue
                line = self.line(line, page)
            lines.append(line)
        lines = without_empty_sections(in_rows(lines), {group for group, _ in topics})
        title = lines.index(next(line for line in lines if line.startswith("# ")))
        lines[title + 1 : title + 1] = self.metadata(page)
        return "\n".join(lines).rstrip() + "\n" + self.api(page) + topics_text(topics)

    def api(self, page):
        if page.path != ROOT_PAGE.resolve() or not self.modules:
            return ""
        # Not as topics, which would move the modules in the navigator.
        links = ", ".join(f"``/{name}``" for name in self.modules)
        return f"\nThe site also documents the Swift modules: {links}.\n"

    def metadata(self, page):
        inside = ['@PageImage(purpose: icon, source: "tessera-icon", alt: "")']
        options = []
        if page.path == ROOT_PAGE.resolve():
            inside.append("@TechnologyRoot")
            options = ["@Options(scope: global) {", "  @AutomaticArticleSubheading(disabled)", "}"]
        return ["", "@Metadata {", *[f"  {line}" for line in inside], "}", "", *options]

    def line(self, line, page):
        line = PICTURE.sub(lambda found: self.picture(page, found[2], found[1]), line)
        line = LINK.sub(lambda found: self.link(page, *found.groups()), line)
        return HELP.sub(lambda found: self.help(page, *found.group(0, 1, 2)), line)

    def help(self, page, text, command, option):
        """A link to what a command prints about itself."""
        path = PAGES / ("Cases/README.md" if option == "list" else f"Commands/{command}.md")
        return text if path == page.path or path not in self.pages else f"[{text}](doc:{identifier(path)})"

    def link(self, page, mark, text, target):
        if not mark:
            return self.reference(page, text, target)
        # A bare name is already a resource.
        return f"![{text}]({target})" if target in self.resources.values() else self.picture(page, text, target)

    def picture(self, page, alt, target):
        path = (page.path.parent / target).resolve()
        name = self.resources.get(path, path.name)
        if any(other != path and taken == name for other, taken in self.resources.items()):
            name = f"{path.parent.name}-{name}"
        self.resources[path] = name
        return f"![{alt}]({name})"

    def reference(self, page, text, target):
        if re.match(r"[a-z]+:", target):
            return f"[{text}]({target})"
        name, _, anchor = target.partition("#")
        path = (page.path.parent / name).resolve() if name else page.path
        if path == HEADER and page.path.parent != CONTRACT.parent:
            path = CONTRACT
        if path not in self.pages:
            # The site does not contain the sources; name the path.
            return text if text.startswith("`") else f"{text} (`{relative(path)}`)"
        heading = ""
        if anchor:
            headings = self.pages[path].headings()
            title = next((title for _, _, title, slug in headings if slug == anchor), None)
            heading = f"#{fragment(title)}" if title else ""
        return f"[{text}](doc:{identifier(path)}{heading})"


def identifier(path):
    """The unique name of a page."""
    path = pathlib.Path(path)
    if path == ROOT_PAGE.resolve():
        return "Tessera"
    if path.name == "README.md":
        # An engine may have a guide of its name.
        return path.parent.name + ("Engine" if (PAGES / f"{path.parent.name}.md").exists() else "")
    if path.parent.parent == PAGES:
        return f"{path.parent.name}-{path.stem}"
    return path.stem


def fragment(title):
    """The anchor that DocC gives a heading."""
    plain = re.sub(r"[`'\"]", "", LINK.sub(r"\2", title))
    return re.sub(r"[\s-]+", "-", plain.strip())


def in_rows(lines):
    """Puts pictures that follow each other, one on each line, side by side."""
    kept, row = [], []
    for line in [*lines, ""]:
        if re.fullmatch(r"!\[[^\]]*\]\([^()]+\)", line):
            row.append(line)
            continue
        columns = [f"  @Column {{ {picture} }}" for picture in row]
        kept += ["@Row {", *columns, "}"] if len(row) > 1 else row
        row = []
        kept.append(line)
    return kept


def without_empty_sections(lines, groups):
    """Removes headings whose lists have become topics, if nothing else follows them."""
    kept, index = [], 0
    while index < len(lines):
        if lines[index].startswith("## ") and lines[index][3:].strip() in groups:
            end = index + 1
            while end < len(lines) and not lines[end].startswith("## "):
                end += 1
            if not any(line.strip() for line in lines[index + 1 : end]):
                index = end
                continue
        kept.append(lines[index])
        index += 1
    return kept


def topics_text(topics):
    if not topics:
        return ""
    text, last = "\n## Topics\n", None
    for group, name in topics:
        if group != last:
            text += f"\n### {group}\n\n"
        text += f"- <doc:{name}>\n"
        last = group
    return text
