# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes of kept_written.py: what the Python package writes itself."""

from __future__ import annotations

import enum
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Tuple, Union
from uuid import UUID

import mainstem
from kept_scene import Scene
from mainstem import Failure, Match, Notice, OpenFirst, Redirect, Request, Response


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Point(NamedTuple):
    x: int
    y: float


@mainstem.event
class Forms(Notice):
    """A field for each row of docs/wire-forms.md."""

    text: str
    whole: int
    number: float
    is_true: bool
    nothing: Optional[int]
    instant: datetime
    exact: datetime
    day: date
    length: timedelta
    back: timedelta
    identity: UUID
    data: bytes
    decimal: Decimal
    path: PurePosixPath
    colour: Colour
    point: Point
    many: List[int]
    pair: Tuple[int, str]
    several: FrozenSet[str]
    numbers: FrozenSet[int]
    days: FrozenSet[date]
    by_text: Dict[str, int]
    by_number: Dict[int, str]
    by_colour: Dict[Colour, int]
    by_day: Dict[date, int]
    one_of: Union[int, str]
    anything: Any


FORMS = Forms(
    text='Zoë "\\\n\u2028',
    whole=-7,
    number=0.1,
    is_true=True,
    nothing=None,
    instant=datetime(2026, 11, 27, 20, 21, 30, tzinfo=timezone.utc),
    exact=datetime(2026, 11, 27, 22, 21, 30, 250000, timezone(timedelta(hours=2))),
    day=date(2026, 1, 2),
    length=timedelta(days=1, microseconds=500000),
    back=timedelta(seconds=-0.25),
    identity=UUID("0F8FAD5B-D9CB-469F-A165-70867728950E"),
    data=b"\x00\xff\xfe",
    decimal=Decimal("1.250E+3"),
    path=PurePosixPath("a/../b"),
    colour=Colour.RED,
    point=Point(1, 0.5),
    many=[3, 1, 2],
    pair=(1, "a"),
    several=frozenset(("b", "a", "é")),
    numbers=frozenset((10, 9, -3)),
    days=frozenset((date(2026, 1, 2), date(2025, 12, 31))),
    by_text={"b": 1, "a": 2},
    by_number={10: "a", 9: "b", -3: "c"},
    by_colour={Colour.RED: 1, Colour.BLUE: 2},
    by_day={date(2026, 1, 2): 1, date(2025, 12, 31): 2},
    one_of="one",
    anything={"b": [None, 1.5]},
)


@mainstem.event(payload=int)
class Whole(Notice):
    value: int


@mainstem.event
class ResponseSum(Response):
    total: int


@mainstem.event
class RequestSum(Request[ResponseSum]):
    how: str


@mainstem.event(secret=True)
class RequestSecret(Request[ResponseSum]):
    how: str


class Door(mainstem.ViewModel):
    """Its command is a secret."""

    @mainstem.command(secret=True)
    def enter(self, password: str) -> None:
        raise ValueError(password)


class Quiet(Exception):
    """Its text cannot be had."""

    def __repr__(self) -> str:
        raise ValueError("no text")


class Faces(Scene):
    """How values travel, and what becomes of an exception in a handler."""

    def prepare(self) -> None:
        context = self.context
        context.add_type("Go", str)
        context.add_type("Number", int, role="value")
        context.add_type("ResponseNamed", str)
        context.add_type("RequestNamed", str, response="ResponseNamed")
        context.register(Forms)
        context.register(Whole)
        context.observe("Go", self.go)
        context.serve(RequestSum, self.sum, name="Sums")
        context.serve("RequestNamed", self.named, name="Named")

    def go(self, event: Any) -> None:
        """What a callback sends is compared: a host's events are only fed."""
        context = self.context
        context.send(FORMS)
        context.send(Whole(-1))
        context.set("Number", 7)
        context.send("Nowhere", "x")

    def sum(self, request: Any) -> Any:
        how = request.how
        if how == "nothing":
            return None
        if how == "other":
            return Whole(1)
        if how == "wrong":
            return ResponseSum("one")  # type: ignore[arg-type]
        if how == "failure":
            raise Failure("own: it failed", user_message="Sorry.", subject="sum", code=1007)
        if how == "error":
            raise ValueError("own: no sum\0")
        if how == "quiet":
            raise Quiet
        if how == "refused":
            self.context.drain()
        if how == "infinite":
            self.context.send(Infinite(float("inf")))
        return ResponseSum(3)

    def named(self, event: Any) -> Any:
        return {"nothing": None, "number": 7}[event.text]

    def act(self) -> None:
        self.context.send("Go", "now")
        for how in (
            "right",
            "nothing",
            "other",
            "wrong",
            "failure",
            "error",
            "quiet",
            "refused",
            "infinite",
        ):
            self.ask(RequestSum(how))
        for how in ("nothing", "number", "neither"):
            self.ask("RequestNamed", how)


