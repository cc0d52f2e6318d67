"""Strength against players of other programs: those of OpenSpiel (pip package `open-spiel`; the extra `peers` installs it).

Games follow our rules, and the peer holds a state of its own that is kept in step. Before every ply both programs must allow the
same actions. Their rules differ in one thing: for OpenSpiel a game of Oware is over as soon as a position comes back, for
`oware_abapa` when it comes back a second time. So when a position comes back, the peer gets the state in which it was first
reached, with the plies since then forgotten. In its search a position that comes back remains the end.
"""

import itertools
import random

import pytest

from mancala_envs import make_agent, make_rules

GAMES = 100  # in pairs that share an opening, seats swapped
OPENING_PLIES = (2, 3, 4)  # random plies, by turns
LEAST_SCORE = 0.75  # a win counts 1, a draw 1/2
SEEDS = 48  # of Kalah


def mcts(game, seed):
    """OpenSpiel's MCTS in C++, 1,000 simulations a move with one random playout each, that proves what it can."""
    import pyspiel

    playout = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, playout, uct_c=2, max_simulations=1000, max_memory_mb=1000, solve=True, seed=seed, verbose=False)
    return bot.step


def alpha_beta(game, seed):
    """OpenSpiel's alpha-beta six plies deep; at the horizon a position is worth the lead in the stores, a won game is worth 1."""
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    def choose(state):
        store, other = (7, 0) if state.current_player() == 0 else (0, 7)

        def lead(state):
            pits = state.observation_tensor()
            return (pits[store] - pits[other]) / SEEDS

        return alpha_beta_search(game, state, lead, maximum_depth=6)[1]

    return choose


@pytest.mark.peers
@pytest.mark.parametrize(
    ("id", "name", "first_actions", "peer"),
    [
        pytest.param("oware_abapa", "oware", (0, 0), mcts, id="oware_abapa-mcts"),
        pytest.param("kalah", "mancala", (1, 8), alpha_beta, id="kalah-alpha_beta"),  # pits 0 and 7 are its stores
    ],
)
def test_alphabeta_with_50_ms_a_move_beats(id, name, first_actions, peer):
    import pyspiel

    rules, game, generator = make_rules(id), pyspiel.load_game(name), random.Random(0)
    ours, choose = make_agent("alphabeta:ms=50", rules), peer(game, seed=0)
    ours.reset(seed=0)
    ours.act(rules.position())  # compiled before it counts
    points = 0.0
    for _, plies in zip(range(GAMES // 2), itertools.cycle(OPENING_PLIES), strict=False):
        opening = random_plies(rules, plies, generator)
        for seat in (0, 1):
            points += (1 + play(rules, game, first_actions, opening, seat, ours, choose)) / 2
    score = points / GAMES
    print(f"{ours.name} against OpenSpiel's {peer.__name__} on {id}: score {score:.3f} in {GAMES} games")  # shown by -s or -rP
    assert score >= LEAST_SCORE


def random_plies(rules, plies, generator):
    """So many random actions from the opening on."""
    position, actions = rules.position(), []
    for _ in range(plies):
        actions.append(generator.choice(position.legal_actions()))
        position = position.play(actions[-1])
    return actions


def play(rules, game, first_actions, opening, seat, ours, choose):
    """What a game brings to our player in `seat`; an action of South or North is the peer's less his number in first_actions."""
    position = rules.position()
    states = {position: game.new_initial_state()}
    actions = iter(opening)
    while not position.is_over:
        state, first = states[position], first_actions[position.to_move]
        assert state.current_player() == position.to_move
        assert [action - first for action in state.legal_actions()] == position.legal_actions()
        action = next(actions, None)
        if action is None:
            action = ours.act(position) if position.to_move == seat else choose(state) - first
        position = position.play(action)
        states.setdefault(position, state.child(action + first))
    return position.returns[seat]
