"""Files that are written whole or not at all."""

import os
from pathlib import Path


def write_file(path: Path, *parts: bytes | memoryview) -> None:
    """Write a file under another name in the same folder, which then takes its place; a link's target, not the link.

    Args:
        path: the file.
        parts: what it shall hold, one after the other.

    Raises:
        OSError: it cannot be written; what was there before is unchanged.
        ValueError: there is something else than a file, such as a device.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise ValueError(f"{str(path)!r} is no file that could be written")
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