class Secrets(Scene):
    """What is written in place of a secret."""

    deliver = "host"
    secrets = ("whispered", RequestSecret("wrong"), RequestSecret("right"), "hunter2")

    def prepare(self) -> None:
        context = self.context
        context.add_type("Whispered", str, secret=True)
        context.observe("Whispered", self.raises)
        context.serve(RequestSecret, self.sum, name="Secrets")
        self.door = context.open(Door())

    def raises(self, event: Any) -> None:
        raise Failure(event.text)

    def sum(self, request: Any) -> Any:
        if request.how == "wrong":
            raise ValueError(request.how)
        return ResponseSum(3)

    def act(self) -> None:
        view = self.door.bind()
        self.context.drain()
        whispered, wrong, right, password = self.secrets
        self.context.send("Whispered", whispered)
        self.ask(wrong)
        self.ask(right)
        self.refused(view.enter, password)
        self.context.drain()


@mainstem.event
class Infinite(Notice):
    number: float


class Page(mainstem.ViewModel):
    """Goes where it is told."""

    @mainstem.command
    async def go(self, verb: str) -> None:
        nav = self.navigator
        if verb == "open":
            nav.open("left", slot="right", opened=lambda number: None)
        elif verb == "link":
            nav.link("page", all_flows=True)
        elif verb == "replace":
            nav.replace("page")
        elif verb == "replace root":
            nav.replace_root("page")
        elif verb == "close":
            nav.close(7)
        elif verb == "pop to":
            nav.pop_to(7)
        elif verb == "dismiss":
            nav.dismiss()
        elif verb == "kind":
            nav.open("left", kind="embed", on=7)
        else:
            nav.pop()


class Guards(Scene):
    """Moves that are asked for inside, and guards that answer wrongly."""

    def prepare(self) -> None:
        self.nav = nav = mainstem.Navigator(self.context, stage=Stage(), scheme="kept")
        nav.route("page", self.page, name="Page")
        nav.route("left", None, kind="embed", slot="left")
        nav.route("wrong/<int:id>", None)
        nav.route("broken", self.broken, name="Broken")

        @nav.guard("wrong/<int:id>", name="Wrong")
        def wrong(route: Match) -> Any:
            return [7, Redirect("wrong/\0"), OpenFirst("nowhere")][route["id"]]

        @nav.guard("wrong/<int:id>", "page", name="Left", leaving=True)
        def left(route: Match) -> Any:
            return Redirect("page")

    def page(self, route: Match) -> Page:
        return Page()

    def broken(self, route: Match) -> Any:
        raise ValueError("own: no page")

    def act(self) -> None:
        nav, context = self.nav, self.context
        nav.ready()
        for url in ("page", "wrong/0", "wrong/1", "wrong/2", "broken"):
            self.ask("MainstemMove", '{"verb":"open","url":"%s"}' % url)
        owner = next(each.owner for each in nav.tree if each.url == "page")
        view = mainstem.view(context, Page, owner)
        verbs = (
            "open",
            "link",
            "close",
            "pop to",
            "dismiss",
            "kind",
            "replace",
            "replace root",
            "pop",
        )
        for verb in verbs:
            self.refused(view.go, verb)
            context.drain()


class Stage:
    def show(self, component: Any) -> None:
        if component.url == "left":
            raise ValueError("own: no room")

    def hide(self, components: List[int]) -> None:
        pass


SCENES = [Faces, Secrets, Guards]
