"""Hold the citations of a saved report against its sources as these stand now."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from langgraph.runtime import Runtime

from citations.quote_changes import QuoteNow, compare_quote
from library.library import Library
from library.saved_reports import SavedReport
from nodes.common.citations import place_citation
from nodes.common.new_findings import find_new_findings
from nodes.common.news import find_news
from nodes.common.refetch import refetch_pages
from nodes.common.run import get_context, get_library, make_degradation, overwrite
from nodes.common.search_anew import search_anew
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import InputError
from schema.report import Citation, ClaimChange, Report
from schema.state import Question
from schema.watch import WatchState, WatchUpdate


async def find_changes(state: WatchState, runtime: Runtime[Context]) -> WatchUpdate:
    """Name each claim whose quote is no longer said, whose source went, or that newer ones deny.

    And what newer sources tell on the sections' questions.

    Pages of the web that are cited are read again; of other sources the library is what counts, as
    the last sync left it. A page that could not be read is no page that went: its claims stay.

    Raises:
        InputError: there is no such report, it is not finished, or stands in another space.
    """
    library = await get_library(runtime)
    saved, report = await _load_checked(state, library, get_context(runtime))
    uris = sorted({one["document"] for one in report["citations"]})
    gone, failures = await refetch_pages(library, report, uris)
    texts, described = await _load_texts(library, uris, gone)
    citations, changes = await asyncio.to_thread(
        _compare, report, texts, described, {one.uri for one in failures}
    )
    changed = {(one["section"], one["sentence"]) for one in changes}
    unasked = await search_anew(state, runtime, library, saved, report)
    news = await find_news(library, saved, report, set(uris), changed)
    known = {*uris, *(one["document"] for one in news)}
    findings = await find_new_findings(library, saved, report, known)
    problems = [make_degradation("page_not_read_again", one.reason) for one in failures]
    return {
        "run": uuid4().hex,
        "started": time.time(),
        "report": report,
        "question": Question(
            text=report["question"],
            asked=report["question"],
            language=report["language"],
            queries=[],
        ),
        "changes": [*changes, *news, *findings],
        "citations": citations,
        "repairs": overwrite([]),
        "calls": overwrite([]),
        "degraded": overwrite([*problems, *unasked]),
    }


async def _load_checked(
    state: WatchState, library: Library, context: Context
) -> tuple[SavedReport, Report]:
    identity = state["report_id"]
    saved = await library.load_report(identity)
    if saved is None or saved.space != context.space:
        raise InputError(
            f"There is no report {identity} in the space “{context.space}”: quire reports list "
            "shows those there are."
        )
    if saved.report is None:
        raise InputError(
            f"The report {identity} is not finished: quire report --resume {identity}."
        )
    return saved, saved.report


async def _load_texts(
    library: Library, uris: Sequence[str], gone: set[str]
) -> tuple[dict[str, str], dict[str, DocumentInfo]]:
    """The text of today of each document that is still there, and what is known of it."""
    parts = [library, library.open_part("web")]
    held = {uri: one for part in parts for uri, one in (await part.find_stored(uris)).items()}
    described = await library.load_documents([one.document for one in held.values()])
    by_uri = {one.uri: one for one in described.values() if one.uri not in gone}
    texts: dict[str, str] = {}
    for part in parts:
        for uri in by_uri:
            text = None if uri in texts else await part.load_text(uri)
            if text is not None:
                texts[uri] = text
    return texts, by_uri


def _compare(
    report: Report,
    texts: dict[str, str],
    described: dict[str, DocumentInfo],
    unread: set[str],
) -> tuple[list[Citation], list[ClaimChange]]:
    """The citations in their places of today, and the claims whose quotes changed. CPU work."""
    citations: list[Citation] = []
    changes: list[ClaimChange] = []
    for one in report["citations"]:
        uri = one["document"]
        if uri in unread:
            citations.append(one)
            continue
        now = compare_quote(one, texts.get(uri), report["language"])
        if now.state in ("same", "reworded"):
            citations.append(_move(one, now, texts[uri]))
        elif one["verdict"] in ("supported", "partial"):
            changes.append(_describe(one, now, described.get(uri)))
            citations.append(one)
        else:  # it bore nothing out before
            citations.append(one)
    return citations, changes


def _move(citation: Citation, now: QuoteNow, text: str) -> Citation:
    moved = Citation(**{**citation, "start": now.start, "end": now.end, "quote": now.quote})
    return place_citation(moved, text)


def _describe(citation: Citation, now: QuoteNow, document: DocumentInfo | None) -> ClaimChange:
    day = datetime.now(UTC).date().isoformat()
    if document:
        day = document.published[:10] or document.fetched.date().isoformat()
    return ClaimChange(
        section=citation["section"],
        kind="gone" if now.state == "gone" else "changed",
        sentence=citation["sentence"],
        now="",
        number=citation["number"],
        document=citation["document"],
        before=citation["quote"],
        after=now.quote,
        dated=day,
    )
