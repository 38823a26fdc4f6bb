"""Citation marks: every form read, no unknown number kept, no known one lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.markers import (
    drop_repeated_sentences,
    find_cited_sentences,
    find_markers,
    normalise_markers,
    strip_markers,
)

KNOWN = {1, 2, 3, 4, 5, 12}

pieces = st.sampled_from(
    ["[1]", "[2]", "[99]", "[1, 2]", "[3]-[5]", "[1-3]", "[4–2]", "([1](http://a.b))", "([2])",
     "[^1]", "【1】", "【1，99】", "[1](u)", "[123456]", "[" + "1" * 5000 + "]", "[1", "1]", "[",
     "]", "(", ")", "(a)", "-", ",", ".", "。", "!", " ", "\n", "word", "`a[1]`", "`", "```",
     "~~~", "؟", "שלום", "[0]", "[01]", "[١]", "🙂"]
)  # fmt: skip
texts = st.lists(pieces, max_size=14).map("".join)
numbers = st.sets(st.sampled_from(sorted(KNOWN)))


@given(texts, numbers)
def test_no_unknown_number_is_kept_and_normalising_twice_changes_nothing(
    text: str, known: set[int]
) -> None:
    once, _ = normalise_markers(text, known)
    assert normalise_markers(once, known) == (once, 0)
    assert set(find_markers(once)) <= known


facts = st.tuples(st.sampled_from(["A fact", "שלום", "数据"]), st.sampled_from(sorted(KNOWN)))
forms = ["[{}]", "([{}])", "([{}](http://x.y/z))", "[^{}]", "【{}】", "[{}](u)", "[99, {}]"]


@given(
    st.lists(facts, min_size=1),
    st.sampled_from(forms),
    st.sampled_from([".", "。", "!", "", "؟"]),
)
def test_no_known_number_is_lost(said: list[tuple[str, int]], form: str, stop: str) -> None:
    text = " ".join(f"{words} {form.format(number)}{stop}" for words, number in said)
    assert set(find_markers(normalise_markers(text, KNOWN)[0])) == {number for _, number in said}


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Fact [1, 2].", "Fact [1][2]."),
        ("Fact [1; 2].", "Fact [1][2]."),
        ("Fact [3]-[5].", "Fact [3][4][5]."),
        ("Fact [1]–[3]–[5].", "Fact [1][2][3][4][5]."),
        ("Fact [1-3].", "Fact [1][2][3]."),
        ("Fact [99].", "Fact."),
        ("Fact [1], [99], [2].", "Fact [1][2]."),
        ("Fact [1], [99].", "Fact [1]."),
        ("Fact ([1](http://a.b)).", "Fact [1]."),
        ("Fact [1](http://a.b).", "Fact [1]."),
        ("Fact [^1].", "Fact [1]."),
        ("Fact 【1】.", "Fact [1]."),
        ("Fact【1】。", "Fact[1]。"),
        ("Fact. [1]", "Fact [1]."),
        ("Fact.[1][2] More.", "Fact [1][2]. More."),
        ("Fact [1] [1].", "Fact [1]."),
        ("事实。[1]", "事实[1]。"),
        ("Fact [1", "Fact [1"),
        ("עובדה [1, 2].", "עובדה [1][2]."),
        ("حقيقة [١].", "حقيقة [1]."),
        ("[[99]7] Fact.", "Fact."),
        ("Fact [123456].", "Fact."),
        ("Fact [1-200].", "Fact [1]."),
        ("The .gitignore of version .5 stays", "The .gitignore of version .5 stays"),
        ("[text](http://a.b) and [x]", "[text](http://a.b) and [x]"),
        ("Fact [1](http://a.b/c_(d)). So [99](http://a.b/c_(d)).", "Fact [1]. So."),
        ("Fact \\[1\\]. So [2\\].", "Fact [1]. So [2]."),
        ("עובדה [\u200f1\u200e].", "עובדה [1]."),
        ("**Fact.** [1] More.", "**Fact [1].** More."),
        ("He said “yes.” [1] More.", "He said “yes [1].” More."),
        ("事实甲。[1]事实乙。”【2】事实丙", "事实甲[1]。事实乙[2]。”事实丙"),
        ("حقيقة؟ [1] نعم. तथ्य। [2]", "حقيقة [1]؟ نعم. तथ्य [2]।"),
        ("Cho et al. [1] found it.", "Cho et al. [1] found it."),
        ("- one [1]\n- [3] two", "- one [1]\n- [3] two"),
        ("One.\n\n[99]\n\nTwo.", "One.\n\nTwo."),
        ("## Head [1]\n\nFact [2].", "## Head\n\nFact [2]."),
    ],
)
def test_every_form_becomes_one(written: str, normal: str) -> None:
    assert normalise_markers(written, KNOWN)[0] == normal


@pytest.mark.parametrize(
    "code",
    [
        "`a[1]`", "`[99]`", "```\nx[99] .y\n```", "~~~\nx[2], [1]\n~~~", "````\n```[99]\n````",
        "```\n# x [1]\n```",
    ],
)  # fmt: skip
def test_code_is_left_alone(code: str) -> None:
    assert normalise_markers(f"Fact [1].\n\n{code}", KNOWN) == (f"Fact [1].\n\n{code}", 0)


@given(texts)
def test_text_without_marks_loses_no_letter(text: str) -> None:
    bare = re.sub(r"[\d\[\]【】`~]", "", text)
    kept = normalise_markers(bare, KNOWN)[0]
    assert "".join(kept.split()) == "".join(bare.split())


def test_dropped_numbers_are_counted() -> None:
    assert normalise_markers("A [99], b [1, 98], c [[97]96].", {1}) == ("A, b [1], c.", 4)


def test_marks_in_code_do_not_count() -> None:
    assert find_markers("A [2] `b[1]` c [3][2].") == [2, 3, 2]
    assert strip_markers("A [2] `b[1]` [4] c [3].") == "A `b[1]` c."


def test_three_backticks_open_code_where_a_line_begins_and_nowhere_else() -> None:
    assert find_markers("Fact [1] ``` x [2].\n\n```\ny[3]\n```\n\nFact [4].") == [1, 2, 4]
    assert normalise_markers("```x[99]``` is code [1]. Fact [2].", KNOWN)[0] == (
        "`x[99]` is code [1]. Fact [2]."
    )


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("```\nx", "\n```"), ("````py\n```\nx", "\n````"), ("~~~\n```\nx", "\n~~~"),
        ("```\nx\n```", ""), ("~~~~\n~~~\n~~~~", ""), ("```\nx\n```y", "\n```"), ("```x`y", ""),
    ],
)  # fmt: skip
def test_a_fence_that_was_left_open_is_closed(text: str, closing: str) -> None:
    assert normalise_markers(f"Fact [1].\n\n{text}", KNOWN)[0] == f"Fact [1].\n\n{text}{closing}"


blocks = st.sampled_from(
    ["Fact [1]. ", "More [2][99]. ", "[3]", "# Head [4]", "- [5] item", "| a [12] |", "> said [1]",
     "\n", "\n\n", "```", "~~~", "`x[99]`", "`", "`some. Code[98]`", "事实。[1]", "\u2028", "\x0c",
     "---", "    "]
)  # fmt: skip


@given(st.lists(blocks, max_size=12).map("".join), st.sampled_from(["en", "zh"]))
def test_every_mark_that_counts_stands_in_a_sentence(text: str, language: str) -> None:
    normal, _ = normalise_markers(text, KNOWN)
    assert normalise_markers(normal, KNOWN) == (normal, 0)
    cited = {n for _, numbers in find_cited_sentences(normal, language) for n in numbers}
    assert cited == set(find_markers(normal))


def test_marks_behind_code_belong_to_their_own_sentences() -> None:
    found = find_cited_sentences("Use `x[9]` here [1]. Fact [2].", "en")
    assert [numbers for _, numbers in found] == [[1], [2]]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("One.\nTwo.\nThree.", "One.\nThree."),
        ("One. Two.\n\nThree.", "One.\n\nThree."),
        ("One.\n\nTwo.\n\nThree.", "One.\n\nThree."),
        ("Two. Three.\n\n```\na\n\n\nb  \n```", "Three.\n\n```\na\n\n\nb  \n```"),
    ],
)
def test_a_repeated_sentence_goes_and_all_else_stays(text: str, left: str) -> None:
    assert drop_repeated_sentences(["Two.", text], "en") == (["Two.", left], 1)
