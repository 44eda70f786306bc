# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 3: never nested."""

from __future__ import annotations

import threading

import mainstem
from greeting import Said


def test_law_3_one_thread_at_a_time_delivers_to_scheduled_observers():
    log, delivered = [], []

    def drain_elsewhere(event):
        log.append(f"{event.words} in")
        if event.words == "a":
            context.send(Said("b"))
            thread = threading.Thread(target=lambda: delivered.append(context.drain()))
            thread.start()
            thread.join(30)
        log.append(f"{event.words} out")

    with mainstem.Context(threads="any", raises=True) as context:
        context.register(Said)
        context.observe(Said, drain_elsewhere, on="host")
        context.send(Said("a"))
        assert context.drain() == 1
        assert (log, delivered) == (["a in", "a out"], [0])
        assert context.drain() == 1

    assert log == ["a in", "a out", "b in", "b out"]
