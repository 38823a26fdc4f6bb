"""Citation markers: parsed in whatever form a writer used, and numbered once.

Inside a run a marker carries the number of a source in the run's registry. For the reader, markers
are numbered again in order of first appearance; the same map makes the reference list, so a marker
cannot point at the wrong entry.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from text.sentences import Sentence, split_sentences

_GAP = (
    r"[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]*"  # blanks, and characters that set the direction
)
_NUMBERS = rf"\^?{_GAP}\d+(?:{_GAP}[,;，；、]{_GAP}\^?\d+|{_GAP}[-–—]{_GAP}\d+)*{_GAP}"
_LINK = r"(?:\((?:[^()\s]|\([^()\s]*\))*\))?"
_WRITTEN = (
    rf"(?:\(\s*\[{_NUMBERS}\]{_LINK}\s*\)"  # ([1](url)), ([1])
    rf"|\\?\[{_NUMBERS}\\?\]{_LINK}"  # [1], [1, 2], [1-3], [^1], \[1\], [1](url)
    rf"|【{_NUMBERS}】)"
)
_WRITTEN_MARKER = re.compile(_WRITTEN)
_REFERENCE = rf"(?:\[{_WRITTEN}\]{_LINK}|{_WRITTEN})"  # in pages also [[1]](url)
_REFERENCES = re.compile(rf"(?<!\s)\s*{_REFERENCE}(?:\s*[,;，；、–—-]?\s*{_REFERENCE})*")
_MARKER_RANGE = re.compile(r"\[(\d+)\][ \t]*[-–—][ \t]*\[(\d+)\]")  # not to the next item of a list
MARKER = re.compile(r"\[(\d{1,9})\]")
"""A normalised marker, and its number. No source carries a number of more digits."""

_MARKERS = rf"(?:{MARKER.pattern})+"
_MARKER_RUN = re.compile(_MARKERS)
_SPACED_MARKERS = re.compile(rf"(?:(?<=\S)|\A)[ \t]{_MARKERS}(?=[ \t])|{_MARKERS}")
_HEADING_MARKERS = re.compile(rf"[ \t]*{_MARKERS}")
# The lookbehinds: a run of stops or blanks, as a looping model writes it, would cost its square.
# A small letter goes on with the sentence, as in "Cho et al. [1] found"; 。 needs no blank to end.
_MARKERS_AFTER_STOP = re.compile(
    r"(?<![.!?。！？؟।])(?P<stop>(?:(?P<wide>[。！？]+)|[.!?؟।]+)[*_\"”’»」』)）]{0,4})[ \t]*"
    rf"(?P<markers>{_MARKERS})(?(wide)|(?=\s|$)(?!\s+[a-zß-öø-ÿа-я]))"
)
_REPEATED_MARKERS = re.compile(rf"({MARKER.pattern})(?:[ ,;，；、]*\1)+")
_MARKER_SEPARATOR = re.compile(rf"(?<=\])\s*[,;，；、]\s*(?={MARKER.pattern})")
_BLANKS_BEFORE_STOP = re.compile(r"(?<![ \t])[ \t]+([.,;:])(?=\s|$)")  # but not in " .gitignore"
_BLANKS_BEFORE_PUNCTUATION = re.compile(r"(?<!\s)\s+(?=[.!?,;:)。！？，）])")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<number>[0-9]{1,3})[.)][ \t]")
_LONGEST_RANGE = 50
_MAX_PASSES = 10
"""Markers nested deeper than that are none: each pass takes one layer off."""

_BRACKETS_TO_PARENTHESES = str.maketrans("[]【】", "()（）")
_MAX_DIGITS = 9


class Marker(NamedTuple):
    """A normalised marker at `text[start:end]`, and the number that it cites."""

    start: int
    end: int
    number: int


# Code and headings as `text.sentences` takes them: a marker there would belong to no sentence.
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ONE_LINE_FENCE = re.compile(r"\A(\s*)```([^`\n]+)```")
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_ONLY_MARKUP = re.compile(r"[ \t]*(?:(?:[-*+•>]|\d{1,3}[.)])[ \t]*)*")


def normalise_markers(text: str, known: Collection[int]) -> tuple[str, int]:
    """Bring every marker to the form `[n]`, before the punctuation that ends the sentence.

    A heading states nothing and has no marker. A fence that was left open is closed, or the next
    section would be code; one that is closed on its line becomes a code span.

    Args:
        text: Markdown; code spans and fences are left alone.
        known: numbers that sources carry; any other number is dropped.

    Returns:
        The text, and how many unknown numbers were dropped.
    """
    dropped = 0
    for _ in range(_MAX_PASSES):  # dropping one may form another: "[[99]7]" becomes "[7]"
        before = text
        text, count = _normalise_once(text, known)
        dropped += count
        if before == text:
            return text, dropped
    text, count = normalise_markers(
        change_outside_code(text, lambda part: part.translate(_BRACKETS_TO_PARENTHESES)), known
    )
    return text, dropped + count


def _normalise_once(text: str, known: Collection[int]) -> tuple[str, int]:
    dropped = 0

    def rewrite(match: re.Match[str]) -> str:
        nonlocal dropped
        wanted = list(_expand_numbers(match[0].partition("](")[0]))
        cited = [f"[{number}]" for number in wanted if number in known]
        dropped += len(wanted) - len(cited)
        return "".join(cited)

    def expand_range(match: re.Match[str]) -> str:
        first, last = _parse_number(match[1]), _parse_number(match[2])
        if not 0 <= last - first <= _LONGEST_RANGE:
            return f"[{match[1]}][{match[2]}]"
        return "".join(f"[{number}]" for number in range(first, last + 1))

    inline = "".join(_ONE_LINE_FENCE.sub(r"\1`\2`", run) for run, _ in _split_fences(text))
    spans = change_outside_code(
        inline, lambda part: _MARKER_RANGE.sub(expand_range, _MARKER_SEPARATOR.sub("", part))
    )
    marked = change_outside_code(spans, lambda part: _WRITTEN_MARKER.sub(rewrite, part))
    return _close_fence(
        _strip_heading_markers(change_outside_code(marked, _tidy_markers)).strip()
    ), dropped


def locate_markers(text: str) -> Iterator[Marker]:
    """The markers of a normalised text, in order; code holds none."""
    start = 0
    for part, code in _split_code(text):
        if not code:
            for found in MARKER.finditer(part):
                yield Marker(start + found.start(), start + found.end(), int(found[1]))
        start += len(part)


def find_markers(text: str) -> list[int]:
    """The numbers of a normalised text's markers, in order, with repetitions."""
    return [marker.number for marker in locate_markers(text)]


