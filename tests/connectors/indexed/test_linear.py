"""A team's issues: what every connector must do, and what is special to Linear."""

from typing import Any

import pytest
from conformance import SyncConformance, items
from fakes.provider import Item
from fakes.sites.linear import LinearServer

from connectors.registry import make_syncing_connector
from schema.errors import InputError


class TestLinear(SyncConformance[LinearServer]):
    name = "linear"
    key = "LINEAR_API_KEY"
    location = "ENG"
    provider = LinearServer

    def expected(self, item: Item) -> dict[str, Any]:
        number = item.number
        project = "Wind∕Sun" if number % 2 else "no project"
        return {
            "uri": f"linear://ENG/ENG-{number}",
            "url": f"https://linear.app/acme/issue/ENG-{number}",
            "title": f"ENG-{number} {item.title}",
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Engineering/{project}/ENG-{number} {item.title}",
        }

    async def test_an_unknown_team_is_answered_with_those_that_there_are(self) -> None:
        with (
            self.serving(items(1)),
            pytest.raises(InputError, match=r"no team 'XYZ': use one of ENG, OPS\.$"),
        ):
            await make_syncing_connector("linear").find_root("XYZ")
