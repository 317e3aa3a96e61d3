"""The pages of Documentation/Cases: a page for each category, from the cases themselves."""

from prose import inline

# What a category is about; a new one is refused until it stands here.
ABOUT = {
    "library": "The file, and what it does to the process that it is loaded into",
    "descriptor": "What an engine says about itself",
    "lifecycle": "Layouts that come and go",
    "geometry": "Where elements are, and how they look there",
    "query": "What a question about a part of a layout is answered with",
    "bounds": "What the surroundings do",
    "counts": "Few and many items, and sections without any",
    "parameters": "Values for the whole layout",
    "delegate": "Functions and values that the host supplies",
    "memory": "Where and how much an engine writes",
    "updates": "Data that change",
    "scaling": "Time and memory as items become many",
    "laws": "What an engine promises beyond the rules for all",
}

INTRODUCTION = """# The cases of the suite

`tessera check` proves an engine against {count} rules; each has an id, which is its filter and its
name in every report.

```
tessera check ./libspiral.so
tessera check ./libspiral.so --filter geometry
tessera check ./libspiral.so --filter query-rect-is-a-filter --level thorough
```

A case passes, fails, crashes, warns or is skipped: where the engine does not declare what the rule
is about. A failure tells the smallest input that was found to break the rule, what was expected, what
was found, and the command that shows it alone. Each is listed here with the rule, why there is one,
and how to satisfy it. [tessera check](../Commands/check.md) has the options.

## Categories

"""


def pages(command):
    """The pages by file name."""
    cases = command.json("check", "--list", "--format", "json")
    categories = list(dict.fromkeys(case["category"] for case in cases))
    text = INTRODUCTION.format(count=len(cases))
    made = {}
    for category in categories:
        own = [case for case in cases if case["category"] == category]
        text += f"- [Cases: {category}]({category}.md): {ABOUT[category].lower()}; {len(own)} cases\n"
        made[f"{category}.md"] = page(category, own)
    made["README.md"] = text
    return made


def page(category, cases):
    text = f"# Cases: {category}\n\n{ABOUT[category]}.\n"
    for case in cases:
        text += f"\n## {case['id']}\n\n**{inline(case['rule'])}.**\n\n"
        text += f"- Why: {sentence(case['why'])}\n- To satisfy it: {sentence(case['remedy'])}\n"
        if case["skippedIf"]:
            text += f"- Skipped where {inline(case['skippedIf']).replace('it ', 'the engine ', 1)}.\n"
        if case["level"] != "quick":
            text += f"- Examined from `--level {case['level']}` on.\n"
    return text


def sentence(text):
    text = inline(text)
    return text if text.endswith((".", "?", "!")) else text + "."
