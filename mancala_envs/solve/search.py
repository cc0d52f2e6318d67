"""Alpha-beta search of any ruleset, for play and for proofs.

Every search asks one question at a time: is a position worth at least `beta` to the player to move? The answer is a bound that may
say more than was asked (fail-soft). `MTD(f)` (Plaat and others, 1996) finds a value by asking again and again from a first guess,
and iterative deepening does so depth by depth; the transposition table makes both cheap.

Two meanings of a value, both as the player to move counts it:

    "result"   a won game is WIN, a lost one -WIN, a drawn one 0; what is not searched to its end is worth the rules' `evaluate`.
               For play, and for games without seeds to count.
    "margin"   what is still to be gained: the final margin of the stores less the present one. For perfect play of games in which
               stores only count (`Rules.stores_only_count`): all ways to reach the same holes then share one entry of the table,
               and so do both sides, since a position is keyed as the player to move sees it.

At each inner node all actions are played first. Their positions are looked up (a bound there may answer the question at once:
enhanced transposition cutoffs, Schaeffer and Plaat 1996), then searched in the order of: the table's action, actions that move
again, gains, actions that have answered before (history heuristic, Schaeffer 1989), later houses first. A value changes its sign
only where the player to move changes. No more seeds can be gained than are on the board, which bounds margins from both sides.

Endgame tables, where they are given: a position that they hold is worth what they say and is not searched. They tell a "result"
where what the stores hold and the value, or its bounds, settle who wins.

Repetition ("result" only): a position that comes back on the searched line is worth what the rules' `adjudicate` makes of it. Such
a worth holds for this line alone, so nothing that rests on an earlier position of the line enters the table.

A level of the search is one ply; its rows in the work arrays:

    states    int16[levels, A, S]       the positions after each action
    children  int64[levels, A, 4]       ORDER: the action's score; KEY; GAIN; ACTION, sorted by ORDER
    levels    int64[levels, 13]         what the search knows of the node, see the constants
    table     uint64[buckets, 4]        two entries a bucket: (key, data), (key, data); the deeper one first

An entry's data: action + 1 in 8 bits, depth in 8 bits (EXACT: searched to the end), lower bound in 24, upper bound in 24.
"""

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..kernels.history import WEIGHTS
from ..kernels.rows import copy_row
from ..rules.contract import (
    BOARD,
    LIVE,
    QUIET,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    TRUNCATED,
    Rules,
    State,
    margin,
    south_result,
)
from ..rules.jit import compiled, helper, key_on_sources, prefetch
from .tables import make_probe

WIN = 1 << 20  # more than anything that `evaluate` says
INFINITE = 1 << 22
EXACT = 255  # a depth no search reaches: nothing below was cut off by a horizon
MOST_DEPTH = 250

ORDER, KEY, GAIN, ACTION = range(4)
BETA, BEST, CHOICE, NEXT, COUNT, DEPTH, OWN_KEY, IS_EXACT, RESTS_ON, LOWER, UPPER, MOVER, KNOWN_DEPTH = range(13)
NODES, STOP, LIMIT, PROVEN, SEEDS, HALTED, GO_ON, BUCKETS = range(8)  # counters, see Work

ABORTED = INFINITE + 1  # instead of an answer


class Endgames(NamedTuple):
    """What a search is given of endgame tables.

    Args:
        seeds: of the largest layer, -1 where there is none.
        data: int8[P], values or bounds, see `Tables.data`.
    """

    seeds: int
    data: np.ndarray


NO_ENDGAMES = Endgames(-1, np.zeros(0, np.int8))


class Work(NamedTuple):
    """The arrays a search works in; see the module.

    Args:
        states, children, levels, table: as drawn above.
        masks: bool[levels, A].
        history: int64[2, A], how often an action of a player has answered a question, weighted by depth.
        line: int64[line + levels], keys of the game's positions since its last ply that cannot be undone, then of the line
            that is searched.
        counters: int64[8]. NODES, actions played so far; LIMIT, how many of them end a search; STOP, which another thread sets
            to end one; PROVEN, whether the last answer rests on no horizon; SEEDS, those of the game;
            HALTED, where the last question was aborted; GO_ON, which set to HALTED has that question gone on with from there;
            BUCKETS, how many of the table are used, a power of two.
        endgames: what is probed; the one thing here that a search only reads.
    """

    states: np.ndarray
    masks: np.ndarray
    children: np.ndarray
    levels: np.ndarray
    table: np.ndarray
    history: np.ndarray
    line: np.ndarray
    counters: np.ndarray
    endgames: Endgames


