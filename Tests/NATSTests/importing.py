# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of imports share: journals, streams, and a context that takes one in."""

from __future__ import annotations

import contextlib
import os
import threading

import mainstem
from mainstem import nats

WAIT = 60


def record(path, events, **type_options):
    """A journal of these (type, payload)."""
    with mainstem.Context() as context:
        context.record(path, durability="buffered")
        context.add_type("Tick", int, **type_options)
        context.add_type("Bulk", bytes)
        for name, payload in events:
            context.send(name, payload)


def mirror(path, server, stream, prefix=None):
    """All of a journal in a stream."""
    with nats.mirror(path, server.url, stream=stream, prefix=prefix or path.name) as each:
        each.flush(WAIT)


@contextlib.contextmanager
def importing(server, tmp_path, types=("Tick", "Bulk"), name="own", is_recorded=True, **options):
    """A context with the types, and an import of the stream `all` into it."""
    own = {key: options.pop(key) for key in ("threads", "deliver", "limits") if key in options}
    with mainstem.Context(**own) as context:
        if is_recorded:
            context.record(tmp_path / name)
            options.setdefault("journal", tmp_path / name)
        else:
            options.setdefault("durable", name)
        context.add_type("Tick", int)
        context.add_type("Bulk", bytes)
        with nats.import_stream(context, "all", types, server.url, **options) as each:
            yield context, each


def ticks(count, begin=0):
    return [("Tick", number) for number in range(begin, begin + count)]


def memory():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def in_a_thread(work):
    """Does it there, and raises here what it raises."""
    failures = []

    def run():
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def identity(path):
    with mainstem.Journal(path) as journal:
        list(journal.records())
        return f"import-{journal.info.id.hex()}"
