"""Work on the rows of arrays, shared among threads: compiled functions hold no lock that would keep them from running together."""

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")
MOST_THREADS = 256


def share_out(work: Callable[[slice], Result], rows: int, threads: int, parts_per_thread: int = 1) -> list[Result]:
    """Call `work` with slices that together are all rows, in as many threads; returns what it returned, in the rows' order.

    Args:
        work: does some rows; called by several threads at a time.
        rows: how many rows there are.
        threads: how many threads; a single one is the calling thread.
        parts_per_thread: more than one where some rows take much longer than others.
    """
    if threads == 1:
        return [work(slice(0, rows))]
    parts = max(1, min(rows, threads * parts_per_thread))
    bounds = [rows * part // parts for part in range(parts + 1)]
    return list(_pool(threads).map(work, map(slice, bounds[:-1], bounds[1:])))


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work: to start them for every step would take longer than the step."""
    return ThreadPoolExecutor(threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # the threads stay with the parent
