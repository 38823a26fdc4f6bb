"""Which things a question compares."""

import pytest

from models.extractive.sides import find_sides
from text.tokens import tokenise

COMPARED = [
    ("en", "What is the difference between BM25 and dense vectors?", ["BM25", "dense vectors"]),
    ("en", "BM25 vs dense vectors for short queries", ["BM25", "dense vectors"]),
    ("en", "Compare lazy loading with eager loading", ["lazy loading", "eager loading"]),
    ("en", "Is a cross-encoder better than a bi-encoder?", ["cross-encoder", "bi-encoder"]),
    ("en", "Which is faster, lists or tuples?", ["lists", "tuples"]),
    (
        "en",
        "What are the differences between threads, processes and coroutines in Python?",
        ["threads", "processes", "coroutines"],
    ),
    ("de", "Was ist der Unterschied zwischen Öl und Gas?", ["Öl", "Gas"]),
    ("de", "Wärmepumpe im Vergleich zur Gasheizung", ["Wärmepumpe", "Gasheizung"]),
    ("fr", "Quelle est la différence entre le biais et la variance ?", ["biais", "variance"]),
    ("es", "¿Es mejor el tren o el avión?", ["tren", "avión"]),
    ("es", "Diferencia entre bicicleta y coche eléctrico", ["bicicleta", "coche eléctrico"]),
    ("zh", "热泵和燃气锅炉的区别是什么？", ["热泵", "燃气锅炉"]),
    ("zh", "应该用热泵还是燃气锅炉？", ["热泵", "燃气锅炉"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "question", "names"), COMPARED)
def test_the_things_that_a_question_compares_are_found(
    language: str, question: str, names: list[str]
) -> None:
    found = [side.name for side in find_sides(question, language)]
    assert [set(one) for one in found] == [set(tokenise(name, language)) for name in names]


@pytest.mark.parametrize(
    "question",
    [
        "What is an inverted index?",
        "How do BM25, dense vectors and reranking work together?",
        "How do I install or update a package?",
        "Wie funktioniert eine Wärmepumpe?",
        "热泵是如何工作的？",
        "",
    ],
)
def test_a_question_that_compares_nothing_has_none(question: str) -> None:
    assert find_sides(question, "en") == []
