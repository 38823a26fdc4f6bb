"""Resolvers are found by id, and say facts or one sentence why not."""

import asyncio
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from fakes.sites.web_pages import HUGE, FakeSite

from connectors.resolvers import url_reachable
from connectors.resolvers.protocol import Cost
from connectors.resolvers.registry import BUILT_IN, make_resolver, resolve
from connectors.resolvers.url_reachable import answered
from library.library import Library
from schema.documents import Document
from schema.errors import InputError, ResolverError

TIDES = """
import asyncio
from datetime import UTC, datetime

from connectors.resolvers.protocol import Resolution, Resolver
from schema.errors import ConnectorError

class Tides(Resolver):
    id = "tides"
    cost = "rate-limited"
    backend = "the almanac"

    async def resolve(self, value, library=None):
        if value == "hang":
            await asyncio.sleep(60)
        if value == "break":
            raise KeyError("secret")
        if value == "away":
            raise ConnectorError("the almanac could not be reached")
        return Resolution(
            value="high", confidence=0.5, source="almanac", fetched_at=datetime.now(UTC)
        )
"""


@pytest.fixture(scope="module")
def running() -> Iterator[FakeSite]:
    """A website on 127.0.0.1."""
    with FakeSite() as site:
        yield site


@pytest.fixture
def site(running: FakeSite, monkeypatch: pytest.MonkeyPatch) -> FakeSite:
    """The website, let through."""
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    running.requests.clear()
    running.sent = 0
    return running


