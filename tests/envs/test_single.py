import copy
import pickle

import gymnasium
import numpy as np
import pytest
import stable_baselines3.common.env_checker
from gymnasium.utils.env_checker import check_env, data_equivalence
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import DummyVecEnv

import mancala_envs
from mancala_envs.agents import Random
from mancala_envs.envs.single import MancalaEnv

SMALL = {"houses": 3, "seeds": 1, "max_plies": 20}  # Oware whose games end in every way, also by repetition and at the ply limit
LAST_MOVE = {"holes": [0, 0, 1, 1, 0, 0], "stores": [2, 2]}  # of the small Oware: South to move, C takes two seeds and wins
LOSS = {"holes": [0, 0, 1, 1, 1, 0], "stores": [2, 1], "to_move": 1}  # North plays b, South's C takes two seeds and wins


class Script:
    """Plays a fixed list of actions, and keeps the positions it was asked in."""

    name = "script"

    def __init__(self, rules, actions):
        self.rules, self.actions, self.asked = rules, list(actions), []

    def reset(self, seed=None):
        pass

    def act(self, position):
        self.asked.append(position)
        return self.actions.pop(0)


def small(**keywords):
    return MancalaEnv("oware", **SMALL, **keywords)


def play(env, seed, steps=60):
    """What random legal actions of a fixed seed bring, in however many games."""
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        step = env.step(int(generator.choice(np.flatnonzero(env.action_masks()))))
        yield step
        if step[2] or step[3]:
            yield env.reset()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("id", ["Oware", "Kalah", "Taktix"])
def test_passes_gymnasiums_check(id, capsys):
    options = SMALL if id == "Oware" else {}
    check_env(gymnasium.make(f"mancala_envs/{id}-v0", render_mode="ansi", **options).unwrapped)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("render_mode", ["ansi", "human"])
def test_passes_the_check_of_stable_baselines(render_mode, capsys):
    stable_baselines3.common.env_checker.check_env(small(render_mode=render_mode), skip_render_check=False)


def test_step_plays_the_learners_ply_and_the_opponents():
    rules = mancala_envs.make_rules("oware", **SMALL)
    env = MancalaEnv(rules, opponent=Script(rules, [2]), seat=0)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(1)
    position = rules.position().play(1).play(2)
    assert env.position == position
    assert np.array_equal(observation, position.observe(0))
    assert np.flatnonzero(info["action_mask"]).tolist() == position.legal_actions()
    assert (reward, terminated, truncated) == (0.0, False, False)


def test_learner_as_north_sees_the_board_from_his_side():
    env = small(seat=1)
    observation, info = env.reset(seed=0)
    assert env.position.to_move == info["seat"] == 1
    assert env.position.ply == 1
    assert np.array_equal(observation, env.position.observe(1))


def test_extra_turn_of_the_learner_leaves_the_opponent_waiting():
    rules = mancala_envs.make_rules("kalah")
    opponent = Script(rules, [])
    env = MancalaEnv(rules, opponent=opponent, seat=0)
    env.reset(seed=0)
    env.step(2)  # the fourth seed falls into the store
    assert env.position.ply == 1
    assert opponent.asked == []


def test_extra_turns_of_the_opponent_are_played_in_one_step():
    rules = mancala_envs.make_rules("kalah")
    opponent = Script(rules, [2, 5, 0])  # C ends in the store, so does F; A ends the turn
    env = MancalaEnv(rules, opponent=opponent, seat=0)
    position = rules.position(holes=[4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0])
    env.reset(seed=0, options={"position": position})
    env.step(0)
    assert [asked.to_move for asked in opponent.asked] == [1, 1, 1]
    assert env.position == position.play(0).play(2).play(5).play(0)
    assert env.position.to_move == 0


def test_win_is_rewarded_once():
    env = small(seat=0)
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    observation, reward, terminated, truncated, info = env.step(2)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["end_reason"] == "majority"
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    assert np.array_equal(observation, env.position.observe(0))


def test_learner_gets_the_loss_that_the_opponents_ply_brings():
    env = small(seat=1)
    env.reset(seed=0, options={"position": env.rules.position(**LOSS)})
    observation, reward, terminated, _, info = env.step(1)
    assert (reward, terminated, info["end_reason"]) == (-1.0, True, "majority")
    assert np.array_equal(observation, env.position.observe(1))


@pytest.mark.parametrize(
    ("seat", "position", "action", "reward"),
    [(0, LAST_MOVE, 2, (4 - 2) / 6), (1, LOSS, 1, (1 - 4) / 6)],
)
def test_margin_is_the_learners_share(seat, position, action, reward):
    env = small(seat=seat, reward="margin")
    env.reset(seed=0, options={"position": env.rules.position(**position)})
    assert env.step(action)[1] == pytest.approx(reward)


def test_ply_limit_truncates_with_nothing_for_anyone():
    env = small(reward="margin")
    env.reset(seed=0)
    truncations = [result for result in play(env, 1, 400) if len(result) == 5 and result[3]]
    assert len(truncations) > 1
    for _, reward, terminated, _, info in truncations:
        assert (reward, terminated, info["end_reason"]) == (0.0, False, "max_plies")


@pytest.mark.parametrize("action", [0, -1, 3, np.int64(7)])
def test_illegal_action_loses(action):
    env = small(seat=0)
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["end_reason"] == "illegal_action"
    assert not env.action_masks().any()


@pytest.mark.parametrize("action", [0, -1, 3])
def test_illegal_action_raises_and_changes_nothing(action):
    env = small(seat=0, illegal="raise")
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    with pytest.raises(mancala_envs.IllegalMoveError, match=f"action {action} is not legal here; legal are 2"):
        env.step(action)
    assert env.action_masks().tolist() == [False, False, True]
    assert env.step(2)[1] == 1.0


