"""A report as a Word document, as LaTeX and as bare HTML, all written by Pandoc.

Pandoc reads a tree that we made, not the text, and runs in its sandbox: it opens no file and no
address, and nothing in a text is passed on as raw markup.
"""

from base64 import b64encode

from exports.charts import draw_png
from exports.citation_styles import Style
from exports.programs import set_report
from exports.tree.document import build_document
from schema.errors import InputError
from schema.report import Report

DEADLINE = 60.0
"""Seconds that Pandoc may take; a tenth is usual."""

_ARGUMENTS = (
    "--sandbox",
    "--standalone",
    "--from=json",
    "--output=-",
    "--wrap=preserve",
    "--syntax-highlighting=none",
)
# Fonts for Han and kana, and lines of code that break, where the packages are there.
_HEADER = r"""
\ifXeTeX\IfFileExists{ctex.sty}{\usepackage[scheme=plain]{ctex}}{}\fi
\IfFileExists{fvextra.sty}{\usepackage{fvextra}
\DefineVerbatimEnvironment{verbatim}{Verbatim}{breaklines,breakanywhere}}{}
"""


def render_docx(report: Report, style: Style = "ieee") -> bytes:
    """Write a report as a Word document. The same report gives the same bytes: it has no date.

    Args:
        report: the report.
        style: of its citations.

    Raises:
        ModuleNotFoundError: the extra `export` is not installed.
        QuireError: Pandoc did not finish.
    """

    def image(position: int) -> str:
        drawn = draw_png(report["charts"][position])
        return f"data:image/png;base64,{b64encode(drawn).decode()}" if drawn else ""

    return _run_pandoc(build_document(report, style, image), "docx")


def render_latex(report: Report, style: Style = "ieee") -> str:
    """Write a report as one LaTeX file, for XeLaTeX or LuaLaTeX. Charts are tables of values.

    Arguments and errors as of `render_docx`.
    """
    tree = build_document(report, style, lambda _: "")
    return _run_pandoc(tree, "latex", f"--variable=header-includes={_HEADER}").decode()


def render_html_parts(report: Report, style: Style = "ieee") -> str:
    """Write what stands in a report as HTML without a page around it. Charts are tables of values.

    Arguments and errors as of `render_docx`.
    """
    tree = build_document(report, style, lambda _: "")
    return _run_pandoc(tree, "html", "--standalone=false").decode()


def _run_pandoc(tree: object, form: str, *more: str) -> bytes:
    import pypandoc  # noqa: PLC0415  (an extra)

    try:
        pandoc = pypandoc.get_pandoc_path()
    except OSError:  # pypandoc without its binary
        raise InputError(f"Pandoc is missing for {form}: pip install 'quire[export]'.") from None
    return set_report(form, [pandoc, *_ARGUMENTS, f"--to={form}", *more], tree, DEADLINE)
