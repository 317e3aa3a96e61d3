"""Uses every part of the playground in a browser, and compares it with the command.

    browser.py COMMAND LIBRARIES REPOSITORY

COMMAND is the built tessera, LIBRARIES the engines' folder. Exits with status 1 at the first
difference.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

COMMAND, LIBRARIES, REPOSITORY = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 200  # seconds for whatever must happen sooner or later, also on a loaded machine


class Server:
    """A playground on a free port."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [COMMAND, "play", "--no-open", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Ignored by background jobs.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.process.stderr.read())
        self.host = urlsplit(self.address).netloc
        self.port = int(self.host.split(":")[1])

    def close(self):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        assert status == -signal.SIGINT, f"Ctrl-C ended the server with {status}"


def open_page(browser, **settings):
    page = browser.new_page(**settings)
    page.set_default_timeout(PATIENCE * 1000)
    return page


def frames_of_page(page, view=0):
    """Frames of nodes, by kind, section and item."""
    return page.evaluate(
        """(view) => {
          const found = {};
          for (const [key, node] of views[view].nodes) {
            const [x, y] = views[view].offset, s = views[view].scroller;
            found[key] = [parseFloat(node.style.left) + x - s.scrollLeft,
              parseFloat(node.style.top) + y - s.scrollTop,
              parseFloat(node.style.width), parseFloat(node.style.height)];
          }
          return found;
        }""",
        view,
    )


def frames_of_command(page, folder):
    """The command's frames for the page's exported scenario and command line."""
    scenario = page.evaluate("({ ...scenario(), offset: views[0].offset })")
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario))
    x, y = page.evaluate("views[0].offset")
    w, h = page.evaluate("state.bounds")
    result = subprocess.run(
        [
            COMMAND,
            "layout",
            page.evaluate("state.engine"),
            "--scenario",
            str(path),
            "--rect",
            f"{x - w / 2},{y - h / 2},{w * 2},{h * 2}",
            "--format",
            "json",
        ],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    found = {}
    for e in json.loads(result.stdout)["elements"]:
        if e.get("hidden"):
            continue
        kind = e.get("kind", e["category"])
        found[f"{e['category']}/{kind}/{e['section']}/{e['item']}"] = e["frame"]
    return found


def wait(page, condition, seconds=PATIENCE):
    """Polls, as the page's policy forbids evaluation in the browser."""
    end = time.time() + seconds
    while not page.evaluate(f"!!({condition})"):
        assert time.time() < end, f"{condition} is still false: {page.inner_text('#error')}"
        page.wait_for_timeout(10)


def settled(page):
    wait(
        page,
        "!views[0].isWaiting && !views[0].isStale && !animating && facts"
        " && byId('state').textContent !== 'connecting'",
    )


def compare(page, folder, what):
    settled(page)
    shown, expected = frames_of_page(page), frames_of_command(page, folder)
    assert set(shown) == set(expected), (
        f"{what}: shown but not expected {sorted(set(shown) - set(expected))[:4]}, "
        f"expected but not shown {sorted(set(expected) - set(shown))[:4]}"
    )
    for key, frame in expected.items():
        for a, b in zip(shown[key], frame):
            assert (
                abs(a - b) < 0.01
            ), f"{what}: {key} is shown at {shown[key]}, the command says {frame}"


def check_controls(page, folder):
    values = {
        "size": "width/8,30",
        "point": "3,4",
        "insets": "5,6,7,8",
        "number": "7",
        "int": "3",
        "bool": None,
    }
    for engine in page.eval_on_selector_all("#engine option", "all => all.map((o) => o.value)"):
        page.select_option("#engine", engine)
        wait(page, f"facts.id === '{engine.split('#')[-1]}'")
        compare(page, folder, engine)
        used = 0
        for one in page.evaluate("facts.parameters"):
            key = f"#c-parameters-{one['name']}"
            if not page.query_selector(key):
                continue
            before = frames_of_page(page)
            if one["choices"]:
                page.select_option(key, one["choices"][-1])
            elif one["type"] == "bool":
                page.check(key)
            elif values.get(one["type"]):
                page.fill(key, values[one["type"]])
            used += 1
            settled(page)
            if page.inner_text("#state") != "live":
                # On a rejected value, the page shows an error and keeps its picture.
                assert page.inner_text("#error"), f"{engine} {one['name']}: no sentence"
                assert frames_of_page(page) == before, "the last picture is gone"
                page.click("#undo")
                settled(page)
        compare(page, folder, f"{engine} with {used} parameters")
        page.click("#reset")


def check_changes(page, folder):
    page.select_option("#engine", "org.tessera.flow")
    wait(page, "facts.id === 'org.tessera.flow'")
    settled(page)
    page.fill("#c-counts", "12,5")
    page.fill("#c-values-size", "60+noise(item)*80,70")
    page.fill("#c-bounds", "320x480")
    page.select_option("#c-direction", "rightToLeft")
    page.fill("#c-contentInsets", "4,5,6,7")
    compare(page, folder, "values and surroundings")
    for name, count in [
        ("insert", "13,5"),
        ("delete", "12,5"),
        ("move", "12,5"),
        ("shuffle", "12,5"),
        ("reload", "12,5"),
    ]:
        page.click("#stage .e >> nth=2")
        page.evaluate("window.namesBefore = names")
        page.click(f"[data-change={name}]")
        # Replaced when the change is done.
        wait(page, "names !== window.namesBefore")
        settled(page)
        assert not page.inner_text("#error"), page.inner_text("#error")
        assert page.input_value("#c-counts") == count, f"{name}: {page.input_value('#c-counts')}"
        compare(page, folder, name)
    page.click("#undo")
    page.click("#redo")
    compare(page, folder, "undo and redo")
    corner = page.locator(".handle.corner")
    box = corner.bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 108, box["y"] + 58, steps=8)
    page.mouse.up()
    compare(page, folder, "dragging the corner")
    assert page.evaluate("state.bounds") == [420, 530], page.evaluate("state.bounds")
    corner.focus()
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert page.evaluate("state.bounds") == [410, 530]
    page.select_option("#other", "org.tessera.mosaic")
    wait(page, "views[1].message && byId('differences').textContent")
    assert "differ" in page.inner_text("#differences")
    page.evaluate("byId('scrub').value = 500; byId('scrub').dispatchEvent(new Event('input'))")
    wait(page, "scrubbed && scrubbed.played.length")
    page.evaluate("byId('scrub').value = 0; byId('scrub').dispatchEvent(new Event('input'))")
    page.select_option("#other", "")
    page.focus("#stage .e[tabindex='0']")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#name").startswith("cell"), page.inner_text("#name")
    link = page.evaluate("location.href")
    copy = open_page(page.context.browser)
    copy.goto(link)
    settled(copy)
    assert copy.evaluate("JSON.stringify(state)") == page.evaluate("JSON.stringify(state)")
    copy.close()


