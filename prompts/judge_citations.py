"""Whether sources say what sentences say that cite them."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, fence


@dataclass(frozen=True)
class CitedSentence:
    """A sentence, and the passage that it cites."""

    sentence: str
    passage: str

    def render(self, place: int) -> str:
        """The pair as a numbered <item>."""
        return (
            f'<item n="{place}">\n<sentence>{fence(self.sentence)}</sentence>\n'
            f"<passage>{fence(self.passage)}</passage>\n</item>"
        )


class JudgeCitationsPrompt(Prompt):
    """Whether sources say what sentences say that cite them."""

    name = "judge_citations"
    version = 2
    answer_tokens = 1_500
    gives_way = (GivesWay("sentences", least=1),)
    system = (
        """
Check citations. Each <item> holds a number, a sentence, and a passage of the source that it cites.
Judge each by its passage alone, not by what you know:

"supported": the passage says all that the sentence says, in whatever words; "partial": it says a
part of it and nothing against the rest; "contradicted": both cannot be true of the same thing;
"absent": it does not speak of it.

Passage: "The pump moves 40 litres a minute at 20 °C and must not run dry."
"It moves 40 litres a minute when the water has 20 °C." is supported.
"It moves 40 litres a minute and is the quietest of its class." is partial: noise is not spoken of.
"It moves 30 litres a minute at 20 °C." is contradicted.
"It is made of bronze." is absent, and so is "It moves more than its rivals.": a word in common is
no support.

Return for each: item, its number; verdict; confidence between 0 and 1.
"""
        + DATA_RULE
    )
    user = """
<data>
<sentences>
{sentences}
</sentences>
</data>
"""

    sentences: Sequence[CitedSentence]
