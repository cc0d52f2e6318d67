"""`mancala-envs bench`: how fast the rulesets play, through each way of playing them."""

import importlib.util
import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from tyro.conf import Positional

from ..agents import AlphaBeta, choose_all
from ..agents.mcts import MCTS
from ..envs.aec import MancalaAEC
from ..envs.vector import MancalaVectorEnv
from ..kernels.batch import Batch
from ..kernels.playouts import playouts
from ..rules import Rules, make_rules
from ..rules import rulesets as all_ids
from .common import check_out, load_rules_file, machine, table, versions, write_json

GAMES = 4096  # side by side in a batch and in the vector environments
SB3 = "SB3 VecEnv"
SIMULATIONS = 10_000  # of a search from the opening
NODES = 1_000_000  # of a search from the opening


def bench(
    rulesets: Positional[tuple[str, ...]] = (),
    threads: int = 1,
    repetitions: int = 5,
    seconds: float = 0.3,
    out: Path | None = None,
    rules_file: Path | None = None,
) -> None:
    """Measure random playouts, batches of 4096 games, the environments, Position.play, alpha-beta and Monte-Carlo tree search.

    A step is a ply; in the SB3 VecEnv it is one of the learner's, with the random opponent's answer, in the tree search a
    simulation with its rollout, 10,000 of them from the opening. All games are played at
    random from the opening to the end, repetition rule and ply limit included. Compilation is not measured. Steps/s a core are
    reckoned by the CPU time of the process, steps/s by the clock.

    Args:
        rulesets: which ones, by id; all if none is named.
        threads: how many threads share the playouts and the steps of batches and vector environments.
        repetitions: how often each is measured; the median is told.
        seconds: CPU time of a repetition.
        out: a JSON file for the results.
        rules_file: a Python file that registers rulesets of your own.
    """
    if threads < 1 or repetitions < 1 or seconds <= 0:
        raise ValueError(f"threads={threads}, repetitions={repetitions}, seconds={seconds}: at least 1, at least 1 and more than 0")
    check_out(out)
    load_rules_file(rules_file)
    found = [make_rules(id) for id in rulesets or all_ids()]
    print(machine())
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"median of {repetitions} repetitions of {seconds} s; {threads} thread{'s' if threads > 1 else ''}")
    measurements = []
    for rules in found:
        measured = [measure(rules, name, make(rules, threads), repetitions, seconds) for name, make in benchmarks().items()]
        measurements += measured
        print(f"\n{rules.title} ({rules.id})\n{_table(measured)}", flush=True)
    if SB3 not in benchmarks():
        print(f"\nThe {SB3} is left out, stable-baselines3 is not installed: pip install 'mancala-envs[train]'")
    if out is not None:
        parameters = {"rulesets": rulesets, "threads": threads, "repetitions": repetitions, "seconds": seconds}
        content = {
            "command": "bench",
            "parameters": {**parameters, "rules_file": str(rules_file) if rules_file else None},
            "measurements": [asdict(measured) for measured in measurements],
            "versions": versions(),
            "machine": machine(),
        }
        write_json(out, content)
        print(f"\nwritten to {out}")


@dataclass(frozen=True)
class Measurement:
    """How fast a ruleset was played.

    Args:
        ruleset: its id.
        benchmark: in which way.
        steps: how many in the repetitions together.
        nanoseconds: CPU time of a step, median of the repetitions.
        fastest, slowest: CPU time of a step in the fastest and in the slowest repetition, nanoseconds.
        steps_per_second_and_core: by the median CPU time.
        steps_per_second: by the clock, all threads together, median of the repetitions.
    """

    ruleset: str
    benchmark: str
    steps: int
    nanoseconds: float
    fastest: float
    slowest: float
    steps_per_second_and_core: float
    steps_per_second: float


class Stopwatch:
    """Adds up the CPU time of the process and the time of the clock, in seconds, of all blocks it is the context of."""

    def __init__(self) -> None:
        self.cpu = self.wall = 0.0

    def __enter__(self) -> None:
        self._begin = time.process_time(), time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.cpu += time.process_time() - self._begin[0]
        self.wall += time.perf_counter() - self._begin[1]


Play = Callable[[Stopwatch], int]  # plays some steps, watched, and returns how many


def measure(rules: Rules, name: str, play: Play, repetitions: int, seconds: float) -> Measurement:
    """Call `play` for so many CPU seconds, once to compile and warm up and then so many times measured."""
    runs = [_repetition(play, seconds) for _ in range(1 + repetitions)][1:]
    nanoseconds = [1e9 * watch.cpu / steps for steps, watch in runs]
    median = statistics.median(nanoseconds)
    return Measurement(
        ruleset=rules.id,
        benchmark=name,
        steps=sum(steps for steps, _ in runs),
        nanoseconds=median,
        fastest=min(nanoseconds),
        slowest=max(nanoseconds),
        steps_per_second_and_core=1e9 / median,
        steps_per_second=statistics.median(steps / watch.wall for steps, watch in runs),
    )


