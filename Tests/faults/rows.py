#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Planted faults as rows: what *.faults here say, and how a fault gets into a copy of the sources.

    fault 01b
    A turn begins while another one runs.
    only: C Python
    @@
     guard !isInTurn else {
    -  return
    +  // goes on
     }

A fault has a name, one line that says what is broken, fields, and one edit or several: lines that
begin with a blank stay, lines with `-` go, lines with `+` come. No file is named: the lines that
stay or go must occur once in Sources/, whatever file they are in. Fields:

    only: C Python     languages whose tests can show it; without the field all of its kind
    on: embedded       libraries that it is planted in: without the field static, which is built
                       file by file, so generics make their types while it runs
    also: model        random scripts must see it too
    over: A figure     of a walk: the figures that it must bring over their bounds, a line each

The name says who must see it: see run. From a shell:

    rows.py table              of each a line: name, on, only, also, title, with tabs in between
    rows.py over NAME          the figures of a walk
    rows.py plant NAME TREE    changes TREE/Sources
    rows.py heal NAME TREE     puts back what is in this repository
    rows.py check              whether each can be planted
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIELDS = ("only", "on", "also", "over")
SUFFIXES = (".swift", ".py", ".c", ".h")


class Edit(NamedTuple):
    """What is there, and what is there instead."""

    old: str
    new: str


class Fault(NamedTuple):
    """A row."""

    name: str
    title: str
    fields: Dict[str, List[str]]
    edits: List[Edit]


class Unfit(Exception):
    """A row that cannot be read, or planted."""


# Reading ------------------------------------------------------------------------------------------


def edit_of(lines: List[str], name: str) -> Edit:
    """An edit from its lines; one that is empty stays."""
    lines = [line or " " for line in lines]
    if any(line[:1] not in (" ", "-", "+") for line in lines):
        raise Unfit(f"{name}: each line of an edit begins with a blank, - or +")
    old = [line[1:] + "\n" for line in lines if line[0] != "+"]
    new = [line[1:] + "\n" for line in lines if line[0] != "-"]
    if not old or old == new:
        raise Unfit(f"{name}: an edit needs lines that are there, and must change them")
    return Edit("".join(old), "".join(new))


def fault_of(text: str) -> Fault:
    """A fault from its row."""
    head, *edits = text.rstrip("\n").split("\n@@\n")
    name, title, *rest = head.split("\n")
    fields: Dict[str, List[str]] = {}
    for line in rest:
        field, colon, value = line.partition(": ")
        if field not in FIELDS or not colon:
            raise Unfit(f"{name}: {line}: there is no such field")
        fields.setdefault(field, []).extend([value] if field == "over" else value.split())
    if not edits:
        raise Unfit(f"{name}: there is no edit")
    return Fault(name, title, fields, [edit_of(edit.split("\n"), name) for edit in edits])


def faults_in(path: Path) -> Iterator[Fault]:
    """The faults of a file: behind its comment, rows that begin with `fault NAME`."""
    _, *rows = ("\n" + path.read_text(encoding="utf-8")).split("\nfault ")
    return map(fault_of, rows)


def all_faults() -> Dict[str, Fault]:
    """All faults, in the order of their names."""
    found: Dict[str, Fault] = {}
    for path in sorted(HERE.glob("*.faults")):
        for fault in faults_in(path):
            if fault.name in found:
                raise Unfit(f"{fault.name}: there are two faults of that name")
            found[fault.name] = fault
    return dict(sorted(found.items()))


# Planting -----------------------------------------------------------------------------------------


def sources(tree: Path) -> Dict[Path, str]:
    """The text of each source."""
    paths = sorted(path for path in (tree / "Sources").rglob("*") if path.suffix in SUFFIXES)
    return {path: path.read_text(encoding="utf-8") for path in paths}


def count(old: str, text: str) -> int:
    """How often these lines are in a text; they may overlap."""
    found, at = 0, text.find(old)
    while at >= 0:
        found, at = found + 1, text.find(old, at + 1)
    return found


def planted(fault: Fault, texts: Dict[Path, str]) -> Dict[Path, str]:
    """The files that a fault changes, with it."""
    changed: Dict[Path, str] = {}
    for edit in fault.edits:
        counts = {path: count("\n" + edit.old, "\n" + text) for path, text in texts.items()}
        places = [path for path in counts for _ in range(counts[path])]
        if len(places) != 1:
            where = [path.name for path in places] or "nowhere"
            raise Unfit(f"{fault.name}: its lines must be in one place, and are in {where}")
        path = places[0]
        text = "\n" + changed.get(path, texts[path])
        if "\n" + edit.old not in text:
            raise Unfit(f"{fault.name}: its edits are of the same lines")
        changed[path] = text.replace("\n" + edit.old, "\n" + edit.new, 1)[1:]
    return changed


def plant(fault: Fault, tree: Path) -> None:
    """Changes a copy of the sources."""
    for path, text in planted(fault, sources(tree)).items():
        path.write_text(text, encoding="utf-8")


def heal(fault: Fault, tree: Path) -> None:
    """Puts back what a fault has changed."""
    for path in planted(fault, sources(ROOT)):
        (tree / path.relative_to(ROOT)).write_bytes(path.read_bytes())


def unfit(faults: Dict[str, Fault]) -> Tuple[str, ...]:
    """Why some cannot be planted."""
    texts, found = sources(ROOT), []
    for fault in faults.values():
        try:
            planted(fault, texts)
        except Unfit as error:
            found.append(str(error))
    return tuple(found)


def cells_of(fault: Fault) -> Tuple[str, ...]:
    """What a shell needs to know of it; no cell is empty."""
    on, only, also = (" ".join(fault.fields.get(name, ())) for name in ("on", "only", "also"))
    return fault.name, on or "static", only or "C Python Swift", also or "none", fault.title


def main(verb: str, *words: str) -> int:
    """What a shell asks for."""
    try:
        if verb == "table":
            for fault in all_faults().values():
                print("\t".join(cells_of(fault)))
        elif verb == "check":
            wrong = unfit(all_faults())
            print("\n".join(wrong))
            return 1 if wrong else 0
        elif verb in ("over", "plant", "heal"):
            fault = all_faults().get(words[0])
            if fault is None:
                raise Unfit(f"{words[0]}: there is no fault of that name")
            if verb == "over":
                print("\n".join(fault.fields["over"]))
            elif verb == "plant":
                plant(fault, Path(words[1]).resolve())
            else:
                heal(fault, Path(words[1]).resolve())
        else:
            print(__doc__)
            return 2
    except Unfit as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else main("help"))
