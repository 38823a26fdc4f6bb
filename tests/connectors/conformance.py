"""What every connector must do. A connector's test file subclasses one of the two suites.

It gives the connector's name, the class of a `Provider` that speaks the real API, the
environment that leads the connector to it, and what the documents of its items must look like.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

import pytest
from fakes.provider import KEY, OLD, Item, Provider

from connectors.http import client as http
from connectors.protocol import LiveConnector, SyncState
from connectors.registry import explain_missing, make_syncing_connector
from connectors.registry import make_connector as made
from connectors.search_all import SearchRequest, search_all
from connectors.sync import synchronise
from library.library import Library
from schema.documents import Document
from schema.errors import ConnectorError, QuireError
from schema.report import Degradation

UNICODE = "Grüße, 世界 — مرحبا 🎈 <b>&amp;</b> \u202eabc"


def items(count: int, *, first: int = 1) -> list[Item]:
    """Items with distinct texts, a minute apart."""
    return [
        Item(
            number,
            f"Wind turbine {number}",
            f"Turbine number {number} turns wind into power for village {number * 7}.",
            when=OLD + timedelta(minutes=number),
        )
        for number in range(first, first + count)
    ]


ServerT = TypeVar("ServerT", bound=Provider)


async def list_changes(
    name: str, location: str, versions: Mapping[str, str] | None = None, cursor: str = ""
) -> list[Any]:
    """What a sync yields, without a library that would hold it."""
    one = make_syncing_connector(name)
    root = await one.find_root(location)
    since = SyncState(location=location, root=root, versions=versions or {}, cursor=cursor)
    return [change async for change in one.sync(since)]


class Conformance(Generic[ServerT]):
    """What both kinds share."""

    name: ClassVar[str]
    key: ClassVar[str] = ""
    """The variable that holds the key; "" where the provider has none."""
    provider: type[ServerT]
    """What speaks its API, made of the items that it holds."""

    def environment(self, url: str) -> dict[str, str]:
        """What leads the connector to the provider, its key included."""
        base = {f"QUIRE_{self.name.upper()}_BASE_URL": url}
        return {**base, self.key: KEY} if self.key else base

    def expected(self, item: Item) -> dict[str, Any]:
        """Fields of the item's document and their values; `uri` must be among them."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def set_up(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> Iterator[None]:
        self.monkeypatch = monkeypatch
        caplog.set_level(logging.DEBUG)
        yield
        assert KEY not in caplog.text

    @contextmanager
    def serving(self, held: list[Item]) -> Iterator[ServerT]:
        """A provider that holds items, which the connector is led to."""
        with self.provider(held) as provider:
            self.configure(provider.url)
            yield provider

    def configure(self, url: str) -> None:
        """Lead the connector to a provider."""
        for name, value in self.environment(url).items():
            self.monkeypatch.setenv(name, value)

    @pytest.fixture
    def server(self) -> Iterator[ServerT]:
        """A provider that holds three items."""
        with self.serving(items(3)) as provider:
            yield provider

    def check(self, item: Item, document: Document) -> None:
        assert item.text in document.text
        wanted = self.expected(item)
        assert {field: getattr(document, field) for field in wanted} == wanted
        assert document.connector == self.name

    def test_it_declares_what_it_is(self) -> None:
        one = made(self.name)
        assert one.name == self.name
        assert one.description
        assert one.document_description
        assert one.limits.concurrency >= 1

    def test_without_its_variables_one_sentence_says_what_to_set(self) -> None:
        one = made(self.name)
        for need in one.required_variables:
            for variable in need.split(" or "):
                self.monkeypatch.delenv(variable, raising=False)
        assert all(need in explain_missing(one) for need in one.required_variables)


