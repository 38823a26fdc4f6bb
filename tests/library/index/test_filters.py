"""Filters: what passes is what they say, and as much of it as there is."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from library_pages import ask, page, rows, sections, uris
from meanings import speaking

from library.library import Library
from schema.documents import Document
from schema.search import RETRIEVERS, Filters

FOLDERS = ("file:///a", "file:///a/b", "file:///ab", "http://host/c")
DATES = ("", "2023", "2024-05", "2024-05-02", "2024-05-02T10:00:00Z", "2025-01-01")
CODE = "class Shelf{n}:\n    def word{n}(self):\n        return shelf\n"


def made(number: int, random_: random.Random) -> Document:
    """A document of one chunk that holds the word shelf, and otherwise is like no other."""
    language = random_.choice(["en", "de", "python"])
    name = f"{random_.choice(FOLDERS)}/d{number}"
    described = {
        "connector": random_.choice(["files", "web", "slack"]),
        "published": random_.choice(DATES),
        "title": random_.choice(["", "Report", f"Shelf {number}"]),
    }
    if language == "python":
        return page(f"{name}.py", CODE.format(n=number), **described)
    own = " ".join(f"{word}{number}" for word in ("oak", "elm", "ash", "fir", "yew"))
    head = random_.choice(["", "# Overview\n\n", "# History\n\n", "# Summary\n\n"])
    return page(name, f"{head}The shelf holds {own}.", language=language, **described)


def below(root: str, uri: str, path: str) -> bool:
    return any(place == root or place.startswith(root.rstrip("/") + "/") for place in (uri, path))


def passes(filters: Filters, row: dict[str, Any]) -> bool:
    """Whether a chunk passes, told in Python."""
    date, since, until = row["published"], filters.since, filters.until
    tests: list[Callable[[], bool]] = [
        lambda: not filters.connectors or row["connector"] in filters.connectors,
        lambda: row["connector"] not in filters.not_connectors,
        lambda: not filters.documents or row["id"] in filters.documents,
        lambda: (
            not filters.under or any(below(root, row["uri"], row["path"]) for root in filters.under)
        ),
        lambda: not since or (bool(date) and date >= since[: len(date)]),
        lambda: not until or (bool(date) and date < until),
        lambda: not filters.language or filters.language in (row["language"], row["code"]),
        lambda: not filters.kinds or row["kind"] in filters.kinds,
        lambda: not filters.symbol_kind or filters.symbol_kind in row["symbols"],
    ]
    return all(test() for test in tests)


@pytest.fixture
async def shelves(library: Library) -> tuple[Library, list[dict[str, Any]]]:
    """Sixty documents of all sorts with vectors, and their chunks as rows."""
    random_ = random.Random(3)
    speaking(library)
    await library.store([made(number, random_) for number in range(60)])
    await library.embed_missing()
    names = ("chunk", "id", "uri", "path", "connector", "published", "language", "code", "kind")
    found = await rows(
        library,
        "SELECT c.id, d.id, d.uri, d.path, d.connector, d.published, d.language, d.code, c.kind, "
        "(SELECT array_agg(x.kind) FROM quire.symbols x WHERE x.chunk_id = c.id "
        "AND x.role = 'definition') FROM quire.chunks c JOIN quire.documents d "
        "ON d.id = c.document_id JOIN quire.spaces s ON s.id = c.space_id WHERE s.name = %s",
        library.space,
    )
    return library, [
        dict(zip((*names, "symbols"), row, strict=True)) | {"symbols": row[-1] or []}
        for row in found
    ]


def some(random_: random.Random, ids: list[int]) -> Filters:
    """Filters of one to three kinds."""
    given = {
        "connectors": random_.sample(["files", "web", "slack", "none"], 2),
        "not_connectors": [random_.choice(["files", "web"])],
        "documents": random_.sample(ids, random_.choice([1, 5, 30])),
        "under": random_.sample([*FOLDERS, "files/a", "web/host", "slack"], 2),
        "since": random_.choice(["2024", "2024-05-02", "2025"]),
        "until": random_.choice(["2024-05-02", "2025"]),
        "language": random_.choice(["en", "de", "python", "rust"]),
        "kinds": random_.choice([["code"], ["abstract", "overview"], ["timeline"], ["body"]]),
        "symbol_kind": random_.choice(["class", "method", "module"]),
    }
    chosen = random_.sample(sorted(given), random_.randint(1, 3))
    return Filters(**{name: given[name] for name in chosen})  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "retrievers", [["lexical"], ["dense"], RETRIEVERS], ids=["lexical", "dense", "all"]
)
async def test_a_filtered_search_finds_what_passes_all_of_it_and_nothing_else(
    shelves: tuple[Library, list[dict[str, Any]]],
    retrievers: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "library.search.search_pass.MIN_DEPTH", 2
    )  # many candidates are filtered out
    library, held = shelves
    random_ = random.Random(11)
    full = 0
    for _ in range(25):
        filters = some(random_, [row["id"] for row in held])
        passing = {row["chunk"] for row in held if passes(filters, row)}
        for limit in (3, len(held)):
            hits = (
                await ask(library, "shelf", retrievers=retrievers, filters=filters, limit=limit)
            ).hits
            assert {hit.chunk for hit in hits} <= passing, filters
            assert len(hits) == min(limit, len(passing)), filters
        full += bool(passing)
    assert full > 8


async def test_the_order_is_that_of_an_unfiltered_search(
    shelves: tuple[Library, list[dict[str, Any]]],
) -> None:
    library, held = shelves
    query = "shelf oak3 elm9 ash12 fir20 yew31 Shelf41"
    options = {"retrievers": ["lexical"], "limit": len(held)}
    every = [hit.chunk for hit in (await ask(library, query, **options)).hits]
    filters = Filters(under=["file:///a", "http://host"])
    passing = {row["chunk"] for row in held if passes(filters, row)}
    found = [hit.chunk for hit in (await ask(library, query, filters=filters, **options)).hits]
    assert found == [chunk for chunk in every if chunk in passing]


@pytest.fixture
async def kinds(library: Library) -> Library:
    """A document with a chunk of every kind of prose, and one of code."""
    words = "The shelf stands here with plain words, one after another, of many sorts. " * 14
    dated = "\n".join(f"- 2024-0{month}-01: the shelf grew by {month}" for month in range(1, 9))
    prose = "".join(f"# {heading}\n\n{words}\n\n" for heading in ("Summary", "Overview", "Details"))
    text = f"{prose}# History\n\n{dated}"
    await library.store(
        [
            page("file:///a.md", text),
            page("file:///a.py", "class Shelf:\n    def shelf(self):\n        return 1\n"),
            page("file:///b.py", "def shelf(words):\n    return words\n"),
            page("file:///c.js", "function shelf(words) { return words }\n"),
        ]
    )
    return library


@pytest.mark.parametrize("kind", ["abstract", "overview", "body", "timeline", "code"])
async def test_a_search_keeps_to_kinds_of_text(kinds: Library, kind: str) -> None:
    hits = (await ask(kinds, "shelf", filters=Filters(kinds=[kind]))).hits  # type: ignore[list-item]
    assert {hit.kind for hit in hits} == {kind}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(language="python"), {"file:///a.py", "file:///b.py"}),
        (Filters(language="javascript"), {"file:///c.js"}),
        (Filters(language="en"), {"file:///a.md", "file:///a.py", "file:///b.py", "file:///c.js"}),
        (Filters(language="de"), set()),
        (Filters(symbol_kind="class"), {"file:///a.py"}),
        (Filters(symbol_kind="method"), {"file:///a.py"}),
        (Filters(symbol_kind="function"), {"file:///b.py", "file:///c.js"}),
        (Filters(symbol_kind="function", language="python"), {"file:///b.py"}),
        (Filters(symbol_kind="struct"), set()),
        (Filters(not_connectors=["files"]), set()),
        (Filters(not_connectors=["web"], language="javascript"), {"file:///c.js"}),
        (Filters(under=["files/a.md"]), {"file:///a.md"}),
        (Filters(under=["files"], kinds=["timeline"]), {"file:///a.md"}),
        (Filters(language="\0", symbol_kind="\ud83d"), set()),
    ],
)  # fmt: skip
async def test_a_search_keeps_to_languages_symbols_and_places(
    kinds: Library, filters: Filters, expected: set[str]
) -> None:
    assert set(await uris(kinds, "shelf", filters=filters)) == expected


async def test_filters_hold_for_documents_too(library: Library) -> None:
    await library.store(
        [page(f"{folder}/{i}", sections("owl", f"n{i}")) for folder in "ab" for i in range(4)]
    )
    found = await uris(library, "owl", mode="documents", limit=9, filters=Filters(under=["b"]))
    assert sorted(found) == ["b/0", "b/1", "b/2", "b/3"]
