import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from mancala_envs.agents import choose_all
from mancala_envs.agents.policy import PolicyNetwork
from mancala_envs.envs.sb3 import SelfPlayVecEnv, TrunkPolicy, copy_weights
from mancala_envs.kernels.lookahead import with_lookahead
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.position import IllegalMoveError
from mancala_envs.rules import make_rules


class Scripted:
    """Plays the first legal action of its list, else the lowest."""

    def __init__(self, rules, *wishes):
        self.name = f"scripted {wishes}"
        self.rules = rules
        self.wishes = wishes

    def reset(self, seed=None):
        pass

    def act_batch(self, states):
        return np.array(
            [next((wish for wish in self.wishes if mask[wish]), mask.argmax()) for mask in legal_masks(self.rules, states)]
        )


# Cells of TakTix 2x2: 0 1 / 2 3. Actions: 0 {0}, 1 {1}, 2 {0,1}, 3 {2}, 4 {0,2}, 5 {3}, 6 {1,3}, 7 {2,3}. The last piece wins.
TAKTIX = make_rules("taktix", size=2)


def play_at_random(env, steps, seed=0):
    """(observations, rewards, dones, infos, masks) of every step of a player at random."""
    generator = np.random.default_rng(seed)
    return [(*env.step(choose_all(env.action_masks(), generator)), env.action_masks()) for _ in range(steps)]


def test_the_learner_as_south_gets_plus_one_for_the_last_piece():
    env = SelfPlayVecEnv(TAKTIX, 1, [Scripted(TAKTIX)], seat=0)
    env.reset()
    _, rewards, dones, _ = env.step(np.array([2]))  # North answers with cell 2
    assert (rewards.tolist(), dones.tolist()) == ([0], [False])
    _, rewards, dones, infos = env.step(np.array([5]))
    assert (rewards.tolist(), dones.tolist()) == ([1], [True])
    assert infos[0]["end_reason"] == "last_piece"
    assert infos[0]["episode"]["r"] == 1
    assert infos[0]["episode"]["l"] == 2


def test_the_learner_as_north_gets_plus_one_for_the_last_piece():
    env = SelfPlayVecEnv(TAKTIX, 1, [Scripted(TAKTIX)], seat=1)
    assert env.reset().tolist() == [[0, 1, 1, 1]]  # South has taken cell 0
    env.step(np.array([1]))
    _, rewards, dones, _ = env.step(np.array([5]))
    assert (rewards.tolist(), dones.tolist()) == ([1], [True])


def test_the_loser_gets_minus_one_though_the_opponent_moved_last():
    env = SelfPlayVecEnv(TAKTIX, 1, [Scripted(TAKTIX, 7)], seat=0)
    env.reset()
    observations, rewards, dones, infos = env.step(np.array([2]))  # North takes cells 2 and 3
    assert (rewards.tolist(), dones.tolist()) == ([-1], [True])
    assert infos[0]["terminal_observation"].tolist() == [0, 0, 0, 0]
    assert observations.tolist() == [[1, 1, 1, 1]]  # the next game


def test_every_finished_episode_is_credited_once_and_both_seats_occur():
    env = SelfPlayVecEnv("taktix", 32, ["random"], size=2)
    env.seed(1)
    env.reset()
    steps = play_at_random(env, 20)
    credited = [(rewards[dones], rewards[~dones]) for _, rewards, dones, _, _ in steps]
    assert all((np.abs(ended) == 1).all() and not going_on.any() for ended, going_on in credited)
    started = np.concatenate([observations.sum(axis=1)[dones] for observations, _, dones, _, _ in steps])
    assert (started == 4).any()  # the learner begins
    assert (started < 4).any()  # the opponent has begun


def test_the_terminal_observation_is_the_learners_view_of_the_final_stores():
    env = SelfPlayVecEnv("kalah", 64, ["random"])
    env.seed(2)
    env.reset()
    ended = [info for *_, infos, _ in play_at_random(env, 60) for info in infos if info]
    assert len(ended) > 64
    for info in ended:
        own, other = info["terminal_observation"][12:14]
        assert info["episode"]["result"] == np.sign(own - other)


