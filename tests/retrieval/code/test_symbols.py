"""Symbols: what is defined, called and imported where, in every language there is a grammar for."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.code import symbols as module
from retrieval.code.languages import GRAMMARS
from retrieval.code.symbols import (
    SourceCode,
    detect_code_language,
    extract_symbols,
)

PYTHON = '''\
import os.path
from .shapes import Circle as Ring
import numpy as np, json

@register("naïve 🙂 name")
class Oven(Base):
    """Bakes."""

    async def bake(self, loaf):
        def turn():
            return loaf.flip(2)
        return await turn()

def größe(x): return Oven().bake(x)
print("done")
'''
JAVASCRIPT = """\
import { read } from "./files.js";
export * from 'more';
const path = require("node:path");
class Queue extends Base {
  #next() { return this.list.shift(); }
  push = (job) => { this.list.push(job); };
  constructor() { super(); }
}
export const drain = async (queue) => { await new Worker(queue).run(); };
function* each() {}
module.exports.stop = function () {};
"""
TYPESCRIPT = """\
import type { Job } from "./job";
import fs = require("fs");
export interface Store<T> { get(key: string): T; }
abstract class Table implements Store<Job> {
  abstract size(): number;
  public get(key: string): Job { return parse<Job>(this.rows?.find(key)); }
  private clear = () => { fs.rm(); };
}
type Key = string;
enum Mode { Read }
namespace Tools { export function open(): void {} }
"""
GO = """\
package cache

import (
    "fmt"
    str "strings"
)

type Cache[K any] struct{ items map[string]K }
type Reader interface { Read(p []byte) error }
type Loader func(string) error
type Alias = Cache

func (c *Cache[K]) Load(key string) error { return fmt.Errorf("no %s", key) }
func (r Plain) Size() int { return len(r) }
func New() *Cache { return build(str.ToLower("é")) }
"""
RUST = """\
use std::{fs, io};
use crate::shapes::Circle as Ring;
use super::*;
extern crate serde;

pub struct Grid<T> { cells: Vec<T> }
enum Side { Left }
trait Draw { fn draw(&self); fn twice(&self) { self.draw(); } }
impl<T> Draw for Grid<T> { fn draw(&self) { Ring::new(); paint::<T>(); log::info!("é"); } }
mod inner { pub fn helper() { vec![1]; } }
macro_rules! square { ($x:expr) => { $x * $x }; }
type Cells = Grid<u8>;
"""
JAVA = """\
package app.io;
import java.util.List;
import static java.lang.Math.*;

@Deprecated
public class Stock<T> extends Base {
    Stock() { this.items = new ArrayList<>(); }
    int count(T thing) { return items.size() + new Outer.Inner().total(); }
    interface Listener { void changed(); }
    enum Level { LOW; void warn() {} }
}
record Point(int x, int y) {}
@interface Marker {}
"""
C = """\
#include <stdio.h>
#include "table.h"
#define TWICE(x) ((x) * 2)
struct node { struct node *next; };
typedef struct { int size; } table;
enum color { RED };
static char **split(table *t) { t->grow(1); return copy(t); }
int main(void) { printf("é"); }
"""
CPP = """\
#include <vector>
namespace geo {
template <class T> class Shape : Base {
 public:
  ~Shape() {}
  double area() const { return std::abs(w->side()); }
};
struct Box { int w; };
using Boxes = std::vector<Box>;
}
double geo::Shape<int>::scale(double k) { auto p = new Box(); return area(); }
Box &front() { return first; }
"""
RUBY = """\
require 'json'
require_relative "lib/table"
module Shop
  extend Counting
  class Cart < Base
    def total?(tax) = items.sum(tax)
    def self.open; Cart.new; end
  end
end
class Shop::Item
  def <=>(other); end