def make_work(
    rules: Rules, levels: int, buckets: int, line: int = 0, used: int | None = None, endgames: Endgames = NO_ENDGAMES
) -> Work:
    """Work arrays for searches of at most `levels` plies; a table of `buckets` (a power of two) of 32 bytes, `used` at first."""
    actions = rules.num_actions
    return Work(
        states=np.zeros((levels + 1, actions, rules.state_size), np.int16),
        masks=np.zeros((levels + 1, actions), np.bool_),
        children=np.zeros((levels + 1, actions, 4), np.int64),
        levels=np.zeros((levels + 1, 13), np.int64),
        table=np.zeros((buckets, 4), np.uint64),
        history=np.zeros((2, actions), np.int64),
        line=np.zeros(line + levels + 2, np.int64),
        counters=np.array([0, 0, 2**62, 0, 0, 0, 0, used or buckets]),
        endgames=endgames,
    )


@dataclass(frozen=True)
class Search:
    """Compiled functions.

    Attributes:
        key: key(state) -> int, of a position, as the table and the line know it.
        at_least: at_least(state, beta, depth, played, work) -> bound; whether the position is worth at least `beta` within `depth`
            plies: a lower bound of its value if it is, from `beta` on, an upper bound below `beta` if not, or ABORTED. `line`
            begins with the keys of the `played` positions that went before in the game.
        worth: worth(state) -> int, what a position that is not searched further is worth to South ("result").
        judged: judged(state) -> int, what one that has come back is worth to South ("result"); uses the state up.
        value: value(state, guess, depth, played, work) -> value, or ABORTED; by questions that begin at `guess`.
        grow: grow(work); twice as many buckets of the table are used from here on.
    """

    key: Any
    at_least: Any
    value: Any
    worth: Any
    judged: Any
    grow: Any


