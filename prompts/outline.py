"""The plan of the report: its shape, its sections, what each answers and what is searched for."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE, PLAN_RULES
from prompts.template import Prompt, SourceText


class OutlinePrompt(Prompt):
    """The plan of the report: its shape, its sections, what each answers and is searched for.

    `sections` is how many there are where nothing speaks for more or fewer, between `fewest` and
    `most`; `words` is the length of the whole. `shape` is "" where the planner chooses it.
    """

    name = "outline"
    version = 3
    system = (
        """
Plan a report that answers <question> from sources. Write in <language>.
"""
        + PLAN_RULES
        + """
Give each section, beside that:
- queries: one to four search phrases that complement each other: the words that a page with the
  answer would hold, most telling first; no sentences, no words about searching. Mix the kinds that
  help: the answer itself; one part of it; what speaks against what is believed; a kind of document
  that would hold it (a manual, a law, a table, a paper); the language in which most is written of
  it. A query of one section is not asked in another.

<points> is what an expert expects of the answer: see that every point has a section, and a question
that asks for it.
<sources> is a first look at what can be found. Plan what the question needs, not what these few
pages happen to hold; use their names and terms.
<memory> is what this user asked or said before: build on it, do not repeat it, and keep to the
preferences in it. <templates> are forms of reports that this user keeps: where one fits the
question, follow its sections and their order within the number of sections. Each may be empty.

title: the title of the report, not a question.
"""
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
<language>{language_name}</language>
<sections>{fewest} to {most}, usually {sections}</sections>
<words>{words}</words>
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
    date: str
    memory: Sequence[str]
    templates: Sequence[str]
    sources: Sequence[SourceText]
    points: Sequence[str] = ()
    shape: str = ""
    style: str = "report"
    audience: str = ""
