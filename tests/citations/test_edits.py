"""Edits of sentences: what they may change, and what they never do."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.edits import (
    Edit,
    apply_edits,
    find_editable_sentences,
    list_parts,
    replace_sentences,
)
from citations.markers import find_markers, normalise_markers
from text.sentences import split_sentences

KNOWN = {1, 2, 3, 12}
KINDS = ("prose", "item")

pieces = st.sampled_from(
    ["Cats sleep all day [1]. ", "In 2019 it cost 4.1 euros [2]. ", "Dogs bark [1][12]. ",
     "Nobody cites this. ", "- an item [3]\n", "- two. Sentences here [1].\n", "1. first [2]\n",
     "> quoted [12]\n", "| cell [3] | 7 |\n", "\n\n", "\n", "### A heading\n", "`a[99]` is code. ",
     "半`行。", "另一半[99]`行。", "```\nx[99] = 3\n\n\n- \n```\n",
     "事实[2]。", "שלום עולם [3]. ", "🙂 smile [1]. "]
)  # fmt: skip
texts = st.lists(
    st.lists(pieces, max_size=8).map(lambda parts: normalise_markers("".join(parts), KNOWN)[0]),
    max_size=3,
)
wordings = st.sampled_from(
    ["", "  ", "Cats rest [1].", "Cats rest.", "In short, dogs bark [1][12].", "Dogs [1] and [12].",
     "In 2019 it cost 4.1 euros, they say [2].", "In 2020 it cost 4.1 euros [2].", "[2].",
     "Cats [1] rest [1].", "Cats rest [1]. They sleep [1].", "- Cats rest [1].", "# Cats rest [1].",
     "| Cats [1] |", "``` Cats [1].", "Cats ` rest [1].", "Cats `[1]` rest [1].", "Cats rest. [1]",
     "Cats rest [1, 2].", "Yes [99].", "12 cats [1].", "An item, so to say [3]",
     "Words " * 60 + "[1]."]
)  # fmt: skip
edits = st.lists(st.builds(Edit, st.integers(-1, 3), st.integers(-1, 9), wordings), max_size=10)


def said(text: str, *kinds: str) -> list[str]:
    return [text[one.start : one.end] for one in split_sentences(text, "en") if one.kind in kinds]


def digits(text: str) -> set[str]:
    return set(re.findall(r"\d+", re.sub(r"\[\d+\]", "", text)))


@given(texts, edits)
def test_edits_add_no_claim_lose_no_source_and_leave_all_but_prose_alone(
    written: list[str], wanted: list[Edit]
) -> None:
    made, count, refused = apply_edits(written, wanted, "en")
    for before, after in zip(written, made, strict=True):
        assert set(find_markers(after)) <= set(find_markers(before))
        assert digits(after) <= digits("\n".join(written))
        assert bool(said(after, *KINDS)) == bool(said(before, *KINDS))  # none is emptied
        assert said(after, "code", "table", "heading") == said(before, "code", "table", "heading")
        assert normalise_markers(after, KNOWN) == (after, 0)
    assert {n for text in made for n in find_markers(text)} == {
        n for text in written for n in find_markers(text)
    }
    assert count + refused == len(wanted)
    firsts = list({(one.section, one.sentence): one for one in reversed(wanted)}.values())
    assert apply_edits(written, firsts[::-1], "en")[0] == made  # the first of a sentence counts
    assert (made == written) == (count == 0)


@given(texts, wordings, st.data())
def test_one_edit_changes_one_sentence_and_none_of_its_citations(
    written: list[str], wording: str, data: st.DataObject
) -> None:
    places = [
        (section, number)
        for section, text in enumerate(written)
        for number, _ in enumerate(find_editable_sentences(text, "en"), start=1)
    ]
    if not places:
        return
    section, number = data.draw(st.sampled_from(places))
    made, count, _ = apply_edits(written, [Edit(section, number, wording)], "en")
    held = find_editable_sentences(written[section], "en")
    for sentence in (*held[: number - 1], *held[number:]):
        assert written[section][sentence.start : sentence.end] in made[section]
    if count and find_markers(wording):
        assert set(find_markers(made[section])) == set(find_markers(written[section]))
    assert made[:section] + made[section + 1 :] == written[:section] + written[section + 1 :]


@given(texts, wordings, st.integers(0, 3), st.integers(0, 9))
def test_what_is_out_of_range_is_refused(
    written: list[str], wording: str, section: int, number: int
) -> None:
    sentences_of = (
        len(find_editable_sentences(written[section], "en")) if section < len(written) else 0
    )
    beyond = Edit(section, sentences_of + 1 + number, wording)
    before = Edit(section, -number, wording)
    other = Edit(-1 - section, 1, wording)
    assert apply_edits(written, [beyond, before, other], "en") == (written, 0, 3)


def one_edit(text: str, wording: str, sentence: int = 1) -> str:
    [made], _, _ = apply_edits([text], [Edit(0, sentence, wording)], "en")
    return made


@pytest.mark.parametrize(
    ("before", "wording", "after"),
    [
        ("Cats sleep [1].", "All cats sleep [1].", "All cats sleep [1]."),
        ("Cats sleep [1].", "All cats sleep. [1]", "All cats sleep [1]."),
        ("Cats sleep [1][2].", "Cats [2] sleep [1].", "Cats [2] sleep [1]."),
        ("It was 2019 [1].", "In 2019 it was [1].", "In 2019 it was [1]."),
    ],
)
def test_other_words_for_the_same_are_taken(before: str, wording: str, after: str) -> None:
    assert one_edit(before, wording) == after


@pytest.mark.parametrize(
    "wording",
    ["Cats sleep.", "Cats sleep [2].", "Cats sleep [1][2].", "Cats [1] sleep [1].", "3 cats [1].",
     "[1].", "# Cats sleep [1].", "- Cats sleep [1].", "| Cats [1] |", "~~~ Cats sleep [1].",
     "Cats sleep [1, 2] or 3.", "Cats sleep [1] " + "and sleep " * 20 + "."],
)  # fmt: skip
def test_other_claims_are_refused(wording: str) -> None:
    text = "Cats sleep [1]. Dogs bark [2]."
    wanted = [Edit(0, 1, wording), Edit(0, 2, "All dogs bark [2].")]
    assert apply_edits([text], wanted, "en") == (["Cats sleep [1]. All dogs bark [2]."], 1, 1)


def test_a_long_sentence_becomes_two_that_each_cite_what_it_did() -> None:
    before = "Cats sleep all day, as was found, and in the night they hunt mice and frogs [1]."
    parted = "Cats sleep all day, as was found [1]. In the night they hunt mice and frogs [1]."
    assert apply_edits([before], [Edit(0, 1, parted)], "en") == ([parted], 1, 0)
    twice = "Cats sleep all day, as was found [1], and in the night they hunt mice [1]."
    assert apply_edits([before], [Edit(0, 1, twice)], "en") == ([before], 0, 1)


def test_what_cites_nothing_may_be_written_anew_with_what_its_section_says() -> None:
    text = "Cats sleep 16 hours [1]. Tom and Ada watched them [2]. So cats are lazy."
    anew = "So cats, which sleep 16 hours, are hard to study, and Ada needs patience for them."
    assert one_edit(text, anew, 3) == text.replace("So cats are lazy.", anew)
    for wording in ("So cats sleep 17 hours.", "So cats are lazy, says Zoe."):
        assert one_edit(text, wording, 3) == text
    assert one_edit(text, "Cats sleep 16 hours, says Zoe [1].") == text


def test_several_sentences_are_edited_in_whatever_order() -> None:
    text = "Cats sleep [1]. Dogs bark. Owls fly."
    wanted = [Edit(0, 1, "All cats sleep [1]."), Edit(0, 2, ""), Edit(0, 3, "All owls fly.")]
    for order in (wanted, wanted[::-1]):
        assert apply_edits([text], order, "en") == (["All cats sleep [1]. All owls fly."], 3, 0)


def test_what_would_make_code_or_a_heading_of_the_next_sentence_is_not_done() -> None:
    for text in ("Cats sleep. ```x\ny``` is code. Dogs bark.", "Cats sleep. # 1 of all dogs."):
        assert one_edit(text, "") == text


def test_a_number_in_code_is_no_licence_to_say_it() -> None:
    text = "Cats have `x[3]` paws [1]. Dogs bark."
    assert one_edit(text, "Cats have `x[4]` paws [1].") == text
    assert one_edit(text, "Cats have `x[3]` 4 paws [1].") == text


FIRSTS = [Edit(0, 1, ""), Edit(0, 2, ""), Edit(1, 1, "")]
CITED = ["Cats sleep [1]. Dogs bark [2].", "Owls fly [1]. Rats run [3]."]
WORDED = [Edit(0, 1, "All cats sleep."), Edit(0, 1, "Some cats sleep."), Edit(0, 1, "")]
UNCOVERED, CODE = "事实甲。事实`x[99]`乙。事实丙。", "事实甲。事实`x[99]`乙。"


@pytest.mark.parametrize(
    ("language", "written", "wanted", "made"),
    [
        ("en", ["Cats sleep. Dogs bark."], WORDED, (["All cats sleep. Dogs bark."], 1, 2)),
        ("en", ["Cats sleep. Dogs bark."], [Edit(0, 1, "[99]")],
         (["Cats sleep. Dogs bark."], 0, 1)),
        ("en", CITED, FIRSTS, (["Dogs bark [2].", CITED[1]], 1, 2)),
        ("en", ["Cats sleep. Dogs bark.", "Owls fly."], FIRSTS,
         (["Dogs bark.", "Owls fly."], 1, 2)),
        ("zh", [UNCOVERED], [Edit(0, 1, "事实`甲。"), Edit(0, 3, "")], ([UNCOVERED], 0, 2)),
        ("zh", [CODE, "事实丙。事实丁。"], [Edit(0, 1, "事实`甲。"), Edit(1, 1, "")],
         ([CODE, "事实丁。"], 1, 1)),
    ],
    ids=["a second edit of a sentence", "a wording of unknown marks alone",
         "a source's last citation", "a section's last sentence", "what uncovers a mark in code",
         "the other sections are edited all the same"],
)  # fmt: skip
def test_what_is_not_done(
    language: str, written: list[str], wanted: list[Edit], made: tuple[list[str], int, int]
) -> None:
    assert apply_edits(written, wanted, language) == made


@pytest.mark.parametrize(
    ("text", "sentence", "left"),
    [
        ("- one\n- two\n- three", 2, "- one\n- three"),
        (
            "1. one\n2. two\n\n   More.\n3. three\n5. five",
            1,
            "1. two\n\n   More.\n2. three\n5. five",
        ),
        (
            "1. one\n2. two\n3. three\n\nNot so.\n\n4. four",
            2,
            "1. one\n2. three\n\nNot so.\n\n4. four",
        ),
        ("1) one\n2) two\n3) three", 2, "1) one\n2) three"),
        ("• one\n• two", 2, "• one"),
        ("> one\n> two", 1, "> two"),
        ("- One here. Two there.\n- three", 1, "- Two there.\n- three"),
        ("One.\nTwo.\nThree.", 2, "One.\nThree."),
        ("One. Two.\n\nThree.", 2, "One.\n\nThree."),
        ("One.\n\nTwo.\n\nThree.", 2, "One.\n\nThree."),
        ("One.\n\n```\na\n\n\n- \nb\n```", 1, "```\na\n\n\n- \nb\n```"),
    ],
)
def test_a_sentence_goes_with_its_line_and_nothing_else(
    text: str, sentence: int, left: str
) -> None:
    assert (
        replace_sentences(text, [(find_editable_sentences(text, "en")[sentence - 1], "")]) == left
    )


def test_the_first_wording_of_a_sentence_counts() -> None:
    first, second = find_editable_sentences("Cats sleep. Dogs bark.", "en")
    changes = [
        (second, "Dogs run."), (first, "Cats purr."), (second, ""), (first, "Cats eat fish."),
    ]  # fmt: skip
    assert replace_sentences("Cats sleep. Dogs bark.", changes) == "Cats purr. Dogs run."


LONG = "The dam of the lake is 90 metres high [1]. It was built by prisoners in 1962 [2]."


@pytest.mark.parametrize(
    ("wording", "removed", "after"),
    [
        ("The dam of the lake, 90 metres high [1], was built in 1962 [2].", 2, None),
        ("The dam of the lake, built in 1962, is 90 metres high [1][2].", 2, None),
        ("The dam of the lake, 90 metres high, was built in 1962 [1].", 2, LONG),
        ("The dam of the lake, 90 metres high [1], was built in 1963 [2].", 2, LONG),
        ("The dam of the lake, 90 metres high [1], was built in 1962 [2].", 3, LONG),
    ],
    ids=["apart", "together", "a mark lost", "another figure", "another one taken out"],
)
def test_two_neighbours_become_one_that_cites_what_both_cited(
    wording: str, removed: int, after: str | None
) -> None:
    more = " Boats may sail on it [3]. Swimmers, too, enjoy it [3]."
    [made], _, _ = apply_edits([LONG + more], [Edit(0, 1, wording), Edit(0, removed, "")], "en")
    left = more if removed == 2 else more.replace(" Boats may sail on it [3].", "")
    assert made == (wording if after is None else after) + left


def test_a_merger_stays_in_its_paragraph() -> None:
    text = LONG.replace(". It", ".\n\nIt")
    wanted = [Edit(0, 1, "The dam is 90 metres high [1] and of 1962 [2]."), Edit(0, 2, "")]
    assert apply_edits([text], wanted, "en")[0] == [text]


def test_an_editor_is_shown_tables_and_code_between_the_sentences() -> None:
    rows = "\n".join(f"| pump {n} | {n} kg |" for n in range(20))
    text = f"The pumps:\n\n| Pump | Weight |\n|---|---|\n{rows}\n\nRun it.\n\n```\na\n\nb\n```"
    [lead, table, run, code] = list_parts(text, "en")
    assert (lead, run) == (("The pumps:", True), ("Run it.", True))
    assert table[0].startswith("| Pump | Weight |\n| pump 0 | 0 kg |\n")
    assert table[0].endswith("| pump 8 | 8 kg |\n(… 11 more lines)")
    assert (code, table[1]) == (("a\nb", False), False)


def test_a_sentence_that_cites_nothing_goes_into_one_that_takes_up_its_number_or_stays() -> None:
    text = "The limit of 18,000 outlived its validity. The encyclopaedia still gives it [6]."
    whole = [Edit(0, 1, ""), Edit(0, 2, "The encyclopaedia still gives 18,000 [6].")]
    [made], count, refused = apply_edits([text], whole, "en")
    assert (made, count, refused) == ("The encyclopaedia still gives 18,000 [6].", 2, 0)
    wrong = [Edit(0, 1, ""), Edit(0, 2, "The encyclopaedia still gives 18,000 and 7 [6].")]
    assert apply_edits([text], wrong, "en") == ([text], 0, 2)


@pytest.mark.parametrize(
    ("after", "made"),
    [
        ("Take a volume of 80 GiB.", True),  # cites nothing, and is checked after it
        ("Take a volume of 90 GiB.", False),
        ("A volume takes 48 GiB, of 80 GiB in all [1].", True),
        ("A volume takes 48 GiB for 72 hours [1].", False),  # source 2 says that
    ],
)
def test_a_figure_of_another_section_comes_with_its_source(after: str, *, made: bool) -> None:
    before = "A volume takes 48 GiB [1]." if "[1]" in after else "Take a volume."
    texts = [f"{before} So it is.", "A volume of 80 GiB is best [1]. Jobs stay 72 hours [2]."]
    edited, _, _ = apply_edits(texts, [Edit(0, 1, after)], "en")
    assert (after in edited[0]) == made


def test_a_sentence_may_lose_a_part_and_its_citation_where_that_is_cited_elsewhere() -> None:
    text = "Cats sleep [1], and dogs bark [2]. Dogs bark at night [2]."
    edit = Edit(0, 1, "Cats sleep [1].")
    assert apply_edits([text], [edit], "en")[0] == ["Cats sleep [1]. Dogs bark at night [2]."]
    alone = "Cats sleep [1], and dogs bark [2]. Owls nest here [1]."
    assert apply_edits([alone], [edit], "en")[0] == [alone]
    other = Edit(0, 1, "Cats sleep well [1].")
    assert apply_edits([text], [other], "en")[0] == [text]


@pytest.mark.parametrize(
    ("after", "made"),
    [
        ("The price is likely too low, since it holds no interest and no upkeep [1].", True),
        ("The price is likely too low, since pumps last 15 years [1].", False),
        ("The price is likely too low, since it holds no rent [1].", False),
    ],
)
def test_what_is_cited_elsewhere_may_be_left_out_in_other_words(after: str, *, made: bool) -> None:
    long = (
        "The price is likely too low: it holds no interest and no upkeep and spreads the work over "
        "25 years [1], while the pumps last 15 [2]."
    )
    [text], count, _ = apply_edits([f"{long} Pumps last 15 years [2]."], [Edit(0, 1, after)], "en")
    assert (count, text.startswith(after)) == (int(made), made)
    alone, count, _ = apply_edits([long], [Edit(0, 1, after)], "en")
    assert (alone, count) == ([long], 0)


def test_a_fact_that_is_cited_elsewhere_may_turn_into_what_follows() -> None:
    texts = ["Brine had 2.1 falls and grit 3.4 [2].", "Brine had 2.1 falls and grit 3.4 [2]."]

    def edit(wording: str, of: list[str]) -> str:
        return apply_edits(of, [Edit(1, 1, wording)], "en")[0][1]

    assert edit("Brine is thus the safer way.", texts) == "Brine is thus the safer way."
    assert edit("Brine is thus safer by 1.3 falls.", texts) == texts[1]  # a figure
    assert edit("Brine is thus safer than in Corvale.", texts) == texts[1]  # a name
    alone = [texts[0].replace("[2]", "[1]"), texts[1]]
    assert edit("Brine is thus the safer way.", alone) == alone[1]  # source 2 would be lost


@pytest.mark.parametrize(
    ("next_one", "edits", "stays"),
    [
        ("On the disk 5 GiB lie before that stop [1].", [], True),
        ("On the disk 5 GiB lie before it [1].", [], False),  # what "it" is may stand before
        ("On the disk 5 GiB lie before that limit [1].", [], False),  # named before
        ("On the disk 5 GiB lie before that stop [1].", ["5 GiB lie before the end [1]."], False),
    ],
)
def test_a_sentence_stays_that_the_next_one_points_at(
    next_one: str, edits: list[str], *, stays: bool
) -> None:
    stop = "At 92 % the server stops [1]."
    text = f"The disk has a limit [1]. {stop} {next_one}"
    made, *_ = apply_edits([text], [Edit(0, 2, ""), *(Edit(0, 3, one) for one in edits)], "en")
    assert (stop in made[0]) is stays
