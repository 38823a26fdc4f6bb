"""The retrievers of a search: what each finds alone, and what they make together."""

import re

import pytest
from library_pages import ask, page, section, sections, uris
from meanings import speaking

from library.library import Library
from retrieval.search.fusion import weigh_retrievers
from schema.search import RETRIEVERS, Filters

TABLE = re.compile(r"quire\.([a-z_]+)")


@pytest.fixture
async def birds(library: Library) -> Library:
    """Pages that each retriever tells apart, with vectors."""
    speaking(library)
    await library.store(
        [
            page(
                "file:///notes/heron.md",
                "The grey bird waits for hours in shallow water and strikes at once.",
                title="The Grey Heron",
                aliases=("Ardea cinerea", "Fischreiher"),
            ),
            page("file:///notes/car.md", "A car needs new tyres before the winter.", title="Tyres"),
            page("file:///notes/doctor.md", "The doctor comes on Monday.", title="Visits"),
            page(
                "file:///notes/list.md",
                "Egrets, bitterns and the grey heron stand in one family.",
                title="Families of birds",
            ),
            page(
                "https://example.org/tea",
                "Green tea is brewed at eighty degrees.",
                title="Tea",
                url="https://example.org/tea",
                connector="web",
                path="drinks/tea",
            ),
        ]
    )
    assert await library.embed_missing() == 5
    return library


@pytest.mark.parametrize(
    ("retriever", "query", "first", "misses"),
    [
        ("lexical", "tyres in winter", "car.md", "automobile"),
        ("dense", "automobile", "car.md", None),
        ("title", "visits", "doctor.md", "monday"),
    ],
)
async def test_each_retriever_finds_alone(
    birds: Library, retriever: str, query: str, first: str, misses: str | None
) -> None:
    found = await ask(birds, query, retrievers=[retriever])
    assert (await uris(birds, query, retrievers=[retriever]))[0] == f"file:///notes/{first}"
    assert found.hits[0].retriever_scores == {retriever: 1.0}
    assert {name for hit in found.hits for name in hit.retriever_scores} == {retriever}
    if misses:
        assert await uris(birds, misses, retrievers=[retriever]) == []


async def test_a_search_asks_the_database_once_for_each_thing_it_needs(
    birds: Library, statements: list[str]
) -> None:
    await ask(birds, "grey heron", retrievers=["lexical"])
    tables = [set(TABLE.findall(one)) - {"spaces", "user_id", "readers"} for one in statements]
    read = {"postings", "buffered_postings"}
    assert tables == [set(), set(), read, {"chunks", "documents"}]
    statements.clear()
    await ask(birds, "birds in water")
    assert len(statements) == 6  # the names and the vectors, too


async def test_a_page_about_the_question_comes_before_a_passage_that_mentions_it(
    library: Library,
) -> None:
    about = sections("heron", "heron", "heron", "heron")
    await library.store([page("mention", f"Heron. {section('heron')}"), page("about", about)])
    found = await uris(library, "heron", retrievers=["lexical"])
    assert found[0] == "about"


async def test_a_title_speaks_for_the_chunk_with_the_query_s_words(library: Library) -> None:
    await library.store([page("a", sections("cat", "dog", "owl"), title="Zoo"), page("b", "Owl.")])
    [hit] = (await ask(library, "zoo owl", retrievers=["title"])).hits
    [passage] = (await library.load_passages([hit.chunk])).values()
    assert "owl" in passage.text


@pytest.mark.parametrize(
    "name",
    [
        "file:///notes/heron.md",
        "files/notes/heron.md",
        "library://{space}/files/notes/heron.md",
        "The Grey Heron",
        "  the  GREY heron?",
        "“The Grey Heron”",
        "Ardea cinerea",
        "fischreiher!",
        "ＦＩＳＣＨＲＥＩＨＥＲ",
    ],
)
async def test_a_document_is_looked_up_by_any_of_its_names(birds: Library, name: str) -> None:
    name = name.format(space=birds.space)
    assert [one.uri for one in await birds.look_up(name)] == ["file:///notes/heron.md"]
    found = await ask(birds, name)
    assert found.grade == found.hits[0].grade == "exact"
    assert found.hits[0].retriever_scores["exact"] == 1.0
    assert (await uris(birds, name))[0] == "file:///notes/heron.md"
    assert await uris(birds, name, retrievers=["exact"]) == ["file:///notes/heron.md"]


