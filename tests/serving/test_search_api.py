"""Searching from outside a graph: one query as it is, and what a conversation wants."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from langchain_core.embeddings import DeterministicFakeEmbedding

from library.library import Library, open_library
from models.embeddings import Embedder
from retrieval.passages.pool import priority_factor
from schema.documents import Document
from schema.errors import InputError, ModelUnavailableError
from schema.search import Filters, SearchOptions, SearchResult
from serving.search import ResultsByPart, search, search_query

QUESTION = "What do herons eat?"
TEXTS = {
    "fish": "Herons eat fish and frogs.",
    "nests": "A nest of sticks stands in a tall tree.",
    "feathers": "Feathers are preened with the bill.",
}


@pytest.fixture
async def birds(space: str) -> Library:
    """Sources about birds, something remembered and a template."""
    library = await open_library(space)
    await library.store([document(uri, text) for uri, text in TEXTS.items()])
    await library.open_part("memory").store(
        [document("said", "She prefers short answers on herons.")]
    )
    await library.open_part("skill").store(
        [document("form", "A profile of herons: food, then nest.")]
    )
    return library


def document(uri: str, text: str) -> Document:
    return Document(uri=uri, text=text, title=uri, connector="files", language="en")


def wanted(*queries: tuple[str, str, int], question: str = QUESTION) -> str:
    """A planner's answer, from (type, query, priority)."""
    typed = [{"type": t, "query": q, "priority": p, "intent": "to know"} for t, q, p in queries]
    return json.dumps({"question": question, "language": "en", "queries": typed})


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A planner's server, which is never to be asked unless told otherwise."""
    with FakeOpenAI(lambda _: "never") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
        yield server


@pytest.fixture
def planned(birds: Library, api: FakeOpenAI) -> Callable[..., Any]:
    """Searches the birds with a planner that gives one answer; and what it was asked."""

    async def searched(
        answer: str,
        conversation: Sequence[tuple[str, str]] = (),
        options: SearchOptions | None = None,
        question: str = QUESTION,
    ) -> tuple[ResultsByPart, list[ChatRequest]]:
        api._answer = lambda _: answer
        found = await search(question, conversation, options, space=birds.space)
        return found, api.requests

    return searched


async def uris(library: Library, found: SearchResult) -> list[str]:
    described = await library.load_documents([hit.document for hit in found.hits])
    return [described[hit.document].uri for hit in found.hits]


def asked(found: SearchResult) -> int:
    """How many searches were made."""
    names = [step.name for step in found.trace]
    return names.count("hits") - names.count("wider pass")


async def test_find_searches_one_query_and_asks_no_chat_model(
    birds: Library, api: FakeOpenAI
) -> None:
    found = await search_query("tall tree", space=birds.space)
    assert api.requests == []
    assert await uris(birds, found) == ["nests"]
    assert found == await birds.search("tall tree")


async def test_find_takes_options_a_space_and_a_user(birds: Library) -> None:
    other = await open_library(birds.space, "another user")
    await other.store([document("theirs", "Herons eat eels.")])
    options = SearchOptions(filters=Filters(connectors=["nowhere"]))
    assert (await search_query(QUESTION, options, space=birds.space)).hits == []
    assert (await search_query(QUESTION, space=f"{birds.space}-other")).hits == []
    found = await search_query(QUESTION, space=birds.space, user="another user")
    assert await uris(other, found) == ["theirs"]


async def test_each_query_is_asked_of_its_part(birds: Library, planned: Callable[..., Any]) -> None:
    answer = wanted(
        ("resource", "tall tree nest", 1),
        ("memory", "preferred answers", 1),
        ("skill", "profile of herons", 1),
    )
    found, requests = await planned(answer)
    assert [query.type for query in found.queries] == ["resource", "memory", "skill"]
    assert [query.intent for query in found.queries] == ["to know"] * 3
    assert set(await uris(birds, found.resources)) == {"fish", "nests"}
    assert await uris(birds.open_part("memory"), found.memory) == ["said"]
    assert await uris(birds.open_part("skill"), found.skill) == ["form"]
    assert (asked(found.resources), asked(found.memory), asked(found.skill)) == (2, 1, 1)
    assert found.degraded == []
    assert len(requests) == 1


async def test_a_part_that_no_query_is_for_is_not_searched(planned: Callable[..., Any]) -> None:
    found, _ = await planned(wanted(("resource", "herons", 1)))
    assert found.memory == found.skill == SearchResult([])


async def test_the_planner_reads_the_conversation_before_the_question(
    birds: Library, planned: Callable[..., Any]
) -> None:
    turns = [("user", "Tell me of feathers."), ("quire", "They are light.</turn>")]
    found, [request] = await planned(
        wanted(("resource", "preening feathers", 1), question="How are feathers preened?"),
        turns,
        question="Kept clean how?",
    )
    assert '<turn from="user">Tell me of feathers.</turn>' in request.text
    assert "They are light.&lt;/turn></turn>" in request.text
    assert "<question>Kept clean how?</question>" in request.text
    assert await uris(birds, found.resources) == ["feathers"]
    assert asked(found.resources) == 3  # the query, the question as it was asked and understood


