"""A section in other words: whatever it says, the others stay as they are, byte for byte."""

from hypothesis import given
from hypothesis import strategies as st

from citations.markers import (
    find_markers,
    normalise_markers,
    number_by_appearance,
    renumber_markers,
)
from citations.splice import replace_sections, split_off_charts

NUMBERS = st.integers(1, 9)
PIECES = st.lists(
    st.one_of(
        NUMBERS.map("[{}]".format),
        st.text(max_size=6),
        st.sampled_from(["\n\n", "`[1]`", "```\n[2]\n```\n", "| [3] |", "[9, 8]", "](", " 🦦 "]),
    ),
    max_size=8,
).map("".join)


@st.composite
def reports(draw: st.DrawFn) -> tuple[list[str], dict[int, str]]:
    """Texts numbered in order of appearance, and what the writers of some of them say now."""
    drafts = [
        normalise_markers(text, range(1, 10))[0] for text in draw(st.lists(PIECES, min_size=1))
    ]
    order = number_by_appearance(drafts)
    around = st.text(" \n\t", max_size=3)
    texts = [f"{draw(around)}{renumber_markers(text, order)}{draw(around)}" for text in drafts]
    places = draw(st.sets(st.integers(0, len(texts) - 1), min_size=1))
    return texts, {one: normalise_markers(draw(PIECES), range(1, 20))[0] for one in places}


@given(reports())
def test_sections_say_what_their_writers_said_and_all_else_stays(
    given_report: tuple[list[str], dict[int, str]],
) -> None:
    texts, said = given_report
    listed = set(number_by_appearance(texts))
    changed, called = replace_sections(texts, said, listed)
    assert len(changed) == len(texts)
    for number, (before, after) in enumerate(zip(texts, changed, strict=True)):
        if number not in said:
            assert after.encode(errors="surrogatepass") == before.encode(errors="surrogatepass")
    for place, text in said.items():
        assert renumber_markers(changed[place], called) == text
    # every mark has its reference, and every reference is cited
    assert list(called) == sorted({number for text in changed for number in find_markers(text)})
    # a source keeps its number, and a new one comes after the last
    assert all(called[number] == number for number in called if number in listed)
    new = {number: before for number, before in called.items() if number not in listed}
    first = max(listed, default=0) + 1
    assert list(new) == list(range(first, first + len(new)))
    assert list(new.values()) == [
        n for n in number_by_appearance(said[at] for at in sorted(said)) if n not in listed
    ]


def test_the_number_of_a_source_that_nobody_cites_any_more_is_left_out() -> None:
    texts = ["A [1]. B [2].", "C [3]. D [1]."]
    changed, called = replace_sections(texts, {0: "A [1]. E [7]. F [5]."}, {1, 2, 3})
    assert changed == ["A [1]. E [4]. F [5].", "C [3]. D [1]."]
    assert called == {1: 1, 3: 3, 4: 7, 5: 5}


def test_the_lines_that_show_charts_are_told_apart() -> None:
    text = "A [1].\n\n![Rise, 2024](chart:0) [1][2]\n\nB ![no](x.png) [2].\n\n![](chart:1)"
    bare, charts = split_off_charts(text)
    assert bare == "A [1].\n\nB ![no](x.png) [2]."
    assert charts == ["![Rise, 2024](chart:0) [1][2]", "![](chart:1)"]