class LiveConformance(Conformance[ServerT]):
    """A live connector."""

    query = "wind turbine"
    takes_since: ClassVar[bool] = False
    """Whether the provider can be asked for what is new. It then keeps to what it was asked."""

    def expected(self, item: Item) -> dict[str, Any]:
        """As search engines of the web have it."""
        return {
            "uri": f"https://turbines.test/{item.number}",
            "url": f"https://turbines.test/{item.number}",
            "title": item.title,
            "site": "turbines.test",
            "published": "2024-05-01",
            "excerpt": True,
        }

    def live(self) -> LiveConnector:
        found = made(self.name)
        assert isinstance(found, LiveConnector)
        return found

    async def asked(self, library: Library, *questions: str, seconds: float = 10) -> list[Any]:
        search = SearchRequest(library, 5, seconds=seconds)
        return await search_all([self.live()], questions or (self.query,), search)

    async def refused(self) -> ConnectorError:
        with pytest.raises(ConnectorError) as caught:
            await self.live().search(self.query, limit=5)
        assert KEY not in f"{caught.value!r} {caught.value.__cause__!r}"
        return caught.value

    async def test_results_become_documents(self) -> None:
        held = items(3)
        with self.serving(held):
            found = await self.live().search(self.query, limit=5)
        assert len(found) == 3
        by_uri = {document.uri: document for document in found}
        for item in held:
            self.check(item, by_uri[self.expected(item)["uri"]])
        assert all(document.fetched and document.fetched.tzinfo for document in found)
        assert KEY not in repr(found)

    async def test_no_more_come_than_were_asked_for(self) -> None:
        with self.serving(items(30)):
            assert len(await self.live().search(self.query, limit=4)) == 4
            assert len(await self.live().search(self.query, limit=1)) == 1

    async def test_nothing_found_is_no_failure(self) -> None:
        with self.serving([]):
            assert await self.live().search(self.query, limit=5) == []

    async def test_what_is_new_is_asked_for_where_the_provider_can_tell(self) -> None:
        now = datetime.now(UTC)
        old, new = (
            replace(item, when=now - timedelta(days=days))
            for item, days in zip(items(2), (400, 0), strict=True)
        )
        since = (now - timedelta(days=3)).date().isoformat()
        with self.serving([old, new]):
            found = await self.live().search(self.query, limit=5, since=since)
        kept = [new] if self.takes_since else [old, new]
        assert {one.uri for one in found} == {self.expected(item)["uri"] for item in kept}

    async def test_nothing_new_from_a_day_to_come_is_no_failure(self) -> None:
        with self.serving(items(3)):
            found = await self.live().search(self.query, limit=5, since="2999-01-01")
        assert len(found) == (0 if self.takes_since else 3)

    async def test_text_of_every_script_arrives_unharmed(self) -> None:
        held = [Item(1, "Wind 世界 🎈", f"About the wind: {UNICODE}")]
        with self.serving(held):
            (document,) = await self.live().search(f"wind & power? {UNICODE}", limit=5)
        self.check(held[0], document)

    async def test_a_refused_key_is_named_and_not_shown(self) -> None:
        with self.serving(items(3)) as provider:
            provider.always = 401
            error = await self.refused()
        assert not error.retryable
        assert error.code in ("connector_key", "connector_refused")
        assert not self.key or self.key in str(error)

    @pytest.mark.parametrize("status", [400, 403, 404])
    async def test_what_is_refused_for_good_is_not_asked_again(
        self, library: Library, status: int
    ) -> None:
        with self.serving(items(3)) as provider:
            provider.always = status
            (answered,) = await self.asked(library)
            assert len(provider.calls) == 1
        assert (answered.hits, len(answered.degraded)) == ([], 1)
        assert f"{self.name}, asked “{self.query}”" in answered.degraded[0]["detail"]

    @pytest.mark.parametrize("faults", [[429], [503, 500], ["cut"]], ids=str)
    async def test_what_passes_is_tried_again(self, library: Library, faults: list[Any]) -> None:
        with self.serving(items(3)) as provider:
            provider.faults = faults
            (answered,) = await self.asked(library)
        assert (len(answered.hits), answered.degraded) == (3, [])

    async def test_a_wait_that_the_provider_asks_for_is_kept(self) -> None:
        with self.serving(items(3)) as provider:
            provider.always, provider.retry_after = 429, "7"
            error = await self.refused()
        assert (error.code, error.retryable, error.wait) == ("connector_limit", True, 7.0)

    async def test_a_hanging_search_costs_its_deadline(self, library: Library) -> None:
        with self.serving(items(3)) as provider:
            provider.always = 4.0
            (answered,) = await self.asked(library, seconds=0.1)
        assert [problem["code"] for problem in answered.degraded] == ["connector_timeout"]

    async def test_a_request_that_hangs_is_given_up(self) -> None:
        self.monkeypatch.setattr(http, "SECONDS", 0.3)
        with self.serving(items(3)) as provider:
            provider.always = 4.0
            error = await self.refused()
        assert (error.code, error.retryable) == ("connector_timeout", True)

    async def test_what_cannot_be_read_is_a_failure(self) -> None:
        with self.serving(items(3)) as provider:
            provider.always = "malformed"
            error = await self.refused()
        assert error.code == "connector_failed"

    async def test_a_server_that_is_away_is_a_failure(self) -> None:
        with self.serving(items(3)):
            pass
        assert (await self.refused()).retryable

    async def test_questions_are_asked_at_once_within_the_limits(self, library: Library) -> None:
        questions = [f"{self.query} {number}" for number in range(2, 14)]
        with self.serving(items(20)) as provider:
            provider.pause = 0.05
            answers = await self.asked(library, *questions)
        assert [answered.degraded for answered in answers] == [list[Degradation]()] * 12
        assert 2 <= provider.peak <= self.live().limits.concurrency

    @pytest.mark.slow
    async def test_cancelling_leaves_nothing_behind(self) -> None:
        before = asyncio.all_tasks()
        with self.serving(items(3)) as provider:
            provider.always = 4.0
            search = asyncio.create_task(self.live().search(self.query, limit=5))
            await _until(lambda: bool(provider.calls))
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            await _settled(before)


