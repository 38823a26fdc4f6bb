"""Where in a section stands what was added to it: beside what speaks of the same thing."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from citations.conclusion_forms import infers, leans_back, opens_leaning
from citations.content_terms import count_common_terms, find_content_terms
from citations.markers import find_markers, strip_markers
from text.sentences import Sentence, split_sentences

MIN_COMMON_TERMS = 2
"""Words of content that an addition shares with the sentence that it is put beside."""

MIN_SHARE = 0.4
"""Share of the words of content of an addition that a sentence has beside which it reads on."""

MOST_SENTENCES = 6
"""Sentences of a paragraph with what is added to it: what makes more is a paragraph of its own,
which hangs loose."""

OPENING = 60
"""Characters of a paragraph that tell whether it leans on the one before it."""

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_THEN = re.compile(r"\b(?:then|otherwise|dann|sonst|alors|sinon|entonces|allora)\b", re.IGNORECASE)
_BULLET = re.compile(r"^[ \t]*[-*+•][ \t]+", re.MULTILINE)
_LABEL = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)]) \*\*([^*\n]+)\*\*")
_COLONS = (":", "：")
_ITEM_GOES_ON = re.compile(r"\n{1,2}[ \t]+\S")
"""A paragraph, code or list that belongs to an item."""

_LIST_GOES_ON = re.compile(rf"{_ITEM_GOES_ON.pattern}|\n\n(?:[-*+•]|\d+[.)]) ")
"""The same, or a further item, behind a blank line."""

_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^`\n]*\n(?P<code>.*?)\n[ \t]*(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


def find_block(text: str) -> list[str]:
    """The first block of code of a text, with its fences; none where it has none."""
    return [found[0] for found in [_BLOCK.search(text)] if found]


def is_copied(block: str, sources: Iterable[str]) -> bool:
    """Whether each line of a block of code stands in one and the same of the texts of sources."""
    found = _BLOCK.search(block)
    lines = [" ".join(one.split()) for one in found["code"].splitlines()] if found else []
    return any(lines) and any(
        all(one in " ".join(text.split()) for one in lines) for text in sources
    )


def split_addition(text: str, language: str) -> list[str]:
    """The sentences of what is added; the first of an item has its bullet and its label in front.

    Line ends that begin no item are taken for spaces.
    """
    lines: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        plain = " ".join(line.split())
        if lines and not _BULLET.match(line):
            lines[-1] = f"{lines[-1]} {plain}"
        else:
            lines.append(plain)
    said = []
    for line in lines:
        start = 0
        for at in split_sentences(line, language):
            if not _LABEL.fullmatch(line, start, at.end):
                said.append(line[start : at.end].lstrip())
                start = at.end
    return said


def join_addition(sentences: Iterable[str]) -> str:
    """Sentences as one text, in which an item of a list begins a line."""
    text = ""
    for one in sentences:
        gap = "\n" if _BULLET.match(one) else " "
        text = f"{text}{gap}{one}" if text else one
    return text


def follow_repair(after: str, repaired: Sequence[tuple[str, str]], language: str) -> str:
    """How a sentence begins, as it is now, that a writer names as it was before its repair.

    Args:
        after: how it began.
        repaired: sentences before and after; "" where one was taken out.
        language: of both.
    """
    wanted = _fold(after).rstrip(".… ")
    for before, wording in repaired if wanted else ():
        if _fold(before).startswith(wanted):
            said = [wording[at.start : at.end] for at in split_sentences(wording, language)]
            return said[-1] if said else ""
    return after


def insert_addition(text: str, addition: str, after: str, language: str) -> str:
    """A section with further sentences behind one of its own, in its paragraph or list item.

    Args:
        text: of the section.
        addition: sentences that cite. They are a paragraph of their own where they hold a block of
            code, or would make a paragraph too long and do not lean on the sentence in front of
            them ("It was also ..."). Items of a list follow on the item, else they are a list.
        after: how the sentence begins behind which they belong. Where none begins so, they follow
            the one that shares most words with them: that sentence itself, or its whole paragraph
            or list where it speaks of something else or its item has a label they do not name.
            Where none shares enough, they are a paragraph in front of a last one that cites
            nothing, which sums up.
        language: of the text.
    """
    held = [one for one in split_sentences(text, language) if one.kind not in ("heading", "code")]
    named = _find_named(text, held, after)
    place = _find_nearest(text, held, addition, language) if named is None else named
    if place is None:
        return _add_paragraph(text, addition)
    has_lines = "\n" in addition
    leans = named is not None and opens_leaning(addition, language) and not has_lines
    one = held[place] if leans else _find_last_leaning(text, held, place, language)
    addition = _drop_same_label(text, one, addition)
    if _BULLET.match(addition):
        return _add_items(text, one, addition, language)
    said = text[one.start : one.end]
    is_apart = named is None and not (
        _is_near(addition, said, language) and _has_label(text, one, addition, language)
    )
    is_long = not leans and _makes_long(text, held, one, addition, language)
    if is_apart or has_lines or is_long:
        return _add_behind_paragraph(text, one, addition, language)
    if one.kind == "table":
        end = _find_block_end(text, one.end)
        return f"{text[:end]}\n\n{addition}{text[end:]}"
    said = strip_markers(said).rstrip()
    if said.endswith(_COLONS):  # it leads to what is below it
        return f"{text[: one.start]}{addition} {text[one.start :]}"
    stop = "." if said[-1:].isalnum() else ""
    return f"{text[: one.end]}{stop} {addition}{text[one.end :]}"


def _find_last_leaning(text: str, held: Sequence[Sentence], place: int, language: str) -> Sentence:
    """The last of the sentences behind a place that cannot be read without the one before them."""
    for one, behind in pairwise(held[place:]):
        said = text[behind.start : behind.end]
        if "\n" in text[one.end : behind.start] or not (
            leans_back(said, language) or infers(said, language) or _THEN.search(said)
        ):
            return one
    return held[-1]


def put_in_place(
    text: str, addition: str, after: str, language: str
) -> tuple[str, str, str] | None:
    """A section with further sentences in the place of one of its own, which they take up.

    Where they take up no more than its last clause, behind a semicolon, they follow on the rest.

    Returns:
        The text, the sentence that was replaced and what stands in its place; None where none
        begins with `after`, or where a figure or a marker of it would be lost.
    """
    held = [one for one in split_sentences(text, language) if one.kind in ("prose", "item")]
    place = _find_named(text, held, after)
    if place is None or "\n" in addition:
        return None
    one = held[place]
    addition = _drop_same_label(text, one, addition)
    if one.kind == "item":
        addition = _BULLET.sub("", addition)
    elif _BULLET.match(addition):
        return None
    before = text[one.start : one.end]
    leads, led = (strip_markers(one).rstrip().endswith(_COLONS) for one in (before, addition))
    if leads and not led:
        return None
    kept, parted, clause = before.rpartition("; ")
    if not _loses(before, addition):
        after = addition
    elif parted and not _loses(clause, addition) and _is_near(clause, addition, language):
        after = f"{kept}. {addition}"
    else:
        return None
    return f"{text[: one.start]}{after}{text[one.end :]}", before, after


def _loses(before: str, after: str) -> bool:
    """Whether a figure or a marker would be lost."""
    figures = [set(_DIGITS.findall(strip_markers(one))) for one in (before, after)]
    return bool(set(find_markers(before)) - set(find_markers(after)) or figures[0] - figures[1])


def _is_near(addition: str, said: str, language: str) -> bool:
    least = MIN_SHARE * len(find_content_terms(addition, language))
    return count_common_terms(addition, said, language) >= least


def _has_label(text: str, one: Sentence, addition: str, language: str) -> bool:
    """Whether an addition names what the label of an item does, where it has one: "**Belts.**"."""
    label = _LABEL.match(text, text.rfind("\n", 0, one.start) + 1)
    return label is None or count_common_terms(label[1], addition, language) > 0


def _drop_same_label(text: str, one: Sentence, addition: str) -> str:
    """An addition without the label of its first item, where the item of a sentence has it."""
    there = _LABEL.match(text, text.rfind("\n", 0, one.start) + 1)
    own = _LABEL.match(addition)
    return addition[own.end() :].lstrip() if there and own and there[1] == own[1] else addition


def _makes_long(
    text: str, held: Sequence[Sentence], one: Sentence, addition: str, language: str
) -> bool:
    if one.kind != "prose":
        return False
    start, end = text.rfind("\n\n", 0, one.start), _find_block_end(text, one.end)
    beside = sum(start < other.start < end for other in held)
    return beside + len(split_sentences(addition, language)) > MOST_SENTENCES


def _find_named(text: str, held: Sequence[Sentence], after: str) -> int | None:
    wanted = _fold(after).rstrip(".… ")
    if not wanted:
        return None
    said = [_fold(text[one.start : one.end]) for one in held]
    begins = [n for n, one in enumerate(said) if one.startswith(wanted)]
    found = begins or [n for n, one in enumerate(said) if wanted in one]
    return found[0] if found else None


def _find_nearest(text: str, held: Sequence[Sentence], addition: str, language: str) -> int | None:
    """The last of those that share most words; what opens the section and cites nothing sums up."""
    common = [count_common_terms(addition, text[one.start : one.end], language) for one in held]
    if common and not find_markers(text[held[0].start : held[0].end]):
        common[0] = 0
    most = max(common, default=0)
    if most < MIN_COMMON_TERMS:
        return None
    return len(common) - 1 - common[::-1].index(most)


def _add_paragraph(text: str, addition: str) -> str:
    before, parted, last = text.rpartition("\n\n")
    if parted and not find_markers(last) and last.lstrip()[:1].isalpha():
        return f"{before}\n\n{addition}\n\n{last}"
    return f"{text}\n\n{addition}"


def _add_items(text: str, one: Sentence, addition: str, language: str) -> str:
    """A text with items behind the item of a sentence, or as a list behind its paragraph."""
    item = _BULLET.match(text, text.rfind("\n", 0, one.start) + 1)
    if one.kind != "item" or not item:
        return _add_behind_paragraph(text, one, addition, language)
    line = text.find("\n", one.end)
    end = len(text.rstrip()) if line < 0 else line
    while further := _ITEM_GOES_ON.match(text, end):
        end = _find_block_end(text, further.end())
    return f"{text[:end]}\n{_BULLET.sub(item[0], addition)}{text[end:]}"


def _add_behind_paragraph(text: str, one: Sentence, addition: str, language: str) -> str:
    """A text with an addition behind the paragraph or list of a sentence and what leans on that."""
    end = _find_block_end(text, one.end)
    while one.kind == "item" and _LIST_GOES_ON.match(text, end):
        end = _find_block_end(text, end + len("\n\n"))
    while opens_leaning(_fold(text[end : end + OPENING]), language):
        end = _find_block_end(text, end + len("\n\n"))
    if not strip_markers(text[:end]).rstrip().endswith(_COLONS):
        return f"{text[:end]}\n\n{addition}{text[end:]}"
    start = text.rfind("\n\n", 0, one.start) + 2 if "\n\n" in text[: one.start] else 0
    return f"{text[:start]}{addition}\n\n{text[start:]}"


def _find_block_end(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text.rstrip()) if end < 0 else end


def _fold(text: str) -> str:
    plain = strip_markers(text).replace("*", "").replace("`", "").lstrip("-+•>| ")
    return " ".join(plain.casefold().split())
