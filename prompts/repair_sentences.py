"""Sentences that their sources do not support, back to the writer of their section."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import CITE_RULE, DATA_RULE
from prompts.template import NumberedLine, Prompt, SourceText, fence, fence_attribute


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence to be mended: `text[start:end]` of its section, its number there, and why."""

    number: int
    start: int
    end: int
    reason: str


@dataclass(frozen=True)
class MarkedText:
    """A section as it stands, with the sentences that have to be mended, in order."""

    text: str
    marked: Sequence[MarkedSentence]

    def render(self, _place: int) -> str:
        """The text with a numbered <sentence> around each of them."""
        parts, end = [], 0
        for one in self.marked:
            parts += [
                fence(self.text[end : one.start]),
                f'<sentence n="{one.number}" reason="{fence_attribute(one.reason)}">',
                fence(self.text[one.start : one.end]),
                "</sentence>",
            ]
            end = one.end
        return "".join([*parts, fence(self.text[end:])])


class RepairSentencesPrompt(Prompt):
    """Sentences that their sources do not support, back to the writer of their section."""

    name = "repair_sentences"
    version = 3
    system = (
        """
Mend the marked sentences of a section, from <sources> alone. <draft> is the section; each sentence
to be mended stands in <sentence> with its number n and the reason. Leave all others as they are.
<sources> holds passages on these sentences only: that they lack something does not mean that the
sources do.

Return sentences, one entry for each marked one: sentence, its number; text, what stands in its
place. Choose what serves the reader:
- say what a source says, with its number, and with the figures, dates and names of that source;
- split it, and cite each part;
- weaken it to what does follow from the sentences around it, and cite nothing: "So the first is
  cheaper to begin with." is no fact of a source and needs no number;
- an empty text takes it out: no source supports it and the section does not need it.
Put no number on a sentence that its source does not say. To let a sentence stand, leave text empty
and give the reason in keep. Keep names and terms of the draft; begin and end so that the sentences
before and behind still fit.

Where the reason says that the sources do answer, the sentence wrongly says that they do not: say
what they say, with the number.

<points> are what the section should tell and does not. Return added, one entry for each point that
the sources answer: point, its number; text, one to three sentences, each with its number. Leave out
the others.

Example. Draft: "Larches shed their needles [2]. <sentence n="2" reason="source 2: absent">They live
for 900 years [2].</sentence> <sentence n="3" reason="it cites no source">Hence they let light in
during winter.</sentence>" Source 4 says that the oldest larch was counted at 780 years. Answer:
sentence 2, text "The oldest that was counted stood for 780 years [4]."; sentence 3, keep "follows
from the needles that they shed".
"""
        + CITE_RULE
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
</settings>
<data>
<section>{title}</section>
<draft>
{draft}
</draft>
<points>
{points}
</points>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    title: str
    draft: Sequence[MarkedText]
    points: Sequence[NumberedLine]
    sources: Sequence[SourceText]
