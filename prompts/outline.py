"""The plan of the report: its shape, its sections, what each answers and what is searched for."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE, PLAN_RULES, QUERY_RULE, SHAPE_PARTS
from prompts.template import GivesWay, Prompt, SourceText
from schema.plan import MOST_QUERIES


class OutlinePrompt(Prompt):
    """The plan of the report: its shape, its sections, what each answers and is searched for.

    `sections` is how many there are where nothing speaks for more or fewer, between `fewest` and
    `most`; the whole has `words`, and up to `most_words` where its points need them. `shape` is ""
    where the planner chooses it.
    """

    name = "outline"
    version = 20
    answer_tokens = 2_000
    ceiling_share = 0.45
    gives_way = (
        GivesWay("sources", least=4),
        GivesWay("memory"),
        GivesWay("templates"),
        GivesWay("sources"),
    )
    system = (
        """
Plan a report that answers <question>, before its sources are searched.

title: the title of the report, not a question.
shape: that of <shape>; where <shape> is empty, the one that the question asks for.
The report has <words> words, up to <most_words> where the questions that <points> need take more.
Where <question> asks for nothing but one fact, name, date or number, and <words> leaves it open,
plan one section of 40 to 120 words, whatever <sections> says.

The shapes, and what each is made of:
{shapes}
"""
        + PLAN_RULES
        + f"""
The title of a section names its subject or task in words of the question, for the answer is not
known yet. Good: "Cost of heating with each fuel". Bad: "Pellets are the cheapest fuel".

Give each section, beside that:
- queries: 1 to {MOST_QUERIES} search phrases, searched in place of the questions: together they
  find what all of these ask for, and none is a query of another section. Mix the kinds that help:
  the answer itself; one part of it; what speaks against what is believed; a kind of document that
  would hold it (a manual, a law, a table, a paper); the language in which most is written of it.
"""
        + QUERY_RULE
        + """
further: three to five questions in <language> that a reader of the report would ask next. Each goes
beyond the sections, asks for one thing, stands alone and needs other sources than these: no title
or heading in <sources> promises its answer. One that asks for a kind of thing names one or two of
it ("Which fuels, such as peat or coke, ...?"), for it is looked up by its words.

<sources> is a first look at what can be found; <not_shown> names the other headings of a page. Plan
what the question needs, not what these few pages happen to hold; use their names and terms. Where a
heading promises what the reader's decision turns on and no point asks for (a recommendation, a
group of people whom a choice fails, a date that forces the decision), a question asks for it.
<memory> is what this user asked or said before: build on it, do not repeat it, and keep to the
preferences in it. <templates> are forms of reports that this user keeps: where one fits the
question, its sections and their order take the place of the shape's, within <sections>.
"""
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
<language>{language_name}</language>
<sections>{fewest} to {most}, usually {sections}</sections>
<words>{words}</words>
<most_words>{most_words}</most_words>
<shape>{shape}</shape>
<style>{style}</style>
<audience>{audience}</audience>
</settings>
<data>
<question>{question}</question>
<points>
{points}
</points>
<memory>
{memory}
</memory>
<templates>
{templates}
</templates>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    question: str
    sections: int
    fewest: int
    most: int
    words: int
    most_words: int
    date: str
    memory: Sequence[str]
    templates: Sequence[str]
    sources: Sequence[SourceText]
    points: Sequence[str] = ()
    shape: str = ""
    style: str = "report"
    audience: str = ""

    @property
    def shapes(self) -> str:
        """What the shapes to choose from are made of, an item each."""
        chosen = [self.shape] if self.shape in SHAPE_PARTS else SHAPE_PARTS
        return "\n".join(
            f"- {name}: {parts}" for name, parts in SHAPE_PARTS.items() if name in chosen
        )
