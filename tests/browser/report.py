#!/usr/bin/env python3
"""Checks pages of runs and plots in a real browser, for tests/program/browser_report.rs.

    report.py FOLDER

The folder contains the pages. If KT_PICTURES names a folder, pictures of all pages are kept there, in
light and dark.
"""
import os
import pathlib
import sys

from chromium import Chromium

FOLDER = pathlib.Path(sys.argv[1])

# Boxes of the words of each plot: those that leave the plot, and those that lie on each other.
WORDS = """[...document.querySelectorAll('svg.plot')].flatMap(plot => {
  const words = [...plot.querySelectorAll('text')].map(word => [word.textContent, word.getBoundingClientRect()]);
  const all = plot.getBoundingClientRect();
  const leaves = ([, b]) => b.left < all.left - .5 || b.right > all.right + .5 || b.top < all.top - .5 || b.bottom > all.bottom + .5;
  const touches = ([, a], [, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2;
  const wrong = words.filter(leaves).map(([text]) => text + ' leaves the plot');
  words.forEach((one, place) => words.slice(place + 1).filter(other => touches(one, other)).forEach(other => wrong.push(one[0] + ' touches ' + other[0])));
  return wrong;
})"""

# The contrast between each number of a map and its square.
CONTRASTS = """(() => {
  const rgb = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const light = colour => colour.map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, place) => sum + c * [.2126, .7152, .0722][place], 0);
  const ground = rgb(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('.heat + :is(.off, .mid, .on)')].map(word => {
    const style = getComputedStyle(word.previousElementSibling), opacity = Number(style.fillOpacity);
    const square = rgb(style.fill).map((c, place) => c * opacity + ground[place] * (1 - opacity));
    const [dark, bright] = [light(square), light(rgb(getComputedStyle(word).fill))].sort((a, b) => a - b);
    return (bright + .05) / (dark + .05);
  });
})()"""


def looks_right(browser, page, width, is_dark):
    wide = browser.value("document.documentElement.scrollWidth")
    assert wide <= width, f"{page.name} is {wide} wide where {width} are"
    wrong = browser.value(WORDS)
    assert wrong == [], f"{page.name}, {width} wide: {wrong}"
    faint = [contrast for contrast in browser.value(CONTRASTS) if contrast < 3.5] if page.suffix == ".html" else []
    assert faint == [], f"{page.name}, dark {is_dark}: contrasts {faint}"
    cut = browser.value("[...document.querySelectorAll('.scroll, pre, td')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)")
    assert cut == [], f"{page.name}, {width} wide: cut off: {cut}"
    small = browser.value("[...document.querySelectorAll('svg.plot')].filter(plot => plot.getBoundingClientRect().width < 250).length")
    assert small == 0, f"{page.name}: {small} plots are small"


with Chromium() as browser:
    pages = sorted(page for page in FOLDER.iterdir() if page.suffix in (".html", ".svg"))
    assert len(pages) >= 5
    for page in pages:
        grounds = []
        for width, is_phone in [(1280, False), (360, True)]:
            for is_dark in [False, True]:
                browser.window(width, 900, is_dark, is_phone and page.suffix == ".html")
                browser.open(page)
                looks_right(browser, page, width, is_dark)
                ground = "document.body ? getComputedStyle(document.body).backgroundColor : getComputedStyle(document.querySelector('.ground')).fill"
                grounds.append(browser.value(ground))
                if "KT_PICTURES" in os.environ:
                    name = f"{page.name}-{width}-{'dark' if is_dark else 'light'}.png"
                    browser.picture(pathlib.Path(os.environ["KT_PICTURES"]) / name, whole=True)
        assert grounds == ["rgb(255, 255, 255)", "rgb(21, 23, 27)"] * 2, f"{page.name}: {grounds}"
        assert browser.value("[typeof injected, document.scripts?.length ?? 0, document.images?.length ?? 0]") == ["undefined", 0, 0]
    assert browser.errors == [], browser.errors
