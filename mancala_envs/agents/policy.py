"""The learned player: its network, how it is written and read, and the agent that plays it.

A policy is a folder with two files, `policy.safetensors` (the weights) and `policy.json` (the game they play, the network's sizes
and the versions they were made with). Reading them runs no code from them.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from ..files import write_file
from ..kernels.lookahead import lookahead_size, with_lookahead
from ..kernels.rows import legal_masks, observations
from ..position import Position
from ..rules.contract import TO_MOVE, Rules
from .agent import states_of

FORMAT = 3  # rises when older readers could no longer read what is written, or what a network is shown means something else
CLASSES = 14  # a hole is seen as holding 0, 1, ... 12 or at least 13 seeds: more than go once round a board of 12 holes
LONGEST_LINE = 5  # of cells whose pieces are seen as one pattern
WEIGHTS, ABOUT = "policy.safetensors", "policy.json"


class Trunk(nn.Module):
    """From observations, float32[N, *observation_shape], to features, float32[N, hidden[-1]].

    With `lookahead`, observations are flat, float32[N, O + L], with the numbers of `kernels.lookahead` behind them.

    Beside its numbers an observation is read as the seeds in each hole, one-hot: what a move does hangs on the exact count. On a
    small square of pieces it is the pattern of each row and column, one-hot. Other games have their numbers only.

    Args:
        rules: the game.
        hidden: the widths of the layers.
        lookahead: whether observations hold what each action leads to.
    """

    _entries: torch.Tensor
    _one_hot: torch.Tensor
    _lines: torch.Tensor
    _bits: torch.Tensor
    _patterns: torch.Tensor

    def __init__(self, rules: Rules, hidden: Sequence[int] = (256, 256), lookahead: bool = False) -> None:
        super().__init__()
        self._seeds = rules.board.seeds
        self.register_buffer("_entries", torch.tensor(count_entries(rules), dtype=torch.long), persistent=False)
        self.register_buffer("_one_hot", torch.eye(CLASSES), persistent=False)
        lines = torch.tensor(line_entries(rules), dtype=torch.long)
        patterns = 2 ** lines.shape[1]
        self.register_buffer("_lines", lines, persistent=False)
        self.register_buffer("_bits", 2.0 ** torch.arange(lines.shape[1]), persistent=False)
        self.register_buffer("_patterns", torch.eye(patterns), persistent=False)
        width = int(np.prod(rules.observation_shape)) + len(self._entries) * CLASSES + len(lines) * patterns
        width += lookahead_size(rules) if lookahead else 0
        layers: list[nn.Module] = []
        for size in hidden:
            layers += [nn.Linear(width, size), nn.ReLU()]
            width = size
        self.layers = nn.Sequential(*layers)

    def forward(self, observed: torch.Tensor) -> torch.Tensor:
        """See the class."""
        numbers = observed.flatten(1)
        if len(self._entries):
            counts = (numbers[:, self._entries] * self._seeds).round_().clamp_(0, CLASSES - 1).long()
            one_hot = nn.functional.embedding(counts, self._one_hot)  # rows copied: three times as fast as comparing with classes
            numbers = torch.cat((numbers, one_hot.flatten(1)), dim=1)
        if len(self._lines):
            held = (observed.flatten(1)[:, self._lines] * self._bits).sum(dim=2).long()
            numbers = torch.cat((numbers, nn.functional.embedding(held, self._patterns).flatten(1)), dim=1)
        return self.layers(numbers)


class PolicyNetwork(nn.Module):
    """From what `Trunk` takes to logits of the actions, float32[N, A], and values, float32[N].

    Args:
        rules: the game.
        hidden: the widths of the layers that both heads share, at least one.
        lookahead: whether observations hold what each action leads to.
    """

    def __init__(self, rules: Rules, hidden: Sequence[int] = (256, 256), lookahead: bool = False) -> None:
        super().__init__()
        self.hidden, self.lookahead = tuple(hidden), lookahead
        self.trunk = Trunk(rules, hidden, lookahead)
        self.action_head = nn.Linear(self.hidden[-1], rules.num_actions)
        self.value_head = nn.Linear(self.hidden[-1], 1)

    def forward(self, observed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See the class."""
        features = self.trunk(observed)
        return self.action_head(features), self.value_head(features).squeeze(1)


def count_entries(rules: Rules) -> list[int]:
    """Which entries of a flat observation hold the seeds of one hole, ascending; none where a game counts no seeds.

    Found by adding a seed to one hole after the other, so that no ruleset need say it.
    """
    if not rules.board.seeds or "holes" not in rules.fields:
        return []
    part = rules.fields["holes"]
    states = np.zeros((1 + part.stop - part.start, rules.state_size), np.int16)
    rules.init(states[0])
    states[1:] = states[0]
    states[1:, part] += np.eye(len(states) - 1, dtype=np.int16)
    observed = observations(rules, states, np.zeros(len(states), np.int64)).reshape(len(states), -1)
    grown = np.isclose(observed[1:] - observed[0], 1 / rules.board.seeds)
    return np.flatnonzero(grown.sum(axis=0) == 1).tolist()


def line_entries(rules: Rules) -> np.ndarray:
    """The entries of an observation of cells that are a row or a column of a small square of pieces, int64[lines, cells]."""
    rows = rules.board.rows
    shows_cells = rules.observation_shape == (sum(map(len, rows)),) and "cells" in rules.fields
    if not shows_cells or {len(row) for row in rows} != {len(rows)} or len(rows) > LONGEST_LINE:
        return np.zeros((0, 0), np.int64)
    return np.concatenate((rows, np.transpose(rows)))


