"""Where pages define what a gap names."""

from pathlib import Path

from stored_pages import store_pages

from nodes.common.definitions import find_definitions

FILLER = "The limit `cost_limit` is shared by all workers, which sleep when it is reached. " * 40
ENTRY = "**`cost_limit` (`integer`)**: The cost at which a worker sleeps. The default is 200."


async def test_a_name_is_looked_up_where_it_is_defined_and_not_where_it_is_used(
    space: str, tmp_path: Path
) -> None:
    (tmp_path / "guide.md").write_text(f"# Guide\n\n## Workers\n\n{FILLER}\n")
    (tmp_path / "manual.md").write_text(f"# Manual\n\n## Use\n\n{FILLER}\n\n## Cost\n\n{ENTRY}\n")
    library, documents = await store_pages(space, tmp_path)
    asked = ["Which default cost_limit has", "Whether workers sleep at night", "The use of `x_y`"]
    [defining], *others = await find_definitions(asked, documents, library)
    assert others == [[], []]
    assert ENTRY in defining.text
    assert await find_definitions(asked, documents[:1], library) == [[], [], []]
