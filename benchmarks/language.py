"""How well, how fast and at what weight the language of a text is told.

Reads benchmarks/languages.tsv, which has four short questions or headings and a paragraph in each
of fifty languages. Further files hold lines `{"text": ...}` of one language, which is given.

    python benchmarks/language.py [LANGUAGE=FILE.jsonl ...] [--by NAME]

`--by` asks another detector, if it is installed: py3langid, pycld2 or eld.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402, F401  (part of every run, so that it counts for no detector)

from text import language  # noqa: E402

SAMPLES = ROOT / "benchmarks" / "languages.tsv"
COMMON = "ar cs de en es fa fr hi it ja ko nl pl pt ru sv tr uk vi zh"

Detector = Callable[[str], str]
Labelled = list[tuple[str, str]]


def quire() -> Detector:
    """What Quire uses."""
    language.load_model()
    return language.detect_language


def py3langid() -> Detector:
    """As it was used until this was measured: of our languages, English where it is not sure."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(language.DETECTABLE_LANGUAGES)

    def detect(text: str) -> str:
        code, share = identifier.classify(text[:400])
        return str(code) if share >= 0.6 else "en"

    return detect


def pycld2() -> Detector:
    """Chromium's detector, asked for its best effort."""
    import pycld2

    def detect(text: str) -> str:
        _, _, found = pycld2.detect(text[:400].encode("utf-8", "replace"), bestEffort=True)
        code = found[0][1].partition("-")[0]
        return {"iw": "he", "un": "en"}.get(code, str(code))

    return detect


def eld() -> Detector:
    """One in plain Python."""
    from eld import LanguageDetector

    detector = LanguageDetector()
    return lambda text: str(detector.detect(text[:400]).language or "en")


DETECTORS = (quire, py3langid, pycld2, eld)


def samples() -> tuple[Labelled, Labelled]:
    """Short texts and paragraphs, each with its language; every fifth text is a paragraph."""
    lines = SAMPLES.read_text(encoding="utf-8").splitlines()
    texts = [(code, text) for code, _, text in (line.partition("\t") for line in lines)]
    return [text for at, text in enumerate(texts) if at % 5 < 4], texts[4::5]


def two_words(texts: Iterable[tuple[str, str]]) -> Labelled:
    """The last two words of each text that has spaces."""
    cut = [(code, text.split()) for code, text in texts]
    return [(code, " ".join(words[-2:])) for code, words in cut if len(words) > 2]


def read(named: str) -> tuple[str, Labelled]:
    """The texts of LANGUAGE=FILE.jsonl, and what they are called."""
    code, _, path = named.partition("=")
    with Path(path).open(encoding="utf-8") as lines:
        texts = [str(json.loads(line).get("text") or "") for line in lines]
    return "/".join(Path(path).parts[-2:]), [(code, text) for text in texts if text.strip()]


def private() -> float:
    """MiB of memory that this process shares with no other."""
    kept = ("Private_Dirty", "Private_Clean")
    with Path("/proc/self/smaps_rollup").open() as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith(kept)) / 1024


def measure(name: str, texts: Labelled, detect: Detector) -> None:
    """Print one line: the share that is right, and what is taken for what."""
    started = time.process_time()
    told = [detect(text) for _, text in texts]
    each = (time.process_time() - started) / len(texts)
    wrong = Counter(
        f"{code}>{got}" for got, (code, _) in zip(told, texts, strict=True) if got != code
    )
    right = 1 - wrong.total() / len(texts)
    shown = ", ".join(f"{pair} {count}" for pair, count in wrong.most_common(6))
    print(f"{name:32} {len(texts):6,}  {100 * right:5.1f} %  {1e6 * each:4.0f} µs  {shown}")


def main() -> None:
    """Measure one detector."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="*", help="LANGUAGE=FILE.jsonl")
    names = [one.__name__ for one in DETECTORS]
    parser.add_argument("--by", choices=names, default="quire")
    given = parser.parse_args()
    before, started = private(), time.process_time()
    detect = DETECTORS[names.index(given.by)]()
    detect("Is it?")
    print(f"{given.by}: loaded in {1000 * (time.process_time() - started):.0f} ms of CPU, ", end="")
    print(f"{private() - before:.1f} MiB")
    short, paragraphs = samples()
    common = [one for one in short if one[0] in COMMON.split()]
    measure("paragraphs, 50 languages", paragraphs, detect)
    measure("short texts, 50 languages", short, detect)
    measure("short texts, 20 languages", common, detect)
    measure("two words, 20 languages", two_words(common), detect)
    for named in given.file:
        measure(*read(named), detect)


if __name__ == "__main__":
    main()
