# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts show the same, and each session is proven in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from dashboards import HERE, HOSTS, VERIFIERS, run, serve

ALL = pytest.mark.parametrize("host", HOSTS)


@ALL
def test_a_host_shows_what_is_expected(host: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        site.fail()
        commands = (HERE / "commands.txt").read_text()
        ended = run(HOSTS[host], "--record", journal, site.url(""), commands=commands)
        assert site.asked == ["/users"] * 2
    assert ended == (0, (HERE / "expected.txt").read_text("utf-8"))
    words = {run(verifier, journal) for verifier in VERIFIERS.values()}
    assert len(words) == 1, words
    assert words.pop()[0] == 0


def test_a_session_whose_site_has_said_something_else_does_not_verify(tmp_path: Path) -> None:
    """The verifiers can fail."""
    journal, changed = tmp_path / "session.journal", tmp_path / "changed.journal"
    with serve() as site:
        run(HOSTS["C"], "--record", str(journal), site.url(""), commands="find 1\n")
    changed.write_bytes(journal.read_bytes().replace(b"Clark Kent", b"Clark Bent"))
    assert all(run(verifier, str(changed))[0] for verifier in VERIFIERS.values())


@ALL
def test_a_site_that_hangs_or_is_not_there(host: str) -> None:
    with serve() as site:
        site.hang()
        code, said = run(HOSTS[host], "--patience", "50", site.url(""), commands="retry\n")
    failed, loaded = said.split("Dashboard\n")[1:]
    assert (code, failed) == (0, "  The site does not answer. [Retry]\n")
    assert loaded == "  The system has 2 users\n  [] ---\n"
    code, said = run(HOSTS[host], site.url(""), commands="retry\n")
    assert (code, said) == (0, "Dashboard\n  The site cannot be reached. [Retry]\n" * 2)
