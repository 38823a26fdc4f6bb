"""A report as PDF, set by Typst in a process of its own, which a deadline can end."""

import json
import sys
from datetime import date
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from exports.bundle.parts import SUFFIX
from exports.charts import draw_svg
from exports.citation_styles import Style
from exports.programs import set_report
from exports.tree.document import build_document
from schema.report import Report

BUNDLE_FILE = f"report{SUFFIX}"
"""What an attached bundle is called."""

DEADLINE = 120.0
"""Seconds that a report may take; one second is usual."""

_TYPST_SCRIPT = """
import json, sys, typst
template, inputs = json.load(sys.stdin)
compiler = typst.Compiler(template.encode(), root=".", sys_inputs=inputs)
sys.stdout.buffer.write(compiler.compile())
"""


def render_pdf(report: Report, style: Style = "ieee", bundle: bytes | None = None) -> bytes:
    """Set a report as a tagged PDF with contents, links and page numbers.

    It is dated by the last date on which a source was read, so that the same report gives the same
    bytes, on machines with the same fonts. A script for which the machine has no font is set as
    empty boxes; `docs/exports.md` names the fonts.

    Args:
        report: the report.
        style: of its citations.
        bundle: its bundle, which is attached where it is given.

    Raises:
        ModuleNotFoundError: the extra `export` is not installed.
        QuireError: Typst did not finish.
    """
    if find_spec("typst") is None:
        raise ModuleNotFoundError("No module named 'typst'", name="typst")
    pictures = [draw_svg(chart) for chart in report["charts"]]
    drawn = {f"chart:{at}": picture for at, picture in enumerate(pictures) if picture}
    tree = build_document(report, style, lambda at: f"chart:{at}" if pictures[at] else "")
    inputs = {
        "document": json.dumps(tree),
        "charts": json.dumps(drawn),
        "date": _find_last_date(report),
        "bundle": BUNDLE_FILE if bundle is not None else "",
    }
    template = files("exports").joinpath("report.typ").read_text(encoding="utf-8")
    command = [sys.executable, "-P", "-c", _TYPST_SCRIPT]
    with TemporaryDirectory() as folder:  # all that Typst may read
        if bundle is not None:
            Path(folder, BUNDLE_FILE).write_bytes(bundle)
        return set_report("pdf", command, [template, inputs], DEADLINE, folder)


def _find_last_date(report: Report) -> str:
    dates = [one["accessed"] for one in report["references"]]
    return max(filter(_is_date, dates), default="")


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
