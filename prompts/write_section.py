"""One section, written from numbered sources."""

from collections.abc import Mapping, Sequence

from prompts.fragments import CITE_RULE, DATA_RULE, WRITE_RULES
from prompts.template import GivesWay, Prompt, SectionOutline, SourceText
from schema.context import ReportStyle
from schema.report import Form


class WriteSectionPrompt(Prompt):
    """One section, written from numbered sources.

    `form` and `style` are sentences of `FORMS` and `STYLES`, `position` one of `POSITIONS`; `date`
    is the day on which it is written, `audience` who reads it, "" for anybody.
    """

    name = "write_section"
    version = 3
    answer_tokens = 2_000
    gives_way = (
        GivesWay("sources", least=6),
        GivesWay("outline"),
        GivesWay("sources", least=1),
    )
    system = (
        """
Write the section <section> of a report that answers <question>, from <sources> and nothing else,
in <language>. Answer <questions> in the order that reads best, as far as the shown parts do.
<settings> gives the day on which you write, the length in words, the form, the place in the report
and the reader. Where <shape> is comparison or decision, say which option wins for which goal.
"""
        + CITE_RULE
        + WRITE_RULES
        + """
Where four or more figures of one kind make the point you may add one chart: a fenced block ```chart
with JSON of the fields title, mark (bar, line, point, area or arc), encoding (x and y, or theta and
color: each with field, type and title) and data, whose values are rows. Each row has a field
"source": the number of the source that holds its figures.

The text alone: no heading for the section itself, no list of references, no links, no remark about
these instructions.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
<date>{date}</date>
<words>{words}</words>
<form>{form}</form>
<shape>{shape}</shape>
<style>{style}</style>
<audience>{audience}</audience>
<position>{position}</position>
</settings>
<data>
<question>{question}</question>
<outline>
{outline}
</outline>
<section>{title}</section>
<questions>
{questions}
</questions>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    words: int
    position: str
    question: str
    outline: Sequence[SectionOutline]
    title: str
    questions: Sequence[str]
    sources: Sequence[SourceText]
    date: str = ""
    form: str = ""
    shape: str = "survey"
    style: str = ""
    audience: str = ""


CITATION_REMINDER = """
That cites none of the sources, so it cannot stand in a report. Write the section from the sources
above, with the number of its source behind every fact, as in [3]. If they say little, write little.
"""
"""What a writer is told whose text has no citation."""

POSITIONS = {
    "only": "This is the whole report: open with the answer, close with what follows from it.",
    "first": "This is the first section: the others build on it.",
    "middle": "This is a middle section: it neither introduces nor closes the report.",
    "last": "This is the last section: close with what the findings mean for the question.",
}
"""What a section is told about its place."""

FORMS: Mapping[Form, str] = {
    "prose": "Plain paragraphs; a list or a table where it reads faster.",
    "list": "A list of what there is, an item each, led in by a sentence.",
    "steps": "A numbered list of steps in the order in which they are taken.",
    "table": "One table that sets all of it side by side, then what follows from it.",
    "chart": "One chart of the figures, then what follows from it.",
}
"""What a section is told about its form."""

STYLES: Mapping[ReportStyle, str] = {
    "brief": "For who decides: what to do and why, in short sentences.",
    "report": "For who works with it: findings, with their grounds.",
    "paper": "For who knows the field: how things are known, and how far that holds.",
}
"""What a section is told about its style."""
