# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Writes journals for tests, from docs/journal-format.md: any events, also wrong ones."""

from __future__ import annotations

import struct

from mainstem.journal_file import Digest

# Shares nothing with the reader but this page of numbers, and the checksum that both are tested by.
from mainstem.journal_file._file import crc32c

ID = bytes(range(16))
BEGAN = 1_790_000_000_000_000_000
NONE, BYTES, TEXT, JSON, STRUCT, BOOL, INTEGER, NUMBER = (number << 32 for number in range(8))
REQUEST, RESPONSE, NOTICE, VALUE = (number << 36 for number in (1, 2, 3, 4))
APP, MODEL, VIEWMODEL, VIEW, NAVIGATION, SYSTEM = (number << 40 for number in range(6))
OUTSIDE, TRACKED, PROGRESS, MARKED, WITHHELD = 1, 2, 4, 32, 64
WRITTEN, SHARED = 512, 1024
#: With VALUE: a list, whose rows have the payload.
LIST = 1 << 51
RESET, REMOVE, MOVE, INSERT, UPDATE = range(5)
DISABLED, EXECUTING = 27, 28
MS = 1_000_000


def role_of(name):
    """The role that follows from a name."""
    if name.startswith("Request"):
        return REQUEST
    return RESPONSE if name.startswith("Response") else NOTICE


def list_changes(total, changes, rows=(), span=(0, 0, 0), window=None):
    """The payload of a list's event: changes as (kind, index, count, to), rows as (key, data).

    A window is the offset of a part, and how many rows its sequence has.
    """
    made = struct.pack("<6I", total, *span, len(changes), window is not None)
    made += struct.pack("<2Q", *window) if window else b""
    made += b"".join(struct.pack("<4I", *(*change, 0, 0)[:4]) for change in changes)
    for key, data in rows:
        key = key.encode() if isinstance(key, str) else key
        made += struct.pack("<2I", len(key), len(data)) + key + data
    return made


def whole(*rows):
    """The payload of an event that has a whole list; a row is (key, data)."""
    return list_changes(len(rows), [(RESET, 0, len(rows))], rows, (0, 0, len(rows)))


class Draft:
    """What a record has, before it is packed."""

    def __init__(self, **fields):
        self.position = self.cause = self.correlation = self.answers = 0
        self.time = self.type = self.status = self.origin = self.flags = 0
        self.data = b""
        self.link = None
        vars(self).update(fields)
        self.size = fields.get("size", len(self.data))

    def header(self, link):
        return struct.pack(
            "<4Qq3Ii2I",
            self.position,
            self.cause,
            self.correlation,
            self.answers,
            self.time,
            self.size,
            link,
            self.type,
            self.status,
            self.origin,
            self.flags,
        )


