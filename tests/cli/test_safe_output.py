"""What strangers wrote is shown as text: no markup of ours, no order to a terminal."""

import json
import os
import pty
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, Terminal, quire
from graph_runs import CONCEPTS
from hypothesis import given
from hypothesis import strategies as st

from cli.console import print_table
from cli.progress import RunProgress
from cli.safe_output import print_bytes, print_json, print_stderr, print_stdout, replace_controls
from library.library import open_library
from schema.documents import Document

ROOT = Path(__file__).parents[2]

OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
OURS = re.compile(r"\x1b\[(?:\?25[lh]|[0-9]*[AK]|[0-9;]*m)")
"""What Rich says to a terminal: cursor, lines, colours. Code 99 is no colour: a stranger's."""

NASTY = (
    "What do herons [/b] eat? [bold]x[/y] [link=http://e.example]:smile: {0} %s\x1b[99mred\x1b[0m "
    "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\ \x9b2J\x07\b\r\x00 "
    "\u202egnp.exe\u202c \u2066x\u2069 \x7f\u2028next"
)
TYPED = NASTY.replace("\x00", "")
"""What can be given as an argument."""

texts = st.one_of(
    st.just(NASTY),
    st.text(),
    st.text(alphabet="[]/b \\\x1b]8;m\x07\x9b\u202e\n\r\t:{}%"),
).map(str)


def obeyed(shown: str) -> list[str]:
    """What of a terminal's input it would obey, beside what Rich writes."""
    assert "\x1b[99m" not in shown
    return OBEYED.findall(OURS.sub("", shown))


@contextmanager
def terminal(patch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """Both outputs as a terminal."""
    shown = Terminal(terminal=True)
    patch.setattr(sys, "stdout", shown)
    patch.setattr(sys, "stderr", shown)
    patch.setenv("TERM", "xterm-256color")
    yield lambda: shown.text().replace("\r\n", "\n").replace("\r", "")


def progress(text: str) -> None:
    """All that a run may tell of itself."""
    told: dict[str, Any] = dict.fromkeys(
        ["uri", "reason", "error", "question", "title", "action", "why", "outcome"], text
    )
    told |= {"sections": [text], "vectors": 1, "passages": 1, "sources": 1}
    kinds = [
        "ingested", "embedded", "question", "outline", "outline_revised", "searched", "pool",
        "step", "written",
    ]  # fmt: skip
    with RunProgress() as bar:
        for kind in kinds:
            bar({**told, "type": kind})  # type: ignore[typeddict-item]
        bar({**told, "type": "ingested", "outcome": "skipped"})  # type: ignore[typeddict-item]
        bar._bar.refresh()


PRINTERS: dict[str, Callable[[str], object]] = {
    "say": print_stdout,
    "tell": print_stderr,
    "say_json": lambda text: print_json({text: [text]}),
    "hand_over": lambda text: print_bytes(text.encode(errors="replace")),
    "table": lambda text: print_table(("one", "two"), [(text, text)]),
    "progress": progress,
}


@pytest.mark.parametrize("name", PRINTERS)
@given(text=texts)
def test_a_terminal_obeys_nothing_that_is_printed(name: str, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch, terminal(patch) as shown:
        PRINTERS[name](text)
        assert obeyed(shown()) == []


@given(text=texts)
def test_json_that_is_printed_says_what_it_said(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch, terminal(patch) as shown:
        print_json([text])
        assert json.loads(shown()) == [text]


@given(text=st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "M"])))
def test_what_a_terminal_does_not_obey_stays(text: str) -> None:
    assert replace_controls(text) == text


def test_a_file_gets_what_it_should_hold(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    print_bytes("\u202b\x1b[0m".encode())
    assert capfdbinary.readouterr().out == "\u202b\x1b[0m".encode()


def test_nothing_else_prints() -> None:
    """All words go through `cli.safe_output`, `cli.console.print_table` or `RunProgress`."""
    for path in (ROOT / "cli").glob("*.py"):
        if path.name not in ("console.py", "progress.py"):
            found = re.search(r"typer\.(s?echo|confirm|prompt)\(|\bprint\(", path.read_text())
            assert not found, path.name


@pytest.fixture
async def nasty(space: str) -> str:
    """A space whose documents, sources and reports have nasty words in every field."""
    library = await open_library(space)
    document = Document(
        uri=f"file:///x[/y]/{NASTY}",
        url=f"https://e.example/{NASTY}",
        title=f"Herons {NASTY}",
        author=NASTY,
        text=f"# Herons {NASTY}\n\nHerons eat fish [/b] and \x1b[99mfrogs\x07 in rivers.",
        connector="files",
        published=NASTY[:20],
    )
    await library.store([document])
    await library.add_source("files", f"/x[/y]{TYPED}")
    await library.begin_report(NASTY, {"context": {"space": space}, "skipped": []})
    return space


COMMANDS = {
    "report": ["report", TYPED, "--out", "r.md"],
    "report printed": ["report", "What do herons eat?"],
    "report of files": ["report", f"BM25 {TYPED}", "--files", str(CONCEPTS)],
    "reports list": ["reports", "list"],
    "reports revise": ["reports", "revise", TYPED, TYPED, "--section", "1"],
    "sources list": ["sources", "list"],
    "sources remove": ["sources", "remove", TYPED],
    "search": ["search", "what do herons eat", "--explain"],
    "search as JSON": ["search", "what do herons eat", "--json"],
    "search for nothing": ["search", f"zebras {TYPED}"],
    "ask": ["ask", "What do herons eat?"],
    "tree": ["tree", "files/x["],
    "tree of no folder": ["tree", TYPED],
    "ingest": ["ingest", f"nowhere{TYPED}"],
    "a wrong option": ["search", "x", f"--{TYPED}"],
    "a wrong value": ["search", "x", "--limit", TYPED],
    "a wrong command": [TYPED],
}


def with_space(arguments: list[str], space: str) -> list[str]:
    """A command, in a space if it knows any."""
    spaceless = arguments[0] in ("reports", TYPED)
    return arguments if spaceless else [*arguments, "--space", space]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_nasty_words_as_text(
    name: str, nasty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "2000")
    done: Done = quire(*with_space(COMMANDS[name], nasty), terminal=True)
    assert obeyed(re.sub(r"\r+\n?", "\n", done.out + done.err)) == []
    assert "Traceback" not in done.err
    assert "fault of Quire" not in done.err
    if name != "a wrong value":  # which is not said again
        assert "[/" in done.out + done.err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report", "reports list", "search"])
def test_on_a_real_terminal_nasty_words_are_text(name: str, nasty: str) -> None:
    child, fd = pty.fork()
    if not child:
        arguments = [sys.executable, "-m", "cli", *with_space(COMMANDS[name], nasty)]
        os.execve(
            sys.executable,
            arguments,
            {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "2000"},
        )
    shown = b""
    while part := _read(fd):
        shown += part
    _, status = os.waitpid(child, 0)
    text = re.sub(r"\r+\n?", "\n", shown.decode())
    assert os.waitstatus_to_exitcode(status) == 0, text
    assert obeyed(text) == []
    assert "Traceback" not in text
    if name != "report":
        assert "[/" in text


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65_536)
    except OSError:  # how Linux tells the end of a terminal
        return b""
