"""Addresses in what people read hold nothing that opens a door."""

import pytest

from connectors.http.redact import redact_url


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://wind.test/a/b", "https://wind.test/a/b"),
        ("https://ada:hunter2@wind.test:81/a", "https://wind.test:81/a"),
        ("https://hunter2@wind.test", "https://wind.test"),
        ("https://a@b:hunter2@wind.test/@x", "https://wind.test/@x"),
        ("https://wind.test/a?token=hunter2&page=2#hunter2", "https://wind.test/a?token=…&page=…"),
        ("https://wind.test/a?hunter2", "https://wind.test/a?…"),
        ("https://wind.test/a?", "https://wind.test/a?"),
        ("https://wind.test/a?b=", "https://wind.test/a?b="),
        ("//ada:hunter2@wind.test", "//wind.test"),
        ("http://[", "http://["),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, told: str) -> None:
    assert redact_url(url) == told


def test_a_long_address_is_cut() -> None:
    assert len(redact_url(f"https://wind.test/{'a' * 5_000}")) == 200
