"""Citation markers as links to the references, each with a card that shows what its source says.

Without JavaScript a marker leads to its entry of the list; `report.js` shows the card.
"""

from collections.abc import Callable

from exports.citation_styles import CitationStyle
from exports.html.escaping import escape_html, render_link
from exports.html.markers import CitationMarker, insert_tokens
from exports.labels import (
    Labels,
    explain_copies,
    explain_reasons,
    tell_origins,
    tell_verdict,
)
from exports.web_links import is_web
from schema.report import Citation, Report

VERDICT_SYMBOLS = {
    "supported": "✓",
    "partial": "≈",
    "contradicted": "×",
    "absent": "?",
    "unjudged": "–",
}
"""What tells verdicts apart where colours do not; `report.css` has them too."""


class Cards:
    """Writes the citation markers of one report and their cards."""

    def __init__(
        self,
        report: Report,
        citing: CitationStyle,
        words: Labels,
        passage: Callable[[int], str] | None = None,
        prefix: str = "",
    ) -> None:
        self._report = report
        self._passage, self._prefix = passage, prefix
        self._places = {id(one): place for place, one in enumerate(report["citations"])}
        self._references = {one["number"]: one for one in report["references"]}
        self._citation_style = citing
        self._labels = words
        self._origins = {
            (one["section"], one["sentence"]): one["origins"] for one in report.get("origins", [])
        }
        self._markers: list[CitationMarker] = []
        self._shown_markers: dict[int, list[CitationMarker]] = {}

    @property
    def verdicts(self) -> list[str]:
        """The verdicts of the markers that were written, best first."""
        shown = (marker for markers in self._shown_markers.values() for marker in markers)
        return sorted(set(map(_get_verdict, shown)), key=list(VERDICT_SYMBOLS).index)

    def bind_markers(self, text: str, section: int) -> tuple[str, list[CitationMarker]]:
        """A text of a section with tokens, and its markers."""
        cited = [one for one in self._report["citations"] if one["section"] == section]
        text, markers = insert_tokens(text, cited, self._references, len(self._markers))
        self._markers += markers
        return text, markers

    def render_marker(self, position: int, text: str) -> str:
        """A marker as a link to its entry of the list."""
        marker = self._markers[position]
        self._shown_markers.setdefault(marker.number, []).append(marker)
        verdict = _get_verdict(marker)
        label = escape_html(f"{text}, {getattr(self._labels, verdict)}")
        return (
            f'<a class="mark {verdict}" id="{self._prefix}mark-{position}"'
            f' href="#{self._prefix}source-{marker.number}"'
            f' data-card="{self._prefix}card-{position}"'
            f' aria-label="{label}">{escape_html(text)}</a>'
        )

    def render_back_links(self, number: int) -> str:
        """Links from an entry to where it is cited."""
        markers = self._shown_markers.get(number)
        if not markers:
            return ""
        links = " ".join(
            f'<a href="#{self._prefix}mark-{marker.position}">{count}</a>'
            for count, marker in enumerate(markers, start=1)
        )
        return f'<span class="back">{escape_html(self._labels.cited_at)} {links}</span>'

    def render_card(self, marker: CitationMarker) -> str:
        """The card of a marker: verdict, reasons, quotes in context, source."""
        words, one = self._labels, self._references[marker.number]
        name = self._name(marker.number)
        quotes = "".join(
            f"{self._render_verdict(cited)}{_render_quote(cited)}"
            f"{self._render_passage(cited)}{self._render_origins(cited)}"
            for cited in marker.citations
        ) or _render_line("verdict unjudged", words.no_quote)
        title = one["title"] or one["url"] or one["site"] or name
        pages = [words.on_page.format(number=p) for p in _list_pages(marker)]
        details = [one["site"], one["published"], *pages, words.excerpt if one["excerpt"] else ""]
        links = [render_link(words.open_source, one["url"])] if is_web(one["url"]) else []
        links.append(
            f'<a href="#{self._prefix}source-{marker.number}">'
            f"{escape_html(words.to_reference.format(number=name))}</a>"
        )
        return (
            f'<div class="card" id="{self._prefix}card-{marker.position}" popover="manual"'
            f' role="dialog" tabindex="-1" aria-label="{escape_html(f"{name} {title}")}">'
            '<button type="button" class="close"'
            f' aria-label="{escape_html(words.close)}">×</button>'
            f'{quotes}<p class="source"><cite dir="auto">{escape_html(title)}</cite>'
            f"{''.join(f' · <bdi>{escape_html(part)}</bdi>' for part in details if part)}</p>"
            f"<p>{' · '.join(links)}</p></div>"
        )

    def _render_verdict(self, cited: Citation) -> str:
        verdict = cited["verdict"]
        reasons = " ".join(explain_reasons(cited["reasons"], self._labels))
        return (
            f'<p class="verdict {verdict}">'
            f'<span aria-hidden="true">{VERDICT_SYMBOLS[verdict]}</span> '
            f"<b>{escape_html(tell_verdict(cited, self._labels))}</b></p>"
            + (_render_line("reasons", reasons) if reasons else "")
        )

    def _render_origins(self, cited: Citation) -> str:
        """How many independent origins stand behind a sentence, and which sources are none."""
        origins = self._origins.get((cited["section"], cited["sentence"]))
        if not origins:
            return ""
        said = [
            tell_origins(origins, self._labels),
            *explain_copies(origins, self._labels, self._name),
        ]
        return "".join(_render_line("origins", one) for one in said)

    def _name(self, number: int) -> str:
        return "".join(piece.text for piece in self._citation_style.build_pieces([number]))

    def _render_passage(self, cited: Citation) -> str:
        """A link to where the quote stands in its source."""
        if self._passage is None or not cited["quote"]:
            return ""
        address = escape_html(self._passage(self._places[id(cited)]))
        return f'<p><a href="{address}">{escape_html(self._labels.read_passage)}</a></p>'


def _get_verdict(marker: CitationMarker) -> str:
    return marker.citations[0]["verdict"] if marker.citations else "unjudged"


def _list_pages(marker: CitationMarker) -> list[int]:
    return sorted({cited["page"] for cited in marker.citations if "page" in cited})


def _render_quote(cited: Citation) -> str:
    if not cited["quote"]:
        return ""
    before, quote, after = (escape_html(cited[part]) for part in ("before", "quote", "after"))
    return (
        f'<blockquote dir="auto">{f"…{before}" if before else ""}<mark>{quote}</mark>'
        f"{f'{after}…' if after else ''}</blockquote>"
    )


def _render_line(kind: str, text: str) -> str:
    return f'<p class="{kind}">{escape_html(text)}</p>'