def _repetition(play: Play, seconds: float) -> tuple[int, Stopwatch]:
    watch = Stopwatch()
    steps = 0
    while watch.cpu < seconds:
        steps += play(watch)
    return steps, watch


def benchmarks() -> dict[str, Callable[[Rules, int], Play]]:
    """What can be measured here: name -> a function that makes a `Play` of rules and a number of threads."""
    found: dict[str, Callable[[Rules, int], Play]] = {
        "random playouts": _playouts,
        f"batch of {GAMES}": _batch,
        "gymnasium vector": _vector,
        "AEC": _aec,
        "Position.play": _position,
        "alpha-beta nodes": _alphabeta,
        "MCTS simulations": _mcts,
    }
    return {**found, SB3: _sb3} if importlib.util.find_spec("stable_baselines3") else found


def _playouts(rules: Rules, threads: int) -> Play:
    def play(watch: Stopwatch) -> int:
        with watch:
            return playouts(rules, games=GAMES * threads, threads=threads).plies

    return play


def _batch(rules: Rules, threads: int) -> Play:
    """Steps with observation, mask, reward and restart; the actions are chosen while the watch stands still."""
    batch = Batch(rules, GAMES, threads=threads)
    batch.reset(seed=0)
    generator = np.random.default_rng(0)

    def play(watch: Stopwatch) -> int:
        actions = choose_all(batch.masks, generator)
        with watch:
            batch.step(actions)
        return GAMES

    return play


def _aec(rules: Rules, _: int) -> Play:
    """Whole games as PettingZoo plays them; an action is the first legal one from a random one on."""
    env = MancalaAEC(rules)
    num_actions = rules.num_actions
    starts = itertools.cycle(np.random.default_rng(0).integers(num_actions, size=10_007).tolist())

    def play(watch: Stopwatch) -> int:
        steps = 0
        with watch:
            env.reset()
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                mask = observation["action_mask"].tobytes()
                env.step((mask + mask).find(1, next(starts)) % num_actions)
                steps += 1
        return steps

    return play


def _vector(rules: Rules, threads: int) -> Play:
    """Steps of the gymnasium vector environment; the actions are chosen while the watch stands still."""
    env = MancalaVectorEnv(rules, GAMES, threads=threads)
    env.reset(seed=0)
    generator = np.random.default_rng(0)

    def play(watch: Stopwatch) -> int:
        actions = choose_all(env.action_masks(), generator)
        with watch:
            env.step(actions)
        return GAMES

    return play


def _sb3(rules: Rules, threads: int) -> Play:
    """Steps of the learner with their masks; the actions are chosen while the watch stands still."""
    from ..envs.sb3 import SelfPlayVecEnv

    env = SelfPlayVecEnv(rules, GAMES, threads=threads)
    env.seed(0)
    env.reset()
    generator = np.random.default_rng(0)

    def play(watch: Stopwatch) -> int:
        with watch:
            (masks,) = env.env_method("action_masks")
        actions = choose_all(masks, generator)
        with watch:
            env.step(actions)
        return GAMES

    return play


def _position(rules: Rules, _: int) -> Play:
    fractions = itertools.cycle(np.random.default_rng(0).random(10_007).tolist())

    def play(watch: Stopwatch) -> int:
        with watch:
            position = rules.position()
            while not position.is_over:
                legal = position.legal_actions()
                position = position.play(legal[int(next(fractions) * len(legal))])
        return position.ply

    return play


def _alphabeta(rules: Rules, threads: int) -> Play:
    """One search from the opening a thread; a node is an action played."""
    agent = AlphaBeta(rules, nodes=NODES, threads=threads, seed=0)
    openings = np.repeat(rules.position().state[None], threads, axis=0)

    def play(watch: Stopwatch) -> int:
        before = agent.searched
        with watch:
            agent.act_batch(openings)
        return agent.searched - before

    return play


def _mcts(rules: Rules, threads: int) -> Play:
    """One search from the opening a thread."""
    agent = MCTS(rules, simulations=SIMULATIONS, threads=threads, seed=0)
    openings = np.repeat(rules.position().state[None], threads, axis=0)

    def play(watch: Stopwatch) -> int:
        with watch:
            agent.act_batch(openings)
        return SIMULATIONS * threads

    return play


def _table(measured: list[Measurement]) -> str:
    header = ("", "ns a step", "fastest", "slowest", "steps/s a core", "steps/s")
    rows = [
        (
            found.benchmark,
            *(f"{nanoseconds:.1f}" for nanoseconds in (found.nanoseconds, found.fastest, found.slowest)),
            *(f"{rate:,.0f}" for rate in (found.steps_per_second_and_core, found.steps_per_second)),
        )
        for found in measured
    ]
    return table(header, rows, right=(1, 2, 3, 4, 5))
