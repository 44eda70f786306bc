# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A host ends an owner while a factory fills it on another thread: verify ends it there, too."""

from __future__ import annotations

import threading

import pytest
from mainstem import Context, Failure, MainstemError


class House:
    """Cells show, listen and ask for others, before and after the host ends them."""

    def __init__(self, host):
        self.context = context = Context(threads="any")
        self.lines, self._host = [], host
        context.add_type("Tick", str)
        context.add_type("Tock", str)
        context.add_type("Value", str, role="value")
        context.factory("Cell", self.make, str)
        context.observe(lambda event: self.lines.append(str(event)))
        context.observe("MainstemEnded", lambda event: context.send("Tock", "heard of an end"))

    def make(self, scope, request):
        """Fills a cell; for a "plain" one, the host does nothing."""
        words = request.text.split()
        if "shown" in words:
            scope.set("Value", "before")
        if "plain" not in words:
            self._host(scope)
        for act in (lambda: scope.send("Tock", "made"), lambda: scope.set("Value", "after")):
            if "quiet" not in words:
                self.tell(act)
        scope.observe("Tick", lambda event: scope.send("Tock", event.text))
        if "asks" in words:
            scope.open_instance("Cell", "plain", then=lambda number: None)
        if "ends" in words:
            self.tell(scope.end)
        if "fails" in words:
            raise Failure("NO_CELL")

    def present(self):
        """The values that are left."""
        told = []
        self.context.observe("Value", lambda event: event.late and told.append(str(event)))
        self.context.drain()
        return told

    def tell(self, act):
        try:
            act()
        except MainstemError as error:
            self.context.send("Tock", str(error))


class Host:
    """Ends the scope that a factory on another thread fills, in the middle of that."""

    def __init__(self):
        self._scope, self._begun, self._ended = None, threading.Event(), threading.Event()

    def __call__(self, scope):
        self._scope = scope
        self._begun.set()
        assert self._ended.wait(60)

    def end_in_the_middle(self, act):
        other = threading.Thread(target=act)
        other.start()
        assert self._begun.wait(60)
        try:
            self._scope.end()
        finally:
            self._ended.set()
            other.join()


def play(path, words):
    host = Host()
    house = House(host)
    context = house.context
    context.record(path)
    opened = []
    host.end_in_the_middle(
        lambda: context.open_instance("Cell", words, then=opened.append, failed=opened.append)
    )
    context.send("Tick", "nobody hears")
    assert len(opened) == 1
    present = house.present()
    context.close()
    return house.lines, present


def replayed(path, verify):
    house = House(lambda scope: None)
    with house.context.replay(path, verify=verify) as replay:
        replay.to_end()
        assert replay.info.ended
        present = house.present()
    house.context.close()
    return house.lines, present


@pytest.mark.parametrize("does", ["", "quiet", "asks", "fails", "ends", "fails quiet"])
@pytest.mark.parametrize("shown", ["", "shown"])
def test_verify_ends_an_owner_that_was_being_made(tmp_path, does, shown):
    path = tmp_path / "house.journal"
    lines, present = play(path, f"{does} {shown}")

    assert sum("MainstemEnded" in line for line in lines) == (2 if does == "asks" else 1), lines
    assert not any("Tock" in line and "nobody hears" in line for line in lines), lines
    assert not present
    assert replayed(path, verify=True) == (lines, present)
    assert replayed(path, verify=False) == (lines, present)
