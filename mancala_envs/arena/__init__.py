"""Players against each other: single games, matches with seats swapped, everybody against everybody."""

from .game import GameRecord, play_game
from .match import Match, play_match, round_robin, score_interval

__all__ = ["GameRecord", "Match", "play_game", "play_match", "round_robin", "score_interval"]
