"""What strangers could write to keep a reader busy, and the functions that meet it.

    python hostile_texts.py

Gives each function n and 2n units of each of its texts, and prints as lines of JSON what is read
and how much more CPU time the longer one takes. `n` grows until the time can be measured.
"""

import gc
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEAST_SECONDS = 0.005
"""Of the shorter text; less is lost in what else a processor does."""
FIRST, LONGEST = 4_000, 300_000
"""Characters of the first text tried and of the last."""
MOST = 2.5
"""Times as long as for half the text; a square that has just begun to show makes it 3."""


@dataclass(frozen=True)
class Reader:
    """A function of strangers' text, and units that it is given again and again.

    `around` stands before and behind them; `longest` is the length that the function is for.
    """

    name: str
    read: Callable[[str], object]
    units: Iterable[str]
    around: tuple[str, str] = ("", "x")
    longest: int = LONGEST


def readers() -> list[Reader]:
    """All of them."""
    from lxml import html

    from citations.claim_facts import SentenceFacts
    from citations.evidence_span import SourcePassages
    from citations.markers import find_cited_sentences, normalise_markers, strip_markers
    from citations.verdict import judge_claim
    from connectors.files import extract
    from connectors.files.front_matter import MAX_CHARACTERS as LONGEST_FRONT
    from connectors.files.front_matter import split_front_matter
    from connectors.files.html_writer import write_markdown
    from connectors.files.keywords import extract_keywords
    from connectors.files.main_content import MainContent
    from connectors.files.word_entities import restore_characters
    from exports.markdown import _insert_tables
    from exports.safe_markdown import sanitise_line, sanitise_markdown
    from models.answers import cut_loop, drop_thoughts
    from models.objects.read import read_object
    from prompts.template import fence
    from retrieval.code.symbols import extract_symbols
    from retrieval.passages.chunking import split_chunks
    from retrieval.web.links import find_links
    from schema.documents import Passage
    from schema.plan import Outline
    from text.sentences import split_sentences

    def facts(text: str) -> object:
        found = SentenceFacts(text, "en" if text.isascii() else "zh")
        return found.quantities, found.dates, found.names, found.polarity.sides

    def judged(text: str) -> object:
        source = Passage(chunk=1, document=1, start=0, end=len(text), text=text)
        return judge_claim(text, SourcePassages([source], "en"))

    def written(text: str) -> object:
        page = html.document_fromstring(f"<html><body>{text}</body></html>")
        return write_markdown(MainContent(page.body, set(), False, [], len(text)))

    blanks = [" ", "\n", " \n", "\t", "\u3000", "\u200b", " ."]
    marks = [".", "[1] ", "[99]", "x.[1]", "[1]-", "[1](a)", "[", " ,", "]", "【1】", "(["]
    fences = ["`", "`a", "~~~\n", "```\n", "``` ", "` "]
    prose = [
        "a", "a. ", "no end ", "A sentence. ", "风把叶片转动。", "(", ")", '"', "“", ". »",
        "e.g. ",
    ]  # fmt: skip
    tags = ["<", "</", "<a ", "<!--", "&lt;", "&amp;", "<a href=", "<https://", "]]>"]
    addresses = [
        "](", "]((", "![", "![](", "[[", "[[a|", "](a", "](a(b)", "]()", '](a "', "](a '", "](a (",
        "[a]: ", "\n[a]: b", "https://a(", "https://", "<a\nhref='", "\\](", "h", "\\",
    ]  # fmt: skip
    lines = ["# ", "#", " #", "# a\n", "- ", "- a\n", "> ", "|a", "|a|\n", "1. ", "---\n", "=\n"]
    figures = [
        "1,", "½", "三人", "5月", "not rise ", "Ab1.", "1-May-", "'", "1 ", "1.", "$", "one ",
    ]  # fmt: skip
    code = ["[", "~~", "(", "{", "def a(", '"', "a.", "#", "\n ", "a=", "@", "é", "if a:\n"]
    return [
        Reader("citations.without_marks", strip_markers, [*blanks, *marks, "`"]),
        Reader(
            "citations.normalise", lambda text: normalise_markers(text, {1, 2}),
            [*marks, *blanks, *fences],
            ("Fact [1]", "x"),
        ),
        Reader("citations.cited_sentences", lambda text: find_cited_sentences(text, "en"), marks),
        Reader("sentences", split_sentences, [*prose, *blanks, *fences, *lines]),
        Reader("chunks", split_chunks, [*prose, *blanks, *fences, *lines]),
        Reader("chunks: a heading", split_chunks, ["#", " ", " #", "word "], ("# a", "b\n\ntext")),
        Reader(
            "links", lambda text: find_links(text, "https://host.example/a"),
            [*addresses, *tags, *fences, *blanks, "[", ">", "]"],
        ),
        Reader(
            "links: of an address", find_links, [*addresses, *tags, *blanks, "(", ")"], ("](a", ""),
            longest=200_000,
        ),
        Reader("symbols", lambda text: extract_symbols(text, "python"), code),
        Reader("facts", facts, figures, longest=100_000),
        Reader(
            "verdict", judged, ["rose fell ", "not 5 ", "Ab1.", "三人", "May 1 ", "than "],
            longest=100_000,
        ),
        Reader(
            "front matter", split_front_matter,
            ["a: b\n", "[", "{", "- ", "&a ", "a: [b]\n", "\n", " "],
            ("---\n", "\n---\nText."), longest=LONGEST_FRONT,
        ),
        Reader("to_text: a line of dashes", extract._read_plain, [*blanks, "---\n"], ("---", "x")),
        Reader("to_text: a heading", extract._read_plain, [*blanks, "#", " #"], ("# a", "b")),
        Reader(
            "safe_markdown", lambda text: sanitise_markdown(text, 2),
            [*addresses, *tags, *fences, *lines, *blanks, "$", "$a$", "*", "["],
        ),
        Reader(
            "charts of Markdown", lambda text: _insert_tables(text, []), ["![", "![a](chart:1) "]
        ),
        Reader("safe_line", sanitise_line, [*addresses, *tags, *fences, *lines, "$", "["]),
        Reader("fence", fence, [*tags, *blanks, "/", "\u200b", "<\u200b", "&amp;lt;", "<source"]),
        Reader(
            "objects", lambda text: read_object(text, Outline, lambda _: None),
            ["{", "[", '{"a": ', '{"title": "', '"', "'", " ", "```json\n", "title: a\n", "- a\n",
             "sections:\n", "question: a\n", "a: b\n", "** ", "\\", ": "],
            ('{"title": ', "x"),
        ),
        Reader(
            "objects: lines", lambda text: read_object(text, Outline, lambda _: None),
            ["title: a\n", "- a\n", "sections:\n", "question: a\n", "a\n", "a: b\n", "** ", " ",
             "sections:\ntitle: a\nquestions:\n- b\n", "1. ", "# "],
            ("title: ", "x"),
        ),
        Reader(
            "thoughts", drop_thoughts,
            ["<think>", "</think>", "<think></think>", "</s>", "<|end|>", "\n", "<|channel|>"],
            ("", "</s>"),
        ),
        Reader("loops", cut_loop, ["a", "a b ", "-", "a sentence. "]),
        Reader(
            "text of a web page", written,
            [
                "<b>x", "<b>x</b>", "<p>", "<div>x", "<ul><li>x", "<li>x", "<dl><dt>x<dd>", "<dt>x",
                "<blockquote>x", "<table><tr><td>x", "<td>x", "<tr><td rowspan=99>x", "<pre>x",
                "<br>", "<h2>x", "<sup>2", "<q>", "<a>x</a>", "<code>`", " # ", "`", "<section>",
                "<td colspan=99>", "<div>x</div>", "<nav>x</nav>x",
            ],
        ),
        Reader(
            "code of a web page", written,
            ["<br>", "<div>x</div>", "<div>x", "<code>x</code>", "`"],
            ("<pre>", ""),
        ),
        Reader("keywords", lambda text: extract_keywords(text, "en"), ["-", "a-", "'", " ", '"']),
        Reader(
            "word characters", restore_characters,
            ["\U0010ff00", "\U0010ff00a", "\U0010ff00#1", "&#1"],
        ),
    ]  # fmt: skip


