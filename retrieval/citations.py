"""Citation marks: reading them in whatever form a writer used, and numbering them once.

Inside a run a mark carries the number of a source in the run's registry. For the reader, marks
are numbered again in order of first appearance; the same map makes the reference list, so a mark
cannot point at the wrong entry.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from retrieval.sentences import Sentence, sentences

_GAP = r"[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]*"  # blanks, and signs of direction
_NUMBERS = rf"\^?{_GAP}\d+(?:{_GAP}[,;，；、]{_GAP}\^?\d+|{_GAP}[-–—]{_GAP}\d+)*{_GAP}"
_LINK = r"(?:\((?:[^()\s]|\([^()\s]*\))*\))?"
_MARK = re.compile(
    rf"\(\s*\[(?P<inner>{_NUMBERS})\]{_LINK}\s*\)"  # ([1](url)), ([1])
    rf"|\\?\[(?P<square>{_NUMBERS})\\?\]{_LINK}"  # [1], [1, 2], [1-3], [^1], \[1\], [1](url)
    rf"|【(?P<cjk>{_NUMBERS})】"
)
_SPAN = re.compile(r"\[(\d+)\][ \t]*[-–—][ \t]*\[(\d+)\]")  # not to the next item of a list
_CANONICAL = re.compile(r"\[(\d+)\]")
# The lookbehinds: a run of stops or blanks, as a looping model writes it, would cost its square.
# A small letter goes on with the sentence, as in "Cho et al. [1] found"; 。 needs no blank to end.
_AFTER_STOP = re.compile(
    r"(?<![.!?。！？؟।])(?P<stop>(?:(?P<wide>[。！？]+)|[.!?؟।]+)[*_\"”’»」』)）]{0,4})[ \t]*"
    r"(?P<marks>(?:\[\d+\])+)(?(wide)|(?=\s|$)(?!\s+[a-zß-öø-ÿа-я]))"
)
_REPEATED = re.compile(r"(\[\d+\])(?:[ ,;，；、]*\1)+")
_SEPARATED = re.compile(r"(?<=\])\s*[,;，；、]\s*(?=\[\d+\])")
_BEFORE_STOP = re.compile(r"(?<![ \t])[ \t]+([.,;:])(?=\s|$)")  # but not the stop of ".gitignore"
_BLANKS_BEFORE_SIGN = re.compile(r"(?<!\s)\s+(?=[.!?,;:。！？，])")
_LONGEST_RANGE = 50
_PASSES = 10
_UNMARKED = str.maketrans("[]【】", "()（）")
"""Marks within each other deeper than that are none: each pass takes one layer off."""
_MOST_DIGITS = 9

# Code and headings as `retrieval.sentences` takes them: a mark there would belong to no sentence.
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_FENCE_OF_ONE_LINE = re.compile(r"\A(\s*)```([^`\n]+)```")
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_ONLY_MARKUP = re.compile(r"[ \t]*(?:(?:[-*+•>]|\d{1,3}[.)])[ \t]*)*")


def normalise(text: str, known: Collection[int]) -> tuple[str, int]:
    """Bring every mark to the form `[n]`, before the sentence's closing mark.

    A heading states nothing and keeps no mark. A fence that was left open is closed, or the next
    section would be code; one that is closed on its line becomes a code span.

    Args:
        text: Markdown; code spans and fences are left alone.
        known: numbers that sources carry; any other number is dropped.

    Returns:
        The text, and how many unknown numbers were dropped.
    """
    dropped = 0
    for _ in range(_PASSES):  # what is taken out may bring marks together: "[[99]7]" becomes "[7]"
        before = text
        text, count = _rewritten(text, known)
        dropped += count
        if before == text:
            return text, dropped
    text, count = normalise(_outside_code(text, lambda part: part.translate(_UNMARKED)), known)
    return text, dropped + count


def _rewritten(text: str, known: Collection[int]) -> tuple[str, int]:
    dropped = 0

    def rewritten(match: re.Match[str]) -> str:
        nonlocal dropped
        wanted = list(_expanded(match["inner"] or match["square"] or match["cjk"]))
        kept = [f"[{number}]" for number in wanted if number in known]
        dropped += len(wanted) - len(kept)
        return "".join(kept)

    def joined(match: re.Match[str]) -> str:
        first, last = _number(match[1]), _number(match[2])
        if not 0 <= last - first <= _LONGEST_RANGE:
            return f"[{match[1]}][{match[2]}]"
        return "".join(f"[{number}]" for number in range(first, last + 1))

    inline = "".join(_FENCE_OF_ONE_LINE.sub(r"\1`\2`", run) for run, _ in _runs(text))
    spans = _outside_code(inline, lambda part: _SPAN.sub(joined, _SEPARATED.sub("", part)))
    marked = _outside_code(spans, lambda part: _MARK.sub(rewritten, part))
    return _closed(_without_heading_marks(_outside_code(marked, _tidied)).strip()), dropped


def marks(text: str) -> list[int]:
    """The numbers of a normalised text's marks, in order, repeats kept."""
    return [number for _, number in _found(text)]


