"""Conformance tests that every ruleset and environment of this package passes; run them on rulesets of your own, too.

    from mancala_envs.testing import check_env, check_ruleset
    check_ruleset("mini")
    check_env(mancala_envs.make("mini"))

Each raises AssertionError with what is wrong, the position and the action.
"""

import copy
import pickle
from typing import Any

import numpy as np

from .envs.aec import PLAYER_IDS, MancalaAEC
from .kernels.batch import Batch
from .position import IllegalMoveError, Position
from .rules import make_rules
from .rules.contract import LIVE, REASON, REASONS, STATUS, STORE_NORTH, STORE_SOUTH, TO_MOVE, TRUNCATED, Rules
from .rules.jit import plain

OTHERS = ("settle", "adjudicate", "init")  # functions of the contract that take a state and nothing else
SEEDS = ("holes", "hands", "pending")  # the parts of a state that hold seeds, beside the stores


def check_ruleset(rules: str | Rules, games: int = 50, seed: int = 0) -> None:
    """Check that a ruleset keeps the contract, in random games.

    The functions leave alone what they may not touch, live states have a legal action, seeds are conserved, games end by the ply
    limit at the latest, notation and text read back, compiled code plays as plain Python does and a batch as single games.

    Args:
        rules: the ruleset or its id.
        games: how many random games.
        seed: their seed.

    Raises:
        AssertionError: the contract is broken; the message says where.
    """
    rules = make_rules(rules)
    generator = np.random.default_rng(seed)
    plain_rules = _PlainRules(rules)
    opening = rules.position()
    assert not opening.is_over, f"{rules.id}: the opening is over ({opening.end_reason})"
    for game in range(games):
        position = opening
        while not position.is_over:
            _check_position(position, opening)
            action = int(generator.choice(position.legal_actions()))
            if game < 2:
                plain_rules.check(position, action)
            position = _checked_play(position, action, opening)
        assert position.legal_actions() == [], f"{rules.id}: a finished game has legal actions: {position}"
        assert sum(position.returns) == 0, f"{rules.id}: returns {position.returns} do not add up to 0: {position}"
    _check_batch(rules, generator)


def check_env(env: MancalaAEC, games: int = 10, seed: int = 0) -> None:
    """Check that an AEC environment shows its game rightly, in random games.

    Masks are the legal moves, 0 off turn, the same in observation and infos; rewards are zero-sum and come once; copies taken in
    mid-game go on alike; the same seed gives the same game; illegal actions do what the environment says.

    Args:
        env: the environment, made by `mancala_envs.make`.
        games: how many random games.
        seed: their seed.

    Raises:
        AssertionError: something is wrong; the message says what.
    """
    assert isinstance(env, MancalaAEC), f"{env!r} is no environment made by mancala_envs.make"
    generator = np.random.default_rng(seed)
    for game in range(games):
        env.reset(seed=seed + game)
        while env.agents and not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
            _check_view(env)
            action = int(generator.choice(env.position.legal_actions()))
            if generator.random() < 0.1:
                _check_copies(env, action)
                _check_illegal(env)
            env.step(action)
        _check_ending(env)
    assert _transcript(env, seed) == _transcript(env, seed), "the same seed gives different games"


def _check_position(position: Position, opening: Position) -> None:
    rules, state = position.rules, position.state
    where = f"{rules.id} at {position}"
    assert state[STATUS] == LIVE, f"{where}: STATUS {state[STATUS]} of a game that goes on"
    assert state[REASON] == 0, f"{where}: REASON {state[REASON]} of a game that goes on"
    assert state[TO_MOVE] in (0, 1), f"{where}: TO_MOVE is {state[TO_MOVE]}"
    work, mask = state.copy(), np.ones(rules.num_actions, np.bool_)
    count = rules.legal(work, mask)
    assert (work == state).all(), f"{where}: legal() changed the state"
    assert count == mask.sum() > 0, f"{where}: legal() returned {count} and marked {mask.sum()} actions"
    rules.settle(work)
    assert (work == state).all(), f"{where}: settle() changed a settled state"
    for player in (0, 1):
        seen = position.observe(player)
        assert seen.shape == rules.observation_shape, f"{where}: an observation of shape {seen.shape}"
        assert (seen >= 0).all(), f"{where}: player {player} observes {seen.min()}"
        assert (seen <= 1).all(), f"{where}: player {player} observes {seen.max()}"
    names = [position.notation(action) for action in position.legal_actions()]
    assert len(set(names)) == len(names), f"{where}: two legal actions are both written alike: {names}"
    assert [position.parse(name) for name in names] == position.legal_actions(), f"{where}: notation does not read back"
    assert rules.parse(str(position)) == position, f"{where}: the text of the position does not read back"
    assert _seeds(position) == _seeds(opening), f"{where}: {_seeds(position)} seeds, {_seeds(opening)} in the opening"


