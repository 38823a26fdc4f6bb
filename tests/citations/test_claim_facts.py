"""What is read out of a sentence: numbers, dates, names and opposites, in many written forms."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_facts import SentenceFacts
from citations.negation import Polarity, weigh_agreement
from text.tokens import tokenise

LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "ko", "ar", "xx"]
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
}


def numbers(text: str, language: str = "en") -> list[Decimal]:
    return [one.value for one in SentenceFacts(text, language).quantities]


def units(text: str, language: str = "en") -> list[str]:
    return [one.unit for one in SentenceFacts(text, language).quantities]


def names(text: str, language: str = "en") -> list[str]:
    return [name.text for name in SentenceFacts(text, language).names]


def weighed(claim: str, source: str, language: str) -> float:
    one, other = (Polarity(tokenise(text, language), language) for text in (claim, source))
    return weigh_agreement(one, [(other, 1.0)]).score


@given(st.integers(1_000, 10**12), st.integers(0, 9))
def test_a_number_is_one_in_every_form(whole: int, tenth: int) -> None:
    grouped = f"{whole:,}"
    exact = Decimal(whole) + Decimal(tenth) / 10
    forms = [("en", f"{grouped}.{tenth}"), ("de", f"{grouped.replace(',', '.')},{tenth}")]
    forms += [("fr", f"{grouped.replace(',', space)},{tenth}") for space in "\u00a0\u202f"]
    forms += [("de", f"{grouped.replace(',', '’')},{tenth}"), ("zh", f"{whole}.{tenth}")]
    for language, written in forms:
        assert numbers(f"({written})", language) == [exact], (language, written)
    assert numbers(f"there are {whole} of them") == [whole]
    assert numbers(f"il y en a {grouped.replace(',', ' ')}", "fr") == [whole]


def test_a_point_and_a_comma_mean_what_the_language_says() -> None:
    assert numbers("1.200 and 1,200") == [Decimal("1.2"), 1200]
    assert numbers("1.200 und 1,200", "de") == [1200, Decimal("1.2")]
    assert numbers("0.125, 0,125 and 3,5") == [Decimal("0.125"), Decimal("0.125"), Decimal("3.5")]
    assert numbers("1,00,000 and pages 1,2,3 and 2010,2011") == [100_000, 1, 2, 3, 2010, 2011]


def test_no_digit_of_a_long_number_is_lost() -> None:
    one, other = 10**40 + 1, 10**40 + 2
    assert numbers(f"{one} or {other}") == [one, other]


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "3.5 million people", 3_500_000),
        ("en", "1.2 thousand", 1_200),
        ("en", "12k users", 12_000),
        ("en", "$66m", 66_000_000),
        ("en", "twelve hundred", 1_200),
        ("en", "twenty-five dogs", 25),
        ("en", "Twenty five dogs", 25),
        ("en", "two hundred and fifty thousand", 250_000),
        ("en", "two million three hundred thousand and four", 2_300_004),
        ("en", "the twelfth night", 12),
        ("en", "the 21st century", 21),
        ("en", "p=.05", Decimal("0.05")),
        ("en", "ten percent", 10),
        ("en", "１２", 12),
        ("en", "½ cup", Decimal("0.5")),
        ("en", "12 billion", 12 * 10**9),
        ("de", "2 Billionen", 2 * 10**12),
        ("de", "1,2 Mrd. Euro", 1_200_000_000),
        ("de", "fünfundzwanzig Hunde", 25),
        ("de", "zwölf Monate", 12),
        ("fr", "quatre-vingt-dix-neuf", 99),
        ("fr", "vingt et un ans", 21),
        ("fr", "soixante-douze", 72),
        ("fr", "deux cents", 200),
        ("fr", "3 billions", 3 * 10**12),
        ("zh", "3千米", 3),
        ("fr", "3,5 millions", 3_500_000),
        ("es", "treinta y cinco", 35),
        ("es", "veintidós", 22),
        ("es", "5 mil millones", 5 * 10**9),
        ("it", "ventotto", 28),
        ("nl", "vijfentwintig", 25),
        ("pt", "trinta e cinco", 35),
        ("ru", "3,5 млн", 3_500_000),
        ("zh", "三百五十万人", 3_500_000),
        ("zh", "350万", 3_500_000),
        ("zh", "1.2亿", 120_000_000),
        ("zh", "一亿三千万", 130_000_000),
        ("zh", "一万亿", 10**12),
        ("zh", "一百零五人", 105),
        ("ja", "3千円", 3_000),
        ("ko", "5만", 50_000),
    ],
)
def test_words_and_scales_are_numbers(language: str, text: str, value: Decimal | int) -> None:
    assert numbers(text, language) == [value]


@given(st.integers(10, 99_999_999))
def test_chinese_numerals_have_their_value(number: int) -> None:
    assert numbers(f"共{_numeral(number)}人", "zh") == [number]


def _numeral(number: int) -> str:
    """The number in Chinese, by the rules of the schoolbook."""
    if number >= 10_000:
        rest = number % 10_000
        return _numeral(number // 10_000) + "万" + ("零" if 0 < rest < 1_000 else "") + _few(rest)
    return _few(number)


def _few(number: int) -> str:
    text, gap = "", False
    for power, sign in ((1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            text += ("零" if gap and text else "") + "零一二三四五六七八九"[digit] + sign
            gap = False
        else:
            gap = True
    return text


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "37 %, 37 per cent, 37 percent", ["%"] * 3),
        ("de", "37 Prozent", ["%"]),
        ("fr", "37 pour cent et 5 millions d'euros", ["%", "EUR"]),
        ("es", "37 por ciento", ["%"]),
        ("zh", "百分之三十，百分之37，12公里，5元", ["%", "%", "km", "CNY"]),
        ("zh", "１２％", ["%"]),
        ("en", "5 km, 5km, 5 kilometres, 5 miles", ["km", "km", "km", "mi"]),
        ("en", "$5, US$ 5bn, 5 dollars, €5, £66 million", ["USD", "USD", "USD", "EUR", "GBP"]),
        ("en", "10–20 km and 3 to 5 million dollars", ["km", "km", "USD", "USD"]),
        ("en", "-5 °C, 18-year-old, 3rd, the 1980s, 12 turbines", ["°C", "year", "nth", "", ""]),
    ],
)
def test_units_have_one_name(language: str, text: str, expected: list[str]) -> None:
    assert units(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "from 3 to 5 million", [3_000_000, 5_000_000]),
        ("en", "in 2010–15", [2010, 2015]),
        ("en", "rows 10-20", [10, 20]),
        ("en", "it was -5 °C, then (−3) and 4-5", [-5, -3, 4, 5]),
        ("en", "COVID-19, IL-6, 5G and version 1.2.3", []),
        ("zh", "十分好，千万别去，万一", []),
    ],
)
def test_ranges_signs_and_names_are_told_apart(
    language: str, text: str, expected: list[int]
) -> None:
    assert numbers(text, language) == expected


@given(st.dates(date(1600, 1, 1), date(2099, 12, 31)), st.integers(1, 400))
def test_a_day_is_one_in_every_form(day: date, later: int) -> None:
    y, m, d = day.year, day.month, day.day
    name = {language: names.split()[m - 1] for language, names in MONTHS.items()}
    forms = [
        ("en", f"{y}-{m:02}-{d:02}"), ("en", f"{name['en']} {d}, {y}"),
        ("en", f"{d} {name['en']} {y}"), ("en", f"{name['en'][:3]}. {d} {y}"),
        ("de", f"{d}. {name['de']} {y}"), ("de", f"{d:02}.{m:02}.{y}"),
        ("fr", f"{d} {name['fr']} {y}"), ("es", f"{d} de {name['es']} de {y}"),
        ("zh", f"于{y}年{m}月{d}日"), ("ko", f"{y}년 {m}월 {d}일"),
    ]  # fmt: skip
    other = day + timedelta(days=later)
    elsewhere = SentenceFacts(f"It was {other.isoformat()}.", "en").dates[0]
    for language, written in forms:
        facts = SentenceFacts(f"Es {written}, x", language)
        assert [(one.year, one.month, one.day) for one in facts.dates] == [(y, m, d)], written
        assert facts.quantities == [], written
        assert not facts.dates[0].agrees_with(elsewhere)


def test_a_month_holds_its_days_and_a_day_no_month() -> None:
    month, day, other, yearless = (
        SentenceFacts(text, "en").dates[0]
        for text in ("In May 2024", "On May 1, 2024", "On May 1, 2023", "On May 1")
    )
    assert month.agrees_with(day)
    assert not day.agrees_with(month)
    assert not day.agrees_with(other)
    assert day.agrees_with(yearless)


def test_an_american_date_may_be_read_both_ways() -> None:
    either, may, january = (
        SentenceFacts(text, "en").dates[0]
        for text in ("05/01/2024", "May 1, 2024", "5 January 2024")
    )
    assert may.agrees_with(either)
    assert january.agrees_with(either)
    assert SentenceFacts("12/25/2020", "en").dates[0].month == 12


def test_a_range_of_days_is_two_dates_and_a_verb_no_month() -> None:
    assert [one.day for one in SentenceFacts("on 3–5 May 2024", "en").dates] == [3, 5]
    assert SentenceFacts("It may 5 times fail", "en").dates == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Then Thomas K. Arnold met NASA in Paris.", ["Thomas K Arnold", "NASA", "Paris"]),
        ("en", "The Beatles played. Cats slept. In Rome it rains.", ["Beatles", "Rome"]),
        ("en", "Marie Curie won", ["Marie Curie"]),
        ("en", "an HIV-positive man with an iPhone", ["HIV", "iPhone"]),
        ("en", "WE USE GPT-4 HERE", ["GPT-4"]),
        ("en", "On COVID-19, IL-6, 5G and version 1.2.3", ["COVID-19", "IL-6", "5G", "1.2.3"]),
        ("en", "It rained on May 1, 2024 and cost 5 km", []),
        ("de", "Der Hund von Marie Curie bellt in Berlin bei der NASA.", ["Marie Curie", "NASA"]),
        ("zh", "使用NASA的Python编写", ["NASA", "Python"]),
    ],
)
def test_names_are_what_is_written_like_one(language: str, text: str, expected: list[str]) -> None:
    assert names(text, language) == expected


@pytest.mark.parametrize(
    ("language", "claim", "source"),
    [
        ("en", "Exports of steel rose", "Steel exports fell"),
        ("en", "The drug does not lower the fever", "The drug lowers the fever"),
        ("en", "The drug lowers the fever", "The drug never lowered the fever"),
        ("en", "The council accepted the plan", "The council rejected the plan"),
        ("en", "Birds sing before sunrise", "Birds sing after sunrise"),
        ("de", "Die Kosten stiegen stark", "Die Kosten sanken stark"),
        ("de", "Der Hund bellt laut", "Der Hund bellt laut nicht"),
        ("fr", "Le chômage augmente vite", "Le chômage n'augmente pas vite"),
        ("es", "El desempleo aumentó en Roma", "El desempleo disminuyó en Roma"),
        ("zh", "失业人数增加", "失业人数减少"),
        ("zh", "失业人数没有增加", "失业人数增加"),
        ("ja", "失業者は増加した", "失業者は増加しなかった"),
    ],
)
def test_opposites_speak_against_each_other(language: str, claim: str, source: str) -> None:
    assert weighed(claim, source, language) < -0.2
    assert weighed(source, claim, language) < -0.2
    assert weighed(claim, claim, language) >= 0


@pytest.mark.parametrize(
    ("language", "claim", "source"),
    [
        ("en", "The pass is open", "The pass is open, though not to lorries over the pass"),
        ("en", "Steel exports did not rise", "Steel exports fell"),
        ("en", "Not only steel exports rose", "Steel exports rose"),
        ("en", "Steel exports rose", "Wine imports fell"),
        ("en", "Symphony No. 5 rose in the charts", "The symphony rose in the charts"),
        ("zh", "失业不断增加", "失业增加"),
    ],
)
def test_what_does_not_speak_of_the_same_or_says_it_otherwise_is_not_against(
    language: str, claim: str, source: str
) -> None:
    assert weighed(claim, source, language) >= 0


@pytest.mark.parametrize(
    ("said", "language", "negates"),
    [
        ("The value is no less than 105.", "en", False),
        ("It may wait no longer than 5 minutes.", "en", False),
        ("It no longer waits.", "en", True),
        ("| none | 688 | 7.9 |", "en", False),  # the head of a row names it
        ("| grit | none | 7.9 |", "en", True),
        ("It is no other than the mill.", "en", True),
        ("Es sind nicht weniger als 105.", "de", False),
        ("Es sind nicht mehr Mühlen.", "de", True),
        ("Il y a pas moins de 105 moulins.", "fr", False),
        ("Son no menos de 105.", "es", False),
    ],
)
def test_what_bounds_a_number_or_names_a_row_negates_nothing(
    said: str, language: str, *, negates: bool
) -> None:
    assert bool(SentenceFacts(said, language).polarity.negation_positions) is negates


@given(st.text(max_size=200), st.sampled_from(LANGUAGES))
def test_any_text_can_be_read(text: str, language: str) -> None:
    facts = SentenceFacts(text, language)
    spans = [(one.start, one.end) for one in facts.quantities]
    spans += [(one.start, one.end) for one in facts.dates]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(name.text.strip() for name in facts.names)
    assert set(facts.polarity.negated_positions) <= set(range(len(facts.terms)))
    assert facts.weights.keys() == facts.unique_terms
