#!/usr/bin/env python3
"""Checks the pages in a folder in a real browser, for the tests of tests/program/browser.rs.

    check.py WHAT FOLDER

Times are printed, but never cause a failure. If KT_PICTURES names a folder, pictures of all pages are
kept there, in light and dark.
"""
import os
import pathlib
import re
import signal
import sys
import time

from chromium import Chromium

FOLDER = pathlib.Path(sys.argv[2])
BOARDS = ["3x4", "8x8", "20x20", "3x30"]
TEXT = "document.querySelector('{}').textContent"


def equal(value, expected, what=""):
    assert value == expected, f"{what}: {value!r}, not {expected!r}"


def text(browser, selector):
    return browser.value(TEXT.format(selector))


def knight(browser):
    return browser.value("['cx', 'cy'].map(c => Number(document.querySelector('.knight').getAttribute(c)))")


def position(browser):
    return browser.value("Number(at.value)")


def choose(browser, select, word):
    """Chooses the first option that begins with a word, as a user does, and returns its text."""
    return browser.value(f"""(() => {{ const all = [...{select}.options], one = all.find(o => o.text.startsWith('{word}'));
        {select}.value = one.value; {select}.dispatchEvent(new Event('change', {{bubbles: true}})); return one.text; }})()""")


def player(browser):
    """The 112 classes of 5x5 open tours."""
    browser.window(1280, 900)
    browser.open(FOLDER / "5x5.html")
    equal(position(browser), 24, "a tour is shown whole at first")
    start = browser.value("['cx', 'cy'].map(c => Number(document.querySelector('.start').getAttribute(c)))")
    equal(start, [0.5, 4.5], "the first tour starts on a1")
    end = knight(browser)
    browser.press("Home")
    equal((position(browser), knight(browser)), (0, start), "Home")
    browser.press("ArrowRight")
    equal(position(browser), 1, "an arrow steps")
    x, y = knight(browser)
    equal(sorted([abs(x - start[0]), abs(y - start[1])]), [1, 2], "a step is a knight's move")
    equal(browser.value("document.querySelector('.tour').getAttribute('stroke-dasharray')"), "1 25")
    browser.press("ArrowLeft")
    equal(position(browser), 0)
    browser.press("End")
    equal((position(browser), knight(browser)), (24, end), "End")
    for button, expected in [("#back", 23), ("#on", 24), ("#home", 0), ("#on", 1), ("#end", 24)]:
        browser.click(button)
        equal(position(browser), expected, button)
    choose(browser, "speed", "30")
    for start_playing in [lambda: browser.press(" "), lambda: browser.click("#play")]:
        browser.value("document.activeElement.blur()")
        start_playing()
        equal(browser.value("play.getAttribute('aria-label')"), "Pause")
        # Wait until the player has reached the end by itself.
        browser.value("new Promise(done => { const look = () => play.ariaLabel === 'Play' ? done() : setTimeout(look, 20); look(); })")
        equal(position(browser), 24, "played to the end")
    browser.value("speed.value = 1")
    browser.value("document.activeElement.blur()")
    browser.press(" ")
    browser.press(" ")
    equal(browser.value("play.getAttribute('aria-label')"), "Play", "space pauses")
    assert position(browser) < 24
    browser.click("#numbers")
    browser.press("Home")
    browser.press("ArrowRight")
    visible = "document.querySelectorAll('.numbers > g:not([visibility=hidden])').length"
    equal(browser.value(visible), 2, "the numbers of the squares visited")
    # Every element that the keyboard reaches has a name and shows the focus.
    names = browser.value("[...document.querySelectorAll('button, input, select')].map(e => e.ariaLabel || e.labels?.[0]?.textContent || e.textContent)")
    assert len(names) > 30 and all(name.strip() for name in names), names
    browser.press("Tab")
    equal(browser.value("getComputedStyle(document.activeElement).outlineStyle"), "solid", "visible focus")
    # A tour of the gallery is taken into the player.
    browser.click("#tours li:nth-child(5) button")
    assert text(browser, "#position").startswith("Tour 5: ")
    equal(browser.value("document.querySelectorAll('#tours [aria-current=true]').length"), 1)


