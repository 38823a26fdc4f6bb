"""The searches of a report that rests on the web, made once more."""

from itertools import chain, zip_longest

from langgraph.runtime import Runtime

from library.library import Library
from library.saved_reports import SavedReport
from nodes.common.gathering import gather
from nodes.common.search_events import make_request
from retrieval.passages.pool import deduplicate_questions
from schema.context import Context
from schema.report import Degradation, Report
from schema.watch import WatchState

MOST_SEARCHES, MOST_PAGES = 8, 10
"""Questions that are asked again at one look, and pages that are read then."""


async def search_anew(
    state: WatchState,
    runtime: Runtime[Context],
    library: Library,
    saved: SavedReport,
    report: Report,
) -> list[Degradation]:
    """Ask the report's connectors its sections' questions again; what they find is stored.

    Only where the report cites what was found on the web: others are kept up to date by syncs.

    Returns:
        What could not be asked or read.
    """
    cited = sorted({one["document"] for one in report["citations"]})
    if not await library.open_part("web").find_stored(cited):
        return []
    by_section = [
        held["questions"]
        for held, section in zip(saved.material, report["sections"], strict=True)
        if section.get("kind") != "summary"
    ]
    in_turns = filter(None, chain.from_iterable(zip_longest(*by_section)))
    queries = deduplicate_questions([report["question"][:500], *in_turns])[:MOST_SEARCHES]
    found = await gather(runtime, make_request(state, runtime, library), queries, pages=MOST_PAGES)
    return found.degraded
