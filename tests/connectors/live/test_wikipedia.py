"""MediaWiki's action API with TextExtracts and CirrusSearch, as Wikipedia runs them."""

from typing import Any

import pytest
from conformance import LiveConformance, items
from fakes.provider import Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from connectors.live import wikipedia

OPERATORS = set('"()[]{}:*~?!/\\|&+<>=')
DISPLAYED = (
    "A power is of the form\n\n  \n    \n      \n        P\n        =\n        v\n      \n    \n"
    "    {\\displaystyle P=v^{3}}\n  \n\nwhere \n  \n    \n      \n        v\n      \n    \n"
    "    {\\textstyle v}\n   is the speed of the \n  \n    \n      \n        n\n      \n    \n"
    "    {\\displaystyle n}\n  \n-bladed wheel."
)


class WikipediaServer(Provider):
    """Every edition of Wikipedia below its name, and all of them in one at the root."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.asked: list[tuple[str, str]] = []
        self.finds = lambda edition, asked: True
        self.edits: dict[int, dict[str, Any]] = {}
        self.body: Any = None

    def api(self) -> list[Any]:
        return [Route("/w/api.php", self.asked), Route("/{edition}/w/api.php", self.asked)]

    def allowed(self, request: Request) -> bool:
        return request.headers["user-agent"].startswith("Quire")

    def failure(self, status: int) -> Response:
        return PlainTextResponse("Please see https://wikitech.wikimedia.org", status)

    async def asked(self, request: Request) -> Response:
        given = dict(request.query_params)
        assert (given["action"], given["format"], given["formatversion"]) == ("query", "json", "2")
        if self.body is not None:
            return JSONResponse(self.body)
        if "pageids" in given:
            pages = self.whole(given)
        else:
            pages = self.found(request.path_params.get("edition", ""), given)
        if not pages:
            return JSONResponse({"batchcomplete": True})
        return JSONResponse({"batchcomplete": True, "query": {"pages": pages}})

    def found(self, edition: str, given: dict[str, str]) -> list[dict[str, Any]]:
        asked, count = given["gsrsearch"], int(given["gsrlimit"])
        assert 1 <= count <= 500
        assert 1 <= len(asked) <= 300  # Wikipedia's own limit
        assert not OPERATORS & set(asked)
        assert "exintro" in given  # else there is one extract only
        assert 1 <= int(given["exlimit"]) <= 20
        assert given["gsrnamespace"] == "0"
        self.asked.append((edition, asked))
        if not self.finds(edition, asked):
            return []
        best = list(self.items.values())[:count]
        pages = [self.page(item, rank) for rank, item in enumerate(best, 1)]
        return pages[::-1]  # they come in no order

    def page(self, item: Item, rank: int) -> dict[str, Any]:
        page = {
            "pageid": item.number,
            "ns": 0,
            "title": item.title,
            "index": rank,
            "extract": f"{item.title} turns.",
            "pagelanguage": "en",
            "fullurl": f"https://en.wikipedia.org/wiki/Turbine_{item.number}",
            "revisions": [{"timestamp": item.iso}],
        }
        return page | self.edits.get(item.number, {})

    def whole(self, given: dict[str, str]) -> list[dict[str, Any]]:
        assert given["exlimit"] == "1"
        number = int(given["pageids"])
        if number not in self.items:
            return [{"pageid": number, "missing": True}]
        item = self.items[number]
        extract = (
            f"{item.title} turns.\n\n\n== History ==\n{item.text}\n\n\n=== Later ===\nIt broke."
        )
        return [{"pageid": number, "ns": 0, "title": item.title, "extract": extract}]


class TestWikipedia(LiveConformance[WikipediaServer]):
    name = "wikipedia"
    provider = WikipediaServer

    def expected(self, item: Item) -> dict[str, Any]:
        url = f"https://en.wikipedia.org/wiki/Turbine_{item.number}"
        return {
            "uri": url,
            "url": url,
            "title": item.title,
            "author": "Wikipedia contributors",
            "site": "Wikipedia",
            "published": "2024-05-01",
            "excerpt": False,
        }

    @pytest.fixture
    def server(self) -> Any:
        with self.serving(items(6)) as provider:
            yield provider

    @pytest.fixture
    def editions(self, server: WikipediaServer) -> WikipediaServer:
        """Leads to the edition that the connector would ask on its own."""

        def own(_: str, default: str) -> str:
            return f"{server.url}/{default.removeprefix('https://').partition('.')[0]}"

        self.monkeypatch.setattr(wikipedia, "base_url", own)
        return server

    async def test_the_best_three_come_in_full_and_the_others_as_introductions(
        self, server: WikipediaServer
    ) -> None:
        found = await self.live().search(self.query, limit=5)
        assert [document.title[-1] for document in found] == ["1", "2", "3", "4", "5"]
        assert [document.excerpt for document in found] == [False, False, False, True, True]
        assert found[3].text == "Wind turbine 4 turns."
        assert "\n\n## History\n" in found[0].text
        assert "\n\n### Later\n" in found[0].text
        assert len(server.calls) == 4

    @pytest.mark.parametrize("fault", [429, 500, "cut"])
    async def test_an_article_that_cannot_be_read_leaves_its_introduction(
        self, server: WikipediaServer, fault: Any
    ) -> None:
        server.good, server.always = 1, fault
        found = await self.live().search(self.query, limit=5)
        assert [document.excerpt for document in found] == [True] * 5

    async def test_an_article_that_was_just_deleted_leaves_its_introduction(
        self, server: WikipediaServer
    ) -> None:
        server.edits[1] = {"pageid": 77}
        found = await self.live().search(self.query, limit=2)
        assert [document.excerpt for document in found] == [True, False]

    async def test_a_list_of_meanings_is_no_article(self, server: WikipediaServer) -> None:
        server.edits[1] = {"pageprops": {"disambiguation": ""}}
        found = await self.live().search(self.query, limit=3)
        assert [document.title[-1] for document in found] == ["2", "3"]

    async def test_what_is_malformed_is_passed_over(self, server: WikipediaServer) -> None:
        server.edits = {
            1: {"fullurl": None},
            2: {"fullurl": "javascript:alert(1)"},
            3: {"revisions": None, "title": None, "index": "x", "pageid": None},
            4: {"revisions": [None], "extract": ["a"], "pageid": None},
            5: {"revisions": [{}], "title": 5},
        }
        found = await self.live().search(self.query, limit=5)
        assert [(one.title, one.published) for one in found] == [("", ""), ("", "")]

    async def test_a_question_is_asked_in_its_own_language(self, editions: WikipediaServer) -> None:
        await self.live().search("Wie funktioniert eine Wärmepumpe im Winter?", limit=3)
        await self.live().search("What do otters eat in winter?", limit=3)
        assert editions.asked == [
            ("de", "funktioniert wärmepumpe winter"),
            ("en", "otters eat winter"),
        ]

    async def test_what_has_no_answer_there_is_asked_in_english_and_then_less_strictly(
        self, editions: WikipediaServer
    ) -> None:
        editions.finds = lambda edition, asked: " OR " in asked
        found = await self.live().search("Wie funktioniert eine Wärmepumpe im Winter?", limit=3)
        assert len(found) == 3
        assert editions.asked == [
            ("de", "funktioniert wärmepumpe winter"),
            ("en", "funktioniert wärmepumpe winter"),
            ("de", "funktioniert OR wärmepumpe OR winter"),
        ]

    async def test_one_edition_is_not_asked_the_same_twice(self, editions: WikipediaServer) -> None:
        editions.finds = lambda edition, asked: False
        assert await self.live().search("What do otters eat?", limit=3) == []
        assert editions.asked == [("en", "otters eat"), ("en", "otters OR eat")]

    async def test_the_text_of_a_question_holds_no_operators(self, server: WikipediaServer) -> None:
        question = 'intitle:"wind" -rain insource:/a.*b/ AND (boat OR ~ship*) !sail morelike:Oar?'
        await self.live().search(question, limit=1)
        assert server.asked == [("", "intitle wind rain insource b boat ship sail morelike oar")]

    async def test_a_question_of_any_length_is_cut_between_words(
        self, server: WikipediaServer
    ) -> None:
        server.finds = lambda edition, asked: False
        await self.live().search(" ".join(f"turbine{number}" for number in range(5000)), limit=1)
        (_, strict), (_, loose) = server.asked
        assert strict.split()[-1] == "turbine30"
        assert loose.split(" OR ")[-1] == "turbine22"

    @pytest.mark.parametrize("question", ["", "?!", "🎈 -- ()"])
    async def test_a_question_without_words_is_not_asked(
        self, server: WikipediaServer, question: str
    ) -> None:
        assert await self.live().search(question, limit=3) == []
        assert server.calls == []

    @pytest.mark.parametrize(
        ("code", "kind", "passing"),
        [
            ("cirrussearch-too-busy-error", "connector_failed", True),
            ("internal_api_error_DBQueryError", "connector_failed", True),
            ("ratelimited", "connector_limit", True),
            ("badvalue", "connector_failed", False),
            (None, "connector_failed", False),
        ],
    )
    async def test_an_error_of_status_200_is_one(
        self, server: WikipediaServer, code: Any, kind: str, passing: bool
    ) -> None:
        server.body = {"error": {"code": code, "info": "It went wrong."}, "servedby": "mw1"}
        error = await self.refused()
        assert (error.code, error.retryable) == (kind, passing)
        assert str(code) in str(error)

    async def test_an_answer_that_is_no_object_is_a_failure(self, server: WikipediaServer) -> None:
        server.body = []
        assert str(await self.refused()) == "Wikipedia's answer could not be read"

    @pytest.mark.parametrize("body", [{"query": []}, {"query": {"pages": 7}}, {"query": None}])
    async def test_an_answer_without_pages_found_nothing(
        self, server: WikipediaServer, body: Any
    ) -> None:
        server.body = body
        assert await self.live().search(self.query, limit=3) == []

    async def test_formulas_become_tex(self, server: WikipediaServer) -> None:
        server.items[1].text = DISPLAYED
        found = await self.live().search(self.query, limit=1)
        assert (
            "A power is of the form\n$P=v^{3}$\nwhere $v$ is the speed of the $n$-bladed wheel."
        ) in found[0].text

    async def test_an_indented_text_is_no_formula(self, server: WikipediaServer) -> None:
        server.items[1].text = "So:\n    print(1)\n\n  Two."
        found = await self.live().search(self.query, limit=1)
        assert server.items[1].text in found[0].text
