"""The benchmark of a small model: what it counts, and when it fails."""

from typing import Any

import pytest

from benchmarks.small_window import FORMS, KEEPS, TELLS, Run, add_up, find_faults, make_habits

GOOD = Run("props", "end", calls=9, tokens=900, whole=True, citations=4)


def test_reports_are_added_up() -> None:
    cut = Run("nothing", "end", calls=11, tokens=1_100, cut=3, noticed=2, citations=2)
    row = add_up([GOOD, cut])
    assert (row["runs"], row["whole"], row["cut"], row["unnoticed"]) == (2, 1, 3, 1)
    assert (row["cut though known"], row["calls"], row["tokens"]) == (0, 10.0, 1_000)
    assert find_faults(row) == ["unnoticed", "whole"]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"cut": 1, "noticed": 0, "told": "nothing"}, "unnoticed"),
        ({"cut": 1, "noticed": 1}, "cut though known"),
        ({"unchecked": 1}, "unchecked"),
        ({"whole": False}, "whole"),
    ],
)
def test_each_limit_is_named_where_it_breaks(wrong: dict[str, Any], named: str) -> None:
    assert find_faults(add_up([GOOD])) == []
    assert find_faults(add_up([Run(**{**vars(GOOD), **wrong})])) == [named]


def test_one_report_of_a_hundred_may_lack_a_section() -> None:
    short = Run("props", "end", citations=1)
    assert find_faults(add_up([*[GOOD] * 99, short])) == []
    assert find_faults(add_up([*[GOOD] * 98, short])) == ["whole"]


def test_servers_of_every_kind_come_up_together() -> None:
    made = [make_habits(number, 1, 8_192) for number in range(126)]
    kinds = {(one.tells, one.keeps, one.forms) for one in made}
    assert len(kinds) == len(set(TELLS)) * len(KEEPS) * len(FORMS)
    assert len({one.seed for one in made}) == len(made)
