"""Store the finished report in the space's memory, for the outlines of later ones."""

from datetime import UTC, datetime
from hashlib import blake2b

from langgraph.runtime import Runtime

from exports.markdown import render_markdown
from nodes.common.run import get_context, get_library, make_degradation
from schema.access import EVERYONE
from schema.context import Context
from schema.documents import Document
from schema.errors import LibraryError
from schema.state import ReportState, ReportUpdate


async def remember(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Store the report under its question: one that is asked again replaces the last answer."""
    report = state["report"]
    if not report or not get_context(runtime).remember:
        return {}
    question, library = state["question"], await get_library(runtime)
    today = datetime.now(UTC).date().isoformat()
    document = Document(
        uri=f"report:{blake2b(question['text'].encode(), digest_size=12).hexdigest()}",
        path=f"reports/{today}/{report['title']}",
        text=f"{question['text']}\n\n{render_markdown(report)}",
        title=report["title"],
        connector="memory",
        language=question["language"],
        published=today,
        aliases=(question["text"],),
        version=library.thread,  # by which it is closed where its sources are
        readers=(EVERYONE,),
    )
    memory = library.open_part("memory")
    try:
        if library.is_untold or await library.was_shown_restricted():
            return {}  # who may not read its sources would be told of them
        await memory.store([document])
        if await library.was_shown_restricted():  # by now
            await memory.remove([document.uri])
    except LibraryError as error:
        return {"degraded": [make_degradation("report_not_remembered", error)]}
    return {}
