import json
import subprocess
import sys

import numpy as np
import pytest
import torch

from mancala_envs.agents import make_agent
from mancala_envs.agents.policy import Policy, PolicyNetwork, Trunk, count_entries, load_policy, save_policy
from mancala_envs.kernels.batch import Batch
from mancala_envs.rules import make_rules

OWARE = make_rules("oware")


def network_preferring(*logits):
    """A network of Oware with the same logits in every position."""
    network = PolicyNetwork(OWARE, (8,))
    with torch.no_grad():
        network.action_head.weight[:] = 0
        network.action_head.bias[:] = torch.tensor(logits)
    return network


@pytest.fixture
def saved(tmp_path):
    """(network, folder) of a policy of Oware."""
    torch.manual_seed(0)
    network = PolicyNetwork(OWARE, (8, 8))
    save_policy(network, OWARE, tmp_path, about={"steps": 7})
    return network, tmp_path


def test_the_entries_that_count_seeds_are_the_holes():
    assert count_entries(OWARE) == list(range(12))
    assert count_entries(make_rules("kalah", houses=3)) == list(range(6))
    assert count_entries(make_rules("taktix")) == []


def test_holes_are_seen_one_hot_beside_the_numbers():
    trunk = Trunk(OWARE, ())
    seen = trunk(torch.from_numpy(OWARE.position(holes=[20, 0, 1, 12, 13, 2] + 6 * [0]).observe(0)[None]))[0]
    assert seen.shape == (15 + 12 * 14,)
    assert seen[0] == pytest.approx(20 / 48)
    assert seen[15:].reshape(12, 14).argmax(dim=1).tolist() == [13, 0, 1, 12, 13, 2, 0, 0, 0, 0, 0, 0]
    assert seen[15:].sum() == 12


def test_a_small_square_of_pieces_is_also_seen_as_the_patterns_of_its_lines():
    trunk = Trunk(make_rules("taktix", size=2), ())
    first_row, second_row, first_column, second_column = [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 1, 0]
    cells = [1, 0, 1, 1]
    assert trunk(torch.tensor([cells]).float()).tolist() == [cells + first_row + second_row + first_column + second_column]


def test_other_games_without_seeds_are_seen_as_they_are():
    rules = make_rules("oust", side=2)
    observed = torch.rand(1, *rules.observation_shape)
    assert Trunk(rules, ())(observed).tolist() == observed.tolist()


def test_the_largest_logit_among_the_legal_actions_is_played():
    agent = Policy(OWARE, network_preferring(3.0, 9.0, 1.0, 2.0, 5.0, 4.0))
    position = OWARE.position(holes=[1, 0, 2, 1, 0, 1] + 6 * [4])
    assert agent.act(position) == 5


def test_whole_batches_are_legal():
    batch = Batch(OWARE, 64, random_plies=20)
    batch.reset(0)
    agent = Policy(OWARE, network_preferring(0.0, 0.0, 50.0, 0.0, 0.0, 0.0), sample=True, seed=0)
    actions = agent.act_batch(batch.states)
    assert not batch.masks[:, 2].all()
    assert batch.masks[np.arange(64), actions].all()


def test_sampling_draws_in_proportion_to_the_exponentials_of_the_logits():
    states = np.tile(OWARE.position(holes=[1, 0, 2, 0, 0, 0] + 6 * [4]).state, (4000, 1))
    agent = Policy(OWARE, network_preferring(0.0, 9.0, 1.0, 9.0, 9.0, 9.0), sample=True, seed=0)
    actions = agent.act_batch(states)
    assert set(actions.tolist()) == {0, 2}
    assert (actions == 0).mean() == pytest.approx(1 / (1 + np.e), abs=0.03)


def test_the_same_seed_draws_the_same_actions():
    states = np.tile(OWARE.position().state, (50, 1))
    agent = Policy(OWARE, network_preferring(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), sample=True, seed=1)
    first = agent.act_batch(states)
    assert (agent.act_batch(states) != first).any()
    agent.reset(1)
    assert (agent.act_batch(states) == first).all()


def test_values_are_those_of_the_players_to_move():
    network = PolicyNetwork(OWARE, (8,))
    position = OWARE.position().play(2)
    expected = network(torch.from_numpy(position.observe(1)[None]))[1].item()
    assert Policy(OWARE, network).values(position.state[None]).tolist() == [pytest.approx(expected)]