@functools.cache
def make_search(rules: Rules, margins: bool, tabled: bool = False) -> Search:
    """The search of a ruleset, for "margin" or for "result" values; if `tabled`, with endgame tables in its work arrays.

    Raises:
        ValueError: margins are asked of rules whose positions do not tell what is still to be gained.
    """
    if margins and (not rules.stores_only_count or rules.state_size != BOARD + 2 * rules.num_actions):
        raise ValueError(f"{rules!r}: what is still to be gained does not hang on the holes alone")
    legal, apply, evaluate, adjudicate = rules.legal, rules.apply, rules.evaluate, rules.adjudicate
    actions, state_size = rules.num_actions, rules.state_size
    repeats = rules.cycle_count > 0 and not margins
    words_size = (state_size - STORE_SOUTH) // 4
    weights = WEIGHTS[: state_size + 1].copy()
    probe: Any = make_probe(rules) if tabled else None

    @helper
    def key_of_holes(state: State) -> int:
        """Every hole has a weight of its own, so no two holes make up for each other; own side first."""
        own = BOARD + (state[TO_MOVE] & 1) * actions
        other = BOARD + actions - (state[TO_MOVE] & 1) * actions
        key = weights[0]
        for house in range(actions):
            key += state[own + house] * weights[1 + house] + state[other + house] * weights[1 + actions + house]
        return key

    @helper
    def key_of_all(state: State) -> int:
        words = state[STORE_SOUTH : STORE_SOUTH + 4 * words_size].view(np.int64)
        key = (state[TO_MOVE] + 1) * weights[TO_MOVE]
        for index in range(words_size):
            mixed = words[index] * weights[STORE_SOUTH + index]
            key += (mixed ^ (mixed >> 32)) * weights[0]
        for index in range(STORE_SOUTH + 4 * words_size, state_size):
            key += state[index] * weights[index]
        return key

    key_of = key_of_holes if margins else key_of_all

    @helper
    def all_seeds(state: State) -> int:
        seeds = 0
        for part in range(STORE_SOUTH, state_size):
            seeds += state[part]
        return seeds

    @helper
    def on_board(state: State, counters: np.ndarray) -> int:
        return counters[SEEDS] - state[STORE_SOUTH] - state[STORE_NORTH]

    @helper
    def worth(state: State) -> int:
        """What a position that is not searched further is worth to South."""
        return int(evaluate(state)) if state[STATUS] == LIVE else WIN * south_result(state[STATUS])

    @helper
    def settled(after: State, mover: int, gain: int, work: Work) -> tuple[bool, int]:
        """Whether tables settle what a live position is worth to `mover`, who gained so much on the way, and what that is."""
        held, least, most = probe(after, work.endgames.data, work.endgames.seeds)
        if not held:
            return False, 0
        if after[TO_MOVE] != mover:
            least, most = -most, -least
        if margins:
            return least == most, gain + least
        banked = (1 - 2 * mover) * margin(after)
        least, most = banked + least, banked + most
        if least > 0:
            return True, WIN
        if most < 0:
            return True, -WIN
        return least == most, 0

    @helper
    def place(key: int, table: np.ndarray) -> np.uint64:
        return (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & np.uint64(len(table) - 1)

    @helper
    def entry(key: int, table: np.ndarray) -> np.uint64:
        """The data of a position; 0 if it is not there."""
        bucket = place(key, table)
        if table[bucket, 0] == np.uint64(key):
            return table[bucket, 1]
        if table[bucket, 2] == np.uint64(key):
            return table[bucket, 3]
        return np.uint64(0)

    @helper
    def lower_of(data: np.uint64) -> int:
        return int(data >> np.uint64(24) & np.uint64(0xFFFFFF)) - (1 << 23)

    @helper
    def upper_of(data: np.uint64) -> int:
        return int(data & np.uint64(0xFFFFFF)) - (1 << 23)

    @helper
    def depth_of(data: np.uint64) -> int:
        return int(data >> np.uint64(48) & np.uint64(0xFF))

    @helper
    def action_of(data: np.uint64) -> int:
        """-1 if there is none."""
        return int(data >> np.uint64(56)) - 1

    @helper
    def enter(key: int, action: int, depth: int, lower: int, upper: int, table: np.ndarray) -> None:
        data = (
            np.uint64(action + 1) << np.uint64(56)
            | np.uint64(depth) << np.uint64(48)
            | np.uint64(lower + (1 << 23)) << np.uint64(24)
            | np.uint64(upper + (1 << 23))
        )
        bucket = place(key, table)
        first_is_it = table[bucket, 0] == np.uint64(key)
        if not first_is_it and depth < depth_of(table[bucket, 1]) and table[bucket, 2] != np.uint64(key):
            table[bucket, 2] = np.uint64(key)
            table[bucket, 3] = data
            return
        if not first_is_it:
            if table[bucket, 2] == np.uint64(key):
                table[bucket, 3] = data
                return
            table[bucket, 2] = table[bucket, 0]
            table[bucket, 3] = table[bucket, 1]
        table[bucket, 0] = np.uint64(key)
        table[bucket, 1] = data

    @compiled
    def grow(work: Work) -> None:
        """See `Search`."""
        buckets = work.counters[BUCKETS]
        table = work.table[: 2 * buckets]
        for bucket in range(buckets):
            kept = moved = 0
            for slot in (0, 2):
                key, data = table[bucket, slot], table[bucket, slot + 1]
                if data == np.uint64(0):
                    continue
                table[bucket, slot] = table[bucket, slot + 1] = np.uint64(0)
                if place(np.int64(key), table) == np.uint64(bucket):
                    table[bucket, kept], table[bucket, kept + 1] = key, data
                    kept += 2
                else:
                    table[bucket + buckets, moved], table[bucket + buckets, moved + 1] = key, data
                    moved += 2
        work.counters[BUCKETS] = 2 * buckets

    @compiled
    def judged(state: State) -> int:
        """What a position that has come back is worth to South; the state is used up."""
        adjudicate(state)
        return worth(state)

    @helper
    def repeated(key: int, quiet: int, length: int, line: np.ndarray) -> int:
        """Where in the line, of `length` keys, a position has occurred since the last ply that cannot be undone, or -1."""
        first = max(0, length - quiet)
        for index in range(length - 1, first - 1, -1):
            if line[index] == key:
                return index
        return -1

    @helper
    def open_node(
        level: int,
        state: State,
        key: int,
        beta: int,
        depth: int,
        lower: int,
        upper: int,
        known: np.uint64,
        played: int,
        work: Work,
    ) -> bool:
        """Play all actions of a position; whether that answers the question. If not, its children lie ready in their order."""
        node, mask, child = work.levels[level], work.masks[level], work.children[level]
        states, line, counters = work.states, work.line, work.counters
        table = work.table[: counters[BUCKETS]]
        mover = np.int64(state[TO_MOVE])
        side = 1 - 2 * mover
        node[BETA], node[DEPTH], node[OWN_KEY], node[MOVER] = beta, depth, key, mover
        node[BEST], node[CHOICE], node[NEXT], node[COUNT] = -INFINITE, -1, 0, 0
        node[IS_EXACT], node[RESTS_ON] = 1, level + played
        node[LOWER], node[UPPER], node[KNOWN_DEPTH] = lower, upper, depth_of(known)
        from_table = action_of(known)
        legal(state, mask)
        count = 0
        before = margin(state)
        for action in range(actions - 1, -1, -1):
            if not mask[action]:
                continue
            after = states[level, count]
            copy_row(state, after)
            apply(after, action)
            counters[NODES] += 1
            gain = side * (margin(after) - before) if margins else 0
            status = after[STATUS]
            is_leaf = status != LIVE
            found = gain if margins else side * worth(after)
            again = after[TO_MOVE] == mover
            exact = True
            if status in (LIVE, TRUNCATED):
                after_key = key_of(after)
                if repeats and after[QUIET] > 0:
                    at = repeated(after_key, np.int64(after[QUIET]), level + played + 1, line)
                    if at >= 0:
                        is_leaf = True
                        after[STATUS] = LIVE
                        found = side * judged(after)
                        if at >= played:
                            node[RESTS_ON] = min(node[RESTS_ON], at)
                if tabled and not is_leaf:
                    is_settled, worth_it = settled(after, mover, gain, work)
                    if is_settled:
                        is_leaf, found = True, worth_it
                if not is_leaf and depth == 1:
                    is_leaf, exact = True, False
            if is_leaf:
                node[IS_EXACT] &= exact
                if found > node[BEST]:
                    node[BEST], node[CHOICE] = found, action
                    if found >= beta:
                        node[IS_EXACT] = exact
                        return True
                continue
            if margins:  # no more can be gained or lost than what lies on the board
                left = on_board(after, counters)
                if gain - left >= beta:
                    node[BEST], node[CHOICE] = gain - left, action
                    return True
                if gain + left < beta:
                    node[BEST] = max(node[BEST], gain + left)
                    continue
            if margins:
                score = 5 * gain + action + again * (20 + 2 * action)
            else:
                score = work.history[mover, action] + (1 << 40 if again else np.int64(found) << 20)
            if action == from_table:
                score += 1 << 50
            if depth > 2:
                prefetch(table, place(after_key, table))
            place_in_order = count
            while place_in_order > 0 and child[place_in_order - 1, ORDER] < score:
                place_in_order -= 1
            for index in range(count, place_in_order, -1):
                for part in range(4):
                    child[index, part] = child[index - 1, part]
            child[place_in_order, ORDER] = score
            child[place_in_order, KEY] = after_key
            child[place_in_order, GAIN] = gain
            child[place_in_order, ACTION] = action | count << 16
            count += 1
        node[COUNT] = count
        if depth > 2:
            for index in range(count):
                data = entry(child[index, KEY], table)
                if depth_of(data) >= depth - 1:
                    again = states[level, child[index, ACTION] >> 16, TO_MOVE] == mover
                    sure = child[index, GAIN] + (lower_of(data) if again else -upper_of(data))
                    if sure >= beta:
                        node[BEST], node[CHOICE] = sure, child[index, ACTION] & 0xFFFF
                        node[IS_EXACT] = depth_of(data) == EXACT
                        return True
        return count == 0

    @compiled
    def at_least(
        root: State,
        root_beta: int,
        root_depth: int,
        played: int,
        work: Work,
    ) -> int:
        """See `Search`."""
        states, children, levels, counters = work.states, work.children, work.levels, work.counters
        table = work.table[: counters[BUCKETS]]
        goes_on, level = counters[GO_ON] > 0, max(0, counters[GO_ON] - 1)
        counters[GO_ON] = 0
        counters[SEEDS] = all_seeds(root) if margins else 0
        state, key, beta, depth = root, key_of(root), root_beta, root_depth
        answer = 0
        while True:
            # a new node: what the table and the seeds left say of it, or its children
            lower, upper = -INFINITE, INFINITE
            if margins:
                upper = on_board(state, counters)
                lower = -upper
            answered = False
            rests_on, is_exact = level + played, True
            if goes_on:  # no new one: that at which it was aborted has another child to ask
                goes_on = False
            elif upper < beta:
                answer, answered = upper, True
            elif lower >= beta:
                answer, answered = lower, True
            else:
                known = np.uint64(0)
                if depth > 1:
                    known = entry(key, table)
                if depth_of(known) >= depth:
                    lower, upper = max(lower, lower_of(known)), min(upper, upper_of(known))
                    is_exact = depth_of(known) == EXACT
                    if lower >= beta:
                        answer, answered = lower, True
                    elif upper < beta:
                        answer, answered = upper, True
                if not answered:
                    if repeats:
                        work.line[level + played] = key
                    if open_node(
                        level,
                        state,
                        key,
                        beta,
                        depth,
                        lower,
                        upper,
                        known,
                        played,
                        work,
                    ):
                        answered = True
                        answer = levels[level, BEST]
                        is_exact = levels[level, IS_EXACT] != 0
                        rests_on = levels[level, RESTS_ON]
                        if depth > 1 and rests_on >= level + played:
                            close(level, levels, table)
            # hand answers up until a node has another child to ask
            while True:
                if answered:
                    if level == 0:
                        counters[PROVEN] = is_exact
                        return answer
                    level -= 1
                    node = levels[level]
                    at = node[NEXT] - 1
                    child = children[level, at]
                    slot = child[ACTION] >> 16
                    again = states[level, slot, TO_MOVE] == node[MOVER]
                    found = child[GAIN] + answer if again else child[GAIN] - answer
                    node[IS_EXACT] &= is_exact
                    if rests_on < level + 1 + played:
                        node[RESTS_ON] = min(node[RESTS_ON], rests_on)
                    if found > node[BEST]:
                        node[BEST], node[CHOICE] = found, child[ACTION] & 0xFFFF
                        if found >= node[BETA]:
                            node[IS_EXACT] = is_exact
                            work.history[node[MOVER], node[CHOICE]] += min(node[DEPTH], 30) ** 2
                            node[COUNT] = 0
                node = levels[level]
                if node[NEXT] < node[COUNT]:
                    break
                answered = True
                answer, is_exact, rests_on = node[BEST], node[IS_EXACT] != 0, node[RESTS_ON]
                if rests_on >= level + played:
                    close(level, levels, table)
            if counters[STOP] != 0 or counters[NODES] >= counters[LIMIT]:
                counters[HALTED] = level + 1
                return ABORTED
            child = children[level, node[NEXT]]
            node[NEXT] += 1
            slot = child[ACTION] >> 16
            state, key, depth = states[level, slot], child[KEY], node[DEPTH] - 1
            if state[TO_MOVE] == node[MOVER]:
                beta = node[BETA] - child[GAIN]
            else:
                beta = child[GAIN] - node[BETA] + 1
            level += 1

    @helper
    def close(level: int, levels: np.ndarray, table: np.ndarray) -> None:
        """Enter into the table what was found out about a node."""
        node = levels[level]
        lower, upper, found, choice = node[LOWER], node[UPPER], node[BEST], node[CHOICE]
        if found >= node[BETA]:
            lower = max(lower, found)
        else:
            upper = min(upper, found)
            choice = -1
        depth = EXACT if node[IS_EXACT] else node[DEPTH]
        if depth > node[KNOWN_DEPTH] > 0:  # what a shallower search said of the other side holds no longer
            lower, upper = (found, INFINITE) if found >= node[BETA] else (-INFINITE, found)
        enter(node[OWN_KEY], choice, depth, lower, upper, table)

    @compiled
    def value(
        root: State,
        guess: int,
        depth: int,
        played: int,
        work: Work,
    ) -> int:
        """See `Search`."""
        lower, upper = -INFINITE, INFINITE
        while lower < upper:
            beta = guess + 1 if guess == lower else guess
            guess = at_least(root, beta, depth, played, work)
            if guess == ABORTED:
                return ABORTED
            if guess >= beta:
                lower = guess
            else:
                upper = guess
        return guess

    for function in (at_least, value, judged, grow):
        key_on_sources(function)
    return Search(key_of, at_least, value, worth, judged, grow)