def parse_marker(text: str) -> int | None:
    """The number of a text that is one normalised marker and nothing else."""
    found = MARKER.fullmatch(text)
    return int(found[1]) if found else None


def number_by_appearance(texts: Iterable[str]) -> dict[int, int]:
    """Number of the registry to number of the reference list: 1, 2, ... as markers appear."""
    found = dict.fromkeys(number for text in texts for number in find_markers(text))
    return {number: position for position, number in enumerate(found, start=1)}


def renumber_markers(text: str, numbers: dict[int, int]) -> str:
    """Replace the numbers of a normalised text's markers.

    Raises:
        KeyError: a marker has no new number.
    """
    return change_outside_code(
        text, lambda part: MARKER.sub(lambda found: f"[{numbers[int(found[1])]}]", part)
    )


def rewrite_marker_runs(text: str, write: Callable[[list[int]], str]) -> str:
    """Replace a normalised text's markers.

    Args:
        text: whose code is left alone.
        write: what replaces markers that stand side by side, by their numbers.
    """

    def rewrite(run: re.Match[str]) -> str:
        return write([int(found[1]) for found in MARKER.finditer(run[0])])

    return change_outside_code(text, lambda part: _MARKER_RUN.sub(rewrite, part))


def strip_reference_markers(text: str) -> str:
    """A source's text without the markers of its own references, in whatever form."""
    return _REFERENCES.sub("", text)


def strip_markers(text: str) -> str:
    """A sentence without its markers."""
    bare = change_outside_code(text, lambda part: _SPACED_MARKERS.sub("", part))
    return _BLANKS_BEFORE_PUNCTUATION.sub("", bare).strip()


