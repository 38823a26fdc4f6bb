"""A section in other words, in a report whose other sections stay as they are."""

import re
from collections.abc import Collection, Sequence

from citations.markers import find_markers, number_by_appearance, renumber_markers

_CHART_LINE = re.compile(r"^!\[[^\]\n]*\]\(chart:\d+\)[^\n]*$", re.MULTILINE)


def split_off_charts(text: str) -> tuple[str, list[str]]:
    """The text of a section without the lines that show its charts, and those lines."""
    return re.sub(r"\n{3,}", "\n\n", _CHART_LINE.sub("", text)).strip(), _CHART_LINE.findall(text)


def replace_section(
    texts: Sequence[str], place: int, text: str, listed: Collection[int]
) -> tuple[list[str], dict[int, int]]:
    """Put a new text in the place of one section's.

    The texts of all others stay, their markers with them. So a source keeps its number, a new one
    takes the next after the last, and the number of one that no section cites any more is left
    out: numbers of the reference list may have gaps.

    Args:
        texts: of all sections, with markers that are numbers of the reference list.
        place: of the section, from 0.
        text: its new text, markers normalised; numbers that are not listed are of new sources.
        listed: the numbers of the reference list.

    Returns:
        The texts, and for each number that any of them cites, ascending, the number by which the
        new text called it: the same but for new sources.
    """
    last = max(listed, default=0)
    new = (number for number in number_by_appearance([text]) if number not in listed)
    final = {number: last + step for step, number in enumerate(new, start=1)}
    numbers = {number: final.get(number, number) for number in find_markers(text)}
    changed = [*texts[:place], renumber_markers(text, numbers), *texts[place + 1 :]]
    called = {after: before for before, after in final.items()}
    cited = sorted({number for one in changed for number in find_markers(one)})
    return changed, {number: called.get(number, number) for number in cited}
