# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Three servers, a stream with three replicas: its leader is killed or stopped while two journals
are mirrored; and while two hosts, two mirrors and three contexts that take both streams in die at
random; and one of the others is killed, and lags when it is back. MAINSTEM_NATS_KILLS says how
often (6; here a part of it), MAINSTEM_NATS_EVENTS how many events there are (4,000 for each kill).
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import threading

import mainstem
import working
from compared import expect_fetched, expect_whole
from imported import expect_same
from mainstem import MainstemError, nats
from test_import_kills import take_rest
from test_kills import KILLS, SEED, WAIT, record, wait_for

CYCLES = max(2, KILLS // 4)


def ask(servers, subject, question=None):
    """The answer of the first server that has one. One without a leader answers nothing."""
    while True:
        for server in servers:
            with contextlib.suppress(OSError, EOFError, AssertionError, json.JSONDecodeError):
                with server.client(seconds=0.5) as client:
                    answer = client.ask(subject, question)
                if "error" not in answer:
                    return answer


def leader(servers, stream):
    """The server that leads a stream."""
    while True:
        name = ask(servers, f"STREAM.INFO.{stream}")["cluster"].get("leader")
        if name:
            return servers[int(name[1:])]


def fetch_at_once(folder, url, count):
    """What so many fetches at the same time say: whether it is all, and the last position."""
    found = []

    def fetch(number):
        got = nats.fetch(folder / f"{number}", url, prefix="one", timeout=WAIT)
        found.append((got.is_whole, got.last))

    threads = [threading.Thread(target=fetch, args=(number,)) for number in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found


def test_a_fetch_does_not_believe_a_server_that_lags(three, tmp_path):
    """A server that comes back has consumers before it has the entries that it missed. Which server
    has the consumer is chance."""
    url = ",".join(server.url for server in three)
    ask(three, "INFO")
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Tick", int)
        context.send("Tick", 0)
        with nats.mirror(tmp_path / "session", url, prefix="one", replicas=3) as mirror:
            mirror.flush(WAIT)
            for cycle in range(max(4, KILLS // 2)):
                leads = leader(three, "one")
                lags = next(each for each in three if each is not leads)
                lags.kill()
                for number in range(300):
                    context.send("Tick", number)
                mirror.flush(WAIT)
                lags.start()
                folder = tmp_path / f"{cycle}"
                folder.mkdir()
                wanted = (True, context.journal_stats().written)
                assert fetch_at_once(folder, url, 6) == [wanted] * 6


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


class Programs:
    """Programs that begin again when they have died."""

    def __init__(self, starts):
        self._starts = starts
        self._running = {name: start() for name, start in starts.items()}

    def begin_again(self):
        """Those that have died; returns how many."""
        dead = [name for name, each in self._running.items() if each.poll() is not None]
        self._running.update({name: self._starts[name]() for name in dead})
        return len(dead)

    def wait_for_one(self):
        """Returns when one has died."""
        next(iter(self._running.values())).wait()

    def end(self):
        """Returns when all have died."""
        for each in self._running.values():
            each.wait()


def test_hosts_mirrors_and_importers_die_while_leaders_do(three, tmp_path):
    chance = random.Random(SEED)
    url = ",".join(server.url for server in three)
    hosts, importers = ("one", "two"), ("a", "b", "c")
    count = int(os.environ.get("MAINSTEM_NATS_EVENTS", CYCLES * 4000)) // 2
    ask(three, "INFO")

    def life():
        return chance.uniform(0.3, 3)

    for name in hosts:
        record(tmp_path / name, 1)
        with nats.mirror(tmp_path / name, url, prefix=name, replicas=3) as each:
            each.flush(WAIT)
    starts = {}
    for name in hosts:
        path = tmp_path / name
        starts[f"host {name}"] = lambda path=path: working.start("tick", path, count, life())
        starts[f"mirror {name}"] = lambda path=path: working.start(
            "mirror", path, url, life(), path.name
        )
    for name in importers:
        path = tmp_path / name
        starts[f"importer {name}"] = lambda path=path: working.start(
            "importer", path, url, life(), *hosts
        )
    programs = Programs(starts)
    begun = cycle = 0
    while cycle < 2 * CYCLES:
        begun += programs.begin_again()
        if begun < 4 * (cycle + 1):
            continue
        killed = leader(three, chance.choice(hosts))
        if cycle % 2:
            killed.stop()
            programs.wait_for_one()
            killed.go_on()
        else:
            killed.kill()
            killed.start()
        cycle += 1
    programs.end()
    for name in hosts:
        assert working.start("tick", tmp_path / name, count, 0).wait() == 0
        with nats.mirror(tmp_path / name, url, prefix=name, replicas=3) as each:
            each.flush(WAIT * 5)
    for name in importers:
        take_rest(tmp_path / name, url, *hosts)
        for host in hosts:
            assert expect_same(tmp_path / host, tmp_path / name, host, f"{host}.") == count
    print(f"{2 * count} events, {begun} programs begun again, {cycle} leaders killed or stopped")
