"""The pages of the cases: one for each category, from the cases themselves."""

from prose import inline

# Subject of each category; add new ones here.
ABOUT = {
    "library": "The library file, and what loading it does to a process",
    "descriptor": "Engine descriptions",
    "lifecycle": "Layouts that are created and destroyed, one after the other and at the same time",
    "geometry": "Frames, attributes and the content size",
    "query": "Queries for a part of a layout",
    "bounds": "The viewport: bounds, offset, insets, scale and direction",
    "counts": "Item counts: few items, many items and empty sections",
    "parameters": "Parameters",
    "delegate": "Delegate functions, and section and item values",
    "functions": "Published functions",
    "memory": "Where an engine writes and how much memory it uses",
    "updates": "Batch updates",
    "scaling": "Time and memory for large item counts",
    "laws": "Promises that an engine makes by its traits",
    "extensions": "Optional extensions: snapping, reordering and measured items",
}

INTRODUCTION = """# The cases of the suite

`tessera check` tests an engine against {count} rules. Each rule has an id, which is its filter and
its name in all reports.

```
tessera check ./libspiral.so
tessera check ./libspiral.so --filter geometry
tessera check ./libspiral.so --filter query-rect-is-a-filter --level thorough
```

A case passes, fails, crashes, warns, or is skipped because the engine does not declare what the
rule is about. A failure reports the smallest input that breaks the rule, what was expected, what
was found, and the command that reproduces it. If an engine crashes or hangs with 20 items and
default values, `library-lays-out` reports it, and cases that need a layout are skipped. If an
engine misuses memory, the case that found how is shown first, and crashes in other cases are
listed with it. A case that measures time warns, and only fails if ten times as much input takes
more than fifty times as long. After a call has not returned, every further call of the same
function has one second. These pages list every rule, its reason, and how to satisfy it. [tessera
check](../Commands/check.md) describes the options.

## What a run used

A report ends with the declarations of the engine that the run used: parameters, section and item
values, delegate functions, published functions, attributes, built-in columns, kinds, traits, the
optional functions that the host calls, and extensions. Each declaration that the run did not use
has a line of its own, because the run says nothing about it. JSON has the lists `declared` and
`exercised`, JUnit has properties, and TAP has comments.

A run of all cases uses everything that can be used. `descriptor-declarations-are-used` warns about
declarations that no layout uses. `parameters-have-an-effect`, `delegate-values-have-an-effect` and
`delegate-answers-have-an-effect` warn about declarations that make no difference. A run with
`--filter` uses only what the chosen cases need.

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
        text += (
            f"- [Cases: {category}]({category}.md): {ABOUT[category].lower()}; {len(own)} cases\n"
        )
        made[f"{category}.md"] = page(category, own)
    made["README.md"] = text
    return made


def page(category, cases):
    text = f"# Cases: {category}\n\n{ABOUT[category]}.\n"
    for case in cases:
        text += f"\n## {case['id']}\n\n**{inline(case['rule'])}.**\n\n"
        text += f"- Why: {sentence(case['why'])}\n- To satisfy it: {sentence(case['remedy'])}\n"
        if case["skippedIf"]:
            text += f"- Skipped if {inline(case['skippedIf']).replace('it ', 'the engine ', 1)}.\n"
        if case["level"] != "quick":
            text += f"- Runs at `--level {case['level']}` and above.\n"
    return text


def sentence(text):
    text = inline(text)
    return text if text.endswith((".", "?", "!")) else text + "."
