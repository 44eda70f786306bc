# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`studio --play`: a host of the user shows the moment that the page shows."""

from __future__ import annotations

import os
import sys
from contextlib import closing

import pytest
from mainstem.tool import main
from mainstem.tool._host import Host

#: Tells each position that it reads; "bad" and "deaf" do not do what a host has to do.
HOST = """
import os, sys
how, told, replay, path, follow, number = sys.argv[1:]
assert (replay, follow) == ("--replay", "--follow")
with open(told, "w", buffering=1) as said:
    print(path, os.environ.get("MAINSTEM_RECORD", "-"), file=said)
    if how == "bad":
        sys.exit(7)
    if how == "deaf":
        import threading; threading.Event().wait()
    for line in os.fdopen(int(number)):
        print("at", int(line), file=said)
    print("ends", file=said)
"""


@pytest.fixture
def begun(tmp_path):
    """Opens a host: it, and what it tells."""
    pipe = tmp_path / "told"
    os.mkfifo(pipe)
    opened = []

    def begin(how, at=1):
        host = Host("a.journal", [sys.executable, "-c", HOST, how, str(pipe)])
        assert host.open(at)
        told = open(pipe, encoding="utf-8")  # noqa: SIM115
        opened.extend((host, told))
        assert told.readline() == "a.journal -\n"
        return host, told

    yield begin
    for each in opened:
        each.close()


def test_a_host_is_told_where_to_go(begun, monkeypatch):
    monkeypatch.setenv("MAINSTEM_RECORD", "elsewhere")
    host, told = begun("good", 12)
    assert told.readline() == "at 12\n"
    for position in (13, 2, 2**64 - 1):
        assert host.go(position)
        assert told.readline() == f"at {position}\n"
    assert not host.open(1)
    assert host.shut()
    assert told.read() == "ends\n"
    assert not host.shut() or host.state == "ending"


def test_a_host_may_be_opened_again(begun):
    for _ in range(3):
        host, told = begun("good")
        assert told.readline() == "at 1\n"
        host.close()
        assert (host.state, host.text) == ("closed", "")
        assert not host.go(2)
        assert told.read() == "ends\n"


def test_of_many_positions_the_last_one_counts(begun):
    host, told = begun("good")
    last = 20000
    for position in range(2, last + 1):
        assert host.go(position)
    seen = [int(told.readline().split()[1])]
    while seen[-1] != last:
        seen.append(int(told.readline().split()[1]))
    assert seen == sorted(set(seen))


def test_a_host_that_ends_by_itself_is_told(begun):
    host, told = begun("bad")
    assert told.read() == ""
    host._thread.join()
    assert (host.state, host.text) == ("closed", "the host ended with status 7")


def test_a_host_that_does_not_listen_is_ended(begun, monkeypatch):
    monkeypatch.setattr("mainstem.tool._host._PATIENCE", 0.01)
    host, told = begun("deaf")
    for position in range(2, 100):
        assert host.go(position)
    host.close()
    assert told.read() == ""
    assert host.state == "closed"


def test_a_host_that_cannot_be_run_is_told(tmp_path):
    program = tmp_path / "host"
    program.write_text("#!/no/such/shell\n")
    program.chmod(0o755)
    with closing(Host("a.journal", [str(program)])) as host:
        assert host.open(1)
        host._thread.join()
        assert (host.state, "cannot be run" in host.text) == ("closed", True)


def test_without_a_host_nothing_is_opened(capfd):
    host = Host("a.journal", [])
    assert (host.state, host.open(1), host.go(1), host.shut()) == ("none", False, False, False)
    with pytest.raises(SystemExit) as ended:
        main(["studio", "--play", "no-such-host", "a.journal"])
    assert ended.value.code == 2
    assert "there is no program 'no-such-host'" in capfd.readouterr().err
