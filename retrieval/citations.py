"""Citation marks: reading them in whatever form a writer used, and numbering them once.

Inside a run a mark carries the number of a source in the run's registry. For the reader, marks
are numbered again in order of first appearance; the same map makes the reference list, so a mark
cannot point at the wrong entry.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from retrieval.sentences import Sentence, sentences

_NUMBERS = r"\^?\s*\d+(?:\s*[,;，；、]\s*\^?\d+|\s*[-–—]\s*\d+)*\s*"
_MARK = re.compile(
    rf"(?P<code>```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`)"  # left alone
    rf"|\(\s*\[(?P<inner>{_NUMBERS})\](?:\([^()\s]*\))?\s*\)"  # ([1](url)), ([1])
    rf"|\[(?P<square>{_NUMBERS})\](?:\([^()\s]*\))?"  # [1], [1, 2], [1-3], [^1], [1](url)
    rf"|【(?P<cjk>{_NUMBERS})】",
    re.DOTALL,
)
_SPAN = re.compile(r"\[(\d+)\]\s*[-–—]\s*\[(\d+)\]")
_CANONICAL = re.compile(r"\[(\d+)\]")
# The lookbehinds: a run of stops or blanks, as a looping model writes it, would cost its square.
_AFTER_STOP = re.compile(
    r"(?<![.!?。！？])(?P<stop>[.!?。！？]+)(?P<space>[ \t]*)(?P<marks>(?:\[\d+\])+)(?=\s|$)"
)
_REPEATED = re.compile(r"(\[\d+\])(?:[ ,;，；、]*\1)+")
_SEPARATED = re.compile(r"(?<=\])\s*[,;，；、]\s*(?=\[\d+\])")
_BEFORE_STOP = re.compile(r"(?<![ \t])[ \t]+([.,;:])(?=\s|$)")  # but not the stop of ".gitignore"
_LONGEST_RANGE = 50
_MOST_DIGITS = 9


def normalise(text: str, known: Collection[int]) -> tuple[str, int]:
    """Bring every mark to the form `[n]`, before the sentence's closing mark.

    Args:
        text: Markdown; code spans and fences are left alone.
        known: numbers that sources carry; any other number is dropped.

    Returns:
        The text, and how many unknown numbers were dropped.
    """
    dropped = 0
    while True:  # what is taken out may bring marks together: "[[99]7]" becomes "[7]"
        cleaned, count = _rewritten(text, known)
        dropped += count
        if cleaned == text:
            return cleaned, dropped
        text = cleaned


def _rewritten(text: str, known: Collection[int]) -> tuple[str, int]:
    dropped = 0

    def numbers(found: str) -> list[int]:
        nonlocal dropped
        wanted = list(_expanded(found))
        kept = [number for number in wanted if number in known]
        dropped += len(wanted) - len(kept)
        return kept

    def rewritten(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        found = match["inner"] or match["square"] or match["cjk"]
        return "".join(f"[{number}]" for number in numbers(found))

    def joined(match: re.Match[str]) -> str:
        first, last = _number(match[1]), _number(match[2])
        if not 0 <= last - first <= _LONGEST_RANGE:
            return f"[{match[1]}][{match[2]}]"
        return "".join(f"[{number}]" for number in range(first, last + 1))

    spans = _outside_code(text, lambda part: _SPAN.sub(joined, _SEPARATED.sub("", part)))
    marked = _MARK.sub(rewritten, spans)
    return _outside_code(marked, _tidied).strip(), dropped


def marks(text: str) -> list[int]:
    """The numbers of a normalised text's marks, in order, repeats kept."""
    numbers: list[int] = []
    for part, code in _parts(text):
        if not code:
            numbers += [_number(digits) for digits in _CANONICAL.findall(part)]
    return numbers


def order_of_appearance(texts: Iterable[str]) -> dict[int, int]:
    """Number of the registry to number of the reference list: 1, 2, ... as marks appear."""
    order: dict[int, int] = {}
    for text in texts:
        for number in marks(text):
            order.setdefault(number, len(order) + 1)
    return order


def renumber(text: str, numbers: dict[int, int]) -> str:
    """Replace the numbers of a normalised text's marks.

    Raises:
        KeyError: a mark has no new number.
    """
    return _outside_code(
        text, lambda part: _CANONICAL.sub(lambda mark: f"[{numbers[_number(mark[1])]}]", part)
    )


def without_marks(text: str) -> str:
    """A sentence without its marks."""
    return re.sub(r"\s+([.!?,;:。！？，])", r"\1", _CANONICAL.sub("", text)).strip()


def cited_sentences(text: str, language: str) -> list[tuple[Sentence, list[int]]]:
    """The sentences of a normalised text that make statements, each with the numbers it cites."""
    return [
        (sentence, list(dict.fromkeys(marks(text[sentence.start : sentence.end]))))
        for sentence in sentences(text, language)
        if sentence.kind in ("prose", "item", "table")
    ]


def drop_repeated(texts: Sequence[str], language: str) -> tuple[list[str], int]:
    """Remove sentences that stand, word for word, in an earlier text or earlier in the same.

    A text whose every sentence stood before is left as it is: an empty section helps nobody.

    Returns:
        The texts, and how many sentences were removed.
    """
    seen: set[str] = set()
    kept: list[str] = []
    removed = 0
    for text in texts:
        said = [s for s in sentences(text, language) if s.kind == "prose"]
        keys = [" ".join(without_marks(text[s.start : s.end]).casefold().split()) for s in said]
        repeated, here = [], set(seen)
        for sentence, key in zip(said, keys, strict=True):
            if key in here:
                repeated.append(sentence)
            here.add(key)
        if len(repeated) < len(said):
            for sentence in reversed(repeated):
                text = text[: sentence.start] + text[sentence.end :].lstrip(" ")  # noqa: PLW2901
            removed += len(repeated)
        seen = here
        kept.append(re.sub(r"[ \t]+\n", "\n", re.sub(r"\n{3,}", "\n\n", text)).strip())
    return kept, removed


def _expanded(found: str) -> Iterable[int]:
    for part in re.split(r"[,;，；、]", found.replace("^", "")):
        ends = [_number(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _LONGEST_RANGE:
            yield from range(ends[0], ends[1] + 1)
        else:
            yield from ends


def _number(digits: str) -> int:
    """The number, or -1, which no source carries, where int() could refuse so many digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else -1


def _tidied(part: str) -> str:
    """Marks of one sentence side by side, once each, before its closing mark."""
    joined = _REPEATED.sub(r"\1", _SEPARATED.sub("", part))

    def moved(match: re.Match[str]) -> str:
        space = " " if match["stop"][0] in ".!?" else ""
        return f"{space}{match['marks']}{match['stop']}"

    return _BEFORE_STOP.sub(r"\1", _AFTER_STOP.sub(moved, joined))


def _parts(text: str) -> Iterable[tuple[str, bool]]:
    """The text in pieces: (piece, whether it is code)."""
    end = 0
    for match in re.finditer(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`", text, re.DOTALL):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    return "".join(piece if code else change(piece) for piece, code in _parts(text))
