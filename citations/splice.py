"""Sections in other words, in a report whose other sections stay as they are."""

import re
from collections.abc import Collection, Mapping, Sequence

from citations.markers import find_markers, number_by_appearance, renumber_markers

_CHART_LINE = re.compile(r"^!\[[^\]\n]*\]\(chart:\d+\)[^\n]*$", re.MULTILINE)


def split_off_charts(text: str) -> tuple[str, list[str]]:
    """The text of a section without the lines that show its charts, and those lines."""
    return re.sub(r"\n{3,}", "\n\n", _CHART_LINE.sub("", text)).strip(), _CHART_LINE.findall(text)


def replace_sections(
    texts: Sequence[str], written: Mapping[int, str], listed: Collection[int]
) -> tuple[list[str], dict[int, int]]:
    """Put new texts in the places of some sections'.

    The texts of all others stay, their markers with them. So a source keeps its number, a new one
    takes the next after the last, and the number of one that no section cites any more is left
    out: numbers of the reference list may have gaps.

    Args:
        texts: of all sections, with markers that are numbers of the reference list.
        written: the new texts by their place, from 0, markers normalised; numbers that are not
            listed are of new sources.
        listed: the numbers of the reference list.

    Returns:
        The texts, and for each number that any of them cites, ascending, the number by which the
        new texts called it: the same but for new sources.
    """
    last = max(listed, default=0)
    in_order = [written[place] for place in sorted(written)]
    new = (number for number in number_by_appearance(in_order) if number not in listed)
    final = {number: last + step for step, number in enumerate(new, start=1)}
    used = {number for text in in_order for number in find_markers(text)}
    numbers = {number: final.get(number, number) for number in used}
    changed = [
        renumber_markers(written[place], numbers) if place in written else text
        for place, text in enumerate(texts)
    ]
    called = {after: before for before, after in final.items()}
    cited = sorted({number for one in changed for number in find_markers(one)})
    return changed, {number: called.get(number, number) for number in cited}
