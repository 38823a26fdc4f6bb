"""Which sentence opens a report."""

import pytest

from models.extractive.focus import has_verb, is_single_case, measure_telling, weigh_focus

MAY = "May a tenant keep bees on the balcony if the landlord is against it?"


def test_words_of_a_condition_count_less_than_those_of_what_is_asked() -> None:
    weights = weigh_focus(MAY, "en")
    assert weights["bee"] == weights["keep"] == 1.0
    assert weights["landlord"] < 1.0


def test_words_of_names_and_of_further_things_count_less() -> None:
    weights = weigh_focus("Is the scheme Aldermoor Wheels growing, and what does it cost?", "en")
    assert weights["grow"] > weights["cost"] > weights["aldermoor"]


def test_a_rule_answers_a_yes_or_no_question_and_a_number_how_much() -> None:
    rule, tale = "Every occupant may keep two colonies.", "Bees were seen on a balcony."
    assert measure_telling(rule, MAY, 0) > measure_telling(tale, MAY, 0)
    asked = "How much water may be taken at present?"
    new, old = "Since 2025 up to 14,200 are taken.", "Since 2019 up to 18,000 are taken."
    assert measure_telling(new, asked, 2025) > measure_telling(old, asked, 2025)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The defendant rents a flat on the third floor.", True),
        ("In meinem Keller stehen vier Kisten.", True),
        ("Every occupant may keep up to two colonies.", False),
    ],
)
def test_a_single_case_is_told(text: str, expected: bool) -> None:
    assert is_single_case(text, MAY) == expected
    assert not is_single_case(text, "What did the defendant rent, in meinem Haus?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At most two colonies for each flat.", False),
        (
            "On average 12,900 cubic metres a day, on the day of the most 16,480 (as amended).",
            False,
        ),
        ("Rides of members fell by 2 per cent.", True),
        ("A hive full of honey weighs 60 kilograms.", True),
    ],
)
def test_a_sentence_without_a_verb_is_told(text: str, expected: bool) -> None:
    assert has_verb(text, "en") == expected
