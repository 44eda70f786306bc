# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The laws, as Tests/scenarios states them for every language."""

from __future__ import annotations

import pytest
from scenario import FOLDER, cases
from scenario_stage import Stage

CASES = [case for path in sorted(FOLDER.glob("law_*.txt")) for case in cases(path)]
assert CASES


@pytest.mark.parametrize("threads", ["one", "any"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_scenario(case, threads, tmp_path):
    if case.options.after("threads") in (None, threads):
        stage = Stage(case, threads, tmp_path / "journal")
        try:
            stage.play(case.lines)
        finally:
            stage.context.close()
