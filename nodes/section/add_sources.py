"""What deep searches found joins the pool of their section, with new numbers."""

from schema.state import PoolEntry, SectionState, SectionUpdate


async def add_sources(state: SectionState) -> SectionUpdate:
    """Number the new sources so that no other section, at work at the same time, takes the same.

    Section i of n takes the numbers i + 1, i + 1 + n, i + 1 + 2n, ... above those of the run.
    """
    held = {entry["chunk"] for entry in state.get("pool") or []}
    numbers = {source["document"]: source["number"] for source in state.get("sources") or []}
    known = max(numbers.values(), default=0)
    index, step = state.get("index", 0), max(1, len(state.get("plan") or []))
    new = list(
        dict.fromkeys(one["document"] for one in state["found"] if one["document"] not in numbers)
    )
    numbers |= {document: known + index + 1 + step * n for n, document in enumerate(new)}
    joined = {
        one["chunk"]: PoolEntry(chunk=one["chunk"], number=numbers[one["document"]], score=0.0)
        for one in state["found"]
        if one["chunk"] not in held
    }
    return {"pool": [*joined.values(), *(state.get("pool") or [])]}
