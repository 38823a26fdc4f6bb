"""What a revision of a saved report prints."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.safe_output import print_stderr, print_stdout

if TYPE_CHECKING:
    from schema.report import Report


def print_revision(report: "Report", section_numbers: Sequence[int]) -> None:
    """The sections that were to be revised, all where none is named, and what was not done."""
    from schema.summary import get_place, list_section_numbers

    for number in section_numbers or list_section_numbers(report):
        written = report["sections"][get_place(report, number - 1)]
        print_stdout(f"## {written['title']}\n\n{written['text']}")
    print_stderr(f"{report.get('id')}: version {report.get('version')}")
    for problem in report["degraded"]:
        if problem["code"] == "revision_incomplete":
            print_stderr(problem["detail"])
