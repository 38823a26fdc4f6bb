"""Levels of detail and boosts, as a whole search uses them."""

from datetime import UTC, datetime

import pytest
from library_pages import ask, page, uris
from meanings import speaking

from library.library import Library
from library.search import pipeline as searching
from schema.search import Boost, Filters, SearchOptions

PROSE = {
    "Summary": "A heron is a grey bird of ponds, patient and alone. ",
    "Overview": "Every heron nests high in old trees, next to many others of its kind. ",
    "Behaviour": "In shallow water the heron waits for fish, hour after hour, all day. ",
}
DATED = "\n".join(f"- 202{year}-03-01: heron count was {year * 11}" for year in range(8))


@pytest.fixture
async def herons(library: Library) -> Library:
    """One document with all kinds of text, in chunks of their own."""
    prose = "".join(f"# {heading}\n\n{text * 15}\n\n" for heading, text in PROSE.items())
    await library.store([page("a", f"{prose}# Record\n\n{DATED}\n")])
    return library


async def kinds(library: Library, query: str, **options: object) -> list[str]:
    return [hit.kind for hit in (await ask(library, query, per_document=9, **options)).hits]


async def test_low_detail_keeps_to_summaries(herons: Library) -> None:
    assert set(await kinds(herons, "heron", detail="low")) == {"abstract", "overview"}


@pytest.mark.parametrize("detail", ["medium", "high"])
async def test_more_detail_looks_at_every_kind(herons: Library, detail: str) -> None:
    found = await kinds(herons, "heron summary behaviour count", detail=detail)
    assert {"body", "timeline"} <= set(found)


async def test_low_detail_looks_further_where_it_finds_nothing(herons: Library) -> None:
    found = await ask(herons, "count", detail="low")
    assert [hit.kind for hit in found.hits] == ["timeline"]
    steps = [(step.name, step.detail) for step in found.trace]
    assert [told["detail"] for name, told in steps if name == "query"] == ["low", "medium"]
    assert ("wider pass", {"why": "all hits are weak", "taken": True}) in steps


async def test_kinds_that_were_asked_for_stand_above_the_detail(herons: Library) -> None:
    kept = Filters(kinds=["timeline"])
    assert await kinds(herons, "heron", detail="low", filters=kept) == ["timeline"]


async def test_the_whole_record_raises_timelines(herons: Library) -> None:
    found = {}
    for detail in ("medium", "high"):
        hits = (await ask(herons, "heron count water", detail=detail, per_document=9)).hits
        found[detail] = {hit.kind: hit for hit in hits}
    assert found["medium"]["timeline"].why == []
    assert found["high"]["timeline"].why == ["timeline ×1.25"]
    assert found["high"]["body"].why == []


@pytest.mark.parametrize(
    ("query", "detail"),
    [("What is a heron?", "low"), ("heron counts since 2021", "high"), ("heron fish", "medium")],
)
async def test_the_query_may_choose_the_detail(herons: Library, query: str, detail: str) -> None:
    found = await ask(herons, query, detail="auto")
    assert found.trace[0].detail["detail"] == detail


async def scores(library: Library, query: str, **options: object) -> dict[str, tuple[float, list]]:
    """Score and reasons by uri."""
    found = await ask(library, query, **options)
    infos = await library.load_documents([hit.document for hit in found.hits])
    return {infos[hit.document].uri: (hit.score, hit.why) for hit in found.hits}


async def test_what_was_replaced_counts_half(library: Library) -> None:
    await library.store(
        [
            page("old", "Herons breed in March, as was thought.", superseded=True),
            page("new", "Herons breed from February on, it is now known."),
        ]
    )
    plain = await scores(library, "herons breed", boosts=[])
    marked = await scores(library, "herons breed")
    assert marked["old"] == (pytest.approx(plain["old"][0] / 2, abs=1e-5), ["superseded ×0.50"])
    assert marked["new"] == plain["new"]
    await library.store([page("old", "Herons breed in March, as was thought.")])
    assert (await scores(library, "herons breed"))["old"] == plain["old"]


async def test_a_text_that_many_link_to_counts_more(library: Library) -> None:
    await library.store(
        [
            page("file:///a", "Herons of one pond."),
            page("file:///b", "Herons of one lake.", url="http://b"),
            *[page(f"file:///l{i}", f"See [it](file:///b) or http://b {i}") for i in range(2)],
            page("file:///u", "See http://b alone."),
            page("file:///m", "[self](file:///m) and [other](file:///b)"),
        ]
    )
    found = await scores(library, "herons of one", boosts=["links"], retrievers=["lexical"])
    assert found["file:///b"][1] == ["links ×1.08"]  # 1 + 0.05 ln(1 + 4)
    assert found["file:///a"][1] == []
    assert (await uris(library, "herons of one", boosts=["links"]))[0] == "file:///b"


async def test_every_boost_is_given_what_it_weighs(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their factors are tested in tests/retrieval/search/test_boosts.py."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime(2026, 3, 1, tzinfo=UTC)

    monkeypatch.setattr(searching, "datetime", Clock)
    await library.store(
        [
            page("file:///x/a", "It waits.", title="Grey heron", published="2025-12-01"),
            page("file:///y/a", "It waits for frogs.", title="Grey water", published="2027-01-01"),
        ]
    )
    found = await scores(
        library,
        "what does the grey heron wait for",
        boosts=["recency", "title_phrase", "paths"],
        path_weights={"file:///x": 0.5, "file:///x/b": 3.0},
    )
    assert {uri: why for uri, (_, why) in found.items()} == {
        "file:///x/a": ["recency ×1.15", "title phrase ×1.25", "paths ×0.50"],
        "file:///y/a": [],
    }


async def test_the_cosine_itself_is_mixed_in(library: Library) -> None:
    vectors = {"herons": [1.0, 0.0], "near": [1.0, 0.0], "far": [-1.0, 0.01], "side": [0.0, 1.0]}

    def meaning(text: str) -> list[float]:
        return next(vector for word, vector in vectors.items() if word in text.casefold())

    speaking(library, meaning)
    others = " ".join(f"word{number}" for number in range(150))
    texts = {"near": "near heron", "side": "side heron", "far": f"far heron {others}"}
    await library.store([page(uri, text) for uri, text in texts.items()])
    await library.embed_missing()
    plain = await scores(library, "herons", boosts=[])
    mixed = await scores(library, "herons", boosts=["cosine"])
    for uri, cosine in (("near", 1.0), ("side", 0.0)):
        assert mixed[uri][0] == pytest.approx(0.7 * plain[uri][0] + 0.3 * cosine, abs=1e-3)
    assert 0 < plain["far"][0] < 0.4  # 0.3 of its cosine takes more than there is
    assert mixed["far"][0] == 0


@pytest.mark.parametrize("boost", ["cosine", "links", "recency", "title_phrase", "superseded"])
async def test_no_boost_takes_a_score_out_of_its_bounds(herons: Library, boost: Boost) -> None:
    speaking(herons, lambda text: [1.0, -1.0 if "summary" in text else 1.0])
    await herons.embed_missing()
    options = SearchOptions(boosts=[boost, "paths"], path_weights={"": 5.0}, per_document=9)
    hits = (await herons.search("heron fish", options)).hits
    assert hits
    assert all(0 <= hit.score <= 1 for hit in hits)