@pytest.mark.parametrize("action", [1.0, None, "1", np.array([1])])
def test_action_must_be_an_integer(action):
    env = small(seat=0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="is not accepted: an integer"):
        env.step(action)


def test_step_needs_a_game():
    env = small(seat=0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    env.step(2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(2)


def test_same_seed_gives_the_same_games():
    games = []
    for _ in range(2):
        env = small(random_plies=2)
        games.append([env.reset(seed=4), *play(env, 1)])
    assert data_equivalence(*games, exact=True)


def test_other_seed_gives_another_opponent():
    openings = set()
    for seed in range(20):
        env = MancalaEnv("kalah", seat=1)
        env.reset(seed=seed)
        openings.add(str(env.position))
    assert len(openings) > 5


def test_seats_are_drawn_evenly():
    env = small()
    env.reset(seed=0)
    seats = [env.reset()[1]["seat"] for _ in range(400)]
    assert 160 < sum(seats) < 240  # four standard deviations


@pytest.mark.parametrize("seat", [0, 1])
def test_fixed_seat_stays(seat):
    env = small(seat=seat)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {seat}


def test_reset_takes_the_seat_of_one_game():
    env = small(seat=0)
    assert env.reset(seed=0, options={"seat": 1})[1]["seat"] == 1
    assert env.reset()[1]["seat"] == 0


def test_reset_to_a_position_keeps_its_history():
    rules, generator = mancala_envs.make_rules("oware", **SMALL), np.random.default_rng(1)
    position = rules.position()
    while position.end_reason != "cycle":
        before = rules.position() if position.is_over else position
        action = int(generator.choice(before.legal_actions()))
        position = before.play(action)
    env = MancalaEnv(rules, seat=before.to_move)
    env.reset(seed=0, options={"position": before})
    _, _, terminated, _, info = env.step(action)
    assert (terminated, info["end_reason"]) == (True, "cycle")


def test_random_plies_open_the_game():
    env = MancalaEnv("kalah", seat=0, random_plies=5)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.position.ply >= 5
        assert env.position.to_move == 0


def test_random_plies_that_end_the_game_are_fewer():
    env = small(random_plies=30)  # no game is longer than 20 plies
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()


def test_a_game_without_a_move_for_the_learner_is_refused():
    env = small(seat=1)
    with pytest.raises(ValueError, match="player 1 has no move before the game is over"):
        env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})


def test_random_seat_avoids_the_side_without_a_move():
    env = small()
    options = {"position": env.rules.position(**LAST_MOVE)}
    assert {env.reset(seed=seed, options=options)[1]["seat"] for seed in range(10)} == {0}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_in_mid_game_goes_on_alike(copied):
    env = small(random_plies=1)
    env.reset(seed=3)
    for _ in play(env, 1, 10):
        pass
    other = copied(env)
    assert other.position == env.position
    assert np.array_equal(other.position.line, env.position.line)
    assert data_equivalence(list(play(env, 2, 100)), list(play(other, 2, 100)), exact=True)


def test_copy_is_independent():
    env = small(seat=0)
    env.reset(seed=3)
    other, before = copy.deepcopy(env), env.position
    other.step(other.position.legal_actions()[0])
    assert env.position is before
    assert other.opponent is not env.opponent


def test_masks_reach_maskable_ppo():
    venv = DummyVecEnv([lambda: gymnasium.make("mancala_envs/Oware-v0", seat=0, **SMALL)] * 2)
    venv.reset()
    assert get_action_masks(venv).tolist() == [[True] * 3] * 2


def test_mask_of_the_infos_is_that_of_action_masks():
    env = small()
    _, info = env.reset(seed=0)
    for result in play(env, 1):
        info = result[-1]
        assert info["action_mask"].dtype == np.int8
        if "end_reason" not in info:
            assert np.array_equal(info["action_mask"], env.action_masks())
            assert info["action_mask"].any()


def test_ansi_returns_the_board():
    env = small(render_mode="ansi", seat=0)
    env.reset(seed=0)
    assert env.render() == env.position.text()


def test_human_prints_the_board_after_reset_and_step(capsys):
    env = small(render_mode="human", seat=0)
    env.reset(seed=0)
    assert capsys.readouterr().out == env.position.text() + "\n\n"
    env.step(0)
    assert capsys.readouterr().out == env.position.text() + "\n\n"


def test_opponent_can_be_an_agent():
    rules = mancala_envs.make_rules("oware", **SMALL)
    agent = Random(rules)
    assert MancalaEnv(rules, opponent=agent).opponent is agent


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"opponent": "strong"}, "no agent 'strong'"),
        ({"seat": 2}, "seat=2 is not accepted: None or 0 or 1"),
        ({"illegal": "skip"}, "'lose' or 'raise'"),
        ({"reward": "score"}, "'result' or 'margin'"),
        ({"render_mode": "rgb"}, "None or 'ansi' or 'human'"),
        ({"random_plies": -1}, "random_plies=-1 is not accepted: an integer from 0"),
        ({"sides": 6}, "no option 'sides'"),
    ],
)
def test_keywords_that_cannot_be_are_refused(keywords, message):
    with pytest.raises(ValueError, match=message):
        MancalaEnv("oware", **keywords)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 1}, "no option 'start'; it has position, seat"),
        ({"seat": 2}, "seat=2 is not accepted"),
        ({"position": mancala_envs.make_rules("kalah").position()}, "is of kalah, not of these rules"),
        ({"position": mancala_envs.make_rules("oware", **SMALL).position(**LAST_MOVE).play(2)}, "its game is over"),
    ],
)
def test_reset_refuses_options_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        small().reset(options=options)
