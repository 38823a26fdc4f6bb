"""A marker stands behind the fact that its source tells, not behind what the writer concludes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.check import check_sentences
from citations.conclusion_tails import place_behind_facts
from citations.evidence_span import SourcePassages
from citations.markers import find_markers, normalise_markers, strip_markers
from schema.documents import Passage

TOLD = {
    "en": {
        1: "The default timeout of the pool is 60 s. It may be set between 1 s and 600 s.",
        2: "Idle sessions end after ten minutes. Lower values are safer for interactive use.",
    },
    "de": {1: "Der Standardwert der Wartezeit beträgt 60 Sekunden und lässt sich ändern."},
    "fr": {1: "Le délai par défaut de la connexion est de 60 secondes."},
    "es": {1: "El tiempo de espera por defecto de la conexión es de 60 segundos."},
    "it": {1: "Il tempo di attesa predefinito della connessione è di 60 secondi."},
    "pt": {1: "O tempo de espera predefinido da ligação é de 60 segundos."},
    "nl": {1: "De standaard wachttijd van de verbinding is 60 seconden."},
    "zh": {1: "默认超时时间为60秒，可设置为1到600秒。"},
    "ja": {1: "接続のタイムアウトの既定値は60秒である。"},
}


def read(language: str = "en") -> dict[int, SourcePassages]:
    return {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(told), text=told)], language
        )
        for number, told in TOLD[language].items()
    }


@pytest.mark.parametrize(
    ("tail", "kind"),
    [
        (", so the study of visitors shows an order rather than effects", "supported"),
        (", so Arne Holm shows an order rather than effects", "absent"),
        (", so 90 of the visitors fail rather than wait", "partial"),
        (" and the study of visitors shows an order rather than effects", "partial"),
    ],
)
def test_a_conclusion_behind_the_marker_is_no_part_of_what_is_cited(tail: str, kind: str) -> None:
    [found] = check_sentences(f"The default of the pool is 60 s [1]{tail}.", read(), "en")
    assert found.verdicts[1].kind == kind


def place(text: str, language: str = "en") -> str:
    return place_behind_facts(text, read(language), language)


@pytest.mark.parametrize(
    ("language", "text", "placed"),
    [
        (
            "en",
            "The default timeout is 60 s [1], so a lower value is safer for queries [1].",
            "The default timeout is 60 s [1], so a lower value is safer for queries.",
        ),
        (
            "en",
            "The default timeout is 60 s, which means that you should lower it [1]. It may be 1 s.",
            "The default timeout is 60 s [1], which means that you should lower it. It may be 1 s.",
        ),
        (
            "en",
            "- The default timeout is 60 s; therefore a lower value is better [1]",
            "- The default timeout is 60 s [1]; therefore a lower value is better",
        ),
        (
            "en",
            "The default timeout is 60 s, so ask the owner of the client first [1].",
            "The default timeout is 60 s [1], so ask the owner of the client first.",
        ),
        (
            "en",
            "The default timeout is 60 s — hence use the default [1].",
            "The default timeout is 60 s [1] — hence use the default.",
        ),
        (
            "de",
            "Der Standardwert der Wartezeit beträgt 60 Sekunden, daher ist weniger sicherer [1].",
            "Der Standardwert der Wartezeit beträgt 60 Sekunden [1], daher ist weniger sicherer.",
        ),
        (
            "fr",
            "Le délai par défaut est de 60 secondes, donc mieux vaut le réduire [1].",
            "Le délai par défaut est de 60 secondes [1], donc mieux vaut le réduire.",
        ),
        (
            "es",
            "El tiempo de espera por defecto es de 60 segundos, por lo que es mejor bajarlo [1].",
            "El tiempo de espera por defecto es de 60 segundos [1], por lo que es mejor bajarlo.",
        ),
        (
            "it",
            "Il tempo di attesa predefinito è di 60 secondi, quindi conviene ridurlo [1].",
            "Il tempo di attesa predefinito è di 60 secondi [1], quindi conviene ridurlo.",
        ),
        (
            "pt",
            "O tempo de espera predefinido é de 60 segundos, por isso é melhor reduzi-lo [1].",
            "O tempo de espera predefinido é de 60 segundos [1], por isso é melhor reduzi-lo.",
        ),
        (
            "nl",
            "De standaard wachttijd is 60 seconden, dus een lagere waarde is veiliger [1].",
            "De standaard wachttijd is 60 seconden [1], dus een lagere waarde is veiliger.",
        ),
        (
            "zh",
            "默认超时时间为60秒，因此较小的值更安全[1]。",
            "默认超时时间为60秒[1]，因此较小的值更安全。",
        ),
        (
            "ja",
            "タイムアウトの既定値は60秒、したがって短い値が安全である[1]。",
            "タイムアウトの既定値は60秒[1]、したがって短い値が安全である。",
        ),
    ],
)  # fmt: skip
def test_a_marker_moves_in_front_of_the_conclusion_that_no_source_tells(
    language: str, text: str, placed: str
) -> None:
    assert place(text, language) == placed
    assert place(placed, language) == placed


@pytest.mark.parametrize(
    "text",
    [
        "Idle sessions end after ten minutes, so lower values are safer for interactive use [2].",
        "The default timeout is 60 s [1], so lower values are safer for interactive use [2].",
        "The default timeout is 60 s, so it may be set to 600 s [1].",
        "The default timeout is 60 s, so values below 10 s are safer [1].",
        "The default timeout is 60 s, so Postgres is the safer choice [1].",
        "The default timeout is 60 s, so `pool_wait` should be lower [1].",
        "The default timeout is 60 s, so sessions end and the pool drains slowly [1].",
        "The default timeout is 60 s, so a lower value is safer, because sessions then end [1].",
        "The default timeout is 60 s, so that a lower value is safer [1].",
        "The default timeout (60 s, so a lower value is safer) is kept [1].",
        "Bridges of stone rust in salty winters, so a lower value is safer [1].",
        "The default timeout is 60 s, so a lower value is safer [7].",
        "| Timeout | The default timeout is 60 s, so a lower value is safer [1] |",
        "The default timeout is 60 s, so a lower value is safer [1] ⚠.",
    ],
)
def test_a_marker_stays_where_the_tail_may_be_the_sources(text: str) -> None:
    assert place(text) == text


heads = st.sampled_from(
    ["The default timeout is 60 s", "Idle sessions end after ten minutes", "It rains in the pool",
     "The default timeout of the pool is **60 s**", "The `timeout` of the pool is 60 s"]
)  # fmt: skip
tails = st.sampled_from(
    [", so a lower value is safer", "; therefore use the default", " — hence it suffices", "",
     ", so values below 10 s are safer", ", which means that it is risky", ", so it rains"]
)  # fmt: skip
marks = st.sampled_from(["", " [1]", " [2]", " [1][2]", " [7]"])
sentences = st.tuples(heads, marks, tails, marks).map(lambda one: "".join(one) + ".")


@given(st.lists(sentences, min_size=1, max_size=4).map(" ".join))
def test_no_word_and_no_source_is_lost_or_gained_and_kinds_stay(text: str) -> None:
    text, _ = normalise_markers(text, {1, 2})
    placed = place(text)
    assert strip_markers(placed).split() == strip_markers(text).split()
    assert set(find_markers(placed)) == set(find_markers(text))
    assert Counter(find_markers(placed)) <= Counter(find_markers(text))
    assert place(placed) == placed
    before, after = (check_sentences(one, read(), "en") for one in (text, placed))
    kinds = [[(one.claim.split(), one.kind) for one in found] for found in (before, after)]
    assert kinds[0] == kinds[1]
    assert [set(one.verdicts) for one in after] == [set(one.verdicts) for one in before]


def test_a_citation_is_judged_without_the_conclusion_behind_it() -> None:
    [one] = check_sentences(
        "The default timeout is 60 s [1], so short interactive work is better off below it.",
        read(),
        "en",
    )
    assert one.verdicts[1].kind == "supported"


def test_a_name_behind_the_marker_is_not_taken_for_a_conclusion() -> None:
    [one] = check_sentences(
        "The default timeout is 60 s [1], so Postgres users in London are better off.", read(), "en"
    )
    assert one.verdicts[1].kind == "partial"
