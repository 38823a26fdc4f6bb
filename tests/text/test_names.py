"""Names, by how they are written."""

from text.names import find_names


def test_a_letter_beside_a_slash_is_no_name() -> None:
    found = find_names("A server short of I/O asks for Vitamin C.", "en")
    assert [one.text for one in found] == ["Vitamin C"]
