# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 6, beside the scenarios: threads at once, and that none is started."""

from __future__ import annotations

import os

from mainstem._library import C
from raw import OK


def test_law_6_the_library_starts_no_thread(stream):
    before = set(os.listdir("/proc/self/task"))
    one = stream.type(b"One")
    stream.observe(one, lambda e: None)
    stream.send(one)
    stream.post(one)
    assert C.mainstem_wait(stream.handle, 0) == OK
    assert C.mainstem_flush(stream.handle) == OK

    assert set(os.listdir("/proc/self/task")) <= before
