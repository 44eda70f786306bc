# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is listed by hand is what is on disk; what one language declares, the other has too."""

import re

import pytest
from tree import ROOT, declared_functions, files, name, text

SOURCES = ROOT / "cmake" / "Sources.cmake"
LISTS = {
    "MAINSTEM_HEADERS": ("include", (".h",)),
    "MAINSTEM_NATS_HEADERS": ("include/mainstem", (".h",)),
    "MAINSTEM_NATS_SOURCES": ("Sources/MainstemNATS", (".c", ".h")),
    "MAINSTEM_PRIVATE_HEADERS": ("Sources/CMainstem/include", (".h", ".modulemap")),
    "MAINSTEM_SHIM_SOURCES": ("Sources/CMainstem", (".c",)),
    "MAINSTEM_CORE_SOURCES": ("Sources/MainstemCore", (".swift",)),
    "MAINSTEM_DOOR_SOURCES": ("Sources/MainstemC", (".swift",)),
    "MAINSTEM_TESTING_SOURCES": ("Sources/MainstemTestingC", (".c", ".h")),
}


def listed(variable):
    body = re.search(rf"^set\({variable}\n(.*?)\)$", text(SOURCES), flags=re.M | re.S).group(1)
    return re.findall(r"^\s+([\w/.+]+)$", body, flags=re.M)


@pytest.mark.parametrize("variable", LISTS)
def test_the_list_of_sources_is_what_is_on_disk(variable):
    folder, suffixes = LISTS[variable]
    on_disk = {name(path) for path in files(folder, suffixes=suffixes)}
    if variable.endswith("HEADERS") and folder.startswith("include"):
        of_bridge = {path for path in on_disk if path.startswith("include/mainstem/nats")}
        on_disk = of_bridge if variable == "MAINSTEM_NATS_HEADERS" else on_disk - of_bridge
    assert on_disk, folder
    in_list = listed(variable)
    assert len(in_list) == len(set(in_list))
    assert sorted(on_disk - set(in_list)) == [], "on disk, not in the list"
    assert sorted(set(in_list) - on_disk) == [], "in the list, not on disk"


def test_the_core_is_listed_in_the_order_of_flow():
    order = ["Base", "Event", "Flow", "Handlers", "State", "Journal", "Navigation", "Context.swift"]
    stations = [order.index(source.split("/")[2]) for source in listed("MAINSTEM_CORE_SOURCES")]
    assert stations == sorted(stations)


def test_every_function_is_declared_once():
    names = declared_functions()
    assert len(names) > 40
    assert len(names) == len(set(names))


def test_python_declares_the_functions_of_the_headers():
    face = "\n".join(text(path) for path in files("Sources/MainstemPython", suffixes=(".py",)))
    mentioned = set(re.findall(r"\bmainstem_\w+\b", face))
    assert [function for function in declared_functions() if function not in mentioned] == []


def test_the_door_implements_the_functions_of_the_headers():
    door = "\n".join(text(path) for path in files("Sources/MainstemC", suffixes=(".swift",)))
    shim = "\n".join(text(path) for path in files("Sources/CMainstem", suffixes=(".c",)))
    exported = re.findall(r'^@implementation @_cdecl\("(mainstem_\w+)"\)', door, flags=re.M)
    in_shim = [
        found for found in declared_functions() if re.search(rf"\b{found}\([^;]*?\)\s*{{", shim)
    ]
    assert len(exported) == len(set(exported))
    assert sorted(set(declared_functions()) - {*exported, *in_shim}) == [], "declared, no body"
    assert sorted({*exported, *in_shim} - set(declared_functions())) == [], "no declaration"


def test_the_table_of_documents_lists_every_decision():
    rows = re.findall(
        r"^\| \[(\d{4})\]\(decisions/(.+)\) \|", text(ROOT / "docs/README.md"), flags=re.M
    )
    pages = sorted(path.name for path in files("docs/decisions"))
    assert [page for _, page in rows] == pages
    assert [number for number, _ in rows] == [page[:4] for page in pages]


#: Who goes through all policies of a queue, or has a word for each.
POLICIES = {
    "Tests/CTests/law_9_not_refused.c": "last",
    "Tests/CTests/law_9_queue_scripts.c": "last",
    "Tests/CTests/scheduled_server.c": "last",
    "Tests/CTests/scenario_steps.h": "all",
    "Tests/ModelTests/arguments.py": "all",
    "Sources/MainstemPython/mainstem/observers/_calls.py": "all",
    "Sources/Mainstem/Flow/Scheduler.swift": "all",
}


@pytest.mark.parametrize("path", POLICIES)
def test_each_policy_of_a_queue_is_used(path):
    header = text(ROOT / "include" / "mainstem" / "observing.h")
    declared = re.findall(r"^#define MAINSTEM_(QUEUE_\w+) +(\d+)", header, flags=re.M)
    assert [number for _, number in declared] == [str(n) for n in range(len(declared))]
    names = [name for name, _ in declared][-1 if POLICIES[path] == "last" else 0 :]
    used = text(ROOT / path)
    assert [name for name in names if not re.search(rf"\b(?:MAINSTEM_)?{name}\b", used)] == []
