"""Where shown parts begin and end: at no place inside a sentence, a row or a block of code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.part_ends import (
    LONGEST_BLOCK,
    OMISSION,
    find_code_blocks,
    mark_omissions,
    widen_part,
)

PROSE = "A filter is changed every year. It lasts longer in clean air. Seals are greased."
CODE = "```sh\npump --stop\npump --drain\n```\n"
ROWS = "| part | life |\n| --- | --- |\n| filter | 2,000 h |\n| seal | 9,000 h |"
PAGE = (
    f"## Care\n\n{PROSE}\n\nTo stop it, type:\n\n{CODE}\nThen wait.\n\n{ROWS}\n\n## Parts\n\nNone."
)


def widen(text: str, start: int, end: int) -> str:
    first, last = widen_part(text, start, end, find_code_blocks(text), "en")
    return text[first:last].strip()


def cut(first: str, last: str, text: str = PAGE) -> str:
    """What is shown where a part begins and ends in the middle of these words."""
    return widen(text, text.index(first) + len(first) // 2, text.index(last) + len(last) // 2)


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        ("lasts", "clean", "It lasts longer in clean air."),
        ("lasts", "Seals", "It lasts longer in clean air. Seals are greased."),
        ("filter | 2", "seal |", "| filter | 2,000 h |\n| seal | 9,000 h |"),
        ("drain", "wait", f"To stop it, type:\n\n{CODE}\nThen wait."),
        ("greased", "drain", f"Seals are greased.\n\nTo stop it, type:\n\n{CODE}".strip()),
        ("greased", "type", f"Seals are greased.\n\nTo stop it, type:\n\n{CODE}".strip()),
    ],
)
def test_what_a_cut_goes_through_is_shown_whole(first: str, last: str, shown: str) -> None:
    assert cut(first, last) == shown


def test_a_line_that_leads_on_takes_no_heading_with_it() -> None:
    text = "It is so:\n\n## Parts\n\nA seal."
    assert widen(text, 0, 9) == "It is so:"


FLOW = "**`flow` (`integer`)**: What it moves.\n\nAt rest it moves none.\n\nThe default is 9."
HEAD = "**`head` (`integer`)**: How high it lifts.\n\nThe default is 3."
SETTINGS = f"## Settings\n\nThese are set once.\n\n{FLOW}\n\n{HEAD}\n\n## Parts\n\nNone."


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        ("What it", "What it", FLOW),
        ("At rest", "At rest", FLOW),
        ("default is 9", "How high", f"{FLOW}\n\n{HEAD}"),
        ("default is 3", "default is 3", HEAD),
        ("These are", "These are", "These are set once."),
        ("None", "None", "None."),
    ],
)
def test_a_definition_is_shown_with_its_term_and_to_its_end(
    first: str, last: str, shown: str
) -> None:
    assert cut(first, last, SETTINGS) == shown


STEPS = "1. Stop the pump.\n\n2. Drain it.\n   Wait.\n\n3. Open the lid.\n\n4. Clean it."


@pytest.mark.parametrize("last", ["pump", "Wait", "lid", "Clean"])
def test_steps_are_shown_to_the_last_one(last: str) -> None:
    page = f"## Care\n\nDo this.\n\n{STEPS}\n\nThen rest.\n\n## Parts\n\n5. None is left."
    assert cut("this", last, page) == f"Do this.\n\n{STEPS}"


def test_steps_are_shown_from_the_first_one() -> None:
    page = f"## Care\n\nDo this.\n\n{STEPS}\n\nThen rest."
    assert cut("lid", "rest", page) == f"{STEPS}\n\nThen rest."


@given(st.text("ab .:|`*#\n…", max_size=300), st.data())
def test_a_part_grows_and_no_further_than_a_block(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    blocks = find_code_blocks(text)
    first, last = widen_part(text, start, end, blocks, "en")
    assert 0 <= first <= start <= end <= last <= len(text)
    assert text[first:last].strip("\n") in mark_omissions(text, first, last, blocks)


def test_of_a_block_that_is_too_long_lines_are_shown_between_fences() -> None:
    lines = "".join(f"pump --stop {n}\n" for n in range(500))
    text = f"Type:\n\n```sh\n{lines}```\n"
    at = text.index("pump --stop 250") + 3
    blocks = find_code_blocks(text)
    first, last = widen_part(text, at, at + 40, blocks, "en")
    shown = mark_omissions(text, first, last, blocks).splitlines()
    assert shown[:3] == [OMISSION, "```sh", "pump --stop 250"]
    assert shown[-2:] == ["```", OMISSION]
    assert last - first < LONGEST_BLOCK


def test_a_text_that_begins_inside_a_block_of_code_is_read_by_the_next_named_fence() -> None:
    text = f"pump --start\n```\nIt runs.\n\n{CODE}\nIt stops.\n"
    assert text.index("```sh") in [start for start, _ in find_code_blocks(text)]


def test_text_that_is_left_out_is_marked_up_to_the_headings_around() -> None:
    blocks = find_code_blocks(PAGE)
    start, end = PAGE.index("It lasts"), PAGE.index(" Seals")
    assert mark_omissions(PAGE, start, end, blocks) == "…\nIt lasts longer in clean air.\n…"
    whole = PAGE[: PAGE.index("\n\n## Parts")]
    assert mark_omissions(PAGE, 0, len(whole), blocks) == whole
    below = len("## Care\n\n")
    assert mark_omissions(PAGE, below, len(whole), blocks) == whole[below:]
    assert mark_omissions(PAGE, PAGE.index("None"), len(PAGE), blocks) == "None."
    row = PAGE.index("| seal")
    assert mark_omissions(PAGE, row, len(whole), blocks, "| part |").startswith("…\n| part |\n|")
