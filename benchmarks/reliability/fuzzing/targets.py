"""What the product does with an input: run in a child, one input a line, one answer a line.

    python eaters.py SPACE

An answer has `outcome`: "ok", "named" (an error of Quire's own, told in words), or "raw" with the
exception and where it came from.
"""

import asyncio
import json
import resource
import sys
import time
import traceback
from base64 import b64decode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / name) for name in ("", "connectors", "exports"))]

from fakes.server import Served  # noqa: E402
from starlette.requests import Request  # noqa: E402
from starlette.responses import Response  # noqa: E402
from starlette.types import Receive, Scope, Send  # noqa: E402

from benchmarks.reliability.world.pages import TOWNS, on_subject  # noqa: E402
from connectors.files.extract import read_bytes  # noqa: E402
from connectors.files.file_text import UnreadableError  # noqa: E402
from schema.documents import Document  # noqa: E402
from schema.errors import QuireError  # noqa: E402

MEMORY = 3 * 2**30
"""Bytes that the process may have."""

ROOMS = (
    "schema", "prompts", "retrieval", "models", "library", "connectors", "exports", "nodes",
    "graphs", "serving",
)  # fmt: skip
"""Folders of the product."""

NAMED = (QuireError, UnreadableError)
"""Errors that the product catches and tells."""