def test_an_extra_turn_of_the_learner_is_not_answered():
    env = SelfPlayVecEnv("kalah", 1, ["random"], seat=0)
    env.reset()
    observations, *_ = env.step(np.array([2]))  # four seeds, the last into the store
    assert (observations[0] * 48).round().tolist() == [4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4, 1, 0]


def test_an_extra_turn_of_the_opponent_is_played_out():
    rules = make_rules("kalah")
    env = SelfPlayVecEnv(rules, 1, [Scripted(rules, 2)], seat=1)
    # South sows house 2, then house 0.
    assert (env.reset()[0] * 48).round().tolist() == [4, 4, 4, 4, 4, 4, 0, 5, 1, 6, 6, 5, 0, 1]


def test_the_margin_is_rewarded_action_by_action():
    env = SelfPlayVecEnv("kalah", 1, ["random"], seat=0, margin_weight=0.5)
    env.reset()
    _, rewards, _, _ = env.step(np.array([2]))
    assert rewards[0] == pytest.approx(0.5 / 24)


def test_the_rewards_of_an_episode_add_up_to_result_and_margin():
    env = SelfPlayVecEnv("kalah", 64, ["random"], margin_weight=1.0, seat=0)
    env.seed(3)
    env.reset()
    totals, episodes = np.zeros(64), 0
    for _, rewards, dones, infos, _ in play_at_random(env, 60):
        totals += rewards
        for row in np.flatnonzero(dones):
            own, other = infos[row]["terminal_observation"][12:14] * 48
            assert totals[row] == pytest.approx(infos[row]["episode"]["r"], abs=1e-5)
            assert totals[row] == pytest.approx(np.sign(own - other) + (own - other) / 24, abs=1e-5)
            totals[row] = 0
            episodes += 1
    assert episodes > 64


def test_masks_reach_sb3_contrib_as_one_array():
    env = SelfPlayVecEnv("oware", 5)
    env.seed(0)
    env.reset()
    play_at_random(env, 30)
    assert is_masking_supported(env)
    assert len(env.env_method("action_masks")) == 1
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    assert masks.reshape(5, 6).tolist() == env.action_masks().tolist()
    assert env.env_method("action_masks", indices=[3])[0].tolist() == env.action_masks()[3].tolist()


def test_masks_mark_the_houses_of_the_learner_that_hold_seeds():
    env = SelfPlayVecEnv("kalah", 16)
    env.seed(0)
    env.reset()
    for observations, *_, masks in play_at_random(env, 50):
        assert ((observations[:, :6] > 0) == masks).all()


def test_the_same_seed_gives_the_same_games():
    def games(seed):
        env = SelfPlayVecEnv("oware", 8, ["random", "greedy"])
        env.seed(seed)
        env.reset()
        return np.array([observations for observations, *_ in play_at_random(env, 60)])

    assert (games(5) == games(5)).all()
    assert (games(5) != games(6)).any()


def test_seeding_again_starts_the_games_anew():
    env = SelfPlayVecEnv("oware", 8, random_plies=4)
    env.seed(5)
    first = env.reset()
    play_at_random(env, 20)
    assert (env.reset() != first).any()
    env.seed(5)
    assert (env.reset() == first).all()


def test_what_a_step_returned_stays_as_it_was():
    env = SelfPlayVecEnv("oware", 4)
    env.reset()
    returned = play_at_random(env, 1)[0]
    copies = [returned[index].copy() for index in (0, 1, 2, 4)]
    play_at_random(env, 20)
    assert all((returned[index] == copy).all() for index, copy in zip((0, 1, 2, 4), copies, strict=True))


def test_only_the_ply_limit_is_marked_as_truncated():
    env = SelfPlayVecEnv("oware", 4, max_plies=10, seat=0)
    env.reset()
    steps = play_at_random(env, 5)
    assert all(info == {} for *_, infos, _ in steps[:4] for info in infos)
    _, rewards, dones, infos, _ = steps[4]
    assert dones.all()
    assert not rewards.any()
    assert all((info["end_reason"], info["TimeLimit.truncated"]) == ("max_plies", True) for info in infos)
    env = SelfPlayVecEnv(TAKTIX, 4)
    env.reset()
    assert not any("TimeLimit.truncated" in info for *_, infos, _ in play_at_random(env, 10) for info in infos)


