"""What a program asks of Quire in one call, awaited or not."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import partial, wraps
from typing import Any, Generic, ParamSpec, TypeVar

from anyio.from_thread import start_blocking_portal

from library.database.connections import close_databases
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.errors import QuireError
from schema.report import Report
from schema.search import SearchOptions, SearchResult
from schema.state import IngestState
from serving.estimates import Estimate, estimate_report
from serving.report_questions import ask_report
from serving.reports import create_report
from serving.revisions import revise_report
from serving.runs import OnEvent, run_deep_search, run_ingest
from serving.search import search_query

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Call(Generic[Result]):
    """`await` it where a loop runs, or take its `result()` anywhere; nothing is done before.

    Awaited, it opens connections of the running loop, which `close_databases` closes.
    """

    def __init__(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, None, Result]:
        return self._work().__await__()

    def result(self) -> Result:
        """Do it in a thread with a loop of its own, and close that loop's connections.

        It works in a script, and in a notebook, whose own loop stands still meanwhile. Ctrl-C
        cancels the work.
        """
        with start_blocking_portal() as portal:
            return portal.call(self._run_and_close)

    async def _run_and_close(self) -> Result:
        try:
            return await self._work()
        finally:
            await close_databases()


def _as_call(
    work: Callable[Parameters, Coroutine[Any, Any, Result]],
) -> Callable[Parameters, Call[Result]]:
    @wraps(work)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Call[Result]:
        return Call(partial(work, *args, **kwargs))

    return call


def _ignore(_: object) -> None:
    pass


@_as_call
async def report(
    question: str, context: Context | None = None, *, on_event: OnEvent = _ignore
) -> Report:
    """Write a cited report and save it; `export` makes Markdown, HTML, PDF and others of it.

    Args:
        question: what the report answers.
        context: settings of the run; its `paths` are read into the library first.
        on_event: takes each event of the run, see `schema.events`.

    Raises:
        QuireError: there is no report, as where no source speaks of the question.
    """
    outcome = await create_report(question, context or Context(), on_event)
    if outcome.report is None:
        raise QuireError(outcome.reason)
    return outcome.report


@_as_call
async def estimate(context: Context | None = None) -> Estimate:
    """What a report with these settings will take: tokens, US dollars and seconds, as ranges.

    Raises:
        LibraryError: the database cannot be used.
    """
    return await estimate_report(context or Context())


@_as_call
async def ask(
    question: str,
    context: Context | None = None,
    *,
    report_id: str = "",
    may_search: bool = True,
    on_event: OnEvent = _ignore,
) -> DeepAnswer:
    """Answer one question by searching and reading; `found` says whether the sources answer it.

    Args:
        question: what is asked.
        context: settings of the search.
        report_id: of a saved report: its own sources answer first, with the settings of its run,
            and the answer is kept with it.
        may_search: whether the search may go beyond that report's sources.
        on_event: takes each event.

    Raises:
        QuireError: the search failed, or there is no such report.
    """
    if report_id:
        return await ask_report(report_id, question, on_event, may_search=may_search)
    return await run_deep_search(question, context or Context(), on_event)


@_as_call
async def revise(
    report_id: str,
    instruction: str,
    section_numbers: Sequence[int] = (),
    *,
    on_event: OnEvent = _ignore,
) -> Report:
    """Have sections of a saved report rewritten as its next version; all else stays.

    Args:
        report_id: of the report.
        instruction: what is to change.
        section_numbers: from 1, 0 for the summary; all sections where empty.
        on_event: takes each event.

    Raises:
        QuireError: there is no such report or section, or nothing could be rewritten.
    """
    return await revise_report(report_id, section_numbers, instruction, on_event)


@_as_call
async def ingest(
    *sources: str, context: Context | None = None, on_event: OnEvent = _ignore
) -> IngestState:
    """Read sources into the library, only what changed; `counts` says how many documents.

    Args:
        sources: paths of files and folders, or `connector:location`.
        context: its `space` is where they go.
        on_event: takes each event.

    Raises:
        InputError: there is no such source.
        ConnectorError: a source does not answer.
    """
    return await run_ingest(sources, context or Context(), on_event)


@_as_call
async def search(
    query: str, options: SearchOptions | None = None, *, space: str = "default"
) -> SearchResult:
    """Search the library for one query as it is; no chat model is asked.

    Raises:
        LibraryError: the database cannot be used.
    """
    return await search_query(query, options, space=space)
