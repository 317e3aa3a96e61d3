"""Generates the gallery in Plugins/README.md from the declarations of the engines."""

import shutil
import sys

from markdown import PICTURE, Page
from prose import inline, table
from repository import ROOT


def text(command):
    """A list of the engines, then a picture and the parameters of each.

    None if one in Rust is left out because there is no rustc.
    """
    folders = {readme.parent.name.lower(): readme for readme in ROOT.glob("Plugins/*/README.md")}
    # Only engines that ship, which have a folder, not those that this machine has installed.
    engines = []
    for entry in command.json("list", "--format", "json")["engines"]:
        readme = folders.pop(short(entry["id"]).replace("-", ""), None)
        if readme:
            engines.append((command.json("info", entry["id"], "--format", "json"), readme))
    if folders and not shutil.which("rustc") and all(any(page.parent.glob("*.rs")) for page in folders.values()):
        print(f"Tools/docs: no rustc, so {', '.join(folders)} and the gallery are left out", file=sys.stderr)
        return None
    if folders:
        sys.exit(f"Tools/docs: {', '.join(folders)} of Plugins are not on the search path; build them")
    engines.sort(key=lambda pair: [link["id"] for link in reversed(pair[0]["chain"])])
    listed = "".join(line(facts, readme) for facts, readme in engines)
    return listed + "\n" + "\n".join(section(facts, readme) for facts, readme in engines)


def short(identity):
    return identity.rpartition(".")[2]


def bases(facts):
    return [short(link["id"]) for link in facts["chain"][1:]]


def line(facts, readme):
    name, base = short(facts["id"]), bases(facts)
    on = f" (on {base[0]})" if base else ""
    summary = facts["summary"].rstrip(".")
    summary = summary[0].lower() + summary[1:]
    return f"- [{name}]({readme.parent.name}/README.md): {inline(summary)}{on}\n"


def section(facts, readme):
    name, folder = short(facts["id"]), readme.parent.name
    width, alt, source = picture(readme)
    text = f"### {name}\n\n{inline(facts['summary'])}\n\n"
    text += f'<img src="{folder}/{source}" width="{width}" alt="{alt}">\n\n'
    own = [entry for entry in facts["parameters"] if entry["from"] == facts["id"]]
    text += table(
        ["parameter", "default", "meaning"],
        [
            [f"`{entry['name']}`", initial(entry), inline(entry["help"], in_table=True)]
            for entry in own
        ],
    )
    for base in bases(facts)[:1]:
        text += f"{'It also has' if own else 'It has'} the parameters of {base}. "
    return text + f"[Documentation of {name}]({folder}/README.md)\n"


def picture(readme):
    """The width, alternative text and file of the first picture of an engine's page."""
    match = PICTURE.search(Page(readme).text)
    width = match[0].partition('width="')[2].partition('"')[0]
    return min(int(width), 420), match[2], match[1]


def initial(parameter):
    value, unit = parameter["initial"], parameter["unit"]
    if parameter["type"] in ("enum", "bool"):
        return f"`{value if parameter['type'] == 'enum' else str(value).lower()}`"
    if parameter["type"] == "size":
        return "×".join(f"{part:g}" for part in value)
    parts = value if isinstance(value, list) else [value]
    return " ".join(f"{part:g}" for part in parts) + (f" {unit}" if unit else "")
