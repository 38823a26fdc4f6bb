"""A chart as a writer may ask for it: a small, closed part of Vega-Lite, with inline values."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FieldName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\W\d][\w ]*$")]
ShortText = Annotated[str, Field(max_length=200)]


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Axis(_StrictModel):
    """What a channel shows."""

    field: FieldName
    type: Literal["quantitative", "ordinal", "nominal", "temporal"]
    title: ShortText | None = None


class Encoding(_StrictModel):
    """The channels of a chart."""

    x: Axis | None = None
    y: Axis | None = None
    color: Axis | None = None
    theta: Axis | None = None

    @property
    def axes(self) -> dict[str, Axis]:
        """The channels that are used."""
        return {name: axis for name, axis in self if axis is not None}


class Values(_StrictModel):
    """The rows; each names the number of its source beside its fields."""

    values: Annotated[list[dict[str, str | int | float]], Field(min_length=2, max_length=60)]


class ChartSpec(_StrictModel):
    """A chart. No addresses, no expressions, no transformations: nothing to run and to fetch."""

    schema_: Annotated[str, Field(alias="$schema")] = ""
    title: Annotated[str, Field(min_length=1, max_length=200)]
    mark: Literal["bar", "line", "point", "area", "arc"]
    encoding: Encoding
    data: Values

    def to_vega_lite(self) -> dict[str, Any]:
        """The specification, with nothing in it that was not checked."""
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": self.title,
            "mark": self.mark,
            "encoding": self.encoding.model_dump(exclude_none=True),
            "data": {"values": self.data.values},
            "width": 480,
            "height": 280,
        }
