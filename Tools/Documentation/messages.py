"""The list of messages in Documentation/Troubleshooting.md, from the places in the sources that make them."""

import dataclasses
import re

from prose import inline
from repository import ROOT

SOURCES = ROOT / "Sources"
# Calls that make an error or a warning, and the status of those that have one; for others it is in their body.
MAKERS = {
    "HostError": None, "CommandFailure": None, "ValidationError": "usage", "Misuse": "misuse", "Diagnostics.say": "warning",
    "fail": None, "refuse": None, "ByteReader.broken": "brokenContract", "broken": None, "error": None, "invalid": None,
    "failed": "refused", "unsupported": "refused", "LayoutFailure": "refused", "Refusal": "unavailable", "wrong": None,
    # In the SDK, these end the engine's process with their text.
    "precondition": "died",
}
# Sentences that are made elsewhere than in such calls: the file, a pattern, and the section.
FILES = {
    "TesseraWorker/Process/WorkerExit.swift": (r" in …| from …", "died"),
    "TesseraCatalog/Cache/FailureRecord.swift": ("it crashed", "died"),
    "TesseraHost/Host.swift": ("there is no engine", "notFound"),
    "tessera/Options/EngineOptions.swift": ("did not return", "died"),
    "TesseraCatalog/Cache/DescriptionCache.swift": ("belongs to|can be changed", "unavailable"),
}
# Modules whose sentences reach a user, and the status of those that state none.
MODULES = {
    "TesseraCatalog": "cannotLoad", "TesseraRuntime": "brokenContract", "TesseraWorker": "brokenContract",
    "TesseraHost": "invalidInput", "TesseraLibrary": "invalidInput", "TesseraScenario": "invalidInput",
    "TesseraConformance": "invalidInput", "TesseraSDK": "refused", "tessera": "invalidInput",
    "TesseraExamination": "brokenContract", "tessera-worker": "invalidInput",
}
# Families have the rules of the suite, which are a list of their own.
SKIPPED = ("TesseraConformance/Families", "tessera/Doctor", "tessera/Bench/BenchResult")
# Statuses of the command that are kinds of errors under another name.
KINDS = {
    "data": "invalidInput", "noInput": "notFound", "software": "brokenContract", "cannotCreate": "cannotWrite",
}
# Each section: its title, cause, and what to do if the sentence does not say it.
SECTIONS = {
    "usage": (
        "Wrong usage: status 64", "The command line is invalid.", "run `tessera help` with the name of the command, which lists its options"),
    "misuse": (
        "Wrong usage of libtessera: TESSERA_MISUSED", "A call of the C library that no data can excuse: an index out of "
        "range, a null handle.", "correct the call in your program"),
    "invalidInput": (
        "Invalid input: status 65", "A value, a name, a count or a file that you supplied is invalid.",
        "correct the value or the file that the sentence names"),
    "notFound": (
        "Not found: status 66", "The engine, the library or the file does not exist, or the search path does not lead to it.",
        "check the spelling and the path; `tessera list` shows the engines"),
    "refused": (
        "Refused: status 69", "The engine cannot lay this out, and says so in a sentence of its own, which is not listed "
        "here, or in one of the SDK that it is written with. Or the machine does not allow it.",
        "change what the sentence names; `tessera info` shows what the engine takes"),
    "unavailable": (
        "Not available on this machine: status 69", "The system lacks memory, address space, files, processes or a kernel "
        "feature.", "raise the limit (`ulimit -a`), or end other programs; `tessera doctor` shows what is there"),
    "brokenContract": (
        "The engine broke the contract: status 70", "The engine returned something that the contract forbids, or its process "
        "did. It is a fault of the engine.", "report it to the engine's author; `tessera check` tests for it"),
    "died": (
        "The engine crashed, hung or exceeded a limit: status 70", "The engine's process was ended. The next call starts "
        "another.", "report it to the engine's author, with a recording (`--record FILE`)"),
    "cancelled": (
        "Cancelled: status 70", "The program's own progress function asked for it.", "do nothing"),
    "cannotWrite": (
        "Cannot be written: status 73", "A folder or a file cannot be written, or holds something that must not be replaced.",
        "make it writable, or give another place"),
    "cannotLoad": (
        "The library cannot be loaded: status 76", "The file is not an engine library, or not one for this machine and this "
        "host, or its declarations are invalid.", "build the library again, with the header of this host"),
    "notAllowed": (
        "The library is not allowed: status 77", "Other users can change the library, an allowlist lacks it, or it crashed "
        "too often.", "make it safe, or name the library by its path"),
    "warning": (
        "Warnings", "The command goes on, without what the sentence names.", "do nothing, unless you miss what is left out"),
}


