"""The plan once more, after the first search: sections by what was found, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE, PLAN_RULES, QUERY_RULE, SHAPE_PARTS
from prompts.template import GivesWay, Prompt, SectionOutline, SourceText, fence, fence_attribute
from schema.outline_revision import MOST_MISSING
from schema.plan import MOST_QUERIES, Shape


@dataclass(frozen=True)
class PlannedSection(SectionOutline):
    """A section of an outline, with its form, its length and the sources found for it."""

    form: str
    words: int
    sources: Sequence[int]

    def render(self, place: int) -> str:
        """The section under its place."""
        found = " ".join(map(str, self.sources))
        head = (
            f'<section n="{place}" title="{fence_attribute(self.title)}" form="{self.form}" '
            f'words="{self.words}" found="{found}">'
        )
        items = "\n".join(f"<item>{fence(one)}</item>" for one in self.questions)
        return f"{head}\n{items}\n</section>"


class ReviseOutlinePrompt(Prompt):
    """The plan once more; the sources carry the numbers that they keep, and are shown in part."""

    name = "revise_outline"
    version = 16
    answer_tokens = 2_000
    ceiling_share = 0.5
    gives_way = (GivesWay("sources", least=4), GivesWay("points", least=5), GivesWay("sources"))
    system = (
        """
<outline> is the plan of a report that answers <question>. Its searches are done: <sources> shows
the best of what they found, each source with its number, its headings and how a few of its passages
begin; found="..." of a section names the sources that its searches brought up. Revise the plan to
what the question needs and these sources can carry: split a section whose sources tell two things
that a reader would look up separately; merge those that would tell the same, or that little was
found for; drop one that neither the question needs nor the sources speak of; add one for what the
sources hold, the question needs and the plan has no place for. <words> is the length of the whole
now: use what it has over that of the plan. Leave as it is what is good: same title, same questions.
You see a small part of each source, and of the rest the headings (<not_shown>): where a heading
speaks of a question, expect the answer below it. <shape> says what the report is made of.

title: the title of the report where a better one is known now, else empty.
"""
        + PLAN_RULES
        + f"""
The title of a section may say a finding that a shown passage states; else it names the subject.

Give each section, beside that:
- sources: the numbers of all sources that it is to be written from, the best first.

missing: up to {MOST_MISSING} questions that the report must answer and no shown source seems to
answer, most needed first; none where there are none. Give each
- question: by the rules above; its section need not ask it, too.
- section: the place of its section in your plan, from 1.
- queries: 1 to {MOST_QUERIES} search phrases in other words than those of <outline>: names, terms
  and kinds of documents that the sources have taught you.
"""
        + QUERY_RULE
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
<language>{language_name}</language>
<sections>{fewest} to {most}</sections>
<words>{words}</words>
<shape>{shape}: {shape_parts}</shape>
<style>{style}</style>
<audience>{audience}</audience>
</settings>
<data>
<question>{question}</question>
<points>
{points}
</points>
<outline>
{outline}
</outline>
<sources>
{sources}
</sources>
</data>
"""

    date: str
    language: str
    question: str
    fewest: int
    most: int
    words: int
    shape: Shape
    style: str
    audience: str
    points: Sequence[str]
    outline: Sequence[PlannedSection]
    sources: Sequence[SourceText]

    @property
    def shape_parts(self) -> str:
        """What a report of the shape is made of."""
        return SHAPE_PARTS[self.shape]