class JournalWriter:
    """One journal in memory: `bytes` of its file, or `files` where it was split."""

    def __init__(self, journal=ID, first=1, number=1, session=True, seed=7, version=3):
        self.journal, self.number, self.seed = journal, number, seed
        self.version = version
        self.position = first - 1
        self.time = BEGAN
        self.files = []
        self.digest = Digest()
        self.types, self.layers, self.origins = {}, {}, {"": 0}
        self.described = {}
        self.correlations = {}
        #: Where the records of the present file begin.
        self.offsets = []
        self.begin_file(0)
        if session:
            self.session()

    # Files ---------------------------------------------------------------------------------------

    def begin_file(self, link):
        head = struct.pack(
            "<8sII16sQQIIq60x",
            b"\x89MSJ\r\n\x1a\n",
            self.version,
            128,
            self.journal,
            self.number,
            self.position + 1,
            link,
            0,
            BEGAN,
        )
        self.link = crc32c(0, head)
        self.key = crc32c(0, self.journal + struct.pack("<Q", self.number))
        self.buffer = bytearray(head + struct.pack("<I", self.link))
        self.offsets = []

    def rotate(self):
        """Goes on in a further file."""
        self.files.append(bytes(self.buffer))
        self.number += 1
        self.begin_file(self.link)
        self.session(continues=True)

    @property
    def bytes(self):
        return bytes(self.buffer)

    def save(self, path, reserve=0):
        """Writes the file, or its segments."""
        if not self.files:
            path.write_bytes(self.bytes + bytes(reserve))
            return path
        first = self.number - len(self.files)
        for index, data in enumerate([*self.files, self.bytes]):
            path.with_name(f"{path.name}.{first + index:06}").write_bytes(data)
        return path

    # Records -------------------------------------------------------------------------------------

    def add(self, draft):
        """Packs a record, with a right link and checksum unless it has its own link."""
        self.offsets.append(len(self.buffer))
        record = draft.header(self.link if draft.link is None else draft.link) + draft.data
        record += bytes(-(len(record) + 4) % 8)
        self.link = crc32c(self.key, record)
        self.buffer += record + struct.pack("<I", self.link)

    def say(self, kind, data):
        self.add(Draft(status=kind, position=self.position, time=self.time, data=data))

    def session(self, continues=False, version=b"0.1.0", process=4711, level=0):
        if not continues:
            self.digest = Digest()
        fields = (self.time, self.seed, self.digest.bits, process, level, int(continues), 0)
        self.say(1, struct.pack("<qQQIIII", *fields) + version)
        self.described = {}
        self.layers, self.origins = {}, {"": 0}

    def type(self, name, contract, response="", number=None):
        """Says what a type is; its number."""
        self.types.setdefault(name, (len(self.types) + 1, contract, response))
        if number is not None:
            self.types[name] = (number, contract, response)
        return self._describe(name)

    def _describe(self, name):
        number, contract, response = self.types[name]
        if name not in self.described:
            self.described[name] = number
            if not contract >> 36 & 15:
                contract |= role_of(name)
            text = name.encode() + b"\0" + response.encode() + b"\0"
            self.say(2, struct.pack("<IIQ", number, 0, contract) + text)
        return number

    def layer(self, number, name):
        self.say(3, struct.pack("<I", number) + name.encode())

    def origin(self, name):
        if name not in self.origins:
            self.name_origin(len(self.origins), name)
        return self.origins[name]

    def name_origin(self, number, name, scope=0, parent=0):
        """Says what an origin is; its number may have been another's."""
        self.origins = {each: other for each, other in self.origins.items() if other != number}
        self.origins[name] = number
        is_scope = self.version > 1
        fields = (number, 0, scope, parent) if is_scope else (number,)
        self.say(4, struct.pack("<IIQQ" if is_scope else "<I", *fields) + name.encode())

    def event(
        self,
        name,
        data=b"",
        cause=0,
        answers=0,
        origin="",
        status=0,
        flags=None,
        after=MS,
        **wrong,
    ):
        """One more event; its position."""
        if name not in self.types:
            self.type(name, TEXT)
        number, origin_number = self._describe(name), self.origin(origin)
        if isinstance(data, str):
            data = data.encode()
        self.position += 1
        self.time += after
        if flags is None:
            flags = 0 if cause else OUTSIDE
            if name.startswith("Request"):
                flags |= TRACKED
        self.correlations[self.position] = self.correlations.get(cause or answers, self.position)
        fields = {
            "position": self.position,
            "cause": cause,
            "correlation": self.correlations[self.position],
            "answers": answers,
            "time": self.time,
            "type": number,
            "status": status,
            "origin": origin_number,
            "flags": flags,
            "data": data,
        }
        fields.update(wrong)
        draft = Draft(**fields)
        if not flags & WITHHELD:
            self.digest.take(draft, origin.encode())
        self.add(draft)
        return self.position

    def fail(self, name, message, text="", subject="", status=1000, **fields):
        """A response that carries an error."""
        data = b"".join(part.encode() + b"\0" for part in (message, text, subject))
        return self.event(name, data, status=status, **fields)

    def skip(self, count, cause=None):
        """Positions whose events are not kept; perhaps with the event that caused them."""
        first = self.position + 1
        self.position += count
        known = b"" if cause is None else struct.pack("<Q", cause)
        self.say(6, struct.pack("<QQ", first, self.position) + known)

    def say_list(self, name, position, *rows, origin=""):
        """The list of a type and an origin, as it was with its event at a position."""
        head = struct.pack("<IIQ", self._describe(name), self.origin(origin), position)
        self.say(14, head + whole(*rows))

    def say_digest(self):
        self.say(5, struct.pack("<Q", self.digest.bits))

    def end(self):
        self.say(7, struct.pack("<Q", self.digest.bits))
        return self


def resealed(data):
    """The same bytes, links and checksums made right, as far as lengths lead to a next record."""
    made = bytearray(data)
    if len(made) < 128:
        return bytes(made)
    link = crc32c(0, bytes(made[:124]))
    made[124:128] = struct.pack("<I", link)
    key = crc32c(0, bytes(made[16:40]))
    at = 128
    while at + 72 <= len(made):
        (size,) = struct.unpack_from("<I", made, at + 40)
        end = at + (64 + size + 4 + 7 & ~7)
        if end > len(made) or not any(made[at : at + 64]):
            break
        struct.pack_into("<I", made, at + 44, link)
        link = crc32c(key, bytes(made[at : end - 4]))
        struct.pack_into("<I", made, end - 4, link)
        at = end
    return bytes(made)


def flipped(data, bit):
    """The same bytes with one bit turned over."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
