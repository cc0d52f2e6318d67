"""Players against each other, in single games and matches with seats swapped, and against perfect play."""

from .game import GameRecord, play_game
from .match import Match, play_match, round_robin, score_interval
from .truth import Truth, against_perfect_play

__all__ = ["GameRecord", "Match", "Truth", "against_perfect_play", "play_game", "play_match", "round_robin", "score_interval"]
