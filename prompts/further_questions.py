"""What a reader could ask next."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, SourceText, fence


@dataclass(frozen=True)
class NamedSource(SourceText):
    """A source of which its title and headings are shown, and no passage."""

    def render(self, _place: int) -> str:
        """What it speaks of, on one line."""
        named = dict.fromkeys(filter(None, (self.title, *self.headings, *self.not_shown)))
        return f'<source n="{self.number}">{fence("; ".join(named))}</source>'


class FurtherQuestionsPrompt(Prompt):
    """What a reader could ask next."""

    name = "further_questions"
    version = 5
    answer_tokens = 500
    ceiling_share = 0.9
    gives_way = (GivesWay("sources"), GivesWay("covered"))
    system = (
        """
A report on <question> is being written; <covered> is its outline. Name three to five questions that
its reader would ask next: each goes beyond the outline, is answered in none of its sections by the
way, asks for one thing and stands alone. It needs other sources than these: no title or heading in
<sources> promises its answer. Write in <language>.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
</settings>
<data>
<question>{question}</question>
<covered>
{covered}
</covered>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    question: str
    covered: Sequence[str]
    sources: Sequence[SourceText]
