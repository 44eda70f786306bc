# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What must be true of a session, from docs/beyond.md and the headers alone: what each journal,
stream and context has, given what machines have sent and what streams have."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

import mainstem
from client import Entry
from compared import HEADER, events, is_own
from foreign import is_foreign
from session_script import Script, value_of

OUTSIDE, MARKED, WITHHELD = 1, 32, 64
MARKS = MARKED | WITHHELD
#: The server's, by default.
MAX_PAYLOAD = 1 << 20


class Row(NamedTuple):
    """An event of a journal. `payload` is None where a mark was kept."""

    position: int
    cause: int
    flags: int
    type: str
    layer: str
    origin: str
    payload: Optional[bytes]


class Came(NamedTuple):
    """An event that an import took in: whose, and what it is here."""

    id: str
    position: int
    type: str
    payload: Optional[bytes]


def rows_of(path: Path) -> List[Row]:
    """The events of a journal."""
    found = []
    with mainstem.Journal(path) as journal:
        for header, payload in journal.records():
            info = journal.type(header[7])
            assert info
            found.append(
                Row(
                    *(header[0], header[1], header[10], info.name, info.layer_name),
                    journal._name_of_origin(header[9]),
                    None if header[10] & MARKS else bytes(payload),
                )
            )
    return found


def id_of(path: Path) -> str:
    """The id of a journal, as 32 digits."""
    with mainstem.Journal(path) as journal:
        list(journal.records())
        return str(journal.info.id.hex())


def payload_of(kind: str, size: int, salt: int) -> bytes:
    """What an event carries."""
    value = value_of(kind, size, salt)
    forms = {"int": "<q", "float": "<d", "bool": "<?"}
    if kind in forms:
        return struct.pack(forms[kind], value)
    return value.encode() if isinstance(value, str) else value or b""  # type: ignore[return-value]


def kept(spec: Dict[str, Any], payload: Optional[bytes]) -> Optional[bytes]:
    """What a journal keeps of it."""
    return None if spec["secret"] or spec["record"] == "mark" else payload


# Journals -----------------------------------------------------------------------------------------


def own_of(spec: Dict[str, Any], sent: Iterable[Tuple[str, str, bytes]]) -> List[Tuple[Any, ...]]:
    """What a journal has of what its program has sent from outside."""
    types = spec["types"]
    return [
        (name, types[name]["layer"] or "app", scope, kept(types[name], payload))
        for name, scope, payload in sent
        if types[name]["record"] != "none"
    ]


class Parts(NamedTuple):
    """What a program has sent, what each scope of an import has taken in, and the echoes."""

    own: List[Tuple[Any, ...]]
    came: Dict[str, List[Came]]
    echoes: List[Row]


def parted(rows: List[Row]) -> Parts:
    """The parts of a journal."""
    own, came, echoes = found = Parts([], {}, [])
    named: Dict[int, Tuple[str, Iterator[Tuple[str, int]]]] = {}
    for row in rows:
        if row.type == "NATSImported":
            assert row.payload and row.flags & OUTSIDE
            named[row.position] = row.origin, names_of(row.payload)
            came.setdefault(row.origin, [])
        elif row.type == "Echo":
            echoes.append(row)
        elif row.type.startswith("Mainstem"):
            pass  # The library's own reports.
        elif row.cause in named:
            assert row.flags & OUTSIDE
            origin, names = named[row.cause]
            assert row.origin == origin or row.payload is None, row
            came[origin].append(Came(*next(names), row.type, row.payload))
        else:
            own.append((row.type, row.layer, row.origin, row.payload))
    return found


def names_of(note: bytes) -> Iterator[Tuple[str, int]]:
    """The journals and positions that a note names."""
    for identity, position, _, count in json.loads(note)["entries"]:
        for step in range(count):
            yield identity, position + step


def check_own(found: List[Tuple[Any, ...]], wanted: List[Tuple[Any, ...]], what: str) -> None:
    """The same, in order; of marks no origin is kept."""

    def bare(rows: List[Tuple[Any, ...]]) -> List[Tuple[Any, ...]]:
        return [row if row[3] is not None else (row[0], row[1], "", None) for row in rows]

    check_same(bare(found), bare(wanted), what)


