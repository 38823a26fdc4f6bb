"""What a writer is shown has no marks of a source's own notes, and its code is whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.foreign_marks import drop_foreign_marks
from citations.markers import find_markers, normalise_markers


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("Paris has 20 districts.[3] It rains.", "Paris has 20 districts. It rains."),
        ("Paris,[1] once Lutetia[2][3] (old),[4] is big.", "Paris, once Lutetia (old), is big."),
        ("It has 2,100,000[12] people in 2019.[13][14]", "It has 2,100,000 people in 2019."),
        (
            "| A | 5,300[4] |\n| --- | --- |\n| B.[5] | 7 |",
            "| A | 5,300 |\n| --- | --- |\n| B. | 7 |",
        ),
        ("Smith [3] and Jones [4, 5] differ.", "Smith (3) and Jones (4, 5) differ."),
        ("巴黎有二十个区。[3]它在塞纳河。", "巴黎有二十个区。它在塞纳河。"),
        ("A town[[3]](#cite_note-3) on a river.[4](#fn4)", "A town on a river."),
        ("One[1] and two[2] and three[3] towns", "One and two and three towns"),
        ("It said “no”.[7] Use `a[3]`.", "It said “no”. Use `a[3]`."),
    ],
)  # fmt: skip
def test_marks_of_notes_are_not_shown(page: str, shown: str) -> None:
    assert drop_foreign_marks([page]) == [shown]


@pytest.mark.parametrize(
    "page",
    [
        "The first argument is argv[1], then comes argv[2].",
        "Call `a[3]`.\n\n```\nx = a[3]; y = b.[4]\n```",
        "It rains here.\n\n    x = rows[3]\n    y = rows[4]; z = rows[5]",
        "An array[0] begins with 0, the next is array[1]. See it.[2]",
        "| a[3] | b |\n| --- | --- |\n| [3] | [4] |",
        "The list is [1, 2, 3] and no more.",
        "Set limits[2] = 5 and limits[3] = 6 and limits[4] = 7.",
        "See [the page](https://a.test/[3]) and [x].",
    ],
)
def test_code_tables_and_arrays_are_shown_as_they_are(page: str) -> None:
    assert drop_foreign_marks([page]) == [page]


def test_one_passage_of_a_source_tells_what_the_marks_of_another_are() -> None:
    assert drop_foreign_marks(["It rains.[1]", "It snows in May[2] too."]) == [
        "It rains.",
        "It snows in May too.",
    ]


words = st.sampled_from(
    ["Paris", "rain", "2019", "`a[1]`", "f(x)", "x = a[2]", "|", "\n\n", "    "]
)
marks = st.sampled_from(["", "[1]", ".[2]", " [3]", ",[4][5]", "[[6]](#n)", "。[7]"])


@given(st.lists(st.tuples(words, marks).map("".join), max_size=8).map(" ".join))
def test_no_mark_is_added_and_nothing_else_is_lost(page: str) -> None:
    [shown] = drop_foreign_marks([page])
    known = set(range(1, 9))
    assert set(find_markers(normalise_markers(shown, known)[0])) <= set(
        find_markers(normalise_markers(page, known)[0])
    )
    letters = [
        [*filter(str.isalpha, one.replace("#n", "").replace("a[2]", ""))] for one in (page, shown)
    ]
    assert letters[0] == letters[1]
    assert page.count("`") == shown.count("`")
