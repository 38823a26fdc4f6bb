"""A report as one HTML file that asks nothing of any network.

Its styles, its script and its charts are in it; a Content-Security-Policy forbids all else.
"""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from exports.bundle.parts import MEDIA_TYPE, SUFFIX
from exports.citation_styles import Style
from exports.html.body import ReportBody
from exports.html.escaping import escape_html
from schema.report import Report


def render_html(report: Report, style: Style = "ieee", bundle: bytes | None = None) -> str:
    """Lay a report out as a page, which carries its bundle where one is given.

    Each citation marker leads to its entry of the reference list, and has a card with the verdict,
    its reasons and the quote in its context. Charts are images with their values below.
    """
    body = ReportBody(report, style)
    parts = body.render()
    script = _read_part("static/report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _read_part("page.html").format(
        language=escape_html(report["language"]),
        direction=body.direction,
        script_hash=digest,
        title=parts.title,
        question=parts.question,
        skip=escape_html(body.labels.skip),
        contents=escape_html(body.labels.contents),
        links=parts.contents,
        start="summary" if parts.summary else "text",
        summary=parts.summary,
        legend=parts.legend,
        main=parts.main + (_link_bundle(report, bundle, body.labels.bundle) if bundle else ""),
        style="\n".join(map(_read_part, ["static/report.css", "page.css"])),
        script=script,
    )


def _link_bundle(report: Report, bundle: bytes, words: str) -> str:
    """A link that saves the bundle: what it leads to stands in the link itself."""
    name = f"report-{report.get('id', '')}{SUFFIX}".replace("-.", ".")
    data = base64.b64encode(bundle).decode()
    return (
        f'\n<p class="bundle"><a download="{escape_html(name)}" '
        f'href="data:{MEDIA_TYPE};base64,{data}">{escape_html(words)}</a></p>'
    )


@cache
def _read_part(name: str) -> str:
    return (files("exports.html") / name).read_text(encoding="utf-8").strip()
