# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The reactors of Tests/scenarios/reactors.txt: a counter, a stopwatch, alerts, a feed."""

from __future__ import annotations

import dataclasses
from typing import AsyncIterator, Iterator, Union

import mainstem
from mainstem import Request, Response


@dataclasses.dataclass(frozen=True)
class Count:
    count: int = 0


class Counter(mainstem.Reactor):
    """Goes up and down."""

    state = Count()

    @mainstem.action
    def up(self) -> Iterator[int]:
        yield +1

    @mainstem.action
    def down(self) -> Iterator[int]:
        yield -1

    @staticmethod
    def reduce(state: Count, by: int) -> Count:
        return Count(state.count + by)


@dataclasses.dataclass(frozen=True)
class Time:
    seconds: int = 0


class Stopwatch(mainstem.Reactor):
    """Each second is a mutation of the run that started it."""

    state = Time()

    @mainstem.action(cancelled_by="stop")
    async def start(self) -> AsyncIterator[None]:
        while True:
            await self.sleep(1)
            yield None

    @mainstem.action
    def stop(self) -> None: ...

    @staticmethod
    def reduce(state: Time, _: None) -> Time:
        return Time(state.seconds + 1)


@dataclasses.dataclass(frozen=True)
class Told:
    others: int = 0


class Alerts(mainstem.Reactor):
    """Each alert is seen once, also the same one again."""

    state = Told()
    alert = mainstem.pulse(str)

    @mainstem.action
    def tell(self, text: str) -> Iterator[str]:
        yield text

    @mainstem.action
    def other(self) -> Iterator[str]:
        yield "+"

    @mainstem.action
    def silence(self) -> Iterator[str]:
        yield ""

    @staticmethod
    def reduce(state: Told, text: str) -> Told:
        return Told(state.others + 1) if text == "+" else state

    def mutated(self, text: str) -> None:
        if text not in ("", "+"):
            self.alert(text)


@mainstem.event
class ResponsePage(Response):
    text: str


@mainstem.event
class RequestPage(Request[ResponsePage]):
    number: int


@dataclasses.dataclass(frozen=True)
class Loading:
    is_on: bool


@dataclasses.dataclass(frozen=True)
class LoadingMore:
    is_on: bool


@dataclasses.dataclass(frozen=True)
class Page:
    number: int
    items: str


@dataclasses.dataclass(frozen=True)
class Failed:
    text: str


Mutation = Union[Loading, LoadingMore, Page, Failed]


@dataclasses.dataclass(frozen=True)
class Pages:
    is_loading: bool = False
    is_loading_more: bool = False
    no_more: bool = False
    items: str = ""
    _page: int = 0


class Feed(mainstem.Reactor):
    """One request per page; more only where there is more; a refresh ends what loads more."""

    state = Pages()
    alert = mainstem.pulse(str)

    @mainstem.shown
    def can_more(self) -> bool:
        return self.state._page > 0 and not self.state.no_more and not self.state.is_loading

    @mainstem.action(policy="latest")
    async def refresh(self) -> AsyncIterator[Mutation]:
        yield Loading(True)
        try:
            yield Page(1, (await self.request(RequestPage(1))).text)
        except mainstem.Failure as failure:
            yield Failed(failure.user_message)
        yield Loading(False)

    @mainstem.action(enabled="can_more", cancelled_by="refresh")
    async def more(self) -> AsyncIterator[Mutation]:
        number = self.state._page + 1
        yield LoadingMore(True)
        yield Page(number, (await self.request(RequestPage(number))).text)
        yield LoadingMore(False)

    @staticmethod
    def reduce(state: Pages, mutation: Mutation) -> Pages:
        if isinstance(mutation, Loading):
            return dataclasses.replace(state, is_loading=mutation.is_on, is_loading_more=False)
        if isinstance(mutation, LoadingMore):
            return dataclasses.replace(state, is_loading_more=mutation.is_on)
        if isinstance(mutation, Page):
            items = mutation.items if mutation.number == 1 else f"{state.items},{mutation.items}"
            if not mutation.items and mutation.number > 1:
                items = state.items
            return dataclasses.replace(
                state, items=items, _page=mutation.number, no_more=not mutation.items
            )
        return state

    def mutated(self, mutation: Mutation) -> None:
        if isinstance(mutation, Failed):
            self.alert(mutation.text)
