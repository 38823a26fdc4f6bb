"""Faults of search engines, web pages, the database and the reranker."""

import json
from collections import Counter
from collections.abc import Iterable

from fakes.openai_chat import ChatRequest

from benchmarks.reliability.matrix.actions import TOWN, Ask, Killed, Outcome, Report
from benchmarks.reliability.matrix.row import CONNECTOR_SECONDS, Row, resumes_whole
from benchmarks.reliability.matrix.rules import only
from benchmarks.reliability.world.chat_model import plan
from benchmarks.reliability.world.pages import SUBJECTS, half
from benchmarks.reliability.world.requests import Fault

HANGING = Fault(wait=60.0)
HTML = Fault(body=(b"<html><body>Sign in to go on.</body></html>", "text/html"))
BROKEN = Fault(body=(b'{"results": [{"url": "http', "application/json"))
NOTHING = Fault(body=(b'{"results": []}', "application/json"))
ODD = Fault(body=(b'{"results": [7, null, {"url": 5, "content": []}, "x"]}', "application/json"))
LIMITED = Fault(429, headers={"retry-after": "0.3"})

DEAD = "http://127.0.0.1:9"

TIMED = frozenset({"connector_failed", "connector_limit", "connector_timeout"})
"""Where tries and their waits do not end before the deadline, both say what was lost."""

FILES = Report(files=True, connectors=("files", "tavily"))
"""A report that has files besides the search engine: it stands without it."""

BOTH = Report(connectors=("searxng", "tavily"))

PIERS = f"piers of {TOWN}"
BUILT = f"{TOWN}/piers/built"


def _no_timeouts(got: Outcome) -> Iterable[str]:
    if lost := [code for code in got.codes if code == "connector_timeout"]:
        yield f"{len(lost)} searches lost that would have been answered in time"


def _worded(got: Outcome) -> Iterable[str]:
    details = [one["detail"] for one in (got.report or {}).get("degraded", [])]
    if any("was hit for" in detail for detail in details):
        yield "“was hit for 1 s” says something else than it means"


SEARCH = [
    Row(
        "429 on 30 % of the searches, once each", "search",
        rules=only(LIMITED, kind="search", share=0.3, attempts=1), tested=True,
    ),
    Row(
        "429 on 30 % of the searches, always", "search",
        rules=only(Fault(429), kind="search", share=0.3),
        codes=("connector_limit|connector_timeout",), may=TIMED,
        extra=CONNECTOR_SECONDS + 6.0, check=_worded,
    ),
    Row(
        "429 that asks for an hour", "search", act=FILES,
        rules=only(Fault(429, headers={"retry-after": "3600"}), kind="search"),
        codes=("connector_limit",),
    ),
    Row(
        "HTTP 500, always", "search", act=FILES,
        rules=only(Fault(500), kind="search"),
        codes=("connector_failed|connector_timeout",), may=TIMED, extra=20,
    ),
    Row(
        "HTTP 500, always, and nothing else to ask", "search",
        rules=only(Fault(500), kind="search"), exit=1, extra=20,
    ),
    Row(
        "one search hangs", "search",
        rules=only(HANGING, kind="search", about=PIERS), codes=("connector_timeout",),
        about=PIERS, extra=CONNECTOR_SECONDS + 6.0,
    ),
    Row(
        "every search hangs", "search", act=FILES, rules=only(HANGING, kind="search"),
        codes=("connector_timeout",), extra=2 * CONNECTOR_SECONDS + 6.0,
    ),
    Row(
        "broken JSON", "search", act=FILES, rules=only(BROKEN, kind="search"),
        codes=("connector_failed",),
    ),
    Row(
        "HTML in place of JSON", "search", act=FILES, rules=only(HTML, kind="search"),
        codes=("connector_failed",),
    ),
    Row("JSON of another shape", "search", act=FILES, rules=only(ODD, kind="search")),
    Row(
        "no results, and nothing else to ask", "search",
        rules=only(NOTHING, kind="search"), exit=1,
    ),
    Row("no results, but files", "search", act=FILES, rules=only(NOTHING, kind="search")),
    Row(
        "the connection cut off, once each", "search",
        rules=only(Fault(cut=True), kind="search", attempts=1),
    ),
    Row(
        "one connector of two is dead", "search", act=BOTH,
        variables={"QUIRE_SEARXNG_BASE_URL": f"{DEAD}/searxng"},
        codes=("connector_failed|connector_timeout",),
        may=TIMED, about="searxng", extra=10,
    ),
    Row(
        "each slow but in time, while many wait", "search",
        act=Report(mode="deeper", connectors=("searxng",)), search_delay=2.5, extra=60,
        check=_no_timeouts,
    ),
]  # fmt: skip


