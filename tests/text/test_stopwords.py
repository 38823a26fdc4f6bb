"""Function words: grammar, no subject."""

import pytest

from text.stopwords import get_stop_characters, load_stopwords


@pytest.mark.parametrize("word", ["the", "what", "is", "don't", "whether", "between"])
def test_english_grammar_is_in(word: str) -> None:
    assert word in load_stopwords("en")


@pytest.mark.parametrize("word", ["index", "research", "computer", "search", "first", "two"])
def test_english_content_is_not(word: str) -> None:
    assert word not in load_stopwords("en")


@pytest.mark.parametrize(("language", "word"), [("de", "und"), ("fr", "les"), ("es", "para")])
def test_other_languages_have_theirs(language: str, word: str) -> None:
    assert word in load_stopwords(language)
    assert word not in load_stopwords("en")


def test_a_language_that_nobody_listed_has_none() -> None:
    assert load_stopwords("xx") == load_stopwords("") == frozenset()


def test_every_word_is_in_lower_case() -> None:
    for language in ("en", "de", "fr", "ru"):
        assert all(word == word.casefold() for word in load_stopwords(language))


def test_scripts_without_spaces_have_function_characters() -> None:
    assert "的" in get_stop_characters("zh")
    assert "の" in get_stop_characters("ja")
    assert "茶" not in get_stop_characters("zh")
    assert get_stop_characters("en") == frozenset()
