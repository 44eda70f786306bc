# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a journal keeps of a value: all of it, or a digest of what the program makes anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List

import mainstem
import pytest


def model(record: Any, word: str = "row") -> Any:
    class Rows(mainstem.ViewModel):
        count: int = mainstem.shown(0)

        @mainstem.shown(by="count", record=record)
        def rows(self) -> List[str]:
            return [f"{word} {number}" for number in range(self.count)]

        @mainstem.command
        def grow(self, by: int) -> None:
            self.count += by

    return Rows


def record(path: Path, mode: str) -> None:
    with mainstem.Context() as context:
        context.record(str(path))
        kind = model(mode)
        rows = kind()
        context.open(rows)
        view = mainstem.view(context.scope("View"), kind, rows)
        view.grow(1000)
        for _ in range(5):
            view.grow(1)
        assert len(view.rows) == 1005


def verify(path: Path, mode: str) -> mainstem.ReplayInfo:
    with mainstem.Context() as context, context.replay(str(path), verify=True) as replay:
        context.open(model(mode)())
        replay.to_end()
        return replay.info


@pytest.mark.parametrize("recorded", ["full", "inputs"])
@pytest.mark.parametrize("verified", ["full", "inputs"])
def test_a_program_that_keeps_more_or_less_verifies_what_was_kept(
    recorded: str, verified: str, tmp_path: Path
) -> None:
    record(tmp_path / "session.journal", recorded)
    assert verify(tmp_path / "session.journal", verified).ended


def test_of_what_is_made_anew_there_is_a_digest(tmp_path: Path) -> None:
    sizes = {}
    for mode in ("full", "inputs"):
        record(tmp_path / mode, mode)
        sizes[mode] = (tmp_path / mode).stat().st_size
    assert sizes["inputs"] < 10_000 < 50_000 < sizes["full"]


def test_a_value_made_otherwise_differs(tmp_path: Path) -> None:
    record(tmp_path / "session.journal", "inputs")
    with mainstem.Context() as context:
        replay = context.replay(str(tmp_path / "session.journal"), verify=True)
        context.open(model("inputs", "line")())
        with pytest.raises(mainstem.Different, match="Rows.rows"):
            replay.to_end()


def test_what_no_journal_knows_is_refused() -> None:
    with pytest.raises(TypeError, match='record is "full"'):
        mainstem.shown(0, record="some")  # type: ignore[arg-type]
