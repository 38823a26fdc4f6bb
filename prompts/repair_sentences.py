"""Sentences that their sources do not support, back to the writer of their section."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import CITE_RULE, DATA_RULE, NO_FACT_RULE
from prompts.template import GivesWay, Prompt, SourceText, fence, fence_attribute


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


@dataclass(frozen=True)
class MissingPoint:
    """What a section should tell and does not; it is put on one line.

    `told` is what other sections of the report say of it, "" for nothing.
    """

    text: str
    told: str = ""

    def render(self, place: int) -> str:
        """The point behind its number, and what other sections say of it."""
        said = " ".join(self.told.split())
        told = f' told="{fence_attribute(said)}"' if said else ""
        return f'<point n="{place}"{told}>{fence(" ".join(self.text.split()))}</point>'


class RepairSentencesPrompt(Prompt):
    """Sentences that their sources do not support, back to the writer of their section."""

    name = "repair_sentences"
    version = 8
    answer_tokens = 1_500
    gives_way = (GivesWay("sources", least=1), GivesWay("points"))
    system = (
        """
Mend the marked sentences of a section, from <sources> alone. <draft> is the section; each sentence
to be mended stands in <sentence> with its number n and the reason. Leave all others as they are.
<sources> shows passages on these sentences only: that they lack something does not mean that the
sources do. Write nowhere that sources do not say something because these passages do not.

Return sentences, one entry for each marked one:
sentence: its number.
text: what stands in its place, about as long as it was, two sentences at most; begin and end so
that the sentences before and behind still fit, in the terms of the draft. For a row of a table the
whole row, with as many cells. Empty: it is taken out.
keep: why it stays as it is, in a few words; text is then empty.

Choose the first that fits:
1. A passage tells it or corrects it: say what the passage says, with its number and with its
   figures, dates and names. Cite each part of a sentence by the source that tells it; a part that
   is a conclusion stands behind the number.
2. It follows from the sentences around it: reword it so that it says no more than they bear out,
   and cite nothing.
3. It is right as it stands, as a figure worked out from cited ones can be, or the passages do not
   answer what it says is open: keep it.
4. The section does not need it: take it out.
Put no number on a sentence that its source does not say. Where the reason says that the sources do
answer, tell their answer, with the number.
{points_rule}
Example. Draft: "Larches shed their needles [2]. <sentence n="2" reason="no shown passage of source
2 gives 900 years">They live for 900 years [2].</sentence> <sentence n="3" reason="it cites no
source for what is new in it">Hence they let light in during winter.</sentence> <sentence n="4"
reason="passages speak of this that its writer did not see: look whether they answer it">How deep
their roots go remains open here.</sentence>" Source 4 says that the oldest larch was counted at 780
years, and nothing on roots. Answer: sentence 2, text "The oldest that was counted stood for 780
years [4]."; sentence 3, keep "follows from the needles that they shed"; sentence 4, keep "the
passages do not answer it".
"""
        + NO_FACT_RULE
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
{points}
<sources>
{sources}
</sources>
</data>
"""

    language: str
    title: str
    draft: Sequence[MarkedText]
    points: Sequence[MissingPoint]
    sources: Sequence[SourceText]

    @property
    def points_rule(self) -> str:
        """What to do with the points, if there are any."""
        return _POINTS_RULE if self.points else ""


_POINTS_RULE = """
Each <point> is what the section should tell and does not; told is what other sections say of it.
Look through all passages for it. Return added, one entry for each point that they answer, wholly or
in part:
point: its number n.
text: one to three sentences, each with the number of its source, that say what the passages say. A
command of one line stands in them in `backticks`. Code of several lines stands below them in a
fenced block, copied line by line from one passage; the last sentence cites it and leads to it.
after: the first words, copied from the draft, of the sentence that speaks of the same thing: text
is put behind that one, so that it reads on from it. It may be a marked one: then text is put behind
what stands in its place.
rest: where they answer a part alone, one sentence that names what remains open, if a reader needs
it; else empty.
Leave out the points that they do not answer, and those that the draft tells already.
"""
