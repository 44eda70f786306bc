#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Five apps in one context, on one stream: a host with the views of all. See README.md."""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from contextlib import redirect_stdout, suppress
from functools import partial
from typing import Any, Callable, Dict, List, Sequence

import cores
from cores import APPS, PREFIX, lines, mainstem

sys.path += [str(cores.EXAMPLES / app / "site") for app in ("dashboard", "tweetboat")]
import dashboard_lines  # noqa: E402
import diary_lines  # noqa: E402
import tweets  # noqa: E402
import users  # noqa: E402
from boat import Screen  # noqa: E402
from dashboard_stage import Stage as DashboardStage  # noqa: E402
from diary_stage import Stage as DiaryStage  # noqa: E402
from todo import View  # noqa: E402

#: What a view may send and observe. The stages of the dashboard and the diary give the same.
RIGHTS: Dict[str, Any] = {"sends": "view", "observes": ["view", "viewmodel"]}
TODO_RIGHTS: Dict[str, Any] = {"sends": "viewmodel", "observes": "viewmodel"}


class DiarySignIn(cores.diary.SignIn, name=f"{PREFIX}SignIn"):
    """The sign-in of the diary, which has another name here."""


class DiarySignInScreen(diary_lines.SignInScreen):
    kind = DiarySignIn


class Host:
    """The providers, the stage, and the views of each app, in scopes with few rights."""

    def __init__(self, context: mainstem.Context, apps: Sequence[str], folder: str) -> None:
        self.context, self.apps = context, apps
        self.owners = cores.install(context, apps, folder)
        cores.add_providers(context, self.owners, folder)
        self.windows: Dict[str, mainstem.Scope] = {}
        self.boat: Any = None
        assert context.navigator
        self.nav = context.navigator
        views: Dict[str, Any] = dict(dashboard_lines.VIEWS)
        screens = {**diary_lines.SCREENS, f"{PREFIX}SignIn": DiarySignInScreen}
        self.dashboard = DashboardStage(self.owners.get("dashboard", context), self.nav, views)
        self.diary = DiaryStage(self.owners.get("diary", context), screens)
        self.nav.stage(self)
        self.nav.ready()

    def show(self, component: mainstem.Component) -> None:
        """Each app has a stage of its own; this one asks them."""
        is_dashboard = component.name in self.dashboard.views
        (self.dashboard if is_dashboard else self.diary).show(component)

    def hide(self, components: List[int]) -> None:
        self.dashboard.hide(components)
        self.diary.hide(components)

    def open(self, app: str, sites: Dict[str, str]) -> None:
        """Opens the views of an app, as its own host does."""
        owner = self.owners[app]
        if app in ("dashboard", "diary"):
            query: Dict[str, Any] = {"site": sites[app]} if app in sites else {}
            url = f"{PREFIX}app" if app == "diary" else "app"
            again = partial(self.open, app, sites)
            self.nav.open(
                mainstem.Router.write(url, **query),
                then=lambda result: again(),  # the user has signed out
                failed=lambda failure: None,
            )
            return
        window = owner.scope("view", **(TODO_RIGHTS if app == "todostream" else RIGHTS))
        self.windows[app] = window
        if app == "todostream":
            self.todos = View(window, owner)
            self.todos.ask("RequestTodoViewModels", list="home")
        elif app == "tweetboat":
            self.boat = Screen(window, self.owners["pictures"], sites[app], owner)
        else:
            form = owner.find_scope(window.open_instance("SignIn"))
            self.form = mainstem.view(window, cores.signin.SignIn, form)

    def settle(self) -> None:
        """Waits until all has come."""
        while True:
            if cores.open_count(self.context, self.apps):
                self.context.wait()
            elif not self.context.drain() and not (self.boat and self.boat.load_more()):
                return

    def window(self, app: str) -> mainstem.Scope:
        """The scope of a view that is shown."""
        screens = [view.scope for view in self.dashboard.shown.values()]
        pages = [screen.window for screen in self.diary.seen]
        windows: Dict[str, List[mainstem.Scope]] = {"dashboard": screens, "diary": pages}
        return self.windows.get(app) or windows[app][0]

    def request(self, app: str, name: str) -> None:
        """Has the view of an app request something, and prints what comes of it."""
        try:
            self.window(app).request(name, then=lambda answer: lines.say(f"{name}: OK"))
        except mainstem.MainstemError as error:
            lines.say(f"{name}: {error.status.name}")

    def obey(self, app: str, command: str, rest: str) -> None:
        # A button that is off does nothing, nor does what is no text.
        with suppress(mainstem.MainstemError, UnicodeError):
            if command == "request":
                self.request(app, rest)
            elif app == "todostream":
                self.todos.obey(command, rest)
            elif app == "tweetboat":
                self.boat.obey(command, rest)
            elif app == "signin" and command == "submit":
                self.form.submit()
            elif app == "signin" and command in ("username", "password"):
                setattr(self.form, command, rest)
            elif app == "dashboard" and (widget := self.dashboard.view("UsersWidget")):
                if command == "find":
                    widget.find(rest)
            elif app == "diary":
                for screen in self.diary.seen:
                    screen.commands().get(command, lambda rest: None)(rest)

    def draw(self, app: str) -> None:
        """Prints what an app shows; todostream prints its changes by itself."""
        if app == "tweetboat":
            self.boat.draw()
        elif app == "signin":
            lines.say(f"[{self.form.username}] [{self.form.submit_title}] {self.form.state}")
        elif app == "dashboard":
            self.dashboard.print(self.dashboard.lines())
        elif app == "diary":
            for screen in self.diary.seen:
                screen.draw()

    def step(self, app: str, act: Callable[[], None]) -> None:
        """Does something in an app, and prints what it shows then, with its name."""
        with redirect_stdout(io.StringIO()) as shown:
            act()
            self.settle()
            self.draw(app)
        for line in shown.getvalue().splitlines():
            lines.say(f"{app}: {line}".rstrip())


def run(given: argparse.Namespace, folder: str, sites: Dict[str, str]) -> None:
    """Opens each app, and obeys lines such as "signin username jack" to the end of the input."""
    with mainstem.Context() as context:
        if given.record:
            context.record(given.record)
        host = Host(context, given.apps, folder)
        for app in given.apps:
            host.step(app, partial(host.open, app, sites))
        for app, rest in lines.commands("together> "):
            if app in given.apps:
                host.step(app, partial(host.obey, app, *lines.command_of(rest.encode())))
        failed = context.first_error()
        if failed and failed.status != mainstem.Status.DENIED:
            sys.exit(str(failed))


def main() -> None:
    parser = argparse.ArgumentParser(prog="together")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--apps", nargs="+", choices=APPS, default=APPS, metavar="APP")
    given, folder = parser.parse_args(), tempfile.TemporaryDirectory()
    with folder as path, users.serve() as site, tweets.serve() as tweet_site:
        run(given, path, {"dashboard": site.url(""), "tweetboat": tweet_site.url("")})


if __name__ == "__main__":
    lines.run(main)
