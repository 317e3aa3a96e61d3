"""The pages of the commands, from the help of the command."""

import textwrap

from prose import inline


def pages(command):
    """The pages by file name."""
    root = command.json("--experimental-dump-help")["command"]
    every = [sub for sub in root["subcommands"] if sub["commandName"] != "help"]
    made = {f"{sub['commandName']}.md": page(command, sub, "#", "tessera") for sub in every}
    made["README.md"] = contents(root, every)
    return made


def contents(root, every):
    lines = [
        textwrap.fill(line) if line[:1] != " " else line
        for line in root["discussion"].strip().split("\n")
    ]
    text = (
        f"# The command\n\n`tessera`: {lowered(root['abstract'])}\n\n```\n"
        + "\n".join(lines)
        + "\n```\n\n"
    )
    text += "[Troubleshooting](../Troubleshooting.md#exit-statuses) explains the exit statuses. "
    text += "`tessera help COMMAND` prints these pages. "
    text += "`tessera --generate-completion-script bash` (or `zsh`, `fish`) prints "
    text += (
        "[completions](../Installing.md#completions) of commands, engines, parameters and"
        " values.\n\n## Commands\n\n"
    )
    for sub in every:
        text += (
            f"- [tessera {sub['commandName']}]({sub['commandName']}.md):"
            f" {lowered(sub['abstract'])}\n"
        )
    return text


def lowered(text):
    return inline(text[0].lower() + text[1:])


def page(command, sub, mark, above):
    """The help of a command, and of those below it."""
    name = f"{above} {sub['commandName']}"
    text = f"{mark} {name}\n\n{inline(sub['abstract'])}\n\n"
    help = command.text(*name.split()[1:], "--help").partition("\n\n")[2]
    text += f"```\n{help.strip()}\n```\n\n"
    for other in sub.get("subcommands", []):
        if other["commandName"] != "help":
            text += page(command, other, mark + "#", name)
    return text
