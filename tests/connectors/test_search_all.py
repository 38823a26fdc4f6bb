"""All questions go to all connectors at once, and what one loses stops no other."""

import asyncio
import time
from collections import Counter
from typing import Any, Literal
from uuid import uuid4

import pytest
from connector_world import KEY, QUESTIONS, StartTavily, ask

from connectors.indexed.whole_library import WholeLibrary
from connectors.live.tavily import Tavily
from connectors.protocol import Limits
from connectors.search_all import ConnectorResult, SearchRequest, search_all
from library.journal import Journal
from library.library import Library
from schema.documents import Document
from schema.errors import ConnectorError, LibraryError


class Raising:
    """Another package's connector that breaks its promise."""

    name = "raising"
    kind: Literal["live"] = "live"
    description = document_description = "nothing"
    required_variables = ()
    package = ""
    languages: tuple[str, ...] = ()
    limits = Limits(concurrency=1, attempts=3)

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        self.asked += 1
        raise self.error


def codes(answers: list[ConnectorResult]) -> list[str]:
    return [problem["code"] for answered in answers for problem in answered.degraded]


async def left_over(before: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    """Tasks that were not there before, once those cancelled have had their turn."""
    for _ in range(20):
        await asyncio.sleep(0.01)
    return asyncio.all_tasks() - before


async def test_questions_are_asked_at_once_within_the_connectors_concurrency(
    tavily: StartTavily, library: Library
) -> None:
    with tavily(latency=0.3) as api:
        answers = await ask(library, *QUESTIONS)
    assert [answered.question for answered in answers] == QUESTIONS
    assert all(answered.hits for answered in answers)
    assert codes(answers) == []
    assert 4 <= api.peak <= Tavily.limits.concurrency
    assert sorted(api.queries) == sorted(QUESTIONS)


@pytest.mark.slow
async def test_two_fetches_share_the_concurrency(tavily: StartTavily, library: Library) -> None:
    with tavily(latency=0.3) as api:
        await asyncio.gather(ask(library, *QUESTIONS[:8]), ask(library, *QUESTIONS[4:]))
    assert api.peak <= Tavily.limits.concurrency


@pytest.mark.slow
async def test_a_hanging_question_is_lost_and_the_others_answer(
    tavily: StartTavily, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "1.5")
    with tavily(hang=lambda query: 60.0 if query.endswith("year 1?") else 0.0):
        answers = await ask(library, *QUESTIONS[:4])
    assert [bool(answered.hits) for answered in answers] == [True, False, True, True]
    assert codes(answers) == ["connector_timeout"]
    assert QUESTIONS[1] in answers[1].degraded[0]["detail"]


@pytest.mark.slow
async def test_hanging_questions_cost_the_deadline_once_in_all(
    tavily: StartTavily, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "1.0")
    started = time.monotonic()
    with tavily(hang=lambda _: 60.0):
        answers = await ask(library, *(f"wind {number}" for number in range(160)))
    assert codes(answers) == ["connector_timeout"] * 160
    assert time.monotonic() - started < 15  # 20 rounds of 8 would be 20 s


@pytest.mark.slow
async def test_waiting_for_a_place_is_no_part_of_the_deadline(library: Library) -> None:
    """Twelve answers of .1 s, one after the other, take longer than the deadline of one."""

    class Slow(Raising):
        async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
            await asyncio.sleep(0.1)
            return []

    slow = Slow(RuntimeError())
    answers = await search_all([slow], QUESTIONS, SearchRequest(library, 5, seconds=1))
    assert codes(answers) == []


@pytest.mark.slow
async def test_who_is_silent_for_a_whole_round_is_not_asked_the_rest(
    tavily: StartTavily, library: Library
) -> None:
    with tavily(hang=lambda _: 60.0) as api:
        answers = await ask(library, *(f"wind {number}" for number in range(24)), seconds=0.3)
    assert codes(answers) == ["connector_timeout"] * 24
    assert len(api.queries) < 24
    assert "it was not asked: it left 12 questions unanswered" in answers[-1].degraded[0]["detail"]


async def test_a_search_on_record_is_not_asked_again(tavily: StartTavily, library: Library) -> None:
    journal = Journal("ann", uuid4().hex)
    with tavily() as api:
        first = await ask(library, "Wind power?", journal=journal)
        again = await ask(library, "wind power", "solar power", journal=journal)
    assert api.queries == ["Wind power?", "solar power"]
    assert [hit.chunk for hit in again[0].hits] == [hit.chunk for hit in first[0].hits] != []


async def test_a_search_that_failed_is_asked_again(tavily: StartTavily, library: Library) -> None:
    journal = Journal("ann", uuid4().hex)
    with tavily(fail=lambda _: 401):
        await ask(library, "wind", journal=journal)
    with tavily() as api:
        assert codes(await ask(library, "wind", journal=journal)) == []
    assert api.queries == ["wind"]


async def test_a_runs_own_deadline_counts_before_the_installations(
    tavily: StartTavily, library: Library
) -> None:
    with tavily(hang=lambda _: 60.0):
        (answered,) = await ask(library, "wind", seconds=0.3)
    (problem,) = answered.degraded
    assert problem["code"] == "connector_timeout"
    assert problem["detail"] == "tavily, asked “wind”: it did not answer within 0.3 s."


async def test_everything_is_found_when_a_third_of_the_searches_is_refused(
    tavily: StartTavily, library: Library
) -> None:
    refusals = Counter({QUESTIONS[0]: 2, QUESTIONS[3]: 1, QUESTIONS[6]: 2, QUESTIONS[9]: 1})

    def fail(query: str) -> int | None:
        refusals[query] -= 1
        return 429 if refusals[query] >= 0 else None

    with tavily(fail=fail) as api:
        answers = await ask(library, *QUESTIONS)
    assert all(answered.hits for answered in answers)
    assert codes(answers) == []
    assert len(api.queries) == 18


async def test_what_is_lost_is_named_with_connector_and_question(
    tavily: StartTavily, library: Library
) -> None:
    with tavily(fail=lambda query: 500 if "year 5" in query else None):
        answers = await ask(library, *QUESTIONS)
    assert [bool(answered.hits) for answered in answers] == [n != 5 for n in range(12)]
    (problem,) = answers[5].degraded
    assert problem["code"] == "connector_failed"
    assert problem["detail"] == f"tavily, asked “{QUESTIONS[5]}”: Tavily answered HTTP 500."
    assert KEY not in str(answers)


@pytest.mark.slow
async def test_answers_are_told_when_they_are_complete(
    tavily: StartTavily, library: Library
) -> None:
    told: list[ConnectorResult] = []
    connectors = [Tavily(), WholeLibrary()]
    with tavily(latency=0.5):
        answers = await search_all(connectors, ["wind"], SearchRequest(library, 5), told.append)
    assert [answered.connector for answered in answers] == ["tavily", "library"]
    assert [answered.connector for answered in told] == ["library", "tavily"]


@pytest.mark.slow
async def test_cancelling_leaves_no_task_running(tavily: StartTavily, library: Library) -> None:
    before = asyncio.all_tasks()
    with tavily(hang=lambda _: 60.0) as api:
        asking = asyncio.create_task(ask(library, *QUESTIONS))
        async with asyncio.timeout(10):
            while len(api.queries) < 3:
                await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await left_over(before) == set()
        asked = len(api.queries)
        await asyncio.sleep(0.3)
    assert len(api.queries) == asked


async def test_a_question_in_another_language_is_not_asked(library: Library) -> None:
    german = Raising(ConnectorError("It went wrong"))
    german.languages = ("de",)
    english, asked = await search_all(
        [german], ["How does the wind turn the blades?", "Wie dreht der Wind die Flügel?"],
        SearchRequest(library, 5),
    )  # fmt: skip
    assert (english.degraded, german.asked) == ([], 1)
    assert codes([asked]) == ["connector_failed"]


async def test_a_broken_library_ends_all_questions(tavily: StartTavily, library: Library) -> None:
    before = asyncio.all_tasks()
    connectors = [Tavily(), Raising(LibraryError("The library is away."))]
    with tavily(hang=lambda _: 60.0):
        with pytest.raises(LibraryError):
            await search_all(connectors, ["wind"], SearchRequest(library, 5))
        assert await left_over(before) == set()


async def test_a_connector_that_breaks_its_promise_stops_no_other(
    tavily: StartTavily, library: Library
) -> None:
    raising = Raising(KeyError(KEY))
    with tavily():
        broken, found = await search_all([raising, Tavily()], ["wind"], SearchRequest(library, 5))
    assert found.hits
    assert [p["detail"] for p in broken.degraded] == [
        "raising, asked “wind”: it failed (KeyError)."
    ]
    assert (codes([broken]), raising.asked) == (["connector_failed"], 1)