async def test_a_document_is_looked_up_by_its_url(library: Library) -> None:
    await library.store([page("web:1", "Tea.", url="https://example.org/tea")])
    assert [one.uri for one in await library.look_up("https://example.org/tea")] == ["web:1"]
    assert await uris(library, "https://example.org/tea", retrievers=["exact"]) == ["web:1"]


@pytest.mark.parametrize(
    "name",
    ["Grey Heron", "heron.md", "notes", "", "?", "\0", "library://other/files/notes/heron.md"],
)
async def test_a_part_of_a_name_is_no_name(birds: Library, name: str) -> None:
    assert await birds.look_up(name) == []
    assert await uris(birds, name, retrievers=["exact"]) == []


async def test_a_path_in_the_tree_may_be_told_by_the_connector(birds: Library) -> None:
    for name in ("web/drinks/tea", f"library://{birds.space}/web/drinks/tea"):
        assert [one.uri for one in await birds.look_up(name)] == ["https://example.org/tea"]


async def test_what_is_exact_beats_all_others(library: Library) -> None:
    await library.store(
        [
            page("a", "Nothing of that kind.", title="Red kite"),
            page("b", "Red kite, red kite, red kite.", title="Red kites of the red north"),
        ]
    )
    found = await ask(library, "Red kite", retrievers=RETRIEVERS)
    assert await uris(library, "Red kite", retrievers=RETRIEVERS) == ["a", "b"]
    assert [hit.grade == "exact" for hit in found.hits] == [True, False]
    assert found.hits[0].score == 1


async def test_a_title_is_nearer_than_an_alias(library: Library) -> None:
    await library.store(
        [
            page("alias", "One.", aliases=("Kite",)),
            page("title", "Two.", title="Kite"),
            page("kite", "Three."),
        ]
    )
    assert [one.uri for one in await library.look_up("Kite")] == ["title", "alias"]
    assert [one.uri for one in await library.look_up("kite")] == ["kite", "title", "alias"]


async def test_names_of_an_older_version_are_forgotten(library: Library) -> None:
    await library.store([page("a", "Text.", title="Old name", aliases=("Other",))])
    await library.store([page("a", "Text.", title="New name")])
    assert await library.look_up("old name") == await library.look_up("other") == []
    assert [one.uri for one in await library.look_up("new name")] == ["a"]


async def test_contributions_of_the_retrievers_sum_to_the_score(birds: Library) -> None:
    for fusion in ("scores", "ranks"):
        found = await ask(
            birds, "where does the grey bird wait", retrievers=RETRIEVERS, fusion=fusion, boosts=[]
        )
        assert set(found.hits[0].retriever_scores) == {"lexical", "dense", "title"}
        for hit in found.hits:
            assert sum(hit.retriever_scores.values()) == pytest.approx(hit.score, abs=2e-4)
            assert 0 <= hit.score <= 1


async def test_what_both_retrievers_find_comes_first(library: Library) -> None:
    speaking(library)
    await library.store(
        [
            page("both", "The automobile of the physician."),
            page("dense", "The car of the doctor."),
            page("lexical", "The automobile factory stands in a valley of the north. " * 3),
            page("none", "Tea is green."),
        ]
    )
    await library.embed_missing()
    assert (await uris(library, "automobile physician"))[0] == "both"


async def test_ranks_may_be_fused_instead_of_scores(birds: Library) -> None:
    options = {
        "retrievers": ["lexical", "title"],
        "fusion": "ranks",
        "rank_constant": 1,
        "boosts": [],
    }
    found = await ask(birds, "grey heron", **options)
    given = weigh_retrievers(1.0, gated=False)
    share = given["lexical"] / (given["lexical"] + given["title"])
    shares = sorted((hit.retriever_scores["lexical"] for hit in found.hits), reverse=True)
    assert shares == pytest.approx([share, share * 2 / 3], abs=1e-4)
    assert next(step for step in found.trace if step.name == "fusion").detail["kind"] == "ranks"


