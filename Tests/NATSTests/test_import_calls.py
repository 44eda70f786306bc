# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""mainstem_nats_import as C calls it: what is refused, with which status and which message."""

from __future__ import annotations

import ctypes

import mainstem
import pytest
from importing import in_a_thread
from mainstem import MainstemError, Status, nats
from mainstem.nats import C
from mainstem.nats import _header as d
from test_calls import NOWHERE, options

__all__ = ["options"]  # A fixture.


@pytest.fixture
def context():
    """One that is not recorded, with a type."""
    with mainstem.Context() as made:
        made.add_type("Tick", int)
        made.add_type("Traceless", int, record="none")
        made.add_list("Rows", str, key=str)
        yield made


def fill(options, **fields):
    """Options that would do, but for these."""
    fields = {"stream": b"all", "types": [b"Tick"], "durable": b"own", **fields}
    for name in ("types", "as_"):
        texts = fields.pop(name, None)
        if texts is not None:
            setattr(options, name, (ctypes.c_char_p * len(texts))(*texts))
            if name == "types":
                options.type_count = len(texts)
    for name, value in fields.items():
        setattr(options, name, value)
    return options


def begin(context, options):
    handle = ctypes.c_void_p(1)
    status = C.mainstem_nats_import(context.handle, ctypes.byref(options), ctypes.byref(handle))
    if status == Status.OK:
        assert C.mainstem_nats_close(handle) == Status.OK
    else:
        assert handle.value is None
    return status, C.mainstem_nats_last_error().decode()


CONFLICTS = [
    ({"size": 8}, Status.INVALID, "size"),
    ({"size": 1000}, Status.UNSUPPORTED, "size"),
    ({"flags": 2}, Status.UNSUPPORTED, "flags"),
    ({"stream": None}, Status.INVALID, "stream"),
    ({"stream": b"a.b"}, Status.INVALID, "stream"),
    ({"types": []}, Status.INVALID, "types"),
    ({"types": [b""]}, Status.INVALID, "types"),
    ({"types": [b"t" * 256]}, Status.INVALID, "types"),
    ({"types": [b"Rows"]}, Status.INVALID, 'types: "Rows" is a list'),
    ({"types": [b"Else"], "as_": [b"Rows"]}, Status.INVALID, 'types: "Rows" is a list'),
    ({"prefix": b"p"}, Status.INVALID, "prefix: is not for this call"),
    ({"replicas": 3}, Status.INVALID, "replicas: is not for this call"),
    ({"layer_count": 1}, Status.INVALID, "layers"),
    ({"window": 65_537}, Status.INVALID, "window"),
    ({"source": b"0" * 31}, Status.INVALID, "source"),
    ({"source": b"G" * 32}, Status.INVALID, "source"),
    ({"durable": b""}, Status.INVALID, "durable"),
    ({"durable": b"a b"}, Status.INVALID, "durable"),
    ({"durable": b"d" * 241}, Status.INVALID, "durable"),
    ({"durable": None}, Status.INVALID, "durable: is NULL"),
    ({"journal": b"/tmp/journal"}, Status.INVALID, "journal: the context is not recorded"),
    ({"credentials": b"/nowhere"}, Status.IO, "credentials"),
]


@pytest.mark.parametrize(("fields", "status", "named"), CONFLICTS)
def test_options_that_cannot_be_are_refused(context, options, fields, status, named):
    found, message = begin(context, fill(options, **fields))
    assert found == status, message
    assert message.startswith("mainstem_nats_import: options.") and named in message
    assert context.stats().scopes == 0


def test_types_must_be_there(context, options, tmp_path):
    status, message = begin(context, fill(options, types=[b"Tick", b"Unknown"]))
    assert status == Status.INVALID and "Unknown" in message
    types = {"types": [b"Unknown"], "as_": [b"Tick"]}
    assert begin(context, fill(options, **types))[0] == Status.OK
    assert begin(context, fill(options, types=[b"Traceless"]))[0] == Status.OK
    with mainstem.Context() as recorded:
        recorded.record(tmp_path / "own")
        recorded.add_type("Traceless", int, record="none")
        own = {"durable": None, "journal": str(tmp_path / "own").encode()}
        options.as_ = None
        status, message = begin(recorded, fill(options, types=[b"Traceless"], **own))
        assert status == Status.INVALID and "is not recorded" in message
        status, message = begin(recorded, fill(options, journal=None))
        assert status == Status.INVALID and "its journal is needed" in message


def test_handles_and_arguments_that_are_none_are_refused(context, options):
    handle, made = ctypes.c_void_p(), ctypes.byref(fill(options))
    out = ctypes.byref(handle)
    assert C.mainstem_nats_import(None, made, out) == Status.INVALID
    assert C.mainstem_nats_import(context.handle, None, out) == Status.INVALID
    assert C.mainstem_nats_import(context.handle, made, None) == Status.INVALID
    assert C.mainstem_nats_import(4711, made, out) in (Status.STALE, Status.INVALID)
    found = []
    in_a_thread(lambda: found.append(C.mainstem_nats_import(context.handle, made, out)))
    assert found == [Status.WRONG_THREAD] and handle.value is None
    assert context.stats().scopes == 0


def test_scopes_rights_and_budgets_are_the_cores(context, options):
    assert begin(context, fill(options, scope=b"s" * 256))[0] == Status.TOO_BIG
    assert begin(context, fill(options, scope=b""))[0] == Status.INVALID
    with mainstem.Context(limits=mainstem.Limits(observers=1)) as small:
        small.add_type("Tick", int)
        small.observe("Tick")(print)
        with pytest.raises(MainstemError, match="LIMIT: import_stream"):
            nats.import_stream(small, "all", ["Tick"], NOWHERE, durable="own")
    with pytest.raises(MainstemError, match="DENIED: import_stream"):
        nats.import_stream(context, "all", ["Tick"], NOWHERE, durable="own", sends=[])
    assert context.stats().scopes == 0


def test_there_is_a_limit(context, options):
    """What was added to the context is taken back."""
    handles = []
    status = Status.OK
    while status == Status.OK:
        handles.append(ctypes.c_void_p())
        status = C.mainstem_nats_import(
            context.handle,
            ctypes.byref(fill(options, scope=b"%d" % len(handles))),
            ctypes.byref(handles[-1]),
        )
    assert status == Status.LIMIT and context.stats().scopes == len(handles) - 1
    for handle in handles[:-1]:
        assert C.mainstem_nats_close(handle) == Status.OK
    assert context.stats().scopes == context.stats().subscriptions == 0
    assert ctypes.sizeof(d.Options) == options.size
