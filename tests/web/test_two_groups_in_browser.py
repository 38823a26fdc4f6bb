"""Two people of two groups in their browsers, from sign-in to a shared report."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import CHROMIUM, Page, chromium
from fakes.oidc_provider import OidcProvider, Person
from graph_runs import CONCEPTS, QUESTION
from sign_ins import team_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

ADA = Person("ada-in-browser", name="Ada Lovelace", groups=["chief-lawyers"])
BOB = Person("bob-in-browser", name="Bob Boole", email="bob@id.example", groups=["doctors"])
TITLE = QUESTION.rstrip("?")
SEND = "document.querySelector('form[action=\"%s\"] button').click()"


@pytest.fixture
def server(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, OidcProvider]]:
    """A server of the team; in the tests' database it would refuse the jobs of other tests."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
    groups = "chief-lawyers=law:curator,doctors=med:curator"
    with team_server(monkeypatch, lives=True, GROUPS=groups) as started:
        yield started


@pytest.fixture
def browsers(tmp_path: Path) -> Iterator[tuple[Page, Page]]:
    with chromium(tmp_path / "ada") as hers, chromium(tmp_path / "bob") as his:
        yield hers, his


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


def visit(browser: Page, address: str) -> None:
    """Open an address; once more where the page before, which loads itself anew, came between."""
    path = json.dumps(urlsplit(address).path or "/")
    for _ in range(5):
        browser.open(address)
        with suppress(AssertionError):
            until(browser, f"location.pathname === {path}", 5)
            return
    raise AssertionError(address)


def text_of(browser: Page) -> str:
    return str(browser.run("document.body.innerText"))


def sign_in(browser: Page, url: str, provider: OidcProvider, person: Person) -> None:
    provider.person = person
    browser.open(url)  # leads to the provider and back
    until(browser, f"document.querySelector('.account')?.textContent === {json.dumps(person.name)}")


def upload(browser: Page, url: str, space: str, files: list[Path]) -> None:
    visit(browser, f"{url}/library?space={space}")
    field = browser.send("Runtime.evaluate", expression="document.querySelector('#files')")
    browser.send(
        "DOM.setFileInputFiles",
        files=[str(one) for one in files],
        objectId=field["result"]["objectId"],
    )
    browser.run(SEND % "/library/upload")
    until(browser, f"/{len(files)} added/.test(document.body.innerText)")


def ask(browser: Page, url: str, space: str) -> str:
    """Ask in a space; returns the path of the finished report."""
    visit(browser, url)
    browser.run(
        f"document.querySelector('#question').value = {json.dumps(QUESTION)};"
        f"document.querySelector('select[name=space]').value = {json.dumps(space)};"
        "document.querySelector('button.main').click()"
    )
    until(browser, "document.querySelector('article.report')")
    return str(browser.run("location.pathname"))


def test_a_group_writes_and_shares_and_the_other_sees_what_was_shared_alone(
    server: tuple[str, OidcProvider], browsers: tuple[Page, Page], tmp_path: Path
) -> None:
    (url, provider), (hers, his) = server, browsers
    sign_in(hers, url, provider, ADA)
    sign_in(his, url, provider, BOB)
    upload(hers, url, "@law/cases", sorted(CONCEPTS.glob("*.md")))
    hers.shot(tmp_path / "ada-library.png")
    path = ask(hers, url, "@law/cases")
    hers.shot(tmp_path / "ada-report.png")

    for page, mine in (("/", "Recent reports"), ("/reports", TITLE)):
        visit(his, f"{url}{page}")
        assert mine not in text_of(his)
        visit(hers, f"{url}{page}")
        assert mine in text_of(hers)
    his.shot(tmp_path / "bob-reports.png")
    for hidden in (path, f"{path}/changes", "/library?space=@law/cases"):
        visit(his, f"{url}{hidden}")
        assert TITLE not in text_of(his)
        assert "BM25" not in text_of(his)
        assert his.run("document.querySelector('[role=alert]')?.innerText"), hidden
    his.shot(tmp_path / "bob-refused.png")

    visit(hers, f"{url}{path}")
    hers.run(
        "document.querySelector('#ask-further').value = 'Make section 1 shorter';"
        + SEND % f"{path}/ask"
    )
    until(hers, "document.querySelector('.versions') && !document.querySelector('.live')")
    visit(hers, f"{url}{path}/changes")
    hers.shot(tmp_path / "ada-changes.png")
    visit(hers, f"{url}{path}")
    hers.run(SEND % f"{path}/share")
    until(hers, "document.querySelector('#link')")
    shared = hers.run("document.querySelector('#link').value")
    hers.shot(tmp_path / "ada-link.png")

    visit(his, shared)
    assert his.run("!!document.querySelector('article.report')")
    assert "Rewrite" not in text_of(his)
    his.shot(tmp_path / "bob-shared.png")
    visit(hers, f"{url}{path}")
    hers.run("document.querySelector('form[action*=\"/revoke\"] button').click()")
    until(hers, "!document.querySelector('form[action*=\"/revoke\"]')")
    visit(his, shared)
    assert "BM25" not in text_of(his)
    his.shot(tmp_path / "bob-taken-back.png")
