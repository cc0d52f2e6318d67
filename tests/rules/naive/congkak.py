"""Congkak told a second time, for tests: plain Python, as near to the wording of the rules as can be, and slow."""

STORE = "own store"


class Match:
    """A match in progress; `play` changes it.

    Args:
        houses, seeds, direction, no_move, empty_opposite, min_holes, max_rounds, max_plies: the options of the game.
        one_round: the game is a single round.
        holes, stores, to_move, burnt, round, starter: where to start, if not at the opening; `burnt` is a flag a hole.
    """

    def __init__(
        self,
        houses=7,
        seeds=7,
        direction="cw",
        no_move="end_round",
        empty_opposite="bank",
        min_holes=1,
        max_rounds=20,
        max_plies=5000,
        one_round=False,
        holes=None,
        stores=(0, 0),
        to_move=0,
        burnt=None,
        round=0,
        starter=0,
    ):
        self.houses = houses
        self.seeds = seeds
        self.clockwise = direction == "cw"
        self.passes = no_move == "pass"
        self.leaves = empty_opposite == "leave"
        self.min_holes = min_holes
        self.max_rounds = max_rounds
        self.max_plies = max_plies
        self.one_round = one_round

        self.holes = [seeds] * (2 * houses) if holes is None else list(holes)
        self.stores = list(stores)
        self.to_move = to_move
        self.burnt = [0] * (2 * houses) if burnt is None else list(burnt)
        self.round = round
        self.starter = starter

        self.over = False
        self.winner = None
        self.reason = None
        self.plies = 0
        self.met = set()  # what rare things have happened, for the tests
        self.begin_turn()

    def legal(self):
        if self.over:
            return []
        return [action for action in range(self.houses) if self.holes[self.row_of(self.to_move)[action]] > 0]

    def row_of(self, player):
        """The holes of a player, from his left to his right."""
        return list(range(self.houses * player, self.houses * player + self.houses))

    def from_the_store_outwards(self, player):
        """His holes again, that next to his store first: the store is at his left, counter-clockwise at his right."""
        row = self.row_of(player)
        return row if self.clockwise else row[::-1]

    def row_seeds(self, player):
        return sum(self.holes[hole] for hole in self.row_of(player))

    def way_around(self, player):
        """What he sows, in order: holes that are not burnt, and his own store."""
        towards_the_store = self.from_the_store_outwards(player)[::-1]
        away_from_it = self.from_the_store_outwards(1 - player)[::-1]
        way = [*towards_the_store, STORE, *away_from_it]
        return [place for place in way if place == STORE or not self.burnt[place]]

    def play(self, action):
        assert action in self.legal()
        self.plies += 1
        mover = self.to_move
        moves_again = self.turn(mover, self.row_of(mover)[action])
        if not moves_again:
            self.to_move = 1 - mover
        self.begin_turn()
        if self.plies >= self.max_plies and not self.over:
            self.over = True
            self.reason = "max_plies"

    def turn(self, mover, start):
        """All laps from this hole; whether he moves again."""
        way = self.way_around(mover)
        place = start
        while True:
            hand = self.holes[place]
            self.holes[place] = 0
            step = way.index(place)
            if hand == len(way) and place == start:
                self.met.add("full circuit")
            while hand > 0:
                step = (step + 1) % len(way)
                place = way[step]
                if place == STORE:
                    self.stores[mover] += 1
                else:
                    self.holes[place] += 1
                hand -= 1
            if place == STORE:
                return True
            if self.holes[place] == 1:
                break
        if place in self.row_of(mover):
            opposite = 2 * self.houses - 1 - place
            if self.burnt[opposite]:
                self.met.add("opposite burnt")
            if self.holes[opposite] == 0 and self.leaves:
                self.met.add("opposite left")
            else:
                self.stores[mover] += 1 + self.holes[opposite]
                self.holes[place] = 0
                self.holes[opposite] = 0
        return False

    def begin_turn(self):
        mover = self.to_move
        if self.row_seeds(mover) > 0:
            return
        if self.passes and self.row_seeds(1 - mover) > 0:
            self.met.add("pass")
            self.to_move = 1 - mover
            return
        self.stores[1 - mover] += self.row_seeds(1 - mover)
        self.holes = [0] * (2 * self.houses)
        self.end_round()

    def end_round(self):
        self.round += 1
        if self.one_round:
            self.end_game("no_moves")
            return
        fillable = [self.stores[player] // self.seeds for player in (0, 1)]
        if min(fillable) < self.min_holes:
            self.end_game("no_moves")
        elif self.round == self.max_rounds:
            self.end_game("max_rounds")
        else:
            self.begin_round()

    def end_game(self, reason):
        """The player with more seeds wins: one who cannot fill his holes has fewer, unless neither can."""
        self.over = True
        self.reason = reason
        if self.stores[0] != self.stores[1]:
            self.winner = 0 if self.stores[0] > self.stores[1] else 1

    def begin_round(self):
        if self.stores[0] != self.stores[1]:
            self.starter = 0 if self.stores[0] < self.stores[1] else 1
        else:
            self.met.add("equal round")
        was_burnt = self.burnt
        self.burnt = [1] * (2 * self.houses)
        for player in (0, 1):
            for hole in self.from_the_store_outwards(player):
                if self.stores[player] >= self.seeds:
                    self.stores[player] -= self.seeds
                    self.holes[hole] = self.seeds
                    self.burnt[hole] = 0
                    if was_burnt[hole]:
                        self.met.add("regained")
        self.to_move = self.starter
        self.begin_turn()
