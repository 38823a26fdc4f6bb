"""What sentences do, on a list of labelled ones; and that every section can be read so."""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.evidence_span import SourcePassages
from citations.gap_phrases import find_missing_subject, find_pointer, speaks_of_absence
from citations.grounds import Grounds
from schema.documents import Passage

LIST = Path(__file__).with_name("sentence_kinds.toml")
CONTEXTS: list[dict[str, Any]] = tomllib.loads(LIST.read_text(encoding="utf-8"))["context"]
LANGUAGES = {"en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja"}
KINDS = ("fact", "synthesis", "gap", "structure")


def read_text(context: dict[str, Any], text: str) -> list[CheckedSentence]:
    """The sentences of a text that cites a context's sources."""
    language = context["language"]
    sources = {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(text), text=text)], language
        )
        for number, text in enumerate(context["sources"], start=1)
    }
    return check_sentences(text, sources, language, context["title"])


PAVING = (
    "The lead of heated paving may be the place and not the heat. Nine falls were counted on "
    "heated paving in the flat zone. Grit was strewn on 38 days."
)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Heated paving's lead is real but its size is not certain.", "synthesis"),
        ("Heating is a choice for single routes, not for the network.", "synthesis"),
        ("Grit makes dogs ill and shopkeepers angry.", "fact"),
        ("Heated paving is thus a luxury that thrifty towns avoid.", "synthesis"),
        ("Between the two there is thus time for repairs.", "synthesis"),
        ("Grit was thus invented in Vienna.", "fact"),
        ("Grit was invented in Vienna.", "fact"),
        ("Heated paving costs 40 euro.", "fact"),
        ("No falls were counted on heated paving.", "fact"),
    ],
)
def test_what_its_writer_gives_grounds_for_follows_unless_it_brings_facts(
    said: str, kind: str
) -> None:
    passage = Passage(chunk=1, document=1, start=0, end=len(PAVING), text=PAVING)
    sources = {1: SourcePassages([passage], "en")}
    text = f"Nine falls were counted on heated paving in the flat zone [1].\n\n{said}"
    assert check_sentences(text, sources, "en")[-1].kind == "fact"
    assert check_sentences(text, sources, "en", grounds=Grounds(frozenset([said])))[-1].kind == kind


def read_behind(context: dict[str, Any], said: list[str]) -> list[CheckedSentence]:
    """The last sentence of each paragraph behind a context's text, as it is read there."""
    found = read_text(context, "\n\n".join([context["text"], *said]))
    ends = [len("\n\n".join([context["text"], *said[:n]])) for n in range(1, len(said) + 1)]
    return [[one for one in found if one.sentence.start < end][-1] for end in ends]


def read_last(context: dict[str, Any], said: str) -> CheckedSentence:
    return read_behind(context, [said])[0]


def read_close(context: dict[str, Any], said: str) -> CheckedSentence:
    """A sentence in one paragraph with a context's text, right behind it."""
    between = "" if context["language"] in ("zh", "ja") else " "
    return read_text(context, f"{context['text']}{between}{said}")[-1]


@cache
def read_all_close(kind: str) -> list[tuple[str, CheckedSentence]]:
    return [
        (said, read_close(context, said))
        for context in CONTEXTS
        for said in context.get(f"close_{kind}", [])
    ]


@cache
def read_all(kind: str) -> list[tuple[str, CheckedSentence]]:
    read = []
    for context in CONTEXTS:
        said = [*context.get(kind, []), *context.get(f"hard_{kind}", [])]
        read += zip(said, read_behind(context, said), strict=True)
    return read


def test_the_list_is_long_and_half_hard_enough() -> None:
    counts = Counter(
        name.startswith("hard_")
        for context in CONTEXTS
        for name in context
        if name.removeprefix("hard_") in KINDS
        for _ in context[name]
    )
    assert sum(counts.values()) >= 150
    assert counts[True] >= 0.4 * sum(counts.values())
    assert {one["language"] for one in CONTEXTS} >= LANGUAGES


@pytest.mark.parametrize("kind", ["synthesis", "gap", "structure"])
def test_all_that_brings_no_fact_needs_no_citation(kind: str) -> None:
    assert [said for said, one in read_all(kind) if one.fails] == []


def test_gaps_are_told_from_the_rest() -> None:
    assert [said for said, one in read_all("gap") if one.kind != "gap"] == []
    others = [*read_all("synthesis"), *read_all("structure"), *read_all("fact")]
    assert [said for said, one in others if one.kind == "gap"] == []


def test_nearly_all_facts_without_a_citation_are_found() -> None:
    found = [one.fails for _, one in read_all("fact")]
    assert sum(found) / len(found) >= 0.95


@pytest.mark.parametrize("kind", ["synthesis", "gap"])
def test_a_view_or_a_gap_right_behind_what_it_follows_from_stands(kind: str) -> None:
    assert [said for said, one in read_all_close(kind) if one.kind != kind] == []


