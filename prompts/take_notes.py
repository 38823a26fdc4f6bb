"""What of a page answers the questions of a section, copied out line by line."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, SourceText

NOTHING = "NOTHING"
"""The answer where a page holds nothing on the questions."""


class TakeNotesPrompt(Prompt):
    """What of a page answers the questions of a section, copied out line by line.

    `sources` holds the page alone; `count` is the most lines to copy.
    """

    name = "take_notes"
    version = 2
    answer_tokens = 1_500
    ceiling_share = 0.5
    gives_way = (GivesWay("sources", least=1),)
    system = (
        f"""
Copy out of the page in <sources> what answers <questions>. They belong to the section <section> of
a report on <question>.

- Copy letter by letter: whole sentences, whole rows of a table, commands, settings, definitions.
- Copy too what bounds them: conditions, versions, dates, exceptions, and what contradicts them.
- Take what a reader would act on first: values, limits, commands, steps. Leave out what is beside
  the questions, and what a copied line has said.
- Each on a line of its own, in the order of the page, at most <count> lines. No line of your own,
  no heading, no number, no remark, no "…".
- Where nothing answers, write {NOTHING}.

Page: "Our pumps are loved. A filter lasts 2,000 hours. In dust it is changed after 1,500. | Size |
Price | | M | 40 crowns | The firm was founded in 1907."
Question: "How long does a filter last?"
Answer:
A filter lasts 2,000 hours.
In dust it is changed after 1,500.
"""
        + DATA_RULE
    )
    user = """
<settings>
<count>{count}</count>
</settings>
<data>
<question>{question}</question>
<section>{title}</section>
<questions>
{questions}
</questions>
<sources>
{sources}
</sources>
</data>
"""

    count: int
    question: str
    title: str
    questions: Sequence[str]
    sources: Sequence[SourceText]
