"""How much of each text stands in each other one."""

import random

import pytest

from citations.origins import shingles
from citations.origins.shingles import compare_texts

WORDS = ["".join(random.Random(n).choices("abcdefgh", k=6)) for n in range(2_000)]


def text(seed: int, words: int = 400) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def test_a_part_of_a_text_stands_in_it_wholly_and_another_text_not() -> None:
    whole = text(1)
    found = compare_texts([whole, " ".join(whole.split()[100:200]), text(2)])
    assert found.containment(0, 1) == 1
    assert found.containment(0, 2) == 0
    assert found.common[0][1] == 96


def test_case_marks_and_white_space_do_not_count() -> None:
    found = compare_texts(["One two, three – four five!", "“one TWO” three\n\nfour: five"])
    assert found.containment(0, 1) == 1


def test_characters_of_scripts_without_spaces_are_words() -> None:
    found = compare_texts(
        ["海獭每天大约吃掉自身体重", "每天大约吃掉自身体重四分之一", "完全不同的另一句话在这里"]
    )
    assert found.containment(0, 1) > 0.5
    assert found.containment(0, 2) == 0


@pytest.mark.parametrize("odd", ["", "…", "word", "\ud800 lone half", "😀 😀", "\0"])
def test_odd_texts_are_compared(odd: str) -> None:
    found = compare_texts([odd, odd, text(1)])
    assert found.containment(0, 2) == 0


def test_nothing_is_compared_with_nothing() -> None:
    assert compare_texts([]).sizes == []


def test_of_many_words_a_sample_is_near_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = " ".join(str(n) for n in range(20_000))
    texts = [whole, " ".join(whole.split()[10_000:]) + text(3, 10_000)]
    monkeypatch.setattr(shingles, "MAX_SHINGLES", 10_000)
    found = compare_texts(texts)
    assert sum(found.sizes) < 12_000
    assert abs(found.containment(0, 1) - 0.5) < 0.05