def elsewhere(browser):
    """The 112 classes of 5x5 open tours: reached by number and by link, copied, saved."""
    browser.window(1280, 757)
    browser.open(FOLDER / "5x5.html")
    browser.value("which.value = 57; which.dispatchEvent(new Event('change'))")
    assert text(browser, "#position").startswith("Tour 57: ")
    equal(browser.value("location.hash"), "#tour=57")
    equal(browser.value("document.querySelector('#tours [aria-current=true]').value"), "56", "its page of the gallery")
    browser.value("which.value = 113; which.dispatchEvent(new Event('change'))")
    equal(browser.value("which.value"), "57", "there are 112")
    browser.open(FOLDER / "one.html")
    browser.open(FOLDER / "5x5.html#tour=100")
    assert text(browser, "#position").startswith("Tour 100: ")
    # The page has listened for longer, so its own listener is called first.
    browser.value("new Promise(done => { addEventListener('hashchange', done, {once: true}); location.hash = '#tour=3'; }).then(() => 0)")
    assert text(browser, "#position").startswith("Tour 3: ")
    # Capture the output to the clipboard and to a file.
    browser.value("""navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); };
        URL.createObjectURL = blob => { window.saved = blob; return 'blob:none'; };
        HTMLAnchorElement.prototype.click = function () { window.file = this.download; };""")
    browser.press("Home")
    browser.click("#copy")
    browser.click("#save")
    listed = (FOLDER / "5x5.txt").read_text().splitlines()
    equal(browser.value("copied"), listed[2])
    equal(browser.value("file"), "tour-3.svg")
    picture = browser.value("saved.text()")
    (FOLDER / "saved.svg").write_text(picture)
    browser.open(FOLDER / "saved.svg")
    equal(browser.value("document.querySelector('.tour').getTotalLength() > 24 * 2.2"), True, "all of its moves")
    equal(browser.value("getComputedStyle(document.querySelector('.ground')).fill"), "rgb(255, 255, 255)")
    # All controls are in a window of this height, of many tours and of one.
    for page in ["5x5.html", "one.html"]:
        browser.open(FOLDER / page)
        equal(browser.value("document.querySelector('#player').getBoundingClientRect().bottom <= innerHeight"), True, page)


def filters(browser):
    """The 1,245 classes of closed 6x6 tours: 5 of four symmetries, 17 of two, 1,223 of one, as published."""
    browser.window(1280, 900)
    browser.open(FOLDER / "6x6-closed.html")
    equal(text(browser, "#count"), "1,245 tours")
    for word, count in [("asymmetric", "1,223"), ("symmetric", "22"), ("under a half turn", "17"), ("under quarter turns", "5")]:
        equal(choose(browser, "symmetry", word), f"{word} ({count})")
        equal(text(browser, "#count"), f"{count} of 1,245 tours")
    equal(browser.value("document.querySelectorAll('#tours li').length"), 5)
    assert "closed, symmetric under quarter turns" in text(browser, "#about")
    # What is chosen is saved as a list, and a caption is one line.
    browser.value("""URL.createObjectURL = blob => { window.saved = blob; return 'blob:none'; };
        HTMLAnchorElement.prototype.click = function () { window.file = this.download; };""")
    browser.click("#list")
    equal(browser.value("file"), "tours.txt")
    lines = browser.value("saved.text()").splitlines()
    equal([len(line.split()) for line in lines], [36] * 5)
    equal(len(set(lines)), 5)
    height = "Math.max(...[...document.querySelectorAll('#tours button')].map(b => b.offsetHeight - b.firstChild.getBoundingClientRect().height))"
    assert browser.value(height) < 40, "captions do not wrap"
    equal(browser.value("[...kind.options].map(o => o.text)"), ["all", "closed (1,245)"])
    # Open and re-entrant tours of 6x6, and closed ones, in one page.
    browser.open(FOLDER / "kinds.html")
    options = browser.value("[...kind.options].map(o => o.text)")
    equal(options[0], "all")
    shown = 0
    for word in ["open", "re-entrant"]:
        label = choose(browser, "kind", word)
        count = text(browser, "#count").split()[0]
        equal(label, f"{word} ({count})")
        shown += int(count.replace(",", ""))
    choose(browser, "symmetry", "asymmetric")
    equal(choose(browser, "kind", "all"), "all")
    choose(browser, "symmetry", "all")
    equal(text(browser, "#count"), f"{shown:,} tours")


