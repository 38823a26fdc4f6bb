"""What a writer leaves open stands below its text until it was looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.open_points import (
    MAX_OPEN,
    append_open_points,
    is_asked_for,
    is_later,
    list_untold,
    merge_open_points,
    repeats_gap,
    split_open_points,
)
from schema.report import OpenPoint

TEXT = "A filter lasts 2,000 hours [4]."


def test_the_lines_of_the_block_leave_the_text() -> None:
    block = (
        "```open\n- What it costs remains open. | Pump Manual, Spare parts\n2. Its weight [4]\n```"
    )
    text, points = split_open_points(f"{TEXT}\n\n{block}")
    assert text == TEXT
    assert points == [
        {"sentence": "What it costs remains open.", "pointer": "Pump Manual, Spare parts"},
        {"sentence": "Its weight.", "pointer": ""},
    ]


def test_a_block_that_the_output_limit_cut_off_is_read_as_far_as_it_goes() -> None:
    text, points = split_open_points(f"{TEXT}\n~~~open\nIts price remains open. | Spa")
    assert text == TEXT
    assert points[0]["pointer"] == "Spa"


def test_other_blocks_stay() -> None:
    text = f"{TEXT}\n\n```sql\nOPEN cursor;\n```"
    assert split_open_points(text) == (text, [])


def test_what_stays_open_is_the_last_paragraph() -> None:
    _, points = split_open_points("```open\nIts price remains open.\nIts weight, too.\n```")
    assert append_open_points(TEXT, points) == (
        f"{TEXT}\n\nIts price remains open. Its weight, too."
    )
    assert append_open_points(TEXT, []) == TEXT


@given(st.text(), st.lists(st.text(min_size=1)))
def test_no_line_is_too_much(text: str, lines: list[str]) -> None:
    block = "\n".join(lines)
    _, points = split_open_points(f"{text}\n```open\n{block}\n```")
    assert len(points) <= MAX_OPEN
    assert all(point["sentence"].strip() for point in points)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("Which price the spare belt of the mill has in May is not stated.", True),
        ("The lowest price of a spare belt of the mill in May remains open.", False),
        ("The highest price of a spare belt of the Osk mill in May remains open.", False),
        ("The weight of the stones of the mill remains open.", False),
    ],
)
def test_gaps_repeat_each_other_where_words_and_names_are_the_same(other: str, same: bool) -> None:
    one = "The highest price of a spare belt of the mill in May remains open."
    assert repeats_gap(one, other, "en") == same


def test_what_is_left_open_twice_is_named_once_with_where_it_may_stand() -> None:
    one = OpenPoint(sentence="The price of a spare belt of the mill remains open.", pointer="")
    two = OpenPoint(
        sentence="What price a spare belt of the mill has remains open.", pointer="Parts"
    )
    other = OpenPoint(sentence="Who oils the sails remains open.", pointer="")
    [kept, last] = merge_open_points([one, two, other], [], "en")
    assert kept == {"sentence": one["sentence"], "pointer": "Parts"}
    assert last == other
    assert merge_open_points([two, other], [one["sentence"]], "en") == [other]


@pytest.mark.parametrize(
    ("gap", "asked"),
    [
        ("Which cost limit suits a busy database remains open.", True),
        ("At which age the alert should fire remains open.", True),
        (
            "Whether interest and spare pumps would raise the costs of the lease remains open.",
            False,
        ),
        ("Who painted the pump house remains open.", False),
    ],
)
def test_a_gap_stands_only_where_a_question_asks_for_it(gap: str, asked: bool) -> None:
    questions = [
        "Which cost limit lets vacuum keep up on a busy database?",
        "At which transaction age should an alert fire?",
        "What does the lease cost?",
    ]
    assert is_asked_for(gap, questions, "en") is asked


@pytest.mark.parametrize(
    ("published", "later"),
    [
        (["2025-06-26", "", "2024-10-08"], True),
        (["2025-06-26", "2025-09-18"], False),
        (["", ""], False),
        ([], False),
    ],
)
def test_what_comes_after_every_source_is_known_to_be_open(
    published: list[str], *, later: bool
) -> None:
    gap = "Whether the council adopted the plan on 18 September 2025 remains open."
    assert is_later(gap, published, "en") == later
    assert not is_later("Whether the council adopted the plan remains open.", published, "en")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Whether the limit was changed or challenged since then remains open.", True),
        ("Open are changes to limit or shares.", True),
        ("Missing is any change of the 14,200.", False),
        ("Missing is any change of the 14,200 since 19 May 2025.", True),
        ("The limit is sure.", False),
        ("", False),
    ],
)
def test_a_text_tells_a_gap_in_its_own_words(text: str, told: bool) -> None:
    said = (
        "Whether the limit of 14,200 has been changed or challenged since 19 May 2025 remains open."
    )
    points = [OpenPoint(sentence=said, pointer="")]
    assert list_untold(points, text, "en") == ([] if told else points)
