"""Sentences copied from a source, with marks wherever writers put them, are found and supported."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.check import check_sentences
from citations.checked_sentence import extract_claim
from citations.evidence_span import SourcePassages
from citations.markers import normalise_markers
from retrieval.passages.chunking import split_chunks
from schema.documents import Passage
from text.sentences import split_sentences

CONCEPTS = Path(__file__).parents[2] / "samples"
MANUAL = """\
The number of connections is limited by `max_connections`. The default is 100, e.g. for a small
server, and never more than 8.5 % of the memory in `/dev/shm`. Set `listen_addresses` to `'*'` or
`0.0.0.0` to listen on all addresses. (You cannot do so in a session. It needs a restart.) A value
of `x < 3` is refused, though `y > 4` is not. See https://docs.example/v1.2/Run.html?a=b.C for more.
`pg_hold` does not wait, whether or not `lock_timeout` is set. Nothing is written before version
9.6.2 (see Fig. 3 and Sec. 4.1). The users' tables aren't read by the owner's functions. Call
`list.append(x)` or `Queue.put()`, but not both at once. It cannot be cast to `integer`, but
`integer` can be cast to it. The call “Never again. Not now.” returns `None`. Dr. Lark wrote
`lib/a.b.c` in the U.S. Army's time zone. What does `SELECT 1;` return? Use `…` or `...` for the
rest!
"""
SOURCES = {
    "en": MANUAL,
    "de": "Der Wert von `a.b` gilt z. B. am 3. Mai nicht. „Er geht. Sie bleibt.“ Dr. Lerche kam "
    "um 5.30 Uhr. Das 2. Kapitel fehlt.",
    "fr": "M. Dupont ne lit pas `a.b`. « Il pleut. Il neige. » La valeur est de 3,5 %.",
    "es": "El valor de `a.b` no cambia. El Sr. López vino a las 5.30. ¿Qué hace `x.y`?",
    "zh": "数值`a.b`没有变化。“他来了。她走了。”这本书（第3.5版。新）很好。",
    "ja": "値は`a.b`ではない。彼は「行く。来る。」と言った。",
    "ru": "Значение `a.b` не меняется, т. е. остаётся. «Он ушёл. Она осталась.»",
    "hi": "मान `a.b` नहीं बदलता। यह ३.५ है।",
}
END = re.compile(r"[.!?。！？।][\"”’“»)]*$|[.!?]?\s»$")
FORMS = ["{0} [1]{1}", "{0}[1]{1}", "{0} [1][2]{1}", "{0} [1, 2]{1}", "{0} 【1】{1}",
         "{0} [1](https://a.example/b.c){1}", "{0}{1}[1]", "{0}{1} [1]", "{0}{1} [1][2]",
         "{0}{1}[1] [2]"]  # fmt: skip
"""Before and behind the stop of a sentence, whose text comes in two pieces."""


def passages(text: str) -> list[Passage]:
    return [
        Passage(chunk=at, document=1, start=chunk.start, end=chunk.end, text=chunk.text)
        for at, chunk in enumerate(split_chunks(text))
    ]


def told(source: SourcePassages) -> list[str]:
    found = [" ".join(u.facts.text.split()) for u in source.sentences if u.sentence.kind == "prose"]
    return [said for said in found if END.search(said)]


READ = {
    language: SourcePassages(
        [Passage(chunk=1, document=1, start=0, end=len(text), text=text)], language
    )
    for language, text in SOURCES.items()
}
READ |= {
    path.stem: SourcePassages(passages(path.read_text()), "en")
    for path in sorted(CONCEPTS.glob("*.md"))
}
COPIED = {name: told(source) for name, source in READ.items()}


def marked(said: str, form: str) -> str:
    stop = END.search(said)
    assert stop
    return form.format(said[: stop.start()], stop[0])


def test_every_sentence_of_the_manual_is_one() -> None:
    assert [said.split()[0] for said in COPIED["en"]] == [
        "The", "The", "Set", "(You", "A", "See", "`pg_hold`", "Nothing", "The", "Call", "It", "The",
        "Dr.", "What", "Use",
    ]  # fmt: skip


@given(st.sampled_from([*COPIED]), st.data())
def test_copied_sentences_are_split_as_they_were(name: str, data: st.DataObject) -> None:
    source = READ[name]
    picked = data.draw(st.lists(st.sampled_from(COPIED[name]), min_size=1, max_size=6))
    forms = data.draw(st.lists(st.sampled_from(FORMS), min_size=6, max_size=6))
    pieces = [marked(said, form) for said, form in zip(picked, forms, strict=False)]
    text = ("" if source.language in ("zh", "ja") else " ").join(pieces)
    assert [text[s.start : s.end] for s in split_sentences(text, source.language)] == pieces
    found = check_sentences(
        normalise_markers(text, {1, 2})[0], {1: source, 2: source}, source.language
    )
    claims = ["".join(one.claim.split()) for one in found]  # a mark leaves a blank before "।"
    assert claims == ["".join(extract_claim(said).split()) for said in picked]


@pytest.mark.parametrize(
    ("language", "text", "starts"),
    [
        (
            "en",
            "He said “It rains. It pours.” Then left. (So. It. Is.) So.",
            ["He", "Then", "(So.", "So."],
        ),
        ("en", "“Stop!” he said. “Go!” She left.", ["“Stop!”", "“Go!”", "She"]),
        ("en", "It ends (so it is.) Then left.", ["It", "Then"]),
        ("en", "**Bold.** Next. _It._ Then.", ["**Bold.**", "Next.", "_It._", "Then."]),
        ("en", "Then (it is [1]. The end) came.", ["Then", "The"]),
        ("en", "Cho et al. [1] saw it, cf. Fig. 3, i.e. The Fall of v. 2. Or not.", ["Cho", "Or"]),
        ("en", "It broke off... and went on. Then... It stopped.", ["It", "Then...", "It"]),
        ("en", "No. Then no. 5 came. The U.S. Army left.", ["No.", "Then", "The"]),
        ("en", "Use os.PathLike or func(...Args). 5 do. pg_dump too.", ["Use", "5", "pg_dump"]),
        ("de", "Der 3. Versuch gelang. Das 12. Kapitel fehlt.", ["Der", "Das"]),
        ("fr", "M. Dupont est là. Mme. Durand aussi.", ["M.", "Mme."]),
        ("ar", "نعم [1]. لا؟[2] هذا.", ["نعم", "لا؟[2]", "هذا."]),
        ("ko", "그는 갔다[1]. 나는 왔다.[2] 끝.", ["그는", "나는", "끝."]),
    ],
)
def test_a_sentence_ends_where_readers_end_it(language: str, text: str, starts: list[str]) -> None:
    found = [text[s.start : s.end].split(maxsplit=1)[0] for s in split_sentences(text, language)]
    assert found == starts


@pytest.mark.parametrize("piece", ["`a` ", "“a ", '"a. ', "(a ", "[1]. ", "Cats sleep. "])
def test_a_long_paragraph_loses_no_word(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    found = split_sentences(text)
    assert " ".join(text[s.start : s.end] for s in found).split() == text.split()
    assert all(one.end <= other.start for one, other in pairwise(found))
