"""Marks as links to the reference list, each with a card that shows what its source says.

Without JavaScript a mark leads to its entry of the list; `html_parts/page.js` shows the card.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from exports.addresses import is_web
from exports.html_marks import SIGN, TOKEN, Doubt, Mark, doubt_of
from exports.html_text import escaped, link
from exports.labels import Labels
from exports.reasons import in_words
from exports.styles import CitationStyle
from schema.report import Citation, Reference

SIGNS = {"supported": "✓", "partial": "≈", "contradicted": "×", "absent": "?", "unjudged": "–"}
"""What tells verdicts apart where colours do not; `html_parts/page.css` has them too."""

_PIECES = re.compile(rf"(<[^>]*>|(?:⟦{SIGN}m\d+⟧)+|⟦{SIGN}[se]\d+⟧)")
_SENTENCE_ENDS = re.compile(r"</(?:p|li|tr|h[2-6])>")


class Cards:
    """Writes the marks of one report and their cards."""

    def __init__(
        self, references: Iterable[Reference], citing: CitationStyle, words: Labels
    ) -> None:
        self._references = {one["number"]: one for one in references}
        self._citing = citing
        self._words = words
        self._shown: dict[int, list[Mark]] = {}

    @property
    def verdicts(self) -> list[str]:
        """The verdicts of the marks that were written, best first."""
        found = {_verdict(mark) for marks in self._shown.values() for mark in marks}
        return [verdict for verdict in SIGNS if verdict in found]

    def written(self, made: str, marks: Mapping[int, Mark]) -> str:
        """HTML with marks as links, and what is doubtful as such, in the place of their tokens.

        Args:
            made: sanitised HTML with tokens.
            marks: of the report, by place.
        """
        pieces: list[str] = []
        doubts: list[Doubt] = []
        for piece in _PIECES.split(made):
            found = TOKEN.match(piece)
            if found and found["kind"] == "m":
                pieces += self._marks([marks[int(one["of"])] for one in TOKEN.finditer(piece)])
            elif found and found["kind"] == "s":
                doubts.append(doubt_of(found))
            elif found and found["kind"] == "e":
                del doubts[-1:]
            elif doubts and piece.strip() and not piece.startswith("<"):
                pieces.append(f'<span class="doubt {doubts[-1]}">{piece}</span>')
            else:
                pieces.append(piece)
            if _SENTENCE_ENDS.fullmatch(piece):
                doubts.clear()
        return "".join(pieces)

    def reference(self, number: int) -> str:
        """A link to an entry of the list, without a card."""
        told = "".join(piece.text for piece in self._citing.pieces([number]))
        return f'<a href="#source-{number}">{escaped(told)}</a>'

    def back(self, number: int) -> str:
        """Links from an entry to where it is cited."""
        marks = self._shown.get(number)
        if not marks:
            return ""
        links = " ".join(
            f'<a href="#mark-{mark.place}">{count}</a>' for count, mark in enumerate(marks, start=1)
        )
        return f'<span class="back">{escaped(self._words.cited_at)} {links}</span>'

    def card(self, mark: Mark) -> str:
        """The card of a mark: verdict, reasons, quotes in context, source."""
        words, one = self._words, self._references[mark.number]
        name = "".join(piece.text for piece in self._citing.pieces([mark.number]))
        quotes = "".join(
            f"{self._judged(cited)}{_quoted(cited)}" for cited in mark.citations
        ) or _line("verdict unjudged", words.no_quote)
        title = one["title"] or one["url"] or one["site"] or name
        told = [one["site"], one["published"], words.excerpt if one["excerpt"] else ""]
        links = [link(words.open_source, one["url"])] if is_web(one["url"]) else []
        links.append(
            f'<a href="#source-{mark.number}">{escaped(words.to_reference.format(number=name))}</a>'
        )
        return (
            f'<div class="card" id="card-{mark.place}" popover="manual" role="dialog" tabindex="-1"'
            f' aria-label="{escaped(f"{name} {title}")}">'
            f'<button type="button" class="close" aria-label="{escaped(words.close)}">×</button>'
            f'{quotes}<p class="source"><cite dir="auto">{escaped(title)}</cite>'
            f"{''.join(f' · <bdi>{escaped(part)}</bdi>' for part in told if part)}</p>"
            f"<p>{' · '.join(links)}</p></div>"
        )

    def _marks(self, marks: Sequence[Mark]) -> Iterator[str]:
        left = iter(marks)
        for text, number in self._citing.pieces([mark.number for mark in marks]):
            if number is None:
                yield escaped(text)
                continue
            mark = next(left)
            self._shown.setdefault(number, []).append(mark)
            verdict = _verdict(mark)
            told = f"{text}, {getattr(self._words, verdict)}"
            yield (
                f'<a class="mark {verdict}" id="mark-{mark.place}" href="#source-{number}"'
                f' data-card="card-{mark.place}" aria-label="{escaped(told)}">{escaped(text)}</a>'
            )

    def _judged(self, cited: Citation) -> str:
        verdict = cited["verdict"]
        reasons = " ".join(in_words(cited["reasons"], self._words))
        return (
            f'<p class="verdict {verdict}"><span aria-hidden="true">{SIGNS[verdict]}</span> '
            f"<b>{escaped(getattr(self._words, verdict))}</b></p>"
            + (_line("reasons", reasons) if reasons else "")
        )


def _verdict(mark: Mark) -> str:
    return mark.citations[0]["verdict"] if mark.citations else "unjudged"


def _quoted(cited: Citation) -> str:
    if not cited["quote"]:
        return ""
    before, quote, after = (escaped(cited[part]) for part in ("before", "quote", "after"))
    return (
        f'<blockquote dir="auto">{f"…{before}" if before else ""}<mark>{quote}</mark>'
        f"{f'{after}…' if after else ''}</blockquote>"
    )


def _line(kind: str, text: str) -> str:
    return f'<p class="{kind}">{escaped(text)}</p>'
