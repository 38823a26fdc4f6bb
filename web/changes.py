"""Two versions of a report side by side, with what changed between them, sentence by sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.saved_reports import ReportVersion
from schema.report import Report, ReportSection
from serving.stored_reports import list_report_versions
from text.sentences import split_sentences
from web.access import get_member
from web.found import find_finished, get_version
from web.templates import render_page

_MARKERS = re.compile(r"\s*\[\d+\]")
_LONGEST = 2_000
"""Sentences of a section beyond which it is compared as a whole."""


@dataclass(frozen=True)
class Piece:
    """Sentences that stand in both versions, in the old one alone or in the new one alone."""

    kind: Literal["same", "old", "new"]
    text: str


@dataclass(frozen=True)
class SectionChange:
    """A section in both versions; a side without it has no title and no pieces."""

    old_title: str
    new_title: str
    old: Sequence[Piece]
    new: Sequence[Piece]
    changed: bool


def compare_reports(old: Report, new: Report) -> list[SectionChange]:
    """The sections of two versions beside each other, in the order of the new one."""
    before_titles, after_titles = (
        [one["title"] for one in report["sections"]] for report in (old, new)
    )
    pairs: list[tuple[ReportSection | None, ReportSection | None]] = []
    for kind, i, j, k, m in _match(before_titles, after_titles):
        before, after = old["sections"][i:j], new["sections"][k:m]
        if kind in ("equal", "replace") and len(before) == len(after):
            pairs += zip(before, after, strict=True)
        else:
            pairs += [(one, None) for one in before] + [(None, one) for one in after]
    return [_compare(one, other, new["language"]) for one, other in pairs]


def _compare(old: ReportSection | None, new: ReportSection | None, language: str) -> SectionChange:
    before = _split(old["text"], language) if old else []
    after = _split(new["text"], language) if new else []
    left, right = list[Piece](), list[Piece]()
    bare_before, bare_after = (
        [_MARKERS.sub("", one).strip() for one in side] for side in (before, after)
    )
    for kind, i, j, k, m in _match(bare_before, bare_after):
        same = kind == "equal"
        left += _join(before[i:j], "same" if same else "old")
        right += _join(after[k:m], "same" if same else "new")
    titles = (old["title"] if old else "", new["title"] if new else "")
    changed = titles[0] != titles[1] or any(one.kind != "same" for one in [*left, *right])
    return SectionChange(*titles, left, right, changed)


def _match(
    old: Sequence[str], new: Sequence[str]
) -> list[tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]]:
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def _join(sentences: Sequence[str], kind: Literal["same", "old", "new"]) -> list[Piece]:
    return [Piece(kind, "".join(sentences))] if sentences else []


def _split(text: str, language: str) -> list[str]:
    """The text as sentences, each with what stands before it."""
    ends = [one.end for one in split_sentences(text, language)]
    if not ends or len(ends) > _LONGEST:
        return [text] if text else []
    ends[-1] = len(text)
    return [text[start:end] for start, end in pairwise([0, *ends])]


async def show_changes(request: Request) -> Response:
    """What a version changed of another."""
    versions = await list_report_versions_of(request)
    numbers = [one.version for one in versions]
    newest = get_version(request, "to") or numbers[-1]
    oldest = get_version(request, "from") or max([n for n in numbers if n < newest], default=newest)
    kept, new = await find_finished(request, newest)
    _, old = await find_finished(request, oldest)
    values = {
        "kept": kept,
        "versions": versions,
        "old": oldest,
        "new": newest,
        "note": next(one.note for one in versions if one.version == newest),
        "language": new["language"],
        "changes": compare_reports(old, new),
    }
    return await render_page(request, "changes.html", values)


async def list_report_versions_of(request: Request) -> list[ReportVersion]:
    """The versions of the report that the address names."""
    kept, _ = await find_finished(request)
    return await list_report_versions(kept.id, get_member(request))


routes = [Route("/reports/{id}/changes", show_changes)]