def find_cited_sentences(text: str, language: str) -> list[tuple[Sentence, list[int]]]:
    """The sentences of a normalised text that make statements, each with the numbers it cites."""
    found = list(locate_markers(text))
    starts = [marker.start for marker in found]

    def cited(sentence: Sentence) -> list[int]:
        first, last = bisect_left(starts, sentence.start), bisect_left(starts, sentence.end)
        return list(dict.fromkeys(marker.number for marker in found[first:last]))

    return [
        (sentence, cited(sentence))
        for sentence in split_sentences(text, language)
        if sentence.kind in ("prose", "item", "table")
    ]


def drop_repeated_sentences(texts: Sequence[str], language: str) -> tuple[list[str], int]:
    """Remove sentences that stand, word for word, in an earlier text or earlier in the same.

    A text whose every sentence stood before is left as it is: an empty section helps nobody.

    Returns:
        The texts, and how many sentences were removed.
    """
    seen: set[str] = set()
    changed: list[str] = []
    removed = 0
    for text in texts:
        sentences = [s for s in split_sentences(text, language) if s.kind == "prose"]
        keys = [
            " ".join(strip_markers(text[s.start : s.end]).casefold().split()) for s in sentences
        ]
        repeated, here = [], set(seen)
        for sentence, key in zip(sentences, keys, strict=True):
            if key in here:
                repeated.append(sentence)
            here.add(key)
        if len(repeated) < len(sentences):
            for sentence in reversed(repeated):
                text = remove_sentence(text, sentence)  # noqa: PLW2901
            removed += len(repeated)
        seen = here
        changed.append(text.strip())
    return changed, removed


def remove_sentence(text: str, sentence: Sentence) -> str:
    """A text without one of its sentences, and without the line that held nothing else.

    The items behind a numbered one that goes are counted anew.
    """
    before, after = text[: sentence.start], text[sentence.end :].lstrip(" \t")
    if after[:1] not in ("", "\n"):
        return before + after
    line = before.rfind("\n") + 1
    if not _ONLY_MARKUP.fullmatch(before, line):
        return before.rstrip(" \t") + after
    item = _ITEM.match(before, line)
    before, after = text[:line], after[1:]
    if item:
        after = _count_down(after, int(item["number"]), item["indent"])
    return before + (after.lstrip("\n") if before[-2:] in ("", "\n\n") else after)


def _count_down(text: str, gone: int, indent: str) -> str:
    """A text that begins behind an item of a list, whose next items have each a number less."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        item = _ITEM.match(line)
        if item and item["indent"] == indent:
            if int(item["number"]) != gone + 1:
                break
            lines[place] = f"{indent}{gone}{line[item.end('number') :]}"
            gone += 1
        elif line.strip() and not line.startswith((" ", "\t")):
            break
    return "\n".join(lines)


def _expand_numbers(found: str) -> Iterable[int]:
    for part in re.split(r"[,;，；、]", found.replace("^", "")):
        ends = [_parse_number(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _LONGEST_RANGE:
            ends = list(range(ends[0], ends[1] + 1))
        yield from ends


def _parse_number(digits: str) -> int:
    """The number, or -1, which no source carries, where int() could refuse so many digits."""
    return int(digits) if len(digits) <= _MAX_DIGITS else -1


def _tidy_markers(part: str) -> str:
    """Markers of one sentence side by side, once each, before its final punctuation."""
    joined = _REPEATED_MARKERS.sub(r"\1", _MARKER_SEPARATOR.sub("", part))

    moved = _MARKERS_AFTER_STOP.sub(
        lambda m: f"{'' if m['wide'] else ' '}{m['markers']}{m['stop']}", joined
    )
    return re.sub(r"\n{3,}", "\n\n", _BLANKS_BEFORE_STOP.sub(r"\1", moved))


def _strip_heading_markers(text: str) -> str:
    return "".join(
        _HEADING_MARKERS.sub("", line) if not fenced and _HEADING.match(line) else line
        for run, fenced in _split_fences(text)
        for line in run.splitlines(keepends=True)
    )


def _close_fence(text: str) -> str:
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


def _split_fences(text: str) -> Iterator[tuple[str, bool]]:
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


def _split_code(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces: (piece, whether it is code)."""
    for run, fenced in _split_fences(text):
        end = 0
        for match in () if fenced else _INLINE_CODE.finditer(run):
            yield run[end : match.start()], False
            yield match[0], True
            end = match.end()
        yield run[end:], fenced


def change_outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with its pieces between code spans and fences changed, each by itself."""
    return "".join(piece if code else change(piece) for piece, code in _split_code(text))