def test_the_ply_limit_is_no_truncation_where_the_opponent_is_on_move():
    env = SelfPlayVecEnv("oware", 4, max_plies=10, seat=1)
    env.reset()
    _, rewards, dones, infos, _ = play_at_random(env, 5)[4]
    assert dones.all()
    assert not rewards.any()
    assert all(info["end_reason"] == "max_plies" and "TimeLimit.truncated" not in info for info in infos)


def test_a_step_needs_a_reset_first():
    env = SelfPlayVecEnv("oware", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.array([0, 0]))


def test_an_illegal_action_loses_the_game():
    env = SelfPlayVecEnv("oware", 2, seat=0)
    env.reset()
    _, rewards, dones, infos = env.step(np.array([6, 0]))
    assert (rewards.tolist(), dones.tolist()) == ([-1, 0], [True, False])
    assert infos[0]["end_reason"] == "illegal_action"


def test_an_illegal_action_is_refused_where_asked_for_and_changes_nothing():
    env = SelfPlayVecEnv("kalah", 2, seat=0, illegal="raise")
    env.reset()
    env.step(np.array([2, 2]))
    before = env.action_masks()
    with pytest.raises(IllegalMoveError, match=r"action 2 is not legal in game 1; legal are 0, 1, 3, 4, 5"):
        env.step(np.array([0, 2]))
    assert (env.action_masks() == before).all()


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros(2), np.zeros((2, 1), np.int64)])
def test_actions_that_are_not_one_integer_a_game_are_refused(actions):
    env = SelfPlayVecEnv("oware", 2)
    env.reset()
    with pytest.raises(ValueError, match="2 integers"):
        env.step(actions)


def test_games_in_progress_are_finished_by_the_opponents_they_began_with():
    one, other = Scripted(TAKTIX), Scripted(TAKTIX, 7)
    env = SelfPlayVecEnv(TAKTIX, 2, [one], seat=0)
    env.reset()
    env.step(np.array([2, 2]))
    env.set_opponents([other])
    _, rewards, _, infos = env.step(np.array([5, 5]))
    assert rewards.tolist() == [1, 1]
    assert infos[0]["episode"]["opponent"] == one.name
    _, rewards, _, infos = env.step(np.array([2, 2]))
    assert rewards.tolist() == [-1, -1]
    assert infos[0]["episode"]["opponent"] == other.name


def test_opponents_are_drawn_by_weight():
    agents = [Scripted(TAKTIX, 0), Scripted(TAKTIX, 1), Scripted(TAKTIX, 3)]
    env = SelfPlayVecEnv(TAKTIX, 256, agents, [3, 1, 0])
    env.seed(0)
    env.reset()
    names = [info["episode"]["opponent"] for *_, infos, _ in play_at_random(env, 20) for info in infos if info]
    assert names.count(agents[0].name) / len(names) == pytest.approx(0.75, abs=0.05)
    assert names.count(agents[2].name) == 0


@pytest.mark.parametrize(
    ("opponents", "weights"), [([], None), (["random"], [1, 1]), (["random"], [0]), (["random", "greedy"], [2, -1])]
)
def test_opponents_without_weights_that_can_be_drawn_by_are_refused(opponents, weights):
    with pytest.raises(ValueError, match="opponents"):
        SelfPlayVecEnv("oware", 2, opponents, weights)


@pytest.mark.parametrize(
    "keywords", [{"seat": 2}, {"illegal": "ignore"}, {"opponents": ["nobody"]}, {"houses": 99}, {"cheese": 1}, {"random_plies": -1}]
)
def test_keywords_that_are_not_accepted_are_refused(keywords):
    with pytest.raises(ValueError, match=r"accept|no agent|no option|at least"):
        SelfPlayVecEnv("oware", 2, **keywords)


def test_a_seat_that_never_has_a_turn_is_refused():
    env = SelfPlayVecEnv("kalah", 1, seat=1, houses=1, seeds=1, max_plies=10)
    with pytest.raises(ValueError, match="seat=1"):
        env.reset()


