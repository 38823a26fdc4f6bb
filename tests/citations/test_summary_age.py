"""What becomes of a summary when a section is rewritten."""

from citations.summary_check import cut_outdated

BEFORE = [
    "The dam is 90 metres high [1]. It was built in 1962 [2].",
    "The bridge was opened in 1931 [3].",
]
SUMMARY = """The dam is high enough.

### Findings

1. The dam is 90 metres high [1].
2. It was built in 1962 [2].
3. The bridge was opened in 1931 [3].

### How sure this is

The year 1962 rests on one source."""


def test_what_rests_on_a_lost_source_or_figure_is_cut() -> None:
    after = ["The dam is 90 metres high [1]. Its year is disputed [1].", BEFORE[1]]
    text, count = cut_outdated(SUMMARY, BEFORE, after, "en")
    assert (
        text
        == """The dam is high enough.

### Findings

1. The dam is 90 metres high [1].
2. The bridge was opened in 1931 [3]."""
    )
    assert count == 2


def test_a_figure_that_changed_is_cut_though_its_source_stays() -> None:
    after = ["The dam is 87 metres high [1]. It was built in 1962 [2].", BEFORE[1]]
    text, count = cut_outdated(SUMMARY, BEFORE, after, "en")
    assert "90 metres" not in text
    assert count == 1


def test_what_the_sections_still_say_stays() -> None:
    after = [BEFORE[0] + " Its lake is used for swimming [4].", BEFORE[1]]
    assert cut_outdated(SUMMARY, BEFORE, after, "en") == (SUMMARY, 0)


def test_a_summary_is_never_left_without_a_citation() -> None:
    assert cut_outdated(SUMMARY, BEFORE, ["Eels breed there [9]."], "en") == (SUMMARY, 0)