class Engine:
    """A search engine that answers what it is told to."""

    def __init__(self) -> None:
        self.status, self.body = 200, b"{}"
        self.served = Served(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer anything."""
        await Request(scope, receive).body()
        answer = Response(self.body, self.status, media_type="application/json")
        await answer(scope, receive, send)


class Eater:
    """Feeds inputs to the product."""

    def __init__(self, space: str, engine: Engine) -> None:
        """Set it up; the database is opened by the first input that needs it."""
        self.space = space
        self.engine = engine
        self._report = ""
        self.by_kind: dict[str, Callable[[dict[str, Any]], Awaitable[None]]] = {
            "file": self.file,
            "search": self.search,
            "text": self.text,
            "question": self.question,
            "context": self.context,
            "row": self.row,
        }

    async def eat(self, given: dict[str, Any]) -> dict[str, Any]:
        """The answer for one input."""
        started = time.monotonic()
        told: dict[str, Any] = {"outcome": "ok"}
        try:
            await self.by_kind[given["kind"]](given)
        except NAMED as error:
            told = {"outcome": "named", "error": str(error)[:300]}
        except Exception as error:  # noqa: BLE001  (it is what is looked for)
            frames = traceback.extract_tb(error.__traceback__)
            places = [frame.filename.removeprefix(f"{ROOT}/") for frame in frames]
            ours = [n for n, name in enumerate(places) if name.startswith(ROOMS)]
            at = ours[-1] if ours else len(frames) - 1
            place = f"{places[at].rpartition('site-packages/')[2]}:{frames[at].lineno}"
            told = {
                "outcome": "raw",
                "error": f"{type(error).__name__}: {error}"[:300],
                "place": place,
                "trace": "".join(traceback.format_exception(error))[-6000:],
            }
        return {**told, "seconds": round(time.monotonic() - started, 3)}

    async def file(self, given: dict[str, Any]) -> None:
        """Read a file and prepare what it says for the tables."""
        from library.index.prepare import prepare_document

        found = await read_bytes(b64decode(given["data"]), given["suffix"])
        document = Document(
            uri=f"file:///given{given['suffix']}",
            text=found.text,
            connector="files",
            title=found.title,
            author=found.author,
            site=found.site,
            published=found.published,
            aliases=found.aliases,
        )
        await asyncio.to_thread(prepare_document, document)

    async def search(self, given: dict[str, Any]) -> None:
        """Ask a search engine, and keep what it brings."""
        from connectors.registry import make_connector
        from connectors.search_all import SearchRequest, search_all
        from library.index.prepare import prepare_document
        from library.library import open_library

        self.engine.status, self.engine.body = given["status"], b64decode(given["data"])
        live: Any = make_connector(given["engine"])
        if given["stored"]:
            library = await open_library(f"{self.space}-web")
            await search_all(
                [live], ["How old are the piers?"], SearchRequest(library, 5, seconds=5)
            )
            return
        for document in await live.search("How old are the piers?", limit=10):
            await asyncio.to_thread(prepare_document, document)

    async def text(self, given: dict[str, Any]) -> None:
        """Prove, settle, number and print what a writer said."""
        await asyncio.to_thread(
            bound_and_printed, given["text"], given["language"], given["format"]
        )

    async def question(self, given: dict[str, Any]) -> None:
        """Understand a question and look for it; now and then write the whole report."""
        from library.library import open_library
        from models.calls import Role
        from models.query_planner import plan_queries
        from nodes.common.run import check_question
        from schema.context import Context
        from schema.search import SearchOptions
        from serving.runs import run_report

        asked = check_question(given["question"])
        if given["whole"]:
            context = Context(space=self.space, remember=False)
            await run_report(asked, context, lambda _: None)
            return
        found, _, _ = await plan_queries(asked, [], Role("planner", "extractive"))
        library = await open_library(self.space)
        for text in (found.question, *(query.query for query in found.queries)):
            await library.search(text, SearchOptions(limit=5))

    async def context(self, given: dict[str, Any]) -> None:
        """Take a context at the terminal's door, or at a graph's."""
        from cli.console import make_context
        from graphs.ingest import graph

        if given["way"] == "terminal":
            make_context(**given["context"])
        else:
            await graph.ainvoke({"sources": []}, context=given["context"])

    async def row(self, given: dict[str, Any]) -> None:
        """Show, export or revise a report that stands in the database."""
        from exports.formats import export
        from exports.markdown import render_markdown
        from serving.revisions import revise_report
        from serving.stored_reports import load_finished_report

        identity = await self._kept(given["report"])
        if given["act"] == "revise":
            await revise_report(identity, [1], "make it shorter", lambda _: None)
            return
        report = await load_finished_report(identity)
        if given["act"] == "show":
            render_markdown(report)
        else:
            await asyncio.to_thread(export, report, given["act"])

    async def _kept(self, report: Any) -> str:
        """Put a report into the database, over the one that was there; returns its id."""
        import psycopg
        from psycopg.types.json import Json

        from library.database.connections import open_database
        from schema.context import Context
        from serving.reports import begin_report

        if not self._report:
            self._report = (await begin_report("How old are the piers?", Context())).id
        text = json.dumps(report).replace("\\u0000", "").replace("\\ud800", "")
        stored = json.loads(text, parse_constant=lambda _: None)  # JSON knows no infinity
        sections = stored.get("sections") if isinstance(stored, dict) else None
        count = len(sections) if isinstance(sections, list | dict | str) else 0
        material = [{"questions": ["q"], "chunks": []}] * count
        opened = await open_database()
        async with opened.maintenance() as connection:
            try:
                await connection.execute(
                    "UPDATE quire.reports SET report = %s, material = %s WHERE id = %s",
                    (Json(stored), Json(material), self._report),
                )
            except psycopg.DataError:  # the database does not take such a row
                await connection.execute(
                    "UPDATE quire.reports SET report = '{}' WHERE id = %s", (self._report,)
                )
        return self._report


def bound_and_printed(text: str, language: str, form: Any) -> None:
    """The way of a section's text through the steps that follow its writing, to a file."""
    from langchain_core.messages import AIMessage
    from sample_report import REPORT

    from citations.chart_check import replace_chart_blocks
    from citations.check import check_sentences
    from citations.edits import Edit, apply_edits, find_editable_sentences
    from citations.evidence_span import SourcePassages
    from citations.failure_reasons import explain_failure
    from citations.markers import (
        drop_repeated_sentences,
        normalise_markers,
        number_by_appearance,
        renumber_markers,
    )
    from citations.marking import apply_verdicts
    from exports.formats import export
    from models.answers import extract_text
    from nodes.common.citations import hash_claim
    from schema.documents import Passage

    text = extract_text(AIMessage(text))
    pages = on_subject(TOWNS[0], "piers")
    sources = {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(page.text), text=page.text)],
            language,
        )
        for number, page in enumerate([*pages, pages[0]], start=1)
    }
    said, _ = normalise_markers(text, set(sources))
    [said, _], _ = drop_repeated_sentences([said, said[: len(said) // 2]], language)
    edits = [
        Edit(0, n, "") for n in range(1, min(4, len(find_editable_sentences(said, language)) + 1))
    ]
    [said], _, _ = apply_edits([said], edits[:1], language)
    found = check_sentences(said, sources, language)
    _ = [(hash_claim(one.claim), explain_failure(one, language)) for one in found]
    said, _ = apply_verdicts(said, found)
    said, charts, _, _ = replace_chart_blocks(said, sources, 0)
    final = number_by_appearance([said])
    said = renumber_markers(said, final)
    report: Any = {
        **REPORT,
        "language": language,
        "sections": [{"title": said[:80] or "x", "text": said}, *REPORT["sections"][1:]],
        "charts": [
            {
                "section": 0,
                "title": one.title,
                "spec": one.spec or {},
                "rows": one.rows,
                "numbers": [1],
            }
            for one, _ in charts
        ],
    }
    export(report, form)


async def main(space: str) -> None:
    """Eat what comes, a line at a time."""
    import os

    from library.database.connections import close_databases

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    engine = Engine()
    lines = asyncio.get_running_loop()
    with engine.served:
        for name in ("TAVILY", "SEARXNG", "BRAVE"):
            os.environ[f"QUIRE_{name}_BASE_URL"] = engine.served.url
            os.environ[f"{name}_API_KEY"] = "key-0123456789"
        eater = Eater(space, engine)
        print("ready", flush=True)
        while line := await lines.run_in_executor(None, sys.stdin.readline):
            print(json.dumps(await eater.eat(json.loads(line))), flush=True)
        await close_databases()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