def seconds(read: Callable[[str], object], text: str, tries: int = 1) -> float:
    """CPU seconds of reading a text: the least of some tries, since noise only adds."""
    least = float("inf")
    for _ in range(tries):
        gc.collect()
        started = time.process_time()
        read(text)
        least = min(least, time.process_time() - started)
    return least


def ratio(reader: Reader, unit: str) -> float:
    """How much longer a text of twice the length takes; 2 is usual, a square makes it 4.

    0 where even the longest text takes less than can be measured.
    """
    before, after = reader.around

    def text(count: int) -> str:
        return before + unit * count + after

    count = FIRST // len(unit)
    while seconds(reader.read, text(count)) < LEAST_SECONDS:
        count *= 4
        if 2 * count * len(unit) > reader.longest:
            return 0.0
    found = 0.0
    # What outgrows a cache does so once, and a busy machine is slow for a while; a square goes on.
    for doubled, tries in ((1, 1), (1, 5), (2, 5), (4, 5)):
        found = seconds(reader.read, text(2 * doubled * count), tries) / seconds(
            reader.read, text(doubled * count), tries
        )
        if found < MOST:
            break
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    gc.disable()  # a full collection in one of the two texts would be taken for its own work
    for reader in readers():
        gc.collect()
        gc.freeze()  # what is loaded by now is not looked through again, 0.1 s for each measure
        for unit in reader.units:
            sys.stdout.write(json.dumps([reader.name, unit]) + "\n")
            sys.stdout.flush()
            sys.stdout.write(json.dumps(ratio(reader, unit)) + "\n")
