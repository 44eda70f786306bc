# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who may know whom: Flow knows Event, later stations know Flow, only Context.swift knows all.

And the bridge to NATS: its folders include each other in one direction."""

import re

import pytest
from tree import HEADERS, ROOT, code, files, name, text

CORE = "Sources/MainstemCore"
LATER = ["Handlers", "State", "Journal", "Navigation"]
KNOWN_BY = {
    "Base": [],
    "Event": ["Base"],
    "Flow": ["Base", "Event"],
    **{station: ["Base", "Event", "Flow"] for station in LATER},
    **{station: ["Base", "Event", "Flow", "Handlers"] for station in ("State", "Navigation")},
}
IMPORTS = {
    "Sources/MainstemCore": {"CMainstem", "Synchronization"},
    "Sources/MainstemC": {"CMainstem", "MainstemCore", "Synchronization"},
    "Sources/Mainstem": {
        "CMainstem",
        "MainstemC",
        "MainstemSignals",
        "Synchronization",
        "FoundationEssentials",
        "Glibc",
        "Darwin",
        "Musl",
    },
    "Sources/MainstemSignals": {"Synchronization"},
    "Sources/MainstemTesting": {"Mainstem", "MainstemSignals", "Testing", "Synchronization"},
    "Sources/MainstemNATS": {"CMainstem", "CMainstemNATS", "Mainstem"},
}
# The folders of the bridge, each with those that its files may include: all of them come before it.
BRIDGE = "Sources/MainstemNATS"
INCLUDES = {
    "include": [],
    "Bridge": ["include"],
    "Entries": ["Bridge"],
    "Mirror": ["Entries", "Bridge"],
    "Fetch": ["Entries", "Bridge"],
    "Import": ["Entries", "Bridge"],
    "Requests": ["Bridge"],
}
KINDS = ["Mirror", "Fetch", "Import", "Requests"]
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|private|fileprivate|final|indirect) )*"
    r"(?:class|struct|enum|protocol|actor|typealias|func|let|var) (\w+)",
    flags=re.M,
)
MEMBER = re.compile(r"\b(?:func|var|let|case|typealias|struct|class|enum|protocol) +`?(\w+)")
# What is called, by itself or of something.
USE = re.compile(r"\.(\w+)\b(?! *:)|(?<![.\w])(\w+)\(")
# Words of Swift's own types that we declare, too.
OF_SWIFT = ["initialize", "load", "stride", "update"]
IMPORT = re.compile(
    r"^\s*(?:@[\w()]+ )*(?:public |package |internal |private |fileprivate )?"
    r"import (?:(?:struct|class|enum|func|protocol|typealias|let|var) )?(\w+)",
    flags=re.M,
)


def declared(*folders):
    """Each name declared at the top of a file of the folders, and that file."""
    owners = {}
    for path in files(*(f"{CORE}/{folder}" for folder in folders), suffixes=(".swift",)):
        for found in DECLARATION.findall(code(path)):
            owners.setdefault(found, name(path))
    return owners


def test_the_core_has_no_folder_that_no_arrow_speaks_of():
    folders = {name(path).split("/")[2] for path in files(CORE, suffixes=(".swift",))}
    assert folders - set(KNOWN_BY) <= {"Context.swift"}


@pytest.mark.parametrize("station", KNOWN_BY)
def test_a_station_names_nothing_of_a_station_it_must_not_know(station):
    known = declared(station, *KNOWN_BY[station])
    strangers = declared(*(set(KNOWN_BY) - {station, *KNOWN_BY[station]}), "Context.swift")
    strangers = {word: owner for word, owner in strangers.items() if word not in known}
    found = [
        f"{name(path)}: {word} of {strangers[word]}"
        for path in files(f"{CORE}/{station}", suffixes=(".swift",))
        for word in sorted(set(re.findall(r"(?<!\.)\b\w+\b", code(path))) & set(strangers))
        if word[0].isupper() or not re.search(rf"\b{word}\s*[:=]", code(path))
    ]
    assert found == []


def members(*folders):
    """Each name declared anywhere in a file of the folders, in an extension too, and that file."""
    owners = {}
    for path in files(*(f"{CORE}/{folder}" for folder in folders), suffixes=(".swift",)):
        for found in MEMBER.findall(code(path)):
            owners.setdefault(found, name(path))
    return owners


def used(path):
    """The names that a file uses of something, or calls."""
    return [member or function for member, function in USE.findall(code(path))]


@pytest.mark.parametrize("station", KNOWN_BY)
def test_a_station_uses_no_member_of_a_station_it_must_not_know(station):
    sources = files(f"{CORE}/{station}", suffixes=(".swift",))
    parameters = {word for path in sources for word in re.findall(r"\b(\w+):", code(path))}
    fields = {word for path in files("include") for word in re.findall(r"\w+", code(path))}
    known = {*members(station, *KNOWN_BY[station]), *parameters, *fields, *OF_SWIFT}
    strangers = members(*(set(KNOWN_BY) - {station, *KNOWN_BY[station]}))
    found = [
        f"{name(path)}: {word} of {strangers[word]}"
        for path in sources
        for word in sorted(set(used(path)) & (set(strangers) - known))
    ]
    assert found == []


def test_positions_are_given_in_one_room():
    users = [
        name(path)
        for path in files("Sources", suffixes=(".swift",))
        if re.search(r"\bStateWord\.step\b", code(path))
    ]
    assert users != []
    assert [path for path in users if not path.startswith(f"{CORE}/Flow/Order/")] == []


@pytest.mark.parametrize("module", IMPORTS)
def test_a_module_imports_only_what_it_may(module):
    sources = files(module, suffixes=(".swift",))
    found = [
        f"{name(path)}: {imported}"
        for path in sources
        for imported in IMPORT.findall(code(path))
        if imported not in IMPORTS[module]
    ]
    assert sources, module
    assert found == []


def test_headers_include_only_what_comes_before_them():
    bridges = ["nats_bridge", "nats_mirror", "nats_import", "nats_requests", "nats"]
    order = [*HEADERS, "testing", *bridges]
    found = [
        f"{name(path)}: {included}"
        for path in files("include/mainstem", suffixes=(".h",))
        for included in re.findall(r'#include "(\w+)\.h"', path.read_text(encoding="utf-8"))
        if order.index(included) >= order.index(path.stem)
    ]
    assert found == []


def included(path):
    """The other folders of the bridge whose headers a file includes."""
    targets = [
        (path.parent / header).resolve() for header in re.findall(r'#include "([^"]+)"', text(path))
    ]
    folders = [target.parent for target in targets if ROOT / BRIDGE in target.parents]
    return [folder.name for folder in folders if folder != path.parent]


def test_a_folder_of_the_bridge_includes_only_folders_that_come_before_it():
    order = list(INCLUDES)
    assert [
        f"{folder}: {known}"
        for folder in order
        for known in INCLUDES[folder]
        if known not in order[: order.index(folder)]
    ] == []
    sources = files(BRIDGE, suffixes=(".c", ".h"))
    assert {path.parent.name for path in sources} == set(order)
    found = [
        f"{name(path)}: {folder}"
        for path in sources
        for folder in included(path)
        if folder not in INCLUDES[path.parent.name]
    ]
    assert found == []


def test_the_bridge_names_no_kind_of_bridge():
    """The base has an opaque state, not a field or a type of a kind."""
    of_kinds = {
        found
        for path in files(*(f"{BRIDGE}/{kind}" for kind in KINDS), suffixes=(".c", ".h"))
        for found in re.findall(r"^struct (\w+) \{", text(path), flags=re.M)
    }
    found = [
        f"{name(path)}: {word}"
        for path in files(f"{BRIDGE}/Bridge", f"{BRIDGE}/Entries", suffixes=(".c", ".h"))
        for word in re.findall(r"\bstruct (\w+)\b", text(path))
        if word in of_kinds
    ]
    assert {"forward", "import", "window"} <= of_kinds
    assert found == []
