# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that somebody made to hurt: right checksums and links around anything at all."""

from __future__ import annotations

import random

import pytest
from journal_writer import Draft, JournalWriter
from mainstem.tool.command import main

NUMBERS = (0, 1, 2, 3, 5, 255, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1)
NAMES = ("Type0", "Type1", "Type2", "MainstemEnded", "ResponseOpen.A", "A.b", "A.b.done")
COMMANDS = (
    *(["info"], ["dump"], ["dump", "--json"], ["tree"], ["verify"]),
    *(["shown"], ["shown", "--json"], ["shown", "--at", "5"]),
)


def anything(chance, bits):
    number = chance.choice(NUMBERS) if chance.random() < 0.8 else chance.getrandbits(bits)
    return number % (1 << bits)


def signed(number, bits):
    return number - (1 << bits) if number >> (bits - 1) else number


def hostile(chance):
    """Events and other records in any order that say anything."""
    made = JournalWriter(first=chance.choice((1, 1, 7, 1 << 40)), session=chance.random() < 0.8)
    for _ in range(chance.randrange(1, 30)):
        data = bytes(chance.getrandbits(8) for _ in range(chance.choice((0, 1, 8, 16, 24, 50))))
        kind = chance.randrange(4)
        if kind == 0:
            made.say(chance.randrange(1, 10), data)
            continue
        if kind == 1:
            made.type(chance.choice(NAMES), anything(chance, 64))
        made.position += 1
        made.add(
            Draft(
                position=made.position,
                cause=anything(chance, 64),
                correlation=anything(chance, 64),
                answers=anything(chance, 64),
                time=signed(anything(chance, 64), 64),
                type=chance.choice((1, 1, 2, 3, 4, 77, (1 << 32) - 1)),
                status=signed(anything(chance, 32), 32),
                origin=anything(chance, 32),
                flags=anything(chance, 32),
                data=data,
            )
        )
    return made


@pytest.mark.parametrize("seed", range(30))
def test_anything_with_right_checksums_ends_in_a_status(tmp_path, capsys, seed):
    chance = random.Random(seed)
    path = hostile(chance).save(tmp_path / "a.journal")
    page = ["-o", str(tmp_path / "page.html")]
    for command in COMMANDS:
        assert main([*command, str(path)]) in (0, 1, 3)
    assert main(["diagram", str(path), *page]) in (0, 1)
    assert main(["salvage", str(path), str(tmp_path / "to")]) in (0, 1, 2)
    if (tmp_path / "to").exists():
        assert main(["dump", str(tmp_path / "to")]) == 0
    shown = capsys.readouterr().out
    assert not [letter for letter in shown if ord(letter) < 32 and letter != "\n"]


@pytest.mark.parametrize("seed", range(30))
def test_any_bytes_behind_a_right_header_end_in_a_status(tmp_path, capsys, seed):
    chance = random.Random(seed)
    made = hostile(chance)
    data = bytearray(made.bytes)
    for _ in range(chance.randrange(1, 20)):
        at = chance.randrange(128, len(data))
        data[at : at + chance.randrange(5)] = bytes(
            chance.getrandbits(8) for _ in range(chance.randrange(9))
        )
    path = tmp_path / "a.journal"
    path.write_bytes(data)
    for command in ("info", "dump", "tree", "shown", "verify"):
        assert main([command, str(path)]) in (0, 1, 3)
    assert main(["salvage", str(path), str(tmp_path / "to")]) in (0, 1, 2)
