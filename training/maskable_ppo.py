"""Self-play with sb3-contrib's MaskablePPO: `python -m training.maskable_ppo --ruleset oware`.

The learner plays a thousand games side by side against snapshots of himself and a few fixed agents, all of them inside the
environment (`mancala_envs.envs.sb3`), so that PPO sees an ordinary game of one player. What matters most, by size of effect:

1. The network sees the seeds in each hole one-hot (`mancala_envs.agents.policy`).
2. It sees what each action gains and what the best answer takes back (`mancala_envs.kernels.lookahead`).
3. Many small updates at a high rate of learning, which falls to nothing with the time that is left.
4. Advantages that look only a few plies ahead (lambda 0.6), and hardly any discount.
5. A fifth of the games each against the greedy and the random player: self-play alone forgets how to punish weak play.
6. The rewards are the result and, action by action, the change of the seed margin. Games open with two random plies, and the
   newest snapshot is never older than a few updates.

The run folder holds

    config.json           the configuration, the seed in it, versions and machine
    metrics.jsonl         one line an iteration; TensorBoard's logs are in tensorboard/
    policy.safetensors    the newest policy, with policy.json; play it as the agent policy:RUN
    model.zip             the same for stable-baselines3
    checkpoints/          the newest checkpoint, from which --resume RUN goes on
    evaluation.json       the table that is printed at the end
"""

import ctypes
import dataclasses
import io
import json
import os
import shlex
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text
from safetensors.torch import load_file, save
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from mancala_envs.agents import Agent, make_agent
from mancala_envs.agents.policy import Policy, PolicyNetwork, save_policy
from mancala_envs.arena import play_match
from mancala_envs.cli.common import check_flags, chosen_rules, machine, versions
from mancala_envs.envs.sb3 import SelfPlayVecEnv, TrunkPolicy, copy_weights
from mancala_envs.files import write_file
from mancala_envs.kernels.batch import checked_random_plies
from mancala_envs.rules import Rules


@dataclass(frozen=True)
class Config:
    """Train a policy by self-play with MaskablePPO and evaluate it."""

    ruleset: str = "oware"
    """The game: an id, see `mancala-envs rulesets`."""
    options: tuple[str, ...] = ()
    """Options of the rules, as name=value."""
    rules_file: Path | None = None
    """A Python file that registers rulesets of your own."""
    seed: int = 0
    """All random numbers follow from it. Runs by the clock differ all the same; those by --total-steps do not."""
    run: Path | None = None
    """The run folder, which must not exist; by default runs/RULESET-SEED-TIME."""
    resume: Path | None = None
    """Go on with this run folder and its configuration. Only --minutes, --total-steps and --evaluation-games can be given anew."""

    minutes: float = 5.0
    """How long to train in all, before and after a --resume; the rate of learning falls to nothing by then."""
    total_steps: int = 0
    """Train for so many actions of the learner in all instead; 0 for a run by the clock."""
    checkpoint_seconds: float = 60.0
    """Seconds between two checkpoints."""
    torch_threads: int = 2
    """Threads of torch; one is as fast for networks much smaller than the default."""
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    """Where the networks live; auto is CUDA where there is such a device."""

    games: int = 1024
    """Games side by side."""
    rollout: int = 16
    """Actions of the learner in each game between two updates."""
    batch_size: int = 2048
    """Actions in a minibatch."""
    epochs: int = 4
    """How often an update goes through the rollout."""
    learning_rate: float = 2e-3
    """Adam's rate at the start."""
    gamma: float = 0.999
    """Discount of rewards, per action of the learner."""
    gae_lambda: float = 0.6
    """Lambda of the advantages: 0 trusts the values, 1 the rewards."""
    clip_range: float = 0.2
    """How far an update may move the probability of an action, as a share."""
    entropy: float = 0.02
    """Weight of the entropy in the loss."""
    value_weight: float = 0.5
    """Weight of the value error in the loss."""
    max_grad_norm: float = 0.5
    """Gradients are cut to this norm."""
    margin_weight: float = 1.0
    """What a change of the seed margin by half of all seeds is worth, beside 1 for a won game."""
    random_plies: int = 2
    """Random plies that open each game of training; without them the policy meets few openings but its own."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the network's layers."""
    lookahead: bool = True
    """Whether the network sees what each action leads to, two plies ahead (`mancala_envs.kernels.lookahead`)."""

    newest: float = 0.3
    """Share of the games against the newest snapshot of the learner."""
    pool: float = 0.3
    """Share of the games against older snapshots."""
    fixed: dict[str, float] = field(default_factory=lambda: {"greedy": 0.2, "random": 0.2})
    """Shares of the games against fixed agents."""
    pool_size: int = 20
    """How many older snapshots there are; a full pool forgets one at random."""
    pool_active: int = 2
    """How many of them play at a time: every opponent costs a pass through a network of its own."""
    snapshot_iterations: int = 3
    """Updates between two snapshots."""

    evaluation_games: int = 1000
    """Games against each agent at the end, an even number; 0 for none."""
    evaluation_agents: tuple[str, ...] = ("random", "greedy", "alphabeta:depth=2", "alphabeta:depth=4")
    """Whom the policy is measured against."""