@pytest.fixture
def tides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package that brings a resolver; its code."""
    (tmp_path / "quire_tides.py").write_text(TIDES)
    info = tmp_path / "tides-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tides\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[quire.resolvers]\ntides = quire_tides:Tides\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "quire_tides", raising=False)
    return tmp_path / "quire_tides.py"


async def refusal(wanted: str, value: str, library: Library | None = None) -> ResolverError:
    """The error that a look-up ends in."""
    with pytest.raises(ResolverError) as caught:
        await resolve(wanted, value, library)
    return caught.value


def test_every_built_in_resolver_is_one_line_and_one_file() -> None:
    for name in BUILT_IN:
        made = make_resolver(name)
        assert made.id == name
        assert made.cost in get_args(Cost)
        assert made.backend
    files = Path(url_reachable.__file__).parent.glob("*.py")
    assert {path.stem for path in files} - {"__init__", "protocol", "registry"} == set(BUILT_IN)


async def test_an_unknown_id_is_answered_with_those_there_are() -> None:
    known = r"use one of library_uri, url_reachable, x_handle\.$"
    with pytest.raises(InputError, match=known):
        await resolve("phone_number", "1")


async def test_a_resolver_of_another_package_is_found_and_asked(tides: Path) -> None:
    assert (await resolve("tides", "Brest")).value == "high"


@pytest.mark.parametrize("code", ["import nothing_of_this_name", "Tides = None", "x ="])
async def test_a_resolver_that_cannot_be_loaded_is_named(tides: Path, code: str) -> None:
    tides.write_text(code)
    with pytest.raises(InputError, match=r"^The resolver 'tides' cannot be loaded \("):
        await resolve("tides", "Brest")


async def test_one_that_hangs_costs_the_deadline(
    tides: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "0.2")
    started = time.monotonic()
    error = await refusal("tides", "hang")
    assert time.monotonic() - started < 20
    assert (error.code, str(error)) == (
        "timeout",
        "The resolver 'tides' did not answer within 0.2 s.",
    )


@pytest.mark.parametrize(
    ("value", "reason"), [("break", "KeyError"), ("away", "the almanac could not be reached")]
)
async def test_one_that_breaks_its_promise_ends_in_the_one_error(
    tides: Path, value: str, reason: str
) -> None:
    error = await refusal("tides", value)
    assert (error.code, str(error)) == ("upstream", f"The resolver 'tides' failed ({reason}).")


@pytest.mark.parametrize(
    ("page", "state", "confidence", "methods"),
    [
        ("ok", "answers", 0.9, "HEAD"),
        ("204", "answers", 0.9, "HEAD"),
        ("to?/ok", "answers", 0.9, "HEAD HEAD"),
        ("no-head/405", "answers", 0.9, "HEAD GET"),
        ("no-head/403", "answers", 0.9, "HEAD GET"),
        ("no-head/501", "answers", 0.9, "HEAD GET"),
        ("no-head/404", "answers", 0.9, "HEAD GET"),
        ("404", "gone", 1.0, "HEAD GET"),
        ("410", "gone", 1.0, "HEAD GET"),
        ("to?/404", "gone", 1.0, "HEAD HEAD GET GET"),
        ("401", "forbidden", 0.2, "HEAD GET"),
        ("403", "forbidden", 0.2, "HEAD GET"),
        ("451", "forbidden", 0.2, "HEAD GET"),
        ("400", "refused", 0.2, "HEAD GET"),
        ("429", "refused", 0.2, "HEAD"),
        ("500", "failing", 0.5, "HEAD GET"),
        ("503", "failing", 0.5, "HEAD GET"),
    ],
)
async def test_an_address_answers_or_not(
    site: FakeSite, page: str, state: str, confidence: float, methods: str
) -> None:
    before = datetime.now(UTC)
    found = await resolve("url_reachable", f"{site.url}/{page}")
    assert (found.value, found.detail) == (state == "answers", state)
    assert (found.confidence, found.cost_estimate) == (confidence, 0.0)
    assert before <= found.fetched_at <= datetime.now(UTC)
    assert answered(found)
    assert [request.partition(" ")[0] for request in site.requests] == methods.split()


async def test_the_source_is_the_address_in_the_end(site: FakeSite) -> None:
    found = await resolve("url_reachable", f"{site.url}/to?/ok")
    assert found.source == f"{site.url}/ok"


async def test_a_name_that_does_not_exist_is_surely_dead() -> None:
    found = await resolve("url_reachable", "https://gone.invalid/page")
    assert (found.value, found.confidence, answered(found)) == (False, 1.0, False)
    assert found.detail == "no host"


@pytest.mark.parametrize("host", ["silent.test", "127.0.0.1:1"])
async def test_what_could_not_be_reached_may_come_back(site: FakeSite, host: str) -> None:
    found = await resolve("url_reachable", f"http://{host}/page")
    assert (found.value, found.confidence, answered(found)) == (False, 0.5, False)
    assert found.detail == "unreachable"


async def test_a_server_that_hangs_is_doubtful(
    site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(url_reachable, "SECONDS", 0.2)
    started = time.monotonic()
    found = await resolve("url_reachable", f"{site.url}/slow")
    assert (found.value, found.confidence, answered(found)) == (False, 0.2, False)
    assert found.detail == "timed out"
    assert time.monotonic() - started < 20


async def test_a_redirect_without_end_is_no_certainty(site: FakeSite) -> None:
    found = await resolve("url_reachable", f"{site.url}/loop")
    assert (found.value, found.confidence) == (False, 0.5)


@pytest.mark.parametrize("url", ["http://localhost/", "http://10.0.0.1/", "file:///etc", "x"])
async def test_what_may_not_be_asked_is_refused(url: str) -> None:
    error = await refusal("url_reachable", url)
    assert error.code == "refused"
    assert str(error).startswith("The address is not asked: ")


@pytest.mark.slow
async def test_a_long_body_is_not_read(site: FakeSite) -> None:
    found = await resolve("url_reachable", f"{site.url}/huge")
    assert found.value is True
    await asyncio.sleep(0.5)  # the server would go on
    assert site.sent < HUGE / 4  # what the sockets hold


@pytest.fixture
async def stored(library: Library) -> Library:
    """A library of four documents, two of which have the same title."""
    titles = {"otters": "Otters of the North", "a": "Notes", "b": "Notes", "seals": "Seals"}
    await library.store(
        [
            Document(
                uri=f"https://b.test/{name}",
                title=title,
                text=f"This is about {name}, at some length.",
                connector="tavily",
                aliases=("sea dogs",) if name == "seals" else (),
            )
            for name, title in titles.items()
        ]
    )
    return library


@pytest.mark.parametrize(
    ("value", "name", "confidence"),
    [
        ("https://b.test/otters", "otters", 1.0),
        ("Otters of the North", "otters", 0.8),
        ("sea dogs", "seals", 0.9),
    ],
)
async def test_a_document_is_found_by_uri_title_or_alias(
    stored: Library, value: str, name: str, confidence: float
) -> None:
    found = await resolve("library_uri", value, stored)
    assert (found.value, found.confidence) == (f"https://b.test/{name}", confidence)
    assert stored.space in found.source


async def test_a_title_of_two_documents_halves_the_confidence(stored: Library) -> None:
    found = await resolve("library_uri", "Notes", stored)
    assert found.value in ("https://b.test/a", "https://b.test/b")
    assert found.confidence == 0.4


@pytest.mark.parametrize("value", ["Otters", "https://b.test/", "of the", ""])
async def test_a_part_of_a_title_or_uri_is_no_match(stored: Library, value: str) -> None:
    assert (await refusal("library_uri", value, stored)).code == "not_found"


async def test_without_a_library_nothing_can_be_looked_up() -> None:
    assert (await refusal("library_uri", "Otters")).code == "unavailable"