def test_a_policy_that_looks_ahead_plays_and_is_loaded_as_it_was(tmp_path):
    torch.manual_seed(0)
    network = PolicyNetwork(OWARE, (8,), lookahead=True)
    save_policy(network, OWARE, tmp_path)
    states = np.stack([OWARE.position().state, OWARE.position().play(2).state])
    loaded = Policy(OWARE, tmp_path)
    assert loaded.network.lookahead
    assert (loaded.values(states) == Policy(OWARE, network).values(states)).all()
    assert (loaded.act_batch(states) == Policy(OWARE, network).act_batch(states)).all()


def test_a_state_without_a_legal_action_is_refused():
    state = OWARE.position().state.copy()
    state[2] = 1
    with pytest.raises(ValueError, match="mask of row 1 is empty"):
        Policy(OWARE, PolicyNetwork(OWARE, (8,))).act_batch(np.stack([OWARE.position().state, state]))


def test_a_saved_policy_is_loaded_as_it_was(saved):
    network, folder = saved
    loaded = load_policy(OWARE, folder)
    observed = torch.rand(5, 15)
    assert (loaded(observed)[0] == network(observed)[0]).all()
    assert (loaded(observed)[1] == network(observed)[1]).all()
    about = json.loads((folder / "policy.json").read_text())
    assert (about["ruleset"], about["hidden"], about["about"]) == ("oware", [8, 8], {"steps": 7})


def test_a_policy_of_another_ruleset_is_refused(saved):
    with pytest.raises(ValueError, match=r"plays 'oware', not 'kalah'"):
        load_policy(make_rules("kalah"), saved[1])


def test_a_policy_of_other_options_is_refused(saved):
    with pytest.raises(ValueError, match=r"with seeds=4, not 5"):
        load_policy(make_rules("oware", seeds=5), saved[1])


def test_a_folder_without_a_policy_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no policy in .*policy\.json and policy\.safetensors"):
        load_policy(OWARE, tmp_path / "nowhere")


def test_missing_weights_are_told(saved):
    (saved[1] / "policy.safetensors").unlink()
    with pytest.raises(ValueError, match=r"no policy in .*policy\.safetensors"):
        load_policy(OWARE, saved[1])


@pytest.mark.parametrize("length", [0, 4, 100, -1])
def test_truncated_weights_are_refused(saved, length):
    path = saved[1] / "policy.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ValueError, match=r"policy\.safetensors is damaged"):
        load_policy(OWARE, saved[1])


def test_a_truncated_description_is_refused(saved):
    path = saved[1] / "policy.json"
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(ValueError, match=r"policy\.json is damaged"):
        load_policy(OWARE, saved[1])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("format", 1, "format 1; this version reads format 3"),
        ("hidden", [8], "does not fit"),
        ("hidden", [], "one or more layers"),
        ("hidden", "wide", "damaged"),
        ("options", None, "damaged"),
        ("num_actions", 7, "num_actions=7, not 6"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(saved, name, value, message):
    path = saved[1] / "policy.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    with pytest.raises(ValueError, match=message):
        load_policy(OWARE, saved[1])


def test_weights_that_are_not_finite_are_refused(tmp_path):
    save_policy(network_preferring(0.0, np.nan, 0.0, 0.0, 0.0, 0.0), OWARE, tmp_path)
    with pytest.raises(ValueError, match=r"action_head\.bias holds numbers that are not finite"):
        load_policy(OWARE, tmp_path)


def test_a_full_disk_leaves_the_old_policy(saved, monkeypatch):
    network, folder = saved

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space"):
        save_policy(PolicyNetwork(OWARE, (4,)), OWARE, folder)
    monkeypatch.undo()
    observed = torch.rand(5, 15)
    assert (load_policy(OWARE, folder)(observed)[0] == network(observed)[0]).all()
    assert sorted(path.name for path in folder.iterdir()) == ["policy.json", "policy.safetensors"]


@pytest.mark.parametrize("name", ["run", "a,b", "a:b", "a=1,b", "seed=1"])
def test_specs_name_folders_with_any_letters(tmp_path, name):
    save_policy(PolicyNetwork(OWARE, (8,)), OWARE, tmp_path / name)
    spec = f"policy:{tmp_path / name}"
    assert make_agent(spec, OWARE).name == spec
    assert make_agent(f"{spec},sample=true,device=cpu", OWARE).name == f"{spec},sample=true"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("policy:", "names no folder"),
        ("policy", "names no folder"),
        ("policy:x,sample=perhaps", "sample='perhaps' is not accepted"),
    ],
)
def test_specs_that_cannot_be_read_are_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, OWARE)


def test_other_agents_do_not_import_torch():
    code = "import sys, mancala_envs; mancala_envs.make_agent('greedy', 'oware'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
