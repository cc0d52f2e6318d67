"""Digests of random games, to compare compiled rules with plain Python: run it, or import it."""

import hashlib
import json

import numpy as np

from mancala_envs import make_rules
from mancala_envs.kernels.batch import Batch
from mancala_envs.kernels.playouts import playouts

RULESETS = ("oware", "kalah", "tactix_hein")
SHUFFLE = {"holes": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], "stores": (22, 24)}  # ends by repetition after 24 plies


def digests() -> dict[str, str]:
    """A digest of everything that playouts and batches of each ruleset give."""
    found = {}
    for id in RULESETS:
        rules = make_rules(id)
        played = playouts(rules, 20, seed=1)
        found[f"{id} playouts"] = digest(played.states, np.array([played.plies, played.choices]))
        found[f"{id} batch"] = digest(*batch_outputs(rules))
    return found


def batch_outputs(rules):
    batch = Batch(rules, 6, random_plies=2)
    seen = [batch.reset(5)]
    if rules.cycle_count:
        seen.append(batch.set_state(0, rules.position(**SHUFFLE).state))
    for number in range(60):
        actions = batch.masks.argmax(1)
        actions[number % 6] += number % 7 == 3  # now and then an action that may be illegal
        step = batch.step(actions)
        seen += [
            step.observations,
            step.rewards,
            step.returns,
            step.end_codes,
            step.truncated,
            batch.states.copy(),
            batch.masks.copy(),
        ]
    return seen


def digest(*arrays: np.ndarray) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


if __name__ == "__main__":
    print(json.dumps(digests()))
