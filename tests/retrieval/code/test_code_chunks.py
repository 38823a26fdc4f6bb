"""Chunks of code: cut between definitions, nothing lost, each told what it holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.code.chunks import CodeChunk, split_code
from retrieval.code.languages import GRAMMARS
from retrieval.code.symbols import extract_symbols
from retrieval.passages.chunking import CHUNK_SIZE, HEADING_CHARACTERS


def cut(text: str, language: str = "python") -> list[CodeChunk]:
    code = extract_symbols(text, language)
    assert code is not None
    return split_code(text, code)


def function(name: str, lines: int, indent: str = "") -> str:
    body = "".join(f"{indent}    total += weigh(item, {i})  # é\n" for i in range(lines))
    return f"{indent}def {name}(item):\n{body}\n"


def headings(text: str, language: str = "python") -> list[str]:
    return [chunk.heading for chunk in cut(text, language)]


PIECES = {
    "python": ["import os\n", "@cached\n", "# Words.\n", function("f", 3), function("long", 60),
               "class A:\n", '    """Doc."""\n', function("m", 9, "    "), "x = [\n", "]\n"],
    "typescript": ["import x from 'y';\n", "/** Words. */\n", "export class A {\n", "  m() {\n",
                   "    f(1);\n" * 30, "  }\n", "}\n", "const g = () => h();\n", "interface B {\n"],
    "go": ["package a\n", 'import "fmt"\n', "// Words.\n", "type S struct {\n", "}\n",
           "func (s *S) M() {\n", "\tf(1)\n" * 40, "func F() { g() }\n", "type (\n", ")\n"],
    "rust": ["use a::b;\n", "/// Words.\n", "#[test]\n", "impl A {\n", "    fn m(&self) {\n",
             "        f(1);\n" * 30, "    }\n", "}\n", "struct A;\n", "mod t {\n"],
    "java": ["package a;\n", "import b.C;\n", "/** Words. */\n", "class A {\n", "    @Override\n",
             "    void m() {\n", "        f(1);\n" * 30, "    }\n", "}\n", "int a() { b(); }"],
}  # fmt: skip
SHARED = ["\n", "\n\n", "\r\n", "    ", "x" * 1_500, "🙂 é", "\ud800", "\0", "}", ");", "end\n"]


@pytest.mark.parametrize("language", PIECES)
@settings(max_examples=60)
@given(st.data())
def test_chunks_cover_the_text_in_order(language: str, data: st.DataObject) -> None:
    pieces = st.lists(st.sampled_from(PIECES[language] + SHARED), max_size=25).map("".join)
    text = data.draw(pieces)
    covers(text, language)


@pytest.mark.parametrize("language", GRAMMARS)
@settings(max_examples=20)
@given(st.text(max_size=200))
def test_any_text_is_cut(language: str, text: str) -> None:
    covers(text, language)


def covers(text: str, language: str) -> None:
    at = 0
    told = []
    code = extract_symbols(text, language)
    if code is None:  # the parser gave up on what is no code
        return
    for chunk in split_code(text, code):
        assert at <= chunk.start < chunk.end <= min(len(text), chunk.start + CHUNK_SIZE[1])
        assert not text[at : chunk.start].strip()
        assert text[chunk.start : chunk.end].strip()
        assert all(chunk.start <= symbol.start < chunk.end for symbol in chunk.definitions)
        told += [symbol.start for symbol in chunk.definitions]
        at = chunk.end
    assert not text[at:].strip()
    assert told == sorted(set(told))


def test_each_piece_knows_what_it_defines_calls_and_imports() -> None:
    text = "import os\nfrom a.b import c\n\n" + function("first", 25) + function("second", 25)
    head, body = cut(text)
    assert (head.imports, body.imports) == (["os", "a.b"], [])
    assert [(s.qualified_name, s.kind) for s in body.definitions] == [("second", "function")]
    assert (head.heading, body.heading) == ("first", "second")
    assert head.calls == body.calls == ["weigh"]
    assert text[body.start :].startswith("def second")


def test_small_neighbours_are_gathered() -> None:
    text = "".join(function(f"f{i}", 4) for i in range(12))
    found = cut(text)
    assert [len(chunk.definitions) for chunk in found] == [5, 5, 2]
    assert found[0].heading == "f0, f1, f2, f3, f4"
    assert all(CHUNK_SIZE[0] <= chunk.end - chunk.start + 2 for chunk in found[:2])


def test_a_long_function_is_split_between_lines() -> None:
    text = function("long", 90)
    found = cut(text)
    assert len(found) > 2
    assert {chunk.heading for chunk in found} == {"long"}
    assert all(text[: chunk.start].endswith("\n") for chunk in found[1:])
    assert [len(chunk.definitions) for chunk in found[:2]] == [1, 0]


def test_a_class_s_head_stays_with_its_first_method() -> None:
    head = 'class Oven:\n    """Bakes."""\n\n    heat = 3\n\n'
    text = function("before", 15) + head + "".join(function(n, 18, "    ") for n in "abc")
    found = cut(text)
    assert [chunk.heading for chunk in found] == ["before", "Oven", "Oven.b", "Oven.c"]
    assert text[found[1].start :].startswith("class Oven")
    assert [symbol.name for symbol in found[1].definitions] == ["Oven", "a"]
    assert text[found[2].start :].startswith("    def b")


def test_a_class_that_fits_is_not_cut_apart() -> None:
    text = "class Oven:\n" + "".join(function(n, 5, "    ") for n in "abcd")
    assert headings(text) == ["Oven"]


def test_comments_and_decorators_stay_with_what_they_are_about() -> None:
    loose = f"WEIGHTS = [{'1, ' * 170}]\n\n"
    above = '# Why it is so.\n@cached("é")\n'
    text = function("one", 20) + loose + above + function("two", 20)
    found = cut(text)
    assert [text[chunk.start :].partition(" ")[0] for chunk in found] == ["def", "WEIGHTS", "#"]
    assert [chunk.heading for chunk in found] == ["one", "", "two"]


def test_endless_comments_do_not_cut_what_stands_below() -> None:
    below = function("one", 12)
    text = "# A line of words.\n" * 120 + below
    assert any(below.strip() in text[chunk.start : chunk.end] for chunk in cut(text))


def test_loose_code_is_cut_off_from_the_definition_above() -> None:
    text = function("long", 50).rstrip() + "\nitems = [\n" + "    long(1),\n" * 60 + "]\n"
    found = cut(text)
    assert [chunk.heading for chunk in found] == ["long", "long", "long", ""]
    assert text[found[-1].start :].startswith("items = [")
    assert found[-1].calls == ["long"]
    assert found[-1].end == len(text) - 1


@pytest.mark.parametrize(
    ("language", "opening", "method", "heading"),
    [
        ("java", "/** A store. */\npublic class Store {\n    private int size;\n\n",
         "    /** Words on it. */\n    @Override\n    public int %s(int x) {\n%s    }\n", "Store"),
        ("typescript", "export class Store {\n  size = 0;\n\n",
         "  /** Words on it. */\n  %s(x: number): number {\n%s  }\n", "Store"),
        ("rust", "pub struct Store {\n    size: u8,\n}\n\nimpl Store {\n",
         "    /// Words on it.\n    #[inline]\n    fn %s(&self) {\n%s    }\n", "Store, Store.one"),
    ],
)  # fmt: skip
def test_methods_are_cut_apart_between_their_brackets(
    language: str, opening: str, method: str, heading: str
) -> None:
    body = "        self.weigh(1);\n" * 35
    text = opening + "\n".join(method % (name, body) for name in ("one", "two", "six")) + "}\n"
    found = cut(text, language)
    pieces = [text[chunk.start : chunk.end] for chunk in found]
    assert [chunk.heading for chunk in found] == [heading, "Store.two", "Store.six"]
    assert all(piece.lstrip().startswith("/") for piece in pieces[1:])
    assert all(piece.endswith("  }") for piece in pieces[:2])
    assert pieces[2].endswith("}\n}")


def test_go_methods_are_named_after_their_type() -> None:
    body = "\tstore.weigh(1)\n" * 50
    methods = (f"// {n} does it.\nfunc (s *Store) {n}() {{\n{body}}}\n\n" for n in ("Get", "Put"))
    text = 'package a\n\nimport "fmt"\n\n' + "".join(methods)
    found = cut(text, "go")
    assert [chunk.heading for chunk in found] == ["Store.Get", "Store.Put"]
    assert found[0].imports == ["fmt"]
    assert text[found[1].start :].startswith("// Put does it.")


def test_a_heading_is_bounded() -> None:
    text = "".join(f"def {letter * 150}(): pass\n" for letter in "abcd")
    assert [len(heading) for heading in headings(text)] == [HEADING_CHARACTERS]


def test_code_all_on_one_line_is_cut() -> None:
    text = "".join(f"function f{i}(a){{return g(a,{i})}}" for i in range(100))
    found = cut(text, "javascript")
    assert all(text[chunk.start :].startswith("function") for chunk in found)
    assert sum(len(chunk.definitions) for chunk in found) == 100