def test_what_only_looks_like_a_conclusion_or_a_gap_is_found() -> None:
    found = [one.fails for _, one in read_all_close("fact")]
    assert len(found) >= 30
    assert sum(found) / len(found) >= 0.95


def test_a_view_of_a_reader_of_whom_nothing_is_cited_stands_only_right_behind() -> None:
    context = next(one for one in CONTEXTS if one["title"] == "Sealing wooden floors")
    view = "A kindergarten should therefore mind toys, crayons and juice."
    assert read_close(context, view).kind == "synthesis"
    assert read_last(context, view).kind == "fact"
    table = "| Seal | Hours |\n| --- | --- |\n| Oil | 12 [1] |\n| Lacquer | 4 [2] |"
    assert read_text(context, f"{table}\n\n{view}")[-1].kind == "synthesis"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("The place flatters heated paving, and grit wears down.", "synthesis"),
        ("Heated paving leads on price, while grit harms dogs and cars.", "fact"),
        ("Heated paving had twelve falls.", "fact"),
    ],
)
def test_what_opens_a_paragraph_may_say_what_its_cited_sentences_come_to(
    said: str, kind: str
) -> None:
    passage = Passage(chunk=1, document=1, start=0, end=len(PAVING), text=PAVING)
    sources = {1: SourcePassages([passage], "en")}
    cited = "Nine were counted in the flat zone [1]. Crews went out on 38 days [1]."
    assert check_sentences(f"{said} {cited}", sources, "en")[0].kind == kind
    alone = check_sentences(f"{cited}\n\n{said}", sources, "en")[-1]
    assert alone.kind == "fact"
    rows = "| Way | Falls |\n| --- | --- |\n| Heated paving | Nine falls [1] |"
    above = check_sentences(f"{said}\n\n{rows}", sources, "en")[0]
    assert above.kind == kind


@pytest.mark.slow
def test_hardly_any_fact_without_a_citation_stands_by_opening_a_paragraph() -> None:
    read = [
        read_text(context, f"{said}{between}{context['text']}")[0].fails
        for context in CONTEXTS
        for between in ["" if context["language"] in ("zh", "ja") else " "]
        for name in ("fact", "hard_fact", "close_fact")
        for said in context.get(name, [])
    ]
    assert len(read) >= 150
    assert sum(read) / len(read) >= 0.95


def test_a_sentence_may_count_the_rows_or_items_that_follow_it() -> None:
    context = next(one for one in CONTEXTS if one["title"] == "Sealing wooden floors")
    items = "- Oil takes 12 hours to dry [1].\n- Lacquer takes 4 [2]."
    lead = "{} seals for a wooden floor differ in how they harden."
    kinds = [
        read_text(context, f"{lead.format(count)}\n\n{items}")[0].kind for count in ("Two", "Three")
    ]
    assert kinds == ["structure", "fact"]
    told = "Two painters in Denmark sell both."
    assert read_text(context, f"{told}\n\n{items}")[0].kind == "fact"


def test_a_command_that_no_source_has_makes_a_fact() -> None:
    context = next(one for one in CONTEXTS if one["title"] == "Sealing wooden floors")
    said = "So a shop should start with `{}`."
    assert read_close(context, said.format("floorcalc --coats")).kind == "synthesis"
    assert read_close(context, said.format("floorcalc --sand")).kind == "fact"


def test_what_follows_is_tied_to_the_sources_that_it_follows_from() -> None:
    context = CONTEXTS[0]
    one = read_last(context, "So losing messages is the weakness of a Redis node in memory.")
    assert (one.kind, set(one.near)) == ("synthesis", {1, 2})
    assert read_last(context, "What does this mean?").near == (2,)


def test_a_gap_that_adds_a_claim_is_a_fact() -> None:
    context = CONTEXTS[0]
    said = "The sources do not say what it costs, but {}"
    assert read_last(context, said.format("Redis holds messages in memory.")).kind == "gap"
    assert read_last(context, said.format("Amazon sells it for 40 dollars.")).kind == "fact"


@pytest.mark.parametrize(
    ("sentence", "gap"),
    [
        ("Die Tür ist offen.", False),
        ("Der Laden bleibt bis 18 Uhr offen.", False),
        ("Der Laden bleibt offen bis 18 Uhr.", False),
        ("Die Tür, die offen ist, klemmt.", False),
        ("Das Format ist offen und frei.", False),
        ("Wie lange das dauert, bleibt hier offen.", True),
        ("Offen ist, wie viel es kostet.", True),
        ("Wie lange die Prüfung dauert, ist noch offen.", True),
        ("Es ist offen, ob das gilt.", True),
        ("Wie viel es kostet, lassen die Quellen offen.", True),
        ("Der Preis bleibt eine offene Frage.", True),
    ],
)
def test_what_is_open_in_german_may_be_a_door(sentence: str, gap: bool) -> None:
    assert speaks_of_absence(sentence, "de") == gap


