"""The benchmark of sources in two spaces, on a collection that is known by heart."""

from pathlib import Path

from test_retrieval_benchmark import QUERIES, UNKNOWN, collection

from benchmarks.two_spaces import divided, measure


def test_a_share_is_the_same_in_every_run() -> None:
    documents = [{"id": str(number)} for number in range(1_000)]
    first, second = divided(documents, 0.1)
    assert divided(documents, 0.1) == (first, second)
    assert sorted(int(one["id"]) for one in [*first, *second]) == list(range(1_000))
    assert 70 < len(second) < 130


async def test_each_way_finds_what_stands_there(tmp_path: Path) -> None:
    birds = collection(tmp_path / "birds", QUERIES)
    other = collection(tmp_path / "others", UNKNOWN)
    measured = await measure(birds, other, None)
    assert list(measured) == ["10% of birds apart", "50% of birds apart", "birds beside others"]
    for ways in measured.values():
        assert ways["one space that holds all"] == 100
        assert ways["two spaces, by score and evidence"] == 100
    assert measured["birds beside others"]["the first space alone"] == 100
