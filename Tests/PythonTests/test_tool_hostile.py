# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that somebody made to hurt: right checksums and links around anything at all."""

from __future__ import annotations

import json
import random
import struct

import pytest
from journal_writer import (
    BYTES,
    INTEGER,
    JSON,
    MARKED,
    NAVIGATION,
    NONE,
    NOTICE,
    OUTSIDE,
    REQUEST,
    RESPONSE,
    TEXT,
    TRACKED,
    Draft,
    JournalWriter,
)
from mainstem.tool import main

NUMBERS = (0, 1, 2, 3, 5, 255, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1)
NAMES = ("Type0", "Type1", "Type2", "MainstemEnded", "ResponseOpen.A", "A.b", "A.b.done")
COMMANDS = (
    *(["info"], ["dump"], ["dump", "--json"], ["tree"], ["verify"]),
    *(["shown"], ["shown", "--json"], ["shown", "--at", "5"]),
    *(["screens"], ["screens", "--json"], ["screens", "--at", "5"]),
    ["trace"],
)
#: What a navigator's events look like, with anything in place of what they say.
TYPES = {
    "MainstemMove": JSON | REQUEST,
    "MainstemShow": JSON | REQUEST,
    "MainstemHide": JSON | REQUEST,
    "MainstemTree": JSON | NOTICE,
    "MainstemResult": BYTES | RESPONSE,
    "MainstemOpened": INTEGER | NOTICE,
    "MainstemGone": INTEGER | NOTICE,
    "MainstemFinish": BYTES | NOTICE,
    "MainstemLink": TEXT | NOTICE,
    "MainstemShown": NONE | RESPONSE,
    "MainstemReady": NONE | NOTICE,
    "RequestGuard.a": TEXT | REQUEST,
    "ResponseGuard.a": TEXT | RESPONSE,
    "MainstemEnded": INTEGER | NOTICE,
    "RequestOpen.A": TEXT | REQUEST,
}
KINDS = ("screen", "dialog", "group", "flow", "embed", "overlay", "window")
TEXTS = ("", "a", "a/<int:id>", "\x1b[2J", "\ud800", "</svg><script>", "\u202e", "x" * 5000)


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


def said(chance):
    """What a navigator may have said, or anything else that is JSON, or is none."""
    if chance.random() < 0.1:
        return chance.choice(
            (
                b"",
                b"null",
                b"[" * 9000,
                b'{"a":' * 3000,
                b"{}",
                b'{"move":1e999}',
                b"\xff\xfe",
                b"[1]",
            )
        )
    numbers = (0, 1, 2, 3, 4, 5, -1, 1.5, True, None, "1", [], (1 << 64) - 1, 1 << 64, 1 << 70)
    numbered = ("move", "component", "parent", "owner", "top")
    fields = {name: chance.choice(numbers[: chance.choice((6, 15))]) for name in numbered}
    fields.update((name, chance.choice(TEXTS)) for name in ("name", "url", "route", "slot"))
    fields["kind"] = chance.choice(KINDS)
    fields["verb"] = chance.choice(("open", "pop", "link", "replace-root", "fly", 7))
    fields["closed"] = chance.choice(([], [1], [1, 2, 3, 3], [1, [2]], 5, ["1"], [1 << 80], None))
    for name in chance.sample(sorted(fields), chance.choice((0, 0, 0, 1, 5))):
        del fields[name]
    return json.dumps(fields).encode()


def hostile_navigator(chance):
    """The events of a navigator in any order, from anybody, about anything."""
    made = JournalWriter()
    for number in range(1, 8):
        name = chance.choice(("Navigator", "Component", "Stage", "x"))
        made.name_origin(number, f"{name}", number, chance.choice((0, 1, number, number - 1)))
    names = {"": 0, **{f"{number}": number for number in range(1, 8)}}
    for name, contract in TYPES.items():
        made.type(name, contract | NAVIGATION)
    for _ in range(chance.randrange(1, 120)):
        made.origins.update(names)
        name = chance.choice(list(TYPES))
        form = TYPES[name] & ~(15 << 36)
        number = struct.pack("<Q", chance.randrange(8))
        data = {JSON: said(chance), INTEGER: number, NONE: b""}.get(
            form, chance.choice((b"", b"Type0\0x", b"redirect a/1", b"after \xff", bytes(9)))
        )
        before = made.position
        flags = chance.choice((0, 0, 0, OUTSIDE, TRACKED, MARKED))
        status = 0 if flags == MARKED else chance.choice((0, 0, 0, 2, 1000))
        made.event(
            name,
            b"" if flags == MARKED else data if not status else b"a\0b\0c\0",
            cause=chance.randrange(before + 1),
            answers=chance.choice((0, chance.randrange(before + 1))),
            origin=chance.choice(list(names)),
            status=status,
            flags=flags,
        )
    return made


@pytest.mark.parametrize("seed", range(60))
def test_a_navigator_that_says_anything_is_no_crash(tmp_path, capsys, seed):
    path = hostile_navigator(random.Random(seed)).save(tmp_path / "a.journal")
    for command in COMMANDS:
        assert main([*command, str(path)]) == 0
    shown = capsys.readouterr().out
    assert not [letter for letter in shown if ord(letter) < 32 and letter != "\n"]
    assert "\u202e" not in shown
    assert main(["sqlite", str(path), str(tmp_path / "a.sqlite")]) == 0
    page = tmp_path / "page.html"
    assert main(["diagram", str(path), "-o", str(page)]) == 0
    assert "<script" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", range(30))
def test_anything_with_right_checksums_ends_in_a_status(tmp_path, capsys, seed):
    chance = random.Random(seed)
    path = hostile(chance).save(tmp_path / "a.journal")
    page = ["-o", str(tmp_path / "page.html")]
    for command in COMMANDS:
        assert main([*command, str(path)]) in (0, 1, 3)
    assert main(["diagram", str(path), *page]) in (0, 1)
    assert main(["sqlite", str(path), str(tmp_path / "a.sqlite")]) in (0, 1, 2)
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
    for command in ("info", "dump", "tree", "shown", "screens", "trace", "verify"):
        assert main([command, str(path)]) in (0, 1, 3)
    assert main(["sqlite", str(path), str(tmp_path / "a.sqlite")]) in (0, 1, 2)
    assert main(["salvage", str(path), str(tmp_path / "to")]) in (0, 1, 2)
