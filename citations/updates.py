"""A sentence brought up to date by the words of its source alone, without a language model."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from citations.markers import find_markers, locate_markers, strip_markers
from schema.report import UNSUPPORTED_FLAG, ClaimChange
from text.sentences import split_sentences

MOST_SWAPPED = 4
"""Words of a quote that stand in the place of others for them to be swapped in a sentence."""


def update_sentence(
    sentence: str, changes: Sequence[ClaimChange], numbers: Mapping[str, int]
) -> str:
    """The sentence as its sources say it now; "" where none of them says anything of it.

    Where the quote changed in a few words that the sentence has too, these are swapped; else the
    source's own sentence stands in its place. Of a source that went, the marker goes. A newer one
    that says otherwise is heard behind the sentence.

    Args:
        sentence: with its markers.
        changes: of its sources.
        numbers: of documents in the reference list.
    """
    text = sentence.replace(f" {UNSUPPORTED_FLAG}", "")
    for one in changes:
        number = numbers[one["document"]]
        if one["kind"] == "contradicted":
            text = _add_behind(text, quote_source(one["after"], number))
        elif not one["after"]:
            text = _drop_marker(text, number)
        else:
            swapped = _swap_words(text, one["before"], one["after"])
            text = swapped or _replace(text, quote_source(one["after"], number))
    return text if find_markers(text) else ""


def _add_behind(text: str, said: str) -> str:
    """A sentence with another behind it; in a row of a table, at the end of its last cell."""
    if not text.startswith("|"):
        return f"{text} {said}"
    return f"{text.rstrip().removesuffix('|').rstrip()}. {_to_cell(said)} |"


def _replace(text: str, said: str) -> str:
    """A sentence in place of another; in a row of a table, in its last cell, behind the first."""
    if not text.startswith("|"):
        return said
    first, *rest = text.strip().strip("|").split("|")
    return "|".join(["", first, *[" – "] * (len(rest) - 1), f" {_to_cell(said)} ", ""])


def _to_cell(said: str) -> str:
    return said.removesuffix(".").replace("|", " ")


def quote_source(said: str, number: int) -> str:
    """The first sentence of a quote as one of the report, with its marker before the stop."""
    first = next((said[one.start : one.end] for one in split_sentences(said)), said)
    bare = " ".join(strip_markers(first).split()).lstrip("#*-> ").rstrip(".!。！ ")
    return f"{bare} [{number}]."


def _swap_words(sentence: str, before: str, after: str) -> str:
    """The sentence with the words of its quote that changed; "" where it has not all of them."""
    old, new = before.split(), after.split()
    bare = strip_markers(sentence)
    pairs = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if kind != "replace" or j - i > MOST_SWAPPED or m - k > MOST_SWAPPED:
            return ""
        pairs.append((_trim(" ".join(old[i:j])), _trim(" ".join(new[k:m]))))
    said = [pair for pair in pairs if re.search(_as_word(pair[0]), bare)]
    if not said:
        return ""
    for past, now in said:
        sentence = now.join(re.split(_as_word(past), sentence))
    return sentence


def _trim(words: str) -> str:
    return words.strip(".,;:!?()\"'")


def _as_word(words: str) -> str:
    return rf"(?<!\w){re.escape(words)}(?!\w)"


def _drop_marker(text: str, number: int) -> str:
    for marker in reversed(list(locate_markers(text))):
        if find_markers(text[marker.start : marker.end]) == [number]:
            text = text[: marker.start].rstrip() + text[marker.end :]
    return text
