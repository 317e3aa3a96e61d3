"""The pages of the commands, from the help of the command."""

import re
import sys

from prose import inline, table

SHORT = ("version", "help")


def pages(command):
    """The pages by file name."""
    root = command.json("--experimental-dump-help")["command"]
    made = {}
    every = [sub for sub in root["subcommands"] if sub["commandName"] != "help"]
    made["README.md"] = contents(root, every)
    for sub in every:
        made[f"{sub['commandName']}.md"] = page(sub, f"tessera {sub['commandName']}")
    return made


def contents(root, every):
    text = f"# The command\n\n`tessera`: {lowered(root['abstract'])}\n\n"
    text += discussion(root, "tessera", {"version": {}, "help": {}})
    text += "`tessera help COMMAND` prints these pages. "
    text += "`tessera --generate-completion-script bash` (or `zsh`, `fish`) prints "
    text += "[completions](../Installing.md#completions) of commands, engines, parameters and values.\n\n## Commands\n\n"
    for sub in every:
        text += f"- [tessera {sub['commandName']}]({sub['commandName']}.md): {lowered(sub['abstract'])}\n"
    return text


def lowered(text):
    return inline(text[0].lower() + text[1:])


def page(command, name, level=1):
    options = known(command)
    text = f"{'#' * level} {name}\n\n{inline(command['abstract'])}\n\n"
    text += f"```\n{usage(command, name)}\n```\n\n"
    text += discussion(command, name, options)
    for title, arguments in groups(command):
        text += f"{'#' * (level + 1)} {title}\n\n" + table(
            ["option" if title != "Arguments" else "argument", "meaning"],
            [[f"`{spelled(argument)}`", meaning(argument)] for argument in arguments],
        )
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            text += page(sub, f"{name} {sub['commandName']}", level + 1)
    return text


def known(command):
    """The options of a command and its subcommands, by long name."""
    names = {
        name["name"]: argument
        for argument in command.get("arguments", [])
        for name in argument.get("names", [])
    }
    for sub in command.get("subcommands", []):
        names.update(known(sub))
    return names


def usage(command, name):
    if command.get("subcommands"):
        return f"{name} <subcommand>"
    words = [name, "[<options>]"]
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional":
            word = f"<{argument['valueName']}>" + (" ..." if argument["isRepeating"] else "")
            words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(words)


def discussion(command, name, options):
    """A command's discussion as paragraphs, with examples as code and statuses as a table."""
    text = ""
    for paragraph in command.get("discussion", "").split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        if head == "EXAMPLES":
            lines = [line.strip() for line in rest.splitlines()]
            for line in lines:
                for option in re.findall(r" --([a-z-]+)", line):
                    if option not in options and name != "tessera":
                        # An example may show another command.
                        if line.startswith(name + " "):
                            sys.exit(f"Tools/docs: the help of {name} shows --{option}, which does not exist")
            text += "```sh\n" + "\n".join(lines) + "\n```\n\n"
        elif head == "EXIT STATUS":
            text += "The command exits with one of these [exit statuses](../Troubleshooting.md#exit-statuses).\n\n"
            text += statuses(rest)
        elif rest and head.isupper():
            text += f"**{head.capitalize()}.** {inline(rest.replace(chr(10), ' '))}\n\n"
        elif paragraph:
            text += inline(paragraph.replace("\n", " ")) + "\n\n"
    return text


def statuses(text):
    rows = [line.split(maxsplit=1) for line in text.splitlines()]
    return table(["status", "when"], [[number, inline(meaning)] for number, meaning in rows])


def groups(command):
    """Arguments by the titles of the help, in its order, without help and version."""
    found = {}
    for argument in command.get("arguments", []):
        if not argument["shouldDisplay"] or argument.get("valueName") in SHORT:
            continue
        positional = argument["kind"] == "positional"
        title = "Arguments" if positional else argument.get("sectionTitle", "Options")
        found.setdefault(title, []).append(argument)
    return found.items()


def spelled(argument):
    if argument["kind"] == "positional":
        return f"<{argument['valueName']}>"
    names = ", ".join(
        ("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"]
    )
    return names if argument["kind"] == "flag" else f"{names} <{argument['valueName']}>"


def meaning(argument):
    text = inline(argument.get("abstract", ""), in_table=True)
    if argument.get("discussion"):
        text += " " + inline(argument["discussion"].replace("\n", " "), in_table=True)
    values = argument.get("allValues")
    if values:
        text += f" One of {', '.join(f'`{value}`' for value in values)}."
    if "defaultValue" in argument:
        text += f" Default: `{argument['defaultValue']}`."
    return text
