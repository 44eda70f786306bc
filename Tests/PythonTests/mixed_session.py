# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session with one of each, which the library has recorded: requests and how they end, values."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from typing import Any, Tuple

import mainstem
from mainstem import Failure, Notice, Request, Response


@mainstem.event
class Read(Notice):
    part: int


@mainstem.event
class ResponseFile(Response):
    text: str


@mainstem.event
class RequestFile(Request[ResponseFile]):
    name: str


@mainstem.event(secret=True)
class ResponseToken(Response):
    token: str


@mainstem.event(secret=True)
class RequestToken(Request[ResponseToken]):
    password: str


@dataclasses.dataclass(frozen=True)
class Item:
    id: int
    text: str


class Cell(mainstem.ViewModel):
    text: str = mainstem.shown("")

    def __init__(self, item: Item) -> None:
        self.text = item.text


class Shelf(mainstem.ViewModel):
    items: Tuple[Item, ...] = mainstem.shown(())
    rows: Tuple[Item, ...] = mainstem.shown((), key="id")
    pin: str = mainstem.writable("", secret=True)
    ratio: float = mainstem.shown(0.0)

    @mainstem.command
    def fill(self, text: str) -> None:
        self.items = self.rows = tuple(Item(int(word[0]), word) for word in text.split())
        self.ratio = len(self.items) / 8

    @mainstem.children("items")
    def cells(self, item: Item) -> Cell:
        return Cell(item)


def mixed_session(path: str) -> None:
    """Records it: an answer with progress, a failure, a cancellation, a secret; values, lists."""
    kept = []
    with mainstem.Context(clock="virtual", seed=3) as context:
        context.record(path)
        shelf: Any = context.open(Shelf())
        disk = context.scope("Disk")

        @disk.serve(RequestFile)
        def read(request: Any) -> Any:
            if request.name == "none":
                raise Failure("GONE", user_message="It is gone.", subject="none")
            if request.name == "slow":
                kept.append(request.retain())
                return mainstem.LATER
            for part in (1, 2):
                request.progress(Read(part))
            return ResponseFile(text=f"text of {request.name}")

        @disk.serve(RequestToken)
        def sign_in(request: Any) -> ResponseToken:
            return ResponseToken(token="t0ken")

        view = context.scope("View")
        view.request(RequestFile("a"))
        with suppress(Failure):
            view.request(RequestFile("none"))
        slow = view.request(RequestFile("slow"), then=print, failed=lambda failure: None)
        context.advance(2)
        slow.cancel()
        view.request(RequestToken("hunter2"))
        view.request(RequestFile("slow"), then=print, failed=lambda failure: None)
        bound = shelf.bind()
        bound.pin = "1234"
        bound.fill("1 2 3")
        bound.fill("3 4")
