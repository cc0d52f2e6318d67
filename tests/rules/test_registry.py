"""The registry: rulesets by id, their options, and rulesets of a user's own."""

import copy
import pickle
import re
import types

import numpy as np
import pytest

from mancala_envs import Family, Option, TwoRow, make_rules, register, rulesets
from mancala_envs.rules import compiled, registry, ruleset
from mancala_envs.rules.contract import BOARD, LIVE, NO_MOVES, STATUS, STORE_SOUTH, end_ply, finish, player_to_move


@pytest.fixture(autouse=True)
def leave_the_registry_as_it_was():
    before = dict(registry._rulesets)
    yield
    registry._rulesets.clear()
    registry._rulesets.update(before)
    registry._made.clear()


def build(id, title, options):
    """A player empties one of his houses into his store; who has the most seeds wins."""
    houses = options["houses"]
    board = TwoRow(houses, 2, observes_quiet=False)
    row_is_empty, bank_own_sides = board.row_is_empty(), board.bank_own_sides()

    @compiled
    def legal(state, mask):
        own = BOARD + player_to_move(state) * houses
        count = 0
        for action in range(houses):
            mask[action] = state[own + action] > 0
            count += mask[action]
        return count

    @compiled
    def settle(state):
        if state[STATUS] == LIVE and row_is_empty(state, player_to_move(state)):
            bank_own_sides(state)
            finish(state, NO_MOVES)

    @compiled
    def apply(state, action):
        mover = player_to_move(state)
        hole = BOARD + mover * houses + action
        state[STORE_SOUTH + mover] += state[hole]
        state[hole] = 0
        end_ply(state, True, 1 - mover)
        settle(state)

    return board.rules(id, title, options, legal, apply, settle, tuple("ABCabc"))


OWN = Family(build, {"houses": Option(3, range(3, 4), "houses a row")})


# Rulesets of the package


def test_the_rulesets_are_listed_in_order():
    ids = rulesets()
    assert ids == sorted(ids)
    assert {"awari", "kalah", "oware", "oware_abapa", "oware_tr", "tactix_hein", "taktix", "wari_pl"} <= set(ids)


def test_rules_made_twice_are_the_same():
    assert make_rules("kalah", seeds=3) is make_rules("kalah", seeds=3)
    assert make_rules("kalah", seeds=4) is make_rules("kalah")


def test_an_unknown_ruleset_names_those_that_exist():
    with pytest.raises(
        ValueError, match=r"^no ruleset 'oware_apaba' \(did you mean 'oware_abapa'\?\); there are .*kalah, .*wari_pl"
    ):
        make_rules("oware_apaba")


def test_an_unknown_option_names_those_that_exist():
    message = "kalah has no option 'seed' (did you mean 'seeds'?); it has houses, seeds, skip_origin, empty_capture, end_test, "
    with pytest.raises(ValueError, match="^" + re.escape(message + "stop_at_majority, max_plies") + "$"):
        make_rules("kalah", seed=4)


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        ("seeds", 0, "an integer from 1 to 12"),
        ("seeds", 13, "an integer from 1 to 12"),
        ("seeds", 4.0, "an integer from 1 to 12"),
        ("seeds", "4", "an integer from 1 to 12"),
        ("seeds", True, "an integer from 1 to 12"),
        ("seeds", None, "an integer from 1 to 12"),
        ("grand_slam", "forbidden", "'legal' or 'no_capture' or 'illegal' or 'illegal_unless_only'"),
        ("grand_slam", 0, "'legal' or 'no_capture' or 'illegal' or 'illegal_unless_only'"),
        ("feeding", True, "'sown' or 'after_capture' or 'none'"),
        ("stop_at_majority", 1, "True or False"),
        ("stop_at_majority", "yes", "True or False"),
        ("cycle_rule", "own side", "'own_side' or 'draw' or 'split_even' or 'off'"),
        ("max_plies", 0, "an integer from 1 to 32766"),
        ("max_plies", 32767, "an integer from 1 to 32766"),
    ],
)
def test_a_value_that_an_option_does_not_accept(option, value, accepted):
    with pytest.raises(ValueError, match=f"^{option}={value!r} is not accepted: {option} is {re.escape(accepted)}$"):
        make_rules("oware", **{option: value})


def test_numpy_values_are_accepted():
    assert make_rules("oware", seeds=np.int64(3), stop_at_majority=np.bool_(False)) is make_rules(
        "oware", seeds=3, stop_at_majority=False
    )


def test_rules_can_be_made_from_rules():
    rules = make_rules("kalah", seeds=3)
    assert make_rules(rules) is rules
    assert make_rules(rules, houses=4) is make_rules("kalah", seeds=3, houses=4)


