"""Atlassian's document format: developer.atlassian.com/cloud/jira/platform/apis/document."""

import json
from typing import Any

import pytest
from fakes.sites.atlassian import document, paragraph
from hypothesis import given
from hypothesis import strategies as st

from connectors.indexed.atlassian.text import MAX_DEPTH, convert_adf


def node(kind: str, *content: Any, **attrs: Any) -> dict[str, Any]:
    return {"type": kind, "attrs": attrs, "content": list(content)}


def marked(text: str, *marks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "marks": list(marks)}


def item(*content: Any) -> dict[str, Any]:
    return node("listItem", *content)


def row(*texts: str, kind: str = "tableCell") -> dict[str, Any]:
    return node("tableRow", *(node(kind, paragraph(text)) for text in texts))


LINK = {"type": "link", "attrs": {"href": "https://a.test/x"}}
DAY = 1714521600000


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        ([paragraph("Wind "), paragraph(), paragraph("power")], "Wind \n\npower"),
        ([node("heading", marked("The\nwind"), level=3), paragraph("blows.")],
         "### The wind\n\nblows."),
        ([node("heading", marked("Wind"), level="many")], "# Wind"),
        ([paragraph("a", {"type": "hardBreak"}, "b")], "a\nb"),
        ([paragraph("a"), {"type": "rule"}, paragraph("b")], "a\n\n---\n\nb"),
        ([paragraph(marked("here", LINK), " and ", marked("https://a.test/x", LINK))],
         "[here](https://a.test/x) and https://a.test/x"),
        ([paragraph(marked("go()", {"type": "code"}), marked(" loud", {"type": "strong"}))],
         "`go()` loud"),
        ([paragraph(node("mention", id="5b", text="@Ada"), ", ", node("date", timestamp=str(DAY)))],
         "@Ada, 2024-05-01"),
        ([paragraph(node("emoji", shortName=":smile:"), node("emoji", shortName=":x:", text="❌"),
                    node("status", text="DONE", color="green"))], ":smile:❌DONE"),
        ([paragraph(node("inlineCard", url="https://a.test/1")),
          node("blockCard", url="https://b.test")],
         "https://a.test/1\n\nhttps://b.test"),
        ([node("mediaSingle", node("media", id="9", alt="A turbine"),
               node("caption", marked("Fig. 1"))), node("mediaGroup", node("media", id="8"))],
         "A turbine\n\nFig. 1"),
        ([node("codeBlock", marked("if x:\n    go()"), language="python")],
         "```python\nif x:\n    go()\n```"),
        ([node("codeBlock", marked("```\nx\n```"))], "````\n```\nx\n```\n````"),
        ([node("blockquote", paragraph("a"), paragraph("b"))], "> a\n>\n> b"),
        ([node("panel", paragraph("Take care."), panelType="warning")], "Take care."),
        ([node("expand", paragraph("inside"), title="More")], "**More**\n\ninside"),
        ([node("bulletList", item(paragraph("a"), node("bulletList", item(paragraph("b")))),
               item(paragraph()), item(paragraph("c")))], "- a\n  - b\n- c"),
        ([node("orderedList", item(paragraph("a"), node("codeBlock", marked("x\ny"))),
               item(paragraph("b")), order=9)], "9. a\n   ```\n   x\n   y\n   ```\n10. b"),
        ([node("taskList", node("taskItem", marked("a"), state="DONE"),
               node("taskItem", marked("b"), state="TODO"),
               node("taskList", node("taskItem", marked("c"), state="TODO")))],
         "- [x] a\n- [ ] b\n  - [ ] c"),
        ([node("decisionList", node("decisionItem", marked("We build it."), state="DECIDED"))],
         "- We build it."),
        ([node("table", row("Site", "Power", kind="tableHeader"), row("A|B", ""),
               row("C", "2\nMW"))],
         "| Site | Power |\n| --- | --- |\n| A\\|B |  |\n| C | 2 MW |"),
        ([node("layoutSection", node("layoutColumn", paragraph("left")),
               node("layoutColumn", paragraph("right")))], "left\n\nright"),
        ([node("bodiedExtension", paragraph("in a macro"), extensionKey="info"),
          node("extension", extensionKey="toc", parameters={})], "in a macro"),
        ([node("somethingNew", paragraph("still read"))], "still read"),
    ],
)  # fmt: skip
def test_a_document_becomes_markdown(blocks: list[Any], text: str) -> None:
    assert convert_adf(document(*blocks)) == text


@pytest.mark.parametrize(
    ("odd", "text"),
    [
        (None, ""),
        (7, ""),
        ([], ""),
        ("Plain. ", "Plain."),
        ({"type": ["doc"]}, ""),
        ({"type": "doc", "content": "text"}, ""),
        (document({"type": "text", "text": None}), ""),
        (document({"type": "text", "text": "a", "marks": [3]}), "a"),
        (document(paragraph(node("date", timestamp="9" * 30))), ""),
        (document(node("orderedList", item(paragraph("a")), order="9" * 5000)), "1. a"),
        (document({"type": "table", "content": [None, {"content": 3}]}), ""),
        (document({"type": "bulletList", "content": [None, 3, {}]}), ""),
        (document({"type": "mention", "attrs": None}), ""),
    ],
)  # fmt: skip
def test_what_is_no_document_says_nothing(odd: Any, text: str) -> None:
    assert convert_adf(odd) == text


def test_a_bottomless_document_ends() -> None:
    inner = paragraph("deep")
    for _ in range(MAX_DEPTH // 2 - 2):
        inner = node("bulletList", item(inner))
    assert "deep" in convert_adf(document(inner))
    for _ in range(200):
        inner = node("bulletList", item(inner))
    assert "deep" not in convert_adf(document(inner))


WORDS = st.one_of(st.none(), st.integers(), st.text(max_size=3), st.just("9" * 20))
KINDS = st.sampled_from(
    ["doc", "text", "paragraph", "heading", "bulletList", "orderedList", "listItem", "taskItem",
     "taskList", "table", "tableRow", "codeBlock", "date", "expand", "blockquote", "media"]
)  # fmt: skip
NODES = st.recursive(
    WORDS,
    lambda inner: st.fixed_dictionaries(
        {"type": KINDS},
        optional={
            "content": st.one_of(st.lists(inner, max_size=4), WORDS),
            "text": WORDS,
            "marks": st.one_of(st.lists(inner, max_size=2), WORDS),
            "attrs": st.one_of(
                st.dictionaries(
                    st.sampled_from(["level", "order", "timestamp", "title", "url"]), WORDS
                ),
                WORDS,
            ),
        },
    ),
    max_leaves=12,
)


@given(NODES)
def test_nothing_that_comes_as_json_breaks_it(anything: Any) -> None:
    assert isinstance(convert_adf(json.loads(json.dumps(anything))), str)
