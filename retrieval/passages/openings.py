"""How a passage begins: its first sentences, for readers who choose between passages."""

import re

from text.sentences import Sentence, split_sentences

_READ = 6
"""Characters that are read for each one that is wanted: headings and notices are left out."""

_NOTICE = re.compile(
    r"\W*(?:©|\(c\) ?\d{4}|copyright\b|all rights reserved|skip to (?:main )?content)"
    r"|[^.!?]*\ball rights reserved\W*$",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"(?:[^|›»•·]{1,30} [|›»•·] ){2,}[^|›»•·.!?]{1,30}")
"""A menu or the way to a page: "Home › Guides › Pumps"."""


def take_opening(text: str, language: str, characters: int) -> str:
    """The first sentences of a passage on one line, in at most so many characters.

    Headings, copyright notices and menus are left out, unless there is nothing else. It ends
    with a sentence, or with "…" behind a word where that would waste more than half of the room.
    """
    found = split_sentences(text[: _READ * characters], language)
    if len(text) > _READ * characters:
        found = found[:-1] or found  # the last one may be cut
    lines = [" ".join(text[one.start : one.end].split()) for one in found]
    kept = [line for one, line in zip(found, lines, strict=True) if _tells(one, line)] or lines
    opening = ""
    for line in kept:
        longer = f"{opening} {line}".strip()
        if len(longer) > characters:
            return opening if len(opening) > characters // 2 else shorten(longer, characters)
        opening = longer
    return opening


def shorten(text: str, most: int) -> str:
    """A text of one line in at most `most` characters, ended at a word's end where there is one."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    head, _, _ = text[:most].rpartition(" ")
    return f"{head if len(head) > most // 2 else text[: most - 1]}…"


def _tells(sentence: Sentence, line: str) -> bool:
    """Whether a line says something of its subject."""
    return sentence.kind != "heading" and not _NOTICE.match(line) and not _TRAIL.fullmatch(line)