# Equality and copies


def test_rules_with_the_same_options_are_equal():
    assert make_rules("kalah", seeds=3) == make_rules("kalah", seeds=3)
    assert make_rules("kalah") != make_rules("kalah", seeds=3)
    assert make_rules("oware", cycle_rule="own_side") != make_rules("oware_tr")


@pytest.mark.parametrize("copied", [lambda rules: pickle.loads(pickle.dumps(rules)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("id", ["oware", "kalah", "tactix_hein"])
def test_rules_survive_being_copied(id, copied):
    rules = make_rules(id, max_plies=77)
    other = copied(rules)
    assert other == rules
    assert hash(other) == hash(rules)
    assert other.options == rules.options
    assert (other.id, other.max_plies) == (id, 77)


# Rulesets of a user's own


def test_a_registered_ruleset_can_be_made_and_played():
    register("test_own", OWN, "My game", "It is short.")
    assert "test_own" in rulesets()
    assert (ruleset("test_own").title, ruleset("test_own").about) == ("My game", "It is short.")
    position = make_rules("test_own").position()
    for action in (0, 1, 2, 0, 1):
        position = position.play(action)
    assert not position.is_over
    position = position.play(2)
    assert (position.stores, position.end_reason) == ((6, 6), "no_moves")


def test_its_title_is_its_id_if_it_has_none():
    register("test_own", OWN)
    assert make_rules("test_own").title == "test_own"


def test_every_ruleset_has_a_ply_limit():
    register("test_own", OWN)
    assert make_rules("test_own").max_plies == 1000
    assert make_rules("test_own", max_plies=9).max_plies == 9


def test_a_ruleset_may_set_options_of_its_family_otherwise():
    register("test_small_kalah", ruleset("kalah").family, houses=3, seeds=2)
    assert make_rules("test_small_kalah").position().holes == (2,) * 6
    assert make_rules("test_small_kalah", seeds=1).position().holes == (1,) * 6
    assert make_rules("kalah").position().holes == (4,) * 12


def test_defaults_are_checked():
    with pytest.raises(ValueError, match="seeds=99 is not accepted: seeds is an integer from 1 to 12"):
        register("test_own", ruleset("kalah").family, seeds=99)
    with pytest.raises(ValueError, match="test_own has no option 'colour'"):
        register("test_own", ruleset("kalah").family, colour="red")
    assert "test_own" not in rulesets()


@pytest.mark.parametrize("id", ["my game", "7up", "a-b", ""])
def test_an_id_is_a_word(id):
    with pytest.raises(ValueError, match=f"^{id!r} is no ruleset id: use letters, digits and underscores$"):
        register(id, OWN)


def test_an_id_of_the_package_is_taken():
    with pytest.raises(ValueError, match=r"^ruleset 'oware' is already registered, by mancala_envs\.rules\.oware$"):
        register("oware", OWN)
    assert make_rules("oware").position().holes == (4,) * 12


def test_an_id_registered_elsewhere_is_taken():
    register("test_own", OWN)
    elsewhere = types.FunctionType(build.__code__, build.__globals__, build.__name__, closure=build.__closure__)
    elsewhere.__module__ = "another_module"
    with pytest.raises(ValueError, match=f"^ruleset 'test_own' is already registered, by {__name__}$"):
        register("test_own", Family(elsewhere, OWN.options))


def test_a_ruleset_registered_again_from_the_same_place_is_replaced():
    """As when a notebook cell is run again after an edit."""
    cell = """
from mancala_envs import Family, register
from mancala_envs.rules import ruleset

def build(id, title, options):
    return ruleset("kalah").family.build(id, title, {**ruleset_defaults, "seeds": SEEDS, **options})

ruleset_defaults = {name: option.default for name, option in ruleset("kalah").options.items()}
register("test_cell", Family(build))
"""
    notebook = {"__name__": "test_notebook"}
    made = []
    for seeds in (2, 5):
        exec(cell.replace("SEEDS", str(seeds)), notebook)
        made.append(make_rules("test_cell"))
        assert made[-1].position().holes == (seeds,) * 12
    assert made[0] != made[1]  # the same id and options, but other code


def test_pickled_rules_of_a_user_need_their_registration():
    register("test_own", OWN)
    data = pickle.dumps(make_rules("test_own"))
    assert pickle.loads(data) == make_rules("test_own")
    del registry._rulesets["test_own"]
    with pytest.raises(ValueError, match="no ruleset 'test_own'"):
        pickle.loads(data)