# What to do about messages that do not say it themselves: a pattern, and the advice. The first that is found counts; what none
# finds has the advice of its section.
ADVICE = [
    (r"^give |^-o and|needs? `?--|takes one engine|: expected sandbox", "change the options as the message says"),
    (r"there is no (command|licence)|^no (case|layout)|^Unknown", "the message names what is nearest, if anything is; `--help` has all"),
    (r"there is no engine", "the message names what is nearest, if anything is; `tessera list` has all, and why files were refused"),
    (r"has no … \"…\"|has no …|has no column|declares no|publishes no|is unknown|is not a key of|is not a call",
     "the message names what is nearest, or all that there are; `tessera info ENGINE` has what an engine takes"),
    (r"no such (section|item|record|row|sections)|there is no run|the layout has no …|the message has no (rect|text)",
     "count from 0, and compare with the counts that the layout has"),
    (r"expression …|at …character|has no end|begins with 0|surrogate|too large|is not JSON|nested deeper|not in UTF-8",
     "correct the text at the place that the message names"),
    (r"cannot be (read|opened|accessed|searched)|cannot read|no such folder|cannot be copied|folder cannot be determined",
     "the reason of the system follows: check the path, and that you may read it"),
    (r"cannot be written|cannot write|cannot create|cannot be removed", "the reason of the system follows: check the path, the space left, and that you may write there"),
    (r"cannot be set: … sets it itself", "leave it out; `tessera info` shows which engine of the chain sets it"),
    (r"of record …", "correct the value of that record, counted from 0; `tessera info ENGINE` has the limits of each column"),
    (r"more than … rows|has at most … rows|more than memory can hold",
     "ask for a part with `--rect` or `--visible`, or raise `--row-limit`"),
    (r"the delegate function|measuring item|supplying the new data|gave no elements|refused items",
     "look for what your program's own function did: its status ends the call"),
    (r"tessera-pictures|librsvg|cairo|width and height in pixels", "write SVG, which needs no other program, or a smaller picture"),
    (r"^the cache", "nothing is lost: descriptions are read again each time; remove the folder, or make it yours alone"),
    (r"fixed-size list|integers, floating|a number above 0|names of choices|0 to …, an index", "give values of that type; the message names the argument"),
    (r"parameter …, which|gives its base", "build the derived engine for the version of its base that is installed"),
    (r"^(holds|is truncated|has … bytes|has … sizes|is an? |is not an engine's|is neither|is longer|has the invalid|has a different|does not match|describes|"
     r"claims|counts beyond|asks for|keeps a layout|names an item|took less|its (answer|process)|descriptor)",
     "the engine's process was overwritten, or forges its answers: run `tessera check`; if it passes, report it with `tessera doctor --json`"),
    (r"finite|the (alpha|frame|hidden value)|an invalid value|content size|run of|elements of kind|declares that it is lazy|more rows than|went on and|"
     r"returned the (status|target)|items … and", "run `tessera check` on the engine, which finds the smallest input for it"),
    (r"^(called|made|crashed|ended) ?|used up its", "run `tessera layout … --backtrace` to see where; the page Debugging goes on from there"),
    (r"traits? |declares that it is lazy, but|needs a fallback|null pointer|initial value|the function …|no longer registers|dynamic loader|registration failed",
     "correct the declaration in the engine's source; `tessera check` names the rule"),
    (r"newer of the same major", "install a version of the base that the message asks for"),
    (r"allowlist", "add the library's SHA-256 sum with `tessera trust`, or leave out the allowlist"),
    (r"left out|not embedded|not read", "do nothing, unless you miss it: the reason follows in the message"),
    (r"can be reached only during a call", "use the base only in prepare, adjust and queries, and keep no reference to it"),
]
# Those of the library that parses the command line.
PARSER = {
    "Unknown option '…'": "correct it; `--help` lists the options",
    "Missing value for '…'": "give the value after the option",
    "Missing expected argument '…'": "give it; `--help` shows the usage",
    "Unexpected argument '…'": "leave it out, or quote a value that has spaces",
    "… unexpected arguments: …": "leave them out, or quote a value that has spaces",
    "The value '…' is invalid for '…'": "give a value as `--help` describes it",
    "The option '…' does not take any value, but '…' was specified": "give the option alone",
}


