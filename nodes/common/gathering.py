"""From queries to passages: every source asked, the best pages read, each passage once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from connectors.full_pages import PageSearchResult, fetch_and_search
from connectors.search_all import ConnectorResult, SearchRequest
from nodes.common.run import emit, make_degradation
from nodes.common.search_events import collect_failures, count_searches, search_connectors
from retrieval.passages.pool import merge_hits, normalise_question
from schema.context import Context
from schema.deep_search import Budget
from schema.documents import Hit
from schema.events import PagesRead
from schema.report import Degradation

SHOWN_FAILURES = 3


@dataclass(frozen=True)
class Gathered:
    """What was found, best first, and what finding it cost.

    `results` are those of connectors and pages, by query; `read` the documents of pages that were
    read in full, of whose excerpts nothing is left.
    """

    hits: list[Hit]
    results: list[ConnectorResult]
    read: list[int]
    spent: Budget
    degraded: list[Degradation]


async def gather(
    runtime: Runtime[Context],
    request: SearchRequest,
    queries: Sequence[str],
    *,
    asked: Sequence[str] = (),
    known: Sequence[Hit] = (),
    pages: int,
) -> Gathered:
    """Ask the run's connectors, and read the best pages of which only excerpts were found.

    Args:
        runtime: of the node.
        request: how this run searches.
        queries: what is asked now.
        asked: what was asked before, which the pages are searched for, too.
        known: what that found.
        pages: how many may be read.
    """
    answers = await search_connectors(runtime, queries, request)
    hits = merge_hits([*known, *(hit for one in answers for hit in one.hits)])
    found = await _read_pages(hits, [*asked, *queries], request, runtime, pages)
    results = [*answers, *found.results]
    tried = len(found.documents) + len(found.failures)
    hits = merge_hits(
        [
            *(hit for hit in hits if hit.document not in found.documents),
            *(hit for one in found.results for hit in one.hits),
        ]
    )
    return Gathered(
        hits,
        results,
        found.documents,
        Budget(**{**count_searches(answers), "pages": tried}),
        [*collect_failures(results), *_report_unread(found.failures, tried)],
    )


def map_chunks_to_sections(
    results: Sequence[ConnectorResult], asking: Mapping[str, set[int]]
) -> defaultdict[int, set[int]]:
    """For each chunk, the sections whose queries found it.

    Args:
        results: by query.
        asking: the sections that ask each query, by its normalised form.
    """
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one in results:
        for hit in one.hits:
            found[hit.chunk] |= asking.get(normalise_question(one.question), set())
    return found


async def _read_pages(
    hits: Sequence[Hit],
    questions: Sequence[str],
    request: SearchRequest,
    runtime: Runtime[Context],
    most: int,
) -> PageSearchResult:
    if most <= 0:
        return PageSearchResult([], [], [])
    documents = list(dict.fromkeys(hit.document for hit in hits))
    described = await request.library.load_documents(documents)
    known = [described[document] for document in documents if document in described]
    excerpts = [info for info in known if info.excerpt and info.url][:most]
    pages = await fetch_and_search(excerpts, questions, request)
    if excerpts:
        event = PagesRead(type="pages", read=len(pages.documents), failed=len(pages.failures))
        emit(runtime, event)
    return pages


def _report_unread(failures: Sequence[str], tried: int) -> list[Degradation]:
    if not failures:
        return []
    shown = "; ".join(failures[:SHOWN_FAILURES])
    more = f"; and {len(failures) - SHOWN_FAILURES} more" if failures[SHOWN_FAILURES:] else ""
    detail = f"{len(failures)} of {tried} pages were not read, but for excerpts: {shown}{more}."
    return [make_degradation("pages_not_read", detail)]