PROGRAM = "python -m training.maskable_ppo"
RESUMED_WITH = ("minutes", "total_steps", "evaluation_games")
LARGEST = sys.float_info.max  # of the numbers that are not infinite


@dataclass
class Progressed:
    """How far a run is.

    Args:
        iteration: updates done.
        steps: actions of the learner.
        seconds: time spent in training.
    """

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0

    def share(self, config: Config) -> float:
        """What part of the run is done, at most 1."""
        return min(1.0, self.steps / config.total_steps if config.total_steps else self.seconds / (60 * config.minutes))

    def seconds_left(self, config: Config) -> float:
        """An estimate where the run counts steps."""
        share = self.share(config)
        return self.seconds * (1 - share) / share if share else 60 * config.minutes


class League:
    """The opponents: the newest snapshot of the learner, a pool of older ones, fixed agents.

    Args:
        rules: the game.
        config: the run's.
        iteration: updates done, so that a resumed run does not draw as at its beginning.
    """

    def __init__(self, rules: Rules, config: Config, iteration: int = 0) -> None:
        self._rules, self._config = rules, config
        self._generator = np.random.default_rng((config.seed, iteration))
        self.newest = self._snapshot("newest")
        self.pool: list[Policy] = []
        self.fixed = {make_agent(spec, rules): share for spec, share in config.fixed.items()}

    def _snapshot(self, name: str) -> Policy:
        network = PolicyNetwork(self._rules, self._config.hidden, self._config.lookahead)
        snapshot = Policy(self._rules, network, sample=True, device=self._config.device)
        snapshot.name = name
        return snapshot

    def update(self, model: MaskablePPO) -> None:
        """Take a snapshot of the learner; what was the newest goes to the pool."""
        if len(self.pool) == self._config.pool_size:
            del self.pool[self._generator.integers(len(self.pool))]
        self.pool.append(self._snapshot("pool"))
        self.pool[-1].network.load_state_dict(self.newest.network.state_dict())
        copy_weights(model.policy, self.newest.network)

    def opponents(self) -> tuple[list[Agent], list[float]]:
        """Who plays until the next snapshot, and everyone's share of the games; that of an empty pool is the newest's."""
        config = self._config
        active = self._generator.permutation(len(self.pool))[: config.pool_active]
        pool = {self.pool[index]: config.pool / len(active) for index in active}
        shares = {self.newest: config.newest if pool else config.newest + config.pool, **pool, **self.fixed}
        return list(shares), list(shares.values())

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights of all snapshots by number, the newest first, and name."""
        return {
            f"{number}.{name}": tensor.cpu()
            for number, snapshot in enumerate([self.newest, *self.pool])
            for name, tensor in snapshot.network.state_dict().items()
        }

    def load(self, weights: dict[str, torch.Tensor]) -> None:
        """Take over what `weights` gave."""
        by_number: dict[int, dict[str, torch.Tensor]] = defaultdict(dict)
        for key, tensor in weights.items():
            number, _, name = key.partition(".")
            by_number[int(number)][name] = tensor
        self.pool = [self._snapshot("pool") for _ in range(1, len(by_number))]
        for place, snapshot in enumerate([self.newest, *self.pool]):
            snapshot.network.load_state_dict(by_number[place])


def main() -> None:
    """Run the command line; errors in it, a full disk and Ctrl-C end with a line of explanation."""
    try:
        run_whole(parsed())
    except (ValueError, OSError) as error:
        raise SystemExit(f"error: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def parsed() -> Config:
    """The configuration of the command line; with --resume, what it does not give is as the run has it."""
    check_flags(sys.argv)
    config = tyro.cli(Config, prog=PROGRAM)
    if config.resume is None:
        return config
    return tyro.cli(Config, prog=PROGRAM, default=dataclasses.replace(written_config(config.resume), resume=config.resume))


def train(config: Config) -> Path:
    """Train and evaluate as configured; returns the run folder. With `resume`, what is left at its default is as the run has it.

    Raises:
        ValueError: the configuration cannot be, or there is nothing to resume.
        OSError: a file cannot be written; says what is left of the run.
        SystemExit: Ctrl-C was pressed.
    """
    if config.resume:
        defaults = Config()
        given = {name: value for name, value in vars(config).items() if value != getattr(defaults, name)}
        config = dataclasses.replace(written_config(config.resume), **given)
    return run_whole(config)


def run_whole(config: Config) -> Path:
    """See `train`; with `resume`, the configuration is whole: nothing in it is left for the run's to fill in."""
    console = Console()
    if config.rules_file:
        config = dataclasses.replace(config, rules_file=config.rules_file.resolve())  # it may be resumed from another folder
    if config.resume:
        check_resumed(config, written_config(config.resume))
    rules = checked_rules(config)
    run = config.resume or new_run(config)

    with whole_or_removed(run, config, console):
        write_config(run, config)
        torch.set_num_threads(config.torch_threads)
        keep_freed_memory()
        progressed, checkpoint = Progressed(), newest_checkpoint(run)
        if checkpoint:
            with damage_of(checkpoint / "progressed.json"):
                progressed = Progressed(**json.loads((checkpoint / "progressed.json").read_bytes()))
        league = League(rules, config, progressed.iteration)
        env = SelfPlayVecEnv(
            rules,
            config.games,
            margin_weight=config.margin_weight,
            random_plies=config.random_plies,
            lookahead=config.lookahead,
            threads=config.torch_threads,
        )
        model = make_model(config, rules, env, progressed)
        if checkpoint:
            with damage_of(checkpoint / "model.zip"):
                model.set_parameters(checkpoint / "model.zip", device=config.device)  # weights only: nothing is unpickled
            with damage_of(checkpoint / "league.safetensors"):
                league.load(load_file(checkpoint / "league.safetensors"))
        else:
            copy_weights(model.policy, league.newest.network)
            save_checkpoint(run, config, rules, model, league, progressed)
        model.set_logger(configure(str(run / "tensorboard"), ["tensorboard"]))
        cut_metrics(run, progressed)
        begin = f"from step {progressed.steps}" if progressed.steps else "from scratch"
        console.print(Text.assemble((rules.title, "bold"), f" into {run}, {begin}"), soft_wrap=True)
        if progressed.share(config) == 1:
            say(console, "Nothing is left to train: --minutes and --total-steps count from the start.")
        with interrupt() as interrupted, progress_line(console) as line:
            learn(run, config, rules, env, model, league, progressed, interrupted, line)
        if interrupted:
            raise KeyboardInterrupt

    try:
        evaluate(run, config, rules, console)
    except KeyboardInterrupt:
        say(console, "Stopped; the policy is trained and saved.")
        raise SystemExit(130) from None
    finally:
        say_how_to_go_on(run, config, rules, console)
    return run