def check_same(found: List[Any], wanted: List[Any], what: str) -> None:
    """Two lists are one; else says where they part."""
    if found == wanted:
        return
    at = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), -1)
    at = at if at >= 0 else min(len(found), len(wanted))
    here = (shown(each[at]) if at < len(each) else "nothing" for each in (found, wanted))
    raise AssertionError(
        f"{what}: {len(found)}, not {len(wanted)}; number {at} is {' instead of '.join(here)}"
    )


def shown(what: Any) -> str:
    """A line of it."""
    text = repr(what)
    return text if len(text) < 200 else f"{text[:200]}… ({len(text)})"


def check_echoes(rows: List[Row], echoes: List[Row], is_exact: bool, what: str) -> None:
    """Every seventh tick has one."""
    ticks = {row.position: row for row in rows if row.type == "Tick" and row.payload}
    wanted = []
    for position, row in ticks.items():
        (value,) = struct.unpack("<q", row.payload)  # type: ignore[arg-type]
        if value % 7 == 0:
            wanted.append((position, struct.pack("<q", value * 2)))
    found = [(row.cause, row.payload) for row in echoes]
    if is_exact:
        check_same(sorted(found), wanted, f"{what}: echoes")
    assert set(found) <= set(wanted) and len(set(found)) == len(found), f"{what}: echoes"


# Streams ------------------------------------------------------------------------------------------


def escaped(name: str, more: str) -> str:
    return "".join(
        f"%{ord(each):02X}" if ord(each) < 32 or each in "\x7f%" or each in more else each
        for each in name
    )


def as_value(name: str) -> str:
    """A name as a header's value."""
    inner = escaped(name, "")
    inner = re.sub(r"^ ", "%20", inner)
    return re.sub(r" $", "%20", inner)


