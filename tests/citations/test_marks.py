"""A mark stands on what is wrong in one figure, name or negation, and on nothing that is right."""

import random
from collections.abc import Iterator

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from schema.documents import Passage

ENGLISH = {
    1: "The pump house costs 40,000 euro to build. Power costs 600 euro a month. It was built in "
    "three stages by Arne Holm. It has 12 pumps of 250 litres a minute. The pumps are not insured.",
    2: "The old share of the mill was 5,500 cubic metres a day. In May 120 of 320 members voted. "
    "Sales rose from 40 to 55 tonnes. Of 48 leaks 15 were in steel pipes.",
    3: "The new share of the mill is 3,200 cubic metres a day. The path is 2.5 metres wide and "
    "costs 222,500 euro per kilometre. A tank lasts 15 years. The heat bill is 5,400 euro a year.",
    4: "The valve is lifted at 0.8 of its load. The tank is full from a ratio of 75 % on. Above "
    "the soft limit of 500 litres there is a hard one.",
}
GERMAN = {
    1: "Das Pumpenhaus kostet 40.000 Euro. Der Strom kostet 600 Euro im Monat. Es hat 12 Pumpen "
    "mit je 250 Litern. Die Pumpen sind nicht versichert. Gebaut hat es Arne Holm.",
    2: "Der alte Anteil der Mühle betrug 5.500 Kubikmeter am Tag. Im Mai stimmten 120 von 320 "
    "Mitgliedern ab. Der Absatz stieg von 40 auf 55 Tonnen.",
    3: "Der neue Anteil der Mühle beträgt 3.200 Kubikmeter am Tag. Die Heizung kostet 5.400 Euro "
    "im Jahr.",
}
SOURCES = {"en": ENGLISH, "de": GERMAN}

PAIRS = [
    ("en", "The share of the mill fell from 5,500 [2] to 3,200, which is {} less a day [3].",
     "2,300", "2,400"),
    ("en", "The new share of the mill, 5,500 less 3,200, is {} smaller [2][3].", "2,300", "1,300"),
    ("en", "The 12 pumps of 250 litres a minute move {} litres a minute [1].", "3,000", "3,500"),
    ("en", "Power costs 600 euro a month, which is {} euro a year [1].", "7,200", "7,400"),
    ("en", "Power for 24 months costs 24 × 600, or {} euro [1].", "14,400", "13,400"),
    ("en", "Building at 40,000 euro and power at 12 × 600 come to {} euro [1].", "47,200",
     "46,200"),
    ("en", "Sales rose from 40 to 55 tonnes, {} tonnes more [2].", "15", "25"),
    ("en", "Sales rose from 40 to 55 tonnes, by {} % [2].", "37.5", "42.5"),
    ("en", "Sales rose from 40 to 55 tonnes, by about {} % [2].", "40", "60"),
    ("en", "In May 120 of 320 members voted, which is {} % [2].", "37.5", "35.5"),
    ("en", "In May 120 of 320 members voted, about {} % [2].", "38", "68"),
    ("en", "Of 320 members 120 voted in May and {} did not [2].", "200", "210"),
    ("en", "Of 48 leaks 15 were in steel pipes, or {} % [2].", "31", "37"),
    ("en", "Of 48 leaks 15 were in steel pipes and {} in others [2].", "33", "34"),
    ("en", "The path costs 222,500 euro per kilometre of 2.5 metres, so {} euro a square metre "
     "(222,500 / 2,500) [3].", "89", "98"),
    ("en", "The path costs 222,500 euro per kilometre [3]. The heat bill is 5,400 euro a year, so "
     "that both come to {} euro in the first year [3].", "227,900", "237,900"),
    ("en", "The heat bill is 5,400 euro a year [3]. A tank lasts 15 years, in which the heat bill "
     "comes to {} euro [3].", "81,000", "71,000"),
    ("en", "The heat bill is 5,400 euro a year, or {} euro a month [3].", "450", "540"),
    ("en", "The path costs about {} euro per kilometre [3].", "220,000", "250,000"),
    ("en", "The valve is lifted at {} % of its load [4].", "80", "90"),
    ("en", "From a ratio of {} on the tank is full [4].", "0.75", "0.85"),
    ("en", "A hard limit stands above the soft limit of {} litres [4].", "500", "600"),
    ("en", "The pump house costs {} euro to build [1].", "40,000", "45,000"),
    ("en", "A tank lasts {} years [3].", "15", "25"),
    ("en", "The pump house was built in {} stages [1].", "three", "seven"),
    ("en", "The pumps are {} insured [1].", "not", "always fully"),
    ("en", "In May {} of 320 members voted [2].", "120", "130"),
    ("en", "The old share of the mill was {} cubic metres a day [2].", "5,500", "6,500"),
    ("en", "Power costs {} euro a month [1].", "600", "900"),
    ("en", "The pump house costs 40,000 euro to build [1]. Choose it if {} matters.",
     "the cost of the pump house", "the award of 1997"),
    ("en", "Power costs 600 euro a month [1]. You should therefore compare the costs of power{}.",
     "", " with Lloyd's for 9,000 euro"),
    ("en", "Power costs 600 euro a month [1]. Watch {}.", "the power", "the 80 kW boiler"),
    ("en", "Power costs {} euro a year [1]:\n\n- Power costs 600 euro a month, or 7,200 euro "
     "a year [1].", "7,200", "7,900"),
    ("en", "The house has {} pumps [1].", "12", "18"),
    ("de", "Der Anteil der Mühle fiel von 5.500 [2] auf 3.200, also um {} am Tag [3].",
     "2.300", "2.400"),
    ("de", "Der Strom kostet 600 Euro im Monat, also {} Euro im Jahr [1].", "7.200", "7.400"),
    ("de", "Die 12 Pumpen mit je 250 Litern schaffen {} Liter [1].", "3.000", "3.500"),
    ("de", "Der Absatz stieg von 40 auf 55 Tonnen, um etwa {} Prozent [2].", "40", "60"),
    ("de", "Der Absatz stieg von 40 auf 55 Tonnen, also um {} Prozent [2].", "37,5", "42,5"),
    ("de", "Im Mai stimmten 120 von 320 Mitgliedern ab, {} Prozent [2].", "37,5", "35,5"),
    ("de", "Der Strom kostet in 24 Monaten 24 mal 600, also {} Euro [1].", "14.400", "13.400"),
    ("de", "Gebaut hat das Pumpenhaus {} [1].", "Arne Holm", "Karin Berg"),
    ("de", "Die Heizung kostet rund {} Euro im Jahr [3].", "5.000", "8.000"),
    ("de", "Die Pumpen sind nicht versichert [1]. Man sollte die Pumpen daher versichern{}.", "",
     ", was 9.000 Euro kostet"),
]  # fmt: skip