@contextmanager
def whole_or_removed(run: Path, config: Config, console: Console) -> Iterator[None]:
    """Say what is left of a run that cannot write or is interrupted: its last checkpoint, or, before the first, nothing."""
    try:
        yield
    except BaseException as error:
        checkpoint = newest_checkpoint(run)
        if checkpoint:
            left = f"Saved are {int(checkpoint.name)} updates, go on with: {PROGRAM} --resume {shlex.quote(str(run))}"
        else:
            left = "Nothing was begun."
            if not config.resume:
                shutil.rmtree(run, ignore_errors=True)
        if isinstance(error, OSError):
            raise OSError(f"{error}. {left}") from error
        if isinstance(error, KeyboardInterrupt):
            say(console, f"Stopped. {left}")
            raise SystemExit(130) from None
        raise


@contextmanager
def damage_of(path: Path) -> Iterator[None]:
    """Whatever goes wrong in reading a file that this script wrote is a ValueError that names it."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{str(path)!r} is damaged: {type(error).__name__}: {error}") from error


def learn(
    run: Path,
    config: Config,
    rules: Rules,
    env: SelfPlayVecEnv,
    model: MaskablePPO,
    league: League,
    progressed: Progressed,
    interrupted: list[int],
    line: Progress,
) -> None:
    """The loop of training, up to its end or an interruption; ends with a checkpoint.

    It is SB3's `learn`, with the share of time in the place of the share of steps, and the league.
    """
    env.set_opponents(*league.opponents())
    _, callback = model._setup_learn(total_timesteps=0, reset_num_timesteps=False)
    started = time.perf_counter() - progressed.seconds
    saved = progressed.seconds
    task = line.add_task("", total=1.0)
    while progressed.share(config) < 1 and not interrupted:
        before = dataclasses.replace(progressed)
        model.collect_rollouts(env, callback, model.rollout_buffer, config.rollout)
        model._update_current_progress_remaining(progressed.share(config), 1)  # it divides the two
        model.train()
        progressed.iteration += 1
        if progressed.iteration % config.snapshot_iterations == 0:
            league.update(model)
            env.set_opponents(*league.opponents())

        progressed.steps = model.num_timesteps
        progressed.seconds = time.perf_counter() - started
        speed = (progressed.steps - before.steps) / (progressed.seconds - before.seconds)
        scores = recent_scores(model)
        log(run, model, progressed, speed, scores)
        words = " ".join(f"{name} {score:.2f}" for name, score in scores.items() if name != "pool")
        left = timedelta(seconds=round(progressed.seconds_left(config)))
        text = f"{progressed.steps / 1e6:.1f} M steps, {speed / 1e3:.1f} k/s, {left} left, score {words}"
        line.update(task, completed=progressed.share(config), description=text)
        if progressed.seconds - saved >= config.checkpoint_seconds:
            save_checkpoint(run, config, rules, model, league, progressed)
            saved = progressed.seconds
            if not line.console.is_terminal:
                say(line.console, text)
    save_checkpoint(run, config, rules, model, league, progressed)


def make_model(config: Config, rules: Rules, env: SelfPlayVecEnv, progressed: Progressed) -> MaskablePPO:
    """The learner, with fresh weights."""
    model = MaskablePPO(
        TrunkPolicy,
        env,
        learning_rate=LinearSchedule(config.learning_rate, 0.0, 1.0),
        n_steps=config.rollout,
        batch_size=config.batch_size,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        ent_coef=config.entropy,
        vf_coef=config.value_weight,
        max_grad_norm=config.max_grad_norm,
        stats_window_size=2 * config.games,
        policy_kwargs={
            "rules": rules,
            "hidden": config.hidden,
            "lookahead": config.lookahead,
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        },
        seed=config.seed + progressed.iteration,  # so that a resumed run does not play its first games again
        device=config.device,
    )
    model.num_timesteps = progressed.steps
    model._n_updates = progressed.iteration * config.epochs
    return model


def keep_freed_memory() -> None:
    """Let glibc keep freed memory: else every tensor above 128 KB is made of new pages from the kernel, 15 % of an update."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
        if mallopt(M_MMAP_THRESHOLD, 32 * 2**20) == 1:  # the most that glibc takes
            mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


