"""The formats that a report is exported in."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from exports.bibliography import build_csl_json, format_bibtex
from exports.citation_styles import Style
from exports.markdown import render_markdown
from schema.errors import InputError
from schema.report import Report

FormatName = Literal["markdown", "html", "pdf", "docx", "latex", "json", "bibtex", "csl"]

_EXTRA_PACKAGES = ("markdown_it", "pypandoc", "typst", "vl_convert")
# What UTF-8 and XML cannot hold; a model may write it, and a database refuses only some of it.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


class Format(NamedTuple):
    """A format: how its files end, their media type, and who writes it."""

    suffix: str
    media_type: str
    write: Callable[[Report, Style], bytes]


def _write_markdown(report: Report, style: Style) -> bytes:
    return render_markdown(report, style).encode()


def _write_html(report: Report, style: Style) -> bytes:
    from exports.html.page import render_html  # noqa: PLC0415  (an extra)

    return render_html(report, style).encode()


def _write_pdf(report: Report, style: Style) -> bytes:
    from exports.pdf import render_pdf  # noqa: PLC0415  (an extra)

    return render_pdf(report, style)


def _write_docx(report: Report, style: Style) -> bytes:
    from exports.docx_latex import render_docx  # noqa: PLC0415  (an extra)

    return render_docx(report, style)


def _write_latex(report: Report, style: Style) -> bytes:
    from exports.docx_latex import render_latex  # noqa: PLC0415  (an extra)

    return render_latex(report, style).encode()


def _write_json(report: Report, _: Style) -> bytes:
    return _dump_json(report)


def _write_bibtex(report: Report, _: Style) -> bytes:
    return format_bibtex(report).encode()


def _write_csl(report: Report, _: Style) -> bytes:
    return _dump_json(build_csl_json(report))


FORMATS: dict[FormatName, Format] = {
    "markdown": Format(".md", "text/markdown", _write_markdown),
    "html": Format(".html", "text/html", _write_html),
    "pdf": Format(".pdf", "application/pdf", _write_pdf),
    "docx": Format(
        ".docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        _write_docx,
    ),
    "latex": Format(".tex", "application/x-tex", _write_latex),
    "bibtex": Format(".bib", "application/x-bibtex", _write_bibtex),
    "csl": Format(".csl.json", "application/vnd.citationstyles.csl+json", _write_csl),
    "json": Format(".json", "application/json", _write_json),
}
"""Every format by its name; a suffix stands before those that it ends with."""


def export(report: Report, name: FormatName, style: Style = "ieee") -> bytes:
    """Write a report in a format.

    Args:
        report: the report.
        name: of the format.
        style: of the citations; JSON and bibliographies have none.

    Raises:
        InputError: there is no such format or style, or its packages are not installed.
        QuireError: Pandoc could not write it.
    """
    if name not in FORMATS:
        raise InputError(f"There is no format {name!r}: take one of {', '.join(FORMATS)}.")
    if style not in get_args(Style):
        raise InputError(f"There is no style {style!r}: take one of {', '.join(get_args(Style))}.")
    try:
        return FORMATS[name].write(_remove_unprintable(report), style)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA_PACKAGES:
            raise
        raise InputError(
            f"The format {name} needs a package more: pip install 'quire[export]'."
        ) from error


def find_format(path: Path) -> FormatName:
    """The format that a file's name asks for.

    Raises:
        InputError: no format has this suffix.
    """
    for name, one in FORMATS.items():
        if path.name.lower().endswith(one.suffix):
            return name
    suffixes = ", ".join(one.suffix for one in FORMATS.values())
    raise InputError(f"{path.name} tells no format: end its name with one of {suffixes}.")


def _dump_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _remove_unprintable(value: Any) -> Any:
    """A report without characters that no file may hold."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    if isinstance(value, list):
        return [_remove_unprintable(one) for one in value]
    if isinstance(value, dict):
        return {_remove_unprintable(key): _remove_unprintable(one) for key, one in value.items()}
    return value
