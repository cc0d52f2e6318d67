"""The files of an endgame table: a folder, in it a file a layer, `layer_00.bin`, `layer_01.bin` and so on.

    bytes 0 .. 31       MAGIC
    bytes 32 .. 1023    JSON, filled up with spaces: format, ruleset, options, houses, bounds, digest, seeds, positions, sha256
    from byte 1024 on   int8[positions]: the values of the layer's positions, in the order of `ranking`, for the player to move; of
                        a table of bounds int8[2, positions]: the lower, then the upper bounds

A file is there once it is whole: a name that ends in .bin never stands for half a layer.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..files import write_file
from .ranking import layer_size
from .table_games import Game

MAGIC = b"mancala-envs endgame table\n".ljust(32, b"\0")
FORMAT = 1
HEADER = 1024  # bytes before the data


def layer_path(folder: Path, seeds: int) -> Path:
    """The file of a layer."""
    return folder / f"layer_{seeds:02}.bin"


def layer_bytes(game: Game, seeds: int) -> int:
    """The size of a layer's file, in bytes."""
    return HEADER + (1 + game.bounds) * layer_size(2 * game.houses, seeds)


def stored_layers(folder: Path) -> int:
    """How many layers a folder holds, from that without seeds on.

    Raises:
        ValueError: a layer is missing below another one.
    """
    names = {path.name for path in folder.glob("layer_*.bin")}
    count = 0
    while layer_path(folder, count).name in names:
        count += 1
    if len(names) > count:
        raise ValueError(f"{str(folder)!r} holds {len(names)} layers of an endgame table, but not {layer_path(folder, count).name}")
    return count


def write_layer(folder: Path, game: Game, seeds: int, parts: Sequence[np.ndarray]) -> None:
    """Write a layer's file, whole or not at all.

    Args:
        folder: where; it exists.
        game: what the table is of.
        seeds: the layer.
        parts: its values, or its lower and its upper bounds, int8[positions] each.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    checksum = hashlib.sha256()
    for part in parts:
        checksum.update(part.data)
    contents = _expected(game, seeds) | {"sha256": checksum.hexdigest()}
    header = MAGIC + json.dumps(contents).encode().ljust(HEADER - len(MAGIC))
    if len(header) > HEADER:
        raise ValueError(f"the options of {game.ruleset} take {len(header)} bytes; the header of a table has {HEADER}")
    write_file(layer_path(folder, seeds), header, *(part.data for part in parts))


def open_layer(folder: Path, game: Game, seeds: int) -> np.ndarray:
    """A layer's values or bounds, int8[1 or 2, positions], read from the disk as they are needed.

    Raises:
        ValueError: there is no such layer, or it is not of this game or format, or not whole; names what differs.
    """
    path = layer_path(folder, seeds)
    header = read_header(path)
    for name, value in _expected(game, seeds).items():
        if header.get(name) != value:
            raise ValueError(f"{path} {_difference(name, header.get(name), value)}")
    size, expected = path.stat().st_size, layer_bytes(game, seeds)
    if size != expected:
        raise ValueError(f"{path} is {'truncated' if size < expected else 'damaged'}: it has {size} bytes, not {expected}")
    return np.memmap(path, np.int8, "r", HEADER, (1 + game.bounds, layer_size(2 * game.houses, seeds)))


def check_sum(folder: Path, seeds: int, data: np.ndarray) -> None:
    """Raise ValueError if a layer's data, int8[1 or 2, positions], are not those that were written."""
    path = layer_path(folder, seeds)
    if hashlib.sha256(np.ascontiguousarray(data).data).hexdigest() != read_header(path).get("sha256"):
        raise ValueError(f"{path} is damaged: its checksum is another; delete it, and `tables build` builds it anew")


def read_header(path: Path) -> dict[str, Any]:
    """What a layer's file says of itself; raises ValueError where it is no such file."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
    except OSError as error:
        raise ValueError(f"no endgame table in {str(path.parent)!r}: {error}; it is a folder with layer_00.bin and so on") from None
    if not header.startswith(MAGIC):
        raise ValueError(f"{path} is no layer of an endgame table")
    try:
        contents = dict(json.loads(header[len(MAGIC) :]))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    if contents.get("format") != FORMAT:
        raise ValueError(f"{path} is of format {contents.get('format')!r}; this version reads format {FORMAT}")
    return contents


def _expected(game: Game, seeds: int) -> dict[str, Any]:
    """A header without its checksum."""
    return {
        "format": FORMAT,
        "ruleset": game.ruleset,
        "options": dict(game.options),
        "houses": game.houses,
        "bounds": game.bounds,
        "digest": game.digest,
        "seeds": seeds,
        "positions": layer_size(2 * game.houses, seeds),
    }


def _difference(name: str, written: Any, expected: Any) -> str:
    """How a header differs in an entry, in words."""
    if name == "digest":
        return "was built by other rules: what they do in some positions has changed since"
    if name == "options" and isinstance(written, dict):
        name = next(option for option in {**expected, **written} if written.get(option) != expected.get(option))
        written, expected = written.get(name), expected.get(name)
    return f"is a table with {name}={written!r}, not {expected!r}"