def checked_rules(config: Config) -> Rules:
    """The rules of a run; raises ValueError for what else in the configuration cannot be."""
    rules = chosen_rules(config.ruleset, config.options, config.rules_file)
    from_one = ("games", "rollout", "epochs", "torch_threads", "pool_size", "pool_active", "snapshot_iterations")
    from_zero = ("total_steps", "checkpoint_seconds", "newest", "pool", "evaluation_games")
    from_zero_too = ("learning_rate", "entropy", "value_weight", "max_grad_norm", "margin_weight")
    ranges = {
        **dict.fromkeys(from_one, (1, LARGEST)),
        **dict.fromkeys(from_zero + from_zero_too, (0, LARGEST)),
        **dict.fromkeys(("gamma", "gae_lambda", "clip_range"), (0, 1)),
        "seed": (0, 2**31 - 1),
        "minutes": (0.001, LARGEST),
        "batch_size": (2, LARGEST),
    }
    for name, (least, most) in ranges.items():
        if not least <= getattr(config, name) <= most:
            accepted = f"{least} or more" if most == LARGEST else f"from {least} to {most}"
            raise ValueError(f"{name}={getattr(config, name)} is not accepted: {accepted}")
    checked_random_plies(config.random_plies, rules)
    if config.games * config.rollout % config.batch_size == 1:
        raise ValueError(f"batch_size={config.batch_size} is not accepted: it leaves a minibatch of one, which has no deviation")
    if not 0 < config.newest + config.pool + sum(config.fixed.values()) <= LARGEST or min(config.fixed.values(), default=0) < 0:
        raise ValueError(f"newest={config.newest}, pool={config.pool}, fixed={config.fixed}: shares from 0, not all 0")
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda' is not accepted: torch finds no such device here")
    if config.evaluation_games % 2:
        raise ValueError(f"evaluation_games={config.evaluation_games} is not accepted: an even number, half from each seat")
    if not config.hidden or min(config.hidden) < 1:
        raise ValueError(f"hidden={config.hidden} is not accepted: one or more widths from 1")
    for spec in (*config.fixed, *config.evaluation_agents):
        make_agent(spec, rules)
    return rules


