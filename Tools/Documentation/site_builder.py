"""Builds the site: the pages that Documentation/README.md leads to, as a DocC catalogue.

The pages are ordinary Markdown, to be read on a forge too. For DocC links become references, lists of
pages become topics, and pictures become resources.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from markdown import LINK, PICTURE, Page
from repository import PAGES, ROOT, relative

ROOT_PAGE = PAGES / "README.md"
ITEM = re.compile(r"- \[[^\]]*\]\(([^()#\s]+\.md)\)")
OPTIONS = [
    "--transform-for-static-hosting",
    "--warnings-as-errors",
    "--fallback-display-name=Tessera",
    "--fallback-bundle-identifier=org.tessera",
]
LOOKS = pathlib.Path(__file__).parent / "Site"


def build(output):
    """Writes the site into a folder, which it replaces."""
    docc = tool()
    with tempfile.TemporaryDirectory(prefix="tessera-site-") as folder:
        catalogue = pathlib.Path(folder) / "Tessera.docc"
        Catalogue(catalogue).write()
        result = subprocess.run(
            [docc, "convert", catalogue, "--output-path", pathlib.Path(folder) / "site", *OPTIONS],
            capture_output=True,
            text=True,
        )
        if result.returncode:
            said = (result.stdout + result.stderr).replace(str(catalogue), "the catalogue")
            sys.exit(f"Tools/docs: docc does not take the pages:\n{said.strip()}")
        shutil.rmtree(output, ignore_errors=True)
        shutil.move(pathlib.Path(folder) / "site", output)


def tool():
    """docc, which comes with Swift."""
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / "docc" if swift else None
    found = shutil.which("docc") or (beside if beside and beside.is_file() else None)
    if not found:
        sys.exit("Tools/docs: there is no docc in PATH or beside swift; it comes with Swift")
    return found


class Catalogue:
    """The pages of the site, and the catalogue that is made of them."""

    def __init__(self, folder):
        self.folder = folder
        self.pages, self.resources = {}, {}
        self.find(ROOT_PAGE.resolve())

    def find(self, path):
        """A page, and those that its lists lead to."""
        page = self.pages[path] = Page(path)
        for child in self.children(page):
            if child not in self.pages:
                self.find(child)

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
                sys.exit(f"Tools/docs: {relative(path)} and {names[name.lower()]} are both {name}")
            names[name.lower()] = relative(path)
            (self.folder / f"{name}.md").write_text(self.text(page))
        resources = self.folder / "Resources"
        resources.mkdir(exist_ok=True)
        for path, name in self.resources.items():
            shutil.copy(path, resources / name)

    def text(self, page):
        """The page as DocC wants it."""
        lines, topics, group, fenced = [], [], "Pages", False
        for line in page.text.splitlines():
            if line.startswith("```"):
                # What follows the language is for the checks.
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
        lines = without_empty_sections(lines, {group for group, _ in topics})
        title = lines.index(next(line for line in lines if line.startswith("# ")))
        lines[title + 1 : title + 1] = self.metadata(page)
        return "\n".join(lines).rstrip() + "\n" + topics_text(topics)

    def metadata(self, page):
        inside = ['@PageImage(purpose: icon, source: "tessera-icon", alt: "")']
        options = []
        if page.path == ROOT_PAGE.resolve():
            inside.append("@TechnologyRoot")
            options = ["@Options(scope: global) {", "  @AutomaticArticleSubheading(disabled)", "}"]
        return ["", "@Metadata {", *[f"  {line}" for line in inside], "}", "", *options]

    def line(self, line, page):
        line = PICTURE.sub(lambda found: self.picture(page, found[2], found[1]), line)
        return LINK.sub(lambda found: self.link(page, *found.groups()), line)

    def link(self, page, mark, text, target):
        if not mark:
            return self.reference(page, text, target)
        # One that has a name only is a resource already.
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
        if path not in self.pages:
            # The site has no sources; a reader of it has a clone.
            return text if text.startswith("`") else f"{text} (`{relative(path)}`)"
        heading = ""
        if anchor:
            headings = self.pages[path].headings()
            title = next((title for _, _, title, slug in headings if slug == anchor), None)
            heading = f"#{fragment(title)}" if title else ""
        return f"[{text}](doc:{identifier(path)}{heading})"


def identifier(path):
    """The name of a page among all of them."""
    path = pathlib.Path(path)
    if path == ROOT_PAGE.resolve():
        return "Tessera"
    if path.name == "README.md":
        return path.parent.name
    if path.parent.parent == PAGES:
        return f"{path.parent.name}-{path.stem}"
    return path.stem


def fragment(title):
    """The anchor that DocC gives a heading."""
    plain = re.sub(r"[`'\"]", "", LINK.sub(r"\2", title))
    return re.sub(r"[\s-]+", "-", plain.strip())


def without_empty_sections(lines, groups):
    """Takes away the headings whose lists have become topics, where nothing else is below them."""
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
