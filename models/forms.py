"""In which form a model gives objects: what it cannot do, it is not asked for again."""

from dataclasses import dataclass, field
from typing import Literal

from models.served import get_address

Form = Literal["schema", "tool", "lines"]

FORMS: tuple[Form, ...] = ("schema", "tool")
"""The provider's structured output, then the call of a tool; lines, which every model can write,
where neither works."""

FEWEST_FAILURES = 2
"""Answers that could not be read, before a form is given up that failed more often than not."""


@dataclass
class Forms:
    """What came of the forms that a model was asked for."""

    _refused: set[Form] = field(default_factory=set)
    _read: dict[Form, int] = field(default_factory=dict)
    _failed: dict[Form, int] = field(default_factory=dict)

    def choose(self) -> Form:
        """The first form that works, as far as is known."""
        for form in FORMS:
            failed = self._failed.get(form, 0)
            fails = failed >= FEWEST_FAILURES and failed > self._read.get(form, 0)
            if form not in self._refused and not fails:
                return form
        return "lines"

    def note_refused(self, form: Form) -> None:
        """The server does not know this form."""
        self._refused.add(form)

    def note_answer(self, form: Form, *, is_read: bool) -> None:
        """An answer in this form could be read, or not."""
        counts = self._read if is_read else self._failed
        counts[form] = counts.get(form, 0) + 1


_forms: dict[tuple[str, str], Forms] = {}


def get_forms(model: str) -> Forms:
    """What this process knows of a model at the address that is set now."""
    return _forms.setdefault((model, get_address(model)), Forms())
