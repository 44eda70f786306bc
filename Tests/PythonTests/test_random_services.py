# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Services at random: a replay makes, resets and ends the same ones, and fails the same fetches."""

from __future__ import annotations

import random

import mainstem
import pytest
from mainstem import LATER, Failure, MainstemError
from sessions import seeds

SESSIONS = len(seeds(200))
NAMES = ("A", "B")
#: What a callback may run into: it does not fail for that.
REFUSED = (MainstemError, Failure)


class Instance:
    """One instance of a service: it asks the others, ends, and changes where it may not."""

    def __init__(self, program, name, scope):
        self.program, self.name, self.scope = program, name, scope
        self.count, self.kept = 0, []
        program.made.append(name)
        scope.observe("Tick", self.tick)
        if program.draw(8) == 0:
            raise Failure("Not today.", code=1007)
        if program.draw(4) == 0:
            program.attempt(scope.find, random.Random(program.draw(9)).choice(NAMES))

    @mainstem.show_function
    def show(self, server):
        server.set(f"{self.name}.count", str(self.count))

    def fetch(self, event):
        return self.work(event, self.program.draw(12))

    def reload(self, event):
        self.count += 1
        return self.work(event, self.program.draw(12))

    def work(self, event, what):
        program, fuel = self.program, int(event.text)
        other = NAMES[program.draw(2)]
        if what == 0:
            self.count += 1
        elif what == 1:
            program.attempt(event.scope.set, f"{self.name}.count", "own")
        elif what == 2:
            program.attempt(event.scope.end)
        elif what == 3:
            self.kept.append(event.retain())
            return LATER
        elif what == 4:
            program.attempt(lambda: event.scope.find(other).end())
        elif what == 5 and fuel:
            event.scope.open_instance(other, then=self.use, failed=ignore)
        elif what < 9 and fuel:
            self.ask(event, other, fuel - 1)
            return LATER
        return str(self.count)

    def ask(self, event, other, fuel):
        kept, kind = event.retain(), ("Fetch", "Reload")[self.program.draw(2)]

        def answered(answer):
            if self.program.draw(3) == 0:
                self.count += 1
            self.program.attempt(kept.respond, "asked")

        event.scope.request(f"Request{kind}{other}", str(fuel), then=answered)

    def use(self, number):
        own = self.scope.context.find_scope(number)
        if own is not None:
            own.request("RequestReloadA", "0", then=ignore)

    def tick(self, event):
        for kept in self.kept:
            self.program.attempt(kept.respond, "later")
        self.kept.clear()


class Program:
    """Two services that ask each other, and who finds them in a callback."""

    def __init__(self, context):
        self.context, self.made = context, []
        context.add_type("ResponseWork", str)
        context.add_type("Tick", str)
        context.add_type("Go", str)
        for name in NAMES:
            context.add_type(f"{name}.count", str, role="value")
            types = [f"Request{kind}{name}" for kind in ("Fetch", "Reload")]
            for each in types:
                context.add_type(each, str, response="ResponseWork")
            context.service(name, self.maker(name, types), handles=types)
        context.observe("Go", lambda event: self.attempt(context.find, event.text))

    def maker(self, name, types):
        def make(scope, request):
            instance = Instance(self, name, scope)

            class Handlers:
                fetch = mainstem.handles(types[0], effect="fetch")(lambda _, e: instance.fetch(e))
                reload = mainstem.handles(types[1], effect="reload")(
                    lambda _, e: instance.reload(e)
                )
                show = mainstem.show_function(lambda _, server: instance.show(server))

            scope._become(Handlers())

        return make

    def draw(self, below):
        return self.context.random() % below

    def attempt(self, call, *arguments):
        try:
            return call(*arguments)
        except REFUSED:
            return None

    def act(self, chance):
        """What a host does; a replay does none of it."""
        view = self.context.scope("View")
        for _ in range(chance.randint(5, 40)):
            name, what = chance.choice(NAMES), chance.randrange(8)
            kind = chance.choice(("Fetch", "Reload"))
            through = chance.choice((self.context, view))
            if what < 4:
                through.request(f"Request{kind}{name}", str(chance.randint(0, 3)), then=ignore)
            elif what == 4:
                service = self.attempt(self.context.find, name)
                if service is not None and chance.random() < 0.5:
                    self.attempt(service.end)
            elif what == 5:
                view.open_instance(name, then=ignore, failed=ignore)
            elif what == 6:
                self.context.send("Go", name)
            else:
                self.context.send("Tick", "")
            if chance.random() < 0.05:
                view.end()
                view = self.context.scope("View")


def ignore(_):
    """Takes what comes."""


def opened(path, record):
    context = mainstem.Context(on_exception=lambda *_: None)
    return context, context.record(path) if record else context.replay(path, verify=True)


@pytest.mark.parametrize("first", range(0, SESSIONS, 20))
def test_a_random_session_with_services_verifies(first, tmp_path):
    for seed in range(first, min(first + 20, SESSIONS)):
        path = tmp_path / f"{seed}.journal"
        context, _ = opened(path, True)
        with context:
            program = Program(context)
            program.act(random.Random(seed))
            count = context.stats().failures
        context, replay = opened(path, False)
        with context, replay:
            again = Program(context)
            replay.to_end()
            assert again.made == program.made, seed
            assert context.stats().failures == count, seed
