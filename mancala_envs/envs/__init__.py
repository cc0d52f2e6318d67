"""Environments: AEC for PettingZoo, vector and single-agent for gymnasium, VecEnv for stable-baselines3 (`envs.sb3`)."""

from .aec import MancalaAEC, make

__all__ = ["MancalaAEC", "make"]