def check_code(page, folder):
    page.select_option("#engine", "org.tessera.flow")
    wait(page, "facts.id === 'org.tessera.flow'")
    page.click("#reset")
    page.fill("#c-counts", "12,5")
    page.fill("#c-parameters-itemSize", "80,60")
    page.select_option("#c-parameters-scrollDirection", "horizontal")
    settled(page)
    page.click("#code summary")
    for language, lines in {
        "Command line": [
            "tessera layout org.tessera.flow",
            "--sections 12,5",
            "--set itemSize=80,60",
        ],
        "Python": [
            '"org.tessera.flow"',
            "sections=[12, 5]",
            "itemSize=(80, 60)",
            'scrollDirection="horizontal"',
        ],
        "Swift": [
            '.setParameter("itemSize", to: .size(Size(width: 80, height: 60)))',
            ".setSections([12, 5])",
        ],
        "C": [
            'set_parameter(session, "itemSize", (const double[]){80, 60}, 2);',
            "sections[] = {12, 5};",
        ],
    }.items():
        page.select_option("#language", language)
        text = page.inner_text("#program")
        for line in lines:
            assert line in text, f"{language}: no {line} in {text}"
    # The C program compiles and prints the command's output.
    source = folder / "program.c"
    source.write_text(text)
    headers = [REPOSITORY / "Sources" / name / "include" for name in ("CTessera", "CTesseraHost")]
    subprocess.run(
        [
            "gcc",
            "-fsyntax-only",
            "-Wall",
            "-Werror",
            *(f"-I{folder}" for folder in headers),
            str(source),
        ],
        check=True,
    )
    page.select_option("#language", "Scenario")
    assert json.loads(page.inner_text("#program")) == page.evaluate("scenario()")
    page.click("#code summary")
    # A choice by picture, a number by slider, and a viewport larger than its column.
    page.click(".swatches button[title=vertical]")
    assert page.input_value("#c-parameters-scrollDirection") == "vertical"
    wait(page, "[...document.querySelectorAll('.swatches img')].every((i) => i.naturalWidth > 0)")
    page.select_option("#engine", "org.tessera.justified")
    wait(page, "facts.id === 'org.tessera.justified'")
    assert page.locator(".swatches").first.is_visible()
    slider = page.locator("input[type=range][aria-label^=rowHeightTolerance]")
    slider.evaluate("(s) => { s.value = 0.5; s.dispatchEvent(new Event('input')); }")
    compare(page, folder, "a tolerance by its slider")
    assert page.evaluate("state.parameters.rowHeightTolerance") == "0.5"
    page.fill("#c-bounds", "2000x600")
    settled(page)
    room = page.evaluate("byId('devices').parentElement.clientWidth")
    assert page.locator("#device").bounding_box()["width"] <= room + 4
    page.click("#zoom")
    assert abs(page.locator("#device").bounding_box()["width"] - 2000) < 4
    page.click("#zoom")
    page.click("#reset")
    page.fill("#c-bounds", "375x667")


