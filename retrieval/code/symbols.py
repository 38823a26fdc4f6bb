"""The symbols of source code: what a file defines, calls and imports, with exact offsets."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import count
from operator import itemgetter
from pathlib import PurePosixPath
from time import thread_time
from typing import TYPE_CHECKING, Literal, cast

from retrieval.code.languages import GRAMMARS

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

SymbolKind = Literal["function", "method", "class", "struct", "interface", "enum", "type"]

# What a pattern of `retrieval.code.languages` may call the node that it is about.
_KINDS = frozenset(("function", "class", "struct", "interface", "enum", "type"))
_METHOD_OWNERS = _KINDS - {"function"} | {"impl"}  # a function in one of them is a method
_LABELS = _KINDS | {"module", "impl", "call", "import"}

# Hostile code nests without end and names without end; a qualified name holds both.
_MAX_DEPTH = 16
_LONGEST_NAME = 200

# Characters that are no code can keep a parser for hours. Code takes 2 µs a byte at most.
_BASE_SECONDS = 0.25
_SECONDS_PER_BYTE = 5e-6
_LONGEST_RUN = 500
"""Signs side by side that no construct holds; a query looks at all of them for each of them."""

_EXTENSIONS = {end: language for language, row in GRAMMARS.items() for end in row.extensions}
_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTINUATION = re.compile(rb"[\x80-\xbf]")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>(?=::)")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition: `text[start:end]`. `qualified_name` says what it stands in: "Class.method".

    The grammar says where it starts: after decorators, comments, `export` and the like.
    """

    name: str
    qualified_name: str
    kind: SymbolKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of `name` at an offset, inside the definition of this qualified name ("": none)."""

    name: str
    offset: int
    caller: str


@dataclass(frozen=True, slots=True)
class Import:
    """A module, package or file that the code imports, as it is written there."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True)
class SourceCode:
    """What a source file holds, each list in the order of the text."""

    definitions: list[Symbol]
    calls: list[CallSite]
    imports: list[Import]


def detect_code_language(name: str) -> str:
    """The language of a file by the end of its name or uri; "" when it is not code."""
    path = _AFTER_PATH.sub("", name) if "://" in name else name
    return _EXTENSIONS.get(PurePosixPath(path).suffix[1:].lower(), "")


def extract_symbols(text: str, language: str) -> SourceCode | None:
    """Read definitions, calls and imports off a source file; broken code as far as it goes.

    Definitions more than 16 deep in each other, and names of more than 200 characters, are left
    out. 10,000 characters of code take 3 to 10 ms; no text takes longer than a few times as long.

    Args:
        text: The file.
        language: A name that `detect_code_language` gave.

    Returns:
        None when the language is not known, its grammar is not installed, or the text is far from
        code.
    """
    grammar = _load_grammar(language)
    return _collect_symbols(text, *grammar) if grammar else None


@cache
def _load_grammar(language: str) -> "tuple[Language, Query] | None":
    if language not in GRAMMARS:
        return None
    row = GRAMMARS[language]
    try:
        from tree_sitter import Language, Query  # noqa: PLC0415  (an extra)

        compiled = Language(getattr(import_module(row.package), row.entry)())
    except ImportError:
        return None
    return compiled, Query(compiled, row.query)


def _parse_tree(data: bytes, language: "Language") -> "Tree | None":
    from tree_sitter import Parser  # noqa: PLC0415  (an extra)

    # Thirty broken characters are enough to send the grammar of tsx round in circles for ever.
    # Files take up to 30 of these steps for 1,000 bytes, minified ones up to 60.
    allowed = 1_000 + len(data) // 10
    until = thread_time() + _BASE_SECONDS + _SECONDS_PER_BYTE * len(data)
    steps = count()
    try:
        tree = Parser(language).parse(
            lambda byte, _: data[byte : byte + 65_536],
            progress_callback=lambda *_: next(steps) > allowed or thread_time() > until,
        )
    except ValueError:  # it was stopped
        return None
    return None if _has_long_run(tree.root_node) else tree


