"""Dense retrieval: vectors once per chunk, of one model, and search that goes on without them."""

import asyncio
from collections.abc import Iterator

import pytest
from fakes.openai_api import FakeOpenAI
from library_pages import ask, page, rows, section, sections, uris

from library.index.embed_missing import BATCH_SIZE
from library.library import Library, open_library
from schema.errors import InputError, ModelUnavailableError
from schema.search import Filters


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """An embedding server that is the configured one."""
    with FakeOpenAI(lambda _: "") as server:
        speak_to(server, monkeypatch)
        yield server


def speak_to(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, model: str = "fake") -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", f"openai:{model}")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "x")


@pytest.fixture
async def embedding(api: FakeOpenAI, space: str) -> Library:
    """A space of three chunks, with vectors."""
    library = await open_library(space)
    await library.store([page("a", sections("cat", "dog")), page("b", section("owl"))])
    assert await library.embed_missing() == 3
    return library


async def vectors(library: Library) -> dict[int, str]:
    query = (
        "SELECT e.chunk_id, e.embedding::text FROM quire.embeddings e "
        "JOIN quire.spaces s ON s.id = e.space_id WHERE s.name = %s"
    )
    return dict(await rows(library, query, library.space))


def codes(found: object) -> list[str]:
    return [one["code"] for one in found.degraded]  # type: ignore[attr-defined]


async def test_vectors_are_made_once(embedding: Library) -> None:
    before = await vectors(embedding)
    assert len(before) == 3
    assert await embedding.embed_missing() == 0
    assert await vectors(embedding) == before


async def test_only_new_chunks_get_vectors_and_old_ones_lose_theirs(embedding: Library) -> None:
    before = await vectors(embedding)
    await embedding.store([page("a", sections("cat", "emu"))])  # dog is gone
    told: list[int] = []
    assert await embedding.embed_missing(told.append) == sum(told) == 1
    after = await vectors(embedding)
    assert len(after) == 3
    assert len(before.items() & after.items()) == 2


async def test_many_chunks_come_in_batches(api: FakeOpenAI, space: str) -> None:
    library = await open_library(space)
    await library.store([page(str(i), f"Text {i}.") for i in range(BATCH_SIZE + 2)])
    told: list[int] = []
    assert await library.embed_missing(told.append) == BATCH_SIZE + 2
    assert told == [BATCH_SIZE, 2]


async def test_without_a_model_there_are_no_vectors(library: Library) -> None:
    await library.store([page("a", section("cat"))])
    assert await library.embed_missing() == 0
    assert await vectors(library) == {}


async def test_meaning_finds_what_no_word_finds(embedding: Library) -> None:
    await embedding.store([page("c", "Lava runs down a mountain."), page("d", "Tea is hot.")])
    assert await embedding.embed_missing() == 2
    found = await ask(embedding, "volcano", limit=9)  # every vector is near or far from another
    assert found.hits
    assert all(hit.retriever_scores.keys() == {"dense"} for hit in found.hits)
    assert codes(found) == []


async def test_what_meaning_found_has_full_evidence(embedding: Library) -> None:
    found = await ask(embedding, "owl volcano eruption", limit=9)
    assert {hit.relevance for hit in found.hits} == {1.0}  # too few chunks for a background


async def test_both_retrievers_agree_on_the_best(embedding: Library) -> None:
    hits = (await ask(embedding, "About owl: the owl stands here", limit=3)).hits
    assert hits[0].score == pytest.approx(1.0)
    assert (await uris(embedding, "About owl: the owl stands here"))[0] == "b"


async def test_filters_keep_the_dense_retriever_too(embedding: Library) -> None:
    assert await uris(embedding, "nothing alike", filters=Filters(under=["b"])) == ["b"]


async def test_another_model_is_told_and_replaces_every_vector(
    embedding: Library, api: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await vectors(embedding)
    with FakeOpenAI(lambda _: "", dimension=64) as other:
        speak_to(other, monkeypatch, "other")
        library = await open_library(embedding.space)
        found = await ask(library, "owl", limit=3)
        assert codes(found) == ["embedding_model_changed"]
        assert "openai:fake" in found.degraded[0]["detail"]
        assert (await uris(library, "owl"))[0] == "b"
        assert await library.embed_missing() == 3
        assert codes(await ask(library, "owl", limit=3)) == []
    after = await vectors(library)
    assert after.keys() == before.keys()
    assert not set(after.values()) & set(before.values())


async def test_a_server_that_changed_its_vectors_leaves_the_words(
    embedding: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI(lambda _: "", dimension=64) as other:
        speak_to(other, monkeypatch)
        library = await open_library(embedding.space)
        found = await ask(library, "owl", limit=3)
        assert codes(found) == ["embedding_model_changed"]
        assert (await uris(library, "owl"))[0] == "b"


async def test_a_server_that_is_down_leaves_the_words(
    embedding: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.embeddings.RETRIES", 0)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", embedding.space)  # clients are kept by key
    library = await open_library(embedding.space)
    found = await ask(library, "owl", limit=3)
    assert codes(found) == ["embedding_unavailable"]
    assert "cannot be reached" in found.degraded[0]["detail"]
    assert found.hits[0].relevance > 0.5
    await library.store([page("c", "New.")])
    with pytest.raises(ModelUnavailableError):
        await library.embed_missing()


async def test_a_refused_key_is_told(embedding: Library, api: FakeOpenAI) -> None:
    api.api_key = "another"
    found = await ask(embedding, "owl", limit=3)
    assert codes(found) == ["embedding_unavailable"]
    assert "refused the key" in found.degraded[0]["detail"]


async def test_a_batch_that_was_embedded_stays_when_a_later_one_fails(
    api: FakeOpenAI, space: str
) -> None:
    library = await open_library(space)
    await library.store([page(str(i), f"Text {i}.") for i in range(BATCH_SIZE + 2)])

    def break_down(_: int) -> None:
        api.faults = [400]

    with pytest.raises(ModelUnavailableError):
        await library.embed_missing(break_down)
    assert len(await vectors(library)) == BATCH_SIZE
    assert await library.embed_missing() == 2


async def test_a_hostile_query_still_has_a_meaning(embedding: Library) -> None:
    for query in ("owl \ud83d", "owl \0", "owl " * 50_000, "🙂"):
        found = await ask(embedding, query, limit=3, variants=[query])
        assert any("dense" in hit.retriever_scores for hit in found.hits)
        assert codes(found) == []


@pytest.mark.slow
async def test_vectors_of_two_models_never_mix(
    api: FakeOpenAI, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await open_library(space)
    await one.store([page(str(i), f"Text {i}.") for i in range(3 * BATCH_SIZE)])
    with FakeOpenAI(lambda _: "", dimension=64) as server:
        speak_to(server, monkeypatch, "other")
        other = await open_library(space)
        started = asyncio.Event()
        first = asyncio.create_task(one.embed_missing(lambda _: started.set()))
        await started.wait()
        await asyncio.gather(first, other.embed_missing())
        lengths = {text.count(",") + 1 for text in (await vectors(other)).values()}
        assert lengths == {64}
        assert len(await vectors(other)) == 3 * BATCH_SIZE


async def test_a_model_without_a_provider_is_refused(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "nothing")
    with pytest.raises(InputError, match="provider:model"):
        await open_library(space)
