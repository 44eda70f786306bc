# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes of kept_written.py: owners, services, and what view models and reactors show."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, List, Tuple

import mainstem
from kept_scene import Scene
from mainstem import Failure
from mainstem._library import C
from mainstem._library import _header as d
from mainstem.failure import check
from table_model import BOOL, COMMAND, SHOWS, TEXT, Row, TableModel

#: Functions that C keeps.
_kept: List[Any] = []


def make_of(answer: int) -> Any:
    """A factory's function in C, that only says how it went."""
    make = d.MAKE_FN(lambda user_data, scope, event: answer)
    _kept.append(make)
    return make


class Owners(Scene):
    """Factories and services that make nothing."""

    def prepare(self) -> None:
        context = self.context
        context.add_type("ResponseNote", str)
        for name in ("RequestNote", "RequestOther", "RequestThird"):
            context.add_type(name, str, response="ResponseNote")
        none = ctypes.cast(None, d.RELEASE_FN)
        check(C.mainstem_factory_add(context.handle, b"Broken", 0, make_of(1013), None, none))
        names = (ctypes.c_char_p * 1)(b"RequestOther")
        check(
            C.mainstem_service_add(
                context.handle, b"NoService", names, 1, 0, make_of(1013), None, none
            )
        )
        context.factory("Ending", lambda scope, event: scope.end())
        context.factory("Owner", lambda scope, event: None)
        context.service("Diary", self.diary, handles=["RequestNote"])
        context.service("Loop", self.loop, handles=["RequestThird"])

    def diary(self, scope: Any, event: Any) -> None:
        """It has no handler."""

    def loop(self, scope: Any, event: Any) -> None:
        """It asks for itself while it is made."""
        self.refused(self.context.find, "Loop")
        scope.request("RequestThird", "again", then=self.note, failed=self.note)

    def act(self) -> None:
        context = self.context
        for name in ("RequestOpen.Broken", "RequestOpen.Ending"):
            self.ask(name)
        for name in ("RequestOther", "RequestNote", "RequestThird"):
            self.ask(name, "note")
        self.refused(context.find, "NoService")
        context.find("Diary")
        context.drain()
        number = context.open_instance("Owner")
        context.drain()
        context.find_scope(number).end()
        context.drain()


class Book(mainstem.ViewModel):
    """Has a command for each way in which a run is refused."""

    title: str = mainstem.writable("")
    is_open: bool = mainstem.shown(False)
    turned = mainstem.pulse(int)

    @mainstem.command(enabled="is_open")
    def shut(self) -> None:
        self.is_open = False

    @mainstem.command
    async def read(self) -> None:
        await self.sleep(1)

    @mainstem.command(policy="queue")
    async def queue(self, number: int) -> None:
        await self.sleep(1)

    @mainstem.command(policy="latest")
    async def search(self) -> None:
        await self.sleep(1)

    @mainstem.command(cancelled_by="search")
    async def browse(self) -> None:
        await self.sleep(1)

    @mainstem.command
    def fail(self, message: str) -> int:
        if message == "wrong":
            return "no number"  # type: ignore[return-value]
        if message == "unexpected":
            raise ValueError(message)
        raise Failure(message, user_message="own: For users." if message else "")

    @mainstem.command
    def open(self) -> None:
        self.is_open = True
        self.turned(1)


class Models(Scene):
    """Runs of commands, and what they show."""

    deliver = "host"

    def prepare(self) -> None:
        self.kept: List[Any] = []
        rows = [
            Row("forget", COMMAND, 0, lambda event: None, answer=TEXT),
            Row("isOn", SHOWS, BOOL),
            Row("off", COMMAND, 0, self.keep, enabled="isOn"),
            Row("slow", COMMAND, 0, self.keep),
            Row("queued", COMMAND, 0, self.keep, policy=d.COMMAND_QUEUE),
            Row("newest", COMMAND, 0, self.keep, policy=d.COMMAND_LATEST),
            Row("several", COMMAND, 0, self.keep, policy=d.COMMAND_CONCURRENT),
        ]
        self.table = TableModel(self.context, "Table", rows, self.shows)
        self.book = self.context.open(Book())

    def keep(self, event: Any) -> None:
        self.kept.append(event.retain())

    def shows(self, model: TableModel) -> None:
        model.scope.set("Table.isOn", False)

    def act(self) -> None:
        context = self.context
        view = self.book.bind()
        context.drain()
        owner = self.table.scope
        for name in ("forget", "off", "slow", "slow", "newest", "newest", "several", "several"):
            self.ask(f"Table.{name}", through=owner)
        for _ in range(66):
            self.ask("Table.queued", through=owner)
        for _ in range(2):
            self.run(view.read)
        for number in range(3):
            self.run(view.queue, number)
        context.drain()
        self.run(view.browse)
        self.run(view.search)
        self.run(view.search)
        context.advance(2)
        for message in ("", "own: said", "wrong", "unexpected"):
            self.run(view.fail, message)
        self.run(view.shut)
        self.run(view.open)
        view.title = "Emma"
        context.drain()
        self.run(view.shut)
        context.advance(10)

    def run(self, command: Any, *given: Any) -> None:
        self.refused(command, *given)
        self.context.drain()


@dataclasses.dataclass(frozen=True)
class Count:
    count: int = 0


class Counter(mainstem.Reactor):
    """Its state and its mutations are told."""

    state = Count()

    @mainstem.action
    def up(self, by: int) -> Any:
        yield by

    @staticmethod
    def reduce(state: Count, by: int) -> Count:
        return Count(state.count + by)


class Reactors(Scene):
    """What a reactor tells."""

    deliver = "host"

    def prepare(self) -> None:
        self.counter = self.context.open(Counter())

    def act(self) -> None:
        self.counter.bind().up(2)
        self.context.drain()


@dataclasses.dataclass(frozen=True)
class Item:
    id: int
    text: str


class Cell(mainstem.ViewModel):
    text: str = mainstem.shown("")

    def __init__(self, item: Item) -> None:
        self.text = item.text


class Owned(mainstem.ViewModel):
    name: str = mainstem.writable("")


class Shelf(mainstem.ViewModel):
    """Has children, and begins when it is opened."""

    items: Tuple[Item, ...] = mainstem.shown(())

    def opened(self) -> None:
        self.items = (Item(1, "one"),)

    @mainstem.command
    def fill(self, count: int) -> None:
        self.items = tuple(Item(number, f"item {number}") for number in range(count))

    @mainstem.children("items")
    def cells(self, item: Item) -> Cell:
        return Cell(item)

    @mainstem.child
    def owned(self, suffix: str) -> Owned:
        return Owned()


class Children(Scene):
    """Lists of children, children that are asked for, and what is drawn.

    Before decision 0087 the value of the children had another contract: kept sessions of this scene
    are read, and not verified. Tests/journals/children-3.journal has it as it is now.
    """

    deliver = "host"

    def prepare(self) -> None:
        self.context.add_type("Draw", str)
        self.context.add_type("Drawn", str)
        self.context.observe("Draw", self.draw)
        self.shelf = self.context.open(Shelf())

    def draw(self, event: Any) -> None:
        context = self.context
        context.send("Drawn", f"{context.random()} {context.random()} {context.id()}")

    def act(self) -> None:
        context = self.context
        view = self.shelf.bind()
        context.drain()
        for count in (3, 1):
            self.refused(view.fill, count)
            context.drain()
        self.refused(view.owned, "of the shelf")
        context.send("Draw", "now")
        context.drain()


SCENES = [Owners, Models, Reactors, Children]
