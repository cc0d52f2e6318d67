import copy
import pickle
from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList

import mancala_envs
from mancala_envs.agents import choose_all
from mancala_envs.envs.single import MancalaEnv
from mancala_envs.envs.vector import MancalaVectorEnv, make_vec
from mancala_envs.kernels.batch import Batch
from mancala_envs.rules.contract import TO_MOVE

SAME, NEXT = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP
SMALL = {"houses": 3, "seeds": 1, "max_plies": 20}  # Oware whose games end in every way, also by repetition and at the ply limit
LAST_MOVE = {"holes": [0, 0, 1, 1, 0, 0], "stores": [2, 2]}  # of the small Oware: South to move, C takes two seeds and wins


def small(num_envs, **keywords):
    return make_vec("oware", num_envs, **SMALL, **keywords)


def random_steps(env, count, seed=1):
    """Step an environment with random legal actions, those of a fixed seed; yields what came before, the actions and the step."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        masks = env.action_masks()
        masks[~masks.any(axis=1)] = True  # a finished game takes any action
        actions = choose_all(masks, generator)
        yield actions, env.step(actions)


def assert_shows(observations, infos, row, position, player):
    """Row `row` shows a live position to `player`, who is on move there."""
    legal = position.legal_actions()
    assert np.array_equal(observations["observation"][row], position.observe(player))
    assert np.flatnonzero(observations["action_mask"][row]).tolist() == legal
    assert infos["to_move"][row] == player == position.to_move


@pytest.mark.parametrize(("id", "options"), [("oware", SMALL), ("kalah", {}), ("taktix", {})])
def test_same_step_equals_positions_played_one_by_one(id, options):
    env = make_vec(id, 8, autoreset_mode=SAME, **options)
    observations, infos = env.reset(seed=3)
    positions = [env.rules.position()] * 8
    ended = 0
    for actions, (observations, rewards, terminated, truncated, infos) in random_steps(env, 150):
        for row, action in enumerate(actions.tolist()):
            mover = positions[row].to_move
            position = positions[row].play(action)
            assert truncated[row] == (position.end_reason == "max_plies")
            assert terminated[row] == (position.is_over and not truncated[row])
            assert rewards[row] == position.returns[mover]
            assert infos["returns"][row].tolist() == list(position.returns)
            if position.is_over:
                ended += 1
                final = infos["final_obs"][row]
                assert np.array_equal(final["observation"], position.observe(position.to_move))
                assert not final["action_mask"].any()
                assert infos["final_info"]["end_reason"][row] == position.end_reason
                assert infos["final_info"]["to_move"][row] == position.to_move
                assert infos["final_info"]["returns"][row].tolist() == list(position.returns)
                position = env.rules.position()
            positions[row] = position
            assert_shows(observations, infos, row, position, position.to_move)
    assert ended >= 8


@pytest.mark.parametrize(("id", "options"), [("oware", SMALL), ("kalah", {}), ("taktix", {})])
def test_next_step_equals_positions_played_one_by_one(id, options):
    env = make_vec(id, 8, autoreset_mode=NEXT, **options)
    env.reset(seed=3)
    positions = [env.rules.position()] * 8
    resets = 0
    for actions, (observations, rewards, terminated, truncated, infos) in random_steps(env, 150):
        assert "final_obs" not in infos
        for row, action in enumerate(actions.tolist()):
            if positions[row].is_over:
                resets += 1
                assert (rewards[row], terminated[row], truncated[row]) == (0, False, False)
                assert infos["returns"][row].tolist() == [0, 0]
                positions[row] = env.rules.position()
                assert_shows(observations, infos, row, positions[row], 0)
                continue
            mover = positions[row].to_move
            position = positions[row] = positions[row].play(action)
            assert truncated[row] == (position.end_reason == "max_plies")
            assert terminated[row] == (position.is_over and not truncated[row])
            assert rewards[row] == position.returns[mover]
            if position.is_over:
                assert np.array_equal(observations["observation"][row], position.observe(position.to_move))
                assert not observations["action_mask"][row].any()
                assert infos["end_reason"][row] == position.end_reason
                assert infos["_end_reason"][row]
            else:
                assert_shows(observations, infos, row, position, position.to_move)
    assert resets >= 8


def test_infos_have_the_shape_that_gymnasium_gives_them():
    ours = small(3)
    options = {"position": ours.rules.position(**LAST_MOVE)}
    ours.reset(seed=0, options=options)
    infos = ours.step(np.array([2, 0, 2]))[4]  # the second is illegal
    theirs = SyncVectorEnv([lambda: MancalaEnv("oware", seat=0, **SMALL)] * 3, autoreset_mode=SAME)
    theirs.reset(seed=0, options=options)
    expected = theirs.step(np.array([2, 0, 2]))[4]
    for key in ("final_obs", "_final_obs", "_final_info", "action_mask", "_action_mask"):
        assert infos[key].dtype == expected[key].dtype
        assert infos[key].shape == expected[key].shape
    assert infos["_final_obs"].tolist() == expected["_final_obs"].tolist() == [True, True, True]
    assert infos["final_info"]["end_reason"].tolist() == ["majority", "illegal_action", "majority"]
    for key in ("end_reason", "_end_reason"):
        assert infos["final_info"][key].tolist() == expected["final_info"][key].tolist()
        assert infos["final_info"][key].dtype == expected["final_info"][key].dtype


def test_infos_of_a_step_without_an_ending_hold_nothing_final():
    env = small(2)
    env.reset(seed=0)
    infos = env.step(np.array([0, 1]))[4]
    assert set(infos) == {"to_move", "action_mask", "returns", "_to_move", "_action_mask", "_returns"}


def test_gymnasiums_own_wrapper_splits_the_infos():
    env = DictInfoToList(small(2))
    env.reset(seed=0, options={"position": env.unwrapped.rules.position(**LAST_MOVE)})
    infos = env.step(np.array([2, 2]))[4]
    assert infos[1]["final_info"]["end_reason"] == "majority"
    assert infos[1]["returns"].tolist() == [1, -1]


def test_ply_limit_truncates():
    env = small(1)
    env.reset(seed=0)
    truncations = [step for _, step in random_steps(env, 800) if step[3][0]]
    assert len(truncations) > 1
    for _, rewards, terminated, _, infos in truncations:
        assert (rewards[0], terminated[0]) == (0, False)
        assert infos["final_info"]["end_reason"][0] == "max_plies"


def test_margin_is_a_share_of_all_seeds():
    env = small(1, reward="margin")
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    _, rewards, _, _, infos = env.step(np.array([2]))
    assert rewards.tolist() == [pytest.approx(2 / 6)]
    assert infos["returns"][0].tolist() == pytest.approx([2 / 6, -2 / 6])


def test_illegal_action_loses_for_the_player_who_chose_it():
    env = small(3)
    env.reset(seed=0)
    env.step(np.array([0, 0, 0]))
    _, rewards, terminated, truncated, infos = env.step(np.array([1, -1, 3]))  # North's; the second and third are out of range
    assert rewards.tolist() == [0, -1, -1]
    assert terminated.tolist() == [False, True, True]
    assert truncated.tolist() == [False, False, False]
    assert infos["returns"].tolist() == [[0, 0], [1, -1], [1, -1]]
    assert infos["final_info"]["end_reason"].tolist() == [None, "illegal_action", "illegal_action"]


@pytest.mark.parametrize("action", [0, -1, 3])
def test_illegal_action_raises_and_changes_nothing(action):
    env = small(2, illegal="raise")
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    before = env.states
    with pytest.raises(mancala_envs.IllegalMoveError, match=f"action {action} of environment 1 is not legal; legal are 2$"):
        env.step(np.array([2, action]))
    assert np.array_equal(env.states, before)
    assert env.step(np.array([2, 2]))[2].all()


def test_action_of_the_reset_step_is_ignored_even_where_illegal_actions_raise():
    env = small(2, autoreset_mode=NEXT, illegal="raise")
    env.reset(seed=0, options={"position": env.rules.position(**LAST_MOVE)})
    env.step(np.array([2, 2]))
    observations = env.step(np.array([-7, 99]))[0]
    assert observations["action_mask"].tolist() == [[1] * 3, [1] * 3]


@pytest.mark.parametrize("actions", [[0], [[0, 0]], [0.0, 1.0], [True, False]])
def test_actions_must_be_as_many_integers_as_games(actions):
    env = small(2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="2 integers"):
        env.step(np.array(actions))


def test_step_needs_a_reset():
    with pytest.raises(gymnasium.error.ResetNeeded):
        small(2).step(np.array([0, 0]))


def test_observation_belongs_to_the_space_and_its_mask_is_that_of_the_infos():
    env = make_vec("kalah", 4)
    observations, infos = env.reset(seed=0)
    assert observations in env.observation_space
    for _, (observations, _, _, _, infos) in random_steps(env, 60):
        assert observations in env.observation_space
        assert observations["action_mask"].dtype == np.int8
        assert np.array_equal(observations["action_mask"], infos["action_mask"])
        assert np.array_equal(observations["action_mask"], env.action_masks())
        assert np.array_equal(env.states[:, TO_MOVE], infos["to_move"])


def test_step_returns_fresh_arrays():
    env = small(4)
    first = env.reset(seed=0)
    kept = copy.deepcopy(first)
    steps = [step for _, step in random_steps(env, 3)]
    assert data_equivalence(first, kept, exact=True)
    for earlier, later in pairwise(steps):
        for index in (1, 2, 3):
            assert not np.shares_memory(earlier[index], later[index])
        for part in (0, 4):
            assert not any(np.shares_memory(earlier[part][key], later[part][key]) for key in later[part])


def games_of(env, seed):
    env.reset(seed=seed)
    return [env.states.tobytes() for _ in random_steps(env, 80)]


def test_same_seed_gives_the_same_games():
    assert games_of(make_vec("kalah", 4, random_plies=4), 5) == games_of(make_vec("kalah", 4, random_plies=4), 5)


def test_other_seed_gives_other_games():
    env = make_vec("kalah", 4, random_plies=4)
    env.reset(seed=5)
    opened = env.states
    env.reset(seed=6)
    assert not np.array_equal(env.states, opened)


def test_games_of_one_seed_differ_from_each_other():
    env = make_vec("kalah", 16, random_plies=6)
    env.reset(seed=5)
    assert len({state.tobytes() for state in env.states}) > 8


def test_reset_without_a_seed_goes_on_with_the_generators():
    env, other = (make_vec("kalah", 8, random_plies=6) for _ in range(2))
    env.reset(seed=5)
    first = env.states
    env.reset()
    assert not np.array_equal(env.states, first)
    other.reset(seed=5)
    other.reset()
    assert np.array_equal(env.states, other.states)


def test_first_reset_without_a_seed_takes_a_fresh_one():
    env, other = (make_vec("kalah", 8, random_plies=6) for _ in range(2))
    env.reset()
    other.reset()
    assert not np.array_equal(env.states, other.states)


def test_seed_is_that_of_the_batch():
    env, batch = make_vec("kalah", 8, random_plies=6), Batch(mancala_envs.make_rules("kalah"), 8, random_plies=6)
    env.reset(seed=11)
    batch.reset(11)
    assert np.array_equal(env.states, batch.states)


def test_reset_begins_at_a_position():
    env = make_vec("kalah", 2)
    position = env.rules.position(holes=[0, 3, 2, 0, 0, 1, 4, 0, 0, 2, 0, 1], stores=[20, 15], to_move=1)
    observations, infos = env.reset(options={"position": position})
    for row in range(2):
        assert_shows(observations, infos, row, position, 1)


def test_reset_to_a_position_forgets_the_game_before():
    env, generator = small(1), np.random.default_rng(1)
    position, moves = env.rules.position(), []
    while position.end_reason != "cycle":  # play until a third occurrence ends a game
        if position.is_over:
            position, moves = env.rules.position(), []
        before = position
        moves.append(int(generator.choice(position.legal_actions())))
        position = position.play(moves[-1])
    env.reset(seed=0)
    for move in moves[:-1]:
        env.step(np.array([move]))
    env.reset(options={"position": before})
    _, _, terminated, _, _ = env.step(np.array(moves[-1:]))
    assert not terminated.any()


def test_reset_mask_begins_only_the_marked_games_anew():
    env = small(3, autoreset_mode=NEXT)
    env.reset(seed=0)
    env.step(np.array([0, 1, 2]))
    before = env.states
    observations, infos = env.reset(options={"reset_mask": np.array([True, False, True])})
    assert infos["to_move"].tolist() == [0, 1, 0]
    assert np.array_equal(env.states[1], before[1])
    for row in (0, 2):
        assert_shows(observations, infos, row, env.rules.position(), 0)
    assert_shows(observations, infos, 1, env.rules.position().play(1), 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 1}, "no option 'start'; it has position, reset_mask"),
        ({"reset_mask": np.array([True])}, "2 booleans"),
        ({"reset_mask": np.array([False, False])}, "at least one True"),
        ({"position": mancala_envs.make_rules("kalah").position()}, "is of kalah, not of these rules"),
        ({"position": mancala_envs.make_rules("oware", **SMALL).position(**LAST_MOVE).play(2)}, "its game is over"),
    ],
)
def test_reset_refuses_options_that_cannot_be(options, message):
    env = small(2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"autoreset_mode": "Disabled"}, "autoreset_mode='Disabled' is not accepted: .*'SameStep' or 'NextStep'"),
        ({"illegal": "skip"}, "'lose' or 'raise'"),
        ({"reward": "score"}, "'result' or 'margin'"),
        ({"render_mode": "human"}, "None or 'ansi'"),
        ({"num_envs": 0}, "num_envs=0 is not accepted: an integer from 1"),
        ({"random_plies": -1}, "random_plies=-1"),
        ({"sides": 6}, "no option 'sides'"),
    ],
)
def test_make_vec_refuses_keywords_that_cannot_be(keywords, message):
    with pytest.raises(ValueError, match=message):
        make_vec("oware", **keywords)


@pytest.mark.parametrize(("given", "mode"), [("SameStep", SAME), ("NextStep", NEXT), (NEXT, NEXT)])
def test_metadata_declares_the_autoreset_mode(given, mode):
    assert make_vec("oware", 2, autoreset_mode=given).metadata["autoreset_mode"] is mode


def test_make_vec_takes_rules_and_options():
    assert make_vec("kalah", 2, houses=3, seeds=2).rules.options["houses"] == 3
    assert make_vec(mancala_envs.make_rules("kalah", houses=3), 2, max_cycles=9).rules.max_plies == 9


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_in_mid_game_plays_the_same_games(copied):
    env = small(4)
    env.reset(seed=0)
    for _ in random_steps(env, 20):
        pass
    other = copied(env)
    states = [[e.states.tobytes() for _ in random_steps(e, 80, seed=2)] for e in (env, other)]
    assert states[0] == states[1]


def test_two_threads_play_the_same_games():
    assert games_of(make_vec("kalah", 64, random_plies=4, threads=2), 5) == games_of(make_vec("kalah", 64, random_plies=4), 5)


def test_render_gives_a_text_for_each_game():
    env = small(2, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == (env.rules.position().text(),) * 2


def test_is_a_gymnasium_vector_environment():
    env = make_vec("oware", 3)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert isinstance(env, MancalaVectorEnv)
    assert env.single_action_space == gymnasium.spaces.Discrete(6)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([6, 6, 6])
    assert env.single_observation_space["observation"].shape == env.rules.observation_shape


def test_opponents_are_elsewhere():
    with pytest.raises(ValueError, match="both sides are played through the vector environment"):
        make_vec("kalah", num_envs=2, opponent="random")


def test_games_without_stores_pay_the_result_as_their_margin():
    envs = [mancala_envs.make_vec("bao_kujifunza", num_envs=16, reward=reward) for reward in ("result", "margin")]
    for env in envs:
        env.reset(seed=0)
    paid = 0
    for _ in range(60):
        actions = envs[0].action_masks().argmax(axis=1)
        result, margin = (env.step(actions)[1] for env in envs)
        assert (result == margin).all()
        paid += np.abs(result).sum()
    assert paid > 0
