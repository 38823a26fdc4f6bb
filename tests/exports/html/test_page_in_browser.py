"""The HTML of a report in a browser: keys, mouse, narrow windows, dark, print, without scripts."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Page, chromium
from hostile_html import HOSTILE, SMALL, filled
from html_pages import UNDRAWN
from sample_report import REPORT

from exports.html.page import render_html

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

OPEN = "document.querySelector('.card:popover-open')"
WORST_CONTRAST = """(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let worst = [99, ""];
  for (const one of document.querySelectorAll("body, body *")) {
    const said = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!said || !one.checkVisibility() || one.matches("script")) continue;
    let behind = one;
    const paper = (one) => getComputedStyle(one).backgroundColor;
    while (channels(paper(behind))[3] === 0) behind = behind.parentElement;
    const [a, b] = [getComputedStyle(one).color, paper(behind)]
      .map((colour) => light(channels(colour)) + 0.05);
    const contrast = Math.max(a, b) / Math.min(a, b);
    if (contrast < worst[0]) worst = [contrast, one.outerHTML.slice(0, 200)];
  }
  return worst;
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "report.html"
    path.write_text(render_html(REPORT), encoding="utf-8")
    return path


def complaints(browser: Page) -> list[dict[str, Any]]:
    methods = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    return browser.reported(*methods, "Page.javascriptDialogOpening")


def requested(browser: Page) -> set[str]:
    sent = browser.reported("Network.requestWillBeSent")
    return {one["request"]["url"] for one in sent if not one["request"]["url"].startswith("data:")}


def centre(browser: Page, selector: str) -> tuple[float, float]:
    find = f"document.querySelector({json.dumps(selector)})"
    browser.run(f"{find}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    box = browser.run(f"{find}.getClientRects()[0].toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def until(browser: Page, script: str) -> None:
    end = time.monotonic() + 20
    while not browser.run(script):
        assert time.monotonic() < end, script


def to_mark(browser: Page, mark: str) -> None:
    """Press Tab until a mark has the focus."""
    for _ in range(60):
        browser.press("Tab")
        if browser.run("document.activeElement.id") == mark:
            return
    raise AssertionError(mark)


def test_the_page_asks_nobody_for_anything_and_has_no_complaint(
    browser: Page, sample: Path
) -> None:
    browser.open(sample)
    drawn = "[...document.images].map((one) => one.naturalWidth > 100)"
    assert browser.run(drawn) == [True, True]
    assert requested(browser) == {sample.as_uri()}
    assert complaints(browser) == []


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_mark_is_reached_opened_and_left_by_keys(browser: Page, sample: Path, key: str) -> None:
    browser.open(sample)
    to_mark(browser, "mark-2")
    assert "took up to five years" in browser.run(f"{OPEN}.textContent")
    browser.press(key)
    assert browser.run("document.activeElement.id") == "card-2"
    assert browser.run("document.querySelector('#mark-2').ariaExpanded") == "true"
    browser.press("Escape")
    assert browser.run(OPEN) is None
    assert browser.run("document.activeElement.id") == "mark-2"
    assert browser.run("location.hash") == ""


def test_a_card_opened_by_the_mouse_stays_while_the_mouse_is_on_it(
    browser: Page, sample: Path
) -> None:
    browser.open(sample)
    browser.move(*centre(browser, "#mark-0"))
    assert browser.run(f"{OPEN}.id") == "card-0"
    browser.move(*centre(browser, "#card-0 .source"))
    browser.run("new Promise((done) => setTimeout(done, 500))")
    assert browser.run(f"{OPEN}.id") == "card-0"
    browser.move(1, 1)
    until(browser, f"{OPEN} === null")


def test_a_card_opened_by_a_click_stays_until_one_beside_it(browser: Page, sample: Path) -> None:
    browser.open(sample)
    browser.click(*centre(browser, "#mark-3"))
    browser.move(1, 1)
    browser.run("new Promise((done) => setTimeout(done, 500))")
    assert browser.run(f"{OPEN}.id") == "card-3"
    browser.click(*centre(browser, "h1"))
    assert browser.run(OPEN) is None
    browser.click(*centre(browser, "#mark-3"))
    browser.click(*centre(browser, "#card-3 .close"))
    assert browser.run(OPEN) is None


@pytest.mark.parametrize(("width", "edge"), [(320, "end"), (1280, "end"), (320, "start")])
def test_no_card_is_cut_off_and_the_page_is_as_wide_as_the_window(
    browser: Page, sample: Path, width: int, edge: str
) -> None:
    browser.open(sample, width, 600)
    assert browser.run("document.documentElement.scrollWidth") == width
    for mark in browser.run("[...document.querySelectorAll('a.mark')].map((one) => one.id)"):
        browser.run(f"document.querySelector('#{mark}').scrollIntoView({{block: '{edge}'}})")
        browser.run(f"document.querySelector('#{mark}').click()")
        box = browser.run(f"{OPEN}.getBoundingClientRect().toJSON()")
        assert 0 <= box["left"] < box["right"] <= width, (mark, box)
        assert 0 <= box["top"] < box["bottom"] <= 600, (mark, box)
        browser.press("Escape")


@pytest.mark.parametrize("dark", [False, True])
def test_every_word_has_contrast_enough(browser: Page, sample: Path, dark: bool) -> None:
    browser.open(sample, dark=dark)
    for mark in ["mark-0", "mark-2", "mark-4", "mark-5", "mark-7"]:
        browser.click(*centre(browser, f"#{mark}"))
        contrast, where = browser.run(WORST_CONTRAST)
        assert contrast >= 4.5, where  # WCAG 2.2, 1.4.3
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(22, 24, 27)" if dark else "rgb(255, 255, 255)")


def test_without_scripts_a_mark_leads_to_its_reference(browser: Page, sample: Path) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(sample)
        browser.click(*centre(browser, "#mark-4"))
        browser.wait_for("Page.navigatedWithinDocument")
        gone = [one["url"] for one in browser.reported("Page.navigatedWithinDocument")]
        assert gone == [f"{sample.as_uri()}#source-2"]
        assert browser.run(OPEN) is None
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_print_has_references_and_values_and_no_contents_and_cards(
    browser: Page, sample: Path
) -> None:
    browser.open(sample)
    browser.click(*centre(browser, "#mark-4"))
    browser.send("Emulation.setEmulatedMedia", media="print")
    try:
        shown = "[...document.querySelectorAll(%s)].map((one) => one.checkVisibility())"
        assert browser.run(shown % "'nav, .card, .back, .skip'").count(True) == 0
        assert browser.run(shown % "'.references li'").count(False) == 0
        assert browser.run(shown % "'figure table'") == [True, True]
    finally:
        browser.send("Emulation.setEmulatedMedia", media="")


def test_nothing_that_a_text_says_is_run_or_loaded(browser: Page, tmp_path: Path) -> None:
    pages = [HOSTILE[start:] + HOSTILE[:start] for start in range(0, len(HOSTILE), 5)]
    for count, words in enumerate([*pages, [" ".join(HOSTILE)], ["\n\n".join(HOSTILE)]]):
        path = tmp_path / f"{count}.html"
        report = filled({**SMALL, "charts": UNDRAWN[:1]}, list(words))
        path.write_text(render_html(report), encoding="utf-8")
        browser.open(path)
        assert browser.run("document.scripts.length") == 1
        assert (
            browser.run("document.querySelectorAll('img, iframe, object, embed, form').length") == 0
        )
        assert requested(browser) == {path.as_uri()}
        assert complaints(browser) == []
