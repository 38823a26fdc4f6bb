"""Passages that define what is asked for by name."""

from retrieval.passages.definitions import rank_definitions

TEXTS = [
    "Raise `max_size` where `min_size` is raised; both are read at the start.",
    "**`min_size` (`integer`)**: The default is 80.",
    "**`max_size` (`integer`)**: The default is 1,000.\n\n**`check_time`**: The default is 5.",
    "| `max_size` | 1,000 | at the start |\n| `old_size` | none | never |",
    "**Tip**\n\nKeep `max_size` small.",
    "**`max_size`, `table.max_size`**: Overrides it for a table.",
]


def test_an_entry_of_a_list_and_a_row_of_a_table_define_the_name_they_begin_with() -> None:
    assert rank_definitions(["What is the default of min_size?"], TEXTS) == [[1]]
    assert rank_definitions(["Is old_size still read?"], TEXTS) == [[3]]
    assert rank_definitions(["Which default has `check_time`?"], TEXTS) == [[2]]


def test_what_stands_right_under_a_name_alone_is_on_that() -> None:
    texts = [
        "old_view\nThe last of its rows.",  # of which the heading is told once more
        "## 54.16. `old_view`\n\nIt has a row for each.",
        "## About old_view\n\nIt has a row for each.",
        "### old_view\n\nRows.",
    ]
    assert rank_definitions(["Which columns has old_view?"], texts) == [[1, 3]]


def test_every_name_is_heard_before_one_is_heard_twice_and_none_three_times() -> None:
    assert rank_definitions(["How do max_size and min_size go together?"], TEXTS) == [[2, 1, 3]]


def test_words_that_are_no_code_name_nothing() -> None:
    assert rank_definitions(["What is the tip for the table size?"], TEXTS) == [[]]
