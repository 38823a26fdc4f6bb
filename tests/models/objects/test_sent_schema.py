"""The schema of an object as a provider is sent it."""

from pydantic import BaseModel

from models.objects.sent_schema import make_sent_schema


class Part(BaseModel):
    """A part with words of its own."""

    title: str
    description: str = ""


class Whole(BaseModel):
    """The whole."""

    parts: list[Part]


def test_a_schema_names_the_whole_and_leaves_out_what_the_prompt_says() -> None:
    assert make_sent_schema(Whole) == {
        "title": "Whole",
        "description": "The whole.",
        "type": "object",
        "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}}},
        "required": ["parts"],
        "$defs": {
            "Part": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "description": {"type": "string", "default": ""},
                },
                "required": ["title"],
            }
        },
    }
