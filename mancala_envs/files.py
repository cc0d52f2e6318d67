"""Files that are written whole or not at all."""

import os
from pathlib import Path


def write_file(path: Path, contents: bytes) -> None:
    """Write a file under another name in the same folder, which then takes its place.

    Raises:
        OSError: it cannot be written; what was there before is unchanged.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(contents)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
