"""Whether passages tell what a text says is missing."""

import pytest

from citations.gap_answers import rate_passages
from schema.documents import Passage


def rate(subject: str, text: str, language: str = "en", heading: str = "") -> str:
    """ "told", "spoken of" or "" for a passage."""
    passage = Passage(chunk=7, document=1, start=0, end=len(text), text=text, heading=heading)
    found = rate_passages(subject, [passage], language)
    return ("told" if found[0].is_clear else "spoken of") if found else ""


@pytest.mark.parametrize(
    ("subject", "text", "language"),
    [
        ("how much the pump of Tarn weighs", "The Tarn pump weighs 40 kilograms.", "en"),
        ("a price of the Tarn pump", "The Tarn pump sells for 80 crowns.", "en"),
        ("how slots keep files", "Slots keep all files. This is by design.", "en"),
        ("Kosten der Pumpe aus Tarn", "Die Pumpe aus Tarn kostet 80 Kronen.", "de"),
        ("轻质基质的价格", "轻质基质每袋售价30元。", "zh"),
    ],
)
def test_what_has_the_words_and_the_figure_tells_it(subject: str, text: str, language: str) -> None:
    assert rate(subject, text, language) == "told"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("how much the Tarn pump weighs", "The Tarn pump weighs little."),
        ("a price of the Tarn pump", "The Tarn pump was painted by 80 hands."),
        ("who painted the Tarn pump", "The Tarn pump weighs 40 kilograms."),
        ("the Tarn", "The Tarn is 40 kilometres long."),
    ],
)
def test_what_lacks_a_word_or_the_figure_only_speaks_of_it(subject: str, text: str) -> None:
    assert rate(subject, text) == "spoken of"


@pytest.mark.parametrize(
    "text",
    [
        "How much does the Tarn pump weigh?",
        "The sources do not say how much the Tarn pump weighs.",
        "Otters weigh 9 kilograms.",
    ],
)
def test_questions_absences_and_other_subjects_tell_nothing(text: str) -> None:
    assert rate("how much the Tarn pump weighs", text) == ""


def test_a_heading_names_what_its_text_speaks_of() -> None:
    assert rate("how much the Tarn pump weighs", "It weighs 40 kilograms.") == ""
    assert rate("how much the Tarn pump weighs", "It weighs 40 kilograms.", heading="Tarn pump")


def test_the_best_passage_is_first() -> None:
    texts = ["The Tarn pump is old.", "The Tarn pump weighs 40 kilograms.", "Eels."]
    passages = [
        Passage(chunk=n, document=1, start=0, end=len(text), text=text)
        for n, text in enumerate(texts)
    ]
    found = rate_passages("how much the Tarn pump weighs", passages, "en")
    assert [one.chunk for one in found] == [1, 0]


def test_the_name_of_a_setting_is_not_told_by_a_longer_one() -> None:
    subject = "the default of brine_limit"
    assert rate(subject, "The default of `brine_limit` is 200 crowns.") == "told"
    assert rate(subject, "The default of `road_brine_limit` is 200 crowns.") != "told"


def test_what_was_published_before_a_day_does_not_tell_what_happened_on_it() -> None:
    subject = "what the council decided on 18 September 2025"
    text = "The recommendation goes to the council on 18 September 2025, which decides on it."
    passage = Passage(chunk=7, document=1, start=0, end=len(text), text=text)
    told = {
        published: rate_passages(subject, [passage], "en", [""], [published])[0].is_clear
        for published in ("2025-06-26", "2025-09-18", "2026", "")
    }
    assert told == {"2025-06-26": False, "2025-09-18": True, "2026": True, "": True}
