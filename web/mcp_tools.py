"""What an agent may ask of Quire over the Model Context Protocol: five tools, and their work."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from exports.formats import export
from exports.markdown import render_answer
from library.library import open_library
from schema.access import Member, find_owner
from schema.context import Context, ResearchMode
from schema.documents import DocumentInfo, Hit, Passage
from schema.errors import InputError, QuireError
from schema.search import SearchOptions
from serving.answers import answer_question
from serving.live_runs import LiveRuns
from serving.runs import run_ingest
from serving.search import search_query
from serving.stored_reports import load_finished_report
from team.audit import record
from web.progress_text import Tell, follow_run, make_teller

REPORT_ADDRESS = "quire://reports/"
"""Begins the address of a saved report; its id follows."""

MAX_SKIPPED = 20
"""Documents that could not be read and are named."""

Space = Annotated[str, Field(description="Search space: a name, or @GROUP/NAME of a group.")]
Language = Annotated[str, Field(description="Two-letter code; empty: the question's language.")]


@dataclass(frozen=True)
class Caller:
    """Who calls a tool, where reports are written, and what takes lines about the progress."""

    member: Member
    runs: LiveRuns
    tell: Tell


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ReportArguments(_Arguments):
    """Takes a question, the size of the report, and where it is searched."""

    question: str = Field(description="What the report answers, as a whole sentence.")
    mode: ResearchMode = Field(
        "general", description="general: 1-2 sections; deep: 2-5; deeper: 4-10, for minutes."
    )
    space: Space = "default"
    language: Language = ""
    words: int | None = Field(None, description="Length of the whole report, about.")


class AskArguments(_Arguments):
    """Takes a question and where it is searched."""

    question: str = Field(description="One question, as a whole sentence.")
    space: Space = "default"
    language: Language = ""
    seconds: float = Field(300, gt=0, le=7_200, description="Longest that the search may take.")


class SearchArguments(_Arguments):
    """Takes the words that are looked for."""

    query: str = Field(description="What to look for: words, a name, or a question.")
    limit: int = Field(10, ge=1, le=50, description="Most passages.")
    space: Space = "default"


class PassageArguments(_Arguments):
    """Takes the number of a passage."""

    passage: int = Field(description="Number of the passage, as search gives it.")
    around: int = Field(
        1_000, ge=0, le=10_000, description="Characters of the document before and behind it."
    )
    space: Space = "default"


class IngestArguments(_Arguments):
    """Takes a source."""

    source: str = Field(
        description="Path of a file or folder on the server, or connector:location."
    )
    space: Space = "default"


Given = TypeVar("Given", bound=_Arguments)
Result = str | dict[str, Any]


@dataclass(frozen=True)
class ToolDefinition(Generic[Given]):
    """A tool: what it takes, what it does, and whether it changes anything of the caller's."""

    description: str
    arguments: type[Given]
    work: Callable[[Given, Caller], Awaitable[Result]]
    reads_only: bool


async def write_report(given: ReportArguments, caller: Caller) -> Result:
    """The report as Markdown, with its address.

    Raises:
        QuireError: there is no report.
    """
    context = Context(
        research_mode=given.mode, space=given.space, language=given.language, words=given.words
    )
    identity = await caller.runs.start(given.question, context, caller.member)
    run = await follow_run(caller.runs, identity, caller.member, caller.tell)
    if run.answered:
        return run.reason
    if run.state != "finished":
        raise QuireError(run.reason or f"The report {identity} was stopped.")
    text = await read_report(identity, caller.member)
    return f"{text}\n\nSaved as {REPORT_ADDRESS}{identity}\n"


async def read_report(identity: str, member: Member) -> str:
    """A saved report as Markdown.

    Raises:
        InputError: there is none that the member may read.
        QuireError: it is not finished.
    """
    return export(await load_finished_report(identity, member=member), "markdown").decode()


