"""Checkpoints of a long proof: one file that holds what is known so far and the arrays of the search.

    bytes 0 .. 31       MAGIC
    bytes 32 .. 4095    JSON, filled up with spaces: format, what is being proven, what is known of it, sha256 of all that
                        and of the arrays
    from byte 4096 on   the arrays of a `Work` that a search writes to, in its order, of its table as much as is used

The last one stays until the next is written whole.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..files import write_file

MAGIC = b"mancala-envs checkpoint\n".ljust(32, b"\0")
FORMAT = 4
HEADER = 4096  # bytes before the arrays


def check_room(path: Path, arrays: Sequence[np.ndarray]) -> None:
    """Raise ValueError or OSError if a checkpoint cannot be written there, before the work that it is to save.

    Args:
        path: the file.
        arrays: those of the search, C-contiguous.
    """
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise ValueError(f"checkpoint {str(path)!r} is not accepted: a file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise OSError(f"checkpoint {str(path)!r} cannot be written: no permission")
    needed, free = HEADER + sum(array.nbytes for array in arrays), shutil.disk_usage(folder).free
    if needed > free:
        raise OSError(f"checkpoint {str(path)!r} takes {needed / 1e6:,.1f} MB, the disk has {free / 1e6:,.1f} MB left")


def save_checkpoint(path: Path, proof: Mapping[str, Any], known: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        path: the file.
        proof: what is being proven.
        known: what is known of it, beside the arrays.
        arrays: those of the search, C-contiguous; nothing writes to them meanwhile.

    Raises:
        OSError: it cannot be written; what was there before is unchanged.
    """
    contents = {"format": FORMAT, "proof": dict(proof), "known": dict(known)}
    header = MAGIC + json.dumps({**contents, "sha256": _checksum(contents, arrays)}).encode().ljust(HEADER - len(MAGIC))
    if len(header) > HEADER:
        raise ValueError(f"a position and options of {len(header)} bytes do not fit a checkpoint: it has {HEADER} for them")
    write_file(path, header, *(array.data for array in arrays))


def load_checkpoint(
    path: Path, proof: Mapping[str, Any], arrays_of: Callable[[Mapping[str, Any]], Sequence[np.ndarray]]
) -> dict[str, Any]:
    """Read a checkpoint: fills in the arrays and returns what else was known.

    Args:
        path: the file.
        proof: what is to be proven.
        arrays_of: says by what else is known which arrays are there, C-contiguous.

    Raises:
        ValueError: it is no checkpoint, damaged, or one of another proof; names what differs.
    """
    with path.open("rb") as file:
        header = file.read(HEADER)
        if not header.startswith(MAGIC):
            raise ValueError(f"{str(path)!r} is no checkpoint: choose another name, or delete it")
        try:
            stored = json.loads(header[len(MAGIC) :])
            contents = {"format": stored["format"], "proof": dict(stored["proof"]), "known": dict(stored["known"])}
            of, checksum = contents["proof"], stored["sha256"]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"checkpoint {str(path)!r} is damaged: {error!r}; delete it to begin anew") from None
        if contents["format"] != FORMAT:
            raise ValueError(f"checkpoint {str(path)!r} is of format {contents['format']!r}; this version reads format {FORMAT}")
        for name, value in proof.items():
            if of.get(name) != value:
                raise ValueError(f"checkpoint {str(path)!r} is of {name}={of.get(name)!r}, not {value!r}: choose another name")
        try:
            arrays = arrays_of(contents["known"])
            read = sum(file.readinto(array.data.cast("B")) for array in arrays)
        except (KeyError, TypeError) as error:
            raise ValueError(f"checkpoint {str(path)!r} is damaged: {error!r}; delete it to begin anew") from None
        if read != sum(array.nbytes for array in arrays) or file.read(1) or _checksum(contents, arrays) != checksum:
            raise ValueError(f"checkpoint {str(path)!r} is damaged: it does not hold what was written; delete it to begin anew")
    return contents["known"]


def _checksum(contents: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> str:
    checksum = hashlib.sha256(json.dumps(contents, sort_keys=True).encode())
    for array in arrays:
        checksum.update(array.data)
    return checksum.hexdigest()
