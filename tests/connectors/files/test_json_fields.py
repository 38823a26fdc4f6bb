"""Records that came as JSON."""

from typing import Any

import pytest

from connectors.json_fields import get_string


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (("name",), "Ada"),
        (("owners", 0, "name"), "Grace"),
        (("owners", 7, "name"), ""),
        (("owners", "name"), ""),
        (("name", 0), ""),
        (("name", "first"), ""),
        (("size",), ""),
        (("owners",), ""),
        (("nothing", 0, "name"), ""),
    ],
)
def test_a_word_is_found_or_empty(steps: Any, found: str) -> None:
    record = {"name": "Ada", "owners": [{"name": "Grace"}], "size": 3, "nothing": None}
    assert get_string(record, *steps) == found


def test_what_is_no_record_holds_no_words() -> None:
    assert [get_string(odd, "name") for odd in (None, 3, "name", [], {}, [None])] == [""] * 6