def order_of_appearance(texts: Iterable[str]) -> dict[int, int]:
    """Number of the registry to number of the reference list: 1, 2, ... as marks appear."""
    found = dict.fromkeys(number for text in texts for number in marks(text))
    return {number: place for place, number in enumerate(found, start=1)}


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
    bare = _outside_code(text, lambda part: _CANONICAL.sub("", part))
    return _BLANKS_BEFORE_SIGN.sub("", bare).strip()


def cited_sentences(text: str, language: str) -> list[tuple[Sentence, list[int]]]:
    """The sentences of a normalised text that make statements, each with the numbers it cites."""
    found = list(_found(text))
    places = [place for place, _ in found]

    def cited(sentence: Sentence) -> list[int]:
        first, last = bisect_left(places, sentence.start), bisect_left(places, sentence.end)
        return list(dict.fromkeys(number for _, number in found[first:last]))

    return [
        (sentence, cited(sentence))
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
                text = without(text, sentence)  # noqa: PLW2901
            removed += len(repeated)
        seen = here
        kept.append(text.strip())
    return kept, removed


def without(text: str, sentence: Sentence) -> str:
    """A text without one of its sentences, and without the line that held nothing else."""
    before, after = text[: sentence.start], text[sentence.end :].lstrip(" \t")
    if after[:1] not in ("", "\n"):
        return before + after
    line = before.rfind("\n") + 1
    if not _ONLY_MARKUP.fullmatch(before, line):
        return before.rstrip(" \t") + after
    before, after = text[:line], after[1:]
    return before + (after.lstrip("\n") if before[-2:] in ("", "\n\n") else after)


def _expanded(found: str) -> Iterable[int]:
    for part in re.split(r"[,;，；、]", found.replace("^", "")):
        ends = [_number(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _LONGEST_RANGE:
            ends = list(range(ends[0], ends[1] + 1))
        yield from ends


def _number(digits: str) -> int:
    """The number, or -1, which no source carries, where int() could refuse so many digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else -1


def _tidied(part: str) -> str:
    """Marks of one sentence side by side, once each, before its closing mark."""
    joined = _REPEATED.sub(r"\1", _SEPARATED.sub("", part))

    moved = _AFTER_STOP.sub(lambda m: f"{'' if m['wide'] else ' '}{m['marks']}{m['stop']}", joined)
    return re.sub(r"\n{3,}", "\n\n", _BEFORE_STOP.sub(r"\1", moved))


def _without_heading_marks(text: str) -> str:
    return "".join(
        re.sub(r"[ \t]*\[\d+\]", "", line) if not fenced and _HEADING.match(line) else line
        for run, fenced in _runs(text)
        for line in run.splitlines(keepends=True)
    )


def _closed(text: str) -> str:
    """A text whose last fence is closed, or whatever follows it would be code."""
    opening = ""
    for line in text.splitlines():
        if fence := _FENCE.match(line):
            rest = line[fence.end() :].strip()
            if opening and not rest and fence[1].startswith(opening):
                opening = ""
            elif not opening and "`" not in rest:
                opening = fence[1]
    return f"{text}\n{opening}" if opening else text


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The text in runs of lines: (run, whether it is a fence with what stands in it)."""
    run, fenced = "", False
    for line in text.splitlines(keepends=True):
        if not _FENCE.match(line):
            run += line
        elif fenced:
            yield run + line, True
            run, fenced = "", False
        else:
            yield run, False
            run, fenced = line, True
    yield run, fenced


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces: (piece, whether it is code)."""
    for run, fenced in _runs(text):
        end = 0
        for match in () if fenced else _INLINE_CODE.finditer(run):
            yield run[end : match.start()], False
            yield match[0], True
            end = match.end()
        yield run[end:], fenced


def _found(text: str) -> Iterator[tuple[int, int]]:
    """The marks of a normalised text: (place, number)."""
    start = 0
    for part, code in _parts(text):
        if not code:
            yield from ((start + m.start(), _number(m[1])) for m in _CANONICAL.finditer(part))
        start += len(part)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    return "".join(piece if code else change(piece) for piece, code in _parts(text))
