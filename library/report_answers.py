"""What readers asked of a saved report, and the answers."""

import json
from dataclasses import dataclass
from datetime import datetime

from library.session import Session
from schema.deep_search import DeepAnswer

MAX_ANSWERS = 100
"""Answers that a report keeps."""

_FROM = "FROM quire.reports r JOIN quire.spaces p ON p.id = r.space_id AND p.user_id = %(user)s"


@dataclass(frozen=True, kw_only=True)
class ReportAnswer:
    """An answer as it was saved."""

    id: int
    asked: datetime
    answer: DeepAnswer


class ReportAnswers(Session):
    """The answers that belong to the reports of a user."""

    async def save_answer(self, report: str, answer: DeepAnswer, thread: str = "") -> None:
        """Keep an answer with a report; nothing where the report was removed meanwhile.

        Args:
            report: its id.
            answer: what is kept.
            thread: of the run that answered: who may not read all that it was shown does not see
                the answer.
        """
        await self.fetch(
            "INSERT INTO quire.answers (space_id, report, thread, answer) "
            f"SELECT r.space_id, r.id, %(thread)s, %(answer)s::json {_FROM} "
            "WHERE r.id = %(report)s AND r.version = 1 RETURNING 1",
            report=report,
            thread=thread,
            answer=json.dumps(answer),
        )

    async def list_answers(self, report: str) -> list[ReportAnswer]:
        """The answers of a report, the first one first."""
        return await self.fetch_as(
            ReportAnswer,
            "SELECT a.id, a.asked, a.answer FROM quire.answers a JOIN quire.spaces p "
            "ON p.id = a.space_id AND p.user_id = %(user)s WHERE a.report = %(report)s "
            "ORDER BY a.id",
            report=report,
        )

    async def remove_answer(self, report: str, identity: int) -> None:
        """Forget an answer of a report."""
        await self.fetch(
            "DELETE FROM quire.answers a USING quire.spaces p WHERE p.id = a.space_id "
            "AND p.user_id = %(user)s AND a.report = %(report)s AND a.id = %(id)s RETURNING 1",
            report=report,
            id=identity,
        )
