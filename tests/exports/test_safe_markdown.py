"""What sources and writers say is shown by every viewer of Markdown, and nothing of it is run."""

from collections.abc import Iterator

import pytest
from hostile import MARKUP, report_of
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from exports.markdown import render_markdown
from exports.safe_markdown import sanitise_line, sanitise_markdown
from schema.report import Report

IMG = "<img src=x onerror=alert(1)>"
VIEWERS = [
    MarkdownIt("commonmark", {"html": True}),
    MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]),
]
"""They let HTML through, as GitHub's and many others do before they sanitise, or without."""
for one in VIEWERS:
    one.validateLink = lambda _: True  # type: ignore[method-assign]

PIECES = [
    IMG, "<script>alert(1)</script>", "<!-- x -->", "<?x?>", "</div>", "<a/onclick=x>",
    "<http://x`>", "`", "``", "```", "~~~", "~~~~", "\\", "\\`", "|", "| a |\n|---|\n", "$", "$$",
    "\n", "\n", "\n\n", " ", "  ", "    ", "\t", "- ", "> ", "1. ", "10) ", "* ", "a", "a\n", "# ",
    "## b", "===", "---", "[1]", "[1]: ", "[a](", "](javascript:x)", "](<java\tscript:x>)",
    "](java&#115;cript&colon;x)", "!", "![a](http://x/y.png)", "![a [b] c](http://x/y.png)",
    "](http://x)", ")", "<", ">", "&lt;img>", "\u2028", "\r", "\x0b", "\x85", "\ufeff", "\u200b",
    "*", "_", "chart:0", "x",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def tokens(text: str, viewer: MarkdownIt) -> Iterator[Token]:
    for token in viewer.parse(text):
        yield token
        yield from token.children or ()


def check(text: str, top: int) -> None:
    shown = sanitise_markdown(text, top)
    for viewer in VIEWERS:
        for token in tokens(shown, viewer):
            assert token.type not in ("html_inline", "html_block"), (text, shown)
            if token.type == "image":
                assert str(token.attrs["src"]).startswith("chart:"), (text, shown)
            if token.type == "link_open":
                target = str(token.attrs["href"]).casefold()
                assert target.startswith(("http:", "https:", "mailto:", "#", "chart:")), shown
        env: dict[str, object] = {}
        viewer.parse(shown, env)
        assert not env.get("references"), (text, shown)


lines = st.lists(st.sampled_from([*MARKUP, *PIECES]), max_size=10).map("\n".join)


@settings(max_examples=8 * settings().max_examples)
@given(texts | lines, st.sampled_from([2, 3]))
def test_no_viewer_runs_or_loads_anything(text: str, top: int) -> None:
    check(text, top)


@pytest.mark.parametrize(
    "text",
    [
        IMG,
        f"- ```\n  a\n  ```\n\n  {IMG}",
        f"- a\n  ```\n{IMG}\n  ```",
        f"> ```\n{IMG}\n```\n",
        f"x `\n`{IMG}` y",
        f"\\`{IMG}`",
        f"| ` | {IMG} ` |\n|---|---|\n",
        f"a\n    ~~~\n    {IMG}\n    ~~~",
        f"```a`\n{IMG}\n```",
        f"~~~\nx\n  ~~~\n{IMG}\n~~~",
        f"a\u2028```\n{IMG}\n```",
        f"\\\\{IMG} \\{IMG} \\\\\\{IMG}",
        f"`` {IMG} ` {IMG}",
        "[a](javascript:alert(1)) [b](JaVa&#115;cript&colon;alert(1)) [c](<java\tscript:x>)",
        "[d](file:///etc/passwd) [e](//host/share) [f](data:text/html,x) ![g](https://x/y.png)",
        "[1]: https://evil.test/\n\n> [1]: x\n\n[\n1\n]: y",
    ],
)
def test_what_was_tried_to_get_by(text: str) -> None:
    check(text, 3)


@pytest.mark.parametrize(
    "text",
    [
        "Where x < y, and a<5, 3 > 2 & 1: **bold** *it* ~~no~~ [1][2].",
        "An address <https://otters.example/a_b%20c>, mail to <a.b@c.example>.",
        "Code `a <b> & c` and ``x ` <y>``, and\n\n```html\n# <b>[1]: x</b>\n![a](b)\n```",
        "1. Do:\n   ```sh\n   # note\n   cat <file>\n   ```\n2. And so on.",
        "~~~\n<b>\n~~~\n\nAfter.",
        "A [link](https://x.example/a?b=(c)&d) and [a place](#source-1).",
        "| a | b |\n| --- | --- |\n| `x` | 1 < 2 |",
        "> A quote\n> of two lines.\n\n- a\n  - b\n\n---\n\nEnd.",
        "It costs $5, not $6; Wow! [1] is no image.",
        "![Otters counted](chart:0) [1][3]",
        "### Below\n\n#### Deeper",
        "Also those such as `template0` [6]:\n\n```\nSELECT 1\n```",
    ],
)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert sanitise_markdown(text, 3) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x<y and <b>", "x\\<y and \\<b>"),
        ("$a<b$ and $$c\n<d$$", "$a< b$ and $$c\n< d$$"),
        ("Look![1]", "Look\\![1]"),
        ("[1]: so it is", "[1]\\: so it is"),
        ("[`a`]: so it is", "[`a`]\\: so it is"),
        ("[a\\]b]: so it is", "[a\\]b]\\: so it is"),
        ("[a](b.md)", "[a]\\(b.md)"),
    ],
)
def test_what_could_be_markup_is_escaped(text: str, shown: str) -> None:
    assert sanitise_markdown(text, 3) == shown


