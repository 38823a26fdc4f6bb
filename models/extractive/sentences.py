"""Which sentences of a passage can stand in a report on their own, and how they are set there."""

import re
from dataclasses import dataclass

from prompts.template import SourceText
from retrieval.analysis import content_weight, terms
from retrieval.citations import normalise
from retrieval.language import detect_language
from retrieval.sentences import sentences

_CLOSED = re.compile(r"[.!。！…｡۔।]+['\"”’»）)\]]*$")
_OPENED = re.compile(r"['\"“‘«„(（【「]*[^\W_a-z]")
_LEANS = re.compile(
    r"(?:it|its|this|that|these|those|they|their|he|she|his|her|such|however|but|and|so|thus|"
    r"therefore|moreover|furthermore|also|then|here|there|as a result|for example|for instance|"
    r"in addition|er|sie|es|dies\w*|jedoch|aber|il|elle|ils|elles|cela|cette?|ces|mais|"
    r"este|esta|estos|estas|pero|esto|questo|questa|ma)\b|"
    r"(?:它|他|她|这|那|此|该|其|但|而|因此|所以|然而|これ|それ|しかし|また)",
    re.IGNORECASE,
)
_NUMBERS = r"\^?\s*\d+(?:\s*[,;，；、–—-]\s*\^?\d+)*\s*"
_BRACKETED = rf"\\?\[{_NUMBERS}\\?\]"
_MARK = (
    rf"(?:\(\s*{_BRACKETED}(?:\([^()\s]*\))?\s*\)"  # ([1]), ([1](url))
    rf"|(?:\[{_BRACKETED}\]|{_BRACKETED})(?:\([^()\s]*\))?"  # [1], [1, 2], [1](url), [[1]](url)
    rf"|【{_NUMBERS}】)"
)
_REFERENCE = re.compile(rf"\s*{_MARK}(?:\s*[,;，；、–—-]?\s*{_MARK})*")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_EMPHASIS = re.compile(r"(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_STRAY = re.compile(r"`+|~{3,}")  # half a code span would swallow the marks after it
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True)
class Candidate:
    """A sentence that a section may use."""

    source: int
    order: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]
    leads: bool
    leans: bool


def candidates(source: SourceText, first: int = 0) -> list[Candidate]:
    """The sentences of a source that read well out of their place.

    Left out are questions, headings, table rows, code, fragments, and what is too short to say
    something or too long to follow. `leads` marks the first sentence of a passage, which most often
    says what the passage is about; `leans` one that points back to the sentence before.

    Args:
        source: a source of the prompt.
        first: the `order` of its first sentence.
    """
    language = detect_language("\n".join(source.passages))
    found: list[Candidate] = []
    for heading, passage in zip(source.headings, source.passages, strict=True):
        context = frozenset(terms(f"{source.title} {heading}", language))
        leads = True
        for piece in sentences(passage, language):
            text = tidy(passage[piece.start : piece.end])
            if piece.kind in ("prose", "item") and _readable(text):
                found.append(
                    Candidate(
                        source=source.number,
                        order=first + len(found),
                        text=text,
                        terms=frozenset(content(text, language)),
                        context=context,
                        leads=leads,
                        leans=bool(_LEANS.match(text)),
                    )
                )
                leads = False
    return found


def content(text: str, language: str) -> list[str]:
    """The terms of a text without its function words."""
    return [term for term in terms(text, language) if content_weight(term, language) == 1]


def tidy(text: str) -> str:
    """A source's sentence without its own markup, links and reference marks; code stays."""
    codes = _CODE.findall(text)
    numbers = iter(range(len(codes)))
    held = _CODE.sub(lambda _: f"\0{next(numbers)}\0", text.replace("\0", ""))
    plain = _EMPHASIS.sub(r"\2", _STRAY.sub("", held))
    unlinked = _LINK.sub(r"\1", _REFERENCE.sub("", plain))
    # what would still be read as a mark of ours cites nothing
    parts = " ".join(normalise(unlinked, ())[0].split()).split("\0")
    return "".join(codes[int(part)] if at % 2 else part for at, part in enumerate(parts))


def cited(text: str, number: int) -> str:
    """A sentence with its source's number before the closing mark."""
    closing = _CLOSED.search(text)
    at = closing.start() if closing else len(text)
    space = "" if _UNSPACED.search(text[max(0, at - 1) : at]) else " "
    return f"{text[:at]}{space}[{number}]{text[at:]}"


def _readable(text: str) -> bool:
    unspaced = len(_UNSPACED.findall(text))
    low, high = (10, 160) if unspaced > len(text) / 3 else (35, 420)
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return (
        low <= len(text) <= high
        and letters >= 0.7 * len(text)
        and bool(_CLOSED.search(text))
        and bool(_OPENED.match(text))
    )
