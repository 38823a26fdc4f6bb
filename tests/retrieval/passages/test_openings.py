"""How a passage is shown to who chooses between passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.openings import take_opening

PUMP = (
    "## Filters\n\nHome › Manuals › Pump › Filters\n\nCopyright 2023 Pump Works. All rights "
    "reserved.\n\nA filter lasts 2,000 hours. In dust it lasts 1,500 hours, as the makers of the "
    "pump have measured in three sawmills."
)


def test_an_opening_ends_with_the_last_sentence_that_fits() -> None:
    text = "Oil the pump each week. Change its filter in May. Then wait for the lamp to go out."
    assert take_opening(text, "en", 60) == "Oil the pump each week. Change its filter in May."


@pytest.mark.parametrize("characters", range(30, 55))
def test_where_no_sentence_ends_in_time_it_ends_behind_a_word(characters: int) -> None:
    text = "The filter of a pump in a sawmill lasts for no more than fifteen hundred hours."
    opening = take_opening(text, "en", characters)
    assert len(opening) <= characters
    assert opening.endswith("…")
    assert text.startswith(f"{opening[:-1]} ")


def test_a_short_first_sentence_does_not_leave_the_room_empty() -> None:
    opening = take_opening("It hums. " + "The filter of a pump lasts for a year " * 9, "en", 80)
    assert opening.startswith("It hums. The filter of a pump")
    assert opening.endswith("…")


def test_headings_menus_and_copyright_notices_are_left_out() -> None:
    assert take_opening(PUMP, "en", 40) == "A filter lasts 2,000 hours."
    assert take_opening(PUMP, "en", 300).startswith("A filter lasts 2,000 hours. In dust")


def test_what_is_nothing_else_is_shown() -> None:
    assert take_opening("## Filters\n\n© 2023 Pump Works", "en", 40) == "Filters © 2023 Pump Works"


@given(st.text(), st.integers(2, 50))
def test_no_opening_is_longer_than_asked_for(text: str, characters: int) -> None:
    opening = take_opening(text, "en", characters)
    assert len(opening) <= characters
    assert "\n" not in opening