@pytest.mark.parametrize(
    ("text", "top", "shown"),
    [
        ("# A\n\ntext\n\n## B", 3, "### A\n\ntext\n\n#### B"),
        ("# A\n\n### B", 2, "## A\n\n#### B"),
        ("# A\n\n###### B", 3, "### A\n\n###### B"),
        ("## A", 2, "## A"),
        ("A\n===\n\nB\n---\ntext", 3, "### A\n\n#### B\ntext"),
        ("> # A", 3, "> ### A"),
        ("- # A", 3, "- ### A"),
        ("> A\n> ===", 3, "> A\n> \\==="),
        ("```\n# A\n```\n# B", 3, "```\n# A\n```\n### B"),
        ("#hashtag, C# and #1", 3, "#hashtag, C# and #1"),
    ],
)
def test_headings_stand_below_that_of_their_section(text: str, top: int, shown: str) -> None:
    assert sanitise_markdown(text, top) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"a\n{IMG}", f"a \\{IMG}"), ("# x", "\\# x"), ("- x", "\\- x"), ("12. x", "12\\. x"),
        ("> x", "\\> x"), ("``` x", "\\``` x"), ("--- ---", "\\--- ---"), ("*it* is", "*it* is"),
        ("2024 was", "2024 was"),
    ],
)  # fmt: skip
def test_a_line_begins_no_block(text: str, shown: str) -> None:
    assert sanitise_line(text) == shown


def test_a_report_has_one_title_and_no_html() -> None:
    report = report_of(f"# Big\n\n{IMG} [1].", title=f"Otters {IMG}")
    hostile = Report(
        **{
            **report,
            "further_questions": ["# Why?", IMG],
            "degraded": [{"code": "x", "detail": IMG}],
            "conflicts": [
                {"section": 0, "sentence": f"# {IMG} [1]", "cited": [1], "number": 1,
                 "published": "", "quote": IMG}
            ],
        }
    )  # fmt: skip
    shown = render_markdown(hostile)
    found = [one for viewer in VIEWERS for one in tokens(shown, viewer)]
    assert not [one.content for one in found if one.type.startswith("html")]
    assert [one.tag for one in found if one.type == "heading_open"].count("h1") == len(VIEWERS)
