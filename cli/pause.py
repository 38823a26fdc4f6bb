"""`quire pause`: have a report's writing stop, to go on with it later."""

from cli.console import run
from cli.reports import IdArgument
from cli.safe_output import print_stdout


def pause(identity: IdArgument) -> None:
    """Stop a report that is being written, here or on a server; nothing of it is lost."""
    from serving.pauses import pause_report

    stopped = run(lambda: pause_report(identity))
    how = "paused" if stopped else "asked to pause; what it waits for has not ended yet"
    print_stdout(f"report {identity} is {how}: quire report --resume {identity}")