def read(sources: dict[int, str], language: str) -> dict[int, SourcePassages]:
    return {
        n: SourcePassages(
            [Passage(chunk=n, document=n, start=0, end=len(text), text=text)], language
        )
        for n, text in sources.items()
    }


def is_marked(text: str, sources: dict[int, str], language: str) -> bool:
    return any(one.fails for one in check_sentences(text, read(sources, language), language))


@pytest.mark.parametrize(("language", "text", "right", "wrong"), PAIRS)
def test_a_sentence_is_marked_where_it_is_wrong_and_not_where_it_is_right(
    language: str, text: str, right: str, wrong: str
) -> None:
    sources = SOURCES[language]
    assert not is_marked(text.format(right), sources, language)
    assert is_marked(text.format(wrong), sources, language)


FORMS = [
    "Stock grew from {a} to {b}, a difference of {n} [1].",
    "Stock grew from {a} to {b}. Both together come to {n} [1].",
    "Stock was {a} in one yard and {b} in the other and {c} in the last, so {n} in all [1].",
    "Stock of {a} and {b} gives {n} per day [1].",
    "Stock is {a}, which is {n} % of {b} [1].",
    "Stock was {a} [1]. It was {b} in the other yard, so that {n} were missing [1].",
]


def draw_wrong_figures(count: int) -> Iterator[tuple[str, str]]:
    """A passage with four numbers, and a claim with two or three of them and a wrong one."""
    drawn = random.Random(7)
    for place in range(count):
        numbers = [drawn.randrange(11, 10 ** drawn.choice((2, 3, 4, 5))) for _ in range(4)]
        a, b, c, d = (f"{n:,}" for n in numbers)
        wrong = drawn.randrange(11, 10 ** drawn.choice((2, 3, 4, 5)))
        if wrong not in numbers:
            told = f"Stock was {a} in one yard, {b} in the other, {c} in the last and {d} at sea."
            yield told, FORMS[place % len(FORMS)].format(a=a, b=b, c=c, n=f"{wrong:,}")


@pytest.mark.slow
def test_a_wrong_figure_that_unrelated_numbers_could_come_to_is_caught() -> None:
    drawn = [*draw_wrong_figures(600)]
    caught = sum(is_marked(claim, {1: told}, "en") for told, claim in drawn)
    assert caught >= 0.95 * len(drawn)
