# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the player of a session knows of a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import session_model as model
from session_machine import Process


class Host:
    """What the player knows of a machine."""

    def __init__(self, number: int, spec: Dict[str, Any], folder: Path) -> None:
        self.number, self.spec = number, spec
        self.path = folder / f"m{number}.journal"
        self.process: Optional[Process] = None
        self.is_open = self.has_opened = False
        #: Whether something may have been cut off, so that echoes may be missing.
        self.was_killed = False
        self.sent: List[Tuple[str, str, bytes]] = []
        #: How many of them are in the file for sure.
        self.sure = 0
        self.lives: List[Path] = []

    def meant(self, row: List[Any]) -> Tuple[str, str, bytes]:
        """What a row of a step sends: the type, the scope, and what it carries."""
        name, scope, size, salt = row
        return name, scope, model.payload_of(self.spec["types"][name]["kind"], size, salt)

    def cut(self) -> None:
        """After a crash: its journal has what it sent, up to some event, and all that is sure."""
        own = model.parted(model.rows_of(self.path)).own
        for length in range(self.sure, len(self.sent) + 1):
            wanted = model.own_of(self.spec, self.sent[:length])
            if len(wanted) == len(own):
                model.check_own(own, wanted, f"{self.path.name} of a program that was killed")
                self.sent, self.sure = self.sent[:length], length
                return
        raise AssertionError(f"{self.path.name} has {len(own)} events, but {self.sure} are sure")
