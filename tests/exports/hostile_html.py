"""Text that a browser could take for more than text, and reports made of it."""

from typing import Any

from sample_report import REPORT

from exports.tree.tokens import PLACEHOLDER

HOSTILE = [
    "<script>alert(1)</script>", "</script><script>x()", "</style>", "<!--", "]]>", "<![CDATA[",
    '" onmouseover="x()', "' onclick='x()", "<img src=x onerror=x()>", "<svg/onload=x()>",
    "javascript:x()", "JaVaScRiPt:x()", "java\nscript:x()", "data:text/html,<script>x()</script>",
    "[a](javascript:x())", "![a](http://x.example/y.png)", "![a](chart:0) [1]", "![b](chart:99)",
    "<http://x.example/[1]>", '[a](http://x.example "t\\" onclick=")', "[![a](chart:0)](#b)",
    "[1]: http://x.example", "[[1]](http://x.example/[2])", "**“a”**[1]", "| a | [1] |\n|-|-|",
    "`[1]`", "```\n[1]\n```", "    [1]", "[1][2][3]", "[99]", "&lt;script&gt;",
    "&#x6a;avascript:", f"⟦{PLACEHOLDER}0⟧", f"⟦{PLACEHOLDER}end⟧", f"⟦{PLACEHOLDER}absent⟧",
    "⟦0⟧", "http://[", "https://x.example/<\"'>", "{title}", "{0}", "{", "\x00", "\r", "\u202e",
    "\ufffe", "\u2028", "||", "~~~", "#", "> - 1. ",
]  # fmt: skip

SMALL = {
    **REPORT,
    **{part: REPORT[part][:2] for part in ("sections", "references")},
    "citations": REPORT["citations"][2:5],
    "conflicts": [{**REPORT["conflicts"][0], "number": 2}],
    "usage": {},
}


def filled(value: Any, words: list[str]) -> Any:
    """A report's part with other words in the place of each of its texts."""
    if isinstance(value, dict):
        kept = {"verdict", "step", "spec", "code"}
        return {k: v if k in kept else filled(v, words) for k, v in value.items()}
    if isinstance(value, list):
        return [filled(one, words) for one in value]
    if isinstance(value, str):
        words.append(words.pop(0))
        return words[-1]
    return value
