# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where a call is made: inside a callback, deep in a cascade, where a secret is asked for."""

from __future__ import annotations

import ctypes
import mmap
import os
import threading
import time
from ctypes import byref, c_char_p, c_int, c_long, c_size_t, c_uint64, c_void_p

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK, WRONG_THREAD


def _acting(world, action, turn=1):
    """A callback that calls `action(event)` at a turn, its calls, and what raises its exception."""
    calls, raised = [], []

    def call(data, event):
        calls.append(event)
        if len(calls) != turn:
            return
        try:
            action(event)
        except BaseException as exception:
            raised.append(exception)

    def look():
        if raised:
            raise raised[0]
        assert len(calls) >= turn, "the callback was not called"

    callback = d.EVENT_FN(call)
    world.kept.append(callback)
    return callback, calls, look


def _notify(world, context):
    return C.mainstem_send(context, world.type_of(b"Notice", context), b"", 0)


def inside(world, context, action):
    """Calls `action(event)` inside a callback of that context."""
    callback, _, look = _acting(world, action)
    if context == world.made("replaying"):
        world.handle("replay")
        world.observe(context, callback)
        assert C.mainstem_replay_step(world.replay, 1, byref(c_uint64())) == OK
    else:
        world.observe(context, callback)
        assert _notify(world, context) == OK
    look()


def handling(world, context, action):
    """Calls `action(event)` inside a handler that got a tracked request."""
    callback, _, look = _acting(world, action)
    world.serve(context, lambda event: callback(None, event))
    world.ask(context)
    look()


def deep(world, action):
    """Calls `action(event)` in a callback whose event has as many causes as it may have: one."""
    world.handle("sent_to_shallow")
    callback, calls, look = _acting(world, action, turn=2)
    cascade = d.EVENT_FN(
        lambda data, event: None if calls else _notify(world, world.shallow) and None
    )
    world.kept.append(cascade)
    world.observe(world.shallow, cascade)
    world.observe(world.shallow, callback)
    assert _notify(world, world.shallow) == OK
    look()


def asked(world, action):
    """Calls `action(event)` where the replay asks for a secret."""
    callback, _, look = _acting(world, action)
    assert C.mainstem_replay_on_secret(world.replay, callback, None, d.RELEASE_FN()) == OK
    C.mainstem_replay_step(world.replay, 0, byref(c_uint64()))
    look()


def long_text(length):
    """A text of so many bytes, which takes little memory: each part of it is the same file."""
    part = 16 << 20
    file = os.memfd_create("text")
    os.write(file, b"n" * part)
    libc = ctypes.CDLL(None)
    libc.mmap.restype = c_void_p
    libc.mmap.argtypes = [c_void_p, c_size_t, c_int, c_int, c_int, c_long]
    shared, private, fixed = mmap.MAP_SHARED, mmap.MAP_PRIVATE, 0x10
    start = libc.mmap(None, length + part, mmap.PROT_READ, private | mmap.MAP_ANON, -1, 0)
    for offset in range(0, length, part):
        libc.mmap(start + offset, part, mmap.PROT_READ, shared | fixed, file, 0)
    os.close(file)
    return c_char_p(start)


def in_a_type(world, call):
    """What `call()` returns while the router asks a type."""
    returned = []
    keep = d.ROUTE_TYPE_FN(lambda data, text, size: returned.append(call()) is None)
    world.kept.append(keep)
    assert C.mainstem_router_type_add(world.router, b"asked", keep, None, d.RELEASE_FN()) == OK
    assert C.mainstem_router_add(world.router, b"asked/<asked:x>", None) == OK
    assert C.mainstem_router_match(world.router, b"asked/x", None, None) == OK
    return returned[0]


def beside_a_reader(world, call):
    """What `call(journal)` returns while another thread reads a long event of that journal."""
    for _ in range(50):
        journal = world.open_journal(world.long_journal)
        begun = threading.Event()

        def read(journal=journal, begun=begun):
            begun.set()
            C.mainstem_journal_next(journal, 0, byref(c_void_p()))

        reader = threading.Thread(target=read)
        reader.start()
        begun.wait()
        time.sleep(0.002)
        status, message = call(journal)
        reader.join()
        if status == WRONG_THREAD:
            break
    return status, message
