"""The AEC environment: PettingZoo's own tests, the conformance test, and what both leave out."""

import contextlib
import copy
import dataclasses
import io
import pickle
import sys

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

import mancala_envs
from mancala_envs import IllegalMoveError, make_rules
from mancala_envs.testing import check_env


def play(env, actions):
    for action in actions:
        env.step(action)


def last_move_of_a_game(**keywords):
    """Kalah with one seed on either side: South's last move ends the game 25:23."""
    env = mancala_envs.make("kalah", **keywords)
    position = env.rules.position(holes=[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1], stores=[24, 22])
    env.reset(options={"position": position})
    return env


@pytest.mark.parametrize("ruleset", mancala_envs.rulesets())
@pytest.mark.filterwarnings("ignore:Observation space for each agent:UserWarning")
def test_pettingzoo_api(ruleset):
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(mancala_envs.make(ruleset), num_cycles=100)
        seed_test(lambda: mancala_envs.make(ruleset, random_plies=2), num_cycles=100)


@pytest.mark.parametrize("ruleset", mancala_envs.rulesets())
def test_conformance(ruleset):
    check_env(mancala_envs.make(ruleset), games=5)


@pytest.mark.parametrize("ruleset", ["oware", "kalah", "taktix"])
def test_conformance_with_other_keywords(ruleset):
    check_env(mancala_envs.make(ruleset, illegal="raise", reward="margin", random_plies=3, max_cycles=60), games=5)


def test_render_modes(capsys):
    render_test(lambda render_mode: mancala_envs.make("oware", render_mode=render_mode))
    assert "South to move" in capsys.readouterr().out


def test_ansi_shows_the_board():
    env = mancala_envs.make("kalah", render_mode="ansi")
    env.reset()
    env.step(2)
    assert env.render() == (
        "   6 5 4 3 2 1\n   4 4 4 4 4 4\n0               1\n   4 4 0 5 5 5\n   1 2 3 4 5 6\nSouth to move: 1 2 4 5 6"
    )


def test_performance_benchmark_of_pettingzoo_runs(monkeypatch, capsys):
    ticks = iter([0.0, 10.0])
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"].time, "time", lambda: next(ticks, 20.0))
    performance_benchmark(mancala_envs.make("oware"))
    assert "turns per second" in capsys.readouterr().out


def test_extra_turn_selects_the_same_agent():
    env = mancala_envs.make("kalah")
    env.reset()
    env.step(2)
    assert env.agent_selection == "player_0"
    env.step(0)
    assert env.agent_selection == "player_1"


def test_rewards_of_a_decided_game():
    env = last_move_of_a_game()
    env.step(5)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.infos["player_1"]["end_reason"] == "no_moves"
    told = {}
    for agent in env.agent_iter():
        told[agent] = env.last()[1]
        env.step(None)
    assert told == {"player_0": 1.0, "player_1": -1.0}


def test_reward_as_margin():
    env = last_move_of_a_game(reward="margin")
    env.step(5)
    assert env.rewards == {"player_0": (25 - 23) / 48, "player_1": (23 - 25) / 48}


def test_truncation_gives_nobody_anything():
    env = mancala_envs.make("oware", max_cycles=3, reward="margin")
    env.reset()
    play(env, [0, 0, 1])
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.infos["player_0"]["end_reason"] == "max_plies"


@pytest.mark.parametrize("action", [0, -1, 6, 1000])
def test_illegal_action_loses(action):
    env = mancala_envs.make("oware")
    env.reset()
    play(env, [0, 0])
    env.step(action)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert env.infos["player_0"]["end_reason"] == "illegal_action"


def test_illegal_action_raises_and_changes_nothing():
    env = mancala_envs.make("oware", illegal="raise")
    env.reset()
    play(env, [0, 0])
    before = env.state()
    with pytest.raises(IllegalMoveError, match=r"action 0 of player_0 is not legal; legal are 1, 2, 3, 4, 5"):
        env.step(0)
    assert (env.state() == before).all()
    env.step(1)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("action", [None, 1.5, "2"])
def test_action_that_is_no_number(action):
    env = mancala_envs.make("oware")
    env.reset()
    with pytest.raises(ValueError, match="is not accepted: an integer, player_0 is on move"):
        env.step(action)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16])
def test_actions_of_any_integer_type(kind):
    env = mancala_envs.make("oware")
    env.reset()
    env.step(kind(3))
    assert env.position == make_rules("oware").position().play(3)


def test_repetition_counts_across_a_position_given_at_reset():
    rules = make_rules("oware")
    position = rules.position(holes=[1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], stores=[23, 23])
    env = mancala_envs.make(rules)
    for start in (position, position.play(0).play(0)):
        env.reset(options={"position": start})
        expected = start
        while not expected.is_over:
            action = expected.legal_actions()[0]
            expected = expected.play(action)
            env.step(action)
        assert env.infos["player_0"]["end_reason"] == expected.end_reason
        assert env.position == expected


def test_reset_at_a_position_of_other_rules():
    env = mancala_envs.make("oware")
    with pytest.raises(ValueError, match="is of kalah, not of these rules"):
        env.reset(options={"position": make_rules("kalah").position()})


def test_reset_at_a_finished_game():
    env = mancala_envs.make("taktix", size=2)
    position = env.rules.position(cells=[0, 0, 0, 0])
    with pytest.raises(ValueError, match="its game is over"):
        env.reset(options={"position": position})


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"illegal": "warn"}, "illegal='warn' is not accepted: 'lose' or 'raise'"),
        ({"reward": "score"}, "reward='score' is not accepted: 'result' or 'margin'"),
        ({"render_mode": "rgb"}, "render_mode='rgb' is not accepted: None or 'ansi' or 'human'"),
        ({"random_plies": -1}, "random_plies=-1 is not accepted: an integer from 0"),
        ({"seedz": 4}, "oware has no option 'seedz'"),
    ],
)
def test_unknown_keywords(keywords, message):
    with pytest.raises(ValueError, match=message):
        mancala_envs.make("oware", **keywords)


