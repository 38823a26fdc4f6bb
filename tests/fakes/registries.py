"""Unpaywall, Europe PMC, OpenAlex and Crossref over loopback, as each documents its API."""

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fakes.provider import Provider

EMAIL = "ada@example.org"


class Registries(Provider):
    """What all four know, by DOI.

    Attributes:
        unpaywall: Records of Unpaywall, without `doi`.
        europe_pmc: Results of Europe PMC; `pmid` and `doi` are looked up.
        openalex: Works of OpenAlex, by DOI or `pmid:...`.
        crossref: Works of Crossref.
        down: Names of those that answer with an error.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unpaywall: dict[str, dict[str, Any]] = {}
        self.europe_pmc: list[dict[str, Any]] = []
        self.openalex: dict[str, dict[str, Any]] = {}
        self.crossref: dict[str, dict[str, Any]] = {}
        self.down: set[str] = set()

    def api(self) -> list[Any]:
        return [
            Route("/unpaywall/v2/{doi:path}", self.ask_unpaywall),
            Route("/europepmc/search", self.ask_europe_pmc),
            Route("/openalex/works/{work:path}", self.ask_openalex),
            Route("/crossref/works", self.list_crossref),
            Route("/crossref/works/{doi:path}", self.ask_crossref),
        ]

    def allowed(self, request: Request) -> bool:
        return True

    def lead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Leads Quire to these servers, and has it look for open copies."""
        monkeypatch.setenv("QUIRE_OPEN_ACCESS_EMAIL", EMAIL)
        for name in ("unpaywall", "europepmc", "openalex", "crossref"):
            monkeypatch.setenv(f"QUIRE_{name.upper()}_BASE_URL", f"{self.url}/{name}")

    def give(self, name: str, found: Any, request: Request) -> Response:
        """An answer, or the error of a server that is down or knows nothing."""
        if name in self.down:
            return PlainTextResponse("Sorry", 500)
        mail = request.query_params.get("email" if name == "unpaywall" else "mailto", EMAIL)
        assert mail == EMAIL
        return JSONResponse(found) if found is not None else PlainTextResponse("Not found.", 404)

    async def ask_unpaywall(self, request: Request) -> Response:
        assert request.query_params["email"] == EMAIL
        doi = request.path_params["doi"]
        held = self.unpaywall.get(doi)
        return self.give("unpaywall", held and {"doi": doi, "is_oa": True, **held}, request)

    async def ask_europe_pmc(self, request: Request) -> Response:
        query = request.query_params["query"]
        found = [
            one
            for one in self.europe_pmc
            if query in (f'DOI:"{one["doi"]}"', f"EXT_ID:{one.get('pmid')} AND SRC:MED")
        ]
        answer = {"hitCount": len(found), "resultList": {"result": found}}
        return self.give("europe_pmc", answer, request)

    async def ask_openalex(self, request: Request) -> Response:
        work = request.path_params["work"].removeprefix("doi:")
        held = self.openalex.get(work)
        wanted = request.query_params["select"].split(",")
        shown = held and {name: held.get(name) for name in wanted}
        return self.give("openalex", shown, request)

    async def ask_crossref(self, request: Request) -> Response:
        held = self.crossref.get(request.path_params["doi"])
        return self.give("crossref", held and {"status": "ok", "message": held}, request)

    async def list_crossref(self, request: Request) -> Response:
        doi = request.query_params["filter"].removeprefix("updates:")
        found = [
            one
            for one in self.crossref.values()
            if any(told["DOI"] == doi for told in one.get("update-to", []))
        ]
        message = {"total-results": len(found), "items": found}
        return self.give("crossref", {"status": "ok", "message": message}, request)