end
"""
SOURCES = {
    "python": PYTHON, "javascript": JAVASCRIPT, "typescript": TYPESCRIPT, "tsx": TYPESCRIPT,
    "go": GO, "rust": RUST, "java": JAVA, "c": C, "cpp": CPP, "ruby": RUBY,
}  # fmt: skip


def read(text: str, language: str) -> SourceCode:
    code = extract_symbols(text, language)
    assert code is not None
    return code


TOLD = {
    "python": (
        "class: Oven; method: Oven.bake; function: Oven.bake.turn größe",
        ">print >register Oven.bake.turn>flip Oven.bake>turn größe>Oven größe>bake",
        "os.path .shapes numpy json",
    ),
    "javascript": (
        "class: Queue; method: Queue.#next Queue.push Queue.constructor; function: drain each stop",
        ">require Queue.#next>shift Queue.push>push drain>Worker drain>run",
        "./files.js more node:path",
    ),
    "typescript": (
        "interface: Store; method: Store.get Table.size Table.get Table.clear; class: Table; "
        "type: Key; enum: Mode; function: Tools.open",
        "Table.clear>rm Table.get>find Table.get>parse",
        "./job fs",
    ),
    "go": (
        "struct: Cache; interface: Reader; method: Reader.Read Cache.Load Plain.Size; type: "
        "Loader Alias; function: New",
        "Cache.Load>Errorf New>ToLower New>build Plain.Size>len",
        "fmt strings",
    ),
    "rust": (
        "struct: Grid; enum: Side; interface: Draw; method: Draw.draw Draw.twice Grid.draw; "
        "function: inner.helper square; type: Cells",
        "Draw.twice>draw Grid.draw>info Grid.draw>new Grid.draw>paint inner.helper>vec",
        "std crate::shapes::Circle super serde",
    ),
    "java": (
        "class: Stock Point; method: Stock.Stock Stock.count Stock.Listener.changed "
        "Stock.Level.warn; interface: Stock.Listener Marker; enum: Stock.Level",
        "Stock.Stock>ArrayList Stock.count>Inner Stock.count>size Stock.count>total",
        "java.util.List java.lang.Math",
    ),
    "c": (
        "function: TWICE split main; struct: node table; enum: color",
        "main>printf split>copy split>grow",
        "stdio.h table.h",
    ),
    "cpp": (
        "class: geo.Shape; method: geo.Shape.~Shape geo.Shape.area geo.Shape.scale; struct: "
        "geo.Box; type: geo.Boxes; function: front",
        "geo.Shape.area>abs geo.Shape.area>side geo.Shape.scale>Box geo.Shape.scale>area",
        "vector",
    ),
    "ruby": (
        "class: Shop.Cart Shop.Item; method: Shop.Cart.total? Shop.Cart.open Shop.Item.<=>",
        ">extend >require >require_relative Shop.Cart.open>new Shop.Cart.total?>sum",
        "json lib/table",
    ),
}
"""Definitions by kind, calls as `caller>name`, imports in order."""
TOLD["tsx"] = TOLD["typescript"]


@pytest.mark.parametrize("language", SOURCES)
def test_a_language_s_definitions_calls_and_imports_are_told(language: str) -> None:
    definitions, calls, imports = TOLD[language]
    code = read(SOURCES[language], language)
    kinds = (part.split(": ") for part in definitions.split("; "))
    assert {symbol.qualified_name: symbol.kind for symbol in code.definitions} == {
        name: kind for kind, names in kinds for name in names.split()
    }
    assert {f"{call.caller}>{call.name}" for call in code.calls} == set(calls.split())
    assert [item.name for item in code.imports] == imports.split()


@pytest.mark.parametrize("language", GRAMMARS)
def test_offsets_count_characters(language: str) -> None:
    text = (
        f"{'# 🙂 ü' if language in {'python', 'ruby', 'bash'} else '// 🙂 ü'}\n{SOURCES[language]}"
    )
    code = read(text, language)
    assert code.definitions
    for symbol in code.definitions:
        assert symbol.name in text[symbol.start : symbol.end]
        assert symbol.name == symbol.qualified_name[-len(symbol.name) :]
    for at, name in [(u.offset, u.name) for u in code.calls] + [
        (u.offset, u.name) for u in code.imports
    ]:
        assert text[at:].lstrip("\"'<").startswith(name)


def test_a_definition_is_the_text_it_spans() -> None:
    code = read(PYTHON, "python")
    last = code.definitions[-1]
    assert PYTHON[last.start : last.end] == "def größe(x): return Oven().bake(x)"
    assert last.name == last.qualified_name == "größe"


def test_broken_code_is_read_as_far_as_it_goes() -> None:
    code = read(
        "def whole(x):\n    return x\n\ndef broken(:\n  ((\n\nclass After:\n    pass\n", "python"
    )
    assert code.definitions[0].qualified_name == "whole"


fragments = st.sampled_from(
    ["def f():\n  ", "class A {", "class A:\n  ", "func (a *A) f() {", "fn f() {", "impl A<B> {",
     "function a(){", "f(", "a.b()", ")", "}", "\n", "\0", "\r", '"', "'", "`", "é", "🙂", "\ud800",
     "import a", "use a::", "#include <", "A::", "<", ">", "end\n", "struct a{", "\ufeff"]
)  # fmt: skip


@pytest.mark.parametrize("language", GRAMMARS)
@settings(max_examples=40)
@given(st.one_of(st.lists(fragments, max_size=25).map("".join), st.text(max_size=100)))
def test_any_text_is_read(language: str, text: str) -> None:
    code = extract_symbols(text, language) or SourceCode([], [], [])  # the parser may give up
    names = {symbol.qualified_name for symbol in code.definitions} | {""}
    starts = [symbol.start for symbol in code.definitions]
    assert starts == sorted(starts)
    assert all(0 <= s.start < s.end <= len(text) and s.name for s in code.definitions)
    assert all(0 <= call.offset < len(text) and call.caller in names for call in code.calls)
    assert all(0 <= item.offset < len(text) and item.name for item in code.imports)


@pytest.mark.parametrize(
    ("language", "text"),
    [("tsx", "B>{{''\"t\n$}'''&\"\"\"\":</>)f(a*A "), ("javascript", "->" * 5_000)],
)
def test_the_parser_gives_up_on_what_it_would_not_finish(language: str, text: str) -> None:
    assert extract_symbols(text, language) is None


def test_endless_nesting_and_endless_names_cost_no_more_than_their_length() -> None:
    deep = read(f"{'function a(){' * 300}b(){'}' * 300}", "javascript")
    assert max(len(symbol.qualified_name) for symbol in deep.definitions) < 40
    assert deep.calls[0].caller == deep.definitions[-1].qualified_name
    long = read(f"class {'A' * 9_000}:\n  def f(self): {'g' * 9_000}()\n", "python")
    assert [symbol.qualified_name for symbol in long.definitions] == ["f"]
    assert long.calls == []


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("file:///src/Main.java", "java"), ("https://host.example/a/b.PY?raw=1#L10", "python"),
        ("https://host.example/a.md?file=b.py", ""), ("C# and Go/main.go", "go"),
        ("view.tsx", "tsx"), ("table.h", "c"), ("notes.md", ""), ("src.py/readme", ""), ("py", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_file_name_tells_the_language(name: str, language: str) -> None:
    assert detect_code_language(name) == language
    assert (extract_symbols("# Title", language) is None) == (not language)


@pytest.mark.parametrize("package", ["tree_sitter", "tree_sitter_go"])
def test_without_the_extra_there_are_no_symbols(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(module, "_load_grammar", module._load_grammar.__wrapped__)
    assert extract_symbols(GO, "go") is None