def new_run(config: Config) -> Path:
    """Make the run folder; raises ValueError if it exists."""
    run = config.run or Path("runs") / f"{config.ruleset}-{config.seed}-{time.strftime('%Y%m%d-%H%M%S')}"
    if run.exists():
        go_on = f"--resume {shlex.quote(str(run))}"
        raise ValueError(f"run folder {str(run)!r} exists: choose another with --run, or go on with it: {go_on}")
    run.mkdir(parents=True)
    return run


def write_config(run: Path, config: Config) -> None:
    """Write config.json, which `written_config` reads."""
    values = dataclasses.asdict(dataclasses.replace(config, resume=None))
    contents = {"config": values, "versions": versions(), "machine": machine()}
    write_file(run / "config.json", json.dumps(contents, indent=2, default=str).encode())


def written_config(run: Path) -> Config:
    """The configuration of a run to go on with.

    Raises:
        ValueError: there is no such run, it has no checkpoint, or its configuration is damaged.
    """
    if not (run / "config.json").is_file() or not newest_checkpoint(run):
        raise ValueError(f"nothing to resume in {str(run)!r}: a run folder has a config.json and a checkpoint")
    try:
        written = json.loads((run / "config.json").read_bytes())["config"]
        for name in ("options", "hidden", "evaluation_agents"):
            written[name] = tuple(written[name])
        for name in ("rules_file", "run", "resume"):
            written[name] = Path(written[name]) if written[name] else None
        return Config(**written)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{run / 'config.json'} is damaged or of another version: {error}") from None


def check_resumed(config: Config, written: Config) -> None:
    """Raise ValueError if a run would go on with what only a new run can have."""
    changed = [name for name, value in vars(config).items() if value != getattr(written, name)]
    refused = [name for name in changed if name not in (*RESUMED_WITH, "resume")]
    if refused:
        raise ValueError(f"--resume goes on with the run's own configuration; of {', '.join(refused)} it takes none")


def newest_checkpoint(run: Path) -> Path | None:
    """The folder of the newest complete checkpoint."""
    return max(checkpoints(run), default=None)


def checkpoints(run: Path) -> list[Path]:
    """The folders of all complete checkpoints."""
    return [folder for folder in (run / "checkpoints").glob("*") if len(folder.name) == 8 and folder.name.isdecimal()]


