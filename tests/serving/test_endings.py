"""What is kept of a ceiling of minutes for the ending of a report."""

import pytest

from schema.context import Context
from schema.errors import InputError
from serving.endings import leave_time_to_end


@pytest.mark.parametrize("mode", ["general", "deep", "deeper"])
def test_more_sections_are_left_more_time_to_end(mode: str) -> None:
    context = Context(research_mode=mode)
    kept = 20 - leave_time_to_end(20, context).run_seconds
    assert kept == pytest.approx(2.5 + 0.6 * context.section_limits[1])


def test_a_long_run_keeps_a_share_and_no_more_than_half_a_minute() -> None:
    assert leave_time_to_end(100, Context()).run_seconds == 85
    assert leave_time_to_end(3_600, Context()).run_seconds == 3_570


def test_what_the_start_took_is_not_given_again() -> None:
    assert leave_time_to_end(100, Context(), used=5).run_seconds == 80
    assert 0 < leave_time_to_end(12, Context(), used=60).run_seconds < 1


def test_a_ceiling_that_is_shorter_than_the_ending_is_refused_with_one_that_is_not() -> None:
    deeper = Context(research_mode="deeper")
    with pytest.raises(InputError, match=r"mode deeper.* Give it 0\.2 minutes or more\.$"):
        leave_time_to_end(6, deeper)
    leave_time_to_end(12, deeper)
    leave_time_to_end(6, Context())


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), 1e9])
def test_a_ceiling_that_is_no_number_of_seconds_is_refused(seconds: float) -> None:
    with pytest.raises(InputError, match="must be a number up to"):
        leave_time_to_end(seconds, Context())
