# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How interpreters end with a context open, observers on it, and threads that send.

MAINSTEM_EXITS, a number: how often each way is tried; half of it beside threads that send, unless
it sends itself.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from interpreter import child

EXITS = int(os.environ.get("MAINSTEM_EXITS", "4"))

OPEN = """\
import sys, threading, mainstem
from greeting import RequestGreet, ResponseGreeting, Said, keep_for_ever

threads = sys.argv[1]
context = mainstem.Context(threads=threads)
context.observe(Said, lambda event: None)
context.serve(RequestGreet, keep_for_ever, name="Never")
context.request(RequestGreet("Ada"), then=lambda answer: None)

def keep_sending():
    try:
        while True: context.send(Said("x"))
    except mainstem.MainstemError: pass

context.send(Said("x"))
# Whoever takes a post in beside threads that never stop may deliver for them for ever (law 6).
if threads == "one":
    context.post(Said("x"))
else:
    for _ in range(2): threading.Thread(target=keep_sending, daemon=True).start()
"""

#: A way to end: the program, the status it must end with, what must be its last words.
WAYS = {
    "normal": ("", 0, ""),
    "exception": ('raise ValueError("the end")', 1, "ValueError: the end\n"),
    "sys.exit in a callback": (
        "context.observe(Said, lambda event: sys.exit(4) if event.words == 'end' else None)\n"
        "context.send(Said('end'))",
        4,
        "",
    ),
    "sys.exit out of a callback": (
        "with mainstem.Context(raises=True) as inner:\n"
        "    inner.observe(Said, lambda event: sys.exit(4))\n"
        "    inner.send(Said('end'))",
        4,
        "",
    ),
    "SIGINT in a wait": (
        "print('ready', flush=True)\nwhile True: context.wait()",
        -signal.SIGINT,
        "KeyboardInterrupt\n",
    ),
    "SIGINT in sends": (
        "print('ready', flush=True)\nwhile True: context.send(Said('x'))",
        -signal.SIGINT,
        "KeyboardInterrupt\n",
    ),
}


def end(way, threads):
    """Runs a program to its end: its status and its last words."""
    program, _, _ = WAYS[way]
    process = child(OPEN + program, threads)
    if way.startswith("SIGINT"):
        assert process.stdout.readline() == "ready\n", process.communicate()
        process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, errors


# Those that send are not tried beside others that do.
SENDS = ("SIGINT in sends", "sys.exit in a callback")
ENDS = [(way, "one") for way in WAYS] + [(way, "any") for way in WAYS if way not in SENDS]


@pytest.mark.parametrize(("way", "threads"), ENDS)
def test_an_interpreter_ends_as_its_program_says(way, threads):
    _, status, words = WAYS[way]
    count = EXITS if way in SENDS else (EXITS + 1) // 2
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda _: end(way, threads), range(count)))

    assert [found for found in ends if found[0] != status] == []
    assert [errors for _, errors in ends if not errors.endswith(words)] == []
    if not words:
        assert {errors for _, errors in ends} == {""}
