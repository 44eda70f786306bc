# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem mirror`: what it writes, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import mainstem
import pytest
from compared import expect_whole


@pytest.fixture
def path(tmp_path):
    """A journal of three events."""
    with mainstem.Context() as context:
        context.record(tmp_path / "todo.journal")
        context.add_type("Clicked", str, layer="view")
        context.add_type("Saved", str, layer="model")
        for name in ("Clicked", "Saved", "Clicked"):
            context.send(name, "x")
    return tmp_path / "todo.journal"


def command(*arguments):
    return [sys.executable, "-m", "mainstem", "mirror", *map(str, arguments)]


def run(*arguments, **environment):
    made = subprocess.run(
        command(*arguments), capture_output=True, text=True, env={**os.environ, **environment}
    )
    return made.returncode, made.stdout, made.stderr


def test_once_it_ends_when_everything_is_there(server, path):
    wanted = f"{path}: 3 events sent, up to position 3\n"
    assert run(path, "--to", server.url, "--once")[:2] == (0, wanted)
    wanted = f"{path}: 0 events sent, up to position 3\n"
    assert run(path, "--to", server.url, "--once")[:2] == (0, wanted)
    with server.client() as client:
        assert expect_whole(path, client.entries("todo")) == 3


def test_payloads_that_are_left_out_are_counted(server, tmp_path):
    path = tmp_path / "large.journal"
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Large", bytes)
        for size in (1, 1_200_000, 1_200_000):
            context.send("Large", bytes(size))
    wanted = f"{path}: 3 events sent, up to position 3, 2 payloads left out\n"
    assert run(path, "--to", server.url, "--once")[:2] == (0, wanted)


def test_what_is_chosen_leaves(server, path):
    arguments = ("--to", server.url, "--once", "--prefix", "a.b", "--stream", "S")
    assert run(path, *arguments, "--layer", "view", "--type", "Clicked")[0] == 0
    with server.client() as client:
        subjects = [entry.subject for entry in client.entries("S")][1:]
    assert subjects == ["a.b.view.Clicked"] * 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_goes_on_until_it_is_interrupted(server, path, number):
    with subprocess.Popen(command(path, "--to", server.url), stdout=subprocess.PIPE) as working:
        with server.client() as client:
            while client.state("todo").get("messages", 0) < 4:
                assert working.poll() is None
        working.send_signal(number)
        assert working.communicate()[0].decode() == f"{path}: 3 events sent, up to position 3\n"
        assert working.returncode == 0


def test_a_password_comes_from_the_environment(make_server, path):
    server = make_server("authorization { user: ada, password: enigma }")
    arguments = ("--to", server.url, "--once", "--user", "ada")
    assert run(path, *arguments, MAINSTEM_NATS_PASSWORD="enigma")[0] == 0


def test_it_says_what_it_waits_for(make_server, path):
    server = make_server()
    server.kill()
    arguments = command(path, "--to", server.url, "--once")
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as working:
        assert working.stderr
        said = working.stderr.readline()
        assert said.startswith(f"mainstem: {path}: waiting: no connection to the server: "), said
        server.start()
        assert working.stderr.readline() == f"mainstem: {path}: running\n"
        assert working.wait() == 0


def test_what_cannot_begin_is_told(tmp_path, path):
    status, _, said = run(tmp_path / "nowhere", "--to", "nats://127.0.0.1:1")
    assert status == 2
    assert said.startswith("mainstem: mirror: path: ")
    status, _, said = run(path, "--to", "nats://127.0.0.1:1", "--prefix", "a b")
    assert status == 2 and "prefix: " in said
    nowhere = "/nowhere/libmainstem_nats.so"
    status, _, said = run(path, "--to", "x", MAINSTEM_NATS_LIBRARY=nowhere)
    assert status == 2 and said.startswith("mainstem: mainstem.nats: libmainstem_nats.so was not ")


def test_damage_ends_it(server, tmp_path):
    from journal_writer import JournalWriter

    writer = JournalWriter()
    for number in range(100):
        writer.event("Notice", str(number))
    writer.save(tmp_path / "hurt")
    whole = bytearray((tmp_path / "hurt").read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "hurt").write_bytes(whole)
    status, said, message = run(tmp_path / "hurt", "--to", server.url)
    assert status == 1 and "events sent, up to position" in said
    assert "stopped: " in message and "damaged" in message
