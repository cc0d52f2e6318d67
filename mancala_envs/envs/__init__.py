"""Environments: AEC for PettingZoo, vector and single-agent for gymnasium, VecEnv for stable-baselines3 (`envs.sb3`)."""

from .aec import MancalaAEC, make
from .registration import register, register_environments
from .single import MancalaEnv
from .vector import MancalaVectorEnv, make_vec

__all__ = ["MancalaAEC", "MancalaEnv", "MancalaVectorEnv", "make", "make_vec", "register", "register_environments"]
