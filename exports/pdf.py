"""A report as PDF, set by Typst in a process of its own, which a deadline can end."""

import json
import subprocess
import sys
from datetime import date
from importlib.resources import files
from importlib.util import find_spec
from tempfile import TemporaryDirectory

from exports.charts import svg
from exports.document import document
from exports.styles import Style
from schema.errors import QuireError
from schema.report import Report

DEADLINE = 120.0
"""Seconds that a report may take; one second is usual."""

_SET = """
import json, sys, typst
template, inputs = json.load(sys.stdin)
compiler = typst.Compiler(template.encode(), root=".", sys_inputs=inputs)
sys.stdout.buffer.write(compiler.compile())
"""


def report_pdf(report: Report, style: Style = "ieee") -> bytes:
    """Set a report as a tagged PDF with contents, links and page numbers.

    It is dated by the last day on which a source was read, so that the same report gives the same
    bytes, on machines with the same fonts. A script for which the machine has no font is set as
    empty boxes; `docs/exports.md` names the fonts.

    Args:
        report: the report.
        style: of its citations.

    Raises:
        ModuleNotFoundError: the extra `export` is not installed.
        QuireError: Typst did not finish.
    """
    if find_spec("typst") is None:
        raise ModuleNotFoundError("No module named 'typst'", name="typst")
    pictures = {f"chart:{place}": svg(chart) for place, chart in enumerate(report["charts"])}
    drawn = {name: picture for name, picture in pictures.items() if picture}
    tree = document(
        report, style, lambda place: name if (name := f"chart:{place}") in drawn else ""
    )
    inputs = {
        "document": json.dumps(tree),
        "charts": json.dumps(drawn),
        "day": _last_day(report),
    }
    template = files("exports").joinpath("report.typ").read_text(encoding="utf-8")
    with TemporaryDirectory() as nothing:  # all that Typst may read
        return _set([template, inputs], nothing)


def _last_day(report: Report) -> str:
    days = [one["accessed"] for one in report["references"]]
    return max(filter(_is_day, days), default="")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _set(given: object, root: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  (our own interpreter)
            [sys.executable, "-P", "-c", _SET],
            input=json.dumps(given).encode(),
            cwd=root,
            capture_output=True,
            check=True,
            timeout=DEADLINE,
        )
    except subprocess.TimeoutExpired:
        raise QuireError(f"Typst did not set the PDF in {DEADLINE:.0f} s: take html.") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()[-500:]
        raise QuireError(f"Typst could not set the PDF: {said}") from None
    return done.stdout
