"""Where a section takes up what was added to it."""

import pytest

from citations.additions import (
    find_block,
    follow_repair,
    insert_addition,
    is_copied,
    join_addition,
    put_in_place,
    split_addition,
)

TEXT = (
    "The mill grinds rye [1].\n\n- **Belts.** A belt lasts two years [1].\n- **Oil.** It takes oil "
    "of whales [2].\n\nSo the mill is cheap to run."
)
ADDED = "A spare belt costs 9 crowns [3]."


def test_it_stands_behind_the_sentence_that_its_writer_names() -> None:
    text = insert_addition(TEXT, ADDED, "a belt lasts two", "en")
    assert (
        "- **Belts.** A belt lasts two years [1]. A spare belt costs 9 crowns [3].\n- **O" in text
    )


def test_it_does_not_come_between_a_sentence_and_those_that_lean_on_it() -> None:
    text = "Rye is ground at night [1]. This spoils it [1]. Salt is no help then [1]. Oats dry [2]."
    added = insert_addition(text, ADDED, "Rye is ground", "en")
    assert added == text.replace("Oats", f"{ADDED} Oats")


def test_without_a_name_it_stands_beside_what_speaks_of_the_same_thing() -> None:
    added = "The oil of whales is changed in May [3]."
    for after in ("", "No sentence begins so"):
        text = insert_addition(TEXT, added, after, "en")
        assert "It takes oil of whales [2]. The oil of whales is changed in May [3].\n\nSo" in text


def test_without_a_name_it_stands_in_no_item_that_is_on_another_thing() -> None:
    added = "The belts take oil of whales as well [3]."
    inside = TEXT.replace("years [1].", f"years [1]. {added}")
    assert insert_addition(TEXT, added, "A belt lasts", "en") == inside
    other = "It takes oil of whales in dust [3]."
    labelled = TEXT.replace("**Oil.**", "**Drink.**")
    behind = labelled.replace("whales [2].", f"whales [2].\n\n{other}")
    assert insert_addition(labelled, other, "", "en") == behind


def test_what_nothing_speaks_of_stands_before_the_paragraph_that_sums_up() -> None:
    text = insert_addition(TEXT, "Owls nest here [3].", "", "en")
    assert text.endswith("whales [2].\n\nOwls nest here [3].\n\nSo the mill is cheap to run.")


def test_nothing_comes_between_a_colon_and_the_code_it_leads_to() -> None:
    lead = "- Ask for the age of belts [1]:\n\n```\nSELECT age;\n```"
    text = insert_addition(lead, ADDED, "Ask for the age", "en")
    assert text == f"- {ADDED} Ask for the age of belts [1]:\n\n```\nSELECT age;\n```"


def test_what_speaks_of_a_row_stands_behind_its_table() -> None:
    table = "| Part | Price |\n| --- | --- |\n| spare belt | open |\n| oil | 2 [1] |\n\nThe end."
    text = insert_addition(table, ADDED, "", "en")
    assert text.endswith(f"| oil | 2 [1] |\n\n{ADDED}\n\nThe end.")


def test_an_item_without_a_stop_gets_one() -> None:
    assert insert_addition("- Belts last long [1]", ADDED, "Belts last", "en") == (
        f"- Belts last long [1]. {ADDED}"
    )


BLOCK = "```\nmill oil \\\n  --whale\n```"


def test_added_code_stands_below_its_sentence_behind_the_paragraph() -> None:
    text = insert_addition(TEXT, f"{ADDED}\n\n{BLOCK}", "The mill grinds", "en")
    assert text.startswith(f"The mill grinds rye [1].\n\n{ADDED}\n\n{BLOCK}\n\n- **Belts.**")
    assert find_block(text) == [BLOCK]


def test_added_code_does_not_part_a_lead_from_its_own_code() -> None:
    lead = "It is quiet [1].\n\nBelts age [1]. Ask for their age:\n\n```\nSELECT age;\n```"
    text = insert_addition(lead, f"{ADDED}\n\n{BLOCK}", "Belts age", "en")
    assert text == lead.replace("Belts age", f"{ADDED}\n\n{BLOCK}\n\nBelts age")


def test_code_is_copied_where_one_source_has_each_line_of_it() -> None:
    told = ["Oil it.\n\n    mill oil \\\n        --whale\n", "mill stop"]
    assert is_copied(BLOCK, told)
    assert not is_copied(BLOCK.replace("whale", "olive"), told)
    assert not is_copied("```\nmill oil \\\nmill stop\n```", told)
    assert not is_copied("```\n\n```", told)


