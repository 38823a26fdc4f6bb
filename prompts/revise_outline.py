"""The plan once more, after the first search: sections by what was found, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE, PLAN_RULES
from prompts.template import Prompt, SectionOutline, SourceText, fence, fence_attribute


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
    version = 1
    system = (
        """
<outline> is the plan of a report that answers <question>. Its searches are done: <sources> shows
the best of what they found, each source with its number, its headings and the first words of a few
passages; found="..." of a section names the sources that its searches brought up. Revise the plan
so that the report says what these sources can carry and the question needs. Write in <language>.

- Split a section whose sources tell two things that a reader would look up separately.
- Merge sections that would tell the same, or that little was found for.
- Drop a section that neither the question needs nor the sources speak of.
- Add one for what the sources hold and the question needs, where the plan has no place for it.
- Put the sections in the order of the shape, and let each title say what its sources find.
- Leave as it is what is good: same title, same questions.
See that every point of <points> has a place. You see a small part of each source: what is not shown
may still stand in it, so a heading is enough to expect an answer below it.
"""
        + PLAN_RULES
        + """
Give each section, beside that:
- sources: the numbers of all sources that it is to be written from, the best first.

missing: up to five questions that the report must answer and that no shown source seems to hold,
the most needed first; none where there are none. Each with section, the place of its section in
your plan from 1, and queries, one to four new search phrases of other words than the questions and
titles of <outline>: names, terms and kinds of documents that the sources have taught you.

title: the title of the report, where a better one is known now.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
<sections>{fewest} to {most}</sections>
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
<outline>
{outline}
</outline>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    question: str
    fewest: int
    most: int
    words: int
    shape: str
    style: str
    audience: str
    points: Sequence[str]
    outline: Sequence[PlannedSection]
    sources: Sequence[SourceText]
