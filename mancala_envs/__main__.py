"""`python -m mancala_envs`: the command line."""

import sys

from .cli import main

sys.exit(main())