@pytest.fixture
def model():
    env = SelfPlayVecEnv("oware", 8)
    return MaskablePPO(TrunkPolicy, env, n_steps=4, batch_size=16, policy_kwargs={"rules": env.rules, "hidden": (16,)}, seed=0)


def test_lookahead_stands_behind_the_observation():
    plain, seeing = (SelfPlayVecEnv("kalah", 6, ["greedy"], random_plies=2, lookahead=lookahead) for lookahead in (False, True))
    for env in (plain, seeing):
        env.seed(4)
    rules = seeing.rules
    expected, found = plain.reset(), seeing.reset()
    ended = 0
    for _ in range(60):
        assert found.shape == (6, *seeing.observation_space.shape)
        assert seeing.observation_space.contains(found[0])
        np.testing.assert_array_equal(found, with_lookahead(rules, seeing._batch.states, expected))
        actions = plain.action_masks().argmax(axis=1)
        expected, found = plain.step(actions)[0], seeing.step(actions)
        for info in found[3]:
            ended += "terminal_observation" in info and info["terminal_observation"].shape == seeing.observation_space.shape
        found = found[0]
    assert ended > 0


def test_maskable_ppo_learns_from_lookahead():
    env = SelfPlayVecEnv("oware", 8, lookahead=True)
    arguments = {"rules": env.rules, "hidden": (16,), "lookahead": True}
    model = MaskablePPO(TrunkPolicy, env, n_steps=4, batch_size=16, policy_kwargs=arguments, seed=0)
    model.learn(32)
    network = PolicyNetwork(env.rules, (16,), lookahead=True)
    copy_weights(model.policy, network)
    observed = torch.from_numpy(env.reset())
    with torch.no_grad():
        assert torch.allclose(network(observed)[0], model.policy.action_net(model.policy.extract_features(observed)))


def test_maskable_ppo_learns_with_the_environment(model):
    before = model.policy.action_net.weight.detach().clone()
    model.learn(64)
    assert model.num_timesteps == 64
    assert (model.policy.action_net.weight != before).any()


def test_the_policy_agrees_with_sb3_contribs_own(model):
    observations, masks = torch.rand(20, 15), torch.rand(20, 6) < 0.5
    masks[:, 3] = True
    actions = torch.full((20,), 3)
    ours = model.policy.evaluate_actions(observations, actions, masks)
    theirs = MaskableActorCriticPolicy.evaluate_actions(model.policy, observations, actions, masks)
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-6)


def test_the_policy_draws_legal_actions_by_their_probabilities(model):
    torch.manual_seed(0)
    with torch.no_grad():
        model.policy.action_net.bias[:] = torch.tensor([0.0, 9.0, 1.0, 9.0, 9.0, 9.0])
        model.policy.action_net.weight[:] = 0
        masks = np.tile([True, False, True, False, False, False], (4000, 1))
        actions, _, log_probs = model.policy(torch.zeros(4000, 15), action_masks=masks)
    share = 1 / (1 + np.e)
    assert set(actions.tolist()) == {0, 2}
    assert (actions == 0).float().mean() == pytest.approx(share, abs=0.03)
    assert log_probs[actions == 0][0].exp() == pytest.approx(share, abs=1e-5)


def test_a_model_is_loaded_from_its_zip(model, tmp_path):
    model.save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip")
    observation, mask = np.random.default_rng(0).random((5, 15), np.float32), np.ones((5, 6), bool)
    assert (
        loaded.predict(observation, action_masks=mask, deterministic=True)[0]
        == model.predict(observation, action_masks=mask, deterministic=True)[0]
    ).all()


def test_the_network_taken_out_of_a_model_computes_the_same(model):
    network = PolicyNetwork(model.env.rules, (16,))
    copy_weights(model.policy, network)
    observations = torch.rand(5, 15)
    with torch.no_grad():
        logits, values = network(observations)
        features = model.policy.extract_features(observations)
        assert torch.allclose(logits, model.policy.action_net(features))
        assert torch.allclose(values, model.policy.value_net(features).squeeze(1))


@pytest.mark.parametrize("opponents", ["random", [], ()])
def test_opponents_that_are_no_list(opponents):
    with pytest.raises(ValueError, match="is not accepted: a list of one or more agents"):
        SelfPlayVecEnv("kalah", 2, opponents)
