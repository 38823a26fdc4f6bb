"""One pass over all sections of a report, so that it reads as one text."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE
from prompts.template import NumberedLine, Prompt, fence_attribute


@dataclass(frozen=True)
class NumberedSection:
    """A section as its sentences."""

    title: str
    sentences: Sequence[str]

    def render(self, place: int) -> str:
        """The section under its number, a sentence a line, numbered from 1."""
        lines = "\n".join(
            NumberedLine(text).render(n) for n, text in enumerate(self.sentences, start=1)
        )
        return f'<section n="{place}" title="{fence_attribute(self.title)}">\n{lines}\n</section>'


class ReviseReportPrompt(Prompt):
    """One pass over all sections of a report, so that it reads as one text."""

    name = "revise_report"
    version = 2
    system = (
        """
Edit a report whose sections were written side by side, so that it reads as one text that answers
<question>. Each line of a section is a sentence with its number; tables and headings are not shown.

Return edits, and none where nothing has to change: section, sentence, text. text is the whole new
sentence; an empty text takes the sentence out. Look for:
- what is said twice: take out the weaker one, also a sentence that restates the one before it;
- two names for one thing: take the one that is used first, everywhere;
- sections that contradict each other: say in the later one that the sources differ, and in what;
- a sentence that says nothing, or only that something will be or was said: take it out;
- a conclusion that could say more: of sentences without a mark [n] you may write anew what follows
  from the cited sentences near them, with no figure and no name that those lack.

Put in no glue: no "as noted above", "as described earlier", "this has its price", "it is important
to note". Refer to another section by what it says, not by where it stands.

Keep each mark [n] of a sentence, and add none. Add no fact, no figure, no name. Keep every
condition, date and doubt. Leave all else as it is.

<points> is what an expert expects of the answer. Return uncovered: the numbers of the points that
no sentence answers, and none that one answers in part; a sentence that says that the sources lack
it does not answer it.
"""
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
{sections}
</data>
"""

    language: str
    question: str
    points: Sequence[NumberedLine]
    sections: Sequence[NumberedSection]
