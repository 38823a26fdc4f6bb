"""Links: every form of them, resolved, in order, and quick whatever the text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.web.links import MAX_LINKS, find_links

PAGE = "https://host.example/guide/start"
marks = st.sampled_from(
    ["[", "]", "(", ")", "](", "[[", "]]", "|", "![", "<", ">", '"', "'", "`", "```", "\n",
     " ", "~~~", "\\", "]:", "#", "http://", "https://[", "<a href=", "a", "b.md", "\ud800", "é",
     "&amp;"]
)  # fmt: skip
texts = st.one_of(st.lists(marks, max_size=40).map("".join), st.text(max_size=200))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('See [the plan](https://a.example/plan "A title").', "https://a.example/plan"),
        ("[a](<https://a.example/two words>)", "https://a.example/two words"),
        ("[a](https://a.example/Rust_(language))", "https://a.example/Rust_(language)"),
        ("[![badge](https://ci.example/b.svg)](https://a.example)", "https://a.example"),
        ("[see [1]](https://a.example)", "https://a.example"),
        ("[[1]](https://a.example)", "https://a.example"),
        ("As [told][plan].\n\n[plan]: https://a.example/plan 'T'\n", "https://a.example/plan"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("Read https://a.example/x, then rest.", "https://a.example/x"),
        ("(https://a.example/x_(y)).", "https://a.example/x_(y)"),
        ('<a class="k" href="b?x=1&amp;y=2">t</a>', "b?x=1&y=2"),
        ("<A HREF=b.html>t</A>", "b.html"),
        ("<a\nhref = 'b.html'>", "b.html"),
        ("[[Wind power]]", "wiki:Wind power"),
        ("[[Wind power#Costs|what it costs]]", "wiki:Wind power"),
        ("| [[Wind\\|w]] |", "wiki:Wind"),
    ],
)
def test_every_form_of_link_is_found(text: str, found: str) -> None:
    assert find_links(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "![a plot](https://a.example/plot)",
        "![a plot][plot]",
        "[a plot](plot.PNG)",
        "![[photo]]",
        "[[photo.jpg]]",
        "[m](mailto:a@a.example)",
        "[m](javascript:alert)",
        "[m](DATA:text/plain,x)",
        "[below](#below)",
        "[[#below]]",
        "```\n[a](https://a.example)\n```",
        "> ~~~~ md\n> https://a.example\n> ~~~\n> https://b.example",
        "Call `handlers[i](event)` then.",
        r"\[no\](link)",
        "[^1]: Footnote",
        "[note]: this is prose",
        '<link rel="icon" href="https://a.example"><img src="https://a.example/i">',
        "https://[",
        f"[long](https://a.example/{'x' * 3000})",
    ],
)
def test_what_is_no_link_to_a_document_is_left_out(text: str) -> None:
    assert find_links(text, PAGE) == []


def test_text_after_a_fence_counts_again() -> None:
    text = "```sh\ncurl https://in.example\n```\nhttps://out.example\n```x``` https://on.example"
    assert find_links(text) == ["https://out.example", "https://on.example"]


@pytest.mark.parametrize(
    ("base", "target", "found"),
    [
        (PAGE, "next#part", "https://host.example/guide/next"),
        (PAGE, "/top", "https://host.example/top"),
        (PAGE, "//other.example/x", "https://other.example/x"),
        (f"{PAGE}/", "../b?page=2", "https://host.example/guide/b?page=2"),
        ("file:///notes/a.md", "sub/b.md", "file:///notes/sub/b.md"),
        ("", "sub/b.md", "sub/b.md"),
        ("https://[", "sub/b.md", ""),
    ],
)
def test_a_relative_target_is_resolved(base: str, target: str, found: str) -> None:
    assert find_links(f"[a]({target})", base) == [found] * bool(found)


def test_a_file_is_named_as_the_library_names_it() -> None:
    other = Path("/notes/dé 100% (old).md")
    assert find_links("[a](<dé 100% (old).md>)", "file:///notes/a.md") == [other.as_uri()]
    assert find_links("[a](d%C3%A9%20100%25%20%28old%29.md)", "file:///notes/a.md") == [
        other.as_uri()
    ]


def test_links_keep_their_order_and_stand_once() -> None:
    text = "[b](b) <https://z.example> [[N]] [a](a) [b](b#more) [self](start)"
    host = "https://host.example/guide"
    assert find_links(text, PAGE) == [f"{host}/b", "https://z.example", "wiki:N", f"{host}/a"]


def test_a_page_of_links_is_cut_off() -> None:
    found = find_links(" ".join(f"https://a.example/{i}" for i in range(MAX_LINKS + 5)))
    assert len(found) == MAX_LINKS
    assert found[0] == "https://a.example/0"


@given(texts, st.sampled_from(["", PAGE, "file:///a/b.md", "https://["]))
def test_any_text_is_read(text: str, base: str) -> None:
    found = find_links(text, base)
    assert len(found) == len(set(found))
    assert all(found)
