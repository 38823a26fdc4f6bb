"""Passages that define what a question asks about by name: a setting, an option, a column.

A manual says in one entry of a list, or one row of a table, what a setting does and what its
default is, and names the setting elsewhere a hundred times: ranked by words, the entry is one of
many.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from text.code_names import find_code

MOST_OF_NAME = 2
"""Passages for each name: a manual may define a setting, and again the option that overrides it."""

_TERM = re.compile(r"^\*\*(.+?)\*\*:|^\| ?(`[^`\n]+`)", re.MULTILINE)
"""A term of a list of definitions, and a name at the head of a table's row."""

_HEADING = re.compile(
    r"^#{1,6} (?:[\dA-Z]+(?:\.\d+)*\.? )?(`[^`\n]+`|\w+_\w+)[ \t]*$", re.MULTILINE
)
"""A heading that is a name alone, but for its number: what stands right under it tells that."""


def rank_definitions(questions: Sequence[str], texts: Sequence[str]) -> list[list[int]]:
    """For each question the places of texts that define a name of it: the best of each, the next.

    A name is what is written as code, such as `max_wal_size` or `--jobs`. It is defined in an entry
    of a list or a row of a table that begins with it, and right under a heading that is nothing
    else.

    Args:
        questions: what is asked.
        texts: of passages, best first.
    """
    terms = [find_code(" ".join(_list_terms(text))) for text in texts]
    return [_rank(question, terms) for question in questions]


def _list_terms(text: str) -> list[str]:
    return [*map("".join, _TERM.findall(text)), *_HEADING.findall(text)]


def _rank(question: str, terms: Sequence[frozenset[str]]) -> list[int]:
    asked = sorted(find_code(question), key=question.find)
    found = [[i for i, own in enumerate(terms) if name in own][:MOST_OF_NAME] for name in asked]
    return list(dict.fromkeys(i for turn in zip_longest(*found) for i in turn if i is not None))
