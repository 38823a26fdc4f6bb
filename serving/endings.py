"""The time that a report takes after its last answer of a model, kept of a ceiling of minutes."""

from math import ceil

from schema.context import Context
from schema.errors import InputError

SHARE, MOST = 0.15, 30.0
"""What is kept of a ceiling for checking and saving: this share of it, up to so many seconds."""

BASE_SECONDS, SECTION_SECONDS = 2.5, 0.6
"""What is kept at the least: for each report, and for each section that may be planned.

`benchmarks/price.py --only seconds` holds it against runs that models are too slow for.
"""

LONGEST = 604_800.0
"""Seconds that a run may take: a week."""

LEAST_WRITING = 1.0
"""Seconds that have to be left for a report to be begun."""

MINIMUM_SECONDS = 0.1
"""That a begun run may ask models, however long its start took: all is taken from its sources."""


def measure_ending(seconds: float, context: Context) -> float:
    """Seconds that are kept for the ending of a report that has so many in all."""
    least = BASE_SECONDS + SECTION_SECONDS * context.section_limits[1]
    return max(least, min(MOST, SHARE * seconds))


def leave_time_to_end(seconds: float, context: Context, used: float = 0.0) -> Context:
    """The settings of a run that has so many seconds in all, `used` of them before it begins.

    Raises:
        InputError: the ending of a report takes longer than `seconds`, or they are too many.
    """
    ending = measure_ending(seconds, context)
    if not seconds <= LONGEST:  # NaN is not, either
        raise InputError(f"The minutes of a report must be a number up to {LONGEST / 60:,.0f}.")
    if seconds < ending + LEAST_WRITING:
        raise InputError(
            f"{seconds:,.0f} seconds are too few for a report in the mode "
            f"{context.research_mode}: {ending:g} of them are kept for checking and saving. "
            f"Give it {ceil((ending + LEAST_WRITING) / 6) / 10:g} minutes or more."
        )
    left = max(MINIMUM_SECONDS, seconds - used - ending)
    return context.model_copy(update={"run_seconds": left})
