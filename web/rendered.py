"""Reports and answers as HTML, which is made once for what is looked at again."""

import asyncio
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from markupsafe import Markup

from exports.formats import remove_unprintable
from exports.html.body import render_answer_part, render_part
from library.report_answers import ReportAnswer
from schema.report import Reference, Report

MOST_KEPT = 64
"""Reports whose HTML is kept: its charts take a second each to be drawn."""


def hide_paths(report: Report) -> Report:
    """A report that names the files of the server without the folders that they stand in."""
    return cast("Report", {**report, "references": _hide(report["references"])})


def _hide(references: Sequence[Reference]) -> list[Reference]:
    return [
        {**one, "url": one["url"].rsplit("/", 1)[-1]} if one["url"].startswith("file:") else one
        for one in references
    ]


async def render_report(report: Report, identity: str = "", version: int = 0) -> Markup:
    """A report as a part of a page.

    Args:
        report: what is shown.
        identity: its id; with it the cards lead to the passages in the stored sources.
        version: which one it is.
    """
    return await asyncio.to_thread(_render, json.dumps(report), identity, version)


@lru_cache(maxsize=MOST_KEPT)
def _render(report: str, identity: str, version: int) -> Markup:
    passage = _PassageLink(identity, version) if identity else None
    return Markup(render_part(remove_unprintable(json.loads(report)), passage))  # noqa: S704  (escaped by exports)


async def render_answer(one: ReportAnswer) -> Markup:
    """An answer as a part of a page."""
    shown = {**one.answer, "references": _hide(one.answer["references"])}
    return await asyncio.to_thread(_render_answer, one.id, json.dumps(shown))


@lru_cache(maxsize=MOST_KEPT)
def _render_answer(identity: int, answer: str) -> Markup:
    safe = remove_unprintable(json.loads(answer))
    return Markup(render_answer_part(safe, f"answer-{identity}-"))  # noqa: S704  (escaped by exports)


class _PassageLink:
    """Where the passage of a citation of one version is read."""

    def __init__(self, identity: str, version: int) -> None:
        self._start = f"/reports/{identity}/passages/"
        self._end = f"?version={version}#passage"

    def __call__(self, place: int) -> str:
        return f"{self._start}{place}{self._end}"
