"""A section in other words, in a report whose other sections stay as they are."""

import re
from collections.abc import Collection, Sequence

from retrieval.citations import marks, order_of_appearance, renumber

_CHART = re.compile(r"^!\[[^\]\n]*\]\(chart:\d+\)[^\n]*$", re.MULTILINE)


def without_charts(text: str) -> tuple[str, list[str]]:
    """The text of a section without the lines that show its charts, and those lines."""
    return re.sub(r"\n{3,}", "\n\n", _CHART.sub("", text)).strip(), _CHART.findall(text)


def rebound(
    texts: Sequence[str], place: int, text: str, listed: Collection[int]
) -> tuple[list[str], dict[int, int]]:
    """Put a new text in the place of one section's.

    The texts of all others stay, their marks with them. So a source keeps its number, a new one
    takes the next after the last, and the number of one that no section cites any more is left
    out: numbers of the reference list may have gaps.

    Args:
        texts: of all sections, with marks that are numbers of the reference list.
        place: of the section, from 0.
        text: its new text, marks normalised; numbers that are not listed are those of new sources.
        listed: the numbers of the reference list.

    Returns:
        The texts, and for each number that any of them cites, ascending, the number by which the
        new text called it: the same but for new sources.
    """
    last = max(listed, default=0)
    new = (number for number in order_of_appearance([text]) if number not in listed)
    final = {number: last + step for step, number in enumerate(new, start=1)}
    numbers = {number: final.get(number, number) for number in marks(text)}
    changed = [*texts[:place], renumber(text, numbers), *texts[place + 1 :]]
    called = {after: before for before, after in final.items()}
    cited = sorted({number for one in changed for number in marks(one)})
    return changed, {number: called.get(number, number) for number in cited}
