"""Listings, told by their shape, and what looks like them and is none."""

import pytest

from retrieval.passages.listings import Listing, select_answering, tell_listing
from schema.documents import Chunk

CONTENTS = "\n".join(f"{n}.{n} The parts of a pump ........ {n}7" for n in range(1, 9))
TITLES = "\n".join(f"- 4.{n}. Filters and valves" for n in range(1, 9))
TITLES_IN_A_ROW = " ".join(f"{n}. The Parts of Pumps" for n in range(1, 12))
INDEX = "\n".join(
    ["bearing, 12, 47-49", "filter, 3", "inlet, 8, 9", "seal, see gasket", "valve, 5"]
)
NAMED = "\n".join(f"- bearing {n}, Bearings and Seals, Inlets" for n in range(6))
LINKS = "\n".join(f"- [Page {n} of the manual](https://pumps.test/{n})" for n in range(6))
MENU = " | ".join(f"[Part {n}](part{n}.html)" for n in range(6))
BOLD_INDEX = "\n".join(
    ["**bearing, Bearings, Seals**", "**pump**:", "**inlet of, Inlets**", "**seal (see gasket)**"]
    + [f"**valve {n}, Valves**" for n in range(3)]
)
BOLD_TITLES = "\n".join(f"**START PUMP {n} — sets a pump going**" for n in range(6))
CHANGES = "\n".join(
    ["- Fixed a leak", "- Added a valve", "- Removed the old seal", "* Bump", "- Fix"]
)
RELEASE = "\n".join(f"- The inlet of size {n} is wider" for n in range(6))
LICENCE = (
    "Permission is hereby granted, free of charge, to any person. THE SOFTWARE IS PROVIDED AS IS, "
    "WITHOUT WARRANTY OF ANY KIND."
)
STEPS = "\n".join(
    f"{n}. Open valve {n} and wait until the pressure is {n} bar." for n in range(1, 8)
)
TABLE = "| part | life |\n| --- | --- |\n" + "\n".join(
    f"| filter {n} | {n}000 h |" for n in range(8)
)
TERMS = "\n".join(f"`setting_{n}` (integer)\nSets how long part {n} runs." for n in range(6))
PROSE = (
    "The [filter](a.html) is changed every 2,000 hours. The [seal](b.html) lasts longer, [bearings]"
    "(c.html) longest; see the [valve](d.html) and the [inlet](e.html) for what wears most of all."
)
ITEMS = "\n".join(f"- a filter of {n} mm, for pumps that run in dust" for n in range(6))
OPTIONS = "\n".join(
    ["- add: puts a part in", "- remove: takes it out", "- list", "- show", "- stop"]
)


def chunk(text: str, heading: str = "") -> Chunk:
    return Chunk(start=0, end=len(text), text=text, heading=heading)


@pytest.mark.parametrize(
    ("text", "heading", "kind"),
    [
        (CONTENTS, "", "contents"),
        (TITLES, "Manual", "contents"),
        (TITLES_IN_A_ROW, "", "contents"),
        (INDEX, "", "index"),
        (NAMED, "B", "index"),
        (NAMED, "Index", "index"),
        (BOLD_INDEX, "V", "index"),
        (BOLD_TITLES, "Commands", "contents"),
        ("## Pumps\n\n### Filters", "Filters", "contents"),
        (LINKS, "See also", "links"),
        (MENU, "", "links"),
        (CHANGES, "", "changes"),
        (RELEASE, "## [2.1.0] - 2024-05-01", "changes"),
        (RELEASE, "Release notes", "changes"),
        (PROSE, "E.17.2. Changes", "changes"),
        (LICENCE, "", "licence"),
    ],
)
def test_a_listing_is_told_by_its_shape(text: str, heading: str, kind: Listing) -> None:
    assert tell_listing(chunk(text, heading)) == kind


@pytest.mark.parametrize(
    ("text", "title", "kind"),
    [
        ("**output of, Pumps**", "Index", "index"),
        (PROSE, "E.19. Release 15", "changes"),
        (PROSE, "Release 2.1.4", "changes"),
        (PROSE, "Release of the pressure", None),
        (PROSE, "Index funds", None),
    ],
)
def test_the_title_of_a_page_tells_what_its_passages_are(
    text: str, title: str, kind: Listing | None
) -> None:
    assert tell_listing(chunk(text, "B"), title) == kind


@pytest.mark.parametrize(
    "text", [STEPS, TABLE, TERMS, PROSE, ITEMS, OPTIONS, RELEASE, NAMED, "", "One."]
)
def test_what_says_something_is_no_listing(text: str) -> None:
    assert tell_listing(chunk(text, "Parts")) is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (CHANGES, "What changed in the pump since 2020?"),
        (CHANGES, "Was ist neu an der Pumpe?"),
        (CHANGES, "Which versions of the pump leak?"),
        (CHANGES, "From which client version on does the pump start by itself?"),
        (LICENCE, "Under which licence is the pump sold?"),
        (LICENCE, "Wer gibt Gewährleistung auf die Pumpe?"),
        (LINKS, "Which links does the manual give?"),
    ],
)
def test_a_listing_answers_who_asks_for_it(text: str, question: str) -> None:
    told = [(chunk(text), "Pumps"), (chunk(PROSE), "Pumps")]
    assert select_answering(told, ["How long does a filter last?"]) == [False, True]
    assert select_answering(told, ["How long does a filter last?", question]) == [True, True]


@pytest.mark.parametrize(
    "question",
    ["What happens to new transactions?", "How is version 15 of the pump fixed to a wall?"],
)
def test_a_word_of_changes_in_another_sense_asks_for_no_list_of_them(question: str) -> None:
    assert select_answering([(chunk(CHANGES), ""), (chunk(PROSE), "")], [question]) == [False, True]
