"""The pages in a browser: accessibility, keys, narrow windows, the dark, scripts and none."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.base import AXE_SCRIPT
from browser import CHROMIUM, Page, chromium
from fakes.server import Served
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, speaking
from sample_report import REPORT

from library.library import open_library
from library.saved_reports import RunStart, SectionMaterial
from schema.report import Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = (
    f"axe.run(document, {{runOnly: {json.dumps(RULES)}}})"
    ".then((found) => found.violations.map((one) => one.id + ': ' + one.nodes[0].html))"
)
SEND = "document.querySelector('form[action=\"%s\"] button').click()"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


def until(browser: Page, script: str, seconds: float = 60) -> None:
    """Wait until a page, perhaps the next one, says so."""
    end = time.monotonic() + seconds
    while True:
        try:
            if browser.run(f"document.readyState === 'complete' && !!({script})"):
                return
        except AssertionError:  # the page was left meanwhile
            pass
        assert time.monotonic() < end, script
        time.sleep(0.05)


def complaints(browser: Page) -> list[Any]:
    methods = ("Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening")
    return browser.reported(*methods)


def check(browser: Page, address: str) -> None:
    """In the light and the dark, wide and narrow: axe finds nothing, nothing is cut off."""
    for width, dark in ((1280, False), (320, True), (320, False)):
        browser.open(address, width, 800, dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run("document.documentElement.scrollWidth") == width, (address, width)
        browser.run(f"{AXE_SCRIPT};0")
        assert browser.run(AXE) == [], (address, width, dark)
        assert complaints(browser) == []


def write(browser: Page, selector: str, text: str) -> None:
    """Type into a field; a window that was just loaded may not take keys yet."""
    field = f"document.querySelector({json.dumps(selector)})"
    for _ in range(20):
        browser.run(f"{field}.focus(); {field}.select()")
        browser.write(text)
        if browser.run(f"{field}.value") == text:
            return
        time.sleep(0.1)
    raise AssertionError(selector)


def ask(browser: Page, url: str, space: str, *ticked: str) -> None:
    """Ask by keys alone: the question has the focus, Tab leads to the button."""
    browser.open(f"{url}/")
    until(browser, "document.activeElement.id === 'question'")
    write(browser, "#question", QUESTION)
    select = f"document.querySelector('select[name=space]').value = {json.dumps(space)}"
    browser.run(select)
    for name in ticked:
        browser.run(f"document.querySelector('[name={name}]').click()")
    browser.run("document.querySelector('#question').focus()")
    for _ in range(12):
        browser.press("Tab")
        if browser.run("document.activeElement.matches('button.main')"):
            break
    browser.press("Enter")
    until(browser, "location.pathname.startsWith('/reports/')")


def test_from_a_question_to_a_shared_report(browser: Page, served: Served, samples: str) -> None:
    url = served.url
    check(browser, f"{url}/")
    ask(browser, url, samples, "approve_outline")
    until(browser, "document.querySelector('form.outline')")
    check(browser, browser.run("location.href"))
    browser.run("document.querySelector('form.outline button.main').click()")
    until(browser, "document.querySelector('article.report')")
    report = browser.run("location.href")
    path = browser.run("location.pathname")
    check(browser, report)
    browser.open(report, dark=True)
    browser.run("document.querySelector('a.mark').focus()")
    browser.press("Enter")
    assert browser.run("document.activeElement.className") == "card"
    browser.run(f"{AXE_SCRIPT};0")
    assert browser.run(AXE) == []
    check(
        browser, browser.run("document.querySelector('.card a[href*=passages]').href.split('#')[0]")
    )
    browser.open(report)
    browser.run(
        "document.querySelector('#revise-section').selectedIndex = 1;"
        f"document.querySelector('#instruction').value = 'Shorter.';{SEND % (path + '/revise')}"
    )
    until(browser, "document.querySelector('.versions') && !document.querySelector('.live')")
    browser.run(
        "document.querySelector('#ask-further').value = 'What is rank fusion?';"
        + SEND % f"{path}/ask"
    )
    until(browser, "document.querySelector('.answers h3') && !document.querySelector('.live')")
    check(browser, report)
    check(browser, f"{report}/changes")
    browser.open(report)
    browser.run(SEND % (path + "/share"))
    until(browser, "document.querySelector('#link')")
    shared = browser.run("document.querySelector('#link').value")
    check(browser, shared)
    for page in ("/reports", f"/library?space={samples}", "/reports/zzzzzzzz"):
        if page.endswith("z"):
            browser.open(f"{url}{page}")
            assert browser.run("document.querySelector('[role=alert]').textContent")
        else:
            check(browser, f"{url}{page}")


def test_progress_arrives_and_a_reload_or_a_second_window_changes_nothing(
    browser: Page, served: Served, samples: str
) -> None:
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        ask(browser, served.url, samples)
        until(browser, "document.querySelector('.searches li')")
        until(browser, "/Writing from/.test(document.querySelector('[role=status]').textContent)")
        address = browser.run("location.href")
        check(browser, address)
        browser.open(address)
        assert browser.run("document.querySelector('.plan li') !== null")
        path = browser.run("location.pathname")
        browser.run(SEND % f"{path}/stop")
        until(browser, "/was stopped/.test(document.body.textContent)")
        check(browser, address)
        api.hang = lambda _: 0
        browser.open(address)
        browser.run(SEND % f"{path}/resume")
        until(browser, "document.querySelector('article.report')")
        assert [task_of(one) for one in api.requests].count("outline") == 1


def test_without_scripts_the_page_loads_itself_until_the_report_is_there(
    browser: Page, served: Served, samples: str
) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(f"{served.url}/")
        write(browser, "#question", QUESTION)
        browser.run(f"document.querySelector('select[name=space]').value = {json.dumps(samples)}")
        browser.run("document.querySelector('form.ask').submit()")
        until(browser, "document.querySelector('article.report')")
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_nothing_that_a_user_or_a_source_says_becomes_markup(
    browser: Page, served: Served, space: str, tmp_path: Path
) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"</textarea></title>"
    folder = tmp_path / "<img src=x onerror=alert(3)>"
    folder.mkdir()
    (folder / "<b onclick=alert(4)>.md").write_text(
        f"# Otters {evil}\n\nOtters {evil} float on water.\n"
    )
    url = served.url
    browser.open(f"{url}/library?space={space}")
    field = "document.querySelector('[name=location]')"
    browser.run(f"{field}.value = {json.dumps(str(folder))};{SEND % '/library/add'}")
    until(browser, "/1 added/.test(document.body.textContent)")
    assert complaints(browser) == []
    for address in (f"{url}/", f"{url}/reports"):
        browser.open(address)
    browser.open(f"{url}/")
    words = json.dumps(f"How do otters float on water? {evil}")
    browser.run(
        f"document.querySelector('#question').value = {words};"
        f"document.querySelector('select[name=space]').value = {json.dumps(space)};"
        "document.querySelector('button.main').click()"
    )
    until(browser, "document.querySelector('article.report, .fault')")
    assert browser.run("document.querySelectorAll('img, iframe').length") == 0
    assert complaints(browser) == []
    browser.open(f"{url}/reports?find={'%3Cscript%3Ealert(5)%3C/script%3E'}")
    assert complaints(browser) == []


async def test_a_report_from_right_to_left_with_charts_fits_the_page(
    browser: Page, served: Served, space: str
) -> None:
    library = await open_library(space)
    begun = await library.begin_report(REPORT["question"], RunStart(context={}, skipped=[]))
    report = Report(**{**REPORT, "language": "ar", "id": begun.id, "version": 1})  # type: ignore[typeddict-item]
    material = [SectionMaterial(questions=[], chunks=[]) for _ in report["sections"]]
    await library.save_report(report, material, begun.id, begun.run)
    address = f"{served.url}/reports/{begun.id}"
    check(browser, address)
    browser.open(address, 1280, 800)
    assert browser.run("[...document.images].map((one) => one.naturalWidth > 100)") == [True, True]
    left = "document.querySelector('%s').getBoundingClientRect().left"
    contents, text = browser.run(left % ".report > nav"), browser.run(left % "#text")
    assert contents > text
