"""Numbers that need no source: totals of columns, days beside a date, what the reader asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.evidence_span import SourcePassages
from citations.given_numbers import list_totals
from schema.documents import Passage

TOLD = (
    "The waterworks took 940 cubic metres of the lake, the mill 160, growers 320, a camp 160. "
    "The ordinance on the limit came into force on 1 March 2025. "
    "The queue holds waiting jobs for 72 hours of retention, and the limit is 20,000 waiting jobs."
)
TABLE = (
    "| User | Taken |\n| --- | --- |\n| Waterworks | 940 [1] |\n| Mill | 160 [1] |\n"
    "| Growers | 320 [1] |\n| Camp | 160 [1] |"
)
LIST = "The lake gives to these [1]:\n\n- waterworks: 940 [1]\n- mill: 160 [1]\n- growers: 320 [1]"


def check(text: str, subject: str = "", told: str = TOLD, language: str = "en") -> CheckedSentence:
    """The last sentence of a text."""
    source = SourcePassages(
        [Passage(chunk=1, document=1, start=0, end=len(told), text=told)], language
    )
    return check_sentences(text, {1: source}, language, subject)[-1]


@pytest.mark.parametrize(
    ("before", "said", "lacks"),
    [
        (f"{TABLE}\n\n", "The users of the lake took 1,580 cubic metres [1].", False),
        (f"{TABLE}\n", "| All users of the lake | 1,580 [1] |", False),
        (f"{TABLE}\n\n", "The users of the lake took 1,480 cubic metres [1].", True),
        (f"{LIST}\n\n", "These users of the lake took 1,420 cubic metres [1].", False),
        ("", "The users of the lake took 1,581 cubic metres [1].", True),
        (f"{TABLE}\n\nThe lake is a lake [1].\n\n", "The users took 1,580 cubic metres [1].", True),
    ],
)
def test_a_total_is_borne_out_by_the_column_right_before_it(
    before: str, said: str, *, lacks: bool
) -> None:
    assert bool(check(before + said).lacking_numbers) == lacks


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("Growers took 160 cubic metres more than the mill [1].", False),
        ("The waterworks took 780 cubic metres more than the mill [1].", False),
        ("The waterworks took 790 cubic metres more than the mill [1].", True),
        ("Of every 100 the waterworks took 777 cubic metres [1].", True),
    ],
)
def test_the_rows_of_a_table_may_be_compared_anywhere_behind_it(said: str, *, lacks: bool) -> None:
    text = f"{TABLE}\n\nThe lake is a lake [1].\n\n{said}"
    assert bool(check(text, told=f"{TOLD} Of every 100 litres.").lacking_numbers) == lacks


CUT = "Since 2021 the city felled 26 limes for 88,000 euro in four years. Brine is on 29 km of it."


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("For 88,000 euro in four years on 29 km the limes cost about 760 a year [1].", False),
        ("For 88,000 euro in four years on 29 km the limes cost about 860 a year [1].", True),
        ("The limes cost 88,000 euro [1], so the state would pay about 29,300 [1].", False),
        ("The limes cost 88,000 euro [1], so the state would pay about 31,000 [1].", True),
        ("A lime takes 120 bytes [1]. For 88,000 limes it is thus 10.56 MB [1].", False),
        ("A lime takes 120 bytes [1]. For 88,000 limes it is thus 10.56 GB [1].", True),
    ],
)
def test_a_rate_and_a_part_are_worked_out(said: str, *, lacks: bool) -> None:
    told = f"{CUT} The state pays at least a third. A lime takes 120 bytes."
    text = f"The state is to pay at least a third [1]. {said}"
    assert bool(check(text, told=told).lacking_numbers) == lacks


def test_a_row_whose_number_no_source_has_is_part_of_no_total() -> None:
    table = TABLE.replace("| Camp | 160 [1] |", "| Camp | 777 [1] |")
    assert check(f"{table}\n\nThe users of the lake took 2,197 cubic metres [1].").lacking_numbers


@given(st.lists(st.integers(5, 10_000), min_size=2, max_size=12))
def test_totals_are_those_of_the_first_rows(values: list[int]) -> None:
    rows = [("table", f"| row | {value} [1] |") for value in values]
    sums = {sum(values[:end]) for end in range(2, len(values) + 1)}
    years = any(1_500 <= value <= 2_100 for value in values)
    assert years or list_totals(rows, "en") == sums


@pytest.mark.parametrize(
    ("language", "told", "said", "lacks"),
    [
        ("en", TOLD, "It held until 28 February 2025, the day before the ordinance [1].", False),
        ("en", TOLD, "The limit held until 28 February 2025, before the ordinance [1].", True),
        ("en", TOLD, "It held until 27 February 2025, the day before the ordinance [1].", True),
        ("en", TOLD, "The limit was read on 2 March 2025, the day after the ordinance [1].", False),
        (
            "de",
            "Die Verordnung über die Grenze trat am 1. Januar 2025 in Kraft.",
            "Bis zum 31. Dezember 2024, dem Tag vor der Verordnung, galt keine Grenze [1].",
            False,
        ),
        (
            "fr",
            "La règle sur la limite est entrée en vigueur le 1 mars 2024.",
            "La limite valait jusqu'au 29 février 2024, la veille de la règle [1].",
            False,
        ),
    ],
)  # fmt: skip
def test_the_day_beside_a_date_of_the_source_needs_the_words_that_say_so(
    language: str, told: str, said: str, *, lacks: bool
) -> None:
    assert bool(check(said, told=told, language=language).lacking_numbers) == lacks


ASKED = "How do I set the retention of a queue at 2,000 jobs a minute?\nRuns 40 producers"


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("At 2,000 jobs a minute the queue takes 72 hours of retention [1].", False),
        ("The queue takes 72 hours of retention, if 40 producers send jobs [1].", False),
        ("The queue holds waiting jobs up to 2,000 jobs a minute [1].", True),
        ("At 3,000 jobs a minute the queue takes 72 hours of retention [1].", True),
        ("The limit of waiting jobs is 40 [1].", True),
    ],
)
def test_a_number_of_the_question_may_be_a_condition_and_no_claim(
    said: str, *, lacks: bool
) -> None:
    assert bool(check(said, ASKED).lacking_numbers) == lacks


def test_what_follows_from_a_number_of_the_question_needs_no_source() -> None:
    said = "At 2,000 jobs a minute, which is 120,000 an hour (2,000 × 60), the queue holds [1]."
    assert not check(said, ASKED).lacking_numbers


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("At 1,000 jobs a second, or 86.4 million a day, a queue of age 0 would fill [1].", False),
        (
            "At 1,000 jobs a second, which is 86.4 million a day, waiting jobs would last 23 days "
            "(2,000 ÷ 86.4) [1].",
            False,
        ),
        ("At 1,000 jobs a second, which is 86.9 million a day, the queue would fill [1].", True),
        ("At 1,000 jobs a second the queue fills [1].", True),
        ("At 1,070 jobs a second the queue would fill [1].", True),
        ("The queue would hold 1,000 jobs [1].", True),
    ],
)  # fmt: skip
def test_a_round_number_may_be_supposed_and_reckoned_with(said: str, *, lacks: bool) -> None:
    told = f"{TOLD} The queue holds two billion waiting jobs at most."
    assert bool(check(said, told=told).lacking_numbers) == lacks