def save_checkpoint(run: Path, config: Config, rules: Rules, model: MaskablePPO, league: League, progressed: Progressed) -> None:
    """Write all that a run needs to go on, whole or not at all, and the policy as it is now.

    Raises:
        ValueError: training has diverged; what was saved before stays.
    """
    if not all(tensor.isfinite().all() for tensor in model.policy.parameters()):
        raise ValueError(f"training has diverged by update {progressed.iteration}: try a lower --learning-rate")
    folder = run / "checkpoints" / f"{progressed.iteration:08d}"
    if not folder.exists():
        temporary = folder.with_suffix(".tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        try:
            temporary.mkdir(parents=True)
            zipped = io.BytesIO()  # SB3 and safetensors would write the files themselves with errors of their own on a full disk
            model.save(zipped)
            write_file(temporary / "model.zip", zipped.getvalue())
            write_file(temporary / "league.safetensors", save(league.weights()))
            write_file(temporary / "progressed.json", json.dumps(dataclasses.asdict(progressed)).encode())
            os.replace(temporary, folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    network = PolicyNetwork(rules, config.hidden, config.lookahead)
    copy_weights(model.policy, network)
    save_policy(network, rules, run, about={"trained_by": "training.maskable_ppo", **dataclasses.asdict(progressed)})
    write_file(run / "model.zip", (folder / "model.zip").read_bytes())
    for other in checkpoints(run):
        if other != folder:
            shutil.rmtree(other)


def recent_scores(model: MaskablePPO) -> dict[str, float]:
    """The learner's mean score of late against each kind of opponent: a win counts 1, a draw 1/2."""
    results = defaultdict(list)
    for episode in model.ep_info_buffer or ():
        results[episode["opponent"]].append(episode["result"])
    return {name: (1 + float(np.mean(results[name]))) / 2 for name in sorted(results, key=lambda name: (name != "newest", name))}


def log(run: Path, model: MaskablePPO, progressed: Progressed, speed: float, scores: dict[str, float]) -> None:
    """Add a line to the metrics and to TensorBoard's logs."""
    values = {name: float(value) for name, value in model.logger.name_to_value.items() if name.startswith("train/")}
    metrics = {**dataclasses.asdict(progressed), "steps_per_second": speed, "scores": scores, **values}
    with (run / "metrics.jsonl").open("a") as file:
        file.write(json.dumps(metrics) + "\n")
    for name, score in scores.items():
        model.logger.record(f"score/{name}", score)
    model.dump_logs(progressed.iteration)


def cut_metrics(run: Path, progressed: Progressed) -> None:
    """Drop the lines that a killed run wrote after the checkpoint that is gone on from."""
    path = run / "metrics.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    write_file(path, "".join(lines[: progressed.iteration]).encode())


@contextmanager
def interrupt() -> Iterator[list[int]]:
    """A list that is empty until Ctrl-C is pressed; a second Ctrl-C interrupts at once."""
    pressed: list[int] = []

    def press(number: int, _: Any) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def progress_line(console: Console) -> Progress:
    """A line of words, and a bar where there is room for it."""
    return Progress(TextColumn("{task.description}", markup=False), BarColumn(None), console=console, expand=True)


def evaluate(run: Path, config: Config, rules: Rules, console: Console) -> None:
    """Measure the run's policy, print the table and write it as evaluation.json."""
    if not config.evaluation_games:
        return
    matches = []
    title = f"{rules.title}, {config.evaluation_games} games each"
    table = Table("against", "score", "95 % interval", "mean plies", title=escape(title))
    policy = Policy(rules, run, device=config.device)
    for spec in config.evaluation_agents:
        with console.status(escape(f"playing {spec}")):
            plies = 0 if spec == "random" else 2  # a random opponent varies the games himself
            match = play_match([policy, spec], rules, games=config.evaluation_games, seed=config.seed, random_plies=plies)
        table.add_row(escape(spec), f"{match.score:.3f}", f"{match.low:.3f} to {match.high:.3f}", f"{match.mean_plies:.0f}")
        matches.append(dataclasses.asdict(match))
    console.print(table)
    write_file(run / "evaluation.json", json.dumps(matches, indent=2).encode())


def say_how_to_go_on(run: Path, config: Config, rules: Rules, console: Console) -> None:
    """Print the commands that play the run's policy."""
    words = ["mancala-envs", "arena", "--ruleset", rules.id]
    words += ["--options", *config.options] if config.options else []
    words += ["--rules-file", str(config.rules_file)] if config.rules_file else []
    words += ["--agents", f"policy:{run}", "greedy", "random", "--games", "400"]
    say(console, f"Evaluate it again: {shlex.join(words)}")
    names = [text.partition("=")[0] for text in config.options]
    made = f"make_rules({', '.join([repr(rules.id), *(f'{name}={rules.options[name]!r}' for name in names)])})"
    imported = f"import {config.rules_file.stem}; " if config.rules_file else ""
    say(console, f"In Python: {imported}mancala_envs.make_agent({f'policy:{run}'!r}, mancala_envs.{made})")


def say(console: Console, text: str) -> None:
    """Print a line as it is: paths may look like markup."""
    console.print(text, soft_wrap=True, markup=False, highlight=False)


if __name__ == "__main__":
    main()