def many(browser):
    """10,000 tours of 8x8: every page is visited."""
    browser.window(1280, 900)
    began = time.monotonic()
    browser.open(FOLDER / "many.html")
    opened = time.monotonic() - began
    equal(text(browser, "#count"), "10,000 tours")
    equal(text(browser, "#pages"), "of 417")
    milliseconds = browser.value("""(() => { const began = performance.now();
        for (let n = 1; n < 417; n++) { after.click(); document.body.getBoundingClientRect(); }
        return performance.now() - began; })()""")
    equal(browser.value("page.value"), "417")
    equal(browser.value("document.querySelectorAll('#tours li').length"), 10_000 - 416 * 24)
    equal(browser.value("after.disabled"), True)
    browser.click("#tours li:last-child button")
    assert text(browser, "#position").startswith("Tour 10,000: ")
    browser.value("page.value = 200; page.dispatchEvent(new Event('change'))")
    equal(text(browser, "#tours li:first-child button"), f"{199 * 24 + 1:,}")
    print(f"10,000 tours of 8x8: opened in {opened:.2f} s, 416 pages turned in {milliseconds:.0f} ms")


def geometry(browser):
    """One tour of each board, drawn by the script as by the program."""
    browser.window(1280, 900)
    for board in BOARDS:
        rows, cols = map(int, board.split("x"))
        browser.open(FOLDER / f"{board}.svg")
        picture = browser.value("document.querySelector('.tour').getAttribute('points').split(' ').map(p => p.split(',').map(Number))")
        equal(len(picture), rows * cols, board)
        shape = browser.value("document.querySelector('.tour').tagName")
        box = browser.value("(() => { const b = document.querySelector('.tour').getBBox(); return [b.x, b.y, b.width, b.height]; })()")
        equal(box, [0.5, 0.5, cols - 1, rows - 1], board)
        browser.open(FOLDER / f"{board}.html")
        path = browser.value("document.querySelector('.tour').getAttribute('d')")
        points = [list(map(float, point.split())) for point in path.strip("MZ").split("L")]
        equal(points, picture, board)
        equal(path.endswith("Z"), shape == "polygon", board)
        start = browser.value("['cx', 'cy'].map(c => Number(document.querySelector('.start').getAttribute(c)))")
        equal(start, picture[0], board)
        equal(browser.value("document.querySelector('.end') !== null"), shape == "polyline", board)
        for selector in ["#stage .light", "#stage .tour"]:
            size = browser.value(f"document.querySelector('{selector}').getBoundingClientRect().width")
            assert size > 200, f"{board}: {selector} is {size} wide"


def fast(browser):
    """A tour of 100x100 at most speed: several moves for each picture."""
    browser.window(1280, 900)
    browser.open(FOLDER / "100x100.html")
    assert "move 9,999 of 9,999" in text(browser, "#position") or "move 10,000 of 10,000" in text(browser, "#position")
    browser.press("Home")
    browser.value("speed.value = speed.options[speed.length - 1].value")
    browser.value("window.shown = 0; new MutationObserver(() => { shown++; }).observe(document.querySelector('#position'), { childList: true })")
    began = time.monotonic()
    browser.click("#play")
    browser.value("new Promise(done => { const look = () => play.ariaLabel === 'Play' ? done() : setTimeout(look, 20); look(); })")
    shown = browser.value("shown")
    assert position(browser) >= 9_999
    assert shown < 9_000, f"{shown} pictures"
    print(f"100x100: played in {time.monotonic() - began:.1f} s, {shown} pictures")