async def test_a_greeting_searches_nothing(planned: Callable[..., Any]) -> None:
    found, _ = await planned(wanted(question="Hello herons!"), question="Hello herons!")
    assert found == ResultsByPart([], SearchResult([]), SearchResult([]), SearchResult([]))


async def test_the_question_itself_is_always_searched(
    birds: Library, planned: Callable[..., Any]
) -> None:
    found, _ = await planned(wanted(("memory", "preferred answers", 2)))
    assert [query.type for query in found.queries] == ["memory"]
    assert await uris(birds, found.resources) == ["fish"]
    assert found.resources.hits == (await birds.search(QUESTION)).hits


async def test_a_chunk_counts_once_with_the_better_weighed_score(
    birds: Library, planned: Callable[..., Any]
) -> None:
    """Alone, each query gives its best chunk 1.0 by words; its priority lowers that."""
    found, _ = await planned(
        wanted(("resource", "tree herons", 3), ("resource", "nest of sticks", 5)),
        question="feathers",
    )
    alone = {}
    for query, priority in (
        ("feathers", 1),
        (QUESTION, 1),
        ("tree herons", 3),
        ("nest of sticks", 5),
    ):
        for hit in (await birds.search(query)).hits:
            alone.setdefault(hit.chunk, []).append(hit.score * priority_factor(priority))
    assert max(map(len, alone.values())) > 1
    got = {hit.chunk: hit.score for hit in found.resources.hits}
    assert got == {chunk: pytest.approx(max(scores)) for chunk, scores in alone.items()}
    scores = [hit.score for hit in found.resources.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == len(TEXTS)
    assert scores[-1] < 1


@pytest.mark.parametrize(("priority", "score"), [(1, 1.0), (2, 0.9), (5, 0.6)])
async def test_a_step_of_priority_costs_a_tenth(
    birds: Library, planned: Callable[..., Any], priority: int, score: float
) -> None:
    found, _ = await planned(wanted(("memory", "preferred answers", priority)))
    [alone] = (await birds.open_part("memory").search("preferred answers")).hits
    [hit] = found.memory.hits
    assert hit.score == pytest.approx(score * alone.score)


async def test_the_limit_holds_for_each_part(birds: Library, planned: Callable[..., Any]) -> None:
    answer = wanted(("resource", "nest", 2), ("resource", "feathers", 3), ("memory", "herons", 1))
    found, _ = await planned(answer, options=SearchOptions(limit=2))
    assert await uris(birds, found.resources) == ["fish", "nests"]
    assert len(found.memory.hits) == 1


async def test_rubbish_of_the_planner_leaves_the_question_and_a_code(
    birds: Library, planned: Callable[..., Any]
) -> None:
    found, requests = await planned("I would rather not.")
    assert [problem["code"] for problem in found.degraded] == ["question_not_reformulated"]
    assert [(one.query, one.type) for one in found.queries] == [(QUESTION, "resource")]
    assert found.resources.hits == (await birds.search(QUESTION)).hits
    assert len(requests) == 2  # one repair


async def test_a_long_question_is_searched_too(birds: Library, planned: Callable[..., Any]) -> None:
    question = f"{QUESTION} {'and why ' * 300}"
    found, _ = await planned("I would rather not.", question=question)
    assert await uris(birds, found.resources) == ["fish"]


async def test_what_several_searches_lost_is_told_once(
    birds: Library, planned: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vectors of the space are of another model than the one that is configured."""
    birds.embedder = Embedder("test:words", DeterministicFakeEmbedding(size=16), seconds=5)
    await birds.embed_missing()
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "openai:another")
    found, _ = await planned(wanted(("resource", "nest", 1), ("memory", "herons", 1)))
    assert await uris(birds, found.resources) == ["fish", "nests"]
    assert [lost["code"] for lost in found.resources.degraded] == ["embedding_model_changed"]
    assert found.memory.degraded == []


async def test_a_planner_that_does_not_answer_is_an_error(birds: Library, api: FakeOpenAI) -> None:
    api.faults = [401] * 3
    with pytest.raises(ModelUnavailableError, match="refused the key"):
        await search(QUESTION, space=birds.space)


async def test_without_a_model_the_question_is_planned_all_the_same(birds: Library) -> None:
    found = await search(QUESTION, space=birds.space)
    assert found.queries
    assert (await uris(birds, found.resources))[0] == "fish"
    assert (await search("Hello!", space=birds.space)).queries == []


@pytest.mark.parametrize(
    ("question", "told"), [("", "no question"), ("?!", "no question"), ("a" * 9_000, "characters")]
)
async def test_what_is_no_question_is_told_in_a_sentence(
    space: str, question: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        await search(question, space=space)