async def give_answer(given: AskArguments, caller: Caller) -> Result:
    """The answer as Markdown, with its references."""
    context = Context(space=given.space, language=given.language, deep_seconds=given.seconds)
    answer = await answer_question(given.question, context, make_teller(caller.tell), caller.member)
    return render_answer(answer)


async def search_library(given: SearchArguments, caller: Caller) -> Result:
    """Passages with their documents, best first."""
    owner, space = find_owner(given.space, caller.member, "reader")
    options = SearchOptions(limit=given.limit)
    await record(caller.member, "library.searched", given.space, query=given.query)
    names = caller.member.names
    hits = (await search_query(given.query, options, space=space, user=owner, names=names)).hits
    library = await open_library(space, owner, names)
    passages = await library.load_passages([hit.chunk for hit in hits])
    documents = await library.load_documents([hit.document for hit in hits])
    return {
        "results": [
            _describe_hit(hit, passages[hit.chunk], documents[hit.document])
            for hit in hits
            if hit.chunk in passages and hit.document in documents
        ]
    }


def _describe_hit(hit: Hit, passage: Passage, document: DocumentInfo) -> dict[str, Any]:
    return {
        "passage": hit.chunk,
        "relevance": hit.grade,
        **_describe_document(document),
        "heading": passage.heading,
        "text": passage.text,
    }


def _describe_document(document: DocumentInfo) -> dict[str, Any]:
    return {
        "title": document.title,
        "url": document.url or document.uri,
        "author": document.author,
        "published": document.published,
    }


async def read_passage(given: PassageArguments, caller: Caller) -> Result:
    """A passage with what stands around it.

    Raises:
        InputError: there is none of this number that the caller may read.
    """
    owner, space = find_owner(given.space, caller.member, "reader")
    library = await open_library(space, owner, caller.member.names)
    found = (await library.load_passages([given.passage])).get(given.passage)
    if found is None:
        raise InputError(
            f"There is no passage {given.passage} in {given.space}: search gives the numbers."
        )
    await record(caller.member, "passage.read", str(given.passage), space=given.space)
    [document] = (await library.load_documents([found.document])).values()
    start, end = max(0, found.start - given.around), found.end + given.around
    [text] = await library.load_spans([(found.document, start, end)])
    return {**_describe_document(document), "heading": found.heading, "text": text}


async def ingest_source(given: IngestArguments, caller: Caller) -> Result:
    """How many documents were read, and what could not be."""
    context = Context(space=given.space)
    find_owner(given.space, caller.member, "curator")
    await record(caller.member, "source.synced", given.source, space=given.space, by="MCP")
    state = await run_ingest(
        [given.source], context, make_teller(caller.tell), member=caller.member
    )
    return {
        "documents": {outcome: count for outcome, count in state["counts"].items() if count},
        "skipped": [one["reason"] for one in state["skipped"][:MAX_SKIPPED]],
    }


TOOLS: dict[str, ToolDefinition[Any]] = {
    "report": ToolDefinition(
        "Write a report that answers a question from the library and every configured source, "
        "each sentence cited and checked. Takes a minute or more, and tells its progress.",
        ReportArguments,
        write_report,
        reads_only=False,
    ),
    "ask": ToolDefinition(
        "Answer one question by searching and reading until it is answered, with citations.",
        AskArguments,
        give_answer,
        reads_only=False,
    ),
    "search": ToolDefinition(
        "Find passages in the library; quick. read_passage shows what stands around one.",
        SearchArguments,
        search_library,
        reads_only=True,
    ),
    "read_passage": ToolDefinition(
        "Read a passage that search found, with what stands around it in its document.",
        PassageArguments,
        read_passage,
        reads_only=True,
    ),
    "ingest": ToolDefinition(
        "Read a source into the library; what did not change is not read again.",
        IngestArguments,
        ingest_source,
        reads_only=False,
    ),
}


def render_result(result: Result) -> str:
    """A tool's result as text."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, indent=1)
