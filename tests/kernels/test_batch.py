"""Batches of games against `Position`, ply by ply, for every ruleset of the package."""

import collections

import numpy as np
import pytest
from drawing import Draws

from mancala_envs import Position, make_rules, rulesets
from mancala_envs.kernels.batch import END_REASONS, Batch
from mancala_envs.rules import ruleset
from mancala_envs.rules.oware import OWARE

OF_THE_PACKAGE = [id for id in rulesets() if ruleset(id).family.build.__module__.startswith("mancala_envs.")]
WITH_A_LIMIT = {"kalah": {"max_plies": 20}, "taktix": {"max_plies": 8}}  # that some games meet

# Two seeds go round the board and come back every 12 plies, if the last house that can be sown always is.
SHUFFLE = {"holes": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], "stores": (22, 24)}


MATCHES = ("congkak_match", "oware_nam_nam")  # too long to come to their end


def rules_of(id):
    return make_rules(id, **WITH_A_LIMIT.get(id, {}))


def opened(rules, draws, random_plies):
    """The position after a batch's random plies; if these would end the game, after one less."""
    while True:
        position = rules.position()
        for _ in range(random_plies):
            position = position.play(draws.action(position))
            if position.is_over:
                break
        if not position.is_over:
            return position
        random_plies = position.ply - 1


def positions_of(rules, states):
    return [Position(rules, state.copy()) for state in states]


def mask_of(position):
    mask = np.zeros(position.rules.num_actions, bool)
    mask[position.legal_actions()] = True
    return mask


def choose(position, generator):
    """A legal action, or now and then one that is not."""
    legal = position.legal_actions()
    if generator.random() < 0.01:
        others = [-1, position.rules.num_actions, *np.flatnonzero(~mask_of(position)).tolist()]
        return int(generator.choice(others))
    return int(generator.choice(legal))


@pytest.mark.parametrize("restart", ["same", "next"])
@pytest.mark.parametrize("id", OF_THE_PACKAGE)
def test_batch_equals_positions_ply_by_ply(id, restart):
    rules = rules_of(id)
    games, random_plies, seed = 8, 2, 7
    batch = Batch(rules, games, restart, random_plies=random_plies)
    draws = [Draws(seed, game, games) for game in range(games)]
    generator = np.random.default_rng(1)

    observations = batch.reset(seed)
    positions = [opened(rules, draws[game], random_plies) for game in range(games)]
    shuffling = {0, 1} if ruleset(id).family is OWARE else set()
    for game in shuffling:
        positions[game] = rules.position(**SHUFFLE)
        observations[game] = batch.set_state(game, positions[game].state)
    waits = [False] * games  # a finished game that begins anew with the next step
    met = collections.Counter()

    for _ in range(150):
        for game, position in enumerate(positions):
            assert np.array_equal(batch.states[game], position.state)
            assert np.array_equal(observations[game], position.observe(position.to_move))
            assert np.array_equal(batch.masks[game], mask_of(position) & (not waits[game]))
        assert batch.over.tolist() == waits

        actions = [0 if waits[game] else choose(position, generator) for game, position in enumerate(positions)]
        for game in shuffling:
            actions[game] = positions[game].legal_actions()[-1]
        step = batch.step(np.array(actions))
        observations = step.observations

        for game, (position, action) in enumerate(zip(positions, actions, strict=True)):
            reward, returns, reason = 0, (0, 0), ""
            if waits[game]:
                waits[game] = False
                positions[game] = opened(rules, draws[game], random_plies)
            else:
                if action in position.legal_actions():
                    after = position.play(action)
                    returns, reason = after.returns, after.end_reason or ""
                else:
                    after, reason = position, "illegal_action"
                    returns = (-1, 1) if position.to_move == 0 else (1, -1)
                reward = returns[position.to_move]
                positions[game] = after
                if reason:
                    met[reason] += 1
                    shuffling.discard(game)
                    assert np.array_equal(batch.final_states[game], after.state)
                    waits[game] = restart == "next"
                    if restart == "same":
                        positions[game] = opened(rules, draws[game], random_plies)
            assert END_REASONS[step.end_codes[game]] == reason
            assert (step.rewards[game], *step.returns[game]) == (reward, *returns)
            assert step.truncated[game] == (reason == "max_plies")

    assert met["illegal_action"]
    assert met["cycle"] >= 2 or ruleset(id).family is not OWARE
    assert met["max_plies"] or id not in WITH_A_LIMIT
    assert set(met) - {"illegal_action", "max_plies"} or id in MATCHES


def outputs(batch, steps=60):
    """All that a batch shows and returns over some steps with its first legal actions, or its last."""
    seen = [batch.reset(3)]
    for number in range(steps):
        actions = batch.masks.argmax(1) if number % 3 else batch.masks.shape[1] - 1 - batch.masks[:, ::-1].argmax(1)
        step = batch.step(actions)
        seen += [step.observations, step.rewards, step.returns, step.end_codes, step.truncated]
        seen += [batch.states.copy(), batch.masks.copy(), batch.final_states.copy(), batch.over.copy()]
    return seen


def test_threads_share_a_step_without_changing_it():
    rules = rules_of("kalah")
    one = outputs(Batch(rules, 101, random_plies=3))
    two = outputs(Batch(rules, 101, random_plies=3, threads=2))
    assert all(np.array_equal(*pair) for pair in zip(one, two, strict=True))
    assert sum(codes.astype(bool).sum() for codes in one[4::9]) > 100  # games ended on the way


