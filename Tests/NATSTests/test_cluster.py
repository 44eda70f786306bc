# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Three servers, a stream with three replicas: its leader is killed or stopped while two journals
are mirrored. MAINSTEM_NATS_KILLS says how often (6; here a quarter of it)."""

from __future__ import annotations

import contextlib
import json
import os
import random

from compared import expect_fetched, expect_whole
from mainstem import MainstemError, nats
from test_kills import KILLS, SEED, WAIT, record, wait_for

CYCLES = max(2, KILLS // 4)


def ask(servers, subject, question=None):
    """The answer of the first server that has one."""
    while True:
        for server in servers:
            with contextlib.suppress(OSError, EOFError, AssertionError, json.JSONDecodeError):
                with server.client() as client:
                    answer = client.ask(subject, question)
                if "error" not in answer:
                    return answer


def leader(servers, stream):
    """The server that leads a stream."""
    while True:
        name = ask(servers, f"STREAM.INFO.{stream}")["cluster"].get("leader")
        if name:
            return servers[int(name[1:])]


def test_a_leader_is_killed_and_stopped(three, tmp_path):
    chance = random.Random(SEED)
    url = ",".join(server.url for server in three)
    count = CYCLES * 4000
    names = ("one", "two")
    for name in names:
        record(tmp_path / name, count)
    ask(three, "INFO")
    with contextlib.ExitStack() as mirrors:
        open_ = [nats.mirror(tmp_path / name, url, prefix=name, replicas=3) for name in names]
        one, two = (mirrors.enter_context(mirror) for mirror in open_)
        for cycle in range(CYCLES):
            wait_for(one, cycle * 4000 + chance.randrange(4000))
            killed = leader(three, "one")
            if cycle % 2:
                killed.stop()
                with contextlib.suppress(MainstemError):
                    two.flush(2)
                killed.go_on()
            else:
                killed.kill()
                with contextlib.suppress(MainstemError):
                    two.flush(2)
                killed.start()
        one.flush(WAIT)
        two.flush(WAIT)
    for name in names:
        config = ask(three, f"STREAM.INFO.{name}")["config"]
        assert config["num_replicas"] == 3
        with leader(three, name).client() as client:
            assert expect_whole(tmp_path / name, client.entries(name)) == count
        expect_fetched(tmp_path / name, leader(three, name), name, timeout=WAIT)
    assert os.listdir(three[0].folder / "store")
