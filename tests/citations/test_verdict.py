"""What a source says of a claim: the verdict, why, and what it can never be."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citations.arithmetic import find_results
from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.verdict import CitationVerdict, judge_claim
from retrieval.passages.chunking import split_chunks
from schema.documents import Passage

DAM = (
    "The Hoover Dam has 17 main turbines and stands 221 metres high. It was finished in 1936. "
    "Marie Curie won the Nobel Prize in Physics in 1903. Costs rose by 1.2 thousand dollars on "
    "May 1, 2024. The committee accepted the proposal of the board. Cats are faster than dogs."
)
TURM = "Der Turm ist 324 Meter hoch und wurde am 1. Mai 1889 eröffnet. Die Kosten stiegen in Rom."
TOUR = "La tour mesure 324 mètres. Le chômage a augmenté de 37 pour cent en 2020."
TORRE = "La torre mide doce metros. El desempleo aumentó un 37 por ciento en 2020."
TA = "该塔高三百二十四米，于1889年5月1日开放。失业人数增加了120万人。"
TAKASA = "東京タワーの高さは333メートルです。失業者は2020年に増加した。"


def source(text: str, language: str = "en") -> SourcePassages:
    passages = [
        Passage(chunk=i, document=1, start=c.start, end=c.end, text=c.text)
        for i, c in enumerate(split_chunks(text))
    ]
    return SourcePassages(passages, language)


def judged(claim: str, text: str = DAM, language: str = "en") -> CitationVerdict:
    return judge_claim(claim, source(text, language))


SOURCES = {"en": DAM, "de": TURM, "fr": TOUR, "es": TORRE, "zh": TA, "ja": TAKASA}
SENTENCES = [
    (language, unit.facts.text)
    for language, text in SOURCES.items()
    for unit in source(text, language).sentences
]


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
def test_a_source_supports_its_own_sentences(language: str, sentence: str) -> None:
    found = judged(sentence, SOURCES[language], language)
    assert (found.kind, found.reasons) == ("supported", ())
    assert found.confidence == found.support > 0.7


@pytest.mark.parametrize(
    ("language", "claim"),
    [
        ("en", "The Hoover Dam has seventeen main turbines."),
        ("en", "Costs rose by $1,200 on 1 May 2024."),
        ("en", "Costs rose by 1.2 thousand dollars in 2024."),
        ("en", "Costs rose by 1.2 thousand dollars in May 2024."),
        ("de", "Am 1.5.1889 wurde der Turm eröffnet."),
        ("es", "La torre mide 12 metros."),
        ("fr", "En 2020, le chômage a augmenté de 37 %."),
        ("zh", "该塔高324米。"),
        ("zh", "失业人数增加了1,200,000人。"),
    ],
)
def test_what_is_said_in_another_form_is_supported(language: str, claim: str) -> None:
    assert judged(claim, SOURCES[language], language).kind == "supported"


@pytest.mark.parametrize(
    ("language", "claim", "reason"),
    [
        ("en", "The Hoover Dam has 12 main turbines.", ("number", "12")),
        ("en", "The Hoover Dam stands 221 feet high.", ("unit", "221 feet")),
        ("en", "The dam was finished in 1935.", ("date", "1935")),
        ("en", "Costs rose by 1.2 thousand dollars on May 2, 2024.", ("date", "May 2, 2024")),
        ("de", "Der Turm ist 300 Meter hoch.", ("number", "300 Meter")),
        ("de", "Der Turm wurde am 2. Mai 1889 eröffnet.", ("date", "2. Mai 1889")),
        ("fr", "La tour mesure 300 mètres.", ("number", "300 mètres")),
        ("es", "La torre mide 13 metros.", ("number", "13 metros")),
        ("zh", "该塔高300米。", ("number", "300米")),
        ("ja", "東京タワーの高さは300メートルです。", ("number", "300メートル")),
    ],
)
def test_a_figure_that_the_source_gives_otherwise_is_missing(
    language: str, claim: str, reason: tuple[str, str]
) -> None:
    found = judged(claim, SOURCES[language], language)
    assert found.kind == "partial"
    assert reason in found.reasons


@pytest.mark.parametrize(
    ("language", "claim", "reason"),
    [
        ("en", "Marie Curie did not win the Nobel Prize in Physics.", ("negation", "not")),
        ("en", "The committee rejected the proposal of the board.", ("opposite", "rejected")),
        ("en", "Costs fell by 1.2 thousand dollars.", ("opposite", "fell")),
        ("de", "Die Kosten stiegen in Rom nicht.", ("negation", "nicht")),
        ("fr", "Le chômage n'a pas augmenté en 2020.", ("negation", "pas")),
        ("es", "El desempleo disminuyó en 2020.", ("opposite", "disminuyó")),
        ("zh", "失业人数没有增加。", ("negation", "没有")),
        ("zh", "失业人数减少了120万人。", ("opposite", "减少")),
    ],
)
def test_what_may_be_said_otherwise_is_not_supported_and_shows_its_words(
    language: str, claim: str, reason: tuple[str, str]
) -> None:
    found = judged(claim, SOURCES[language], language)
    assert found.kind == "absent"
    assert reason in found.reasons
    assert found.support < 0.5
    assert found.confidence == 1 - found.support


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (
            "The fee is due whether or not the flight departs.",
            "The fee is due when the flight departs and when it is cancelled.",
        ),
        (
            "The song “I'll Never Love Again” won a Grammy Award.",
            "The song won a Grammy Award for best song.",
        ),
        (
            "The library lends books to visitors.",
            "The library, which does not charge visitors for books, lends them for a month.",
        ),
        ("The museum has 40 rooms with paintings.", "The museum has 12 rooms in the old wing."),
        ("The bridge was repaired in 1974.", "The bridge was opened in 1931 and later repaired."),
    ],
    ids=["whether or not", "title", "another clause", "another number", "another year"],
)
def test_what_only_looks_opposed_is_not_contradicted(claim: str, told: str) -> None:
    assert judged(claim, told).kind != "contradicted"


def test_a_negation_ends_with_its_clause() -> None:
    told = "Writes to the table will fail. The vacuum command can still be run normally."
    said = "Writes to the table will fail{} the vacuum command can still be run normally."
    assert [judged(said.format(link), told).kind for link in (", while", ", whereas")] == [
        "supported"
    ] * 2


FORMS = [
    "{n}", "{n:,}", "{n} %", "${n}", "{n} km", "{n}-year-old", "{n}th", "({n})", "GPT-{n}", "{n}G",
    "{n}.5", "−{n}", "{n} million", "10–{n}", "v{n}.2.1", "{n}年", "{n}人", "１{n}", "#{n}",
]  # fmt: skip
PLACES = ["The Hoover Dam {} has 17 main turbines.", "{} was finished in 1936.", "In 1903 {} won."]


@given(
    st.sampled_from(SENTENCES),
    st.integers(3_000, 10**40) | st.integers(38, 99),
    st.sampled_from(FORMS),
    st.booleans(),
)
def test_a_claim_with_a_number_that_the_source_has_not_is_never_supported(
    sentence: tuple[str, str], number: int, form: str, first: bool
) -> None:
    language, said = sentence
    written = form.format(n=number)
    claim = f"{written} {said}" if first else f"{said[:-1]} {written}."
    assume(not comes_of_others(claim, number, language))
    found = judged(claim, SOURCES[language], language)
    assert found.kind != "supported"


def comes_of_others(claim: str, number: int, language: str) -> bool:
    """Whether the other numbers of a claim come to a number, as a sentence may work it out."""
    facts = SentenceFacts(claim, language)
    written = [one for one in facts.quantities if str(number) in f"{one.value:f}"]
    others = [one for one in facts.quantities if one not in written]
    return bool(written) and find_results(facts.text, written, others) == written


@given(st.sampled_from(SENTENCES), st.data())
def test_a_number_that_takes_another_s_place_is_never_supported(
    sentence: tuple[str, str], data: st.DataObject
) -> None:
    language, said = sentence
    numbers = SentenceFacts(said, language).quantities
    assume(numbers)
    one = data.draw(st.sampled_from(numbers))
    other = data.draw(st.integers(0, 10**9))
    given = {q.value for _, text in SENTENCES for q in SentenceFacts(text, language).quantities}
    assume(Decimal(other) not in given)
    claim = f"{said[: one.start]} {other} {said[one.end :]}"
    assume(not comes_of_others(claim, other, language))
    found = judged(claim, SOURCES[language], language)
    assert found.kind != "supported"
    assert {code for code, _ in found.reasons} & {"number", "unit", "date"}


def test_one_may_be_a_pronoun_and_is_asked_for_in_figures_only() -> None:
    told = "The board of the dam met for long talks about repairs. One may say so."
    spoken = judged("The board of the dam met for one of its long talks about repairs.", told)
    assert spoken.kind == "supported"
    written = judged("The board of the dam met for 1 of its long talks about repairs.", told)
    assert written.reasons[0] == ("number", "1")


@pytest.mark.parametrize(
    ("told", "claim", "missing"),
    [
        ("The dam has 17 turbines and 9 towers.", "The dam has 17 turbines and 4 gates.", "4"),
        (
            "The bridge weighs 90 tons and has lights.",
            "The bridge is 40 metres long and has lights.",
            "40 metres",
        ),
        ("The road grew from 10 km.", "The road grew from 10 km to 40 km.", "40 km"),
    ],
)
def test_a_number_of_another_thing_is_missing(told: str, claim: str, missing: str) -> None:
    found = judged(claim, told)
    assert found.kind == "partial"
    assert ("number", missing) in found.reasons


SPELT = "The National Aeronautics and Space Administration launched the probe to Mars on Monday."
DATED = "The board of the dam met on 2013-11-05 to talk of repairs."
PLAIN = "The railway of Whangarei in the US sells IL 6 kits, said Perez."


@pytest.mark.parametrize(
    ("told", "claim", "kind", "reasons"),
    [
        (DAM, "The Hoover Dam has 12 main turbines.", "partial", [("number", "12")]),
        (DAM, "The Hoover Dam has sixteen main turbines.", "partial", [("number", "sixteen")]),
        ("The city has 3,512,445 inhabitants.", "The city has 3.5 million inhabitants.", "partial",
         [("number", "3.5 million")]),
        (DAM, "Pierre Curie won the Nobel Prize in Physics in 1903.", "partial",
         [("name", "Pierre"), ("words", "pierre")]),
        (SPELT, "NASA launched the probe to Mars on Monday.", "supported", [("acronym", "NASA")]),
        (DATED, "The board of the dam met in November to talk of repairs.", "supported", []),
        (PLAIN, "Then the railway of Whangārei in the U.S. sells IL-6 kits, said Pérez.",
         "supported", []),
        (DAM, "Volcanoes erupt lava.", "absent", [("words", "volcanoes erupt lava")]),
    ],
    ids=["told once", "in words", "rounded", "name", "written in full", "month of a date",
         "accents and points", "something else"],
)  # fmt: skip
def test_a_verdict_names_what_is_missing_and_nothing_else(
    told: str, claim: str, kind: str, reasons: list[tuple[str, str]]
) -> None:
    found = judged(claim, told)
    assert (found.kind, list(found.reasons)) == (kind, reasons)


def test_what_is_missing_is_among_the_reasons() -> None:
    found = judged("The old mill by the river in the valley has 12 turbines.")
    assert found.kind == "absent"
    assert ("number", "12") in found.reasons
    missed = judged("The board of the dam met in October to talk of repairs.", DATED)
    assert ("name", "October") in missed.reasons
    assert judged("Die Kosten stiegen in Rom zwölf Mal.", TURM, "de").kind != "supported"
    assert judged("Volcanoes erupt lava.").confidence > 0.9
    none = judge_claim("Cats are fast.", SourcePassages([], "en"))
    assert (none.kind, none.support, none.span) == ("absent", 0.0, None)


GERMAN = (
    "Der Eiffelturm in Paris ist 324 Meter hoch und wurde im Jahr 1889 von Gustave Eiffel für die "
    "Weltausstellung errichtet. Er ist das höchste Bauwerk der Stadt und wird jedes Jahr von fast "
    "sieben Millionen Menschen besucht, die mit dem Aufzug nach oben fahren."
)


def test_between_languages_figures_and_names_are_compared() -> None:
    seen = judged(
        "Up to 7 million tourists come and look at every street and quarter of Paris.", GERMAN
    )
    assert seen.kind == "partial"
    assert ("language", "de") in seen.reasons
    missed = judged(
        "Up to 8 million tourists come and look at every street and quarter of Paris.", GERMAN
    )
    assert missed.kind == "absent"
    assert ("number", "8 million") in missed.reasons
    assert judged("Volcanoes erupt lava.", GERMAN).kind == "absent"


def test_the_number_of_a_source_is_read_in_its_own_language() -> None:
    told = GERMAN + " Auf den Turm führen 1.665 Stufen."
    found = judged("There are 1,665 steps to the top of the tower.", told)
    assert "number" not in {code for code, _ in found.reasons}


@given(
    st.lists(st.sampled_from([text for _, text in SENTENCES]) | st.text(max_size=60), max_size=6),
    st.sampled_from([text for _, text in SENTENCES]) | st.text(max_size=80),
    st.sampled_from([*SOURCES, "xx"]),
)
def test_a_verdict_is_whole(told: list[str], claim: str, language: str) -> None:
    text = " ".join(told)
    found = judged(claim, text, language)
    assert found.kind != "contradicted"
    assert 0 <= found.support <= 1
    assert 0 <= found.confidence <= 1
    assert found == judged(claim, text, language)
    if found.span:
        assert found.span.quote == text[found.span.start : found.span.end] != ""
    if found.kind == "supported":
        assert not {code for code, _ in found.reasons} & {"number", "date", "unit", "name"}
    assert all(code and words for code, words in found.reasons)


LIMITS = (
    "Alerts start at 70 % of the soft limit. The soft limit is 20,000 jobs, the hard one 60,000."
)


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("Alerts start at 70 % of 20,000 jobs, which is 14,000.", []),
        ("Between 20,000 and 60,000 jobs lie 40,000.", []),
        ("The hard limit of 60,000 is 3 times the soft one of 20,000 jobs.", []),
        ("A soft limit of 20,000 is 67 % less than a hard one of 60,000 jobs.", []),
        ("A soft limit of 20,000 is 66 % less than a hard one of 60,000 jobs.", ["66 %"]),
        ("Alerts start at 14,000 jobs (0.7 × 20,000).", []),
        ("Alerts start at 70 % of 20,000 jobs, which is 15,000.", ["15,000"]),
        ("Alerts start at 14,000 jobs.", ["14,000"]),  # nothing shows what it comes of
        ("Alerts start at 70 % of 20,000 jobs, which was 14,000 in 1997.", ["1997"]),
    ],
)
def test_a_number_that_is_worked_out_from_two_of_the_source_needs_no_source(
    claim: str, missing: list[str]
) -> None:
    assert [words for _, words in judge_claim(claim, source(LIMITS)).reasons] == missing


@pytest.mark.parametrize(
    "claim",
    [
        "On 14 April 2026 Ines Oduya gave 20,000 jobs for the soft limit.",
        "Under Thresholds in 3.2 the soft limit is 20,000 jobs.",
    ],
)
def test_what_is_told_of_a_source_beside_its_text_counts_as_its_own(claim: str) -> None:
    passage = Passage(
        chunk=1, document=1, start=0, end=len(LIMITS), text=LIMITS, heading="3.2 Thresholds"
    )
    about = ("Watching a server", "Ines Oduya", "", "2026-04-14")
    bare = judge_claim(claim, source(LIMITS))
    told = judge_claim(claim, SourcePassages([passage], "en", about))
    assert {code for code, _ in bare.reasons} & {"name", "date", "number"}
    assert not {code for code, _ in told.reasons} & {"name", "date", "number"}


def test_nor_denies_nothing_of_what_a_relative_clause_says() -> None:
    told = (
        "Compensation for falls is not included. Nor is the purchase of two further vehicles, "
        "164,000 euro, which would become necessary beyond 45 kilometres."
    )
    assert (
        judged(
            "Beyond 45 kilometres two further vehicles for 164,000 euro are necessary.", told, "en"
        ).kind
        == "supported"
    )
    denied = "Nor are two further vehicles for 164,000 euro necessary beyond 45 kilometres."
    assert (
        judged(
            "Beyond 45 kilometres two further vehicles for 164,000 euro are necessary.",
            denied,
            "en",
        ).kind
        != "supported"
    )


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("The server refuses to assign IDs below three million transactions.", "supported"),
        ("The server assigns no IDs below three million transactions.", "supported"),
        ("A full vacuum fails in that scenario.", "supported"),
    ],
)
def test_to_refuse_is_not_to_do_and_to_fail_somewhere_denies_nothing(claim: str, kind: str) -> None:
    told = (
        "The server will refuse to assign IDs below three million transactions. "
        "In that scenario a full vacuum will therefore fail."
    )
    assert judged(claim, told).kind == kind