def check_more(page, folder):
    page.click("#reset")
    page.click("#gallery summary")
    wait(
        page,
        "[...byId('pictures').querySelectorAll('img')].slice(0, 8).every("
        "(i) => i.complete && i.naturalWidth > 0)",
    )
    page.click("#pictures button:has-text('Cover Flow')")
    wait(page, "facts.id === 'org.tessera.cover-flow'")
    page.fill("#c-counts", "30")
    page.fill("#c-bounds", "640x300")
    settled(page)
    page.evaluate("byId('scroller').scrollTo(1480, 0)")
    rest = json.loads(
        subprocess.run(
            [
                COMMAND,
                "snap",
                "cover-flow",
                "--items",
                "30",
                "--bounds",
                "640x300",
                "--offset",
                "1480,0",
                "--format",
                "json",
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    expected = rest["resting"][0]
    wait(page, f"Math.abs(views[0].offset[0] - {expected}) < 1")

    page.select_option("#engine", "org.tessera.flow")
    wait(page, "facts.id === 'org.tessera.flow'")
    page.evaluate("useTable('items.csv', 'width,height\\n40,30\\n60,30\\n90,30\\n')")
    wait(page, "views[0].message.count === 3")
    settled(page)
    assert [f[2] for f in frames_of_page(page).values()] == [40, 60, 90], frames_of_page(page)
    page.evaluate("useTable('items.csv', 'width,height\\n40,x\\n')")
    wait(page, "byId('error').textContent.includes('line 2')")
    page.fill("#c-counts", "9")
    settled(page)

    page.select_option("#other", "=")
    wait(page, "views[1].message && byId('differences').textContent")
    assert page.inner_text("#differences").startswith("Nothing"), page.inner_text("#differences")
    page.fill("#c-parameters-itemSize", "80,80")
    wait(page, "byId('differences').textContent.includes('differ:')")
    assert {f[2] for f in frames_of_page(page, 1).values()} == {50}, "the second keeps its settings"
    page.check("#overlay")
    page.uncheck("#overlay")
    page.select_option("#other", "file")
    page.fill("#other-file", str(LIBRARIES / "libTesseraGrid.so"))
    page.keyboard.press("Enter")
    wait(page, "otherFacts && otherFacts.id === 'org.tessera.grid'")
    page.select_option("#other", "")
    page.click("#reset")


def check_files(page, folder):
    """Exports a picture, and opens exports and recordings."""
    page.select_option("#engine", "org.tessera.flow")
    wait(page, "facts.id === 'org.tessera.flow'")
    page.fill("#c-counts", "3,5")
    page.fill("#c-values-size", "60+noise(item)*80,70")
    settled(page)
    page.click("#stage .e >> nth=2")
    assert "prepare of Flow" in page.inner_text("#facts"), page.inner_text("#facts")

    with page.expect_download() as download:
        page.evaluate("exportAs('png')")
    picture = Path(download.value.path()).read_bytes()
    path = folder / "drawn.json"
    path.write_text(page.evaluate("JSON.stringify({ ...scenario(), offset: state.offset })"))
    svg = subprocess.run(
        [COMMAND, "layout", "flow", "--scenario", str(path), "--format", "svg"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    size = [round(2 * float(n)) for n in re.search(r'width="(\S+)" height="(\S+)"', svg).groups()]
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    found = [int.from_bytes(picture[n : n + 4], "big") for n in (16, 20)]
    assert all(abs(a - b) <= 1 for a, b in zip(found, size)), (found, size)

    exported = page.evaluate("JSON.stringify(scenario())")
    page.evaluate("state.offset = [0, 0]")
    before = page.evaluate("JSON.stringify(scenario())")
    page.click("#reset")
    page.fill("#c-counts", "7")
    settled(page)
    page.evaluate("([name, text]) => openFile(name, text)", ["exported.json", exported])
    settled(page)
    assert json.loads(page.evaluate("JSON.stringify(scenario())")) == json.loads(before)
    compare(page, folder, "an exported scenario, opened again")

    recording = folder / "recorded.jsonl"
    subprocess.run(
        [
            COMMAND,
            "layout",
            "grid",
            "--sections",
            "4,9",
            "--set",
            "columns=3",
            "--bounds",
            "300x400",
            "--record",
            str(recording),
            "--format",
            "csv",
        ],
        capture_output=True,
        check=True,
    )
    page.evaluate(
        "([name, text]) => openFile(name, text)", ["recorded.jsonl", recording.read_text()]
    )
    wait(page, "facts.id === 'org.tessera.grid'")
    compare(page, folder, "a recording")
    assert page.evaluate("[state.counts, state.bounds]") == [[4, 9], [300, 400]]
    assert page.input_value("#c-parameters-columns") == "3"
    # Item sizes, without a control.
    subprocess.run(
        [
            COMMAND,
            "layout",
            "flow",
            "--items",
            "6",
            "--item",
            "size=30+item*9,40",
            "--record",
            str(recording),
            "--format",
            "csv",
        ],
        capture_output=True,
        check=True,
    )
    page.evaluate(
        "([name, text]) => openFile(name, text)", ["recorded.jsonl", recording.read_text()]
    )
    wait(page, "facts.id === 'org.tessera.flow'")
    compare(page, folder, "a recording with a size for each item")
    widths = sorted(f[2] for key, f in frames_of_page(page).items() if key.startswith("cell"))
    assert widths == [30, 39, 48, 57, 66, 75], widths
    page.evaluate("openFile('wrong.json', '{\"boundz\": 1}')")
    wait(page, "byId('error').textContent.includes('boundz')")
    page.fill("#c-counts", "20")
    page.click("#reset")
    settled(page)

    server = Server("--engines", str(LIBRARIES), str(recording))
    other = open_page(page.context.browser)
    other.goto(server.address)
    settled(other)
    assert other.evaluate("[facts.id, state.counts]") == ["org.tessera.flow", [6]]
    other.close()
    server.close()


def check_scroll(page):
    """Fetches only visible parts of a million items."""
    page.fill("#c-counts", "1000000")
    wait(page, "views[0].content[1] > 1000000")
    settled(page)
    answers, fetched = page.evaluate("""async () => {
          const start = performance.now(), before = bytesFetched, shown = views[0].framesCount;
          while (performance.now() - start < 2000) {
            byId("scroller").scrollTop += 120;
            await new Promise((next) => requestAnimationFrame(next));
          }
          return [views[0].framesCount - shown, bytesFetched - before];
        }""")
    settled(page)
    assert answers > 0 and fetched < 20e6


def check_reload(page, server, library, built):
    """Replaces the library while displayed, as a build does."""
    wait(page, "byId('state').textContent === 'live'")
    page.evaluate("""() => { window.repainted = new Promise((done) => {
          const view = views[0], render = view.render.bind(view);
          view.render = (m) => { render(m); view.render = render; requestAnimationFrame(done); };
        }); }""")
    shutil.copy(built[1], library.with_suffix(".new"))
    os.rename(library.with_suffix(".new"), library)
    page.evaluate("window.repainted")
    assert page.input_value("#c-parameters-columns") == "3", "the parameter is lost"
    nodes = len(page.query_selector_all("#stage .e"))
    shutil.copy(built[2], library.with_suffix(".new"))
    os.rename(library.with_suffix(".new"), library)
    wait(
        page,
        "byId('state').textContent === 'crashed'"
        " && byId('error').textContent.includes('the grid is out of order')",
    )
    assert len(page.query_selector_all("#stage .e")) == nodes, "the last good picture is gone"
    shutil.copy(built[0], library.with_suffix(".new"))
    os.rename(library.with_suffix(".new"), library)
    wait(page, "byId('state').textContent === 'live'")


def build_grids(folder):
    """The grid, the grid with another name, and a crashing one."""
    source = (REPOSITORY / "Plugins/Grid/grid.c").read_text()
    place = "  grid g = measure(in);\n  if (g.pitch.width"
    assert place in source
    crash = '  fprintf(stderr, "the grid is out of order\\n"); __builtin_trap();\n'
    variants = [
        source,
        source + "\nint grid_of_another_build = 1;\n",
        source.replace(place, crash + place, 1),
    ]
    built = []
    for number, text in enumerate(variants):
        file = folder / f"grid{number}.c"
        file.write_text(text)
        output = folder / f"grid{number}.built"
        subprocess.run(
            [
                "gcc",
                "-std=c11",
                "-O1",
                "-shared",
                "-fPIC",
                "-I",
                str(REPOSITORY / "Sources/CTessera/include"),
                "-I",
                str(REPOSITORY / "Plugins/Grid/include"),
                "-o",
                str(output),
                str(file),
                "-lm",
            ],
            check=True,
        )
        built.append(output)
    return built


def raw(server, request, wait=PATIENCE):
    """Sends bytes; returns the status line, or nothing."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        try:
            connection.sendall(request)
            return connection.recv(200).split(b"\r\n")[0].decode("latin1")
        except (TimeoutError, ConnectionError):
            return ""


def check_abuse(server):
    path = urlsplit(server.address).path

    def get(path, host=server.host, more=""):
        return raw(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())

    def ask(page, more="", body=b"{}"):
        head = f"POST {path}ask/{page} HTTP/1.1\r\nHost: {server.host}\r\n{more}\r\n"
        return raw(server, head.encode() + body)

    own, foreign = f"Origin: http://{server.host}\r\n", "Origin: http://attacker.example\r\n"
    assert " 200 " in get(path)
    assert " 404 " in get("/")
    assert " 404 " in get("/" + "0" * 32 + "/")
    assert " 404 " in get(path + "../../../../etc/passwd")
    assert " 404 " in get(path + "%2e%2e/%2e%2e/etc/passwd")
    assert " 403 " in get(path, host="attacker.example")
    assert " 403 " in get(path, host=f"127.0.0.1.attacker.example:{server.port}")
    assert " 403 " in get(path, more=foreign)
    assert " 403 " in get(path + "events", more=foreign)
    assert " 405 " in get(path + "ask/0")
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    with connection, connection.makefile() as stream:
        connection.sendall(
            f"GET {path}events HTTP/1.1\r\nHost: {server.host}\r\n{own}\r\n".encode()
        )
        line = next(line for line in stream if line.startswith("data: "))
        page = json.loads(line[6:])["page"]
        length = "Content-Length: 2\r\n"
        assert " 403 " in ask(page, length)
        assert " 403 " in ask(page, length + foreign)
        assert " 404 " in ask("0" * 32, length + own)
        for wrong in [
            "",
            "Content-Length: -5\r\n",
            "Content-Length: 999999999999\r\n",
            "Content-Length: x\r\n",
        ]:
            assert " 400 " in ask(page, wrong + own), wrong
        assert " 200 " in ask(page, length + own)
    end = time.time() + PATIENCE
    while " 404 " not in ask(page, length + own):
        assert time.time() < end, "the page is closed, and its playground stays"
    assert " 405 " in raw(
        server, f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 0\r\n\r\n".encode()
    )
    for junk in [
        b"\0" * 1000,
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"\xff" * 5000,
        f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: -5\r\n\r\n".encode(),
    ]:
        raw(server, junk, wait=0.5)
    held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    assert " 200 " in get(path), "a hundred open sockets stop the server"
    for one in held:
        one.close()
    assert " 200 " in get(path)


def check_pictures(browser, folder):
    """Pictures of each format; changed files and forged requests leak nothing."""
    pictures = folder / "pictures"
    pictures.mkdir()
    for name in ["orientation-6.jpg", "plain.avif", "plain.gif", "plain.png", "plain.webp"]:
        shutil.copy(REPOSITORY / "Extras/Pages/Tests/Fixtures/pictures" / name, pictures)
    server = Server("grid", "--engines", str(LIBRARIES), "--images", str(pictures))
    page = open_page(browser)
    page.goto(server.address)
    settled(page)
    images = "[...document.querySelectorAll('#stage img')]"
    wait(page, f"{images}.length === 5 && {images}.every((i) => i.complete && i.naturalWidth > 0)")
    shown = page.evaluate(f"{images}.map((i) => [i.alt, i.src.split('/').slice(-2).join('/')])")
    assert sorted(shown) == [
        ["orientation-6", "0/0"],
        ["plain", "0/1"],
        ["plain", "0/2"],
        ["plain", "0/3"],
        ["plain", "0/4"],
    ], shown
    assert page.input_value("#c-counts") == "5"
    path = urlsplit(server.address).path
    (pictures / "plain.png").write_text("no picture")
    (pictures / "plain.gif").unlink()
    for place, status in [
        ("0/0", 200),
        ("0/3", 404),
        ("0/2", 404),
        ("0/5", 404),
        ("1/0", 404),
        ("0/-1", 404),
        ("../0/0", 404),
        ("", 404),
        ("99999999999999999999/0", 404),
    ]:
        answer = raw(
            server, f"GET {path}image/{place} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
        )
        assert f" {status} " in answer, f"image/{place} is answered by {answer}"
    page.evaluate("useTable('items.csv', 'aspectRatio,image\\n2,/etc/hostname\\n')")
    wait(page, "views[0].message.count === 1")
    assert not page.query_selector("#stage img"), "a table of the page names files of the machine"
    # With table items, choices have neither pictures nor empty boxes.
    page.select_option("#engine", "org.tessera.flow")
    wait(
        page,
        """facts.id === 'org.tessera.flow' && document.querySelector('.swatches') !== null
      && [...document.querySelectorAll('.swatches')].every((box) => box.hidden && !box.offsetParent)""",
    )
    page.close()
    server.close()


def check_swiping(browser, folder):
    """A sideways section follows mouse and wheel, and rests where the engine decides.

    By hand: groups are 0.9 × (375 - 28) = 312.3 wide and 10 apart, so the second one begins 322.3
    after the first.
    """
    path = folder / "swiped.json"
    nodes = [
        {
            "kind": "horizontal",
            "width": 0.9,
            "heightIs": "absolute",
            "height": 150,
            "children": [{}],
        }
    ]
    path.write_text(
        json.dumps(
            {
                "bounds": [375, 480],
                "lists": {"nodes": nodes},
                "parameters": {"interGroupSpacing": 10, "contentInsets": [0, 14, 14, 14]},
                "sections": [
                    {"items": 6, "values": {"orthogonal": "groupPaging"}},
                    {"items": 6, "values": {"orthogonal": "continuous"}},
                    {"items": 2},
                ],
            }
        )
    )
    server = Server("compositional", "--engines", str(LIBRARIES), "--scenario", str(path))
    page = open_page(browser, viewport={"width": 1280, "height": 900})
    page.goto(server.address)
    settled(page)

    def place(key):
        """An element's place, and the page's scale."""
        return page.evaluate(
            "(key) => { const b = views[0].nodes.get(key).getBoundingClientRect(); return [b.x,"
            " b.y, b.width / 312.3]; }",
            key,
        )

    def offset(section):
        return page.evaluate(f"sectionValue({section}, 'orthogonalOffset')")

    for section, moved, rest in ((0, 100, 0), (0, 200, 322.5), (1, 100, 100), (1, -300, 0)):
        x, y, scale = place(f"cell/cell/{section}/{0 if offset(section) < 300 else 1}")
        page.mouse.move(x + 200 * scale, y + 20)
        page.mouse.down()
        page.mouse.move(x + (200 - moved / 2) * scale, y + 20)
        page.mouse.move(x + (200 - moved) * scale, y + 20)
        held = page.evaluate("held.offset")
        page.wait_for_timeout(120)
        page.mouse.up()
        assert page.evaluate("held === null || held.offset") in (
            True,
            held,
        ), "a section that was let go jumps before it rests"
        wait(page, f"!held && sectionValue({section}, 'orthogonalOffset') === {rest}")
        assert rest or section or abs(held - moved) < 1, (held, moved)
        compare(page, folder, f"section {section}, moved by {moved}")
    x, y, scale = place("cell/cell/1/0")
    page.mouse.move(x + 20, y + 20)
    page.mouse.wheel(150, 0)
    wait(page, "!held && sectionValue(1, 'orthogonalOffset') === 150")
    page.mouse.wheel(0, 60)
    wait(page, "views[0].scroller.scrollTop > 0")
    assert offset(1) == 150 and offset(0) == 322.5
    page.evaluate("travel(done, undone)")
    wait(page, "sectionValue(1, 'orthogonalOffset') === 0")
    x, y, scale = place("cell/cell/2/0")
    page.mouse.move(x + 100, y + 20)
    page.mouse.down()
    page.mouse.move(x + 20, y + 20)
    page.mouse.up()
    assert page.evaluate(
        "held === null && press === null"
    ), "a section that does not scroll sideways was swiped"
    page.close()
    server.close()


def check_lost_messages(browser, server):
    """The page reconnects after a lost message, even the first."""
    page = open_page(browser)
    for lose in [lambda route: route.abort(), lambda route: route.fulfill(status=404)]:
        page.route("**/ask/*", lose, times=1)
        page.goto("about:blank")
        page.goto(server.address)
        settled(page)
        page.route("**/ask/*", lose, times=1)
        page.fill("#c-counts", "7")
        wait(page, "views[0].message && views[0].message.count === 7")
        wait(page, "byId('state').textContent === 'live' && !byId('error').textContent")
    page.close()


def check_looks(browser, server):
    for width in [390, 820, 1280]:
        for scheme in ["light", "dark"]:
            page = open_page(browser, viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.goto(server.address)
            settled(page)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= max(width, 420), f"the page is {wide} wide in a window of {width}"
            page.close()


def main():
    problems, requests = [], set()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        server = Server("--engines", str(LIBRARIES), "--items", "40")
        page = open_page(browser, viewport={"width": 1280, "height": 900})

        def watch(page):
            page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda e: problems.append(str(e)))
            page.on("request", lambda r: requests.add(urlsplit(r.url).hostname))

        watch(page)
        page.goto(server.address)
        settled(page)
        check_controls(page, folder)
        check_code(page, folder)
        check_changes(page, folder)
        check_more(page, folder)
        check_files(page, folder)
        check_scroll(page)
        check_abuse(server)
        check_lost_messages(browser, server)
        check_looks(browser, server)
        check_pictures(browser, folder)
        check_swiping(browser, folder)
        # A tab that is closed half-way.
        busy = open_page(browser)
        busy.goto(server.address)
        settled(busy)
        busy.evaluate("send({ do: 'engine', engine: 'org.tessera.flow' })")
        busy.close()
        page.reload()
        settled(page)
        page.close()
        server.close()

        library = folder / "libgrid.so"
        built = build_grids(folder)
        shutil.copy(built[0], library)
        server = Server(str(library), "--set", "columns=3")
        page = open_page(browser, viewport={"width": 1280, "height": 900})
        watch(page)
        page.goto(server.address)
        settled(page)
        check_reload(page, server, library, built)
        page.close()
        server.close()
        browser.close()
    assert not problems, problems
    assert requests <= {"127.0.0.1", None}, requests


main()
