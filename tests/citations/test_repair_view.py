"""What a repair is shown of a section and of passages."""

import pytest

from citations.repair_view import choose_shown_paragraphs, find_excerpts, find_paragraphs

SECTION = (
    "Looms weave linen [1].\n\n| part | life |\n| --- | --- |\n| belt | 9 |\n\nSo belts wear. More."
)
PASSAGE = (
    "The hall is wide.\n\n## Belts\n\nA belt lasts nine years in dry rooms.\n\n"
    "Belts are sold here.\n\n"
    "Timber of the frame:\n\n| frame | oak |"
)


def read(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_empty_lines_part_paragraphs_and_a_table_stays_whole() -> None:
    held = read(SECTION, find_paragraphs(SECTION))
    assert [one.splitlines()[0] for one in held] == [
        "Looms weave linen [1].", "| part | life |", "So belts wear. More.",
    ]  # fmt: skip
    assert find_paragraphs("") == []


def test_a_sentence_is_shown_with_its_paragraph_and_where_it_begins_that_with_the_one_before() -> (
    None
):
    start, second = SECTION.index("So belts"), SECTION.index("More.")
    [shown] = read(SECTION, choose_shown_paragraphs(SECTION, [(start, start + 14)], [], "en"))
    assert shown.startswith("| part")
    assert shown.endswith("More.")
    alone = choose_shown_paragraphs(SECTION, [(second, second + 5)], [], "en")
    assert read(SECTION, alone) == ["So belts wear. More."]


def test_a_point_shows_the_paragraph_that_speaks_of_it() -> None:
    shown = choose_shown_paragraphs(SECTION, [], ["what linen looms weave"], "en")
    assert read(SECTION, shown) == ["Looms weave linen [1]."]
    assert choose_shown_paragraphs(SECTION, [], ["price of paint"], "en") == []


def test_of_a_passage_the_paragraphs_are_shown_that_say_most_of_it() -> None:
    shown = find_excerpts(PASSAGE, ["A belt lasts nine years in wet rooms."], "en")
    assert read(PASSAGE, shown) == ["A belt lasts nine years in dry rooms."]
    [both] = read(PASSAGE, find_excerpts(PASSAGE, ["belts"], "en"))
    assert both.endswith("A belt lasts nine years in dry rooms.\n\nBelts are sold here.")


DEFINED = (
    "**`idle_age` (`integer`)**: Age from which a belt is idle.\n\nIt is changed in the "
    "workshop alone."
    "\n\n**`idle_room`**: Room for idle belts.\n\n## More\n\nA belt is idle at night."
)


@pytest.mark.parametrize("said", ["the age of an idle belt", "what the workshop changes"])
def test_a_definition_is_shown_whole(said: str) -> None:
    shown = read(DEFINED, find_excerpts(DEFINED, [said], "en"))
    assert shown[0] == DEFINED.partition("\n\n**`")[0]


@pytest.mark.parametrize("said", ["mean abstraction from April to September", "waterworks"])
def test_a_caption_and_its_table_bring_each_other(said: str) -> None:
    caption = "Mean abstraction, cubic metres a day, April to September"
    table = "| User | 2022 |\n| --- | --- |\n| Waterworks | 8,460 |"
    text = f"Limits differ.\n\n{caption}\n\n{table}\n\nAll is known."
    assert read(text, find_excerpts(text, [said], "en")) == [f"{caption}\n\n{table}"]
    told = text.replace(caption, f"{caption} is told.")
    assert len(read(told, find_excerpts(told, [said], "en"))[0]) < len(f"{caption}\n\n{table}")


def test_a_line_that_leads_to_a_table_brings_it_and_what_shares_no_word_is_shown_whole() -> None:
    assert read(PASSAGE, find_excerpts(PASSAGE, ["timber"], "en")) == [
        "Timber of the frame:\n\n| frame | oak |"
    ]
    assert find_excerpts(PASSAGE, ["Kraken"], "en") == [(0, len(PASSAGE))]


def test_where_paragraphs_share_one_of_several_words_the_whole_passage_is_shown() -> None:
    whole = [(0, len(PASSAGE))]
    assert find_excerpts(PASSAGE, ["the price of a belt in spring"], "en") == whole
    assert find_excerpts(PASSAGE, ["how long a belt lasts"], "en") != whole
