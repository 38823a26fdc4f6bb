"""The summary of a report: its parts as a model gives them, and its place among the sections."""

from typing import Annotated

from pydantic import BaseModel, Field

from schema.report import Report

SUMMARY_INDEX = -1
"""`Section.index` of the summary, which no outline plans: the section before the first."""

Line = Annotated[str, Field(max_length=800)]


class ReportSummary(BaseModel):
    """What a reader has to know of a report; a part that does not fit its question is empty.

    `verdicts` have an entry for each thing that was asked, `steps` are in the order of doing,
    `certainty` says how sure it is and what is missing. `closed` are the numbers of open points
    that the sections tell after all, `answered` those of further questions that they answer.
    """

    position: Annotated[str, Field(max_length=1500)]
    verdicts: Annotated[list[Line], Field(max_length=10)] = []
    findings: Annotated[list[Line], Field(max_length=10)] = []
    steps: Annotated[list[Line], Field(max_length=12)] = []
    certainty: Annotated[str, Field(max_length=1500)] = ""
    closed: Annotated[list[int], Field(max_length=30)] = []
    answered: Annotated[list[int], Field(max_length=30)] = []


def has_summary(report: Report) -> bool:
    """Whether the first section of a report is its summary."""
    return bool(report["sections"]) and report["sections"][0].get("kind") == "summary"


def get_place(report: Report, index: int) -> int:
    """The place in `Report.sections` of the section with an index in the outline."""
    return index + has_summary(report)


def list_section_numbers(report: Report) -> range:
    """How a report's sections are counted: from 1, its summary as 0."""
    summary = has_summary(report)
    return range(0 if summary else 1, len(report["sections"]) + (not summary))
