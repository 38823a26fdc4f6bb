"""`quire watch`: a saved report, brought up to date with its sources, now or again and again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_or_write, run, run_with_progress
from cli.jobs import check_installed, parse_period
from cli.options import JsonOption, make_file_option
from cli.reports import IdArgument
from cli.safe_output import print_json, print_stderr, print_stdout

if TYPE_CHECKING:
    from serving.watch import WatchOutcome


def watch(
    identity: IdArgument,
    every: Annotated[
        str, typer.Option(help="Have it done so often, such as 1d or 1w; `off` ends that.")
    ] = "",
    out: Annotated[
        Path | None,
        make_file_option(
            help="File to write what changed to: Markdown, or HTML for a name in .html."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Rewrite only the sentences whose evidence changed, and tell claim by claim what changed."""
    if every:
        _schedule(identity, every)
        return
    from exports.digest import render_digest, render_digest_html
    from serving.watch import watch_report

    outcome: WatchOutcome = run_with_progress(lambda on_event: watch_report(identity, on_event))
    for one in outcome.failures:
        print_stderr(f"not looked at: {one}")
    if as_json:
        version = outcome.report["version"] if outcome.report else None
        changes = outcome.report.get("changes", []) if outcome.report else []
        print_json({"version": version, "said": outcome.said, "changes": changes})
    elif outcome.report is None:
        print_stdout(outcome.said)
    else:
        is_page = out is not None and out.suffix.lower() in (".html", ".htm")
        render = render_digest_html if is_page else render_digest
        print_or_write(render(outcome.report).encode(), out)


def _schedule(identity: str, every: str) -> None:
    check_installed()
    period = parse_period(every)
    from schema.access import LOCAL_MEMBER
    from serving.jobs import open_jobs

    async def work() -> None:
        async with open_jobs() as jobs:
            await jobs.schedule_watch(identity, LOCAL_MEMBER, period)

    run(work)
    if period:
        print_stderr(f"{identity}: watched every {every} by quire serve or quire worker")
    else:
        print_stderr(f"{identity}: not watched any more")
