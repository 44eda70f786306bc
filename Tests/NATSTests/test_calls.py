# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Each call as C makes it: what is refused, with which status and which message."""

from __future__ import annotations

import ctypes
import os
import threading

import mainstem
import pytest
from mainstem import MainstemError, Status, nats
from mainstem.nats import C
from mainstem.nats import _header as d

NOWHERE = "nats://127.0.0.1:1"


@pytest.fixture
def path(tmp_path):
    """A journal."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session.journal")
    return os.fsencode(tmp_path / "session.journal")


@pytest.fixture
def options():
    """Options at their defaults, for a server that is not there."""
    made = d.Options(size=ctypes.sizeof(d.Options))
    made.url = NOWHERE.encode()
    return made


def begin(path, options):
    handle = ctypes.c_void_p(1)
    status = C.mainstem_nats_mirror(path, options and ctypes.byref(options), ctypes.byref(handle))
    if status == Status.OK:
        assert C.mainstem_nats_close(handle) == Status.OK
    else:
        assert handle.value is None
    return status, C.mainstem_nats_last_error().decode()


def test_defaults_are_enough(path):
    assert begin(path, None)[0] == Status.OK


CONFLICTS = [
    ({"size": 0}, Status.INVALID, "set .size = sizeof options"),
    ({"size": 8}, Status.INVALID, "size"),
    ({"size": 1000}, Status.UNSUPPORTED, "size"),
    ({"flags": 2}, Status.UNSUPPORTED, "flags"),
    ({"user": b"ada"}, Status.INVALID, "password"),
    ({"user": b"a", "password": b"b", "credentials": b"/dev/null"}, Status.INVALID, "credentials"),
    ({"certificate": b"/dev/null"}, Status.INVALID, "key"),
    ({"credentials": b"/nowhere"}, Status.IO, "credentials"),
    ({"authorities": b"/nowhere"}, Status.IO, "authorities"),
    ({"certificate": b"/nowhere", "key": b"/dev/null"}, Status.IO, "certificate"),
    ({"prefix": b""}, Status.INVALID, "prefix"),
    ({"prefix": b"a..b"}, Status.INVALID, "prefix"),
    ({"prefix": b".a"}, Status.INVALID, "prefix"),
    ({"prefix": b"a."}, Status.INVALID, "prefix"),
    ({"prefix": b"a b"}, Status.INVALID, "prefix"),
    ({"prefix": b"a.*"}, Status.INVALID, "prefix"),
    ({"prefix": b"$JS"}, Status.INVALID, "prefix"),
    ({"prefix": b"p" * 513}, Status.INVALID, "prefix"),
    ({"stream": b"a.b"}, Status.INVALID, "stream"),
    ({"stream": b""}, Status.INVALID, "stream"),
    ({"replicas": 6}, Status.INVALID, "replicas"),
    ({"layer_count": 1}, Status.INVALID, "layers"),
    ({"type_count": 1}, Status.INVALID, "types"),
    ({"queue": b"workers"}, Status.INVALID, "queue"),
    ({"timeout_ms": 5}, Status.INVALID, "timeout_ms"),
    ({"scheduler": 1}, Status.INVALID, "scheduler"),
    ({"source": b"0" * 32}, Status.INVALID, "source: is not for this call"),
    ({"scope": b"import"}, Status.INVALID, "scope: is not for this call"),
    ({"durable": b"d"}, Status.INVALID, "durable: is not for this call"),
    ({"journal": b"j"}, Status.INVALID, "journal: is not for this call"),
]


@pytest.mark.parametrize(("fields", "status", "named"), CONFLICTS)
def test_options_that_cannot_be_are_refused(path, options, fields, status, named):
    for field, value in fields.items():
        setattr(options, field, value)
    found, message = begin(path, options)
    assert found == status
    assert message.startswith("mainstem_nats_mirror: options.") and named in message
    assert "\n" not in message


OF_REQUESTS = [C.mainstem_nats_forward, C.mainstem_nats_serve]


@pytest.fixture
def asker():
    """A context with a request type, one that names no answer, and no request."""
    with mainstem.Context() as made:
        made.add_type("RequestTotal", bytes, response="ResponseTotal")
        made.add_type("ResponseTotal", bytes)
        made.add_type("RequestNothing", bytes)
        made.add_type("Tick", bytes)
        yield made


def begin_requests(function, context, name, options):
    handle = ctypes.c_void_p(1)
    status = function(context, name, options and ctypes.byref(options), ctypes.byref(handle))
    if status == Status.OK:
        assert C.mainstem_nats_close(handle) == Status.OK
    else:
        assert handle.value is None
    return status, C.mainstem_nats_last_error().decode()


@pytest.mark.parametrize("function", OF_REQUESTS)
def test_requests_have_options_of_their_own(asker, options, function):
    is_forward = function is C.mainstem_nats_forward
    name = "mainstem_nats_forward" if is_forward else "mainstem_nats_serve"
    assert begin_requests(function, asker.handle, b"RequestTotal", None)[0] == Status.OK
    options.prefix, options.window, options.timeout_ms = b"a.b", 1, 1
    assert begin_requests(function, asker.handle, b"RequestTotal", options)[0] == Status.OK
    fields = {"stream": b"a", "replicas": 1, "layer_count": 1, "type_count": 1}
    fields.update(queue=b"a") if is_forward else fields.update(scheduler=1)
    for field, value in {**fields, "prefix": b"a b", "flags": 2, "size": 8}.items():
        kept = getattr(options, field)
        setattr(options, field, value)
        status, message = begin_requests(function, asker.handle, b"RequestTotal", options)
        assert status in (Status.INVALID, Status.UNSUPPORTED), field
        assert message.startswith(f"{name}: options.") and field.split("_")[0] in message
        setattr(options, field, kept)
    if is_forward:
        options.scheduler = 17
        assert begin_requests(function, asker.handle, b"RequestTotal", options)[0] == Status.INVALID
    else:
        for queue in (b"", b"a b", b"a.b"):
            options.queue = queue
            status, _ = begin_requests(function, asker.handle, b"RequestTotal", options)
            assert status == Status.INVALID


@pytest.mark.parametrize("function", OF_REQUESTS)
def test_requests_that_cannot_be_are_refused(asker, options, function):
    def refused(context, name):
        return begin_requests(function, context, name, options)

    assert refused(None, b"RequestTotal")[0] == Status.INVALID
    assert refused(asker.handle, None)[0] == Status.INVALID
    for name in (b"", b"RequestElse", b"RequestNothing", b"Tick", b"ResponseTotal"):
        status, message = refused(asker.handle, name)
        assert status == Status.INVALID and message, name
    long = b"Request" + b"x" * 245
    asker.add_type(long.decode(), bytes, response="ResponseTotal")
    assert refused(asker.handle, long)[0] == Status.TOO_BIG
    assert refused(asker.scope("Blind", observes=[]).handle, b"RequestTotal")[0] == Status.DENIED
    found = []
    thread = threading.Thread(target=lambda: found.append(refused(asker.handle, b"RequestTotal")))
    thread.start()
    thread.join()
    assert found[0][0] == Status.WRONG_THREAD
    assert function(asker.handle, b"RequestTotal", None, None) == Status.INVALID
    assert asker.stats().scopes == 1
    asker.close()
    assert refused(asker.handle, b"RequestTotal")[0] == Status.STALE


def test_a_journal_that_is_none_is_refused(tmp_path, options):
    (tmp_path / "none").write_bytes(b"This is no journal. " * 20)
    assert begin(None, options)[0] == Status.INVALID
    assert begin(b"", options)[0] == Status.INVALID
    assert begin(os.fsencode(tmp_path / "nowhere"), options)[0] == Status.IO
    assert begin(os.fsencode(tmp_path / "none"), options)[0] == Status.CORRUPT
    from journal_writer import JournalWriter

    JournalWriter(version=99).save(tmp_path / "later")
    status, message = begin(os.fsencode(tmp_path / "later"), options)
    assert status == Status.VERSION
    assert message.startswith("mainstem_nats_mirror: mainstem_journal_open: ")
    assert C.mainstem_nats_mirror(os.fsencode(tmp_path / "later"), None, None) == Status.INVALID


def test_a_file_name_that_cannot_be_a_prefix_needs_one(tmp_path, options):
    path = tmp_path / "my session.journal"
    with mainstem.Context() as context:
        context.record(path)
    assert begin(os.fsencode(path), options)[0] == Status.INVALID
    options.prefix = b"mine"
    assert begin(os.fsencode(path), options)[0] == Status.OK


def calls(handle):
    """What each call on a handle returns."""
    stats = d.StatsStruct(size=ctypes.sizeof(d.StatsStruct))
    read = C.mainstem_nats_stats_read(handle, ctypes.byref(stats))
    return {read, C.mainstem_nats_flush(handle, 0), C.mainstem_nats_close(handle)}


def test_a_handle_that_is_none_is_refused(path, options):
    handle = ctypes.c_void_p()
    assert C.mainstem_nats_close(None) == Status.OK
    assert calls(ctypes.c_void_p(4711)) == {Status.STALE}
    assert calls(ctypes.c_void_p((1 << 64) - 1)) == {Status.STALE}
    assert C.mainstem_nats_flush(None, 0) == Status.INVALID
    assert C.mainstem_nats_mirror(path, ctypes.byref(options), ctypes.byref(handle)) == 0
    assert C.mainstem_nats_flush(handle, 0) == Status.TIMEOUT
    assert C.mainstem_nats_stats_read(handle, None) == Status.INVALID
    for size, status in ((0, Status.INVALID), (8, Status.INVALID), (9999, Status.UNSUPPORTED)):
        stats = d.StatsStruct(size=size)
        assert C.mainstem_nats_stats_read(handle, ctypes.byref(stats)) == status
    assert C.mainstem_nats_close(handle) == Status.OK
    assert calls(handle) == {Status.STALE}
    another = ctypes.c_void_p()
    assert C.mainstem_nats_mirror(path, ctypes.byref(options), ctypes.byref(another)) == 0
    assert another.value != handle.value
    assert calls(handle) == {Status.STALE}
    assert C.mainstem_nats_close(another) == Status.OK


def test_a_flush_ends_when_the_mirror_is_closed(path):
    mirror = nats.mirror(path, NOWHERE)
    found = []

    def wait():
        try:
            mirror.flush()
        except MainstemError as error:
            found.append(error.status)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while mirror.stats.state != "waiting":
        pass
    mirror.close()
    waiting.join()
    assert found in ([Status.CANCELLED], [Status.STALE])
    mirror.close()


def test_a_child_process_has_no_mirror(path):
    with nats.mirror(path, NOWHERE) as mirror:
        child = os.fork()
        if child == 0:
            status = calls(mirror._handle) | {begin(path, None)[0]}
            os._exit(0 if status == {Status.FORKED} else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert mirror.stats.state == "waiting"


def test_there_is_a_limit(path, options):
    handles = []
    status = Status.OK
    while status == Status.OK:
        handles.append(ctypes.c_void_p())
        status = C.mainstem_nats_mirror(path, ctypes.byref(options), ctypes.byref(handles[-1]))
    assert status == Status.LIMIT and len(handles) == 1025
    for handle in handles[:-1]:
        assert C.mainstem_nats_close(handle) == Status.OK


def test_a_damaged_journal_is_mirrored_up_to_there(server, tmp_path):
    from journal_writer import JournalWriter

    writer = JournalWriter()
    for number in range(100):
        writer.event("Notice", str(number))
    writer.save(tmp_path / "hurt")
    whole = bytearray((tmp_path / "hurt").read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "hurt").write_bytes(whole)
    with nats.mirror(tmp_path / "hurt", server.url) as mirror:
        with pytest.raises(MainstemError, match=r"CORRUPT: flush: .*damaged"):
            mirror.flush(60)
        stats = mirror.stats
    assert (stats.state, stats.status) == ("stopped", Status.CORRUPT)
    assert 30 < stats.done < 60
