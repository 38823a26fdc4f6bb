"""One pass over all sections of a report, so that it reads as one text."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE, NO_FACT_RULE
from prompts.template import GivesWay, NumberedLine, Prompt, fence, fence_attribute


@dataclass(frozen=True)
class ShownBlock:
    """A table or code of a section, which is read and not edited."""

    text: str


@dataclass(frozen=True)
class NumberedSection:
    """A section as its sentences, with its tables and code between them."""

    title: str
    parts: Sequence[str | ShownBlock]

    def render(self, place: int) -> str:
        """The section under its number: a sentence a line, numbered from 1, blocks as they are."""
        lines, number = [], 0
        for one in self.parts:
            if isinstance(one, str):
                number += 1
                lines.append(NumberedLine(one).render(number))
            else:
                lines.append(fence(one.text))
        body = "\n".join(lines)
        return f'<section n="{place}" title="{fence_attribute(self.title)}">\n{body}\n</section>'


class ReviseReportPrompt(Prompt):
    """One pass over all sections of a report, so that it reads as one text."""

    name = "revise_report"
    version = 14
    answer_tokens = 1_500
    gives_way = (GivesWay("points"), GivesWay("sections", least=2))
    system = (
        """
Edit a report whose sections were written side by side, so that it reads as one text that answers
<question>. A numbered line of a section is a sentence; lines without a number are its tables and
code, shortened where they are long, which are read and not edited.

Return edits, and none where nothing has to change: section, sentence, text. text is the whole new
sentence; an empty text takes the sentence out. Look for:
- what is said twice, in one section or in two, such as a figure, a rule or a doubt, also in other
  words, or in prose and in a table: one sentence tells it, where the reader needs it. <repeats>
  lists figures that several give ("1.2" is sentence 2 of section 1): another may name it where it
  concludes from it; the rest go or do without it. Of a sentence that says a thing again and one
  more, leave the first out, with its mark;
- a sentence that says nothing, restates the one before, or only that something will be or was said,
  and a list or an aside that neither <question> nor one of <points> needs: take it out;
- two names for one thing: take the one that is used first, everywhere;
- two neighbours that one sentence would tell better: put it in the place of the first, with the
  marks of both, and take out the second;
- sections that contradict each other: put right the one that lacks what the other cites; where
  the sources differ, say so in the later one, and in what;
- a sentence that has to be read twice, for it is clipped, packed, has more than 35 words or more
  than four figures: say it plainly, in two where needed, each with the marks of what it says, and
  without what decides nothing;
- a mark behind a conclusion ("X is 5, so Y is safer [2]"): put it right behind the fact that its
  source tells ("X is 5 [2], so Y is safer"). <worked_out> lists figures with a mark behind them
  that seem to be worked out: where they are, tell first what the source gives, with its mark, and
  behind it, or in a sentence of its own without one, what it comes to;
- what a sentence that you take out or reword leaves behind: where "it", "they", "the other" or
  "therefore" of the next one would point at nothing, name there what is meant;
- a conclusion that its figures do not carry: sums for different stretches, years or cases set
  against each other, "most" for less than half, "hardest" by amount and not by share, "only" that
  no source says: put it right or take it out;
- a conclusion that could say more: of sentences without a mark [n] you may write anew what follows
  from the cited sentences near them, with no figure and no name that those lack.

Return conclusions, at most three: what <question> turns on, shows only when facts of two sections
are held together, and no section says. What one choice saves against what the other costs, for the
same stretch and time; a limit or a condition in one section that an advice of another forgets; what
both together rule out. section and sentence name where it stands behind; text is one plain
sentence of up to 35 words with at most four figures, the mark [n] behind each fact, which one
follows without calculating along. sums: one for each figure of text that no section gives, such as
"900 - 780 = 120": numbers, + - × / and brackets, no words. No conclusion is better than one that
says a thing again.

Keep each mark [n] of what stays of a sentence, and add none but those of a neighbour that goes into
it. Add no fact, no name that no section has, and no glue ("as noted above", "this has its price");
take a figure only from a sentence with the same mark. Every condition, date and doubt still stands
once. Leave all else as is.

<points> is what an expert expects of the answer. Return uncovered: the numbers of the points of
which the sections tell nothing, neither in a sentence nor in a table nor in code. A point that is
answered in part is covered; one of which they only say that it remains open is not.
"""
        + NO_FACT_RULE
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
</settings>
<data>
<question>{question}</question>
<points>
{points}
</points>
<repeats>
{repeats}
</repeats>
<worked_out>
{worked_out}
</worked_out>
{sections}
</data>
"""

    language: str
    question: str
    points: Sequence[NumberedLine]
    repeats: Sequence[str]
    worked_out: Sequence[str]
    sections: Sequence[NumberedSection]
