# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the core have few doors, counted in the compiler's own syntax tree (decision 0029).

A room that is being changed calls nobody, and only Flow extends Stream. Counting takes half a
minute, so the step repository asks for it with each fourth commit: MAINSTEM_ROOMS=1.
"""

import os
import re
import subprocess
from collections import defaultdict
from pathlib import PurePosixPath

import pytest
from tree import ROOT, files, name

CORE = ROOT / "Sources" / "MainstemCore"
MOST = 40
# What State, lists, their children and descriptions have made wider, and how wide: no wider
# (decision 0029).
WIDE = {
    "Flow/Observers": 109,
    "Flow/Scopes": 92,
    "Flow/Loop": 54,
    "Flow/Port": 53,
    "Flow/Delivery": 46,
    "Flow/Admission": 47,
    "Flow": 44,
    "Flow/Order": 41,
    "Flow/Shows": 41,
    "Flow/Schedulers": 44,
    "Flow/Values": 43,
}
# What others build on: these are wide.
LIBRARIES = {"Base", "Event", "Journal/Format"}
REFERENCE = re.compile(r'decl="MainstemCore\.\(file\)\.(.*?)@(/[^":]+):\d+:\d+')


def room(path):
    """The folder below the core; in Flow and Journal, the folder below those."""
    parts = PurePosixPath(path).relative_to(CORE).parts
    return "/".join(parts[: 2 if parts[0] in ("Flow", "Journal") else 1][: len(parts) - 1])


def syntax_tree():
    """What the compiler has understood, line by line."""
    sources = [str(path) for path in files(name(CORE), suffixes=(".swift",))]
    features = ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault")
    command = ["swiftc", "-dump-ast", "-module-name", "MainstemCore", "-package-name", "mainstem"]
    command += ["-swift-version", "6", "-I", str(ROOT / "Sources" / "CMainstem" / "include")]
    command += [flag for feature in features for flag in ("-enable-upcoming-feature", feature)]
    made = subprocess.run(command + sources, capture_output=True, text=True, check=False)
    lines = (made.stdout + made.stderr).splitlines()
    assert [line for line in lines if ": error:" in line] == []
    return lines


def doors(lines):
    """By room: its members that files of other rooms name, each with one of those rooms."""
    found, user = defaultdict(dict), None
    for line in lines:
        if line.startswith("(source_file"):
            user = room(line.split('"')[1])
        for member, place in REFERENCE.findall(line):
            is_local = ")." in member.replace("...", "") or "explicit closure" in member
            if is_local or not place.startswith(f"{CORE}/") or room(place) == user:
                continue
            found[room(place)][member.replace(" extension", "")] = user
    return found


def test_the_room_of_a_file_is_its_folder():
    assert room(CORE / "Context.swift") == ""
    assert room(CORE / "Base" / "Lock.swift") == "Base"
    assert room(CORE / "Flow" / "Stream.swift") == "Flow"
    assert room(CORE / "Flow" / "Order" / "Order.swift") == "Flow/Order"


@pytest.mark.skipif("MAINSTEM_ROOMS" not in os.environ, reason="asked for with each fourth commit")
def test_no_room_has_many_doors():
    found = doors(syntax_tree())
    print("\nMembers that other rooms use:")
    for folder in sorted(found):
        print(f"{len(found[folder]):6} {folder}")
    assert len(found) > 15
    wide = {
        folder: sorted(found[folder])
        for folder in sorted(set(found) - LIBRARIES)
        if len(found[folder]) > WIDE.get(folder, MOST)
    }
    assert wide == {}


STATE = CORE / "Flow" / "Stream.swift"
#: What a method must not do that changes a room in place: a function that comes back into the room
#: loses what it writes there, silently, because behind a pointer nobody checks exclusive access.
CALLS_OUT = re.compile(r"\bFrame\.|\brelease\(|\bfn\(|\bhook\(|\.functions\.|: Stream\b|\block\.")


def rooms():
    """The types of what a stream consists of, from its struct."""
    found = re.findall(r"^  (?:package )?var \w+(?: = |: )([A-Z]\w+)", STATE.read_text(), re.M)
    return sorted({*found, "DelivererState", "Values"} - {"List"})


def methods(text, kinds):
    """Of each mutating method in an extension or a struct of these kinds, its name and code."""
    for kind, body in re.findall(
        r"^(?:\w+ )*(?:extension|struct) (\w+)[^\n]*\{\n(.*?)^\}", text, re.M | re.S
    ):
        if kind in kinds:
            for part in re.split(r"\n(?=  \S)", body):
                found = re.search(r"\bmutating func (\w+)", part)
                if found:
                    yield f"{kind}.{found[1]}", part


def test_rooms_are_found():
    assert {"Admissions", "Loop", "Observers", "Scopes", "Port"} < set(rooms())


def test_a_room_that_is_being_changed_calls_nobody():
    kinds, seen, found = rooms(), 0, []
    for path in files(name(CORE), suffixes=(".swift",)):
        for method, body in methods(path.read_text(), kinds):
            seen += 1
            code = re.sub(r"//[^\n]*", "", body)
            if CALLS_OUT.search(code):
                found.append(method)
    assert seen > 40
    assert found == []


def test_only_flow_extends_the_stream():
    found = []
    for path in files(name(CORE), suffixes=(".swift",)):
        parts = re.findall(r"^extension Stream \{\n(.*?)^\}", path.read_text(), re.M | re.S)
        if parts and room(path).split("/")[0] != "Flow":
            found += re.findall(r"\b(?:func|var|init|subscript)\b \w+", "".join(parts))
    # Where the parts above begin.
    assert sorted(found) == ["var recorder", "var requests"]