def test_a_sentence_is_found_by_its_beginning_before_its_repair() -> None:
    repaired = [
        ("Belts last long [1].", "Belts last two years [1]. They squeak [1]."),
        ("Old.", ""),
    ]
    assert follow_repair("Belts last long", repaired, "en") == "They squeak [1]."
    assert follow_repair("Old", repaired, "en") == ""
    assert follow_repair("The mill", repaired, "en") == "The mill"


def test_what_would_make_a_paragraph_too_long_is_one_of_its_own() -> None:
    said = [f"A part of the mill costs {price} crowns [1]." for price in range(10, 18)]
    long, short = " ".join(said), " ".join(said[:3])
    assert insert_addition(long, ADDED, "A part of the mill costs 11", "en") == f"{long}\n\n{ADDED}"
    text = insert_addition(short, ADDED, "A part of the mill costs 11", "en")
    assert text == f"{said[0]} {said[1]} {ADDED} {said[2]}"


PLACED = "Belts wear out. A belt lasts 2 years [1]. Change it then."


@pytest.mark.parametrize(
    ("addition", "after", "placed"),
    [
        ("A belt lasts 2 years [1], or 1 in dust [3].", "A belt lasts", True),
        ("A belt lasts 1 year in dust [1][3].", "A belt lasts", False),  # the 2 years would be lost
        ("A belt lasts 2 years, or 1 in dust [3].", "A belt lasts", False),  # the source would
        ("A belt lasts 2 years [1], or 1 in dust [3].", "An owl", False),
    ],
)
def test_an_addition_takes_the_place_of_a_sentence_that_it_takes_up(
    addition: str, after: str, placed: bool
) -> None:
    made = put_in_place(PLACED, addition, after, "en")
    before = "A belt lasts 2 years [1]."
    assert made == ((PLACED.replace(before, addition), before, addition) if placed else None)


def test_an_addition_takes_the_place_of_the_last_clause_that_it_takes_up() -> None:
    before = "The load is 33 GiB; on disk it takes 43 GiB, so little room is left."
    addition = "The index adds a third, which makes 43 GiB on disk [4], so little room is left."
    after = f"The load is 33 GiB. {addition}"
    made = put_in_place(f"{before} Plan ahead.", addition, "The load is", "en")
    assert made == (f"{after} Plan ahead.", before, after)
    other = addition.replace("43", "44")
    assert put_in_place(before, other, "The load is", "en") is None
    assert put_in_place(before, "Rye has 43 ears in all [4].", "The load is", "en") is None


def test_what_takes_the_place_of_a_sentence_that_leads_to_a_list_leads_to_it() -> None:
    text = "The council chose [1]:\n\n- brine,\n- grit."
    leading = "The council, which met in June [2], chose [1]:"
    assert put_in_place(text, leading, "The council", "en") == (
        text.replace("The council chose [1]:", leading),
        "The council chose [1]:",
        leading,
    )
    assert put_in_place(text, "The council chose in June [1][2].", "The council", "en") is None


LISTED = "Look at these:\n\n- A belt lasts two years [1].\n- Oil the loom [1].\n\nSo plan ahead."


def test_it_does_not_come_between_an_item_and_its_code_or_the_next_item() -> None:
    text = (
        "Stop the mill.\n\n1. Lift the stone with the lever [1].\n\n   ```sh\n   lift stone\n\n"
        "   lower stone\n   ```\n\n2. Oil the belt [1].\n\nThen start it."
    )
    added = "In quarries of granite by the coast thieves carry off the stone, like the lever [3]."
    assert insert_addition(text, added, "", "en") == text.replace("Then", f"{added}\n\nThen")


def test_what_names_no_sentence_stands_behind_the_list_that_speaks_of_it() -> None:
    added = "In the dust of quarries a belt is torn by sharp stones after a year [3]."
    behind = LISTED.replace("loom [1].", f"loom [1].\n\n{added}")
    assert insert_addition(LISTED, added, "", "en") == behind
    inside = LISTED.replace("years [1].", f"years [1]. {added}")
    assert insert_addition(LISTED, added, "A belt lasts two", "en") == inside


def test_what_names_no_sentence_does_not_come_between_the_opening_and_what_it_sums_up() -> None:
    text = (
        "Brine fails in frost and rain.\n\n| Brine | −8 [1] |\n| --- | --- |\n\nGrit is worn [1]."
    )
    added = "In freezing rain brine failed four times [2]."
    assert insert_addition(text, added, "", "en") == f"{text}\n\n{added}"


