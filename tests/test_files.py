"""Files that are written whole or not at all."""

import os

import pytest

from mancala_envs.files import write_file


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "file"
    write_file(path, b"one")
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_file(path, b"one")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_file(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"one")
    link.symlink_to(target)
    write_file(link, b"two")
    assert link.is_symlink()
    assert target.read_bytes() == b"two"


def test_something_else_than_a_file_is_left_alone(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="is no file that could be written"):
        write_file(pipe, b"one")
    assert not pipe.is_file()
