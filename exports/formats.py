"""The formats that a report is exported in."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from exports.bibliography import build_csl_json, format_bibtex
from exports.bundle.parts import SUFFIX
from exports.citation_styles import Style
from exports.docx_latex import render_docx, render_latex
from exports.html.page import render_html
from exports.markdown import render_markdown
from exports.obsidian import render_obsidian
from exports.pdf import render_pdf
from schema.errors import InputError
from schema.report import Report

FormatName = Literal[
    "markdown", "html", "pdf", "docx", "latex", "json", "bibtex", "csl", "obsidian"
]

BUNDLE: Literal["bundle"] = "bundle"
ExportName = FormatName | Literal["bundle"]
"""A format, or what a saved report alone is written as: its evidence stands in the library."""

_EXTRA_PACKAGES = ("markdown_it", "pypandoc", "typst", "vl_convert")
# What UTF-8 and XML cannot hold; a model may write it, and a database refuses only some of it.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


class Format(NamedTuple):
    """A format: how its files end, and who writes it."""

    suffix: str
    write: Callable[[Report, Style], bytes]


def _encode(render: Callable[[Report, Style], str]) -> Callable[[Report, Style], bytes]:
    return lambda report, style: render(report, style).encode()


def _dump_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


FORMATS: dict[FormatName, Format] = {
    "obsidian": Format(".obsidian.md", _encode(render_obsidian)),
    "markdown": Format(".md", _encode(render_markdown)),
    "html": Format(".html", _encode(render_html)),
    "pdf": Format(".pdf", render_pdf),
    "docx": Format(".docx", render_docx),
    "latex": Format(".tex", _encode(render_latex)),
    "bibtex": Format(".bib", _encode(lambda report, _: format_bibtex(report))),
    "csl": Format(".csl.json", lambda report, _: _dump_json(build_csl_json(report))),
    "json": Format(".json", lambda report, _: _dump_json(report)),
}
"""Every format by its name; a suffix stands before those that it ends with."""


_CARRIERS: dict[str, Callable[[Report, Style, bytes], bytes]] = {
    "html": lambda report, style, bundle: render_html(report, style, bundle).encode(),
    "pdf": render_pdf,
}


def export(
    report: Report, name: FormatName, style: Style = "ieee", bundle: bytes | None = None
) -> bytes:
    """Write a report in a format.

    Args:
        report: the report.
        name: of the format.
        style: of the citations; JSON and bibliographies have none.
        bundle: its bundle, which HTML and PDF can carry inside.

    Raises:
        InputError: there is no such format or style, it carries no bundle, or its packages are not
            installed.
        QuireError: the program that sets it did not.
    """
    if name not in FORMATS:
        raise InputError(f"There is no format {name!r}: take one of {', '.join(FORMATS)}.")
    if style not in get_args(Style):
        raise InputError(f"There is no style {style!r}: take one of {', '.join(get_args(Style))}.")
    if bundle is not None and name not in _CARRIERS:
        raise InputError(f"The format {name} carries no bundle: take {' or '.join(_CARRIERS)}.")
    printable = remove_unprintable(report)
    try:
        if bundle is not None:
            return _CARRIERS[name](printable, style, bundle)
        return FORMATS[name].write(printable, style)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA_PACKAGES:
            raise
        raise InputError(
            f"The format {name} needs a package more: pip install 'quire[export]'."
        ) from error


def find_format(path: Path) -> ExportName:
    """The format that a file's name asks for.

    Raises:
        InputError: no format has this suffix.
    """
    if path.name.lower().endswith(SUFFIX):
        return BUNDLE
    for name, one in FORMATS.items():
        if path.name.lower().endswith(one.suffix):
            return name
    suffixes = ", ".join([*(one.suffix for one in FORMATS.values()), SUFFIX])
    raise InputError(f"{path.name} tells no format: end its name with one of {suffixes}.")


def remove_unprintable(value: Any) -> Any:
    """A report without characters that no file may hold."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    if isinstance(value, list):
        return [remove_unprintable(one) for one in value]
    if isinstance(value, dict):
        return {remove_unprintable(key): remove_unprintable(one) for key, one in value.items()}
    return value
