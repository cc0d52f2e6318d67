"""Bao la Kujifunza and Bao la Kiswahili a second time, written from the rules alone and as plainly as they read.

A player's ring: 0..7 is his front row from his left to his right, 8..15 his back row from his right to his left; +1 is clockwise.
His front hole h faces the other's front hole 7 - h; the nyumba is front hole 4. Action: hole * 2 + (1 = clockwise), + 32 = safari.
"""

FRONT = range(8)
NYUMBA = 4
LAPS = 1000


class Bao:
    """Both games; what only one of them has stands idle in the other."""

    def __init__(
        self,
        holes,
        hands,
        nyumba,
        to_move,
        *,
        capture_direction="current",
        skip_origin=False,
        lone_kichwa="center",
        front_check="immediate",
        takasia=True,
        takasia_obligation=False,
        infinite_turn="illegal",
        singles_rule="functional",
        mtaji_house="forced",
        max_plies=1000,
    ):
        self.rings = [list(holes[:16]), list(holes[16:])]
        self.hands = list(hands)
        self.nyumba = [bool(owned) for owned in nyumba]
        self.to_move = to_move
        self.blocked = None  # the hole of the player to move from which he may not start
        self.owed = None  # the hole of the other player that the player to move must capture if he can
        self.pending = 0
        self.capture_direction = capture_direction
        self.skip_origin = skip_origin
        self.lone_kichwa = lone_kichwa
        self.front_check = front_check
        self.takasia = takasia
        self.takasia_obligation = takasia_obligation
        self.infinite_turn = infinite_turn
        self.singles_rule = singles_rule
        self.mtaji_house = mtaji_house
        self.max_plies = max_plies
        self.plies = 0
        self.over = False
        self.winner = None
        self.reason = None
        self.met = set()  # what happened in the last turn, for the tests to count
        self.laps = 0
        self.taken = set()  # the holes captured in this turn
        self.reached_house = False
        self.begin_turn()

    @property
    def holes(self):
        return self.rings[0] + self.rings[1]

    def copy(self):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.rings = [list(ring) for ring in self.rings]
        other.hands = list(self.hands)
        other.nyumba = list(self.nyumba)
        other.met = set()
        return other

    # ---- what may be played

    def legal(self):
        return [] if self.over else self.actions

    def allowed(self):
        """The legal actions of the player to move; they are found once, when his turn begins."""
        actions = []
        capturing = self.capturing_starts(self.to_move)
        for action in capturing or self.takata_starts(self.to_move):
            if action // 2 == self.blocked:
                continue
            actions.append(action)
            if capturing:
                trial = self.copy()
                trial.turn(action)
                if trial.reached_house:
                    actions.append(action + 32)
        if self.infinite_turn == "illegal":
            actions = [action for action in actions if self.copy().turn(action) != "endless"]
        if self.owed is not None:
            paying = []
            for action in actions:
                trial = self.copy()
                trial.turn(action)
                if self.owed in trial.taken:
                    paying.append(action)
            actions = paying or actions
        return sorted(actions)

    def capturing_starts(self, player):
        """Actions that begin with a capture."""
        own, other = self.rings[player], self.rings[1 - player]
        actions = []
        if self.hands[player] > 0:
            for hole in FRONT:
                if own[hole] > 0 and other[7 - hole] > 0:
                    if hole not in (0, 1):  # from the right
                        actions.append(hole * 2)
                    if hole not in (6, 7):  # from the left
                        actions.append(hole * 2 + 1)
        else:
            actions = [action for action in range(32) if self.captured_by_first_lap(player, action) is not None]
        return actions

    def captured_by_first_lap(self, player, action):
        """The opponent's hole that the first lap of a start in the mtaji stage captures, or None."""
        own, other = list(self.rings[player]), self.rings[1 - player]
        hole, direction = action // 2, 1 if action % 2 else -1
        seeds = own[hole]
        if not 2 <= seeds <= 15:
            return None
        own[hole] = 0
        last = self.sow(own, hole, direction, seeds)
        if last in FRONT and own[last] > 1 and other[7 - last] > 0:
            return 7 - last
        return None

    def takata_starts(self, player):
        own = self.rings[player]
        front = [hole for hole in FRONT if own[hole] > 0]
        if self.hands[player] > 0:
            if self.functional(player):
                starts = [hole for hole in front if hole != NYUMBA]
                if not starts:
                    starts = [NYUMBA]  # the tax
            elif self.nyumba[player] and self.singles_rule == "owned":
                starts = front
            else:
                starts = [hole for hole in front if own[hole] >= 2]
                if not starts:
                    starts = front
        else:
            starts = [hole for hole in FRONT if own[hole] >= 2]
            if not starts:
                starts = [hole for hole in range(8, 16) if own[hole] >= 2]
        actions = []
        for hole in starts:
            for clockwise in (0, 1):
                if self.lone_kichwa == "center" and front == [hole]:
                    if hole == 0 and not clockwise:
                        continue
                    if hole == 7 and clockwise:
                        continue
                actions.append(hole * 2 + clockwise)
        return actions

    def functional(self, player):
        return self.nyumba[player] and self.rings[player][NYUMBA] >= 6

    # ---- one turn

    def turn(self, action):
        """Play all laps of an action; "ended", "won", "lost", "endless" or "won for ever"."""
        me, you = self.to_move, 1 - self.to_move
        own, other = self.rings[me], self.rings[you]
        capturing = bool(self.capturing_starts(me))
        namua = self.namua = self.hands[me] > 0
        safari = action >= 32
        hole, direction = action % 32 // 2, 1 if action % 2 else -1
        first_direction = direction
        self.laps = 0
        self.taken = set()
        self.reached_house = False
        self.met.add(("namua" if namua else "mtaji") + (" capture" if capturing else " takata"))
        if not capturing and hole in (0, 7) and [front for front in FRONT if own[front] > 0] == [hole]:
            self.met.add("lone kichwa")

        captured = 0  # seeds to sow from a kichwa
        lifted = 0  # seeds to sow from `hole`
        if namua:
            taxed = not capturing and hole == NYUMBA and self.functional(me)
            self.hands[me] -= 1
            own[hole] += 1
            if capturing:
                captured = self.capture(7 - hole)
                if self.front_check == "immediate" and self.front_row_is_empty(you):
                    self.pending = captured
                    return "won"
            elif taxed:
                self.met.add("tax")
                lifted = 2
                own[NYUMBA] -= 2
            else:
                if own[hole] == 2:
                    self.met.add("single starts")
                if hole == NYUMBA and self.nyumba[me]:
                    self.met.add("dormant nyumba starts")
                lifted = self.lift(hole)
        else:
            lifted = self.lift(hole)

        while True:
            if self.laps == LAPS:
                if self.front_check == "turn_end" and self.front_row_is_empty(you):
                    self.met.add("won for ever")
                    return "won for ever"
                return "endless"
            if lifted >= 16:
                self.met.add("relay of 16+" if self.laps else "start of 16+")
            if captured:
                kichwa = 0 if direction == 1 else 7
                last = self.sow(own, kichwa - direction, direction, captured)
            elif self.skip_origin:
                last = self.sow(own, hole, direction, lifted, skipped=hole)
            else:
                last = self.sow(own, hole, direction, lifted)
            self.laps += 1
            captured = lifted = 0

            # 1: the own front row is empty
            if self.front_check == "immediate" and self.front_row_is_empty(me):
                self.met.add("lost in mid-turn")
                return "lost"
            # 2: the last hole was empty
            if own[last] == 1:
                return "ended"
            # 3: a capture
            if capturing and last in FRONT and other[7 - last] > 0:
                captured = self.capture(7 - last)
                if self.front_check == "immediate" and self.front_row_is_empty(you):
                    self.pending = captured
                    return "won"
                before = direction
                if last in (0, 1):
                    direction = 1
                elif last in (6, 7):
                    direction = -1
                elif self.capture_direction == "first_lap":
                    direction = first_direction
                    if direction != before:
                        self.met.add("back to the first lap's direction")
                if direction != before and self.laps > 1:
                    self.met.add("reversed in mid-turn")
                continue
            # 4: the own functional nyumba
            if last == NYUMBA and self.functional(me):
                if namua and not capturing:
                    self.met.add("takata ends in the nyumba")
                    return "ended"
                if capturing and (namua or self.mtaji_house == "choice"):
                    self.reached_house = True
                    stage = "" if namua else "mtaji "
                    if not safari:
                        self.met.add(stage + "stop")
                        return "ended"
                    self.met.add(stage + "safari" + (" in mid-turn" if self.laps > 1 else ""))
            # 5: a blocked hole
            if not capturing and not namua and last == self.blocked:
                self.met.add("stopped in the blocked hole")
                return "ended"
            # 6: lift all, go on
            lifted = self.lift(last)
            hole = last

    def sow(self, ring, hole, direction, seeds, skipped=None):
        """Sow into the holes after `hole`; the last one."""
        while seeds > 0:
            hole = (hole + direction) % 16
            if hole == skipped:
                continue
            ring[hole] += 1
            seeds -= 1
        return hole

    def lift(self, hole):
        """All seeds of an own hole; a lifted nyumba is lost for good."""
        ring = self.rings[self.to_move]
        seeds = ring[hole]
        ring[hole] = 0
        if hole == NYUMBA and self.nyumba[self.to_move]:
            self.nyumba[self.to_move] = False
            self.met.add("nyumba lifted")
        return seeds

    def capture(self, hole):
        """All seeds of a hole of the opponent; a captured nyumba is lost for good."""
        me, you = self.to_move, 1 - self.to_move
        seeds = self.rings[you][hole]
        self.rings[you][hole] = 0
        self.taken.add(hole)
        if hole == NYUMBA and self.nyumba[you]:
            self.nyumba[you] = False
            self.met.add("nyumba captured")
        if not self.namua and self.mtaji_house == "forced":  # ownership ends at its owner's first capture in the mtaji stage
            self.nyumba[me] = False
        return seeds

    def front_row_is_empty(self, player):
        return all(self.rings[player][hole] == 0 for hole in FRONT)

    # ---- the game

    def play(self, action):
        assert action in self.legal()
        me, you = self.to_move, 1 - self.to_move
        before = self.copy()
        capturing = bool(self.capturing_starts(me))
        namua = self.hands[me] > 0
        self.met = set()
        end = self.turn(action)
        self.plies += 1
        blocked, owed = self.blocked, self.owed
        self.blocked = self.owed = None
        if owed is not None:
            self.met.add("obligation kept")
        if end == "endless":
            self.rings, self.hands, self.nyumba = before.rings, before.hands, before.nyumba
            self.met = {"endless"}
            self.end(you if self.infinite_turn == "loss" else None, "endless_turn")
        elif end == "won for ever":  # the board of an endless turn is that before it
            self.rings, self.hands, self.nyumba = before.rings, before.hands, before.nyumba
            self.end(me, "front_row")
        elif end == "won":
            self.end(me, "front_row")
        elif end == "lost" or self.front_row_is_empty(me):
            self.end(you, "front_row")
        elif self.front_row_is_empty(you):
            self.end(me, "front_row")
        else:
            self.to_move = you
            if self.takasia and not capturing and not namua:
                self.blocked = self.hole_to_block()
                if self.blocked is not None:
                    self.met.add("takasia")
            if self.takasia_obligation and blocked is not None:
                self.owed = blocked
                with_it = self.allowed()
                self.owed = None
                if with_it != self.allowed():  # a duty that leaves nothing out is none
                    self.owed = blocked
            self.begin_turn()
        if not self.over and self.plies >= self.max_plies:
            self.end(None, "max_plies")

    def hole_to_block(self):
        """The hole of the player now to move that the takata just played blocks, or None."""
        victim, blocker = self.to_move, 1 - self.to_move
        if self.capturing_starts(victim):
            return None
        targets = {self.captured_by_first_lap(blocker, action) for action in self.capturing_starts(blocker)}
        if len(targets) != 1:
            return None
        target = targets.pop()
        ring = self.rings[victim]
        if ring[target] == 1:
            self.met.add("takasia: single spared")
            return None
        if [hole for hole in FRONT if ring[hole] > 0] == [target]:
            self.met.add("takasia: only occupied hole spared")
            return None
        if [hole for hole in FRONT if ring[hole] >= 2] == [target]:
            self.met.add("takasia: only hole with 2+ spared")
            return None
        if target == NYUMBA and self.functional(victim):
            self.met.add("takasia: nyumba spared")
            return None
        return target

    def begin_turn(self):
        me, you = self.to_move, 1 - self.to_move
        self.actions = self.allowed()
        if self.front_row_is_empty(you):  # he has just moved: his own row comes first
            self.end(me, "front_row")
        elif self.front_row_is_empty(me):
            self.end(you, "front_row")
        elif not self.actions:
            if self.capturing_starts(me) or self.takata_starts(me):
                self.met.add("no finite start")
            self.end(you, "no_moves")

    def end(self, winner, reason):
        self.over, self.winner, self.reason = True, winner, reason


class Kujifunza(Bao):
    def __init__(self, holes=None, to_move=0, *, takasia=False, **options):
        super().__init__([2] * 32 if holes is None else holes, [0, 0], [0, 0], to_move, takasia=takasia, **options)


class Kiswahili(Bao):
    def __init__(self, holes=None, hands=None, nyumba=None, to_move=0, *, setup="zanzibar", **options):
        house, in_hand = {"zanzibar": (6, 22), "malawi": (8, 20)}[setup]
        opening = ([0] * 4 + [house, 2, 2] + [0] * 9) * 2
        super().__init__(
            opening if holes is None else holes,
            [in_hand] * 2 if hands is None else hands,
            [1, 1] if nyumba is None else nyumba,
            to_move,
            **options,
        )
