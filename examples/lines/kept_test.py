# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session that an earlier version of the library recorded of each app verifies with today's app.

The events of some apps have changed since, so their sessions are only read: no server is called.

The journals are in Tests/journals/apps-VERSION; they are never recorded anew. MAINSTEM_LIBRARY,
TODOSTREAM_LIBRARY, TWEETBOAT_LIBRARY, DASHBOARD_LIBRARY, DIARY_LIBRARY and SIGNIN_LIBRARY say what
runs.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1]
#: What has changed since.
CHANGED = ("diary", "todostream", "tweetboat")
KEPT = sorted((EXAMPLES.parent / "Tests" / "journals").glob("apps-*/*.journal.gz"))
VERIFIERS = {
    "dashboard": "dashboard_verify.py",
    "diary": "diary_verify.py",
    "signin": "verify_session.py",
    "todostream": "verify.py",
    "tweetboat": "boat_verify.py",
}


def test_there_is_one_of_each_app() -> None:
    assert [path.name.partition(".")[0] for path in KEPT] == sorted(VERIFIERS)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_it_verifies(path: Path, tmp_path: Path) -> None:
    app = path.name.partition(".")[0]
    journal = tmp_path / "session.journal"
    journal.write_bytes(gzip.decompress(path.read_bytes()))
    verifier = EXAMPLES / app / "hosts" / VERIFIERS[app]
    options = ["--all", *["--muted"] * (app in CHANGED)]
    done = subprocess.run(
        [sys.executable, str(verifier), *options, str(journal)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "digest" in done.stdout
