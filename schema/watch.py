"""What becomes of a report whose sources changed, claim by claim."""

from typing import Literal

from typing_extensions import TypedDict

from schema.report import Citation, ClaimChange
from schema.state import ReportUpdate

QuoteState = Literal["same", "reworded", "changed", "gone"]
"""A quote in its source as that stands now: there; said otherwise; no longer said; source gone."""


class WatchInput(TypedDict):
    """A saved report to be brought up to date."""

    report_id: str


class WatchUpdate(ReportUpdate, total=False):
    """What a node of a watch may change.

    `changes` are what became of the claims; `citations` those of the saved report that still hold,
    in their places of today; `chunks` what each section, by its place, may be mended from.
    """

    changes: list[ClaimChange]
    citations: list[Citation]
    chunks: dict[str, list[int]]


class WatchState(WatchUpdate, WatchInput):
    """All a watch knows."""
