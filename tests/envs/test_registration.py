import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import mancala_envs
from mancala_envs.envs.aec import MancalaAEC
from mancala_envs.envs.registration import gymnasium_id, pettingzoo_id, register_environments
from mancala_envs.envs.single import MancalaEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.rules.taktix import TAKTIX

has_registry = pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("oware", "mancala_envs/Oware-v0"),
        ("oware_abapa", "mancala_envs/OwareAbapa-v0"),
        ("wari_pl", "mancala_envs/WariPl-v0"),
        ("tactix_hein", "mancala_envs/TactixHein-v0"),
    ],
)
def test_gymnasium_names_are_in_camel_case(id, name):
    assert gymnasium_id(id) == name


def test_pettingzoo_names_are_ids():
    assert pettingzoo_id("oware_abapa") == "mancala_envs/oware_abapa-v0"


@pytest.mark.parametrize("id", mancala_envs.rulesets())
def test_gymnasium_knows_every_ruleset(id):
    spec = gymnasium.spec(gymnasium_id(id))
    assert spec.kwargs == {"rules": id}


@has_registry
@pytest.mark.parametrize("id", mancala_envs.rulesets())
def test_pettingzoo_knows_every_ruleset(id):
    assert pettingzoo.spec("aec", pettingzoo_id(id)).kwargs == {"rules": id}


def test_gymnasium_makes_the_environment_with_the_opponent_inside():
    env = gymnasium.make("mancala_envs/TactixHein-v0", opponent="greedy", seat=0, size=3)
    assert isinstance(env.unwrapped, MancalaEnv)
    assert env.unwrapped.rules == mancala_envs.make_rules("tactix_hein", size=3)
    assert env.unwrapped.opponent.name == "greedy"
    assert env.reset(seed=0)[1]["seat"] == 0


def test_gymnasium_makes_the_vector_environment_of_both_sides():
    env = gymnasium.make_vec("mancala_envs/Taktix-v0", num_envs=4, autoreset_mode="NextStep", illegal="raise")
    assert isinstance(env, MancalaVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.illegal == "raise"
    assert env.reset(seed=0)[0]["action_mask"].shape == (4, env.rules.num_actions)


def test_gymnasium_puts_environments_side_by_side():
    env = gymnasium.make_vec("mancala_envs/Taktix-v0", num_envs=2, vectorization_mode="sync", opponent="random")
    assert isinstance(env, SyncVectorEnv)
    _, infos = env.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    assert np.array_equal(env.step(actions)[1], [0, 0])


@has_registry
def test_pettingzoo_makes_the_aec_environment():
    env = pettingzoo.make("aec", "mancala_envs/taktix-v0", max_cycles=7, size=3)
    assert isinstance(env, MancalaAEC)
    assert env.rules == mancala_envs.make_rules("taktix", size=3, max_plies=7)


def test_spec_survives_json():
    spec = gymnasium.envs.registration.EnvSpec.from_json(gymnasium.make("mancala_envs/Taktix-v0", size=3).spec.to_json())
    assert gymnasium.make(spec).unwrapped.rules.options["size"] == 3


@pytest.mark.parametrize("imports", ["import mancala_envs, gymnasium, pettingzoo", "import gymnasium, pettingzoo, mancala_envs"])
def test_import_alone_registers(imports):
    names = run(f"{imports}; print('mancala_envs/Oware-v0' in gymnasium.registry, gymnasium.spec('mancala_envs/Kalah-v0').version)")
    assert names.split() == ["True", "0"]


@has_registry
@pytest.mark.parametrize("imports", ["import mancala_envs, pettingzoo", "import pettingzoo, mancala_envs"])
def test_import_alone_registers_with_pettingzoo(imports):
    assert run(f"{imports}; print('mancala_envs/oware-v0' in pettingzoo.aec_registry)").strip() == "True"


def test_import_stays_light():
    heavy = ("torch", "stable_baselines3", "matplotlib", "pandas", "rich")
    assert run(f"import sys, mancala_envs; print([name for name in {heavy} if name in sys.modules])").strip() == "[]"


@pytest.mark.filterwarnings("error")
def test_ruleset_of_a_user_can_be_made_by_name():
    for _ in range(2):  # as a notebook cell that is run again
        mancala_envs.register("my_taktix", TAKTIX, size=2)
    assert gymnasium.make("mancala_envs/MyTaktix-v0").unwrapped.rules.id == "my_taktix"


def test_two_rulesets_cannot_share_a_name():
    with pytest.raises(ValueError, match="'OwareAbapa' and ruleset 'oware_abapa' both would be 'mancala_envs/OwareAbapa-v0'"):
        register_environments("OwareAbapa")
