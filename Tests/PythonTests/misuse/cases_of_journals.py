# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that cannot be recorded or read."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p

from journal_writer import JournalWriter
from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .files import damage, no_file, of_a_later_version, second_file, two_files, write


@case("CORRUPT", None, "journal_record", "journal_open", "journal_salvage", "replay_open")
def a_file_that_is_no_journal(world, arguments):
    arguments["path"] = write(world, "none", b"This is no journal. " * 20)


@case("VERSION", None, "journal_record", "journal_open", "journal_salvage", "replay_open")
def a_journal_of_a_later_version(world, arguments):
    arguments["path"] = write(world, "later", JournalWriter(version=99).bytes)


@case("IO", "path", "journal_open", "journal_salvage", "replay_open")
def a_path_without_a_file(world, arguments):
    arguments["path"] = world.path("nowhere")


@case("IO", "path", "journal_record")
def a_path_without_a_folder(world, arguments):
    arguments["path"] = world.path("nowhere/new")


@case("LOCKED", "path", "journal_record")
def a_journal_that_is_being_written(world, arguments):
    assert world.recorded
    arguments["path"] = world.path("recorded")


@case("NO_SPACE", None, "journal_record", "journal_salvage", where="without space")
def a_disk_that_is_full(world, arguments):
    pass


@case("UNSUPPORTED", "options.durability", "journal_record")
def a_level_that_is_none(world, arguments):
    arguments["options"].durability = 7


def _opened(world, arguments, happens):
    """A journal of which one file was read; then something happens to the next."""
    arguments["journal"] = world.open_journal(two_files(world))
    assert C.mainstem_journal_next(arguments["journal"], 0, byref(c_void_p())) == OK
    happens(second_file(world))


NEXT = ("journal_next", "journal_next_many")


@case("UNSUPPORTED", "flags", *NEXT)
def a_flag_that_this_library_does_not_know(world, arguments):
    arguments["flags"] = 2


READ = (*NEXT, "journal_follow", "journal_info_read", "journal_type_read")
READ += ("journal_origin_name",)


@case(
    "WRONG_THREAD",
    "journal",
    *READ,
    "journal_event_line",
    "journal_close",
    where="beside a reader",
)
def a_journal_that_another_thread_is_reading(world, arguments):
    world.handle("long_journal")


@case("CORRUPT", "journal", *NEXT)
def a_later_file_that_is_damaged(world, arguments):
    _opened(world, arguments, damage)


@case("VERSION", "journal", *NEXT)
def a_later_file_of_a_later_version(world, arguments):
    _opened(world, arguments, of_a_later_version)


@case("IO", "journal", *NEXT)
def a_later_file_that_is_none(world, arguments):
    _opened(world, arguments, no_file)


def _awaited(world, arguments, happens):
    """A journal whose next file has no header yet; then something happens to it."""
    path = two_files(world)
    second_file(world).write_bytes(b"")
    arguments["journal"] = world.open_journal(path)
    for _ in range(2):
        assert C.mainstem_journal_next(arguments["journal"], 0, byref(c_void_p())) == OK
    happens(second_file(world))


@case("VERSION", None, "journal_follow")
def a_file_that_a_later_version_begins(world, arguments):
    _awaited(world, arguments, of_a_later_version)


@case("IO", "journal", "journal_follow")
def a_file_that_becomes_none(world, arguments):
    _awaited(world, arguments, no_file)


def _closing(world):
    """A context whose journal has something that is not yet written."""
    context = world.open_context("closing")
    options = d.JournalOptions(size=ctypes.sizeof(d.JournalOptions), durability=2)
    path = world.path("closing.journal")
    assert C.mainstem_journal_record(context, path, byref(options)) == OK
    assert C.mainstem_send(context, world.type_of(b"Notice", context), b"n" * 200, 200) == OK
    return context


@case("CORRUPT", None, "context_close", lasting=("closing",))
def a_journal_that_was_removed(world, arguments):
    arguments["context"] = _closing(world)
    os.unlink(world.path("closing.journal"))


@case("NO_SPACE", None, "context_close", where="without space", lasting=("closing",))
def a_journal_whose_end_has_no_room(world, arguments):
    arguments["context"] = _closing(world)


@case("INVALID", "context", "journal_sync", "journal_on_durable", "journal_stats_read")
def a_context_that_is_not_recorded(world, arguments):
    arguments["context"] = world.context


@case("INVALID", "context", "journal_record", "replay_open")
def a_context_that_has_accepted_an_event(world, arguments):
    context = arguments["context"]
    assert C.mainstem_send(context, world.type_of(b"Notice", context), b"", 0) == OK


@case("INVALID", "context", "journal_record")
def a_context_that_is_recorded_already(world, arguments):
    arguments["context"] = world.recorded


@case("INVALID", "path", "journal_record")
def a_new_journal_where_there_is_one(world, arguments):
    arguments["path"], arguments["options"].flags = world.sample, 1


@case("INVALID", "options.keep", "journal_record")
def files_to_keep_without_segments(world, arguments):
    arguments["options"].keep = 1


@case("INVALID", "to", "journal_salvage")
def a_salvage_to_where_a_file_is(world, arguments):
    arguments["to"] = world.sample


@case("TOO_BIG", "size", "journal_next_many")
def a_buffer_too_small_for_an_event(world, arguments):
    arguments["size"] = 63


@case("INVALID", "context", "journal_record")
def a_context_that_is_replaying(world, arguments):
    assert world.replay
    arguments["context"] = world.replaying
