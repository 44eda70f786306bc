# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Each function, misused as the header implies, says what the header says, and does nothing."""

from __future__ import annotations

import ctypes
import importlib
import shutil

import pytest
from conftest import ROOT
from interpreter import child
from mainstem._library import C
from mainstem._library import _header as d
from misuse.calls import GOOD, good, invoke, is_good, named, place
from misuse.case import CASES
from misuse.check import provoke
from misuse.elsewhere import PROVOKED, excused
from misuse.files import no_file, second_file, two_files
from misuse.generic import misuses
from misuse.header import FUNCTIONS, OF_HANDLES
from misuse.world import World
from raw import OK

PARTS = ("answers", "contexts", "journals", "observers", "bindings", "models", "reactors", "routes")
for cases in (*PARTS, "replays", "services", "navigators"):
    importlib.import_module(f"misuse.cases_of_{cases}")

CALLS = [name for name, function in FUNCTIONS.items() if function.is_status]
THREADS = {"one": d.THREADS_ONE, "any": d.THREADS_ANY}


@pytest.fixture
def make_world(tmp_path):
    """Makes worlds, one after the other; each in an empty folder."""
    worlds = []

    def make(threads):
        folder = tmp_path / f"{len(worlds)}"
        folder.mkdir()
        worlds.append(World(THREADS[threads], folder))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()
        shutil.rmtree(world.folder)


def of(name, threads):
    """The misuses of a function in such a context: one for any thread has no wrong thread."""
    for misuse in [*misuses(name), *CASES.get(name, [])]:
        if threads == "one" or misuse.wanted != {"WRONG_THREAD"}:
            yield misuse


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", CALLS)
def test_good_arguments_are_good(name, threads, make_world):
    world = make_world(threads)

    def act(event):
        status, message = invoke(name, good(world, name, event))
        assert is_good(name, status), message

    place(world, name, act)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", CALLS)
def test_each_misuse_is_refused_as_the_header_says(name, threads, make_world):
    listed = FUNCTIONS[name].statuses() | OF_HANDLES | {"OK"}
    wrong = []
    for misuse in of(name, threads):
        try:
            status = provoke(make_world(threads), name, misuse)
            assert status in listed, f"the header does not list {status}"
        except AssertionError as failed:
            wrong.append(f"{misuse}: {failed}")

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", CALLS)
def test_each_status_that_the_header_lists_has_a_case(name):
    provoked = {named(GOOD.get(name, 0))}
    for misuse in of(name, "one"):
        if len(misuse.wanted) == 1:
            provoked |= misuse.wanted

    assert FUNCTIONS[name].statuses() - provoked == excused(name) & FUNCTIONS[name].statuses()
    assert not excused(name) & provoked, "it needs no excuse"


def test_a_later_file_that_cannot_be_opened_is_named(make_world):
    world = make_world("one")
    journal = world.open_journal(two_files(world))
    event = ctypes.c_void_p()
    assert C.mainstem_journal_next(journal, 0, ctypes.byref(event)) == OK
    no_file(second_file(world))

    status = C.mainstem_journal_next(journal, 0, ctypes.byref(event))

    assert named(status) == "IO"
    assert C.mainstem_last_error().decode() == (
        f"mainstem_journal_next: journal: file 2 of {world.path('two').decode()}"
        " (Is a directory) cannot be opened"
    )


def test_what_is_provoked_elsewhere_is():
    for rows in PROVOKED.values():
        for program, functions in rows.items():
            text = (ROOT / "Tests" / "CTests" / program).read_text(encoding="utf-8")
            for function in functions.split():
                assert f"mainstem_{function}(" in text, (program, function)


@pytest.mark.parametrize("threads", THREADS)
def test_a_handle_with_other_bits_is_none(threads, tmp_path):
    program = "import sys; from misuse.other_bits import check; check(*sys.argv[1:])"

    process = child(program, threads, str(tmp_path))

    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
