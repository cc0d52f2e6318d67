import numpy as np
import pytest

from mancala_envs import Position, make_rules
from mancala_envs.agents import Random, make_agent
from mancala_envs.arena import play_match, round_robin, score_interval
from mancala_envs.arena.match import openings
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.rules.contract import LIVE, PLY, STATUS, TO_MOVE


class First:
    """Plays the lowest legal action and keeps all states it was asked about."""

    def __init__(self, rules, name="first"):
        self.rules = rules
        self.name = name
        self.asked = []

    def reset(self, seed=None):
        self.asked = []

    def act_batch(self, states):
        self.asked.append(states.copy())
        return legal_masks(self.rules, states).argmax(axis=1)


class Illegal(First):
    """Plays an action that does not exist."""

    def act_batch(self, states):
        return np.full(len(states), 10**9)


def test_interval_of_four_pairs_by_hand():
    # z^2 = 3.8415; n + z^2 = 7.8415; mean = (2.75 + 1.9207) / 7.8415 = 0.59565;
    # variance = (2.3125 + 1.9207) / 7.8415 - 0.59565^2 = 0.18506; reach = 1.96 * sqrt(0.18506 / 7.8415) = 0.30110
    assert score_interval(np.array([1, 0.5, 1, 0.25])) == pytest.approx((0.29455, 0.89674), abs=1e-5)


def test_interval_of_zeros_and_ones_is_that_of_agresti_and_coull():
    # 8 of 10: n + z^2 = 13.8415, mean = 9.9207 / 13.8415 = 0.71674, reach = 1.96 * sqrt(0.71674 * 0.28326 / 13.8415) = 0.23737
    assert score_interval(np.array([1.0] * 8 + [0.0] * 2)) == pytest.approx((0.47937, 0.95411), abs=1e-5)


@pytest.mark.parametrize(
    ("score", "interval"), [(1.0, (0.97731, 1.0)), (0.5, (0.49058, 0.50942)), (0.0, (0.0, 0.02269))], ids=["won", "split", "lost"]
)
def test_interval_keeps_a_width_where_all_pairs_score_alike(score, interval):
    assert score_interval(np.full(200, score)) == pytest.approx(interval, abs=1e-5)


def test_interval_holds_the_mean_in_95_of_100_samples():
    generator = np.random.default_rng(0)
    chances = {0.0: 0.1, 0.25: 0.05, 0.5: 0.3, 0.75: 0.2, 1.0: 0.35}
    mean = sum(score * chance for score, chance in chances.items())
    samples = generator.choice(list(chances), (1000, 100), p=list(chances.values()))
    held = sum(low <= mean <= high for low, high in map(score_interval, samples))
    assert 935 <= held <= 970


def test_pairs_share_their_opening_with_seats_swapped():
    rules = make_rules("oware")
    one, other = First(rules, "one"), First(rules, "other")
    play_match([one, other], rules, games=20, random_plies=3)
    # After three plies North is to move: `other` in the even games, `one` in the odd ones.
    assert (one.asked[0][:, TO_MOVE] == 1).all()
    assert one.asked[0].tolist() == other.asked[0].tolist()
    assert len(one.asked[0]) == 10
    assert len(np.unique(one.asked[0], axis=0)) > 5


def test_each_agent_moves_all_its_games_at_once():
    rules = make_rules("oware")
    one, other = First(rules, "one"), First(rules, "other")
    match = play_match([one, other], rules, games=20, random_plies=0)
    assert [len(states) for states in one.asked[:3]] == [10, 10, 10]
    assert len(one.asked) == match.mean_plies  # without random plies all games are one and the same


def test_agents_that_play_alike_split_every_pair():
    rules = make_rules("kalah")
    match = play_match([First(rules, "one"), First(rules, "other")], rules, games=40)
    assert match.score == 0.5
    assert match.wins == match.losses


