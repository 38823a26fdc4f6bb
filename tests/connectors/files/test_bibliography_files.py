"""Bibliographies: BibTeX and CSL-JSON, as they are written and as they are broken."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.files.bibliography.bibtex import MAX_ENTRIES, parse_bibtex
from connectors.files.bibliography.entries import BibEntry, find_files, read_bibliography
from connectors.files.bibliography.latex import read_latex
from exports.bibliography import build_csl_json, format_bibtex
from schema.report import Reference

BIB = r"""
What stands between entries is none.
@string(otters = {Otters}) @string{jow = "Journal of " # otters}
@comment{jabref-meta: x}
@preamble{"\newcommand{\x}{y}"}
@Article{holm2024,
  author = {Holm, Anna and {M\"u}ller, J{\'o}rg and {Otters and Friends e.V.} and others},
  title = "{O}tters \& {Stones} --- a study of \emph{use}",
  journal = jow, year = 2024, month = may, volume = 3, number = {2}, pages = {1--9},
  doi = {10.1234/Otter.7}, keywords = {wild, coast},
  abstract = {They crack shells.},
  file = {Full Text:files/12/otter.pdf:application/pdf;:notes\;x.txt:TEXT},
}
@misc(web2020, title={A page}, url={https://a.test/x\_y}, date = {2020-03-07})
@misc{empty}
"""


def read(tmp_path: Path, text: str, name: str = "refs.bib") -> tuple[list[BibEntry], int] | None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_bibliography(path)


def test_entries_of_bibtex_say_what_they_are_of(tmp_path: Path) -> None:
    found = read(tmp_path, BIB)
    assert found
    (holm, web, empty), failures = found[0], found[1]
    assert failures == 0
    assert holm.title == "Otters & Stones — a study of use"
    assert holm.author == "Anna Holm, Jórg Müller, Otters and Friends e.V., et al."
    assert (holm.site, holm.place, holm.published) == ("Journal of Otters", "3 (2), 1–9", "2024-05")
    assert holm.address == "https://doi.org/10.1234/otter.7"
    assert holm.files == ("files/12/otter.pdf", "notes;x.txt")
    assert holm.text.endswith("DOI: 10.1234/otter.7\nTags: wild, coast\n\nThey crack shells.")
    assert (web.address, web.published) == ("https://a.test/x_y", "2020-03-07")
    assert (empty.key, empty.title, empty.address) == ("empty", "empty", "")


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"{\'E}mile \'{e} \^\i \c{c} {\v{S}} \~n", "Émile é î ç Š ñ"),
        (r"Stra{\ss}e, \O{}re \AA ngstr{\"o}m", "Straße, Øre Ångström"),
        (r"50\,\% \$3 \_ \# a--b \textbf{c} x~y {-}{-}", "50% $3 _ # a–b c x y --"),
        (r"\textbackslash{} \{a\} \textasciitilde{} \^{}", r"\ {a} ~ ^"),
        (r"cost $x^2$ { nested {braces} }", "cost $x^2$ nested braces"),
    ],
)
def test_latex_says_its_letters(latex: str, plain: str) -> None:
    assert read_latex(latex) == plain


def test_a_broken_entry_costs_itself(tmp_path: Path) -> None:
    text = (
        "@article{a, title = {open\n@article{b, title = {B}}\n@article{c title}\n@misc{d, x = }\n"
    )
    found = read(tmp_path, f'{text}@misc{{e, title = "E"}}')
    assert found
    assert [one.key for one in found[0]] == ["b", "e"]
    assert found[1] == 3


def test_names_that_grow_into_gigabytes_are_refused() -> None:
    text = (
        "@string{a = {"
        + "x" * 300
        + "}}\n@string{b = a # a # a}\n@misc{m, t = a # a # a}\n@misc{n}"
    )
    entries, failures = parse_bibtex(text)
    assert ([one.key for one in entries], failures) == (["n"], 2)


def test_as_many_entries_are_read_as_a_person_keeps() -> None:
    entries, _ = parse_bibtex("@misc{a}" * (MAX_ENTRIES + 5))
    assert len(entries) == MAX_ENTRIES


@given(st.text())
def test_any_text_is_read_to_its_end(text: str) -> None:
    parse_bibtex(text)
    read_latex(text)


PIECES = st.lists(
    st.sampled_from(["@misc{", "@string(", "a", ",", " = ", "{", "}", '"', "#", "\\", "\n@", "1"]),
    max_size=60,
)


@given(PIECES)
def test_pieces_of_the_grammar_in_any_order_are_read_to_their_end(pieces: list[str]) -> None:
    entries, failures = parse_bibtex("".join(pieces))
    assert len(entries) + failures <= "".join(pieces).count("@")


TITLES = st.text(
    st.characters(codec="utf-8", categories=("L", "Nd", "P", "Sm", "Sc", "Zs")), min_size=1
).filter(lambda text: bool(text.strip()))


@given(TITLES)
def test_what_quire_exports_is_read_back(title: str) -> None:
    one = Reference(
        number=1, title=title, author="Anna Holm; Bo Li", site="", url="https://a.test/x_1",
        published="2024-05", accessed="2026-01-02", excerpt=False, reachable=None, checked="",
    )  # fmt: skip
    report: Any = {"references": [one]}
    (raw,), failures = parse_bibtex(format_bibtex(report))
    assert failures == 0
    wanted = unicodedata.normalize("NFC", " ".join(title.split()))
    assert read_latex(raw.fields["title"]) == wanted


def test_csl_json_that_quire_exports_is_read_back(tmp_path: Path) -> None:
    one = Reference(
        number=1, title="Otters", author="Anna Holm; Otter Trust", site="Otters Today",
        url="https://a.test/", published="2024-05-01", accessed="2026-01-02", excerpt=False,
        reachable=None, checked="",
    )  # fmt: skip
    made: Any = {"references": [one]}
    found = read(tmp_path, json.dumps(build_csl_json(made)), "refs.json")
    assert found
    (entry,), _ = found
    assert (entry.title, entry.site, entry.published) == ("Otters", "Otters Today", "2024-05-01")
    assert entry.author == "Anna Holm, Otter Trust"


@pytest.mark.parametrize(
    "text", ['{"id": 1}', "[1, 2]", '[{"id": 1, "type": "x"}]', '[{"name": "a"}]', "[{", ""]
)
def test_other_json_is_no_bibliography(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text, "data.json") is None


@pytest.mark.parametrize("odd", [None, 7, [None], {"date-parts": [7]}, "x"], ids=repr)
def test_odd_fields_of_csl_are_passed_over(tmp_path: Path, odd: Any) -> None:
    names = ("author", "issued", "DOI", "volume", "abstract", "attachments", "URL")
    item = {"id": "a", "type": "book", "title": "T", **dict.fromkeys(names, odd)}
    found = read(tmp_path, json.dumps([item]), "refs.json")
    assert found
    assert found[0][0].title == "T"


def test_files_of_an_entry_lie_below_its_bibliography(tmp_path: Path) -> None:
    folder = tmp_path / "refs"
    (folder / "files").mkdir(parents=True)
    for path in (folder / "files" / "a.pdf", tmp_path / "secret.txt"):
        path.write_text("x")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    names = (
        "files/a.pdf",
        "../secret.txt",
        "link.txt",
        "/etc/passwd",
        "nowhere",
        "a\0b",
        "x" * 999,
    )
    entry = BibEntry(key="a", title="A", files=(*names, str(folder / "files" / "a.pdf")))
    assert find_files(entry, folder) == [folder / "files" / "a.pdf"]