def _has_long_run(root: "Node") -> bool:
    """Whether many signs that belong to nothing stand side by side, as in "[[[[ ..."."""
    waiting = [root]
    while waiting:
        children = waiting.pop().children
        run = 0
        for child in children:
            run = 0 if child.is_named else run + 1
            if run > _LONGEST_RUN:
                return True
        waiting += [child for child in children if child.has_error]
    return False


def _collect_symbols(text: str, language: "Language", query: "Query") -> SourceCode | None:
    from tree_sitter import QueryCursor  # noqa: PLC0415  (an extra)

    data = _LONE_SURROGATE.sub("\ufffd", text).encode()
    tree = _parse_tree(data, language)
    if tree is None:
        return None
    # From bytes to characters: all bytes of a character but its first are continuations.
    continuations = [match.start() for match in _CONTINUATION.finditer(data)]

    def character(byte: int) -> int:
        return byte - bisect_left(continuations, byte)

    named: dict[tuple[int, int], tuple[str, str]] = {}  # (start, -end): label, name
    used: dict[str, dict[int, str]] = {"call": {}, "import": {}}  # start: name
    matches = QueryCursor(query).matches(tree.root_node)
    for _, nodes in sorted(matches, key=itemgetter(0)):
        label = next(label for label in nodes if label in _LABELS)
        node = nodes[label][0]
        start = character(node.start_byte)
        if label in used:
            used[label][start] = _read_name(node)
        else:
            words = [_read_name(nodes[part][0]) for part in ("owner", "name") if part in nodes]
            name = ".".join(words) if all(words) else ""
            named.setdefault((start, -character(node.end_byte)), (label, name))
    spans = _nest_definitions(named)
    imports = ((name.strip("\"'`<>"), at) for at, name in sorted(used["import"].items()))
    return SourceCode(
        [span.symbol for span in spans if span.label in _KINDS],
        _resolve_calls(used["call"], spans),
        [Import(name, at) for name, at in imports if name],
    )


def _read_name(node: "Node") -> str:
    """A node's text as one name; "" for one that is too long to be a name."""
    if node.end_byte - node.start_byte > _LONGEST_NAME:
        return ""
    text = (node.text or b"").decode(errors="replace")
    return " ".join(_TYPE_ARGUMENTS.sub("", text).split())


@dataclass(frozen=True, slots=True)
class _Scope:
    """A definition, or what only gives its name to those inside it."""

    label: str
    symbol: Symbol
    parent: int  # its place in the list of spans; -1: none


def _nest_definitions(named: dict[tuple[int, int], tuple[str, str]]) -> list[_Scope]:
    """Put definitions into each other; `named` maps (start, -end) to label and name."""
    spans: list[_Scope] = []
    around: list[int] = []  # the places of those that are still open
    for (start, end), (label, written) in sorted(named.items()):
        while around and spans[around[-1]].symbol.end <= start:
            around.pop()
        if not written or len(around) == _MAX_DEPTH:
            continue
        parent = around[-1] if around else -1
        name = written.replace("::", ".")
        kind = label
        if label == "function" and (
            "." in name or (around and spans[parent].label in _METHOD_OWNERS)
        ):
            kind = "method"
        over = f"{spans[parent].symbol.qualified_name}." if around else ""
        symbol = Symbol(name.rpartition(".")[2], over + name, cast("SymbolKind", kind), start, -end)
        around.append(len(spans))
        spans.append(_Scope(label, symbol, parent))
    return spans


def _resolve_calls(calls: dict[int, str], spans: list[_Scope]) -> list[CallSite]:
    starts = [span.symbol.start for span in spans]
    found = []
    for at, name in sorted(calls.items()):
        place = bisect_right(starts, at) - 1
        while place >= 0 and (spans[place].symbol.end <= at or spans[place].label not in _KINDS):
            place = spans[place].parent
        if name:
            found.append(
                CallSite(name, at, spans[place].symbol.qualified_name if place >= 0 else "")
            )
    return found
