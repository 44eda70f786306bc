# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the library has written into a journal: the sections of Tests/journals/written.txt.

    python written.py

prints them for Tests/journals/written-3.journal. Needs no library: a journal says it all.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

from mainstem.journal_file import Journal
from mainstem.journal_file._record import Record

JOURNALS = Path(__file__).resolve().parents[1] / "journals"
#: Each journal, and the list of what is in it.
LISTS = {
    "written-3.journal": "written.txt",
    "written-3-narrow.journal": "written.txt",
    "written-swift-3.journal": "written-swift.txt",
    "written-swift-3-narrow.journal": "written-swift.txt",
}

PAYLOADS = ("none", "bytes", "text", "json", "struct", "bool", "integer", "number")
ROLES = ("", "request", "response", "notice", "value")
KEPT = ("full", "mark", "none", "inputs")
#: Members whose values are words of the library.
WORDS = {"kind", "what", "verb", "how"}
#: How the texts begin that the program has chosen, not the library.
OWN = "own: "

Sections = Dict[str, List[str]]


class Reading:
    """Collects what is in the records of a journal, each once, in their order."""

    def __init__(self) -> None:
        self.sections: Sections = {}
        self._names: Dict[int, str] = {}
        self._contracts: Dict[int, int] = {}
        self._origins: Dict[int, str] = {}

    def note(self, section: str, line: str) -> None:
        lines = self.sections.setdefault(section, [])
        line = line.replace("\u2028", "\\u2028")
        if line not in lines:
            lines.append(line)

    def take(self, record: Record) -> None:
        if record.is_event:
            self._take_event(record)
        elif record.status == 2:
            self._take_type(record.data)
        elif record.status == 4:
            number = int.from_bytes(record.data[:4], "little")
            self._origins[number] = record.data[24:].rstrip(b"\0").decode()

    def _take_type(self, data: bytes) -> None:
        number, contract = int.from_bytes(data[:4], "little"), int.from_bytes(data[8:16], "little")
        name, response = data[16:].decode().split("\0")[:2]
        self._names[number], self._contracts[number] = name, contract
        if not name.startswith("Mainstem") and "." not in name:
            return
        said = [
            ROLES[contract >> 36 & 15],
            f"layer {contract >> 40 & 63}",
            PAYLOADS[contract >> 32 & 15],
            f"kept {KEPT[contract >> 48 & 3]}",
            f"contract {contract:#x}",
        ]
        # The same of every command and every owner.
        name = re.sub(r"^\w+\.\w+\.(enabled|executing|error)$", r"….\1", name)
        name, response = (re.sub(r"^(Re\w+\.)\w+$", r"\1…", each) for each in (name, response))
        if response:
            said.append(f"answered by {response}")
        self.note("types", f"{name}: {', '.join(said)}")

    def _take_event(self, record: Record) -> None:
        name, contract = self._names[record.type], self._contracts[record.type]
        self.note("flags", f"{ROLES[contract >> 36 & 15]} {record.flags}")
        origin = self._origins.get(record.origin, "")
        if origin:
            self.note("scopes", origin)
        if record.flags & 64:
            return  # A secret.
        if record.status:
            self._take_error(record.status, record.data)
        elif name == "MainstemMove" and record.flags & 1:
            return  # As its requester wrote it.
        elif contract >> 32 & 15 == 3:
            self._take_json(name, record.data)
        elif name.endswith(".error") or name.startswith("ResponseGuard."):
            what = ".error" if name.endswith(".error") else "ResponseGuard."
            self._take_text("values", what, record.data)

    def _take_text(self, section: str, what: str, data: bytes) -> None:
        text = data.decode()
        if text and not text.startswith(OWN):
            self.note(section, f"{what}: {text}")

    def _take_error(self, status: int, data: bytes) -> None:
        texts = data.decode().split("\0")[:3]
        if texts[0] and not texts[0].startswith(OWN):
            self.note("answers", shortened(f"{status} {texts[0]}"))

    def _take_json(self, name: str, data: bytes) -> None:
        if name != "Forms" and not name.startswith("Mainstem"):
            return
        found: Dict[str, Any] = json.loads(data)
        if name == "Forms":
            for member, value in found.items():
                text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
                self.note("forms", f"{member}: {text}")
            return
        self.note("members", f"{name}: {' '.join(found)}")
        for member in sorted(WORDS & set(found)):
            self.note("words", f"{member}: {found[member]}")
        message = found.get("sentence", OWN)
        if not message.startswith(OWN):
            self.note("reports", shortened(f"{found['code']} {message}"))


def shortened(text: str) -> str:
    """A text in which what is repeated is left out."""
    return re.sub(r"(\w)\1{20,}", r"\1…", text).replace("\n", "\\n")


def written_in(path: Path) -> Sections:
    """The sections that a journal has."""
    reading = Reading()
    with Journal(str(path)) as journal:
        for record in journal.records():
            reading.take(record)
    return reading.sections


def events_of(path: Path) -> List[List[Tuple[Any, ...]]]:
    """Everything that the events of each session and the descriptions say; no times of clocks."""
    sessions: List[List[Tuple[Any, ...]]] = []
    with Journal(str(path)) as journal:
        for record in journal.records():
            if record.status == 1 and not record.is_event:
                sessions.append([])
                continue
            found = sessions[-1]
            if record.is_event:
                facts = (record.position, record.cause, record.correlation, record.answers)
                facts += (record.time, record.type, record.status, record.origin, record.flags)
                found.append((*facts, record.data))
            elif record.status in (2, 3, 4, 6, 11):
                found.append((record.status, record.data))
    return sessions


def listed(name: str = "written.txt") -> Sections:
    """The sections of a list."""
    found: Sections = {}
    for line in (JOURNALS / name).read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            found[line[1:-1]] = []
        elif found and line:
            found[list(found)[-1]].append(line)
    return found


if __name__ == "__main__":
    chosen = sys.argv[1:] or [str(JOURNALS / "written-3.journal")]
    for section, lines in written_in(Path(chosen[0])).items():
        print(f"\n[{section}]")
        print("\n".join(lines))
