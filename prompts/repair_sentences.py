"""Sentences that their sources do not support, back to the writer of their sections."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import CITE_RULE, DATA_RULE, NO_FACT_RULE
from prompts.template import GivesWay, Prompt, SourceText, fence, fence_attribute


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence to be mended: `text[start:end]` of its section, its number, and why.

    The number is its own among those of all sections that are mended at once.
    """

    number: int
    start: int
    end: int
    reason: str


@dataclass(frozen=True)
class MarkedText:
    """A section as it stands, with the sentences that have to be mended, in order.

    Of its text the stretches `shown` are shown, in order; each marked sentence is in one of them.
    """

    title: str
    text: str
    marked: Sequence[MarkedSentence]
    shown: Sequence[tuple[int, int]]

    def render(self, place: int) -> str:
        """The draft under its number, "…" where its text is left out."""
        parts = [self._render_part(start, end) for start, end in self.shown]
        edges = [0, *(edge for part in self.shown for edge in part), len(self.text)]
        gaps = [self.text[a:b].strip() for a, b in zip(edges[::2], edges[1::2], strict=True)]
        lines = ["…"] if gaps[0] else []
        for part, gap in zip(parts, gaps[1:], strict=True):
            lines += [part, *(["…"] if gap else [])]
        title = fence_attribute(self.title)
        return f'<draft n="{place}" title="{title}">\n' + "\n\n".join(lines) + "\n</draft>"

    def _render_part(self, start: int, end: int) -> str:
        """A stretch of the text with a numbered <sentence> around each that is marked."""
        parts = []
        for one in self.marked:
            if start <= one.start < end:
                parts += [
                    fence(self.text[start : one.start]),
                    f'<sentence n="{one.number}" reason="{fence_attribute(one.reason)}">',
                    fence(self.text[one.start : one.end]),
                    "</sentence>",
                ]
                start = one.end
        return "".join([*parts, fence(self.text[start:end])])


@dataclass(frozen=True)
class MissingPoint:
    """What a section should tell and does not; it is put on one line.

    `draft` is the number of that section; `told` is what other sections of the report say of it,
    "" for nothing.
    """

    text: str
    draft: int
    told: str = ""

    def render(self, place: int) -> str:
        """The point behind its number, and what other sections say of it."""
        said = " ".join(self.told.split())
        told = f' told="{fence_attribute(said)}"' if said else ""
        text = fence(" ".join(self.text.split()))
        return f'<point n="{place}" draft="{self.draft}"{told}>{text}</point>'


class RepairSentencesPrompt(Prompt):
    """Sentences that their sources do not support, back to the writer of their sections."""

    name = "repair_sentences"
    version = 16
    answer_tokens = 1_500
    gives_way = (GivesWay("sources", least=1), GivesWay("points"))
    system = (
        """
Mend the marked sentences of sections, from <sources> alone. Each <draft> is a section, with "…" for
what is not shown of it; a sentence to be mended stands in <sentence> with its number n and the
reason. Leave all others as they are. <sources> shows passages on these sentences only: that they
do not say something is no reason to write that the sources do not.

Return sentences, one entry for each marked one:
sentence: its number.
text: what stands in its place, as long as it was, two sentences at most, in the terms of the draft,
so that the sentences beside it still fit. For a row of a table the whole row, with as many cells.
Empty: it is taken out.
keep: why it stays as it is, in a few words; text is then empty. Where a passage tells it in other
words, copy those in “quotes”; beside a text, those that tell it.
sums: one for each figure that is worked out and that no passage gives, such as "900 - 780 = 120" or
"3 × (450 - 320) = 390": numbers, + - × / and brackets, no words, the result as the sentence rounds
it. Else empty.

Choose the first that fits:
1. It is right as it stands: a passage tells it in other words, it follows from the sentences around
   it, its figure is worked out from cited ones, or it says what is open and the passages do not
   answer it. Keep it.
2. A passage corrects it, answers what it calls open or disputed, or tells a part of it: say what
   the passage says, with its figures, dates and names, and cite each part by the source that tells
   it; a conclusion stands behind the number.
3. It says more than the sentences around it bear out: reword it so that it follows from them, and
   cite nothing.
4. The section does not need it: take it out.
{points_rule}
Example. Draft: "Larches shed their needles [2]. <sentence n="2" reason="no shown passage of source
2 gives 900 years">They live for 900 years [2].</sentence> <sentence n="3" reason="it cites no
source for what is new in it">Hence they let light in during winter.</sentence>" Source 4 says that
the oldest larch was counted at 780 years. Answer: sentence 2, text "The oldest that was counted
stood for 780 years [4]."; sentence 3, keep "follows from the needles that they shed".
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
{drafts}
{points}
<sources>
{sources}
</sources>
</data>
"""

    language: str
    drafts: Sequence[MarkedText]
    points: Sequence[MissingPoint]
    sources: Sequence[SourceText]

    @property
    def points_rule(self) -> str:
        """What to do with the points, if there are any."""
        return _POINTS_RULE if self.points else ""


_POINTS_RULE = """
Each <point> is what its draft should tell and does not; told is what other sections say of it.
Return added, one entry for each point that passages answer, wholly or in part, and the draft does
not tell already:
point: its number n.
text: one or two sentences, each with the number of its source, that say what the passages say, the
reader of this section needs and told does not have. Where the point asks for a value to start with
and none gives it, they work one out, named as a start to adjust. A command of one line stands in
them in `backticks`, code of several lines below them in a fenced block, copied line by line from
one passage; the last sentence cites it and leads to it.
after: the first words, copied from the draft, of the sentence or table row that speaks of the same
thing: text is put behind it and reads on from it. Empty where no shown one does.
instead: true where text takes up all that this sentence says, with its figures and numbers: it then
stands in its place.
sums: as above.
rest: one sentence that names what a reader needs and they leave open of the point; else empty.
For a point that no passage answers, return text empty and, as rest, the point as one sentence that
remains open.
"""
