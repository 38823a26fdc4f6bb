"""Saved reports, version by version, and the runs that have not come to their end."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, NotRequired
from uuid import uuid4

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from library.session import Session
from schema.context import ResearchMode
from schema.errors import LibraryError
from schema.report import Report

WRITTEN = "written"
"""Note of a report's first version."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
_ID_LENGTH = 8


class SectionMaterial(TypedDict):
    """What a section can be written from again: its questions, and chunks, the used ones first.

    Its sentences were checked against the first `read` chunks, as speaking of `subject`; reports of
    earlier versions do not tell.
    """

    questions: list[str]
    chunks: list[int]
    read: NotRequired[int]
    subject: NotRequired[str]


class RunStart(TypedDict):
    """How a report was started: with which context, and which files could not be read before.

    `conversation` are the turns before its question, [speaker, text] each; `webhook` is told of its
    end; `pause` says that it was asked to stop; `quire` is the version that began it.
    """

    context: dict[str, Any]
    skipped: list[str]
    conversation: NotRequired[list[list[str]]]
    webhook: NotRequired[str]
    pause: NotRequired[bool]
    quire: NotRequired[str]


@dataclass(frozen=True, kw_only=True)
class ReportVersion:
    """A version of a report as a list shows it; not `finished`: its run has not come to its end."""

    id: str
    version: int
    owner: str
    space: str
    question: str
    title: str
    created: datetime
    thread: str
    note: str
    finished: bool


@dataclass(frozen=True, kw_only=True)
class SavedReport(ReportVersion):
    """A version with all that was saved of it.

    `material` has an entry for each section.
    """

    run: RunStart
    report: Report | None
    material: list[SectionMaterial]


@dataclass(frozen=True, kw_only=True)
class MeasuredRun:
    """What a finished report took of language models, and how it was asked for.

    `mode` and `words` are None where its context left them as they are by themselves.
    """

    mode: ResearchMode | None
    words: int | None
    input_tokens: int
    output_tokens: int
    seconds: float

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens


_PARTS = TypeAdapter(tuple[RunStart, Report | None, list[SectionMaterial]])

_VERSION = (
    "r.id, r.version, p.user_id AS owner, p.name AS space, r.question, r.title, r.created, "
    "r.thread, r.note, r.report IS NOT NULL AS finished"
)
_OWN = "FROM quire.spaces p WHERE p.id = r.space_id AND p.user_id = %(user)s AND r.id = %(id)s"
_FROM = "FROM quire.reports r JOIN quire.spaces p ON p.id = r.space_id AND p.user_id = %(user)s"
_READABLE = r"regexp_replace(r.report::text, '\\u(0000|[dD][89a-fA-F]..)', '\\ufffd', 'g')::json"
"""A report in which the database can look figures up: it stumbles over NUL and lone surrogates."""
_INSERT = (
    "INSERT INTO quire.reports "
    "(space_id, id, version, question, title, thread, note, run, report, material)"
)


def make_short_id(seed: str) -> str:
    """An id of eight letters and digits; the same for the same seed."""
    value = int.from_bytes(blake2b(seed.encode(), digest_size=8).digest())
    signs = []
    for _ in range(_ID_LENGTH):
        value, sign = divmod(value, len(_ALPHABET))
        signs.append(_ALPHABET[sign])
    return "".join(signs)


