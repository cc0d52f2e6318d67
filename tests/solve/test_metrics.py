"""Regret and optimal moves, on positions whose values stand here."""

import numpy as np
import pytest

from mancala_envs import make_agent, make_rules
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.solve import PositionSet, optimal_move_rate, oracle, position_set, regret, regrets
from mancala_envs.solve.positions import ILLEGAL

RULES = make_rules("kalah", houses=3, seeds=2)
NONE = ILLEGAL
HOLES = [[1, 1, 1, 2, 2, 2], [0, 1, 1, 1, 1, 1], [2, 0, 1, 1, 0, 1], [2, 2, 2, 2, 2, 2]]
VALUES = [[4, 2, -1], [NONE, 0, 3], [5, NONE, 5], [-2, -6, -2]]  # not the true ones


@pytest.fixture
def known():
    states = np.array([RULES.position(holes=holes).state for holes in HOLES])
    return PositionSet("by hand", RULES, states, np.array(VALUES, np.int16))


class Plays:
    """Plays what it is told to."""

    name = "told"

    def __init__(self, rules, choose):
        self.rules = rules
        self.choose = choose
        self.seeds = []

    def reset(self, seed=None):
        self.seeds.append(seed)

    def act_batch(self, states):
        return self.choose(states)


def test_what_each_move_gives_away(known):
    agent = Plays(RULES, lambda _: np.array([1, 2, 2, 1]))
    assert regrets(agent, known).tolist() == [2, 0, 0, 4]
    assert regret(agent, known) == 1.5
    assert optimal_move_rate(agent, known) == 0.5


def test_perfect_play_gives_nothing_away(known):
    agent = Plays(RULES, lambda _: np.argmax(known.values, axis=1))
    assert (regret(agent, known), optimal_move_rate(agent, known)) == (0, 1)


def test_the_worst_play_gives_everything_away(known):
    agent = Plays(RULES, lambda _: np.where(known.legal, known.values, 99).argmin(axis=1))
    assert (regret(agent, known), optimal_move_rate(agent, known)) == ((5 + 3 + 0 + 4) / 4, 0.25)


def test_positions_of_ones_own_are_valued_by_the_oracle():
    position = RULES.position()
    values = oracle(RULES).values(position)
    for action in position.legal_actions():
        agent = Plays(RULES, lambda states, action=action: np.full(len(states), action))
        assert regret(agent, [position]) == max(values.values()) - values[action]


def test_the_agents_random_numbers_follow_from_the_seed(known):
    agent = Plays(RULES, lambda _: np.array([1, 2, 2, 1]))
    regret(agent, known, seed=7)
    assert agent.seeds == [7]
    players = [make_agent("random", "oware") for _ in range(2)]
    one, other = (regrets(player, position_set("oware"), seed=3) for player in players)
    assert (one == other).all()
    assert (one != regrets(players[0], position_set("oware"), seed=4)).any()


def test_an_agent_may_change_the_states_it_is_given(known):
    def spoil(states):
        played = legal_masks(RULES, states).argmax(axis=1)
        states[:] = 0
        return played

    before = known.states.copy()
    regret(Plays(RULES, spoil), known)
    assert (known.states == before).all()


def test_an_illegal_answer_is_refused(known):
    for answer in (0, 3, -1):
        with pytest.raises(ValueError, match=rf"action {answer} is not legal in position 1, 0,1,1,1,1,1 0:0 S; legal are 1, 2"):
            regret(Plays(RULES, lambda _, answer=answer: np.array([0, answer, 0, 0])), known)
    with pytest.raises(ValueError, match=r"int64\[4\], one a position"):
        regret(Plays(RULES, lambda _: np.array([0, 1])), known)


def test_an_agent_of_another_game_is_refused(known):
    with pytest.raises(ValueError, match="'random' plays <Rules of kalah: houses=6"):
        regret(make_agent("random", "kalah"), known)


def test_the_text_of_an_agent_is_no_agent(known):
    with pytest.raises(TypeError, match=r"'greedy' is no agent: make one with mancala_envs.make_agent\('greedy', rules\)"):
        regret("greedy", known)