def test_the_seed_decides_the_games():
    batch = Batch(rules_of("kalah"), 50, random_plies=4)
    batch.reset(1)
    first = batch.states.copy()
    batch.reset(2)
    assert (batch.states != first).any()
    batch.reset(1)
    assert (batch.states == first).all()


def test_without_a_seed_the_generators_go_on():
    batch = Batch(rules_of("kalah"), 50, random_plies=4)
    batch.reset(1)
    first = batch.states.copy()
    batch.reset()
    assert (batch.states != first).any()


def test_each_game_has_a_generator_of_its_own():
    batch = Batch(rules_of("kalah"), 50, random_plies=4)
    batch.reset(1)
    assert len(np.unique(batch.states, axis=0)) > 10


def test_random_plies_open_every_game():
    batch = Batch(rules_of("kalah"), 50, random_plies=4)
    batch.reset(1)
    assert {position.ply for position in positions_of(batch.rules, batch.states)} == {4}


def test_random_plies_that_would_end_the_game_are_fewer():
    rules = make_rules("taktix", size=2, max_plies=1)
    batch = Batch(rules, 5, random_plies=3)
    batch.reset(1)
    assert positions_of(batch.rules, batch.states) == [rules.position()] * 5
    assert {position.ply for position in positions_of(batch.rules, batch.states)} == {0}


def test_some_games_alone_can_be_stepped():
    batch = Batch(rules_of("kalah"), 4)
    batch.reset(1)
    step = batch.step(np.array([5, 0]), rows=np.array([3, 1]))
    opening = batch.rules.position()
    assert positions_of(batch.rules, batch.states) == [opening, opening.play(0), opening, opening.play(5)]
    assert np.array_equal(step.observations[0], opening.play(5).observe(1))
    assert np.array_equal(step.observations[1], opening.play(0).observe(1))


def test_a_position_put_in_begins_a_history_of_its_own():
    """The positions before it, of its own game and of the one it replaces, do not count."""
    rules = make_rules("oware_abapa")
    start = rules.position(**SHUFFLE)
    played = start
    for _ in range(10):
        played = played.play(played.legal_actions()[0])
    batch = Batch(rules, 1)
    batch.reset(1)
    for position in (start, start, played):  # the same board twice before, up to the place where `played` stands
        batch.set_state(0, position.state)
        for _ in range(10 if position is start else 0):
            batch.step(batch.masks.argmax(1))
    plies = 0
    while not batch.step(batch.masks.argmax(1)).end_codes[0]:
        plies += 1
    assert plies + 1 == 24  # the third occurrence, the first being the position put in


@pytest.mark.parametrize(("max_plies", "reason"), [(23, "max_plies"), (24, "cycle")])
def test_a_position_that_comes_back_at_the_ply_limit_ends_the_game_by_the_rules(max_plies, reason):
    rules = make_rules("oware_abapa", max_plies=max_plies)
    batch = Batch(rules, 1)
    batch.reset(1)
    batch.set_state(0, rules.position(**SHUFFLE).state)
    steps = [batch.step(batch.masks.argmax(1)) for _ in range(max_plies)]
    assert [END_REASONS[step.end_codes[0]] for step in steps] == [""] * (max_plies - 1) + [reason]
    assert steps[-1].truncated[0] == (reason == "max_plies")


def test_a_position_put_in_a_finished_place_is_live():
    rules = rules_of("kalah")
    batch = Batch(rules, 2, "next")
    batch.reset(1)
    batch.step(np.array([0, 6]))
    assert batch.over.tolist() == [False, True]
    observation = batch.set_state(1, rules.position().play(2).state)
    assert batch.over.tolist() == [False, False]
    assert np.array_equal(observation, rules.position().play(2).observe(0))
    batch.step(np.array([0, 0]))
    assert positions_of(batch.rules, batch.states)[1] == rules.position().play(2).play(0)


def test_the_margin_as_reward_is_a_share_of_all_seeds():
    rules = rules_of("kalah")
    batch = Batch(rules, 1, reward="margin")
    last_ply = rules.position(holes=[0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0], stores=(30, 14))
    batch.reset(1)
    batch.set_state(0, last_ply.state)
    step = batch.step(np.array([5]))  # 31 : 17
    assert step.rewards.tolist() == [np.float32(14 / 48)]
    assert step.returns.tolist() == [[np.float32(14 / 48), np.float32(-14 / 48)]]


def test_a_truncated_game_has_no_margin():
    batch = Batch(rules_of("kalah"), 30, reward="margin", random_plies=1)
    batch.reset(1)
    differences = set()
    for _ in range(60):
        step = batch.step(batch.masks.argmax(1))
        cut = step.truncated
        assert not step.rewards[cut].any()
        assert not step.returns[cut].any()
        differences |= {position.margin for position in positions_of(batch.rules, batch.final_states[cut])}
    assert differences == {-11, -10}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games=0, threads=1: both are integers from 1"),
        ({"games": 1, "threads": 0}, "games=1, threads=0: both are integers from 1"),
        ({"games": 1, "random_plies": -1}, "random_plies=-1 is not accepted: an integer from 0"),
        ({"games": 1, "restart": "never"}, "restart='never' is not accepted: 'same' or 'next'"),
        ({"games": 1, "reward": "seeds"}, "reward='seeds' is not accepted: 'result' or 'margin'"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Batch(rules_of("kalah"), **arguments)