@dataclasses.dataclass(frozen=True)
class Message:
    """A sentence or a part of one, in which … stands for what differs."""

    text: str
    remedy: str
    section: str


def text(command):
    """The tables of all messages, and that of the suite."""
    found = {}
    parser = [Message(sentence, remedy, "usage") for sentence, remedy in PARSER.items()]
    for message in [*parser, *swift_messages(), *c_messages()]:
        found.setdefault(message.section, set()).add((message.text, message.remedy))
    made = ""
    for section, (title, cause, advice) in SECTIONS.items():
        rows = sorted(
            ((sentence, remedy or advice_for(sentence, advice)) for sentence, remedy in found.get(section, ())),
            key=lambda row: (key(row[0]), row),
        )
        if rows:
            made += f"### {title}\n\n{cause}\n\n"
            made += rows_text(rows)
    return made + "### The suite\n\n" + suite(command)


def advice_for(sentence, otherwise):
    return next((advice for pattern, advice in ADVICE if re.search(pattern, sentence)), otherwise)


def rows_text(rows):
    lines = ["| message | what to do |", "| --- | --- |"]
    lines += [f"| {cell(message)} | {cell(remedy)} |" for message, remedy in rows]
    return "\n".join(lines) + "\n\n"


def cell(text):
    return inline(text, in_table=True).replace("\n", " ")


def key(text):
    return re.sub(r"[^a-z0-9 ]", "", text.lower().replace("…", "")).strip()


def suite(command):
    """A line for each rule; its page has the reason."""
    lines = [
        "`tessera check` reports the id of a rule, the smallest input that breaks it, what was expected and what was found. "
        "Each id leads to the reason for the rule.\n",
        "| rule | what it says | what to do |", "| --- | --- | --- |",
    ]
    for case in sorted(command.json("check", "--list", "--format", "json"), key=lambda case: case["id"]):
        link = f"[`{case['id']}`](Cases/{case['category']}.md#{case['id']})"
        lines.append(f"| {link} | {cell(case['rule'])} | {cell(case['remedy'])} |")
    return "\n".join(lines) + "\n"


# --- Reading Swift


def swift_messages():
    remedies = command_remedies()
    for path in sorted(SOURCES.rglob("*.swift")):
        name = str(path.relative_to(SOURCES))
        module = name.split("/")[0]
        if module in MODULES and not name.startswith(SKIPPED):
            yield from messages_of(path.read_text(), name, remedies)


def messages_of(source, name, remedies):
    for literal in literals(source):
        maker = literal.call if literal.call in MAKERS else literal.call.rpartition(".")[2]
        if maker == "precondition" and not name.startswith("TesseraSDK"):
            continue
        pattern, section = FILES.get(name, ("(?!)", None))
        if not re.search(pattern, literal.text):
            if maker not in MAKERS or len(re.findall(r"[a-z]{2,}", literal.text)) < 2:
                continue
            section = MAKERS[maker] or section_of(source, literal, maker) or MODULES[name.split("/")[0]]
        sentence, _, remedy = literal.text.strip(" ;").partition("; ")
        if remedy.startswith(("found", "it is not used")):
            sentence, remedy = f"{sentence}; {remedy}", ""
        sentence, remedy = (re.sub("(… ?)+$", "…", part.strip()) for part in (sentence, remedy))
        remedy = "" if remedy == "…" else remedy
        if section == "died" and " of memory" in sentence:
            remedy = remedies["allowMoreMemory"]
        elif section == "died" and sentence.startswith("did not return"):
            remedy = remedies["allowMoreTime"]
        after = re.match(r"[^()]{0,60}?,\s*\.(\w+)", source[literal.end : literal.end + 120])
        if not remedy and after and after[1] in remedies:
            remedy = remedies[after[1]]
        if sentence != "…" and "Ctrl-C" not in sentence:
            yield Message(sentence, remedy, section)