def _checked_play(position: Position, action: int, opening: Position) -> Position:
    rules = position.rules
    after = position.play(action)
    where = f"{rules.id} at {position}, action {action}"
    assert after == position.play(action), f"{where}: playing it twice gives two positions"
    assert after.ply == position.ply + 1, f"{where}: PLY went from {position.ply} to {after.ply}"
    assert after.ply <= rules.max_plies, f"{where}: ply {after.ply} is beyond max_plies={rules.max_plies}"
    assert after.is_over == bool(after.end_reason), f"{where}: STATUS {after.state[STATUS]} but end_reason {after.end_reason}"
    assert (after.end_reason == "max_plies") == (after.state[STATUS] == TRUNCATED), f"{where}: truncated or not?"
    assert _seeds(after) == _seeds(opening), f"{where}: {_seeds(after)} seeds, {_seeds(opening)} in the opening"
    return after


def _seeds(position: Position) -> int:
    """All seeds, wherever they are; 0 in a game that counts none."""
    if not position.rules.board.seeds:
        return 0
    state = position.state
    places = [part for name, part in position.rules.fields.items() if name in SEEDS]
    return int(state[[STORE_SOUTH, STORE_NORTH]].sum() + sum(state[part].sum() for part in places))


class _PlainRules:
    """The same rules without compilation, played beside the compiled ones."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.legal, self.apply, self.observe = plain(rules.legal), plain(rules.apply), plain(rules.observe)
        self.others = [(getattr(rules, name), plain(getattr(rules, name))) for name in OTHERS]

    def check(self, position: Position, action: int) -> None:
        rules = self.rules
        where = f"{rules.id} at {position}, action {action}"
        compiled_mask, plain_mask = np.zeros((2, rules.num_actions), np.bool_)
        counts = rules.legal(position.state.copy(), compiled_mask), self.legal(position.state.copy(), plain_mask)
        assert counts[0] == counts[1], f"{where}: legal() returns {counts[0]} compiled and {counts[1]} in plain Python"
        assert (compiled_mask == plain_mask).all(), f"{where}: masks differ between compiled and plain Python"
        states = position.state.copy(), position.state.copy()
        rules.apply(states[0], action)
        self.apply(states[1], action)
        assert (states[0] == states[1]).all(), f"{where}: compiled plays {states[0]}, plain Python {states[1]}"
        for player in (0, 1):
            seen = np.zeros((2, *rules.observation_shape), np.float32)
            rules.observe(states[0], player, seen[0])
            self.observe(states[0], player, seen[1])
            assert np.allclose(seen[0], seen[1]), f"{where}: observations differ between compiled and plain Python"
        for number, (one, other) in enumerate(self.others):
            one(states[0])
            other(states[1])
            assert (states[0] == states[1]).all(), f"{where}: {OTHERS[number]} writes {states[0]}, in plain Python {states[1]}"


def _check_batch(rules: Rules, generator: np.random.Generator) -> None:
    """A batch of games, reset in the step that ends them, against single games."""
    batch = Batch(rules, 4)
    batch.reset(int(generator.integers(2**31)))
    positions = [rules.position()] * 4
    for _ in range(3 * min(rules.max_plies, 200)):
        actions = np.array([generator.choice(position.legal_actions()) for position in positions])
        step = batch.step(actions)
        for row, position in enumerate(positions):
            where = f"{rules.id} at {position}, action {actions[row]}, game {row} of a batch"
            after = position.play(int(actions[row]))
            if after.is_over:
                assert (batch.final_states[row] == after.state).all(), (
                    f"{where}: ends at {batch.final_states[row]}, not {after.state}"
                )
                assert REASONS[step.end_codes[row]] == after.end_reason, f"{where}: ends by {step.end_codes[row]}"
                assert tuple(step.returns[row]) == after.returns, f"{where}: returns {step.returns[row]}, not {after.returns}"
                after = rules.position()
            else:
                assert step.end_codes[row] == 0, f"{where}: ends by {step.end_codes[row]}"
            assert (batch.states[row] == after.state).all(), f"{where}: is at {batch.states[row]}, not {after.state}"
            assert np.flatnonzero(batch.masks[row]).tolist() == after.legal_actions(), f"{where}: mask {batch.masks[row]}"
            assert (step.observations[row] == after.observe(after.to_move)).all(), f"{where}: observation"
            positions[row] = after


def _check_view(env: MancalaAEC) -> None:
    position, where = env.position, f"{env} at {env.position}"
    assert (env.state() == position.state).all(), f"{where}: state() is of another game"
    assert env.agent_selection == PLAYER_IDS[position.to_move], f"{where}: {env.agent_selection} is selected"
    for player, agent in enumerate(PLAYER_IDS):
        seen = env.observe(agent)
        legal = position.legal_actions() if player == position.to_move else []
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal, f"{where}: mask of {agent} is {seen['action_mask']}"
        assert seen["action_mask"].dtype == np.int8, f"{where}: mask of dtype {seen['action_mask'].dtype}"
        assert (seen["action_mask"] == env.infos[agent]["action_mask"]).all(), f"{where}: masks of {agent} disagree"
        assert (seen["observation"] == position.observe(player)).all(), f"{where}: {agent} observes {seen['observation']}"
        assert env.observation_space(agent).contains(seen), f"{where}: {agent}'s observation is outside its space"
        assert env.rewards[agent] == 0, f"{where}: reward {env.rewards[agent]} before the end"


def _check_copies(env: MancalaAEC, action: int) -> None:
    restored = copy.deepcopy(env)
    snapshot = env.get_state()
    restored.step(action)
    restored.set_state(snapshot)
    for other in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env)), restored):
        before = env.position
        other.step(action)
        assert env.position == before, f"{env} at {before}: playing a copy changed the original"
        after = before.play(action)
        assert (other.state() == after.state).all(), f"{env} at {before}, action {action}: a copy goes on differently"


def _check_illegal(env: MancalaAEC) -> None:
    where = f"{env} at {env.position}"
    mover = env.agent_selection
    legal = env.position.legal_actions()
    illegal = [action for action in (*range(env.rules.num_actions), -1, env.rules.num_actions) if action not in legal]
    for action in illegal[:3]:
        other = env.clone()
        if env.illegal == "raise":
            try:
                other.step(action)
            except IllegalMoveError:
                assert (other.state() == env.state()).all(), f"{where}: an illegal action changed the game"
                continue
            raise AssertionError(f"{where}: illegal action {action} raised nothing")
        other.step(action)
        assert all(other.terminations.values()), f"{where}: illegal action {action} did not end the game"
        assert other.rewards[mover] == -1 == -sum(value for agent, value in other.rewards.items() if agent != mover), where
        assert {info["end_reason"] for info in other.infos.values()} == {"illegal_action"}, where


def _check_ending(env: MancalaAEC) -> None:
    position, where = env.position, f"{env} at {env.position}"
    assert position.is_over, f"{where}: over, but the game goes on"
    assert sum(env.rewards.values()) == 0, f"{where}: rewards {env.rewards}"
    if env.reward == "result":
        assert tuple(env.rewards.values()) == position.returns, f"{where}: rewards {env.rewards}, returns {position.returns}"
    truncated = position.state[STATUS] == TRUNCATED
    rewards = dict(env.rewards)
    for agent in env.agent_iter():
        seen, reward, terminated, truncation, info = env.last()
        assert reward == rewards[agent], f"{where}: {agent} is told {reward}"
        assert (terminated, truncation) == (not truncated, truncated), f"{where}: terminated {terminated}, truncated {truncation}"
        assert not seen["action_mask"].any(), f"{where}: a mask after the end"
        assert info["end_reason"] == position.end_reason, f"{where}: end_reason {info['end_reason']}"
        env.step(None)
    assert env.agents == [], f"{where}: {env.agents} stay on"


def _transcript(env: MancalaAEC, seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    transcript: list[Any] = [str(env.position)]
    for _ in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        transcript.append((reward, terminated, truncated))
        env.step(None if terminated or truncated else generator.choice(np.flatnonzero(info["action_mask"])))
    return transcript