def test_what_names_no_sentence_goes_into_a_paragraph_only_where_that_says_much_of_it() -> None:
    text = "Brine stings paws of dogs [1]. Grit lies on kerbs [1].\n\nPlan ahead."
    far = "A square metre of path takes twenty grams of brine, less than salt for dogs [2]."
    behind = text.replace("kerbs [1].", f"kerbs [1].\n\n{far}")
    assert insert_addition(text, far, "", "en") == behind
    near = "Brine stings noses of dogs [2]."
    beside = text.replace("paws of dogs [1].", f"paws of dogs [1]. {near}")
    assert insert_addition(text, near, "", "en") == beside


def test_what_is_put_between_two_paragraphs_does_not_part_what_leans_on_the_first() -> None:
    warm = "**Heat** dries the soil [1].\n\n**Its warmth** harms roots [2]."
    text = f"{warm}\n\nGrit seals it [3]."
    added = insert_addition(text, f"{ADDED}\n\n{BLOCK}", "Heat dries", "en")
    assert added == f"{warm}\n\n{ADDED}\n\n{BLOCK}\n\nGrit seals it [3]."
    assert insert_addition(warm, f"{ADDED}\n\n{BLOCK}", "Heat dries", "en").startswith(warm)


@pytest.mark.parametrize(
    ("leaning", "language"),
    [
        ("It was built in 1830 [2].", "en"),
        ("At this speed a sack takes an hour [2].", "en"),
        ("Bei diesem Tempo dauert ein Sack eine Stunde [2].", "de"),
        ("À ce rythme, un sac prend une heure [2].", "fr"),
        ("Neste ritmo, um saco leva uma hora [2].", "pt"),
    ],
)
def test_what_leans_on_a_sentence_stands_right_behind_it_however_long_the_paragraph(
    leaning: str, language: str
) -> None:
    text = " ".join(f"Mill {n} grinds rye [1]." for n in range(9))
    added = insert_addition(text, leaning, "Mill 3 grinds", language)
    assert f"Mill 3 grinds rye [1]. {leaning} Mill 4" in added


def test_what_leans_on_nothing_does_not_make_a_paragraph_too_long() -> None:
    text = " ".join(f"Mill {n} grinds rye [1]." for n in range(9))
    alone = insert_addition(text, "Mill 3 was built in 1830 [2].", "Mill 3 grinds", "en")
    assert alone == f"{text}\n\nMill 3 was built in 1830 [2]."


ITEMS = [
    "- **Salt.** It takes salt [3].",
    "Much of it is lost [3].",
    "- **Ash.** It takes none [3].",
]


def test_items_of_a_list_are_added_as_items() -> None:
    written = (
        "- **Salt.** It takes salt [3]. Much of it\n  is lost [3].\n\n- **Ash.** It takes none [3]."
    )
    assert split_addition(written, "en") == ITEMS
    added = insert_addition(TEXT, join_addition(ITEMS), "a belt lasts two", "en")
    assert added == TEXT.replace("\n- **Oil", f"\n{ITEMS[0]} {ITEMS[1]}\n{ITEMS[2]}\n- **Oil")


def test_items_that_are_added_take_the_bullet_of_the_list_and_stand_behind_code_of_an_item() -> (
    None
):
    text = "The mill:\n\n* It grinds rye [1]:\n\n  ```\n  grind\n  ```\n\n* It dries oats [2]."
    added = insert_addition(text, ITEMS[2], "It grinds rye", "en")
    assert added == text.replace("\n\n* It dries", "\n* **Ash.** It takes none [3].\n\n* It dries")


def test_items_that_belong_to_a_paragraph_are_a_list_behind_it() -> None:
    added = insert_addition(TEXT, ITEMS[2], "The mill grinds rye", "en")
    assert added == TEXT.replace("\n\n- **Belts", f"\n\n{ITEMS[2]}\n\n- **Belts")


def test_an_item_takes_the_place_of_the_item_that_it_takes_up_and_of_no_prose() -> None:
    made = put_in_place(
        TEXT, "- **Oil.** It takes oil of whales [2] and no salt [3].", "It takes oil", "en"
    )
    assert made
    assert made[0] == TEXT.replace("whales [2]", "whales [2] and no salt [3]")
    assert put_in_place(TEXT, "- The mill grinds rye [1].", "The mill grinds", "en") is None


def test_an_item_with_the_label_of_another_goes_into_that() -> None:
    text = insert_addition(TEXT, "- **Belts.** " + ADDED, "a belt lasts two", "en")
    assert text == insert_addition(TEXT, ADDED, "a belt lasts two", "en")