def test_results_are_counted_for_the_first_agent():
    match = play_match(["greedy", "random"], "oware", games=100, seed=1)
    assert match.agents == ("greedy", "random")
    assert match.wins + match.draws + match.losses == match.games == 100
    assert match.score == (match.wins + match.draws / 2) / 100 > 0.85
    assert match.low < match.score < match.high
    assert sum(match.end_reasons.values()) == 100


def test_first_player_score_is_that_of_south_whoever_it_is():
    rules = make_rules("taktix", size=3, contiguous=True)  # who begins wins, and a search of nine plies sees to the end
    match = play_match(["alphabeta:depth=9", make_agent("alphabeta:depth=9", rules)], rules, games=10, random_plies=0)
    assert match.first_player_score == 1.0
    assert match.score == 0.5


def test_same_seed_same_match():
    assert play_match(["random", "greedy"], "kalah", 40, seed=5) == play_match(["random", "greedy"], "kalah", 40, seed=5)
    assert play_match(["random", "greedy"], "kalah", 40, seed=5) != play_match(["random", "greedy"], "kalah", 40, seed=6)


def test_a_game_that_meets_its_ply_limit_counts_as_a_draw():
    match = play_match(["random", "greedy"], make_rules("taktix", max_plies=3), games=10)
    assert (match.draws, match.score, match.mean_plies, match.end_reasons) == (10, 0.5, 3.0, {"max_plies": 10})


def test_an_illegal_action_loses_the_game():
    rules = make_rules("oware")
    match = play_match([Illegal(rules, "illegal"), "random"], rules, games=10)
    assert (match.losses, match.score, match.end_reasons) == (10, 0.0, {"illegal_action": 10})


def test_openings_that_would_end_the_game_are_cut():
    rules = make_rules("taktix", size=2)
    states = openings(rules, 50, 4, np.random.SeedSequence(0))
    assert (states[:, STATUS] == LIVE).all()
    assert states[:, PLY].max() == 3
    assert all(Position(rules, state.copy()).legal_actions() for state in states)


@pytest.mark.parametrize(
    ("games", "random_plies", "message"),
    [(0, 2, "games=0 is not"), (-2, 2, "games=-2 is not"), (7, 2, "games=7 is not .* even"), (2, -1, "random_plies=-1 is not")],
)
def test_numbers_that_are_not_accepted(games, random_plies, message):
    with pytest.raises(ValueError, match=message):
        play_match(["random", "greedy"], "oware", games, random_plies=random_plies)


@pytest.mark.parametrize("agents", [["random"], ["random", "greedy", "greedy"], "random"])
def test_a_match_takes_two_agents(agents):
    with pytest.raises(ValueError, match="two agents"):
        play_match(agents, "oware")


def test_one_agent_cannot_play_both_sides_of_a_match():
    agent = Random(make_rules("oware"))
    with pytest.raises(ValueError, match="'random' cannot play against itself"):
        play_match([agent, agent], "oware")


def test_an_agent_of_another_game_is_refused():
    with pytest.raises(ValueError, match="agent 'random' plays kalah, not oware"):
        play_match([Random(make_rules("kalah")), "greedy"], "oware")


def test_round_robin_plays_every_pair_from_the_same_openings():
    matches = round_robin(["random", "greedy", "alphabeta:depth=2"], "kalah", games=20, seed=3)
    assert [match.agents for match in matches] == [
        ("random", "greedy"),
        ("random", "alphabeta:depth=2"),
        ("greedy", "alphabeta:depth=2"),
    ]
    assert matches[2] == play_match(["greedy", "alphabeta:depth=2"], "kalah", games=20, seed=3)


@pytest.mark.parametrize(("agents", "message"), [(["random"], "two or more"), (["random", "random"], "each agent once")])
def test_round_robin_takes_two_or_more_different_agents(agents, message):
    with pytest.raises(ValueError, match=message):
        round_robin(agents, "oware")
