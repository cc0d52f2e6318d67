"""Oware Nam Nam told a second time, for tests: plain Python, as near to the wording of the rules as can be, and slow."""

LONGEST_TURN = 1000  # laps; a turn that has not ended by then is endless


class Match:
    """A match in progress; `play` changes it.

    Args:
        no_seeds, ownership_choice, round_starter, max_rounds, cycle_rule, cycle_count, max_plies: the options of the game.
        one_round: the game is a single round.
        holes, stores, to_move, owners, round, starter, to_place: where to start, if not at the opening.
    """

    def __init__(
        self,
        no_seeds="pass",
        ownership_choice="leader_chooses",
        round_starter="alternate",
        max_rounds=20,
        cycle_rule="own_side",
        cycle_count=3,
        max_plies=5000,
        one_round=False,
        holes=(4,) * 12,
        stores=(0, 0),
        to_move=0,
        owners=(0,) * 6 + (1,) * 6,
        round=0,
        starter=0,
        to_place=0,
    ):
        self.must_feed = no_seeds == "must_feed"
        self.leader_chooses = ownership_choice == "leader_chooses"
        self.loser_starts = round_starter == "loser"
        self.max_rounds = max_rounds
        self.cycle_count = cycle_count if cycle_rule == "own_side" else None
        self.max_plies = max_plies
        self.one_round = one_round

        self.holes = list(holes)
        self.stores = list(stores)
        self.to_move = to_move
        self.owners = list(owners)
        self.round = round
        self.starter = starter
        self.to_place = to_place

        self.over = False
        self.winner = None
        self.reason = None
        self.plies = 0
        self.positions = []  # of this round, at the start of each turn
        self.met = set()  # what rare things have happened, for the tests
        if self.to_place:
            self.choose_starter()
        else:
            self.begin_turn()

    def legal(self):
        if self.over:
            return []
        return [action for action in range(12) if self.may_play(action)]

    def may_play(self, action):
        mover = self.to_move
        hole = self.hole_of(action)
        if self.to_place:
            return hole in row_of(1 - mover) and self.owners[hole] == 1 - mover
        if self.owners[hole] != mover or self.holes[hole] == 0:
            return False
        if self.must_feed and not self.has_seeds(1 - mover):
            return self.feeds(hole)
        return True

    def hole_of(self, action):
        return (action + 6 * self.to_move) % 12

    def has_seeds(self, player):
        return seeds_of(player, self.holes, self.owners) > 0

    def feeds(self, hole):
        """Whether the other player has seeds to go on with when the turn from this hole is over."""
        how, holes, _ = self.turn(hole)
        if how != "turn over":
            self.met.add(f"hungry, {how}")
        return how == "turn over" and seeds_of(1 - self.to_move, holes, self.owners) > 0

    def play(self, action):
        assert action in self.legal()
        self.plies += 1
        if self.to_place:
            self.owners[self.hole_of(action)] = self.to_move
            self.to_place -= 1
            if self.to_place == 0:
                self.begin_round()
        else:
            how, holes, stores = self.turn(self.hole_of(action))
            self.to_move = 1 - self.to_move
            if how == "endless":
                self.met.add("endless round")
                self.bank_owned_holes()
                self.end_round("endless_turn")
            else:
                self.holes, self.stores = holes, stores
                if how == "round over":
                    self.end_round("captured_all")
                else:
                    self.begin_turn()
        self.stop_at_the_limit()

    def stop_at_the_limit(self):
        if self.plies >= self.max_plies and not self.over:
            self.over = True
            self.reason = "max_plies"

    def turn(self, start):
        """All laps from this hole: how it ends, the holes and the stores then."""
        mover = self.to_move
        holes = list(self.holes)
        stores = list(self.stores)
        for _ in range(LONGEST_TURN):
            hand = holes[start]
            holes[start] = 0
            hole = start
            while hand > 0:
                hole = (hole + 1) % 12
                holes[hole] += 1
                hand -= 1
                if holes[hole] == 4:
                    left = sum(holes) + hand
                    taker = mover if hand == 0 else self.owners[hole]
                    holes[hole] = 0
                    stores[taker] += 4
                    if left <= 8:  # eight, in a game that was not set up with seeds missing
                        stores[taker] += left - 4
                        return "round over", [0] * 12, stores
                    if hand == 0:
                        return "turn over", holes, stores
            if holes[hole] == 1:
                return "turn over", holes, stores
            start = hole
        return "endless", None, None

    def begin_turn(self):
        if sum(self.holes) == 0:
            self.end_round("captured_all")
            return
        if not self.has_seeds(self.to_move):
            self.met.add("pass")
            self.to_move = 1 - self.to_move
        if self.must_feed and not self.has_seeds(1 - self.to_move):
            self.met.add("hungry")
            if self.legal() == []:
                self.met.add("cannot feed")
                self.bank_owned_holes()
                self.end_round("no_moves")
                return
        position = (list(self.holes), self.to_move)
        self.positions.append(position)
        if self.positions.count(position) == self.cycle_count:
            self.met.add("repeated round")
            self.bank_owned_holes()
            self.end_round("cycle")

    def bank_owned_holes(self):
        for hole in range(12):
            self.stores[self.owners[hole]] += self.holes[hole]
            self.holes[hole] = 0

    def end_round(self, why):
        if self.one_round:
            self.end_game(why, self.stores)
        elif 12 in self.holes_earned():  # with 48 seeds, or with 47 and the odd hole
            self.end_game("captured_all", self.stores)
        elif self.round + 1 == self.max_rounds:
            self.end_game("max_rounds", self.holes_earned())
        else:
            self.prepare_round()

    def end_game(self, reason, scores):
        self.over = True
        self.reason = reason
        if scores[0] != scores[1]:
            self.winner = 0 if scores[0] > scores[1] else 1

    def holes_earned(self):
        """How many holes each player fills with four seeds; a hole that both must fill goes by who has more of its seeds."""
        earned = [self.stores[0] // 4, self.stores[1] // 4]
        rest = [self.stores[0] % 4, self.stores[1] % 4]
        if rest != [0, 0]:
            self.met.add(f"odd hole {sorted(rest)}")
            if rest[0] == rest[1]:
                trailing = 0 if self.stores[0] < self.stores[1] else 1
                earned[trailing] += 1
            elif rest[0] > rest[1]:
                earned[0] += 1
            else:
                earned[1] += 1
        return earned

    def choose_starter(self):
        if not self.loser_starts:
            self.next_starter = (self.round + 1) % 2
        elif self.stores[0] != self.stores[1]:
            self.next_starter = 0 if self.stores[0] < self.stores[1] else 1
        else:
            self.next_starter = self.to_move  # nobody lost: no rule says who starts; here whose turn it would be

    def prepare_round(self):
        self.choose_starter()
        self.owners = [0] * 6 + [1] * 6
        if self.stores[0] == self.stores[1]:
            self.met.add("24:24")
            self.begin_round()
            return
        leader = 0 if self.stores[0] > self.stores[1] else 1
        to_place = self.holes_earned()[leader] - 6
        if to_place == 0:
            self.begin_round()
        elif self.leader_chooses:
            self.to_place = to_place
            self.to_move = leader
        else:
            last_own_hole = 6 * leader + 5
            for step in range(1, to_place + 1):
                self.owners[(last_own_hole + step) % 12] = leader
            self.begin_round()

    def begin_round(self):
        self.round += 1
        self.starter = self.next_starter
        self.holes = [4] * 12
        self.stores = [0, 0]
        self.to_move = self.starter
        self.positions = []
        self.begin_turn()


def row_of(player):
    return range(6 * player, 6 * player + 6)


def seeds_of(player, holes, owners):
    return sum(holes[hole] for hole in range(12) if owners[hole] == player)
