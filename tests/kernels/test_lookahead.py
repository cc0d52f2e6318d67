"""What each action leads to, one ply and a few plies ahead."""

import numpy as np
import pytest

from mancala_envs import make_rules, rulesets
from mancala_envs.kernels.batch import Batch
from mancala_envs.kernels.lookahead import WON, with_lookahead
from mancala_envs.kernels.rows import observations
from mancala_envs.position import Position
from mancala_envs.rules import Rules
from mancala_envs.rules.contract import LIVE, STATUS, TO_MOVE


def numbers(position: Position) -> np.ndarray:
    """The numbers of a position, float32[4, A]: gain, again, ends, answer."""
    rules, states = position.rules, position.state[None].copy()
    observed = observations(rules, states, np.array([position.to_move]))
    seen = with_lookahead(rules, states, observed)
    np.testing.assert_array_equal(seen[0, : observed.size], observed.ravel())
    return seen[0, observed.size :].reshape(-1, rules.num_actions)


def states_at_play(rules: Rules, count: int) -> np.ndarray:
    """States of random games, each some plies further than the one before, int16[count, S]."""
    batch = Batch(rules, count)
    batch.reset(3)
    generator = np.random.default_rng(3)
    for number in range(3 * count):
        rows = np.arange(number // 3, count)
        actions = [generator.choice(np.flatnonzero(batch.masks[row])) for row in rows]
        batch.step(np.array(actions), rows)
    return batch.states.copy()


def worth(state: np.ndarray, rules: Rules) -> float:
    """How far South is ahead, written a second time."""
    scale = 2 / rules.board.seeds if rules.board.seeds else 1 / sum(map(len, rules.board.rows))
    return rules.evaluate(state.copy()) * scale + {1: WON, 2: -WON}.get(int(state[2]), 0)


def best_play(state: np.ndarray, rules: Rules, plies: int, lines: int) -> float:
    """How far South is ahead after best play, by plain minimax, where `plies` and one of `lines` led."""
    mask, found = np.zeros(rules.num_actions, np.bool_), []
    if state[STATUS] == LIVE:
        lines *= rules.legal(state.copy(), mask)
    looks_on = plies == 1 or (lines <= 2000 and plies < 6 and not rules.board.seeds)
    if state[STATUS] != LIVE or not looks_on:
        return worth(state, rules)
    for action in np.flatnonzero(mask):
        after = state.copy()
        rules.apply(after, int(action))
        found.append(best_play(after, rules, plies + 1, lines))
    return min(found) if state[TO_MOVE] else max(found)


def naive(state: np.ndarray, rules: Rules) -> np.ndarray:
    """The numbers of a state, float64[4, A]."""
    position = Position(rules, state.copy())
    side = 1 - 2 * position.to_move
    count = len(position.legal_actions())
    out = np.zeros((4, rules.num_actions))
    for action in position.legal_actions():
        after = state.copy()
        rules.apply(after, action)
        out[0, action] = side * (worth(after, rules) - worth(state, rules))
        out[1, action] = after[STATUS] == LIVE and after[TO_MOVE] == state[TO_MOVE]
        out[2, action] = after[STATUS] != LIVE
        out[3, action] = side * ((best_play(after, rules, 1, count) if count <= 40 else worth(after, rules)) - worth(state, rules))
    out[[0, 3]] = out[[0, 3]].clip(-1, 1)
    return out


def test_a_capture_and_its_answer():
    position = make_rules("oware").position([2, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 5], [18, 19])
    gain, again, ends, answer = numbers(position)
    assert gain.tolist() == pytest.approx([0, 0, 0, 0, 0, 2 / 24])  # F takes the two in a
    assert answer.tolist() == pytest.approx([-2 / 24, 0, 0, 0, 0, 0])  # f takes two in E, but not after E
    assert not again.any()
    assert not ends.any()


def test_another_turn_goes_on_with_his_own_best():
    position = make_rules("kalah").position([0, 0, 0, 3, 1, 1, 0, 0, 2, 0, 0, 2], [20, 19])
    gain, again, ends, answer = numbers(position)
    assert gain.tolist() == pytest.approx([0, 0, 0, 1 / 24, 0, 1 / 24])
    assert again.tolist() == [0, 0, 0, 1, 0, 1]
    assert not ends.any()
    assert answer[3] == pytest.approx(2 / 24)  # then F


@pytest.mark.parametrize("id", rulesets())
def test_equals_the_same_by_positions(id):
    rules = make_rules(id)
    states = states_at_play(rules, 12)
    observed = observations(rules, states, states[:, 0].astype(np.int64)).reshape(len(states), -1)
    seen = with_lookahead(rules, states, observed, threads=2)[:, observed.shape[1] :]
    for state, found in zip(states, seen.reshape(len(states), -1, rules.num_actions), strict=True):
        np.testing.assert_allclose(found, naive(state, rules), atol=1e-6)


def test_all_is_0_where_the_game_is_over():
    position = make_rules("kalah").position([0] * 6 + [1] * 6, [20, 22])
    assert position.is_over
    assert not numbers(position).any()
