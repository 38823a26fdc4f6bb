"""What a saved report was written from, for a question that is put to it."""

from dataclasses import replace

from langgraph.runtime import Runtime

from connectors.search_all import search_pages
from connectors.web_cache import SavedPages
from nodes.common.kept_report import load_kept_report
from nodes.common.run import get_context, get_library
from nodes.common.search_events import make_request
from schema.context import Context
from schema.deep_search import DeepSearchState
from schema.documents import Passage

BEST_PASSAGES = 20
"""Of all that the report's sources say, those that speak most of the question."""


async def load_report_passages(
    identity: str, question: str, state: DeepSearchState, runtime: Runtime[Context]
) -> list[Passage]:
    """The passages of a report's sources that speak of a question, then those it was written from.

    Args:
        identity: of the report.
        question: what is asked of it.
        state: of the search.
        runtime: of the search.

    Returns:
        The best first; sources that are gone from the library are left out.

    Raises:
        InputError: there is no such report, or it stands in another space.
    """
    context, library = get_context(runtime), await get_library(runtime)
    saved, _ = await load_kept_report(identity, library, context, "ask")
    used = list(dict.fromkeys(chunk for one in saved.material for chunk in one["chunks"]))
    written_from = await library.load_passages(used)
    described = await library.load_documents(
        list(dict.fromkeys(one.document for one in written_from.values()))
    )
    own = frozenset(info.id for info in described.values() if info.space == library.space)
    pages = SavedPages({info.uri: info.id for info in described.values()}, own)
    request = replace(make_request(state, runtime, library), limit=BEST_PASSAGES)
    found = await search_pages("report", question, pages, request) if described else None
    best = [hit.chunk for hit in found.hits] if found else []
    passages = {**written_from, **await library.load_passages(best)}
    return [passages[chunk] for chunk in dict.fromkeys([*best, *used]) if chunk in passages]