def section_of(source, literal, maker):
    """The section that a call states itself, or that of the function in the same file that it calls."""
    before = source[literal.open : literal.start]
    kind = re.match(r"\(\s*\.(\w+)", before)
    if kind:
        kind = KINDS.get(kind[1], kind[1])
    elif maker not in ("HostError", "CommandFailure"):
        body = re.search(rf"func {maker}\b[\s\S]*?(?:HostError|CommandFailure)\(\s*\.(\w+)", source)
        kind = body and KINDS.get(body[1], body[1])
    if kind == "software":
        kind = "brokenContract"
    return kind if kind in SECTIONS else None


def command_remedies():
    """The advice that the command gives for each case of `HostError.Remedy`."""
    source = (SOURCES / "tessera/Process/CommandFailure.swift").read_text()
    part = source.partition("switch remedy {")[2].partition("\n  }")[0]
    made = {}
    for name, body in re.findall(r"case \.(\w+)[^:]*:\s*((?:.|\n)*?)(?=\n +case|\n +})", part):
        made[name] = next(literal.text for literal in literals(body))
    return made


@dataclasses.dataclass
class Literal:
    """A text in the source, with … for each interpolation, and the call that it is an argument of."""

    start: int
    end: int
    text: str
    call: str
    open: int


def literals(source):
    """The texts of a Swift source; those joined by + are one."""
    found, stack, at = [], [], 0
    skip = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/|#([\"/])[\s\S]*?\1#")
    while at < len(source):
        passed = skip.match(source, at)
        if passed:
            at = passed.end()
        elif source[at] == '"':
            end, text = literal_text(source, at)
            call, opened = stack[-1] if stack else ("", 0)
            last = found[-1] if found else None
            if last and re.fullmatch(r"\s*\+\s*", source[last.end : at]):
                last.end, last.text = end, last.text + text
            else:
                found.append(Literal(at, end, text, call, opened))
            at = end
        else:
            if source[at] in "([{":
                name = re.search(r"[\w.]+$", source[max(0, at - 60) : at]) if source[at] == "(" else None
                stack.append((name[0] if name else "", at))
            elif source[at] in ")]}" and stack:
                stack.pop()
            at += 1
    return found


def literal_text(source, at):
    quote = '"""' if source.startswith('"""', at) else '"'
    at, parts = at + len(quote), []
    while not source.startswith(quote, at):
        if source[at] != "\\":
            parts.append(source[at])
            at += 1
        elif source[at + 1] == "(":
            at = interpolation_end(source, at + 2)
            parts.append("…")
        elif source[at + 1] == "\n":
            at = re.compile(r"\s*").match(source, at + 1).end()
        else:
            parts.append({"n": "\n", "t": "\t"}.get(source[at + 1], source[at + 1]))
            at += 2
    return at + len(quote), re.sub(r"\s*\n\s*", " ", "".join(parts))


def interpolation_end(source, at):
    depth = 1
    while depth:
        if source[at] == '"':
            at = literal_text(source, at)[0]
            continue
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        at += 1
    return at


# --- Reading C


def c_messages():
    """The sentences of the program for pictures."""
    codes = {
        "EX_USAGE": "usage", "EX_DATAERR": "invalidInput", "EX_UNAVAILABLE": "unavailable", "EX_OSERR": "unavailable",
        "EX_SOFTWARE": "unavailable", "EX_IOERR": "cannotWrite",
    }
    for path in sorted((SOURCES / "tessera-pictures").glob("*.c")):
        for code, sentence in re.findall(r'fail\((EX_\w+), "((?:[^"\\]|\\.)*)"', path.read_text()):
            plain = re.sub(r"%(zu|[sdgu])", "…", sentence.replace('\\"', '"'))
            sentence, _, remedy = plain.partition("; ")
            yield Message(sentence, remedy, codes[code])
