import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.agents import Random
from mancala_envs.arena import play_game


class Last:
    """Plays the highest legal action."""

    name = "last"

    def __init__(self, rules):
        self.rules = rules

    def reset(self, seed=None):
        pass

    def act(self, position):
        return np.int64(position.legal_actions()[-1])


class Illegal(Last):
    """Plays an action that does not exist."""

    name = "illegal"

    def act(self, position):
        return -1


@pytest.mark.parametrize("id", ["oware", "kalah", "taktix"])
def test_the_moves_replay_the_game(id):
    record = play_game(["random", "greedy"], id, seed=4)
    position = record.rules.position()
    for action in record.moves:
        assert not position.is_over
        position = position.play(action)
    assert (record.rules.id, record.agents) == (id, ("random", "greedy"))
    assert (position.returns, position.end_reason) == (record.returns, record.end_reason)


def test_the_history_counts_for_repetition():
    rules = make_rules("oware", houses=3, seeds=1)
    record = play_game([Last(rules), Last(rules)], rules)
    assert record.moves == (2, 2, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 0)
    assert (record.returns, record.end_reason) == ((0, 0), "cycle")


def test_same_seed_same_game():
    games = [play_game(["random", "random"], "oware", seed=seed).moves for seed in (7, 7, 8)]
    assert games[0] == games[1] != games[2]


def test_a_made_agent_is_seeded_too():
    agent = Random(make_rules("oware"))
    assert play_game([agent, "greedy"], "oware", seed=2) == play_game([agent, "greedy"], "oware", seed=2)


def test_an_illegal_action_loses_the_game():
    rules = make_rules("kalah")
    record = play_game(["greedy", Illegal(rules)], rules)
    assert (record.returns, record.end_reason) == ((1, -1), "illegal_action")
    assert play_game([Illegal(rules), "greedy"], rules).moves == ()


def test_a_game_takes_two_agents():
    with pytest.raises(ValueError, match="two agents"):
        play_game(["random"], "oware")
