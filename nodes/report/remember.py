"""Store the finished report in the space's memory, for the outlines of later ones."""

from datetime import UTC, datetime
from hashlib import blake2b

from langgraph.runtime import Runtime

from exports.markdown import render_markdown
from nodes.common.run import get_context, get_library, make_degradation
from schema.context import Context
from schema.documents import Document
from schema.errors import LibraryError
from schema.state import ReportState, ReportUpdate


async def remember(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Store the report under its question: one that is asked again replaces the last answer."""
    report = state["report"]
    if not report or not get_context(runtime).remember:
        return {}
    question = state["question"]
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
    )
    try:
        await (await get_library(runtime)).open_part("memory").store([document])
    except LibraryError as error:
        return {"degraded": [make_degradation("report_not_remembered", error)]}
    return {}