def test_random_plies_differ_by_seed_and_repeat_with_it():
    env = mancala_envs.make("oware", random_plies=6)
    openings = []
    for seed in (1, 2, 1):
        env.reset(seed=seed)
        openings.append(env.position)
    assert openings[0] == openings[2]
    assert openings[0] != openings[1]
    assert openings[0].ply == 6


def test_random_plies_that_would_end_the_game_are_cut():
    env = mancala_envs.make("taktix", size=2, random_plies=10)
    for seed in range(20):
        env.reset(seed=seed)
        assert not env.position.is_over


def test_copies_keep_the_random_numbers():
    env = mancala_envs.make("oware", random_plies=6)
    env.reset(seed=5)
    copies = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    env.reset()
    for other in copies:
        other.reset()
        assert other.position == env.position


def test_snapshot_of_other_rules_is_refused():
    env, other = mancala_envs.make("oware"), mancala_envs.make("kalah")
    env.reset()
    with pytest.raises(ValueError, match="the snapshot is of oware, not of these rules"):
        other.set_state(env.get_state())


def test_observations_that_were_handed_out_do_not_change():
    env = mancala_envs.make("oware")
    env.reset()
    seen = env.last()[0]
    kept = seen["observation"].copy(), seen["action_mask"].copy()
    for _ in range(300):
        if env.terminations[env.agent_selection]:
            env.reset()
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert (seen["observation"] == kept[0]).all()
    assert (seen["action_mask"] == kept[1]).all()


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.last(),
        lambda env: env.observe("player_0"),
        lambda env: list(env.agent_iter()),
        lambda env: env.state(),
        lambda env: env.position,
        lambda env: env.render(),
    ],
)
def test_nothing_is_there_before_a_reset(use):
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first: no game has begun"):
        use(mancala_envs.make("kalah", render_mode="ansi"))


def test_step_when_both_agents_have_left():
    env = last_move_of_a_game()
    play(env, [5, None, None])
    with pytest.raises(gymnasium.error.ResetNeeded, match="both agents have left it"):
        env.step(0)


def test_a_last_step_takes_no_action():
    env = last_move_of_a_game()
    env.step(5)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)


@pytest.mark.parametrize("cycle_rule", ["off", "draw", "own_side"])
def test_quiet_plies_of_the_opening_are_seen(cycle_rule):
    env = mancala_envs.make("oware", cycle_rule=cycle_rule, random_plies=4)
    for seed in range(5):
        env.reset(seed=seed)
        env.step(env.position.legal_actions()[0])
        assert (env.state() == env.position.state).all()
        assert (env.last()[0]["observation"] == env.position.observe(env.position.to_move)).all()


@pytest.mark.parametrize("action", [2**31, 2**63, 2**64, -(2**64)])
def test_action_far_out_of_range_is_illegal(action):
    env = mancala_envs.make("kalah")
    env.reset()
    env.step(action)
    assert env.infos["player_0"]["end_reason"] == "illegal_action"


def test_the_board_tells_of_an_illegal_action():
    env = mancala_envs.make("kalah", render_mode="ansi")
    env.reset()
    env.step(-1)
    assert env.render().endswith("\nSouth loses (illegal_action)")


def test_infos_that_a_wrapper_writes_to_do_not_leak():
    env = mancala_envs.make("kalah")
    env.reset()
    env.step(0)
    env.infos["player_0"]["note"] = 1
    env.step(0)
    env.step(1)
    assert "note" not in env.infos["player_0"] | env.infos["player_1"]


def test_rules_that_are_not_registered_can_be_copied():
    rules = dataclasses.replace(make_rules("kalah"), id="unregistered")
    env = mancala_envs.make(rules)
    env.reset()
    assert env.clone().rules is rules


@pytest.mark.parametrize("snapshot", [{}, {"_game": 1}, 5])
def test_a_snapshot_that_is_none(snapshot):
    env = mancala_envs.make("kalah")
    env.reset()
    with pytest.raises(ValueError, match="the snapshot is none that get_state took"):
        env.set_state(snapshot)


@pytest.mark.parametrize("position", [5, "4,4,4 0:0 S"])
def test_reset_at_no_position(position):
    with pytest.raises(ValueError, match="is not accepted: a Position"):
        mancala_envs.make("kalah").reset(options={"position": position})


def test_max_cycles_and_max_plies_are_one():
    with pytest.raises(ValueError, match="max_cycles and max_plies are one and the same"):
        mancala_envs.make("kalah", max_cycles=10, max_plies=20)


@pytest.mark.parametrize("action", [-5, 2**80])
def test_the_error_names_the_action_that_was_given(action):
    env = mancala_envs.make("kalah", illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match=f"action {action} of player_0 is not legal"):
        env.step(action)


def test_a_position_of_other_options_is_told_what_differs():
    with pytest.raises(ValueError, match="is of oware with seeds=3, not of these rules"):
        mancala_envs.make("oware").reset(options={"position": make_rules("oware", seeds=3).position()})


@pytest.mark.parametrize("ruleset", ["omweso", "bao_kiswahili", "oust", "tactix_hein"])
def test_games_without_stores_pay_the_result_as_their_margin(ruleset):
    env = mancala_envs.make(ruleset, reward="margin")
    env.reset(seed=0)
    while not any(env.terminations.values()):
        env.step(env.position.legal_actions()[-1])
    assert env.position.returns != (0, 0)
    assert tuple(env.rewards.values()) == env.position.returns
