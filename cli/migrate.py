"""`quire migrate`: the schema of the library, brought up to date."""

from cli.console import run
from cli.safe_output import print_stdout


def migrate() -> None:
    """Make the database's tables, or bring them up to date, as the role that owns them.

    Every command does so where its role may; run this before others where theirs may not.
    """
    from serving.migrations import migrate_database

    print_stdout(run(migrate_database))
