"""Tables on paper: cited once where all cells of a column or a row rest on the same."""

from hypothesis import given
from hypothesis import strategies as st

from exports.table_markers import gather_markers

HEAD = "| Way | Cost | Falls |\n| --- | ---: | --- |\n"


def test_a_column_that_rests_on_the_same_is_cited_in_its_heading() -> None:
    rows = "| Brine | 1,150 [1] | 2.1 [3][4] |\n| None | – | 7.9 [3][4] |\n| Grit | 1,900 [1] | – |"
    assert gather_markers(HEAD + rows) == (
        "| Way | Cost [1] | Falls [3][4] |\n| --- | ---: | --- |\n"
        "| Brine | 1,150 | 2.1 |\n| None | – | 7.9 |\n| Grit | 1,900 | – |"
    )


def test_a_row_that_rests_on_the_same_is_cited_at_its_end() -> None:
    rows = "| Brine | 1,150 [1] | 2.1 [1] |\n| Grit | 1,900 [2] | 3.4 [2] |"
    assert gather_markers(HEAD + rows) == (
        HEAD + "| Brine | 1,150 | 2.1 [1] |\n| Grit | 1,900 | 3.4 [2] |"
    )


def test_what_cites_nothing_otherwise_or_is_marked_gets_no_marker_of_others() -> None:
    for rows in (
        "| Brine | 1,150 [1] | 2.1 [3] |\n| Grit | about 1,900 | 3.4 [4] |",
        "| Brine | 1,150 [1] ⚠ | 2.1 [3] |\n| Grit | 1,900 [1] | 3.4 [4] |",
        "| Brine | 1,150 [1], of which 70 [2] | 2.1 [3] |\n| Grit | 1,900 [2] | 3.4 [4] |",
        "| Brine | 1,150 [1] | 2.1 [3] |\n| Grit | 1,900 [1] |",
    ):
        assert gather_markers(HEAD + rows) == HEAD + rows


def test_a_column_of_nothing_but_sources_keeps_them() -> None:
    rows = "| Brine | 1,150 | [3][4] |\n| Grit | 1,900 | [3][4] |"
    assert gather_markers(HEAD + rows) == HEAD + rows


def test_a_table_in_code_stays_as_it_is() -> None:
    text = f"```\n{HEAD}| Brine | 1,150 [1] | x |\n| Grit | 1,900 [1] | y |\n```"
    assert gather_markers(text) == text


cells = st.text(alphabet="ab|\\` -:[]1⚠", max_size=8)


@given(st.lists(st.lists(cells, min_size=1, max_size=4), max_size=6))
def test_no_marker_is_made_up_and_none_is_lost_from_a_text(rows: list[list[str]]) -> None:
    text = "\n".join("|".join(row) for row in rows)
    gathered = gather_markers(text)
    assert ("[1]" in gathered) == ("[1]" in text)
    assert gathered.count("[1]") <= text.count("[1]")
    assert gather_markers(gathered) == gathered
