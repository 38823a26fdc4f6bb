"""One number in its many forms: fractions, number words, scales and ordinals, by language."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.source_facts import SourceFacts
from citations.verdict import judge_claim
from schema.documents import Passage
from text.numbers import ORDINAL


def read(text: str, language: str = "en") -> list[tuple[Decimal, str]]:
    return [(one.value, one.unit) for one in SentenceFacts(text, language).quantities]


def kind(claim: str, told: str, language: str = "en") -> str:
    passage = Passage(chunk=1, document=1, start=0, end=len(told), text=told)
    return judge_claim(claim, SourcePassages([passage], language)).kind


@pytest.mark.parametrize(
    ("language", "third", "half", "three_quarters"),
    [
        ("de", "ein Drittel", "die Hälfte", "drei Viertel"),
        ("de", "1/3", "½", "Dreiviertel"),
        ("en", "one third", "half of it", "three quarters"),
        ("en", "one-third", "a half.", "three-fourths"),
        ("en", "a third of them", "Half the house", "¾"),
        ("en", "1/3", "1/2", "3/4"),
        ("en", "at least a third is paid", "nearly a half was", "three quarters"),
        ("en", "⅓", "one half", "3⁄4"),
        ("es", "un tercio", "la mitad", "tres cuartos"),
        ("fr", "un tiers", "la moitié", "trois quarts"),
        ("it", "un terzo", "la metà", "tre quarti"),
        ("nl", "een derde", "de helft", "driekwart"),
        ("pt", "um terço", "a metade", "três quartos"),
        ("zh", "三分之一", "一半", "四分之三"),
        ("ja", "3分の1", "半分", "4分の3"),
        ("ko", "3분의 1", "절반", "4분의 3"),
    ],
)
def test_a_fraction_is_one_number(
    language: str, third: str, half: str, three_quarters: str
) -> None:
    assert read(third, language) == [(Decimal(1) / 3, "")]
    assert read(half, language) == [(Decimal("0.5"), "")]
    assert read(three_quarters, language) == [(Decimal("0.75"), "")]


@pytest.mark.parametrize(
    ("language", "text", "value", "unit"),
    [
        ("en", "2½ hours", "2.5", "h"),
        ("en", "2 1/2 miles", "2.5", "mi"),
        ("en", "one and a half years", "1.5", "year"),
        ("en", "two and a half million dollars", "2500000", "USD"),
        ("en", "half a million", "500000", ""),
        ("en", "half a mile", "0.5", "mi"),
        ("en", "three quarters of an hour", "0.75", "h"),
        ("de", "zweieinhalb Millionen Euro", "2500000", "EUR"),
        ("de", "anderthalb Jahre", "1.5", "year"),
        ("fr", "deux et demi", "2.5", ""),
        ("es", "dos y medio", "2.5", ""),
    ],
)
def test_a_mixed_number_is_read_whole(language: str, text: str, value: str, unit: str) -> None:
    assert read(text, language) == [(Decimal(value), unit)]


@pytest.mark.parametrize(
    "text",
    ["the third quarter", "two third graders", "its half-life", "the first half of the game",
     "in 2019/20 there", "24/7 there", "a third party", "OCT3/4",
     "one waits, a third is gone"],
)  # fmt: skip
def test_what_only_looks_like_a_fraction_is_none(text: str) -> None:
    assert all(value == int(value) for value, _ in read(text))


@pytest.mark.parametrize(
    ("language", "words", "value"),
    [
        ("da", "tre hundrede femogtyve", 325), ("de", "dreihundertfünfundzwanzig", 325),
        ("de", "zwölftausenddreihundert", 12_300), ("en", "three hundred and twenty-five", 325),
        ("en", "a hundred", 100), ("es", "trescientos veinticinco", 325),
        ("es", "doce mil trescientos", 12_300), ("fr", "trois cent vingt-cinq", 325),
        ("it", "trecentoventicinque", 325), ("it", "dodicimilatrecento", 12_300),
        ("nl", "driehonderdvijfentwintig", 325), ("pt", "trezentos e vinte e cinco", 325),
    ],
)  # fmt: skip
def test_number_words_are_numbers_in_their_language(language: str, words: str, value: int) -> None:
    assert read(f"x {words} y", language) == [(value, "")]


@pytest.mark.parametrize(
    ("language", "six"),
    [("de", "sechs"), ("en", "six"), ("es", "seis"), ("fr", "six"), ("it", "sei"), ("nl", "zes"),
     ("pt", "seis"), ("zh", "六个"), ("ja", "六人")],
)  # fmt: skip
def test_a_word_and_its_figure_are_the_same(language: str, six: str) -> None:
    assert read(six, language)[0][0] == read("6", language)[0][0]


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ((10_000_000, "USD"), ["$10 million", "$ 10 - million", "$10-million", "10 million dollars",
                               "$10M", "US$ 10,000,000", "ten million dollars"]),
        ((100_000, ""), ["100k users", "100 k users", "100K users", "100 K users", "100,000 users",
                         "100 000 users", "100 thousand users", "one hundred thousand users"]),
    ],
)  # fmt: skip
def test_money_and_thousands_have_one_value(value: tuple[int, str], texts: list[str]) -> None:
    assert [read(text) for text in texts] == [[value]] * len(texts)


def test_a_scale_without_a_number_counts_nothing() -> None:
    assert read("thousands of people, several hundred, millions, o'clock") == []
    assert read("at 300 K and 300 K.") == [(300, "K")] * 2
    assert read("Tausende, Millionen von Leuten", "de") == []


def test_dots_part_a_date_and_a_version_but_no_number() -> None:
    day = SentenceFacts("on 2003.06.11 it", "en")
    assert [(one.year, one.month, one.day) for one in day.dates] == [(2003, 6, 11)]
    assert day.quantities == []
    for version in ("1.2.3", "v. 1.2.3", "10.0.19"):
        facts = SentenceFacts(f"version {version} is out", "en")
        assert (facts.dates, facts.quantities) == ([], [])


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "the third of five studies"), ("en", "the 3rd of five"), ("de", "der dritte von fünf"),
     ("fr", "le troisième de cinq"), ("es", "el tercero de cinco"), ("it", "il terzo di cinque")],
)  # fmt: skip
def test_an_ordinal_is_no_count(language: str, text: str) -> None:
    assert read(text, language) == [(3, ORDINAL), (5, "")]


def test_what_counts_the_sentences_is_no_number_of_theirs() -> None:
    assert read("(2) The engine stops.") == []
    assert read("Third, the engine stops.") == []


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("About 3 percent of users pay.", "About one third of users pay."),
        ("About 4 percent of users pay.", "About one-fourth of users pay."),
        ("About a third of users pay.", "About 3 percent of users pay."),
        ("About 3 users pay.", "About the third of users pay."),
        ("About 3 percent of users pay.", "About the 3rd of users pay."),
        ("About half of users pay.", "About 2 % of users pay."),
        ("About one third of users pay.", "About 1 of 4 users pay."),
    ],
)
def test_another_number_is_not_supported(claim: str, told: str) -> None:
    assert kind(claim, told) != "supported"


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("About 50 percent of users pay.", "About half of users pay."),
        ("About half of users pay.", "About 50 % of users pay."),
        ("About two-thirds of users pay.", "About 2/3 of users pay."),
        ("The third study found six users.", "The 3rd study found 6 users."),
        (
            "It was released on 2003.06.11 by the team.",
            "It was released June 11, 2003 by the team.",
        ),
        ("The deal cost $10 million.", "The deal cost $ 10 - million."),
        ("It serves 100k users.", "It serves 100,000 users."),
    ],
)
def test_the_same_number_in_another_form_is_supported(claim: str, told: str) -> None:
    assert kind(claim, told) == "supported"
    assert kind(told, claim) == "supported"


def lacks(claim: str, told: str) -> list[str]:
    """The figures of a claim that a source does not have."""
    source = SourceFacts([SentenceFacts(told, "en")], "en")
    return [written for _, written in source.find_missing_numbers(SentenceFacts(claim, "en"))]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Failed jobs are kept for 14 days.", 'keep_failed = "14d"'),
        ("The start is a depth of 20,000.", "soft_depth = 20_000"),
        ("Segments have 64 MiB.", 'The default is `"64MiB"`.'),
        ("It grows to half a gigabyte.", "It grows to about half\n a gigabyte."),
        ("The window is 15 minutes.", 'window = "15m"'),
        ("It waits 2 weeks.", "It waits 14 days."),
        ("It waits 72 hours.", "It waits for three days."),
    ],
)
def test_a_figure_is_the_same_however_a_page_writes_it(claim: str, told: str) -> None:
    assert lacks(claim, told) == []


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Failed jobs are kept for 15 days.", 'keep_failed = "14d"'),
        ("Segments have 64 MiB.", 'The default is `"64KiB"`.'),
        ("The window is 15 hours.", 'window = "15m"'),
        ("It sends 600 jobs.", "It waits 600000 s and 10 minutes."),
        ("It waits 73 hours.", "It waits for three days."),
    ],
)
def test_another_figure_or_unit_is_another(claim: str, told: str) -> None:
    assert len(lacks(claim, told)) == 1


@given(st.integers(1_000, 10**12))
def test_groups_of_digits_may_be_parted_by_underscores(value: int) -> None:
    assert read(f"depth = {value:_}") == [(value, "")]


@given(st.integers(1, 10_000), st.sampled_from([("d", "days", 24), ("w", "weeks", 168)]))
def test_a_length_of_time_is_the_same_in_letters_in_words_and_in_hours(
    value: int, unit: tuple[str, str, int]
) -> None:
    letter, word, hours = unit
    for claim in (f"It stays {value} {word}.", f"It stays {value * hours} hours."):
        assert lacks(claim, f'keep = "{value}{letter}"') == []
        assert lacks(claim, f'keep = "{value + 1}{letter}"') != []


def test_what_a_sentence_counts_of_its_own_list_needs_no_source() -> None:
    assert lacks("Two views tell it: `pg_locks` and `pg_stats`.", "Views tell it.") == []
    assert lacks("Three causes remain (age, load and wear).", "Causes remain.") == []
    assert lacks("Three views tell it: `pg_locks` and `pg_stats`.", "Views tell it.") == ["Three"]
    assert lacks("Two mills stand there and turn.", "Mills stand there.") == ["Two"]


def test_a_winter_of_two_years_has_two_years_and_no_count() -> None:
    found = SentenceFacts(
        "In the winter of 2024/25, 3/4 of 41 runs were needless.", "en"
    ).quantities
    years = [int(one.value) for one in found if one.is_year]
    assert years == [2024, 2025]
    assert [one.is_year for one in SentenceFacts("2024/27 and 12/13", "en").quantities][1:] == (
        [False] * 3
    )
