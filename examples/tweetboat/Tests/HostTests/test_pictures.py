# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures in the hosts: asked for once while they are in sight, cancelled when they are not."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections import Counter
from typing import Dict

import pytest
from boats import HERE, HOSTS, Http, add_pictures, install, mainstem, run, serve
from pictures import landscape

BOTH = pytest.mark.parametrize("host", HOSTS)
FOG = "/picture/fog-over-the-harbor-and-a-buoy.png"
BOTH_PICTURES = {FOG, "/picture/the-lighthouse-at-dusk.png"}  # that are in sight at first
SHOWN = "[picture 320 × 180] Fog over the harbor, and a buoy\n"
MISSING = "[no picture] Fog over the harbor, and a buoy\n"


@BOTH
def test_each_picture_is_asked_for_once(host: str) -> None:
    with serve() as site:
        commands = (HERE / "commands.txt").read_text()
        assert run(*HOSTS[host], site.url(""), commands=commands)[0] == 0
        asked = Counter(path for path in site.asked if path.endswith(".png"))
    assert len(asked) > 10 and set(asked.values()) == {1}


@BOTH
def test_with_a_small_cache_the_same_is_shown_and_pictures_come_again(host: str) -> None:
    with serve() as site:
        commands = (HERE / "commands.txt").read_text() + "name jack\ngo\n"
        words = [*HOSTS[host], "--cache", "4000", site.url("")]
        code, said = run(*words, commands=commands.replace("quit\n", ""))
        asked = Counter(path for path in site.asked if path.endswith(".png"))
    assert (code, said.startswith((HERE / "expected.txt").read_text("utf-8"))) == (0, True)
    assert asked[FOG] > 1


@BOTH
@pytest.mark.parametrize("error", [PermissionError, ValueError, KeyError])
def test_a_picture_that_fails_is_a_placeholder_until_it_is_asked_for_again(
    host: str, error: type
) -> None:
    tries = []

    def picture(query: Dict[str, str]) -> bytes:
        tries.append(query)
        if len(tries) == 1:
            raise error("no")
        return landscape("any")

    with serve() as site:
        site.pages[FOG] = picture
        code, said = run(*HOSTS[host], site.url(""), commands="name jack\ngo\nretry\nretry\n")
    screens = said.split("[jack]")
    assert (code, len(tries)) == (0, 2)
    assert MISSING in screens[2] and screens[2].count("[no picture]") == 1
    assert SHOWN in screens[3] and SHOWN in screens[4]


@BOTH
def test_what_is_no_picture_is_told(host: str) -> None:
    with serve() as site:
        site.pages[FOG] = lambda query: b"GIF89a"
        code, said = run(*HOSTS[host], site.url(""), commands="name jack\ngo\n")
    assert code == 0 and "[not a picture] Fog over the harbor" in said


@BOTH
def test_a_picture_that_hangs_holds_up_no_other(host: str) -> None:
    with serve() as site:
        site.slow[FOG] = 60
        words = (*HOSTS[host], "--patience", "300", site.url(""))
        code, said = run(*words, commands="name jack\ngo\n")
        assert site.gone(1) and site.left == [FOG]
    assert code == 0 and MISSING in said
    assert said.count("[picture 48 × 48] Jack Tar") == 5


def test_in_the_host_in_c_what_is_scrolled_away_is_cancelled() -> None:
    keys, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 16, 80, 0, 0))
    with serve() as site:
        site.slow["/picture/"] = 60
        process = subprocess.Popen(
            [*HOSTS["C"], site.url("")],
            stdin=terminal,
            stdout=terminal,
            env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
        )
        os.close(terminal)
        os.write(keys, b"jack\n")
        seen = b""
        while b"Fog over" not in seen:
            seen += os.read(keys, 4096)
        count = 0
        while not set(site.asked) >= BOTH_PICTURES:
            count += 1
            assert site.came(count)
        os.write(keys, b"\x1bOB" * 19)
        assert site.gone(2) and set(site.left) >= BOTH_PICTURES
        process.kill()
        process.wait()
    os.close(keys)


def test_in_the_host_in_python_what_is_scrolled_away_is_cancelled() -> None:
    from boat import Screen

    with serve() as site, mainstem.Context() as context:
        site.slow["/picture/"] = 60
        pictures = install(context)
        context.install(Http(), on="host")
        add_pictures(context, pictures)
        screen = Screen(context.scope("Window"), pictures, site.url(""))
        screen.obey("name", "jack")
        screen.obey("go", "")
        while not set(site.asked) >= BOTH_PICTURES:
            context.wait(0.1)
        screen.move(10)
        context.drain()
        assert site.gone(2) and set(site.left) >= BOTH_PICTURES
        assert context.request_count("RequestFetchPicture") < 3
