"""One section, written from numbered sources."""

from collections.abc import Mapping, Sequence

from prompts.fragments import CITE_RULE, DATA_RULE, WRITE_RULES
from prompts.template import GivesWay, Prompt, SectionOutline, SourceText
from schema.context import ReportStyle
from schema.plan import Form, Shape


class WriteSectionPrompt(Prompt):
    """One section, written from numbered sources.

    `form`, `shape` and `style` are texts of `FORMS`, `SHAPES` and `STYLES`, `position` one of
    `POSITIONS`; `date` is the day on which it is written, `audience` who reads it, "" for anybody.
    """

    name = "write_section"
    version = 21
    answer_tokens = 2_000
    ceiling_share = 0.85
    gives_way = (
        GivesWay("sources", least=6),
        GivesWay("outline"),
        GivesWay("sources", least=1),
    )
    system = (
        """
Write the section <section> of a report that answers <question>, from <sources> and nothing else,
in <language>, as <settings> says. Answer <questions> in the order that reads best, as far as the
shown parts do. <words> counts prose and the items of lists; tables, code and charts come on top.
Nothing beside <questions> fills it up.
"""
        + CITE_RULE
        + WRITE_RULES
        + """
The text alone: no heading for the section itself, no list of references, no links, no remark about
these instructions.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
<date>{date}</date>
<shape>{shape}</shape>
<style>{style}</style>
<audience>{audience}</audience>
<form>{form}</form>
<position>{position}</position>
<words>{words}</words>
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
    shape: str = ""
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
    "last": "This is the last section: it ends with its own last point, for a summary at the head "
    "of the report answers the whole question.",
}
"""What a section is told about its place."""

_CHART_RULE = (
    "A chart is a fenced block ```chart with JSON of the fields title, mark (bar, line, point, "
    "area or arc), encoding (x and y, or theta and color: each with field, type and title) and "
    'data, whose values are rows. Each row has a field "source": the number of the source of its '
    "figures."
)

FORMS: Mapping[Form, str] = {
    "prose": "Plain paragraphs; a list or a table where it reads faster.",
    "list": "A sentence with the main finding, then a list of what there is, an item each.",
    "steps": "A sentence with the main finding, then a numbered list of steps in their order.",
    "table": "A sentence with the main finding, then one table that sets all of it side by side, "
    "then what follows from it.",
    "chart": "A sentence with the main finding, then one chart of the figures, then what follows "
    f"from it. {_CHART_RULE}",
}
"""What a section is told about its form."""

SHAPES: Mapping[Shape, str] = {
    "how-to": "Instructions: what to do, with which values. A value other than the default stands "
    "with what it gains and costs, a threshold with what to do when it is passed and the time that "
    "is then left. The section with the values to start with has each that an example of the "
    "sources sets, as a file or commands that can be copied where sources show how.",
    "comparison": "A comparison: what tells the options apart, and when. Only a section that is "
    "asked for it says which one wins for which goal, and there without the figures of the others. "
    "Outside tables a short paragraph for each criterion opens with who leads and how far, or one "
    "for each option with what it is good for.",
    "timeline": "A course of events: what came when, and what it led to.",
    "yes-no": "A yes or no: what speaks for it and what against it.",
    "survey": "A survey: what is agreed, what is disputed, and why. A table of figures that differ "
    "goes by kind, what holds now first, and has those that the question can mean: the values of a "
    "series stand in the text, as far as they decide something.",
    "decision": "A decision: what speaks for each option and what it costs. Only a section that is "
    "asked for it says which one to take.",
}
"""What a section is told about the kind of answer that its report is."""

STYLES: Mapping[ReportStyle, str] = {
    "brief": "For who decides: what to do and why, in short sentences.",
    "report": "For who works with it: findings, with their grounds.",
    "paper": "For who knows the field: how things are known, and how far that holds.",
}
"""What a section is told about its style."""
