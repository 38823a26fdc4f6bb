"""`/metrics` for Prometheus: to who has the token, or, where none is set, to this machine alone."""

import hmac
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.database.connections import open_database
from schema.settings import get_settings
from serving.live_runs import LiveRuns
from serving.metrics import REGISTRY

_LOOPBACK = ("127.0.0.1", "::1")


class _Now:
    """What there is at this moment."""

    def __init__(self, runs: LiveRuns, pool: dict[str, int]) -> None:
        self._runs = runs
        self._pool = pool

    def collect(self) -> Iterable[Metric]:
        """Gauges of runs and connections."""
        runs = GaugeMetricFamily("quire_runs", "Reports of this process.", labels=["state"])
        for told, count in self._runs.count_states().items():
            runs.add_metric([told], count)
        yield runs
        names = {"pool_size": "open", "pool_available": "idle", "requests_waiting": "waited for"}
        pool = GaugeMetricFamily("quire_connections", "Database connections.", labels=["state"])
        for name, state in names.items():
            pool.add_metric([state], self._pool.get(name, 0))
        yield pool


async def tell_metrics(request: Request) -> Response:
    """The counters of this process."""
    _check_allowed(request)
    database = await open_database()
    now = CollectorRegistry()
    now.register(_Now(request.app.state.runs, database.pool.get_stats()))
    return Response(
        generate_latest(REGISTRY) + generate_latest(now), media_type=CONTENT_TYPE_LATEST
    )


def _check_allowed(request: Request) -> None:
    token = get_settings().metrics_token
    if token is None:
        allowed = request.client is not None and request.client.host in _LOOPBACK
    else:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        allowed = hmac.compare_digest(given.encode(), token.get_secret_value().encode())
    if not allowed:
        raise HTTPException(404)


routes = [Route("/metrics", tell_metrics)]