def schemes(browser):
    """On a wide window and on a phone, light and dark."""
    ground = {"svg": "getComputedStyle(document.querySelector('.ground')).fill", "html": "getComputedStyle(document.body).backgroundColor"}
    for page in sorted(FOLDER.iterdir()):
        kind = page.suffix[1:]
        if kind not in ground:
            continue
        seen = []
        for width, is_phone in [(1280, False), (360, True)]:
            for is_dark in [False, True]:
                # A phone gives a picture alone a window of its own width.
                browser.window(width, 780, is_dark, is_phone and kind == "html")
                browser.open(page)
                seen.append(browser.value(ground[kind]))
                wide = browser.value("document.documentElement.scrollWidth")
                assert wide <= width, f"{page.name} is {wide} wide where {width} are"
                if "KT_PICTURES" in os.environ:
                    name = f"{page.name}-{width}-{'dark' if is_dark else 'light'}.png"
                    browser.picture(pathlib.Path(os.environ["KT_PICTURES"]) / name)
        equal(seen, ["rgb(255, 255, 255)", "rgb(21, 23, 27)"] * 2, page.name)


def hostile(browser):
    """A title that contains a script, and a script that is added to the file afterwards."""
    browser.open(FOLDER / "title.html")
    equal(text(browser, "h1"), "</title></script><script>injected=1</script><img src=x onerror='injected=1'>{{tours}}\"&amp;")
    equal(browser.value("[typeof injected, document.scripts.length, document.images.length]"), ["undefined", 2, 0])
    equal(text(browser, "#count"), "16 tours")
    browser.open(FOLDER / "title.svg")
    equal(browser.value("[typeof injected, document.scripts.length]"), ["undefined", 0])
    equal(browser.errors, [])
    page = (FOLDER / "title.html").read_text()
    injected = "<script>injected=1</script><img src='http://127.0.0.1:9/x' onerror='injected=1'><p id=late style='color:red' onclick='injected=1'>x</p>"
    (FOLDER / "injected.html").write_text(page.replace("<main>", injected + "<main>"))
    browser.open(FOLDER / "injected.html")
    browser.click("#late")
    equal(browser.value("typeof injected"), "undefined")
    equal(text(browser, "#count"), "16 tours")
    refused = [error for error in browser.errors if "Content Security Policy" in error]
    assert len(refused) >= 3 and len(refused) == len(browser.errors), browser.errors
    browser.errors.clear()


def kept(browser, name):
    """Keeps a picture, if pictures are wanted."""
    if "KT_PICTURES" in os.environ:
        browser.picture(pathlib.Path(os.environ["KT_PICTURES"]) / f"{name}.png", whole=True)


def grids(path):
    """The numbers of the boards of a file by the names of their squares; nothing stands for an empty one."""
    boards, holes = [], []
    for board in re.split(r"\n\n|# its solution\n", path.read_text()):
        rows = [line.split() for line in board.splitlines() if not line.startswith("# ")]
        if rows:
            # A row of hexagons begins with its first one.
            if "# board" in board:
                holes = re.findall(r"[a-z]\d+", "".join(re.findall(r"piece=hex without=(\S+)", board)))
            first = [next(col for col in range(8) if "abcdefgh"[col] + str(len(rows) - row) not in holes) for row in range(len(rows))]
            boards.append({"abcdefgh"[first[row] + col] + str(len(rows) - row): entry.strip(".") for row, entries in enumerate(rows)
                           for col, entry in enumerate(entries) if entry != "#"})
    return boards


def solving(browser):
    """A page of puzzles, each with its solution in a file beside it, is solved by clicks, on a phone and on a wide window."""
    for file in sorted(FOLDER.glob("*.txt")):
        boards = grids(file)
        for width, height, is_dark in [(390, 844, False), (1280, 900, False), (390, 844, True)]:
            browser.window(width, height, is_dark, width == 390)
            with browser.remembering("{}"):
                browser.open(file.with_suffix(".html"))
            name = f"{file.stem}-{width}{'-dark' if is_dark else ''}"
            kept(browser, f"{name}-empty")
            for number, (puzzle, solution) in enumerate(zip(boards[::2], boards[1::2])):
                if number:
                    browser.click("#after")
                wide = browser.value("document.documentElement.scrollWidth")
                assert wide <= width, f"{wide} wide where {width} are"
                solve(browser, puzzle, solution, name)
            equal(browser.errors, [])


