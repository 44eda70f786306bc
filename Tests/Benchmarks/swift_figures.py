# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the Swift face and judges them.

swift_figures.py PROGRAM BOUNDS JSON: exits with 1 if a count is over its bound.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SHORT, LONG = 5000, 15000


def instructions(program: str, case: str, times: int) -> int:
    """All that a run of the case takes, starting and ending included."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                program,
                "count",
                case,
                str(times),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
    return int(re.findall(r"Collected : (\d+)", run.stderr)[-1])


def main(program: str, bounds_path: str, json_path: str) -> int:
    bounds = json.loads(Path(bounds_path).read_text())
    rows = []
    print("Instructions per operation of the Swift face")
    for case, bound in bounds.items():
        long, short = (instructions(program, case, times) for times in (LONG, SHORT))
        count = round((long - short) / (LONG - SHORT))
        holds = 0 < count <= bound["at_most"]
        rows.append({"case": case, "count": count, "holds": holds, **bound})
        print(f"{count:10}  {case:<40}at most {bound['at_most']}{'' if holds else '  OVER'}")
    Path(json_path).write_text(json.dumps(rows, indent=2) + "\n")
    return 0 if all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
