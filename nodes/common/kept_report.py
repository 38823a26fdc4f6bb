"""A saved report that a run works on."""

from library.library import Library
from library.saved_reports import SavedReport
from schema.access import name_space
from schema.context import Context
from schema.errors import InputError
from schema.report import Report


async def load_kept_report(
    identity: str, library: Library, context: Context, purpose: str
) -> tuple[SavedReport, Report]:
    """What was saved of a finished report, and the report in it.

    Args:
        identity: its id.
        library: of the space that the run works in.
        context: of the run.
        purpose: what is done with it, after "in the space: " in what is said of another space.

    Raises:
        InputError: there is none, it is not finished, or it stands in another space.
    """
    saved = await library.load_report(identity)
    if saved is None:
        raise InputError(
            f"There is no report {identity}: quire reports list shows those there are."
        )
    if saved.report is None:
        raise InputError(
            f"The report {identity} is not finished: quire report --resume {identity}."
        )
    space = name_space(saved.owner, saved.space)
    if space != context.space:
        raise InputError(
            f"The report {identity} stands in the space “{space}”: {purpose} it there."
        )
    return saved, saved.report
