"""Index terms: the same for documents and queries, in every script."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.tokens import (
    SNOWBALL,
    STOP_CHARACTER_WEIGHT,
    STOPWORD_WEIGHT,
    TERM_SPACE,
    content_weight,
    hash_term,
    tokenise,
    tokenise_query,
    tokenise_to_ids,
)

languages = st.sampled_from([*sorted(SNOWBALL), "zh", "ja", "th", "xx", ""])


@given(st.text(), languages)
def test_any_text_gives_short_terms(text: str, language: str) -> None:
    assert all(0 < len(term) <= 66 for term in tokenise(text, language))


@given(st.text(), st.lists(languages, max_size=4))
def test_a_query_has_one_set_of_variants_per_word(text: str, spoken: list[str]) -> None:
    words = tokenise_query(text, spoken)
    assert len(words) == len(tokenise(text))
    for language in set(spoken):
        assert all(term in word for term, word in zip(tokenise(text, language), words, strict=True))


@given(st.text())
def test_term_ids_fit_the_vector(term: str) -> None:
    assert 0 <= hash_term(term) < TERM_SPACE


def test_term_ids_are_the_same_in_another_process() -> None:
    code = "from text.tokens import hash_term; print(hash_term('Straße'))"
    root = __file__.rsplit("/tests/", 1)[0]
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=root, text=True
    )
    assert int(told.stdout) == hash_term("Straße")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "indexes", "indexing"), ("de", "Datenbanken", "Datenbank"),
        ("fr", "chevaux", "CHEVAUX"), ("hi", "भाषाओं", "भाषा"), ("ar", "اللُّغَة", "اللغة"),
        ("tr", "İstanbul", "istanbul"), ("en", "ｆｕｌｌ", "full"), ("en", "don’t", "DON’T"),
        ("en", "caf\u00e9", "cafe\u0301"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(language: str, one: str, other: str) -> None:
    assert tokenise(one, language) == tokenise(other, language) != []


@pytest.mark.parametrize("word", ["हिन्दी", "தமிழ்", "বাংলা", "नेपाली", "العَرَبِيَّة", "സംസ്ഥാനം"])
def test_a_word_with_vowel_signs_is_one_term(word: str) -> None:
    assert len(tokenise(word)) == 1


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("信息检索", ["信息", "息检", "检索"]),
        ("水", ["水"]),
        ("用BM25检索", ["用", "bm25", "检索"]),
    ],
)
def test_scripts_without_spaces_become_bigrams(text: str, terms: list[str]) -> None:
    assert tokenise(text) == terms


@given(st.text(st.sampled_from("ab1'_- \n")))
def test_plain_letters_are_split_as_all_others_are(text: str) -> None:
    assert tokenise(text + " ü") == [*tokenise(text), "ü"]


@given(st.text("abzABZ09'’ .-_\n", max_size=40))
def test_plain_text_is_split_like_any_other(text: str) -> None:
    plain = text.replace("’", "'").lower()
    assert [*tokenise(plain), "é"] == tokenise(f"{plain} é")


@given(st.text(), languages)
def test_term_ids_are_those_of_the_terms(text: str, language: str) -> None:
    terms = sorted(hash_term(term) for term in tokenise(text, language))
    assert sorted(tokenise_to_ids(text, language)) == terms


@given(st.text("aBc1 \u00a0\u2028\x1c\x85\u200b\u3000\u0301’'ﬀ¨中文\n_-"))
def test_terms_do_not_depend_on_what_was_seen_before(text: str) -> None:
    """White space of every kind, and what becomes some when it is folded, ends a word."""
    terms = sorted(hash_term(term) for term in tokenise(text, "en"))
    assert sorted(tokenise_to_ids(f"{text} {text}", "en")) == sorted(terms * 2)


@pytest.mark.parametrize("text", ["", " \n", "—…!?", "_ _", "🙂", "\ud800", "\0"])
def test_text_without_letters_has_no_terms(text: str) -> None:
    assert tokenise(text, "en") == []


def test_a_word_without_end_is_cut() -> None:
    assert tokenise("a" * 100_000) == ["a" * 64]
    assert max(map(len, tokenise("a" * 100 + "Bc" + "D" * 100_000))) == 64


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("readFile", ["readfile", "read", "file"]),
        (
            "parseHTTPResponse2Json",
            ["parsehttpresponse2json", "parse", "http", "response2", "json"],
        ),
        ("getX", ["getx", "get", "x"]),
        ("read_file", ["read", "file"]),
        ("BM25", ["bm25"]),
        ("Heron", ["heron"]),
        ("NASA", ["nasa"]),
    ],
)
def test_a_joined_name_is_a_term_and_so_are_its_parts(name: str, parts: list[str]) -> None:
    assert tokenise(name) == parts


def test_parts_of_names_come_last_and_are_stemmed() -> None:
    assert tokenise("The readFiles function", "en") == [
        "the", "readfil", "function", "read", "file",
    ]  # fmt: skip


def test_a_name_is_found_by_its_parts_and_by_itself() -> None:
    held = set(tokenise("Call readFile first.", "en"))
    assert held >= set(tokenise("read file", "en"))
    assert held >= set(tokenise("readFile", "en"))


@pytest.mark.parametrize(
    ("term", "language", "weight"),
    [("the", "en", STOPWORD_WEIGHT), ("的", "zh", STOPWORD_WEIGHT), ("passage", "en", 1),
     ("the", "xx", 1), ("茶和", "zh", STOP_CHARACTER_WEIGHT), ("茶和", "ja", 1), ("茶叶", "zh", 1)],
)  # fmt: skip
def test_function_words_weigh_less_and_bigrams_with_their_characters_half(
    term: str, language: str, weight: float
) -> None:
    assert content_weight(term, language) == weight
