"""What a run does, in a line an event: for clients that show text and no page."""

from collections.abc import Callable

from schema.access import Member
from schema.events import Event
from serving.live_run import LiveRun
from serving.live_runs import LiveRuns
from serving.runs import OnEvent

Tell = Callable[[str], None]
"""Takes lines about the progress."""


async def follow_run(runs: LiveRuns, identity: str, member: Member, tell: Tell) -> LiveRun:
    """Tell a run's events until its end; it stops with who waits here, unless others look on."""
    show, told = make_teller(tell), 0
    async with runs.attend(identity, member) as seen:
        async for count, run in seen:
            for event in run.events[told:count]:
                show(event)
            told = count
    return run


def make_teller(tell: Tell) -> OnEvent:
    """What takes events and tells them as lines."""

    def show(event: Event) -> None:
        if line := describe_event(event):
            tell(line)

    return show


def describe_event(event: Event) -> str:
    """An event as one line; "" where there is nothing to tell."""
    match event["type"]:
        case "question":
            return f"Understood the question: {event['question']}"
        case "outline" | "outline_revised":
            return f"Planned “{event['title']}”: {', '.join(event['sections'])}"
        case "searched":
            came = event["error"] or f"{event['found']} found"
            return f"Asked {event['connector']} for “{event['question']}”: {came}"
        case "pages":
            return f"Read {event['read']} pages"
        case "pool":
            return f"Found {event['passages']} passages of {event['sources']} sources"
        case "written":
            return f"Wrote “{event['title']}”"
        case "step":
            return " ".join(part for part in (event["why"], event["outcome"]) if part)
        case "ingested":
            return f"{event['outcome'].capitalize()} {event['uri']}"
        case "embedded":
            return f"Embedded {event['vectors']} passages"
        case _:
            return ""