class Policy:
    """Plays a network: the legal action with the largest logit, or one drawn in proportion to the exponentials of the logits.

    Args:
        rules: the game.
        source: a policy's folder, or a network.
        sample: whether actions are drawn.
        device: where the network runs: "auto" (a CUDA device if there is one), or a device of torch's.
        seed: seed of the draws.

    Raises:
        ValueError: there is no policy in the folder, a file is damaged, or it plays another game.
    """

    def __init__(
        self, rules: Rules, source: str | Path | PolicyNetwork, sample: bool = False, device: str = "auto", seed: int | None = None
    ) -> None:
        self.name = ("policy" if isinstance(source, PolicyNetwork) else f"policy:{source}") + (",sample=true" if sample else "")
        self.rules = rules
        self.network = source if isinstance(source, PolicyNetwork) else load_policy(rules, source)
        self._sample = sample
        self._device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
        self.network.to(self._device)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        return int(self.act_batch(states_of(position, self))[0])

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`; raises ValueError where a state has no legal action."""
        masks = legal_masks(self.rules, states)
        some = masks.any(axis=1)
        if not some.all():
            raise ValueError(f"the mask of row {int(np.argmin(some))} is empty: there is no action to choose")
        logits = self._evaluate(states)[0]
        if self._sample:  # a draw by the exponentials of the logits is the largest of them, each with Gumbel noise
            logits = logits + self._generator.gumbel(size=logits.shape)
        return np.where(masks, logits, -np.inf).argmax(axis=1)

    def values(self, states: np.ndarray) -> np.ndarray:
        """What the players to move can expect, float32[N], in the rewards that the network was trained with.

        Args:
            states: live states, int16[N, S].
        """
        return self._evaluate(states)[1]

    def _evaluate(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        observed = observations(self.rules, states, states[:, TO_MOVE].astype(np.int64))
        if self.network.lookahead:
            observed = with_lookahead(self.rules, states, observed)
        with torch.inference_mode():
            logits, values = self.network(torch.from_numpy(observed).to(self._device))
            return logits.cpu().numpy(), values.cpu().numpy()


def save_policy(network: PolicyNetwork, rules: Rules, folder: str | Path, about: Mapping[str, Any] | None = None) -> None:
    """Write a policy's two files, each whole or not at all.

    Args:
        network: what is written.
        rules: the game it plays.
        folder: where; made if it does not exist.
        about: what else shall stand in `policy.json`, under "about".
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    contents = {
        "format": FORMAT,
        "ruleset": rules.id,
        "options": dict(rules.options),
        "num_actions": rules.num_actions,
        "observation_shape": list(rules.observation_shape),
        "hidden": list(network.hidden),
        "lookahead": network.lookahead,
        "versions": {package: version(package) for package in ("mancala-envs", "torch", "safetensors")},
        "about": dict(about or {}),
    }
    write_file(folder / WEIGHTS, save(weights))
    write_file(folder / ABOUT, json.dumps(contents, indent=2).encode())


def load_policy(rules: Rules, folder: str | Path) -> PolicyNetwork:
    """The network of a policy's folder, on the CPU.

    Raises:
        ValueError: the folder holds no policy, a file is damaged, or the policy plays other rules; names what differs.
    """
    folder = Path(folder)
    about_path, weights_path = folder / ABOUT, folder / WEIGHTS
    try:
        contents = json.loads(about_path.read_bytes())
        hidden, lookahead = [int(size) for size in contents["hidden"]], bool(contents["lookahead"])
        written = {name: contents[name] for name in ("format", "ruleset", "num_actions", "observation_shape")}
        options = dict(contents["options"])
    except OSError as error:
        raise ValueError(f"no policy in {str(folder)!r}: {error}; it is a folder with {ABOUT} and {WEIGHTS}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{about_path} is damaged: {type(error).__name__}: {error}") from None
    if written["format"] != FORMAT:
        raise ValueError(f"{about_path} is of format {written['format']!r}; this version reads format {FORMAT}")
    _check_same_game(about_path, written, options, rules)
    if not hidden or min(hidden) < 1:
        raise ValueError(f"{about_path} is damaged: hidden={hidden}; one or more layers of width 1 or more")

    network = PolicyNetwork(rules, hidden, lookahead)
    try:
        weights = load(weights_path.read_bytes())
    except OSError as error:
        raise ValueError(f"no policy in {str(folder)!r}: {error}; it is a folder with {ABOUT} and {WEIGHTS}") from None
    except SafetensorError as error:
        raise ValueError(f"{weights_path} is damaged: {error}") from None
    shapes = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    if shapes != expected:
        raise ValueError(f"{weights_path} does not fit {ABOUT}: it holds {shapes}, not {expected}")
    for name, tensor in weights.items():
        if not tensor.isfinite().all():
            raise ValueError(f"{weights_path} is damaged: {name} holds numbers that are not finite")
    network.load_state_dict(weights)
    return network.eval()


def _check_same_game(path: Path, written: Mapping[str, Any], options: Mapping[str, Any], rules: Rules) -> None:
    """Raise ValueError, naming what differs, if a policy was written for other rules."""
    if written["ruleset"] != rules.id:
        raise ValueError(f"{path} plays {written['ruleset']!r}, not {rules.id!r}")
    for name in {**rules.options, **options}:
        if options.get(name) != rules.options.get(name):
            raise ValueError(f"{path} plays {rules.id} with {name}={options.get(name)!r}, not {rules.options.get(name)!r}")
    sizes = {"num_actions": rules.num_actions, "observation_shape": list(rules.observation_shape)}
    for name, size in sizes.items():
        if written[name] != size:
            raise ValueError(f"{path} plays {rules.id} with {name}={written[name]!r}, not {size!r}: its rules have changed")