class SyncConformance(Conformance[ServerT]):
    """An indexed connector with an API behind it."""

    location: ClassVar[str]
    full_for_deletions: ClassVar[bool] = False
    """Whether old items that change or go are only seen by `--full`."""
    batch: ClassVar[int] = 10_000
    """Items of the largest test."""
    many: ClassVar[int] = 230
    """Items of more than one page."""
    first_requests: ClassVar[int] = 1
    """Requests before those that items take."""

    async def sync(self, library: Library, *, full: bool = False) -> Counter[str]:
        told: Counter[str] = Counter()
        counts = await synchronise(
            library,
            make_syncing_connector(self.name),
            self.location,
            lambda _, outcome, __: told.update([outcome]),
            full=full,
        )
        assert told == Counter(counts)
        return told

    async def refused(self, library: Library) -> QuireError:
        before = await library.count()
        with pytest.raises(QuireError) as caught:
            await self.sync(library)
        assert KEY not in f"{caught.value!r} {caught.value.__cause__!r}"
        assert await library.count() >= before  # nothing was taken for gone
        assert all(source.failure or not source.synced for source in await library.list_sources())
        return caught.value

    async def held(self, library: Library) -> dict[str, str | None]:
        """Text by uri of all that the library holds of the connector."""
        root = await make_syncing_connector(self.name).find_root(self.location)
        uris = await library.load_versions(self.name, [root])
        return {uri: await library.load_text(uri) for uri in uris}

    async def test_every_item_is_read_over_all_pages(self, library: Library) -> None:
        held = items(self.many)
        with self.serving(held):
            assert await self.sync(library) == {"added": self.many}
            texts = await self.held(library)
        for item in held:
            assert item.text in (texts[self.expected(item)["uri"]] or "")

    async def test_title_author_url_and_date_are_the_item_s_own(self) -> None:
        held = items(3)
        with self.serving(held):
            found = await self.collected()
        by_uri = {one.uri: one for one in found if isinstance(one, Document)}
        assert len(by_uri) == 3
        for item in held:
            self.check(item, by_uri[self.expected(item)["uri"]])
            assert {"title", "url", "published", "path"} <= self.expected(item).keys()
        assert KEY not in repr(found)

    async def collected(self) -> list[Any]:
        """What a first sync yields."""
        return await list_changes(self.name, self.location)

    async def synced(
        self, server: ServerT, *known: Document, location: str | None = None
    ) -> list[Any]:
        """What a sync with a server yields by uri, if these documents are in the library."""
        with server:
            self.configure(server.url)
            versions = {one.uri: one.version for one in known}
            found = await list_changes(self.name, location or self.location, versions)
        return sorted(found, key=lambda change: str(change.uri))

    async def test_text_of_every_script_arrives_unharmed(self, library: Library) -> None:
        held = [Item(1, "Wind 世界 🎈", f"About the wind: {UNICODE}")]
        with self.serving(held):
            await self.sync(library)
            (text,) = (await self.held(library)).values()
        assert held[0].text in (text or "")

    async def test_an_empty_place_is_no_failure(self, library: Library) -> None:
        with self.serving([]):
            assert await self.sync(library) == {}

    async def test_a_second_sync_transfers_only_news(self, library: Library) -> None:
        with self.serving(items(60)) as provider:
            await self.sync(library)
            first = len(provider.sent)
            provider.sent.clear()
            news = Item(61, "Wind turbine 61", "The newest turbine.", when=OLD + timedelta(days=90))
            provider.put(news)
            told = await self.sync(library)
        assert first == 60
        assert (told["added"], told["changed"], told["removed"]) == (1, 0, 0)
        assert 61 in provider.sent
        assert len(provider.sent) <= 2  # the last one before may come again

    async def test_a_change_is_seen(self, library: Library) -> None:
        held = items(5)
        with self.serving(held) as provider:
            await self.sync(library)
            when = OLD + timedelta(days=90)
            provider.put(Item(3, "Wind turbine 3", "It was rebuilt.", when=when))
            told = await self.sync(library, full=self.full_for_deletions)
            texts = await self.held(library)
        assert (told["added"], told["changed"], told["removed"]) == (0, 1, 0)
        assert len(texts) == 5
        assert "It was rebuilt." in str(texts[self.expected(held[2])["uri"]])

    async def test_a_deletion_is_seen(self, library: Library) -> None:
        held = items(5)
        with self.serving(held) as provider:
            await self.sync(library)
            provider.remove(2)
            told = await self.sync(library, full=self.full_for_deletions)
            texts = await self.held(library)
        assert told["removed"] == 1
        assert self.expected(held[1])["uri"] not in texts
        assert len(texts) == 4

    @pytest.mark.parametrize("fault", [401, 403, 404, 500, "cut", "malformed"])
    async def test_a_failure_is_raised_and_nothing_is_taken_for_gone(
        self, library: Library, fault: Any
    ) -> None:
        with self.serving(items(5)) as provider:
            await self.sync(library)
            provider.always = fault
            error = await self.refused(library)
            provider.always = None
            assert len(await self.held(library)) == 5
        assert str(error)
        assert fault != 401 or not self.key or self.key in str(error)

    @pytest.mark.parametrize("faults", [[429], [503, 500], ["cut"]], ids=str)
    async def test_what_passes_is_tried_again(self, library: Library, faults: list[Any]) -> None:
        with self.serving(items(5)) as provider:
            provider.faults = faults
            assert await self.sync(library) == {"added": 5}

    async def test_a_request_that_hangs_is_given_up(self, library: Library) -> None:
        self.monkeypatch.setattr(http, "SECONDS", 0.1)
        with self.serving(items(5)) as provider:
            provider.always = 4.0
            error = await self.refused(library)
        assert isinstance(error, ConnectorError)
        assert error.code == "connector_timeout"

    @pytest.mark.slow
    async def test_a_broken_sync_goes_on_and_ends_with_the_same_library(
        self, library: Library
    ) -> None:
        with self.serving(items(self.many)) as provider:
            await self.collected()
            requests = len(provider.calls)
            provider.always, provider.good = 500, max(requests * 2 // 3, 1)
            await self.refused(library)
            provider.always = None
            told = await self.sync(library)
            texts = await self.held(library)
        assert not told["removed"]
        assert len(texts) == self.many
        (source,) = await library.list_sources()
        assert source.failure == ""

    @pytest.mark.weekly
    async def test_ten_thousand_items_come_in_bounded_steps(self) -> None:
        """Of one connector, Slack, it is among the slow tests."""
        with self.serving(items(self.batch)) as provider:
            found = await self.collected()
        assert sum(isinstance(one, Document) for one in found) == self.batch
        assert provider.peak <= make_syncing_connector(self.name).limits.concurrency

    async def test_cancelling_leaves_nothing_behind(self, library: Library) -> None:
        await library.count()  # opens what stays open
        before = asyncio.all_tasks()
        with self.serving(items(self.many)) as provider:
            provider.always, provider.good = 1.0, self.first_requests
            running = asyncio.create_task(self.sync(library))
            await _until(lambda: len(provider.calls) > self.first_requests)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            await _settled(before)
            provider.always = None
            assert await self.sync(library)
            assert len(await self.held(library)) == self.many


async def _until(met: Any) -> None:
    async with asyncio.timeout(10):
        while not met():
            await asyncio.sleep(0.01)


async def _settled(before: set[asyncio.Task[Any]]) -> None:
    """No task is left that was not there before."""
    async with asyncio.timeout(5):
        while asyncio.all_tasks() - before:
            await asyncio.sleep(0.01)