async def test_other_wordings_find_more_and_have_one_vote(library: Library) -> None:
    await library.store(
        [
            page("one", "Wind turbines turn."),
            page("two", "Rotors of power stations."),
            page("three", "Mills."),
        ]
    )
    assert await uris(library, "turbines") == ["one"]
    found = await ask(
        library, "turbines", variants=["rotors", "rotors of stations", "rotors power"]
    )
    assert set(await uris(library, "turbines", variants=["rotors", "power"])) == {"one", "two"}
    assert [hit.score for hit in found.hits] == [1.0, 1.0]
    assert found.trace[0].detail["variants"] == 3


async def test_other_wordings_are_embedded_too(birds: Library) -> None:
    options = {"retrievers": ["dense"], "limit": 2}
    assert (await uris(birds, "doctor", **options))[0] == "file:///notes/doctor.md"
    found = await uris(birds, "doctor", variants=["car tyres winter"], **options)
    assert set(found) == {"file:///notes/doctor.md", "file:///notes/car.md"}


async def test_names_in_code_are_found_whole_and_by_their_parts(library: Library) -> None:
    await library.store(
        [page("a", "Call readFile before anything else."), page("b", "Write nothing at all.")]
    )
    for query in ("readFile", "read file", "file reading"):
        assert await uris(library, query) == ["a"]


async def test_common_words_alone_still_find(library: Library) -> None:
    await library.store([page("a", "To be or not to be."), page("b", "Herons fish.")])
    assert await uris(library, "to be") == ["a"]
    assert (await ask(library, "to be or not")).grade == "strong"


async def test_one_document_has_a_few_passages_only(library: Library) -> None:
    other = [
        page(f"u{i}", f"Index number {i} stands elsewhere, on shelf {i * 7}.") for i in range(9)
    ]
    words = [f"a{i}b b{i}c c{i}d d{i}e e{i}f f{i}g" for i in range(8)]
    await library.store([page("long", "".join(section(f"index {w}") for w in words)), *other])
    for cap in (1, 2, 5):
        hits = (await ask(library, "index", limit=10, per_document=cap)).hits
        documents = [hit.document for hit in hits]
        assert max(map(documents.count, documents)) == cap


async def test_a_text_that_stands_twice_is_marked(library: Library) -> None:
    text = "The index holds every word of the shelf and where it stands, in one file."
    await library.store([page("a", text), page("b", text), page("c", "Another index entirely.")])
    found = await ask(library, "index of every word")
    by_uri = {
        info.uri: hit
        for hit in found.hits
        for info in (await library.load_documents([hit.document])).values()
    }
    assert by_uri.keys() == {"a", "b", "c"}
    assert by_uri["a"].mirror_of is None
    assert by_uri["b"].mirror_of == by_uri["a"].chunk
    assert by_uri["c"].mirror_of is None


async def test_the_trace_names_every_step(birds: Library) -> None:
    found = await ask(birds, "grey heron", retrievers=RETRIEVERS)
    assert [step.name for step in found.trace] == [
        "query", "retriever lexical", "retriever exact", "retriever title", "retriever dense",
        "fusion", "hits",
    ]  # fmt: skip
    told = {step.name: step.detail for step in found.trace}
    assert told["query"] == {"language": "en", "words": 2, "detail": "medium", "variants": 0}
    assert told["retriever lexical"] == {"found": 2}
    assert told["retriever exact"] == {"found": 0}
    assert told["retriever dense"] == {"found": 5}
    assert told["fusion"]["weights"].keys() == {"lexical", "title", "dense"}
    assert told["hits"]["count"] == len(found.hits)
    assert told["hits"]["best grade"] == found.grade


async def test_weak_hits_lead_to_a_wider_pass(birds: Library) -> None:
    found = await ask(birds, "visits of unheard volcanoes", retrievers=["lexical", "exact"])
    names = [step.name for step in found.trace]
    assert names.count("query") == names.count("fusion") == 2
    wider = names.index("wider pass")
    assert "retriever title" not in names[:wider]
    assert {"retriever title", "retriever dense"} & set(names[wider:])
    [told] = [step.detail for step in found.trace if step.name == "wider pass"]
    assert told["why"] == "all hits are weak"


