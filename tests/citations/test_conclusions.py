"""Conclusions that an editor adds to sections."""

import pytest

from citations.conclusions import MOST_ADDED, Conclusion, add_conclusions
from citations.edits import Edit

TEXTS = ["Brine costs 1,150 euro a kilometre [1]. Grit costs 1,900 [1].", "A lime costs 3,400 [2]."]


def added(
    *wanted: Conclusion, edits: tuple[Edit, ...] = (), edited: list[str] | None = None
) -> str:
    made, _ = add_conclusions(TEXTS, edited or TEXTS, edits, wanted, "en")
    return "\n".join(made)


def test_a_conclusion_stands_behind_its_sentence_and_cites_other_sections() -> None:
    said = "The 750 euro saved a kilometre [1] are gone with one lime in four years [2]."
    made, count = add_conclusions(TEXTS, TEXTS, [], [Conclusion(0, 1, said)], "en")
    assert made[0] == f"Brine costs 1,150 euro a kilometre [1]. {said} Grit costs 1,900 [1]."
    assert (made[1], count) == (TEXTS[1], 1)


@pytest.mark.parametrize(
    "said",
    [
        "So brine is cheaper.",
        "So brine is cheaper [9].",
        "The sources do not say what a maple costs [2].",
        "| Brine | cheaper [1] |",
        "- Brine is cheaper [1]",
        "Brine is cheaper [1]. Grit is dearer [1]. Limes die [2].",
        f"Brine is {'much ' * 100}cheaper [1].",
        "",
    ],
)
def test_what_is_no_short_cited_prose_or_says_that_something_is_missing_is_left_out(
    said: str,
) -> None:
    assert added(Conclusion(0, 1, said)) == "\n".join(TEXTS)


@pytest.mark.parametrize(("section", "sentence"), [(-1, 1), (2, 1), (0, 0), (0, 3)])
def test_one_for_no_sentence_is_left_out(section: int, sentence: int) -> None:
    assert added(Conclusion(section, sentence, "So brine is cheaper [1].")) == "\n".join(TEXTS)


def test_one_that_is_worked_out_from_starts_of_the_report_need_not_cite() -> None:
    said = "At three times that, the warning belongs at 3,450 euro."
    assert said in added(Conclusion(0, 1, said, ["3 × 1,150 = 3,450"]))
    assert said not in added(Conclusion(0, 1, said))


def test_there_are_few() -> None:
    made, count = add_conclusions(
        TEXTS, TEXTS, [], [Conclusion(1, 1, f"So {n} limes are dear [2].") for n in range(9)], "en"
    )
    assert count == MOST_ADDED == made[1].count("So ")


def test_one_behind_an_edited_sentence_follows_its_new_wording() -> None:
    edit = Edit(0, 1, "Brine is cheap, 1,150 euro a kilometre [1].")
    edited = [f"{edit.text} Grit costs 1,900 [1].", TEXTS[1]]
    said = "So brine pays for a lime [2] in five years."
    made = added(Conclusion(0, 1, said), edits=(edit,), edited=edited)
    assert made.startswith(f"{edit.text} {said} Grit")
