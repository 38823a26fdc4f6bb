"""Sentences that call something disputed."""

import pytest

from citations.disputes import find_disputed


@pytest.mark.parametrize(
    ("said", "language", "disputed"),
    [
        ("Whether moth or rust ate the loom is disputed [4].", "en",
         "Whether moth or rust ate the loom"),
        ("The loom weaves linen, but who built it remains contested.", "en", "but who built it"),
        ("The 22,000 threads are disputed in number.", "en", "The 22,000 threads in number"),
        ("Ob Motten den Webstuhl fraßen, ist umstritten.", "de", "Ob Motten den Webstuhl fraßen"),
        ("Der Erbauer des Webstuhls ist umstritten [2].", "de", "Der Erbauer des Webstuhls"),
        ("织布机的建造者仍有争议。", "zh", "织布机的建造者"),
        ("The figure is undisputed.", "en", ""),
        ("The figure is no longer disputed.", "en", ""),
        ("The loom weaves linen [1].", "en", ""),
        ("Whatever is disputed in Turkish.", "tr", ""),
    ],
)  # fmt: skip
def test_what_a_sentence_calls_disputed(said: str, language: str, disputed: str) -> None:
    assert find_disputed(said, language) == disputed
