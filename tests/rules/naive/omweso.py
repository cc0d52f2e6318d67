"""Omweso a second time, written from the rules alone and as plainly as they read.

A player's ring: 0..7 is his inner row from his left to his right, 8..15 his outer row from his right to his left; counter-clockwise
is -1. His inner hole h lies in one file with the other's inner hole 7 - h and outer hole 8 + h. Action: hole * 2 + (1 = clockwise).
"""

INNER = range(8)
LEFT_MOST = (0, 1, 14, 15)
LAPS = 1000


class Omweso:
    def __init__(
        self,
        holes=None,
        to_move=0,
        *,
        lap_start=None,
        pending=0,
        files_taken=(),
        laps=0,
        setup="outer4",
        infinite_turn="draw",
        max_plies=1000,
    ):
        if holes is None:
            holes = {"outer4": [0] * 8 + [4] * 8, "all2": [2] * 16}[setup] * 2
        self.rings = [list(holes[:16]), list(holes[16:])]
        self.to_move = to_move
        self.infinite_turn = infinite_turn
        self.max_plies = max_plies
        self.lap_start = lap_start  # the hole whose next lap waits for a choice of direction
        self.pending = pending  # captured seeds that wait with it
        self.files_taken = set(files_taken)  # the mover's inner holes 0 and 7 in whose files he captured in this turn
        self.laps = laps  # of this turn
        self.plies = 0
        self.over = False
        self.winner = None
        self.reason = None
        self.met = set()
        self.begin_turn()

    @property
    def holes(self):
        return self.rings[0] + self.rings[1]

    def copy(self):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.rings = [list(ring) for ring in self.rings]
        other.files_taken = set(self.files_taken)
        other.met = set()
        return other

    def legal(self):
        return [] if self.over else self.actions

    def allowed(self):
        """The legal actions of the player to move; they are found once a ply."""
        actions = self.starts()
        if self.infinite_turn == "illegal":  # told ply by ply: a choice whose two directions are endless is lost, not foreseen
            actions = [action for action in actions if self.copy().run(action) != "endless"]
        return actions

    def starts(self):
        own = self.rings[self.to_move]
        if self.lap_start is not None:
            return [self.lap_start * 2, self.lap_start * 2 + 1]
        actions = []
        for hole in range(16):
            if own[hole] >= 2:
                actions.append(hole * 2)
                if hole in LEFT_MOST and self.clockwise_lap_captures(hole, own[hole], lifted=True):
                    actions.append(hole * 2 + 1)
        return actions

    def clockwise_lap_captures(self, hole, seeds, lifted):
        own, other = list(self.rings[self.to_move]), self.rings[1 - self.to_move]
        if lifted:
            own[hole] = 0
        last = sow(own, hole, 1, seeds)
        return captures(own, other, last)

    def run(self, action):
        """Play laps up to the turn's end or a choice; "ended", "won", "endless" or "choice"."""
        own, other = self.rings[self.to_move], self.rings[1 - self.to_move]
        start, direction = action // 2, 1 if action % 2 else -1
        if self.lap_start is None:
            self.met.add("clockwise start" if direction == 1 else "start")
        else:
            self.met.add(("clockwise " if direction == 1 else "chosen ") + ("re-sowing" if self.pending > 0 else "relay"))
        if self.pending > 0:
            seeds = self.pending
        else:
            seeds = own[start]
            own[start] = 0
        self.pending = 0
        self.lap_start = None
        while True:
            if seeds >= 16:
                self.met.add("lap of 16+")
            last = sow(own, start, direction, seeds)
            self.laps += 1
            if own[last] == 1:
                return "ended"
            if captures(own, other, last):
                captured = True
                seeds = other[7 - last] + other[8 + last]
                other[7 - last] = 0
                other[8 + last] = 0
                if last in (0, 7):
                    self.files_taken.add(last)
                if self.files_taken == {0, 7}:
                    self.pending = seeds
                    self.met.add("both ends")
                    return "won"
                # the new lap begins where the lap that captured began
            else:
                captured = False
                start = last
                seeds = own[start]
            if self.laps == LAPS:
                return "endless"
            if start in LEFT_MOST and self.clockwise_lap_captures(start, seeds, lifted=not captured):
                self.lap_start = start
                self.pending = seeds if captured else 0
                return "choice"
            if not captured:
                own[start] = 0
            direction = -1

    def play(self, action):
        assert action in self.legal()
        me, you = self.to_move, 1 - self.to_move
        before = self.copy()
        self.met = set()
        end = self.run(action)
        self.plies += 1
        if end == "choice":
            self.met.add("choice")
            self.begin_turn()
        elif end == "won":
            self.end(me, "both_ends")
        elif end == "endless":
            # a mid-turn choice keeps the board of the choice: that of the turn's start is not part of a position
            self.met = {"endless" if before.laps == 0 else "endless after a choice"}
            self.rings, self.lap_start, self.pending = before.rings, before.lap_start, before.pending
            self.end(you if self.infinite_turn == "loss" else None, "endless_turn")
        else:
            self.files_taken = set()
            self.laps = 0
            self.to_move = you
            self.begin_turn()
        if not self.over and self.plies >= self.max_plies:
            self.end(None, "max_plies")

    def begin_turn(self):
        self.actions = self.allowed()
        if not self.actions:
            if self.starts():
                self.met.add("no finite start")
            self.end(1 - self.to_move, "no_moves")

    def end(self, winner, reason):
        self.over, self.winner, self.reason = True, winner, reason


def sow(ring, hole, direction, seeds):
    """Sow into the holes after `hole`; the last one."""
    while seeds > 0:
        hole = (hole + direction) % 16
        ring[hole] += 1
        seeds -= 1
    return hole


def captures(own, other, last):
    """Whether a lap that ended in `last` captures: it is an own inner hole, was occupied, both holes of the file are occupied."""
    return last in INNER and own[last] > 1 and other[7 - last] > 0 and other[8 + last] > 0