def read_value(value: str) -> str:
    """The name again."""
    return re.sub("%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), value)


def as_subject(prefix: str, layer: str, name: str) -> str:
    """A subject: no part of it is empty, and nothing in it means something to NATS."""
    dotted = re.sub(r"^\.|\.$|(?<=\.)\.", "%2E", escaped_dots(name))
    return f"{prefix}.{escaped(layer, ' *>.')}.{dotted}"


def escaped_dots(name: str) -> str:
    return escaped(name, " *>")


def size_of(entry: Entry) -> int:
    """The bytes of an entry, as the server counts them, had its payload not been left out."""
    headers = {key: value for key, value in entry.headers.items() if key != "Mainstem-Payload"}
    lines = sum(len(f"{key}: {value}\r\n".encode()) for key, value in headers.items())
    payload = int(entry.headers.get("Mainstem-Payload", len(entry.data) - HEADER.size))
    return len(b"NATS/1.0\r\n\r\n") + lines + HEADER.size + payload


def streamed(path: Path, mirror: Dict[str, Any], entries: List[Entry], most: int) -> int:
    """Checks what a stream has of a journal: what the filters let through, once, in order, from the
    first on. Returns how many of these are missing yet."""
    wanted = [
        event
        for event in events(path)
        if (not mirror["layers"] or event.layer in mirror["layers"])
        and (not mirror["types"] or event.type in mirror["types"])
    ]
    identity = id_of(path)
    found = [each for each in entries if each.headers["Nats-Msg-Id"].startswith(identity)]
    ids = [each.headers["Nats-Msg-Id"] for each in found]
    twice = [(each, entry.sequence) for each, entry in zip(ids, found) if ids.count(each) > 1]
    assert not twice, f"{mirror['stream']}: entries are there twice: {twice}"
    found = [each for each in found if not is_own(each)]
    what = f"{mirror['stream']} of {path.name}"
    check_same(
        [each.headers["Nats-Msg-Id"] for each in found],
        [each.id for each in wanted[: len(found)]],
        what,
    )
    for entry, event in zip(found, wanted):
        check_entry(entry, event, mirror["prefix"], most)
    return len(wanted) - len(found)


def check_entry(entry: Entry, event: Any, prefix: str, most: int) -> None:
    """It is the event, or its mark if it is too large."""
    data = event.data
    is_left_out = size_of(entry) > most
    assert is_left_out == ("Mainstem-Payload" in entry.headers), (entry.subject, size_of(entry))
    if is_left_out:
        fields = list(HEADER.unpack_from(data))
        fields[5], fields[8], fields[10] = 0, 0, fields[10] | MARKED
        data = HEADER.pack(*fields)
    assert entry.data == data, (event.id, shown(entry.data), shown(data))
    assert entry.subject == as_subject(prefix, event.layer, event.type), entry.subject
    named = {"Type": event.type, "Layer": event.layer, "Origin": event.origin}
    for key, name in named.items():
        assert entry.headers.get(f"Mainstem-{key}", "") == as_value(name), (key, name)


def made(entries: Iterable[Entry]) -> List[Entry]:
    """Those that mirrors made."""
    return [entry for entry in entries if not is_foreign(entry)]


# Imports ------------------------------------------------------------------------------------------


class World(NamedTuple):
    """Who is who."""

    script: Script
    #: The machine of each journal, by its id.
    machines: Dict[str, int]


def expected(taken: Dict[str, Any], entries: List[Entry], world: World) -> List[Came]:
    """What an import takes in of a stream."""
    return [came for came in judged(taken, entries, world) if came]


def judged(taken: Dict[str, Any], entries: List[Entry], world: World) -> Iterator[Optional[Came]]:
    """Each event of the types that an import takes in; None: it is left out, or refused."""
    here = world.script["machines"][taken["into"]]
    for entry in entries:
        identity, _, position = entry.headers["Nats-Msg-Id"].partition("-")
        name = taken["types"].get(read_value(entry.headers.get("Mainstem-Type", "")))
        machine = world.machines[identity]
        if is_own(entry) or not name or taken["source"] not in (None, machine):
            continue
        header = HEADER.unpack_from(entry.data)
        spec = here["types"][name]
        theirs = world.script["machines"][machine]["types"]
        kind = theirs[read_value(entry.headers["Mainstem-Type"])]["kind"]
        size = len(entry.data) - HEADER.size
        is_allowed = taken["sends"] is None or (spec["layer"] or "app") in taken["sends"]
        is_small = size <= here["limits"].get("payload", 1 << 40)
        is_event = not header[10] & MARKS and not header[8]
        if not (is_event and kind == spec["kind"] and is_allowed and is_small):
            yield None
            continue
        payload = entry.data[HEADER.size :]
        if here["is_recorded"]:
            payload = kept(spec, payload)  # type: ignore[assignment]
        yield Came(identity, int(position), name, payload)


def check_taken(found: List[Came], wanted: List[Came], is_all: bool, what: str) -> None:
    """Each once, in the order of its journal; all of them, or those that the stream has first."""
    for identity in {each.id for each in [*found, *wanted]}:
        theirs = [each for each in wanted if each.id == identity]
        came = [each for each in found if each.id == identity]
        positions = [each.position for each in came]
        assert positions == sorted(set(positions)), f"{what} of {identity}: {shown(positions)}"
        check_same(came, theirs if is_all else theirs[: len(came)], f"{what} of {identity}")


def check_lives(lives: List[List[Came]], wanted: List[Came], is_all: bool, what: str) -> None:
    """A context that is not recorded: in each life each event once, in order, without a hole; none
    is left out between two lives."""
    for identity in {each.id for each in wanted}:
        theirs, reached = [each for each in wanted if each.id == identity], 0
        for number, life in enumerate(lives):
            came = [each for each in life if each.id == identity]
            if not came:
                continue
            where = f"{what}, life {number}, of {identity}"
            assert came[0] in theirs, f"{where}: {shown(came[0])} is none of it"
            begin = theirs.index(came[0])
            assert begin <= reached, f"{where}: begins at {begin}, behind {reached}"
            check_same(came, theirs[begin : begin + len(came)], where)
            reached = max(reached, begin + len(came))
        assert not is_all or reached == len(theirs), f"{what}: {reached} of {len(theirs)} came"
