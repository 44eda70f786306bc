# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/reactors-3.journal. It never changes: the journal must verify.

python kept_reactors.py PATH records the session: reactors, a service, and scopes that a host ends
while events wait.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, AsyncIterator, Iterator, Tuple, Union

import mainstem
from mainstem import Request, Response


@mainstem.event
class ResponseEntries(Response):
    entries: Tuple[str, ...]


@mainstem.event
class RequestFetchEntries(Request[ResponseEntries]):
    page: int


@mainstem.event
class RequestUpdateEntries(Request[ResponseEntries]):
    entry: str


class Diary:
    """The service: made by the first who asks."""

    def __init__(self) -> None:
        self.entries: Tuple[str, ...] = ("monday", "tuesday", "wednesday")

    @mainstem.handles(RequestFetchEntries, effect="fetch")
    def fetch(self, request: RequestFetchEntries) -> ResponseEntries:
        if request.page > 2:
            raise mainstem.Failure("EMPTY", user_message="There is no more.")
        return ResponseEntries(self.entries[request.page * 2 - 2 : request.page * 2])

    @mainstem.handles(RequestUpdateEntries, effect="update")
    def update(self, request: RequestUpdateEntries) -> ResponseEntries:
        self.entries += (request.entry,)
        return ResponseEntries(self.entries)


@dataclasses.dataclass(frozen=True)
class Loading:
    is_on: bool


@dataclasses.dataclass(frozen=True)
class Page:
    number: int
    entries: Tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class State:
    is_loading: bool = False
    entries: Tuple[str, ...] = ()
    page: int = 0


class Feed(mainstem.Reactor):
    """Loads page by page, and tells how many it has."""

    state = State()
    alert = mainstem.pulse(str)

    @mainstem.shown
    def can_more(self) -> bool:
        return self.state.page > 0 and not self.state.is_loading

    @mainstem.action(policy="latest")
    async def refresh(self) -> AsyncIterator[Union[Loading, Page]]:
        yield Loading(True)
        yield Page(1, (await self.request(RequestFetchEntries(1))).entries)
        yield Loading(False)

    @mainstem.action(enabled="can_more", cancelled_by="refresh")
    async def more(self) -> AsyncIterator[Union[Loading, Page]]:
        number = self.state.page + 1
        await self.sleep(0.01)
        yield Page(number, (await self.request(RequestFetchEntries(number))).entries)

    @staticmethod
    def reduce(state: State, mutation: Union[Loading, Page]) -> State:
        if isinstance(mutation, Loading):
            return dataclasses.replace(state, is_loading=mutation.is_on)
        before = () if mutation.number == 1 else state.entries
        entries = before + mutation.entries
        return dataclasses.replace(state, entries=entries, page=mutation.number)

    def mutated(self, mutation: Union[Loading, Page]) -> None:
        if isinstance(mutation, Page):
            self.alert(f"{len(self.state.entries)} entries")


@dataclasses.dataclass(frozen=True)
class Count:
    count: int = 0


class Counter(mainstem.Reactor):
    """What a factory makes."""

    state = Count()

    @mainstem.action
    def up(self, by: int) -> Iterator[int]:
        yield by
        yield 1

    @staticmethod
    def reduce(state: Count, by: int) -> Count:
        return Count(state.count + by)


class Program:
    def __init__(self) -> None:
        self.context = context = mainstem.Context(deliver="host", clock="virtual", seed=3)
        context.add_type("Said", str)
        context.add_type("Chair", str, role="value")
        context.service(Diary)
        context.factory(Counter)
        self.room = context.scope("Room")
        self.room.observe("Said", self.listen)
        self.feed = context.open(Feed())

    def listen(self, event: Any) -> None:
        self.room.request(RequestUpdateEntries(event.text), then=lambda answer: None)


def record(path: str) -> None:
    program = Program()
    context = program.context
    context.record(path)
    program.room.set("Chair", "green")
    context.drain()
    view = program.feed.bind()
    view.refresh()
    view.more()
    context.drain()
    for _ in range(3):
        view.more()
        context.drain()
        context.advance(0.02)
    context.send("Said", "thursday")
    context.drain()
    number = context.open_instance("Counter")
    context.drain()
    counter = mainstem.view(context, Counter, number)
    counter.up(4)
    context.drain()
    # The next request makes another one.
    context.find(Diary).end()
    context.drain()
    # What waits when a host ends the scope of an owner is not heard there: a record says so.
    context.send("Said", "friday")
    program.room.end()
    context.find_scope(number).end()
    context.send("Said", "saturday")
    view.refresh()
    context.drain()
    context.close()


if __name__ == "__main__":
    record(sys.argv[1])
