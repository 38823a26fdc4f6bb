"""Which sentences stand, and what becomes of those that do not."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.evidence_span import SourcePassages
from citations.grounds import Grounds
from citations.markers import find_markers, normalise_markers
from citations.marking import apply_verdicts
from citations.positions import find_positions
from schema.documents import Passage
from schema.report import UNSUPPORTED_FLAG
from text.sentences import split_sentences


def source(number: int, text: str) -> SourcePassages:
    passage = Passage(chunk=number, document=number, start=0, end=len(text), text=text)
    return SourcePassages([passage], "en")


SOURCES = {
    1: source(1, "The dam was built in 1962. It is 90 metres high. Its lake is used for swimming."),
    2: source(2, "The bridge was opened in 1931. The bridge is not closed to heavy lorries."),
    3: source(3, "Since the flood the bridge is closed to heavy lorries."),
}

TRUE = "The dam is 90 metres high [1]."
FALSE = "The bridge was opened in 1974 [2]."
ODD = "Marmalade ferments slowly under umbrellas [1]."


def test_the_number_of_a_step_needs_no_source() -> None:
    text = "For step {}, the dam is 90 metres high [1]."
    assert not check_sentences(text.format(5), SOURCES, "en")[0].lacking_numbers
    other = text.replace("step {}", "{} boats")
    assert check_sentences(other.format(5), SOURCES, "en")[0].lacking_numbers


def judged(text: str) -> list[CheckedSentence]:
    """The sentences, with a judge who calls contradicted that it was in 1974."""
    return [
        replace(
            one,
            verdicts={
                n: replace(v, kind="contradicted") if ("date", "1974") in v.reasons else v
                for n, v in one.verdicts.items()
            },
        )
        for one in check_sentences(text, SOURCES, "en")
    ]


def settle(text: str) -> str:
    return apply_verdicts(text, judged(text))[0]


@pytest.mark.parametrize(
    ("text", "stands", "contradicted"),
    [
        (TRUE, True, False),
        ("The lake of the dam [1] is used for swimming.", True, False),
        ("The bridge is open and the dam was built in 1962 [2][1].", True, False),
        (FALSE, False, True),
        ("The bridge is closed to heavy lorries [2].", False, False),
        ("The dam is 75 metres high [1].", False, False),
        (ODD, False, False),
        ("The dam is 90 metres high.", False, False),
        ("The dam is 90 metres high and holds 55 fish [1][2].", False, False),
    ],
)
def test_a_sentence_stands_where_a_source_bears_it_out_with_all_its_figures(
    text: str, stands: bool, contradicted: bool
) -> None:
    [one] = judged(text)
    assert (one.is_supported, one.is_contradicted) == (stands, contradicted)


def test_figures_may_stand_in_different_sources() -> None:
    text = "The dam was built in 1962 and the bridge was opened in 1931 [1][2]."
    assert judged(text)[0].is_supported
    assert not judged(text.replace("1931", "1932"))[0].is_supported


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{TRUE} {FALSE}", TRUE),
        (f"{FALSE} {TRUE}", TRUE),
        (f"- {TRUE}\n- {FALSE}\n- {TRUE}", f"- {TRUE}\n- {TRUE}"),
        (f"{TRUE}\n\n{FALSE}\n\nNo source.", f"{TRUE}\n\nNo source."),
        (
            f"{TRUE} {ODD}",
            f"{TRUE} Marmalade ferments slowly under umbrellas [1] {UNSUPPORTED_FLAG}.",
        ),
        (f"{TRUE} No source.", f"{TRUE} No source."),
        (f"{TRUE} So the dam is high.", f"{TRUE} So the dam is high."),
        (f"{TRUE} Eels breed here.", f"{TRUE} Eels breed here {UNSUPPORTED_FLAG}."),
        (f"{TRUE}\n\n- 55 eels", f"{TRUE}\n\n- 55 eels {UNSUPPORTED_FLAG}"),
    ],
    ids=["cut", "first", "item", "paragraph", "marked", "plain", "follows", "uncited", "no stop"],
)
def test_what_a_source_contradicts_is_cut_and_what_none_bears_out_is_marked(
    text: str, left: str
) -> None:
    assert settle(text) == left


def test_without_a_judge_nothing_is_cut() -> None:
    text = f"{TRUE} {FALSE} The bridge is closed to heavy lorries [2]."
    after, kept = apply_verdicts(text, check_sentences(text, SOURCES, "en"))
    assert after.count(UNSUPPORTED_FLAG) == 2
    assert len(kept) == 3


def test_the_last_sentence_that_cites_is_marked_and_not_cut() -> None:
    assert settle(f"{FALSE} {FALSE.replace('opened', 'built')} No source.") == (
        f"The bridge was built in 1974 [2] {UNSUPPORTED_FLAG}. No source."
    )


def test_rows_of_tables_are_left_as_they_are() -> None:
    text = f"{TRUE}\n\n| opened | year |\n| --- | --- |\n| the bridge | 1974 [2] |"
    assert settle(text) == text


def test_the_sign_stands_behind_the_last_mark_and_not_in_code() -> None:
    text = "Marmalade [1] ferments under umbrellas [2] as in `jam[1]` slowly."
    assert settle(text) == text.replace("[2]", f"[2] {UNSUPPORTED_FLAG}")


def test_what_is_left_is_told_in_order() -> None:
    text = f"{TRUE} {FALSE} {ODD}"
    after, kept = apply_verdicts(text, judged(text))
    assert [one.text for one in kept] == [TRUE, f"{ODD[:-1]} {UNSUPPORTED_FLAG}."]
    assert all(one.text in after for one in kept)
    assert " ".join(kept[1].claim.split()) == "Marmalade ferments slowly under umbrellas ."


def test_a_cut_uncovers_no_mark_in_code() -> None:
    text = f"{TRUE} The bridge was opened in 1974 [2] by `so! It is [99]` so."
    assert find_markers(text) == [1, 2]
    assert len(judged(text)) == 2
    assert settle(text) == TRUE


def test_a_mark_of_what_could_not_be_read_is_dropped() -> None:
    assert settle("The dam is 90 metres high [1][7]. Cats sleep [7].") == f"{TRUE} Cats sleep ⚠."


parts = st.sampled_from(
    [TRUE, FALSE, ODD, "No source.", "- an item [3].\n", f"- {FALSE}\n", "1. one [1].\n", "\n\n",
     "\n| a | 1974 [2] |\n", "\n### Head\n", "`code[9]` is used [1].", "\n```\nx[9]\n```\n",
     "其实[2]。"]
)  # fmt: skip
texts = st.lists(parts, max_size=8).map(
    lambda some: normalise_markers(" ".join(some), {1, 2, 3})[0]
)


@given(texts)
def test_what_was_settled_stays_adds_no_citation_and_leaves_all_but_prose_alone(text: str) -> None:
    def fixed(of: str) -> list[str]:
        found = split_sentences(of, "en")
        return [of[s.start : s.end] for s in found if s.kind not in ("prose", "item")]

    once, _ = apply_verdicts(text, judged(text))
    again, kept = apply_verdicts(once, judged(once))
    assert again == once
    assert all(one.text in once for one in kept)
    assert normalise_markers(once, {1, 2, 3}) == (once, 0)
    assert bool(find_markers(once)) == bool(find_markers(text))
    assert Counter(find_markers(once)) <= Counter(find_markers(text))
    assert fixed(once) == fixed(text)


def test_a_source_that_says_otherwise_is_a_conflict_of_what_another_bears_out() -> None:
    text = "The bridge is closed to heavy lorries [3]."
    [one] = find_positions(judged(text), SOURCES)
    assert (one.place, one.number, one.kind, one.held) == (0, 2, "negation", 3)
    assert "not closed" in one.quote
    assert "flood" in one.held_quote


def test_a_source_that_lacks_a_figure_is_no_conflict() -> None:
    rest = "to heavy lorries, coaches, trams and tractors from the northern coast road each winter."
    both = {
        n: source(n, f"The bridge is {said} {rest}") for n, said in ((1, "shut"), (2, "not shut"))
    }
    dated = {**both, 1: source(1, f"The bridge of 1931 is shut {rest}")}
    text = f"The bridge is shut {rest[:-1]} [1]."
    assert [one.number for one in find_positions(check_sentences(text, both, "en"), both)] == [2]
    text = f"The bridge of 1931 is shut {rest[:-1]} [1]."
    assert find_positions(check_sentences(text, dated, "en"), dated) == []


def test_what_does_not_stand_has_no_conflicts() -> None:
    for text in ("The bridge is closed to heavy lorries.", "It is closed to heavy lorries [1]."):
        assert find_positions(judged(text), SOURCES) == []
    assert find_positions(judged("The bridge is closed to heavy lorries [1]."), SOURCES) == []
    assert find_positions(judged(TRUE), SOURCES) == []


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("Quernstone 15 turns at 40 rounds a minute [1].", False),
        ("Quernstone 14 turns at 40 rounds a minute [1].", True),
        ("The stone turns at 15 rounds a minute [1].", True),
    ],
)
def test_the_version_that_a_report_is_about_has_to_stand_in_no_source(
    said: str, fails: bool
) -> None:
    read = {1: source(1, "The stone turns at 40 rounds a minute.")}
    [one] = check_sentences(said, read, "en", "How is a Quernstone 15 kept safe?")
    assert one.fails is fails


@pytest.mark.parametrize(("count", "fails"), [("these two", False), ("two further", True)])
def test_a_conclusion_may_count_what_stands_before_it(count: str, fails: bool) -> None:
    read = {1: source(1, "Old grain is kept in the lower bin and in the upper bin.")}
    text = (
        "Old grain is kept in the lower bin and in the upper bin [1]. "
        f"The level of {count} bins is therefore worth watching, too."
    )
    [_, one] = check_sentences(text, read, "en")
    assert one.fails is fails


DELAY = (
    "When the brake is triggered, any delay in effect will no longer be applied, and further tasks "
    "are skipped."
)


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("From then on the brake applies no delay and skips further tasks [1].", False),
        ("When triggered, the brake applies no delay and does not skip further tasks [1].", True),
    ],
)
def test_what_negates_as_often_as_its_source_in_other_words_is_no_denial(
    said: str, fails: bool
) -> None:
    [one] = check_sentences(said, {1: source(1, DELAY)}, "en")
    assert one.fails is fails


DRAIN = (
    "A drain that has run out of time has not failed: producers are still held back, and a second "
    "drain waits for the rest. Old clients do not wait; with them the depth runs through the soft "
    "limit to the hard one."
)


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("After a drain that has run out of time producers are still held back [1].", False),
        ("After a drain that has run out of time producers are not held back [1].", True),
        ("With old clients the depth runs through the soft limit [1].", False),
    ],
)
def test_a_negation_ends_where_its_clause_does(said: str, fails: bool) -> None:
    [found] = check_sentences(said, {1: source(1, DRAIN)}, "en")
    assert found.fails is fails


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("For people in wheelchairs grit is an obstacle, as small wheels dig themselves in [1].",
         False),
        ("For people in wheelchairs grit is a help, as small wheels dig themselves in [1].", True),
    ],
)  # fmt: skip
def test_a_negation_ends_where_a_contrast_begins(said: str, fails: bool) -> None:
    text = (
        "For people in wheelchairs grit is not a help but an obstacle: the small wheels in front "
        "dig themselves in."
    )
    [found] = check_sentences(said, {1: source(1, text)}, "en")
    assert found.fails is fails


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("The dam is kept in three steps [1].", False),
        ("The dam is kept in seven steps [1].", True),
        ("The dam is kept in 3 steps and 3 metres high [1].", True),
        ("All three of the dams that are kept have a keeper [1].", False),
    ],
)
def test_a_sentence_may_count_the_items_of_the_list_behind_it(said: str, fails: bool) -> None:
    dam = source(
        1, "The dam is kept by its keeper, who cleans, oils and paints. Dams have keepers."
    )
    text = f"{said}\n\n1. Clean the dam [1].\n2. Oil the dam [1].\n3. Paint the dam [1]."
    assert check_sentences(text, {1: dam}, "en")[0].fails is fails


def given(said: str, *sums: str) -> Grounds:
    return Grounds(given=frozenset([said]), sums=sums)


def test_a_figure_that_its_writer_worked_out_of_the_section_stands() -> None:
    told = source(1, "The soft limit is 20,000 jobs. The warning comes at 70 % of it.")
    asked = "What is set at 2,000 jobs a minute?"
    text = (
        "The soft limit is 20,000 jobs [1]. The warning comes at 70 % of 20,000 jobs, which is "
        "14,000 or seven minutes of arrivals [1]."
    )
    kept = text.partition(". ")[2]
    assert check_sentences(text, {1: told}, "en", asked)[1].fails
    assert not check_sentences(text, {1: told}, "en", asked, given(kept))[1].fails
    wrong, said = text.replace("seven", "nine"), kept.replace("seven", "nine")
    assert check_sentences(wrong, {1: told}, "en", asked, given(said))[1].fails


@pytest.mark.parametrize("code", ["`keep_failed`", "keep_failed", "`--no-keep`"])
def test_a_word_in_code_denies_nothing(code: str) -> None:
    told = source(1, f"Release 2.3.0 of 4 September. New: {code}, which keeps jobs.")
    [one] = check_sentences(f"Since release 2.3.0 {code} keeps jobs [1].", {1: told}, "en")
    assert not one.fails


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("At 0.8 s the same load needs 33.3 × 0.8 × 1.2 slots, which is 32.", "synthesis"),
        ("At 0.8 s the same load needs 33.3 × 0.8 × 1.2 slots, which is 45.", "fact"),
        ("The load needs 33.3 × 0.7 × 1.2 slots, which is 28.", "fact"),
    ],
)
def test_a_sum_may_suppose_a_number_that_it_names_as_a_condition(said: str, kind: str) -> None:
    told = source(1, "Slots are 33.3 jobs a second times 0.4 s of run time times 1.2 for the load.")
    text = f"Slots are 33.3 jobs a second times run time times 1.2 for the load [1]. {said}"
    assert check_sentences(text, {1: told}, "en")[1].kind == kind


LEVELS = source(1, "The limit was 16,500 cubic metres from 9 May 2022 on. The average was 12,900.")
WIKI = source(2, "The page was last changed on 3 August 2023. It gives 18,000 cubic metres.")


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("The page still gives 18,000 [2], although 16,500 had been in force for long.", False),
        ("The page still gives 18,000 [2], although 16,500 km had been in force for long.", True),
        ("The page still gives 18,000 [2], although 17,500 had been in force for long.", True),
        ("The page still gives 16,500 cubic metres [2].", True),
    ],
)
def test_a_conclusion_may_say_the_figures_of_what_was_cited_before(
    said: str, *, fails: bool
) -> None:
    text = f"The limit was 16,500 cubic metres from 9 May 2022 on [1]. {said}"
    assert check_sentences(text, {1: LEVELS, 2: WIKI}, "en")[1].fails == fails


def test_what_its_writer_worked_out_of_two_sentences_stands() -> None:
    said = "The average stays 3,600 below the limit, so it binds only in dry spells."
    text = f"The limit was 16,500 cubic metres [1]. The average was 12,900 [1]. {said}"
    assert check_sentences(text, {1: LEVELS}, "en")[2].fails
    assert not check_sentences(text, {1: LEVELS}, "en", "", given(said))[2].fails
    wrong = said.replace("3,600", "3,700")
    text = text.replace(said, wrong)
    assert check_sentences(text, {1: LEVELS}, "en", "", given(wrong))[2].fails


@pytest.mark.parametrize(("share", "fails"), [("two thirds", False), ("four fifths", True)])
def test_a_lead_in_may_say_about_which_part_a_row_is_of_another(share: str, *, fails: bool) -> None:
    told = source(1, "Shares: waterworks 9,100, mill 5,100, all 14,200.")
    rows = "| User | Share |\n| --- | --- |\n| Waterworks | 9,100 [1] |\n| All | 14,200 [1] |"
    text = f"The waterworks hold almost {share} of all.\n\n{rows}"
    assert check_sentences(text, {1: told}, "en")[0].fails == fails
