# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A scene of kept_written.py: the program of one session, and what its host does."""

from __future__ import annotations

import contextlib
from typing import Any, List, Optional, Tuple

import mainstem
from mainstem import Failure, Limits, MainstemError


class Scene:
    """A session. Like the programs of the other kept journals, it never changes."""

    limits: Optional[Limits] = None
    deliver: Any = "immediate"
    #: What its secrets carry, in their order: a journal does not have them.
    secrets: Tuple[Any, ...] = ()

    def __init__(self) -> None:
        self._secrets: List[Any] = list(self.secrets)
        self.context = mainstem.Context(
            clock="virtual",
            seed=3,
            limits=self.limits,
            deliver=self.deliver,
            on_exception=lambda *_: None,
        )
        self.prepare()

    def prepare(self) -> None:
        """The program: a replay has it, too."""

    def secret(self, event: Any) -> Any:
        """Tells a replay what the next secret carries."""
        return self._secrets.pop(0)

    def act(self) -> None:
        """The host: a replay feeds what it did."""
        raise NotImplementedError

    def close(self) -> None:
        self.context.close()

    # What hosts do

    def ask(self, what: Any, data: Any = None, through: Any = None, **patience: Any) -> Any:
        """Requests something, and takes in what waits."""
        pending = (through or self.context).request(
            what, data, then=self.note, failed=self.note, **patience
        )
        self.context.drain()
        return pending

    def note(self, answer: Any) -> None:
        """What a requester got: only journals are compared."""

    def refused(self, call: Any, *given: Any, **named: Any) -> None:
        """Calls what the library refuses."""
        with contextlib.suppress(MainstemError, Failure):
            call(*given, **named)
