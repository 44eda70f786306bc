# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-63, in C and in Python: the look-up, its list, its cells and their profiles."""

from __future__ import annotations

import subprocess
from subprocess import PIPE
from typing import Any, List

import pytest
from boats import (
    PROGRAMS,
    Http,
    Lookup,
    Profile,
    TweetCell,
    add_pictures,
    install,
    mainstem,
    serve,
)
from mainstem import MainstemError, Status

#: What a site is asked for: each page once, and once each picture that is in sight.
NOBODY = "Nobody has that name. Check how it is spelled."
SLOW = "/picture/fog-over-the-harbor-and-a-buoy.png"
ASKED = [
    "/avatar/jack.png",
    "/avatar/mary.png",
    SLOW,
    "/picture/the-lighthouse-at-dusk.png",
    "/timeline/jack?page=1",
    "/timeline/jack?page=2",
    "/timeline/jack?page=3",
    "/timeline/nobody?page=1",
]


def test_a_63_in_c() -> None:
    with serve() as site:
        site.slow[SLOW] = 60
        words = [str(PROGRAMS / "a63"), site.url("")]
        with subprocess.Popen(words, stdin=PIPE, stdout=PIPE) as program:
            assert site.came(5) and site.asked[-1] == SLOW
            assert program.communicate(b"\n", 60) == (b"A-63 passed\n", None)
        assert sorted(site.asked) == ASKED
        assert site.gone(1) and site.left == [SLOW]


def numbers(view: Any) -> List[int]:
    return list(view.cells)


def refused(command: Any) -> int:
    with pytest.raises(MainstemError) as error:
        command()
    return error.value.status


def settle(context: mainstem.Context) -> None:
    while context.request_count() or context.drain():
        context.wait(10)


def test_a_63_in_python() -> None:
    with serve() as site, mainstem.Context() as context:
        site.slow[SLOW] = 60
        pictures = install(context)
        context.install(Http(), on="host")
        add_pictures(context, pictures)
        window = context.scope("Window")
        view = mainstem.view(window, Lookup, window.open_instance("Lookup", site.url("")))
        assert (view.go.enabled, view.go_alpha) == (False, 0.5)
        view.username = "a"
        assert (view.go.enabled, view.go_alpha) == (False, 0.5)
        assert refused(view.go) == Status.DISABLED
        view.username = "jack"
        assert (view.go.enabled, view.go_alpha) == (True, 1.0)

        assert refused(view.load_more) == Status.DISABLED
        view.go()
        assert view.is_loading
        settle(context)
        jack, mary = site.url("/avatar/jack.png"), site.url("/avatar/mary.png")
        assert (view.full_name, view.avatar, len(numbers(view))) == ("Jack Tar", jack, 20)
        assert (view.loading_row, view.is_loading) == ("Loading …", False)
        view.load_more()
        assert [refused(view.load_more) for _ in range(4)] == [Status.EXECUTING] * 4
        settle(context)
        assert len(numbers(view)) == 40
        view.load_more()
        settle(context)
        assert (len(numbers(view)), view.loading_row) == (45, "")
        assert refused(view.load_more) == Status.DISABLED

        cell = mainstem.view(window, TweetCell, numbers(view)[0])
        assert (cell.avatar, cell.author) == ("", "Jack Tar")
        cell.appear()
        context.drain()
        assert site.came(5) and site.asked[-1] == SLOW
        assert (cell.avatar, cell.picture, cell.appear.executing) == (jack, "", True)
        cell.disappear()  # it is scrolled away
        context.drain()
        assert site.gone(1) and site.left == [SLOW]
        mainstem.retarget(cell, numbers(view)[3])
        assert (cell.avatar, cell.author) == ("", "Mary Wolf")
        cell.appear()
        settle(context)
        assert (cell.avatar, cell.picture_problem) == (mary, "")
        assert bytes(pictures.get(cell.picture))[1:4] == b"PNG"
        number = mainstem.open_child(cell, "profile").result()
        profile = mainstem.view(window, Profile, number)
        assert (profile.name, profile.followers) == ("@mary", "3377 followers")
        assert profile.about == "Keeps the lighthouse. Counts ships."

        view.username = "nobody"
        view.go()
        settle(context)
        assert (view.go.error, len(numbers(view))) == (NOBODY, 45)
        assert sorted(site.asked) == ASKED
