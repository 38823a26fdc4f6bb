"""The summary that opens a report, out of its finished sections."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fragments import CITE_RULE, DATA_RULE, NO_FACT_RULE
from prompts.template import GivesWay, NumberedLine, Prompt, fence, fence_attribute
from schema.plan import Shape


@dataclass(frozen=True)
class FinishedSection:
    """A section as it stands in the report, with the numbers of its sources."""

    title: str
    text: str

    def render(self, _place: int) -> str:
        """The text below its title."""
        return f'<section title="{fence_attribute(self.title)}">\n{fence(self.text)}\n</section>'


@dataclass(frozen=True)
class LookedUpLine:
    """What is open or asked next, and what a passage of the library says of it, "" if none."""

    text: str
    found: str = ""

    def render(self, place: int) -> str:
        """The line behind its number, what was found below it."""
        line = NumberedLine(self.text).render(place)
        return f"{line}\nfound: {fence(' '.join(self.found.split()))}" if self.found else line


class SummarisePrompt(Prompt):
    """The summary that opens a report, out of its finished sections."""

    name = "summarise"
    version = 15
    answer_tokens = 1_200
    ceiling_share = 0.98
    gives_way = (GivesWay("notes"), GivesWay("sections", least=1))
    system = (
        """
Write the summary that opens a report. Its reader may read nothing else and wants the answer to
<question>. Write in <language>, about as many words in all as <length> says. <shape> says what this
answer needs most.

Take all of it from <sections>, in fewer words: no sentence of theirs stands here again. Bring no
figure, date, name or claim that stands in none of them. A sentence there with ⚠ was not confirmed:
it is shown so that you understand those around it, and nothing of it is taken. Code in `backticks`
does not count for <length>.

position: the answer, in one to three sentences. Take a side as far as the sections carry it; where
it depends, say on what, and what holds in each case. Cite at most three sources that carry it.
verdicts: one or two sentences for each goal or case that <question> asks about, if it compares
options or asks which: which of all of them is best there, why, and under which condition it is not.
Else leave it empty.
findings: three to seven sentences, the one that matters most first. Each is a fact with its number
and can be understood alone. Give values, limits and conditions. None says again what the position
says. Beside verdicts there are none: what changes a verdict stands in it.
steps: what to do, in the order of doing it and to the end, at most seven, if <question> asks what
to do or how. Else leave it empty. Where a section lists them they are its steps in its order, two
or three in one. Each is a sentence of up to 20 words: what is done, with its value or, in
`backticks`, its command. How it is checked, why, and what else is possible stay in the sections.
Where <length> is too short for all, leave out findings, not steps; a finding that a step tells
stands there alone.
certainty: one to three sentences. Which part of the answer is sure, which is the weakest, and what
makes it so: sources that agree or not (two of one publisher, or one that takes its figures from the
other, are one), few cases, somebody who speaks for himself, dates in <notes>? Of a source without a
date there say nothing on its age. What is missing? All that <open> says, in one sentence, but for
what is closed; call nothing else missing.
closed: the numbers of those of <open> that <sections> or what stands behind "found:" tells, also in
part or in other words, and of those that ask for the same as one before.
answered: the numbers of those of <further>, questions for a next report, of which the same holds.
Nothing behind "found:" goes into the summary.

A position that helps: "Take the heat pump: over ten years it costs less than gas [4]. Gas is the
better choice only where the house cannot be insulated [2]."
A position that does not: "Both systems have advantages and drawbacks that should be weighed."
"""
        + CITE_RULE
        + NO_FACT_RULE
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
<language>{language_name}</language>
<length>{words}</length>
<shape>{emphasis}</shape>
</settings>
<data>
<question>{question}</question>
<sections>
{sections}
</sections>
<notes>
{notes}
</notes>
<open>
{open}
</open>
<further>
{further}
</further>
</data>
"""

    date: str
    language: str
    words: int
    emphasis: str
    question: str
    sections: Sequence[FinishedSection]
    notes: Sequence[str]
    open: Sequence[LookedUpLine] = ()
    further: Sequence[LookedUpLine] = ()


EMPHASIS: dict[Shape, str] = {
    "how-to": "steps that can be followed as they stand, and the values to begin with",
    "comparison": "a verdict for each goal, and one on the whole",
    "timeline": "how things stand now; findings in the order of time, each with its date",
    "yes-no": "yes, no or what it depends on as the first word; then what speaks against it",
    "survey": "the case in which another answer holds, with that answer; then findings by theme, "
    "those that several sources share first",
    "decision": "what to choose, what it costs and risks, and what would change the choice",
}
"""What the summary of each kind of answer needs most."""
