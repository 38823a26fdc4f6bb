"""What a run does, in a line an event: for clients that show text and no page."""

from schema.events import Event


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
