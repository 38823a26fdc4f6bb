import pytest

from connectors.files.keywords import extract_keywords


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What are the effects of wind on birds?", ["effects", "wind", "birds"]),
        ("Wie alt werden Otter in der Natur?", ["alt", "otter", "natur"]),
        ("a AND b OR NOT c", ["b", "c"]),
        (
            "title:x -y +z w* \"q r\" (s) ~t 'u'",
            ["title", "x", "y", "z", "w", "q", "r", "s", "t", "u"],
        ),
        ("COVID-19, GPT-4.5 & Bell’s theorem", ["covid-19", "gpt-4.5", "bell's", "theorem"]),
        ("风力发电 对 鸟类 的影响？", ["风力发电", "对", "鸟类", "的影响"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("wind Wind WIND", ["wind"]),
        ("What is it?", ["what", "is", "it"]),
        ("\u202eabc\u0000def", ["abc", "def"]),
        ("?! -- 🎈", []),
    ],
)
def test_the_words_of_a_question(question: str, words: list[str]) -> None:
    assert extract_keywords(question) == words


def test_function_words_are_those_of_the_language_that_is_named() -> None:
    assert extract_keywords("die Otter", "de") == ["otter"]
    assert extract_keywords("die Otter", "en") == ["die", "otter"]
