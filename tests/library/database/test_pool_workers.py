"""A pool's own tasks end with the loop they run in."""

import asyncio

from library.database.pool import Pool


async def test_a_pool_that_is_cancelled_while_it_connects_lets_its_loop_end() -> None:
    reached, over = asyncio.Event(), asyncio.Event()

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.set()
        await over.wait()
        writer.close()

    async with await asyncio.start_server(hold, "127.0.0.1", 0) as silent:
        port = silent.sockets[0].getsockname()[1]
        before = asyncio.all_tasks()
        pool = Pool(f"postgresql://127.0.0.1:{port}/none", least=1, most=1)
        await pool.open()
        await reached.wait()
        made = [one for one in asyncio.all_tasks() - before if "pool" in one.get_name()]
        assert made
        for one in made:
            one.cancel()
        _, still = await asyncio.wait(made, timeout=5)
        over.set()
        assert not still