def _page_failed(got: Outcome) -> Iterable[str]:
    failed = (got.report or {}).get("pages_failed", [])
    if not any(BUILT in url for url in failed):
        yield "the page is not named among those that could not be read"


def _other_page(got: Outcome) -> Iterable[str]:
    yield from _page_failed(got)
    if not any("cost" in url for url in (got.report or {}).get("pages_read", [])):
        yield "the other page was not read"


def _page(name: str, fault: Fault, extra: float = 6.0) -> Row:
    return Row(
        f"a page: {name}", "pages", act=Ask(), excerpts=lambda _: True,
        rules=only(fault, "read", kind="page", about=BUILT), extra=extra,
        check=_other_page, may=frozenset({"not_answered"}),
    )  # fmt: skip


def _dead_link(got: Outcome) -> Iterable[str]:
    report = got.report or {"references": []}
    dead = [one for one in report["references"] if one["reachable"] is False]
    if len(dead) != 1:
        yield f"{len(dead)} references are marked as dead, not 1"
    if "did not answer" in got.ran.out:
        yield "a 404 is said not to have answered"


def _shared(got: Outcome) -> Iterable[str]:
    for kind, name in (("page", "read"), ("search", "tavily")):
        asked = Counter(one.key for one in got.calls if (one.kind, one.name) == (kind, name))
        if twice := sum(count - 1 for count in asked.values()):
            yield f"{twice} of {asked.total()} {'pages' if kind == 'page' else 'searches'} twice"


def _overlapping(_: ChatRequest) -> str:
    """Every section asks, besides a question of its own, about the same part of the harbour."""
    made = json.loads(plan(TOWN, 6))
    for number, section in enumerate(made["sections"]):
        section["questions"][1] = f"Who keeps the {SUBJECTS[1]} of {TOWN}, says chapter {number}?"
    return json.dumps(made)


PAGES = [
    _page("404", Fault(404)),
    _page("500", Fault(500), 12),
    _page("hangs", HANGING, 30),
    _page("of 50 MB", Fault(size=50 * 2**20), 12),
    _page("of another type", Fault(body=(b"\x7fELF\x02\x01\x01" + bytes(2000), "image/png"))),
    _page("HTML that is none", Fault(body=(b"\x00\xff<<<" * 400, "text/html"))),
    _page("cut off", Fault(cut=True), 12),
    Row(
        "a cited link is a 404", "pages",
        rules=only(Fault(404), kind="page", about=BUILT), check=_dead_link,
    ),
    Row(
        "deep searches for the same thing", "pages", act=Report(mode="deeper"),
        mind={"outline": _overlapping}, excerpts=half, check=_shared, extra=60,
        may=frozenset({"not_answered"}),
    ),
]  # fmt: skip


def _no_postgres(got: Outcome) -> Iterable[str]:
    yield from resumes_whole()(got)
    if "pg_ctl" in got.ran.err or "initdb" in got.ran.err:
        yield "what pg_ctl printed stands around the sentence"


LIBRARY = [
    Row(
        "killed while sections are written", "PostgreSQL", act=Killed(), exit=1, extra=30,
        check=_no_postgres,
    ),
    Row(
        "killed while the outline is made", "PostgreSQL", act=Killed("outline"), exit=1, extra=30,
        check=_no_postgres,
    ),
    Row(
        "not to be reached", "PostgreSQL",
        variables={"QUIRE_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"}, exit=1, extra=12,
    ),
    Row(
        "a data folder that is a file", "PostgreSQL",
        variables={"QUIRE_DATA_DIR": "/dev/null/quire"}, exit=1, extra=2,
    ),
    Row(
        "the reranker is missing", "reranker",
        variables={"QUIRE_RERANK_MODEL": "colbert:no-such-model"},
        codes=("reranker_unavailable",), extra=10,
    ),
    Row(
        "the reranker's weights cannot be had", "reranker",
        variables={"QUIRE_RERANK_MODEL": "flashrank:ms-marco-TinyBERT-L-2-v2"},
        codes=("reranker_unavailable",), extra=15,
    ),
]  # fmt: skip

ROWS = [*SEARCH, *PAGES, *LIBRARY]
