"""What a folder holds, in a sentence and in a page: words of its children, put together by rule."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.passages.openings import shorten
from text.sentences import split_sentences
from text.tokens import content_weight, tokenise

ABSTRACT_CHARACTERS = 256
OVERVIEW_CHARACTERS = 4_000

MAX_TERMS = 12
"""Commonest content terms that are named."""

LONGEST_WORD = 40
"""Characters of a term that is named; longer ones are keys and addresses."""

MAX_LINE_CHARACTERS = 300
"""What an overview says of one child at most."""


@dataclass(frozen=True)
class Child:
    """A document or folder directly in a folder.

    `text` is a document's opening, of which the first sentences are taken, or a folder's abstract,
    which begins with its name.
    """

    name: str
    text: str
    title: str = ""
    language: str = "en"
    is_folder: bool = False


@dataclass(frozen=True)
class Contents:
    """What a folder holds: how many of each, and the children that are to speak for them."""

    documents: int
    folders: int
    children: Sequence[Child]

    @property
    def omitted_count(self) -> int:
        """Children that are not described."""
        return self.documents + self.folders - len(self.children)


def write_folder_abstract(name: str, contents: Contents) -> str:
    """A folder in at most 256 characters: its name, the commonest terms, what its children are.

    Every word is one of the children's, so that an abstract of abstracts says nothing of its own.
    """
    words = ", ".join(word for word, _ in find_common_terms(contents.children))
    called = "; ".join(child.title or child.name for child in _sort_children(contents.children))
    said = [part for part in (words, called) if part]
    return shorten(": ".join([name, ". ".join(said)]) if said else name, ABSTRACT_CHARACTERS)


def write_folder_overview(name: str, contents: Contents) -> str:
    """A folder in at most 4,000 characters: counts, terms with theirs, a line for each child.

    The lines share the room equally, so that no child crowds out another.
    """
    counts = f"Documents: {contents.documents}, folders: {contents.folders}"
    if contents.omitted_count:
        counts += f", left out here: {contents.omitted_count}"
    named = ", ".join(f"{word} ({count})" for word, count in find_common_terms(contents.children))
    head = f"# {shorten(name, ABSTRACT_CHARACTERS)}\n\n{counts}.\n\n" + (
        f"{named}\n\n" if named else ""
    )
    room = (OVERVIEW_CHARACTERS - len(head)) // max(1, len(contents.children)) - 1
    lines = [
        _write_line(child, min(room, MAX_LINE_CHARACTERS))
        for child in _sort_children(contents.children)
    ]
    return (head + "\n".join(lines))[:OVERVIEW_CHARACTERS].rstrip()


def strip_counts(overview: str) -> str:
    """An overview without its line of counts, the one that is not made of its children's words."""
    name, _, rest = overview.partition("\n\n")
    return f"{name}\n{rest.partition(chr(10) * 2)[2]}"


def find_common_terms(children: Iterable[Child]) -> list[tuple[str, int]]:
    """The content terms that most children hold, as they are written, each with their number.

    Terms of equally many children: the more frequent, then in order of the alphabet.
    """
    held: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for child in children:
        forms = _find_content_terms(
            f"{child.title or child.name} {_take_opening(child)}", child.language
        )
        held.update({term for term, _ in forms})
        for term, form in forms:
            written.setdefault(term, Counter())[form] += 1
    best = sorted(held, key=lambda term: (-held[term], -written[term].total(), term))[:MAX_TERMS]
    return [
        (min(written[one], key=lambda form: (-written[one][form], form)), held[one]) for one in best
    ]


def _find_content_terms(text: str, language: str) -> list[tuple[str, str]]:
    """The content terms of a text, each with the form that it is written in."""
    found: list[tuple[str, str]] = []
    for word in _split_words(text):
        inside = tokenise(word.casefold(), language)  # folded: a joined name is one word here
        if len(inside) == 1:
            found.append((inside[0], word))
        else:  # a run of a script without spaces
            found += [(term, term) for term in inside if term in word.casefold()]
    return [
        (term, form)
        for term, form in found
        if len(term) > 1
        and len(form) <= LONGEST_WORD
        and not term.isdigit()
        and content_weight(term, language) == 1
    ]


def _split_words(text: str) -> list[str]:
    """Runs of letters, marks and digits; an apostrophe may stand inside."""
    kept = (one if unicodedata.category(one)[0] in "LMN" or one in "'’" else " " for one in text)
    return [word.strip("'’") for word in "".join(kept).split()]


def _take_opening(child: Child) -> str:
    """The first sentences of a document, up to a line's length; of a folder all that it says."""
    if child.is_folder:
        return child.text
    found = split_sentences(child.text, child.language)
    prose = [one for one in found if one.kind in ("prose", "item")] or found
    opening = ""
    for one in prose:
        if opening and len(opening) + one.end - one.start >= MAX_LINE_CHARACTERS:
            break
        opening = f"{opening} {' '.join(child.text[one.start : one.end].split())}".strip()
    return shorten(opening, MAX_LINE_CHARACTERS)


def _write_line(child: Child, room: int) -> str:
    called = child.title or child.name
    said = _take_opening(child)
    if child.is_folder:
        return shorten(f"- {said or called}", room)
    return shorten(f"- {called}: {said}" if said else f"- {called}", room)


def _sort_children(children: Iterable[Child]) -> list[Child]:
    """Folders first, then by name: the order in which children come says nothing."""
    return sorted(children, key=lambda one: (not one.is_folder, one.name, one.title, one.text))
