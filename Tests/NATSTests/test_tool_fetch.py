# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem fetch`: what it writes, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys

import mainstem
import pytest
from compared import files_of, mirrored


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


def run(*arguments, **environment):
    command = [sys.executable, "-m", "mainstem", *map(str, arguments)]
    made = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}
    )
    return made.returncode, made.stdout, made.stderr


def identity(path):
    with mainstem.Journal(path) as journal:
        return journal.info.id.hex()


@pytest.mark.parametrize(
    "chosen",
    [("--prefix", "a.b"), ("--subject", "a.b.>"), ("--stream", "a_b"), ("--journal", "ID")],
    ids=["prefix", "subject", "stream", "journal"],
)
def test_the_whole_journal(server, tmp_path, path, chosen):
    mirrored(path, server, prefix="a.b")
    if chosen[0] == "--journal":
        chosen = ("--journal", identity(path), "--stream", "a_b")
    to = tmp_path / "out.journal"
    wanted = f"{to}: 3 events, positions 1 to 3: the whole journal {identity(path)}\n"
    assert run("fetch", "--from", server.url, *chosen, to) == (0, wanted, "")
    assert to.read_bytes() == path.read_bytes()
    assert run("verify", to)[0] == run("tree", to)[0] == 0


def test_the_names_default_to_the_files(server, tmp_path, path):
    mirrored(path, server)
    (tmp_path / "new").mkdir()
    to = tmp_path / "new" / "todo.journal"
    assert run("fetch", "--from", server.url, to)[0] == 0
    assert files_of(to) == files_of(path)


def test_what_is_left(server, tmp_path, path):
    mirrored(path, server, layers=["model"])
    wanted = (
        f": 1 event, positions 2 to 2, 1 position missing: what is left of journal {identity(path)}"
    )
    status, said, _ = run("fetch", "--from", server.url, "--prefix", "todo", tmp_path / "out")
    assert (status, said) == (1, f"{tmp_path / 'out'}{wanted}\n")


def test_a_password_comes_from_the_environment(make_server, tmp_path, path):
    server = make_server("authorization { user: ada, password: enigma }")
    mirrored(path, server, user="ada", password="enigma")
    arguments = ("fetch", "--from", server.url, "--prefix", "todo", tmp_path / "out")
    status, _, said = run(*arguments)
    assert status == 2 and said.startswith("mainstem: fetch: no connection")
    assert run(*arguments, "--user", "ada", MAINSTEM_NATS_PASSWORD="enigma")[0] == 0


def test_what_cannot_be_is_told(server, tmp_path, path):
    nowhere = "nats://127.0.0.1:1"
    for arguments, wanted in (
        ((path, "--from", server.url), "path: a file exists there"),
        ((tmp_path / "out", "--from", server.url, "--stream", "none"), "the stream: "),
        ((tmp_path / "out", "--from", nowhere, "--wait", "0"), "no connection to the server: "),
        ((tmp_path / "out", "--from", nowhere, "--journal", "x"), "journal: an id has 32 digits"),
    ):
        status, said, message = run("fetch", *arguments)
        assert (status, said) == (2, "")
        assert message.startswith(f"mainstem: fetch: {wanted}"), message
    status, _, said = run(
        "fetch", "x", "--from", "y", MAINSTEM_NATS_LIBRARY="/nowhere/libmainstem_nats.so"
    )
    assert status == 2 and said.startswith("mainstem: mainstem.nats: libmainstem_nats.so was not ")
