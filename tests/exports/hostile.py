"""Text that each format would read as markup, and reports made of it."""

import subprocess

import pypandoc
from hypothesis import strategies as st
from sample_report import REPORT

from schema.report import Report, ReportSection

CLAIMS = [
    "Otters eat fish [1].", "They sleep [2][3].", "Arrays such as [1, 2] are none.", "[99]",
    "[[1]]", "**Bold [2]** and *slanted*[3].", "水獭睡觉[1]。", "القضاعة تنام [2].", "🦦👩🏽‍🔬 [3]",
    "`a[1]` is code.", "50 % & $x_{1}$ # ~ ^ {a} \\ \"q\" 'r' <b>x</b> @y -- ... [1]",
]  # fmt: skip
"""Lines whose marks no reader can miss."""

BLOCKS = [
    "- {}", "> {}", "1. {}", "### A heading\n\n{}", "| a | b |\n|---|--:|\n| {} | c |", "{}",
    "- a\n  - b\n    - c\n      - d\n        - e\n          - {}", "```python\n{}\n```",
    "~~~\n{}\n~~~",
]  # fmt: skip
MARKUP = [
    '#import "/etc/hostname": *', "#read(sys.inputs.day)", "$ sum $", "<source-1>", "@source-1",
    "/* [1]", "// [2]", "= heading", "\\u{41}", "`\\input{/etc/hostname}`{=latex}",
    "\\end{document}", "```{=latex}\n\\bad\n```", "```{=openxml}\n<w:br/>\n```", "<w:p/>",
    "<script>x</script>", "]]>", "<!-- [1]", "&#91;1] &amp; &#0;", "\\[1\\] \\[1]",
    "[1](http://x)", "![1](http://x/y.png)",
    "![a](/etc/hostname)", "![a](chart:0) [1]", "![a](chart:77)", "[a [1] b](http://x/[2])",
    "<http://x/[1]>", "[a](javascript:b)", "[a](http://[)", "[1]: http://x", "[^1]: a", "```",
    "~~~", "\x00\x07\x1b", "\u202e", "\ud800", "\ufffe", "\u2028", "a\u0301\u0301", "||\n|-|\n||",
    "***", "*a **b " * 30, "> " * 40 + "c", "[" * 60, "\\", "%", "{", "}", "\t", "\n\n",
]  # fmt: skip

well_formed = st.lists(
    st.builds(str.format, st.sampled_from(BLOCKS), st.sampled_from(CLAIMS)), min_size=1, max_size=5
).map("\n\n".join)
hostile = st.lists(st.sampled_from(MARKUP + CLAIMS) | st.text(max_size=8), max_size=10).map(
    "\n".join
)


def report_of(text: str, title: str = "Otters") -> Report:
    """The sample report, its sections this text and nothing else that bears marks."""
    section = ReportSection(title="Section", text=text)
    plain = Report(**{**REPORT, "sections": [section], "title": title, "question": title})
    plain["citations"], plain["conflicts"] = [], []
    plain["charts"] = [{**REPORT["charts"][0], "spec": {}}]  # drawn as a table, at once
    return plain


def read(written: bytes, form: str, to: str) -> str:
    """What Pandoc reads from a file."""
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "--sandbox", f"--from={form}", f"--to={to}", "--wrap=none"],
        input=written,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout.decode()
