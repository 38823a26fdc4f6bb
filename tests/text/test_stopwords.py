"""Function words: grammar, no subject."""

import pytest

from text.stopwords import get_stop_characters, load_stopwords


def test_english_has_its_grammar_and_none_of_its_content() -> None:
    words = load_stopwords("en")
    assert {"the", "what", "is", "don't", "whether", "between"} <= words
    assert not {"index", "research", "computer", "search", "first", "two"} & words


@pytest.mark.parametrize(("language", "word"), [("de", "und"), ("fr", "les"), ("es", "para")])
def test_other_languages_have_theirs(language: str, word: str) -> None:
    assert word in load_stopwords(language)
    assert word not in load_stopwords("en")


def test_every_word_is_in_lower_case_and_an_unlisted_language_has_none() -> None:
    for language in ("en", "de", "fr", "ru"):
        assert all(word == word.casefold() for word in load_stopwords(language))
    assert load_stopwords("xx") == load_stopwords("") == frozenset()


def test_scripts_without_spaces_have_function_characters() -> None:
    assert "的" in get_stop_characters("zh")
    assert "の" in get_stop_characters("ja")
    assert "茶" not in get_stop_characters("zh")
    assert get_stop_characters("en") == frozenset()