class SavedReports(Session):
    """The reports of a user, begun in this space, read and revised in any."""

    async def begin_report(self, question: str, run: RunStart, thread: str = "") -> SavedReport:
        """Note that a report is being written, on a thread of its own id unless one is named."""
        while True:
            identity = make_short_id(uuid4().hex)
            thread_of = thread or identity
            if await self._insert(id=identity, question=question, thread=thread_of, run=run):
                break  # else the id was taken
        [begun] = await self._load(identity, 1)
        return begun

    async def find_begun(self, thread: str) -> str | None:
        """The id of the report that was begun on a thread and is not finished."""
        found = await self.fetch(
            f"SELECT r.id {_FROM} WHERE r.thread = %(thread)s AND r.report IS NULL", thread=thread
        )
        return found[0][0] if found else None

    async def note_run(self, identity: str, run: RunStart) -> None:
        """Write down how a report was started."""
        await self.fetch(
            f"UPDATE quire.reports r SET run = %(run)s::json {_OWN} RETURNING 1",
            id=identity,
            run=_dump_run(run),
        )

    async def save_report(
        self, report: Report, material: Sequence[SectionMaterial], thread: str, run: RunStart
    ) -> None:
        """Save the first version of a report, under its id. Safe to do again.

        Raises:
            LibraryError: its id is that of a report of another user or space.
        """
        begun = await self.fetch(
            "UPDATE quire.reports r SET title = %(title)s, created = now(), "
            f"report = %(report)s::json, material = %(material)s::json {_OWN} "
            "AND p.name = %(space_name)s AND r.version = 1 RETURNING 1",
            **_describe(report, material),
        )
        values = {"question": report["question"], "thread": thread, "run": run}
        if not begun and not await self._insert(**values, **_describe(report, material)):
            raise LibraryError(
                f"The report could not be saved: the id {report['id']} is taken. Run it again."
            )

    async def save_version(
        self, report: Report, material: Sequence[SectionMaterial], note: str
    ) -> None:
        """Keep a further version of a report. Safe to do again.

        Raises:
            LibraryError: there is another report of this version: it was revised meanwhile.
        """
        await self.fetch(
            f"{_INSERT} SELECT r.space_id, r.id, %(version)s, r.question, %(title)s, r.thread, "
            f"%(note)s, r.run, %(report)s::json, %(material)s::json {_FROM} "
            "WHERE r.id = %(id)s AND r.version = 1 ON CONFLICT DO NOTHING RETURNING 1",
            version=report["version"],
            note=note,
            **_describe(report, material),
        )
        held = await self.load_report(report["id"], report["version"])
        if held is None or held.report != report:
            raise LibraryError(
                f"The report {report['id']} was revised or removed meanwhile: look at it again "
                "with quire reports list."
            )

    async def load_report(self, identity: str, version: int | None = None) -> SavedReport | None:
        """A version of a report, the newest where None; None where there is none.

        Raises:
            LibraryError: what is saved is no report.
        """
        return next(iter(await self._load(identity, version)), None)

    async def list_reports(self) -> list[ReportVersion]:
        """The newest version of each of the user's reports, in all spaces, the newest first."""
        found = await self.fetch_as(
            ReportVersion,
            f"SELECT DISTINCT ON (r.id) {_VERSION} {_FROM} ORDER BY r.id, r.version DESC",
        )
        return sorted(found, key=lambda one: (one.created, one.id), reverse=True)

    async def list_measured_runs(self, writer: str) -> list[MeasuredRun]:
        """What the user's newest reports by this writer took, the newest first; at most 100.

        Those whose runs had a ceiling are left out: they may have taken less than they would.
        """
        return await self.fetch_as(
            MeasuredRun,
            "SELECT r.run->'context'->>'research_mode' AS mode, "
            "(r.run->'context'->>'words')::int AS words, u.input_tokens, u.output_tokens, "
            f"({_READABLE}->'audit'->>'seconds')::float8 AS seconds {_FROM} CROSS JOIN LATERAL ("
            "SELECT sum((one.value->>'input_tokens')::int)::int AS input_tokens, "
            "sum((one.value->>'output_tokens')::int)::int AS output_tokens, "
            "bool_or(one.key LIKE 'writer%%' AND one.value->>'model' = %(writer)s) AS is_writer "
            f"FROM json_each({_READABLE}->'usage') one "
            "WHERE one.value->>'model' <> 'extractive') u "
            "WHERE r.version = 1 AND r.report IS NOT NULL AND u.is_writer "
            "AND r.run->'context'->'max_tokens' IS NULL "
            "AND r.run->'context'->'max_cost' IS NULL "
            "AND r.run->'context'->'run_seconds' IS NULL "
            "ORDER BY r.created DESC LIMIT 100",
            writer=writer,
        )

    async def ask_to_pause(self, identity: str, pause: bool) -> None:
        """Ask whoever writes a report to stop at once, or take that back."""
        await self.fetch(
            "UPDATE quire.reports r SET run = jsonb_set(r.run::jsonb, '{pause}', %(pause)s::jsonb)"
            f"::json {_OWN} RETURNING 1",
            id=identity,
            pause=json.dumps(pause),
        )

    async def is_pause_asked(self, identity: str) -> bool:
        """Whether its writing was asked to stop."""
        found = await self.fetch(
            f"SELECT 1 {_FROM} WHERE r.id = %(id)s AND r.run->>'pause' = 'true'", id=identity
        )
        return bool(found)

    async def list_report_versions(self, identity: str) -> list[ReportVersion]:
        """The versions of a report, the first one first."""
        return await self.fetch_as(
            ReportVersion,
            f"SELECT {_VERSION} {_FROM} WHERE r.id = %(id)s ORDER BY r.version",
            id=identity,
        )

    async def remove_report(self, identity: str) -> int:
        """Forget a report; returns how many versions there were."""
        gone = await self.fetch(
            f"DELETE FROM quire.reports r USING {_OWN.removeprefix('FROM ')} RETURNING 1",
            id=identity,
        )
        return len(gone)

    async def _insert(self, **values: object) -> bool:
        """Insert a first version, of which nothing need be written; False: its id is taken."""
        values = {"title": "", "report": None, "material": "[]", "note": WRITTEN} | values
        await self.make_space()
        made = await self.fetch(
            f"{_INSERT} SELECT id, %(id)s, 1, %(question)s, %(title)s, %(thread)s, "
            "%(note)s, %(run)s::json, %(report)s::json, %(material)s::json FROM quire.spaces "
            "WHERE user_id = %(user)s AND name = %(space_name)s ON CONFLICT DO NOTHING RETURNING 1",
            **values | {"run": _dump_run(values["run"])},
        )
        return bool(made)

    async def _load(self, identity: str, version: int | None) -> list[SavedReport]:
        """The row, if it has the shape that everything after this relies on."""
        found = await self.fetch_as(
            SavedReport,
            f"SELECT {_VERSION}, r.run, r.report, r.material {_FROM} "
            "WHERE r.id = %(id)s AND (%(version)s::int IS NULL OR r.version = %(version)s) "
            "ORDER BY r.version DESC LIMIT 1",
            id=identity,
            version=version,
        )
        try:
            for saved in found:
                _PARTS.validate_python((saved.run, saved.report, saved.material), strict=True)
                if saved.report:
                    _check_positions(saved.report, saved.material)
        except ValueError:
            raise LibraryError(
                f"The report {identity} cannot be read: its row is not one of this version of "
                f"Quire. Write it again; quire reports remove {identity} removes it."
            ) from None
        return found


def _dump_run(run: object) -> str:
    """A run's start as JSON that the database can also read: without NUL and lone surrogates."""
    return json.dumps(run, ensure_ascii=False).replace("\\u0000", "\\ufffd")


def _describe(report: Report, material: Sequence[SectionMaterial]) -> dict[str, str]:
    """A version as parameters of a statement."""
    return {
        "id": report["id"],
        "title": report["title"],
        "report": json.dumps(report),
        "material": json.dumps(list(material)),
    }


def _check_positions(report: Report, material: Sequence[SectionMaterial]) -> None:
    """Raise ValueError where a part of a report names a section or a number that is not there."""
    sections = range(len(report["sections"]))
    if len(material) != len(sections):
        raise ValueError("material")
    parts = [*report["citations"], *report["conflicts"], *report["charts"]]
    if any(part["section"] not in sections for part in parts):
        raise ValueError("section")
