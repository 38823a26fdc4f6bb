"""What a reader who says something to a finished report wants of it."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import NumberedLine, Prompt


class RouteFollowUpPrompt(Prompt):
    """What a reader who says something to a finished report wants of it."""

    name = "route_follow_up"
    version = 2
    answer_tokens = 300
    ceiling_share = 0.4
    system = (
        """
A reader of a finished report says <instruction>. Say what they want. <question> is what the report
answers, <sections> are its sections by number; 0 is its summary.

kind, the first that fits:
question: they want to know something that belongs to the report's subject, and an answer beside the
report will do.
edit: the report is to say the same in another form: shorter, simpler, as a table, in another order
or tone, without some part.
research: the report is to tell more or something else than it does: add, bring up to date, compare
with, go deeper.
report: it is about something else, it asks for a new report, it asks for nothing, or the whole is
wanted in another language.

section_numbers: for edit and research, the sections that have to change. What is to be added goes
to the one that it fits best. Empty where they speak of the whole report.

request: for a question, the question so that it can be understood without the report; otherwise the
instruction, in the reader's words. In their language.
"""
        + DATA_RULE
    )
    user = """
<data>
<question>{question}</question>
<sections>
{sections}
</sections>
<instruction>{message}</instruction>
</data>
"""

    question: str
    sections: Sequence[NumberedLine]
    message: str
