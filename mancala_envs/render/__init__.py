"""Boards drawn, from the rules' own geometry: as text, and as one SVG that everything else shows."""

from .drawing import svg
from .steps import Step, trace

__all__ = ["Step", "svg", "trace"]
