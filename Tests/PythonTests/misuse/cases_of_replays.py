# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that cannot be fed."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_uint64, c_void_p

from journal_writer import BYTES, TEXT, JournalWriter
from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .files import damage, no_file, second_file, two_files

FED = ("replay_step", "replay_seek", "replay_run")
REPLAYED = (*FED, "replay_pause")


def _replay(world, path, mode=0):
    """A replay in a context of its own."""
    context, replay = world.open_context("another"), c_void_p()
    options = d.ReplayOptions(size=ctypes.sizeof(d.ReplayOptions), mode=mode)
    status = C.mainstem_replay_open(context, path, byref(options), byref(replay))
    assert status == OK
    return replay.value


def _verify(world, writer):
    writer.end().save(world.folder / "verified")
    return _replay(world, world.path("verified"), mode=1)


def _stopped(arguments, replay):
    """What stopped a replay is what each later call returns."""
    C.mainstem_replay_step(replay, 0, byref(c_uint64()))
    arguments.update(replay=replay)
    if "position" in arguments:
        arguments["position"] = 1 << 40


@case("DIFFERENT", None, *REPLAYED)
def a_journal_with_an_event_that_nobody_sends(world, arguments):
    writer = JournalWriter()
    writer.event("Notice", "first")
    writer.event("Notice", "second", cause=1)
    _stopped(arguments, _verify(world, writer))


@case("UNSUPPORTED", "replay", *REPLAYED)
def an_output_whose_cause_the_journal_did_not_keep(world, arguments):
    writer = JournalWriter()
    writer.event("Notice", "first")
    writer.skip(1)
    writer.event("Notice", "third", cause=2)
    _stopped(arguments, _verify(world, writer))


@case("CORRUPT", None, *FED)
def a_file_that_is_damaged_while_it_is_fed(world, arguments):
    replay = _replay(world, two_files(world))
    damage(second_file(world))
    _stopped(arguments, replay)


@case("IO", None, *FED)
def a_file_that_vanishes_while_it_is_fed(world, arguments):
    replay = _replay(world, two_files(world))
    no_file(second_file(world))
    _stopped(arguments, replay)


@case("LIMIT", "path", "replay_open", lasting=("types",))
def more_event_types_than_a_replay_can_register(world, arguments):
    writer = JournalWriter()
    for number in range(65537):
        writer.type(f"{number}", TEXT)
    writer.end().save(world.folder / "types")
    arguments["path"] = world.path("types")


@case("UNSUPPORTED", None, "replay_open")
def to_verify_from_the_middle_of_a_session(world, arguments):
    two_files(world)
    (world.folder / "two.000001").unlink()
    arguments["path"], arguments["options"].mode = world.path("two"), 1


@case("INVALID", "options.session", "replay_open")
def a_session_that_is_none(world, arguments):
    arguments["options"].session = 7


@case("INVALID", "position", "replay_seek")
def a_position_that_has_passed(world, arguments):
    assert C.mainstem_replay_step(arguments["replay"], 5, byref(c_uint64())) == OK


@case("INVALID", "position", "replay_seek", lasting=("events", "deliveries", "info"))
def a_position_that_is_never_reached(world, arguments):
    arguments["position"] = 1 << 40


@case("TOO_BIG", None, "replay_supply")
def a_secret_larger_than_a_payload_may_be(world, arguments):
    arguments["secret"].data, arguments["secret"].data_size = b"", 1 << 32


@case("INVALID", None, "replay_supply")
def an_error_of_an_event_that_is_no_response(world, arguments):
    error = d.ErrorStruct(size=ctypes.sizeof(d.ErrorStruct), code=1000, message=b"why")
    arguments["secret"].error = ctypes.pointer(error)


@case("INVALID", None, "replay_supply")
def an_answer_of_an_event_that_answers_nothing(world, arguments):
    arguments["secret"].answers = 1


@case("INVALID", None, "replay_supply")
def a_secret_that_breaks_its_contract(world, arguments):
    arguments["secret"].data, arguments["secret"].data_size = b"\xff", 1


@case("BUSY", "context", "replay_open")
def a_context_that_is_replaying_already(world, arguments):
    assert world.replay
    arguments["context"] = world.replaying


@case("INVALID", "context", "replay_open")
def a_context_that_is_recorded(world, arguments):
    arguments["context"] = world.recorded


@case("INVALID", None, "replay_open", lasting=("types",))
def a_type_that_is_registered_differently(world, arguments):
    writer = JournalWriter()
    writer.type("Notice", BYTES)
    writer.end().save(world.folder / "different")
    arguments["path"] = world.path("different")
