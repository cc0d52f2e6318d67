"""What other programs recorded: whole games and single worked positions."""

import gzip
import json
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
EXAMPLES = {entry["id"]: entry for entry in json.loads((DATA / "examples.json").read_text())}


def games_of(file: str) -> list[dict]:
    """The games of a file, a dict each."""
    with gzip.open(DATA / "vectors" / f"{file}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]
