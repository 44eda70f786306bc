# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is due, and when."""

from __future__ import annotations

import heapq
import itertools
from typing import Any, Iterator, List, Optional, Tuple

from reactivex.disposable import SingleAssignmentDisposable

#: So many void items are left where they are.
_FEW = 64


class Item:
    """An action that waits for its time."""

    __slots__ = ("_action", "_state", "done", "due", "waits")

    def __init__(self, action: Any, state: Any) -> None:
        self._action = action
        self._state = state
        #: Disposes what the action has begun, or before that the action.
        self.done = SingleAssignmentDisposable()
        #: Microseconds.
        self.due = 0
        self.waits = False

    def invoke(self, scheduler: Any) -> None:
        """Runs the action, unless it was disposed."""
        if not self.done.is_disposed:
            self.done.disposable = scheduler.invoke_action(self._action, self._state)


class Agenda:
    """Items in the order in which they are due; at one time, in the order in which they came."""

    __slots__ = ("_items", "_left", "_numbers")

    def __init__(self) -> None:
        self._items: List[Tuple[int, int, Item]] = []
        self._numbers = itertools.count()
        #: How many are not void.
        self._left = 0

    @property
    def first(self) -> Optional[int]:
        """When the next item is due; None: there is none."""
        while self._items and not self._items[0][2].waits:
            heapq.heappop(self._items)
        return self._items[0][0] if self._items else None

    def add(self, item: Item) -> None:
        """Adds an item."""
        item.waits = True
        self._left += 1
        heapq.heappush(self._items, (item.due, next(self._numbers), item))

    def drop(self, item: Item) -> bool:
        """Makes an item void; whether it was the last."""
        if not item.waits:
            return False
        item.waits = False
        self._left -= 1
        # An alarm that goes off in vain costs less than to look for each item that is void.
        if len(self._items) > 2 * self._left + _FEW:
            self._items = [each for each in self._items if each[2].waits]
            heapq.heapify(self._items)
        return self._left == 0

    def due_by(self, time: int) -> Iterator[Item]:
        """Takes the items that are due by a time, in order; those that come meanwhile, too."""
        while True:
            due = self.first
            if due is None or due > time:
                return
            item = heapq.heappop(self._items)[2]
            item.waits = False
            self._left -= 1
            yield item
