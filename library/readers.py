"""Who may read the documents of a space, where not all of its members may."""

from collections.abc import Collection, Sequence

from library.session import Session
from schema.access import GROUP_SIGN


class Readers(Session):
    """Readers of a space's documents, and what a run was shown of them.

    `thread` is that of the run that this library is open for; what is written on it is kept for
    whom all may read that the run was shown. Empty: nothing is written.
    """

    thread = ""

    async def load_readers(
        self, connector: str, roots: Sequence[str]
    ) -> dict[str, tuple[str, ...]]:
        """By uri, the readers of a connector's documents at or below some uris that have some."""
        async with self.connect_keeper() as connection:
            cursor = await connection.execute(
                "SELECT d.uri, r.principals FROM quire.documents d "
                "JOIN quire.spaces s ON s.id = d.space_id "
                "JOIN quire.reader_sets r ON r.id = d.readers "
                "WHERE s.user_id = %(user)s AND s.name = %(space)s "
                "AND d.connector = %(connector)s AND EXISTS (SELECT FROM "
                "unnest(%(roots)s::text[]) AS root "
                "WHERE d.uri = root OR starts_with(d.uri, rtrim(root, '/') || '/'))",
                {
                    "user": self.user,
                    "space": self.space,
                    "connector": connector,
                    "roots": list(roots),
                },
            )
            return {uri: tuple(names[1:]) for uri, names in await cursor.fetchall()}

    @property
    def is_untold(self) -> bool:
        """Whether what a run is shown of a group's documents is not noted: it has no thread."""
        return self.user.startswith(GROUP_SIGN) and not self.thread

    async def was_shown_restricted(self) -> bool:
        """Whether the run was shown a document that not all members of its space may read."""
        [(shown,)] = await self.fetch(
            "SELECT EXISTS (SELECT FROM quire.run_documents d "
            "JOIN quire.spaces s ON s.id = d.space_id WHERE s.user_id = %(user)s "
            "AND s.name = %(home)s AND d.thread = %(thread)s AND d.kept_for IS NOT NULL)",
            home=self._home,
            thread=self.thread,
        )
        return bool(shown)

    async def _note_shown(self, documents: Collection[int]) -> None:
        """Write down what a run is about to be shown, before it is.

        Of a report that is remembered, that is what its own run was shown.
        """
        if not self.thread or not self.user.startswith(GROUP_SIGN) or not documents:
            return
        await self.fetch(
            "INSERT INTO quire.run_documents (space_id, thread, document_id, kept_for) "
            "SELECT home.id, %(thread)s, coalesce(r.document_id, d.id), "
            "CASE WHEN r.thread IS NULL THEN d.readers ELSE r.kept_for END "
            "FROM quire.spaces home, quire.documents d "
            "JOIN quire.spaces s ON s.id = d.space_id LEFT JOIN quire.run_documents r "
            "ON d.connector = 'memory' AND d.version <> '' AND r.thread = d.version "
            "WHERE home.user_id = %(user)s AND home.name = %(home)s AND s.user_id = %(user)s "
            "AND d.id = ANY(%(documents)s) ORDER BY 3 ON CONFLICT DO NOTHING RETURNING 1",
            home=self._home,
            thread=self.thread,
            documents=sorted(set(documents)),
        )

    @property
    def _home(self) -> str:
        """The space that this one is, or is kept beside."""
        return self.space.partition("~")[0]
