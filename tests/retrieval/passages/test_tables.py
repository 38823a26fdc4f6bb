"""Headers of tables for passages that begin among their rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.tables import begins_with_row, find_table_header

HEAD = "| part | hours |\n| --- | ---: |"
ROWS = [f"| part {n} | {n}00 |" for n in range(1, 9)]
CAPTION = "**Lives of parts**"


@given(st.integers(0, 8), st.sampled_from([CAPTION, "Table 3: lives of parts", "Some words."]))
def test_rows_are_shown_under_the_header_and_caption_of_their_table(at: int, above: str) -> None:
    table = [*HEAD.splitlines(), *ROWS]
    before = "\n".join(["# Pumps", "", above, "", *table[: at + 1]]) + "\n"
    rest = "\n".join(table[at + 1 :])
    caption = "" if above == "Some words." else f"{above}\n\n"
    expected = HEAD if at else HEAD.splitlines()[0]
    assert find_table_header(before, rest) == caption + expected


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Words before.\n\n", f"{HEAD}\n{ROWS[0]}"),
        (f"{HEAD}\n{ROWS[0]}\n\n", f"{HEAD}\n{ROWS[1]}"),
        ("", ROWS[0]),
        (f"{HEAD}\n{ROWS[0]}\n\nWords between.\n\n", ROWS[1]),
        (f"{ROWS[0]}\n{ROWS[1]}\n{ROWS[2]}\n", ROWS[3]),
    ],
    ids=["a table of its own", "a second table", "nothing before", "another table", "no header"],
)
def test_what_has_no_header_before_it_gets_none(before: str, text: str) -> None:
    assert find_table_header(before, text) == ""


def test_a_row_is_told_from_words() -> None:
    assert begins_with_row(f"\n{ROWS[0]}")
    assert not begins_with_row(f"Words.\n{ROWS[0]}")