def shown(browser):
    """The numbers of the board that is shown, by the names of the squares."""
    return browser.value("""Object.fromEntries([...document.querySelectorAll('.shown .square')].map(square => {
        const box = square.getBBox(), middle = {x: box.x + box.width / 2, y: box.y + box.height / 2};
        const here = [...document.querySelectorAll('.shown .numbers text')].find(text =>
            ['x', 'y'].every(key => Math.abs(Number(text.getAttribute(key)) - middle[key]) < .01));
        return [square.dataset.square, here ? here.textContent : '']; }))""")


def put(browser, square, number):
    browser.click(f".shown [data-square={square}]")
    browser.click(f"#pad button[value='{number}']")


def solve(browser, puzzle, solution, name):
    equal(shown(browser), puzzle, "the page has the numbers that are given, and no others")
    empty = [square for square in puzzle if not puzzle[square]]
    first, second = empty[:2]
    # A wrong number is said to be wrong, by the page and by a hint.
    put(browser, first, solution[second])
    assert f"{solution[second]} on {first} is wrong" in text(browser, "#message"), text(browser, "#message")
    equal(text(browser, ".shown .wrong"), solution[second])
    equal(browser.value("document.querySelectorAll('.shown .bad').length"), 1)
    kept(browser, f"{name}-wrong")
    browser.click("#hint")
    assert f"{solution[second]} on {first} is wrong" in text(browser, "#message")
    browser.click("#undo")
    equal(shown(browser), puzzle, "taken back")
    # Unless it is to be said, nothing is.
    browser.click("#tells")
    put(browser, first, solution[second])
    equal([text(browser, "#message"), browser.value("document.querySelectorAll('.shown .bad, .shown .wrong').length")], [f"{solution[second]} on {first}", 0])
    browser.click("#erase")
    browser.click("#tells")
    equal(shown(browser), puzzle, "erased")
    # A number that is given stays where it is, and so does the number of its square.
    given = next(square for square in puzzle if puzzle[square])
    put(browser, given, solution[first])
    equal(text(browser, "#message"), f"{puzzle[given]} on {given} is given.")
    # The hints solve a few squares, the keys one, and clicks the others.
    for _ in range(3):
        browser.click("#hint")
        step, square = re.match(r"(\d+) goes on (\w+)", text(browser, "#message")).groups()
        equal(solution[square], step, "a hint")
        browser.click(f"#pad button[value='{step}']")
    kept(browser, f"{name}-part")
    empty = [square for square in empty if not shown(browser)[square]]
    browser.click(f".shown [data-square={empty[0]}]")
    for digit in solution[empty[0]]:
        browser.press(digit)
    browser.press("Enter")
    equal(shown(browser)[empty[0]], solution[empty[0]], "typed")
    # What is filled in is there again when the page is.
    before = shown(browser)
    with browser.remembering(browser.memory()):
        browser.reload()
    equal(shown(browser), before, "kept")
    for square in empty[1:]:
        put(browser, square, solution[square])
    equal(shown(browser), solution)
    equal(text(browser, "#message"), "Solved: every number is in its place.")
    kept(browser, f"{name}-solved")


def printed(browser):
    """Sheets of twelve puzzles with their answers have the same pages on A4 and on Letter."""
    for sheet, pages in [("knights", 3), ("kings", 2), ("mixed", 3)]:
        browser.open(FOLDER / f"{sheet}.html")
        equal(browser.value("document.querySelectorAll('button, input, script').length"), 0)
        for paper, size in [("a4", (8.27, 11.69)), ("letter", (8.5, 11))]:
            pdf = browser.pdf(size)
            if "KT_PICTURES" in os.environ:
                (pathlib.Path(os.environ["KT_PICTURES"]) / f"{sheet}-{paper}.pdf").write_bytes(pdf)
            equal(len(re.findall(rb"/Type /Page\b", pdf)), pages, f"{sheet} on {paper}")


# A check takes seconds: a browser that hangs is an error.
signal.alarm(300)
with Chromium() as chromium:
    globals()[sys.argv[1]](chromium)
    equal(chromium.errors, [], "errors of the page")
