# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals for the cases, and what happens to their files."""

from __future__ import annotations

from journal_writer import JournalWriter


def write(world, name, data):
    """A file with those bytes; its path."""
    (world.folder / name).write_bytes(data)
    return world.path(name)


def two_files(world):
    """The path of a journal in two files."""
    writer = JournalWriter()
    writer.event("Notice", "first")
    writer.rotate()
    writer.event("Notice", "second")
    writer.event("Notice", "third")
    writer.end().save(world.folder / "two")
    return world.path("two")


def second_file(world):
    """The later one of them."""
    return world.folder / "two.000002"


def damage(path):
    """Turns over a bit of its header."""
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


def of_a_later_version(path):
    """Puts a file there that only a later library can read."""
    path.write_bytes(JournalWriter(version=99, number=2).bytes)


def no_file(path):
    """Puts a folder there."""
    path.unlink()
    path.mkdir()