def test_what_is_flagged_or_cites_is_a_fact() -> None:
    context = CONTEXTS[0]
    assert read_last(context, "So the decision depends on memory ⚠.").kind == "fact"
    assert read_last(context, "No figures on memory use are given [1].").kind == "fact"


@pytest.mark.parametrize(
    ("said", "language", "left"),
    [
        (
            "The sources do not say how long a slot keeps files.",
            "en",
            "how long a slot keeps files",
        ),
        ("No figures on the noise of the loom are given.", "en", "on the noise of the loom"),
        ("Angaben zum Stromverbrauch fehlen.", "de", "zum Stromverbrauch"),
        ("How long it takes remains open.", "en", "How long it takes"),
        ("The sources do not give a price, but it is slow.", "en", "a price"),
        ("Die Quellen nennen keine Kosten für den Einbau.", "de", "Kosten für den Einbau"),
        ("资料没有说明轻质基质的价格。", "zh", "轻质基质的价格"),
        (
            "The price of a belt remains open here; it may stand under “Parts, but new” in Looms.",
            "en",
            "The price of a belt",
        ),
        (
            "Der Preis bleibt offen; er könnte unter „Teile“ im Handbuch stehen.",
            "de",
            "Der Preis",
        ),
    ],
)
def test_what_is_missing_is_told_without_the_phrase_of_absence(
    said: str, language: str, left: str
) -> None:
    assert speaks_of_absence(said, language)
    assert find_missing_subject(said, language) == left


@pytest.mark.parametrize(
    ("said", "language", "pointer"),
    [
        (
            "The price is open; it may stand under “Parts; new” in Looms, but a belt is dear.",
            "en",
            "it may stand under “Parts; new” in Looms",
        ),
        (
            "Le prix reste ouvert ; il peut figurer sous « Pièces ».",
            "fr",
            "il peut figurer sous « Pièces ».",
        ),
        ("The price may fall in Oslo.", "en", ""),
        ("It may stand under “Parts”.", "xx", ""),
    ],
)
def test_a_pointer_is_the_place_where_a_missing_thing_may_stand(
    said: str, language: str, pointer: str
) -> None:
    assert find_pointer(said, language) == pointer


QUEUE = (
    "Of a hundred walkers 57 per cent fewer fall with grit and 73 per cent fewer with brine [1]. "
    "Jobs that are scheduled for later do not count towards the limits until their time [1]."
)


@pytest.mark.parametrize(
    "said",
    [
        "Even grit thus prevents more than half of the falls, as far as walkers tell.",
        "A large batch due at one moment can therefore pass both limits at once, so spread it.",
        "The sources disagree about the limits.",
        "With jobs that are scheduled, adopt the limits with brine.",
    ],
)
def test_what_follows_from_cited_figures_or_advises_on_them_needs_no_source(said: str) -> None:
    context = {"language": "en", "title": "Paths", "text": QUEUE, "sources": [QUEUE]}
    assert read_close(context, said).kind != "fact"


def test_a_finding_behind_them_needs_one() -> None:
    context = {"language": "en", "title": "Paths", "text": QUEUE, "sources": [QUEUE]}
    assert read_close(context, "Even insurers refuse half of all salted bridges.").kind == "fact"


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("**Fewest falls:** heated paving.", "synthesis"),
        ("**Fewest falls**: heated paving.", "synthesis"),
        ("**Fewest falls:** heated paving with 12 falls.", "fact"),
        ("**Fewest falls:** the Karlsson method.", "fact"),
        ("**Fewest falls:** heated paving, which most towns bought from a maker of slabs.", "fact"),
    ],
)
def test_the_few_words_behind_a_label_are_a_verdict(item: str, kind: str) -> None:
    passage = Passage(chunk=1, document=1, start=0, end=len(PAVING), text=PAVING)
    sources = {1: SourcePassages([passage], "en")}
    text = f"- {item} Nine falls were counted on heated paving in the flat zone [1]."
    assert check_sentences(text, sources, "en")[0].kind == kind


def test_a_written_sum_and_a_count_of_what_is_listed_follow() -> None:
    told = (
        "The server warns at 40 million transactions from the two billion. Old rows are held back "
        "by prepared transactions, open transactions and replication slots."
    )
    passage = Passage(chunk=1, document=1, start=0, end=len(told), text=told)
    sources = {1: SourcePassages([passage], "en")}
    text = (
        "The server warns at 40 million transactions [1]. The warning comes when 98 % of the two "
        "billion are used ((2,000 − 40) / 2,000).\n\nThree things hold old rows back: prepared "
        "transactions, open transactions and replication slots. Prepared transactions come first "
        "[1]."
    )
    kinds = [one.kind for one in check_sentences(text, sources, "en")]
    assert kinds == ["fact", "synthesis", "synthesis", "fact"]
    wrong = text.replace("98 %", "88 %")
    kinds = [one.kind for one in check_sentences(wrong, sources, "en")]
    assert kinds == ["fact", "fact", "synthesis", "fact"]