async def test_the_better_pass_answers(library: Library) -> None:
    await library.store([page("a", "Nothing of it.", title="Visits of herons")])
    await library.store([page("b", "Visits.")])
    first = await ask(library, "zebra", retrievers=["exact", "lexical"])
    assert (first.hits, first.grade) == ([], "weak")
    assert any(step.name == "wider pass" and not step.detail["taken"] for step in first.trace)


async def test_one_retriever_that_was_asked_for_stays_alone(birds: Library) -> None:
    found = await ask(birds, "visits of unheard volcanoes", retrievers=["lexical"])
    assert found.grade == "weak"
    assert "wider pass" not in [step.name for step in found.trace]
    assert [step.name for step in found.trace] == ["query", "retriever lexical", "fusion", "hits"]


async def test_good_hits_need_no_wider_pass(birds: Library) -> None:
    assert "wider pass" not in [s.name for s in (await ask(birds, "green tea")).trace]


async def test_exact_lookup_keeps_to_the_filters(library: Library) -> None:
    await library.store([page(f"{one}", f"Text {one}.", title="Report") for one in "abcdefgh"])
    every = {info.uri: info.id for one in "abcdefgh" for info in await _of(library, one)}
    for uri in "ah":
        kept = Filters(documents=[every[uri]])
        for retrievers in (["exact"], ["title"], ["lexical"], RETRIEVERS):
            assert await uris(library, "Report", retrievers=retrievers, filters=kept) == [uri], (
                retrievers
            )
    hits = (await ask(library, "Report", filters=Filters(under=["h"]))).hits
    assert [hit.grade for hit in hits] == ["exact"]


async def _of(library: Library, uri: str) -> list:
    return [one for one in await library.look_up(uri) if one.uri == uri]


async def test_titles_are_found_behind_many_that_are_filtered_out(library: Library) -> None:
    await library.store(
        [page(f"many/{i}", f"Text {i}.", title="Report") for i in range(60)]
        + [page("few/1", "Text.", title="Report of the year")]
    )
    assert await uris(library, "report", retrievers=["title"], filters=Filters(under=["few"])) == [
        "few/1"
    ]


async def test_any_variant_is_read(birds: Library) -> None:
    for variants in (["", "\ud83d"], ["x" * 50_000], ["heron"] * 20):
        assert (await ask(birds, "grey heron", variants=variants)).hits


async def test_the_commonest_words_go_unscored_in_a_large_library(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("library.search.score_words.MOST_POSTINGS", 5)
    await library.store([page(f"u{i}", f"Common {i}.") for i in range(9)] + [page("r", "Rare.")])
    assert await uris(library, "common rare", retrievers=["lexical"]) == ["r"]
    assert (
        len(await uris(library, "common", retrievers=["lexical"])) == 9
    )  # the rarest is always read


async def test_what_all_hits_hold_together_is_told(library: Library) -> None:
    await library.store([page("a", "Herons fish."), page("b", "Storks nest.")])
    assert (await ask(library, "herons storks")).coverage == 1
    some = await ask(library, "herons volcanoes")
    assert 0 < some.coverage < 1
    assert some.coverage == some.hits[0].relevance
    assert (await ask(library, "volcanoes")).coverage == 0


async def test_the_chunks_that_hold_a_term_are_counted_in_the_own_space_alone(
    birds: Library,
) -> None:
    counts = await birds.count_terms(["heron", "grey", "pelican"])
    assert counts.passages == 5
    assert counts.holding == {"heron": 2, "grey": 2, "pelican": 0}
    elsewhere = Library(birds.database, birds.user, "elsewhere", None)
    assert (await elsewhere.count_terms(["heron"])).passages == 0


async def test_a_wider_pass_reads_the_words_no_second_time(
    birds: Library, statements: list[str]
) -> None:
    found = await ask(birds, "pelican swamp otter grey", retrievers=["exact", "lexical"])
    assert "wider pass" in [step.name for step in found.trace]
    tables = [set(TABLE.findall(one)) - {"spaces", "user_id", "readers"} for one in statements]
    # those of chunks, and in the second pass of titles
    assert tables.count({"postings", "buffered_postings"}) == 2
