"""A report on works behind paywalls: open copies are cited as such, retractions are told."""

import pytest
from fakes.registries import Registries
from fakes.sites.tavily_api import FakeTavily, Page
from fakes.sites.website import WebServer, page
from graph_runs import codes, run_report
from starlette.responses import Response

from exports.formats import export

DOI, NOTICE = "10.1234/otter.7", "10.1234/notice.1"
TEXT = "In winter otters eat frogs that sleep in the mud under the ice of ponds and rivers."
OTHER = "Otters dig holts under the roots of old trees, and they raise their young in spring there."
FULL = f"<h1>What otters eat</h1><p>{TEXT}</p>" + f"<p>{OTHER}</p>" * 30


@pytest.mark.slow
async def test_an_open_copy_is_disclosed_and_a_retraction_is_told(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    pages = {f"/doi/{DOI}": Response("Buy this article", 402), "/open/7": page(FULL)}
    with Registries() as registries, WebServer([], pages) as site:
        registries.lead(monkeypatch)
        opened = f"{site.url}/open/7"
        copy = {"url": opened, "version": "acceptedVersion"}
        registries.unpaywall[DOI] = {"title": "What otters eat", "best_oa_location": copy}
        update = {"type": "retraction", "DOI": NOTICE, "updated": {"date-parts": [[2025, 3, 4]]}}
        registries.crossref[DOI] = {"DOI": DOI, "updated-by": [update]}
        found = Page("What otters eat", f"{site.url}/doi/{DOI}", "What otters eat in winter.")
        with FakeTavily([found]) as web:
            monkeypatch.setenv("TAVILY_API_KEY", "tvly-test")
            monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", web.url)
            how = {"connectors": ["tavily"], "research_mode": "deep"}
            state = await run_report(space, "What do otters eat in winter?", **how)
    report = state["report"]
    (reference,) = report["references"]
    assert reference["url"] == opened
    assert reference["copy"] == {"of": f"https://doi.org/{DOI}", "version": "accepted"}
    assert reference["retraction"] == {
        "kind": "retraction",
        "day": "2025-03-04",
        "notice": f"https://doi.org/{NOTICE}",
    }
    assert any("frogs that sleep in the mud" in one["quote"] for one in report["citations"])
    assert "pages_not_read" not in codes(state)
    (told,) = [one for one in report["degraded"] if one["code"] == "source_retracted"]
    assert f"was retracted on 2025-03-04 (https://doi.org/{NOTICE})" in told["detail"]
    for name in ("markdown", "html"):
        text = export(report, name).decode()  # type: ignore[arg-type]
        assert f"(read as an open copy of https://doi.org/{DOI}, accepted version)" in text
        assert f"(RETRACTED, 2025-03-04, https://doi.org/{NOTICE})" in text
