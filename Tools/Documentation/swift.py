"""The pages of the Swift API: a page per public type, from the compiler's symbol graphs."""

import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from repository import ROOT

MODULES = {
    "TesseraHost": "Sessions, queries and updates, for programs",
    "TesseraSDK": "Layouts, parameters and functions, for engines",
    "TesseraGeometry": "Points, sizes, rects and transforms",
    "TesseraCatalog": "Values, declarations and errors",
    "TesseraRuntime": "Elements and input",
}
C_MODULES = ["CTessera", "CTesseraNote"]
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"}


def pages(products):
    """The pages by file name; `products` is the folder of a build with compiled modules."""
    if not (products / "Modules/TesseraHost.swiftmodule").exists():
        sys.exit(f"Tools/docs: {products} has no compiled modules; build Tessera with Tools/build")
    made = {}
    contents = "# The Swift API\n\nPublic declarations with their comments, a page per type.\n"
    with tempfile.TemporaryDirectory(prefix="tessera-symbols-") as folder:
        for module, use in MODULES.items():
            contents += f"\n## {module}\n\n{use}: `import {module}`.\n\n"
            for name, symbols in types(symbols_of(module, products, pathlib.Path(folder))):
                file = f"{name}.md" if f"{name}.md" not in made else f"{name}-{module}.md"
                made[file] = page(name, module, symbols)
                contents += f"- [{name}]({file}): {summary(symbols)}\n"
    made["README.md"] = contents
    return made


def symbols_of(module, products, folder):
    """The public declarations of a module, in the order of its sources."""
    maps = [ROOT / f"Sources/{name}/include/module.modulemap" for name in C_MODULES]
    maps += [
        products / f"{name}.build/module.modulemap"
        for name in ("CTesseraSystem", "CTesseraNumbers")
    ]
    words = [
        *(
            beside_swift("swift-symbolgraph-extract"),
            "-module-name",
            module,
            "-I",
            products / "Modules",
        ),
        *("-output-dir", folder, "-target", f"{platform.machine()}-unknown-linux-gnu"),
        *("-minimum-access-level", "public", "-skip-synthesized-members"),
        *[word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")],
    ]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        sys.exit(
            f"Tools/docs: swift-symbolgraph-extract fails for {module}:\n{result.stderr.strip()}"
        )
    symbols = json.loads((folder / f"{module}.symbols.json").read_text())["symbols"]
    return sorted((symbol for symbol in symbols if "location" in symbol), key=place)


def place(symbol):
    return symbol["location"]["uri"], symbol["location"]["position"]["line"]


def types(symbols):
    """Each outermost type with its declaration first, then its members; sorted by name."""
    found = {}
    for symbol in symbols:
        if len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] in TYPES:
            found[symbol["pathComponents"][0]] = [symbol]
    for symbol in symbols:
        path = symbol["pathComponents"]
        if len(path) > 1 and path[0] in found:
            found[path[0]].append(symbol)
    return sorted(found.items())


def page(name, module, symbols):
    text = f"# {name}\n\n`import {module}`\n"
    for number, symbol in enumerate(symbols):
        if number:
            text += f"\n## `{'.'.join(symbol['pathComponents'][1:])}`\n"
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        text += f"\n```swift\n{declaration}\n```\n"
        comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        if comment.strip():
            text += f"\n{comment.strip()}\n"
    return text


def summary(symbols):
    """The first paragraph of a type's comment."""
    lines = [line["text"].strip() for line in symbols[0].get("docComment", {}).get("lines", [])]
    paragraph = " ".join(lines[: lines.index("")] if "" in lines else lines)
    return paragraph or symbols[0]["kind"]["displayName"].lower()


def beside_swift(name):
    """The path of a tool that comes with Swift."""
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / name if swift else None
    found = beside if beside and beside.is_file() else shutil.which(name)
    if not found:
        sys.exit(
            f"Tools/docs: {name} is neither in the folder of swift nor in PATH; it comes with Swift"
        )
    return found
