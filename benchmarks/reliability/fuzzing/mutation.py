"""Inputs gone wrong: bytes, texts and JSON, changed at random; the same for the same draw."""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

PIECES = (
    "[1]", "[1][2]", "[99]", "[1, 2; 3]", "[^1]", "【1】", "[1", "1]", "\\[1\\]", "[[1]]",
    "[1-200]",
    "# ", "## ", "### A heading\n", "\n\n", "\n", "\r\n", "\t", "- ", "1. ", "> ", "| a | b |\n",
    "| --- | --- |\n", "```", "```chart\n", "~~~", "`", "**", "__", "$$", "$", "\\", "&amp;", "&",
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--", "-->",
    "<a href='javascript:x'>",
    "</source>", '<source n="1">', "<\u200b/source>", "{", "}", "{{", "%s", "{0}", "[/b]", "[red]",
    "![x](chart:0)", "[a](javascript:alert(1))", "[a](file:///etc/passwd)", "https://a.test/(b)[c]",
    "⚠", "。", "！", "“", "”", "…", "½", "one third", "1,000.5", "10 - million", "2003.06.11",
    "100k",
    "\u202e", "\u200d", "\ufeff", "\u2028", "\u0085", "\x00", "\x1b[31m", "\x07", "\x7f", "\ud800",
    "海獭", "ثعالب", "לוטרות", "👩🏽‍🔬", "é", "e\u0301", "İ", "ß", "ﬁ", "𝔘", "\U0010ffff",
    "---\n", "---\ntitle: x\n---\n", "a: &a [*a]\n", "<<: *a\n", "!!python/object:os.system x\n",
    "0x" + "f" * 60, "1:59:59", "9" * 400, "-0", "1e999", "NaN", "DROP TABLE", "'", '"', ";--",
)  # fmt: skip
"""What makes a reader of marks, markup, figures or front matter stumble."""

REPEATED = (
    " ", "[", "]", "(", "~~", "`", "|", "#", "*", "_", ">", "-", "[1]", "[1] ", "a ", "a", "\n",
    "<a href=x>h</a> ", "<div>", "&lt;", "“", "(a", "[a](", "![", "\u200b", "海", "é", "1,", "1.",
    "\t", "$",
    "- ", "1. a\n", "| a ", "\\", "//", "'", '"', ":", "{", "a.b.", "A. ", "e.g. ",
)  # fmt: skip
"""What a text may be made of over and over, so that a slow rule shows."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, float("inf"), "", " ", "x", [], {}, [[]], [None],
    {"": 1},
    "\x00", "\ud800", "a" * 5000, "javascript:alert(1)", "http://[", "http://", "//", "ftp://x/",
    "http://127.0.0.1:99999/", "http://a.test/\n", "http://é.test/", f"https://{'a' * 300}.test/",
    "2024-13-45", "0000-00-00", "yesterday", "<b>", "[/b]", 2**63, -(2**63), "9" * 500, ["x"] * 50,
)  # fmt: skip
"""What may stand where a program expects something else."""

ENCODINGS = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "latin-1",
    "gb18030",
    "shift_jis",
    "cp1252",
)


def mutated_bytes(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Bytes with some taken out, put in, changed, said twice, or followed by those of another."""
    made = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        at, length = draw.randint(0, len(made)), draw.randint(1, 64)
        match draw.randrange(7):
            case 0:
                del made[at : at + length]
            case 1:
                made[at:at] = draw.randbytes(length)
            case 2 if made:
                made[min(at, len(made) - 1)] = draw.randrange(256)
            case 3:
                made[at:at] = made[at : at + length] * draw.randint(1, 40)
            case 4:
                del made[at:]
            case 5:
                other = draw.choice(others)
                start = draw.randint(0, len(other))
                made[at:at] = other[start : start + 2000]
            case _:
                made[at:at] = draw.choice(PIECES).encode(errors="surrogatepass")
    return bytes(made)


def mutated_text(text: str, draw: Random, longest: int = 20_000) -> str:
    """A text with pieces put in, parts taken out or moved, or a run of one thing."""
    made = text
    for _ in range(draw.randint(1, 8)):
        at, length = draw.randint(0, len(made)), draw.randint(1, 60)
        match draw.randrange(12):
            case 0:
                made = made[:at] + made[at + length :]
            case 1:
                made = made[:at] + run_of(draw, longest) + made[at:]
            case 2:
                made = made[:at] + chr(draw.randrange(0x20, 0x3000)) * length + made[at:]
            case 3:
                other = draw.randint(0, len(made))
                made = made[:at] + made[other : other + length] + made[at:]
            case _:
                made = made[:at] + draw.choice(PIECES) + made[at:]
    return made


def run_of(draw: Random, longest: int) -> str:
    """One thing over and over: most often some dozens of times, now and then very often."""
    often = draw.random() < 0.9
    piece, most = draw.choice(REPEATED), 60 if often else longest
    return piece * max(1, draw.randint(1, most) // len(piece))


def encoded(text: str, draw: Random) -> bytes:
    """A text in an encoding, mostly the usual one."""
    name = "utf-8" if draw.random() < 0.7 else draw.choice(ENCODINGS)
    return text.encode(name, errors="replace")


def mutated_json(value: Any, draw: Random, changes: int = 0) -> Any:
    """JSON some of whose values are others, or absent, or there twice."""
    made = json.loads(json.dumps(value))
    for _ in range(changes or draw.randint(1, 4)):
        made = _changed(made, draw)
    return made


def _changed(value: Any, draw: Random) -> Any:
    """A value that is changed in one place, which is reached by going down at random."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        name = draw.choice(sorted(value))
        match draw.randrange(10):
            case 0:
                return {k: v for k, v in value.items() if k != name}
            case 1:
                return {**value, draw.choice(PIECES): value[name]}
            case _:
                return {**value, name: _changed(value[name], draw)}
    if isinstance(value, list) and value and draw.random() < 0.9:
        place = draw.randrange(len(value))
        match draw.randrange(10):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, value[place]] * draw.randint(1, 3)
            case _:
                return [*value[:place], _changed(value[place], draw), *value[place + 1 :]]
    if isinstance(value, str) and draw.random() < 0.5:
        return mutated_text(value, draw, longest=3_000)
    return draw.choice(VALUES)


def mutated_zip(data: bytes, draw: Random, change: Callable[[bytes], bytes]) -> bytes:
    """An archive one of whose files is changed; packed again, so that its reader gets that far."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        names = before.namelist()
        chosen = draw.choice(names)
        for name in names:
            content = before.read(name)
            kept = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            after.writestr(kept, change(content) if name == chosen else content)
    return out.getvalue()
