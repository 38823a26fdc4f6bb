"""Which sentences of a passage can stand in a report on their own, and how they are set there."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citations.markers import normalise_markers, strip_reference_markers
from models.extractive.orders import takes_over
from models.extractive.readable import is_forbidden, refers_back
from prompts.template import SourceText
from text.language import detect_language
from text.sentences import split_sentences
from text.tokens import KANA_OR_HAN, content_weight, tokenise

_ENDING = re.compile(r"[.!。！…｡۔।]+['\"”’»）)\]]*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_EMPHASIS = re.compile(r"(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_DATED = re.compile(
    r"^(?:[-*+] )?\*\*(?P<date>\D{0,20}\b[12]\d{3}\D{0,3}(?<![.:]))[.:]?\*\*[.:]?", re.MULTILINE
)
_LABEL = re.compile(r"^(?:(?:[-*+]|\d+[.)]) )?\*\*(?P<label>[^*\n]{2,160})\*\*", re.MULTILINE)
_ENUMERATOR = re.compile(r"^\((?:\d{1,2}|[a-z])\)\s+")
_ASKED_LABEL = re.compile(r"[?？]:(?=\s)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_ENTRY_END = re.compile(r"\n[ \t]*(?:\n|[-*+] |\d+[.)] )")
_STRAY_FENCE = re.compile(r"`+|~{3,}")  # half a code span would swallow the markers after it


@dataclass(frozen=True)
class CandidateSentence:
    """A sentence that a section may use.

    `opens_passage` says that it is the first of its passage, which most often defines its subject;
    `refers_back` that it points to what stands elsewhere, most often in `previous`: the `order` of
    the sentence right before it, where that may be used as well; `is_order` that it would take its
    reader over, or stands behind one that does in a paragraph.
    """

    source: int
    order: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]
    opens_passage: bool
    refers_back: bool
    previous: int | None = None
    is_item: bool = False
    is_order: bool = False


def collect_sentences(
    sources: Sequence[SourceText], is_usable: Callable[[str], bool]
) -> list[CandidateSentence]:
    """The sentences of all sources that are usable: prose and list items, no headings or tables."""
    pool: list[CandidateSentence] = []
    for source in sources:
        language = detect_language("\n".join(source.passages))
        for heading, passage in zip(source.headings, source.passages, strict=True):
            above = frozenset(tokenise(f"{source.title} {heading}", language))
            labels = [(one.start(), one["label"]) for one in _LABEL.finditer(passage)]
            inner = ""
            opens_passage = True
            previous: int | None = None
            ordered_until = -1
            dates = {one.end(): one["date"] for one in _DATED.finditer(passage)}
            for piece in split_sentences(passage, language):
                plain = text = strip_markup(passage[piece.start : piece.end])
                plain = text = _ENUMERATOR.sub("", text)
                if piece.kind == "heading":
                    inner = text
                if takes_over(text):
                    ordered_until = _find_paragraph_end(passage, piece.end)
                is_half_bold = text.count("**") % 2 == 1  # its other half is a sentence away
                if piece.kind not in ("prose", "item") or is_half_bold or not is_usable(text):
                    previous = None
                    continue
                label = _find_label(passage, labels, piece.start)
                if is_forbidden(f"{label} {inner or heading}", text):
                    previous = None
                    continue
                date = _find_date(passage, dates, piece.start)
                text = f"{date}: {text}" if date else text
                terms = frozenset(find_content_terms(text, language))
                context = above | frozenset(tokenise(f"{inner} {label}", language))
                pool.append(
                    CandidateSentence(
                        source.number,
                        len(pool),
                        text,
                        terms,
                        context,
                        opens_passage,
                        refers_back(plain),
                        previous,
                        piece.kind == "item",
                        piece.start < ordered_until,
                    )
                )
                opens_passage, previous = False, pool[-1].order
    return pool


def _find_date(passage: str, dates: Mapping[int, str], start: int) -> str:
    """The year in bold type that a sentence's paragraph begins with, which it would lose alone."""
    above = [(end, date) for end, date in dates.items() if end <= start]
    if not above or _ENTRY_END.search(passage, above[-1][0], start):
        return ""
    return above[-1][1]


def _find_label(passage: str, labels: Sequence[tuple[int, str]], start: int) -> str:
    """What stands in bold type before a sentence, in its paragraph or alone in the one before."""
    above = [(at, label) for at, label in labels if at <= start]
    if not above or len(_BLANK_LINE.findall(passage, above[-1][0], start)) > 1:
        return ""
    return above[-1][1]


def _find_paragraph_end(passage: str, start: int) -> int:
    blank = _BLANK_LINE.search(passage, start)
    return blank.start() if blank else len(passage)


def find_content_terms(text: str, language: str) -> list[str]:
    """The terms of a text without its function words."""
    return [term for term in tokenise(text, language) if content_weight(term, language) == 1]


def strip_markup(text: str) -> str:
    """A source's sentence without its own markup, links and citation markers; code stays."""
    codes = _CODE.findall(text)
    numbers = iter(range(len(codes)))
    held = _CODE.sub(lambda _: f"\0{next(numbers)}\0", text.replace("\0", ""))
    plain = _EMPHASIS.sub(r"\2", _STRAY_FENCE.sub("", held))
    unlinked = _LINK.sub(r"\1", strip_reference_markers(plain))
    unlinked = _ASKED_LABEL.sub(":", unlinked)
    # what would still be read as one of our markers cites nothing
    parts = " ".join(normalise_markers(unlinked, ())[0].split()).split("\0")
    return "".join(codes[int(part)] if at % 2 else part for at, part in enumerate(parts))


def add_marker(text: str, number: int) -> str:
    """A sentence with its source's number before the closing punctuation."""
    closing = _ENDING.search(text)
    at = closing.start() if closing else len(text)
    space = "" if KANA_OR_HAN.search(text[max(0, at - 1) : at]) else " "
    return f"{text[:at]}{space}[{number}]{text[at:]}"
