"""Work shared among threads."""

import os
import time

import numpy as np
import pytest

from mancala_envs import make_agent, make_rules
from mancala_envs.kernels.batch import Batch
from mancala_envs.kernels.threads import share_out


@pytest.mark.parametrize("rows", [0, 1, 2, 7, 100])
@pytest.mark.parametrize(("threads", "parts"), [(1, 1), (2, 1), (3, 4)])
def test_every_row_is_done_once_and_in_order(rows, threads, parts):
    done = share_out(lambda part: list(range(rows))[part], rows, threads, parts)
    assert [row for part in done for row in part] == list(range(rows))


def test_an_error_in_a_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        share_out(lambda part: 1 // 0, 4, 2)


def test_no_states_are_no_actions():
    rules = make_rules("kalah")
    agent = make_agent("alphabeta:depth=2,threads=2", rules)
    assert agent.act_batch(np.zeros((0, rules.state_size), np.int16)).shape == (0,)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    batch = Batch(make_rules("kalah"), 8, threads=2)
    batch.reset(0)
    batch.step(np.zeros(8, np.int64))
    child = os.fork()
    if child == 0:
        batch.step(np.ones(8, np.int64))
        os._exit(0)
    for _ in range(100):
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            break

        time.sleep(0.1)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert finished == child
    assert status == 0
