"""Which sentences of a passage can stand in a report on their own, and how they are set there."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citations.markers import normalise_markers, strip_reference_markers
from prompts.template import SourceText
from text.language import detect_language
from text.sentences import split_sentences
from text.tokens import content_weight, tokenise

_ENDING = re.compile(r"[.!。！…｡۔।]+['\"”’»）)\]]*$")
_BEGINNING = re.compile(r"['\"“‘«„(（【「]*[^\W_a-z]")
_BACK_REFERENCE = re.compile(
    r"(?:it|its|this|that|these|those|they|their|he|she|his|her|such|however|but|and|so|thus|"
    r"therefore|moreover|furthermore|also|then|here|there|as a result|for example|for instance|"
    r"in addition|er|sie|es|dies\w*|jedoch|aber|il|elle|ils|elles|cela|cette?|ces|mais|"
    r"este|esta|estos|estas|pero|esto|questo|questa|ma)\b|"
    r"(?:它|他|她|这|那|此|该|其|但|而|因此|所以|然而|これ|それ|しかし|また)",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_EMPHASIS = re.compile(r"(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_STRAY_FENCE = re.compile(r"`+|~{3,}")  # half a code span would swallow the markers after it
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True)
class CandidateSentence:
    """A sentence that a section may use.

    `opens_passage` says that it is the first of its passage, which most often defines its subject;
    `refers_back` that it points to the sentence before.
    """

    source: int
    order: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]
    opens_passage: bool
    refers_back: bool


def collect_sentences(
    sources: Sequence[SourceText], is_usable: Callable[[str], bool]
) -> list[CandidateSentence]:
    """The sentences of all sources that are usable: prose and list items, no headings or tables."""
    pool: list[CandidateSentence] = []
    for source in sources:
        language = detect_language("\n".join(source.passages))
        for heading, passage in zip(source.headings, source.passages, strict=True):
            context = frozenset(tokenise(f"{source.title} {heading}", language))
            opens_passage = True
            for piece in split_sentences(passage, language):
                text = strip_markup(passage[piece.start : piece.end])
                if piece.kind not in ("prose", "item") or not is_usable(text):
                    continue
                terms = frozenset(find_content_terms(text, language))
                pool.append(
                    CandidateSentence(
                        source.number,
                        len(pool),
                        text,
                        terms,
                        context,
                        opens_passage,
                        refers_back(text),
                    )
                )
                opens_passage = False
    return pool


def refers_back(text: str) -> bool:
    """Whether a sentence points to what stands before it, as "It also ..." does."""
    return bool(_BACK_REFERENCE.match(text))


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
    # what would still be read as one of our markers cites nothing
    parts = " ".join(normalise_markers(unlinked, ())[0].split()).split("\0")
    return "".join(codes[int(part)] if at % 2 else part for at, part in enumerate(parts))


def add_marker(text: str, number: int) -> str:
    """A sentence with its source's number before the closing punctuation."""
    closing = _ENDING.search(text)
    at = closing.start() if closing else len(text)
    space = "" if _UNSPACED.search(text[max(0, at - 1) : at]) else " "
    return f"{text[:at]}{space}[{number}]{text[at:]}"


def is_readable(text: str) -> bool:
    """Whether a sentence reads well out of its place: no question, code or fragment.

    It has 35 to 420 characters, or 10 to 160 in scripts without spaces.
    """
    unspaced = len(_UNSPACED.findall(text))
    low, high = (10, 160) if unspaced > len(text) / 3 else (35, 420)
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return (
        low <= len(text) <= high
        and letters >= 0.7 * len(text)
        and bool(_ENDING.search(text))
        and bool(_BEGINNING.match(text))
    )
