# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The bars of a window, by the keyboard: replay, recording on a full disk, errors.

MAINSTEM_LIBRARY says what runs. Nothing may be said on standard error.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: Without the desktop of whoever runs the tests. Its Python is that of the system, which has GTK.
QUIET = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
COMMAND = ["xvfb-run", "--auto-servernum", "/usr/bin/python3", str(HERE / "bars_window.py")]

REFUSED = "".join(
    f'--follow: "{line}" is no position; send a number of at most 19 digits, and the end of its '
    "line\n"
    for line in ("-1", "", "4.", "1" * 20, "x")
)
SAID = {
    "replay": """● Recording session.journal
True
it has the keys: True
True ('abc', 'abc')
True ('ab', 'ab')
True ('a', 'a')
True event 22 of 22
in the middle: True
it has the keys: True False
""",
    "follow": f"""● Recording session.journal
True True
True True
True True
True True
in one context: True
{REFUSED}True
nothing was fed: True
it plays: False
ended 0
""",
    "full": """Not recording: the disk is full
That did not work. The disk is full. Free some space, then try again. [Retry]
recorded again: True
the bar is closed: True
""",
    "failed": """The note was not kept. Wait a moment, then try again. [Retry]
one line: True
it has the keys: True True
kept: a False
""",
    "closed": """● Recording session.journal
closed
""",
}


@pytest.mark.parametrize("part", SAID)
def test_a_part_of_the_bars(part: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, part, str(tmp_path)],
        env={
            **{name: value for name, value in os.environ.items() if "DISPLAY" not in name},
            **QUIET,
        },
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert (done.stderr, done.stdout, done.returncode) == ("", SAID[part], 0)
