#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The site: what was written, by page, from a file of lines.

site/tweets.py                 serves until its input ends; says where
site/tweets.py --delay 0.5     takes that many seconds for each answer

/timeline/jack?page=1     {"user": {…}, "tweets": [{"id", "author": {…}, "text", …} …], "isLast"}
/avatar/jack.png          a user
/picture/a-boot.png       a picture of a tweet, whose "picture" is {"url", "about"}
"""

from __future__ import annotations

import argparse
import re
import sys
from binascii import crc32
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "providers"))
from http_site import Page, Site  # noqa: E402
from pictures import avatar, landscape  # noqa: E402

PAGE = 20
#: At the end of a line: its picture.
PICTURE = re.compile(r" !\[(.*)\]$")


def pages(url: str) -> Dict[str, Page]:
    """The pages of the site at an address."""
    users: Dict[str, Any] = {}
    lines: Dict[str, List[str]] = {}
    pictures: Dict[str, Page] = {}
    name = ""
    for line in (HERE / "tweets.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines():
        if line.startswith("# "):
            name, full_name, followers, about = line[2:].split(" | ")
            users[name] = {
                "name": name,
                "fullName": full_name,
                "followers": int(followers),
                "about": about,
                "avatar": f"{url}/avatar/{name}.png",
            }
            pictures[f"/avatar/{name}.png"] = partial(picture, avatar, name)
            lines[name] = []
        elif line:
            lines[name].append(line)
            if about := about_of(line):
                pictures[path_of(about)] = partial(picture, landscape, about)
    timelines = {name: partial(timeline, url, users, name, lines[name]) for name in users}
    return {**{f"/timeline/{name}": timelines[name] for name in users}, **pictures}


def about_of(line: str) -> str:
    """What is seen in the picture of a line; empty: it has none."""
    found = PICTURE.search(line)
    return found[1] if found else ""


def path_of(about: str) -> str:
    """Where a picture is: at a name made of letters, or of a number if it has no Latin ones."""
    name = "-".join(re.findall("[a-z]+", about.lower()))
    return f"/picture/{name or crc32(about.encode())}.png"


def timeline(
    url: str, users: Dict[str, Any], name: str, lines: List[str], query: Dict[str, str]
) -> Dict[str, Any]:
    first = (int(query["page"]) - 1) * PAGE
    tweets: List[Dict[str, Any]] = []
    for place, line in enumerate(lines[first : first + PAGE], first):
        author, text = line[1:].split(" ", 1) if line.startswith("@") else (name, line)
        tweet = {"id": len(lines) - place, "author": users[author], "text": PICTURE.sub("", text)}
        if about := about_of(line):
            tweet["picture"] = {"url": url + path_of(about), "about": about}
        tweets.append(tweet)
    return {"user": users[name], "tweets": tweets, "isLast": first + PAGE >= len(lines)}


def picture(draw: Callable[[str], bytes], text: str, query: Dict[str, str]) -> bytes:
    return draw(text)


def serve() -> Site:
    """Starts the site."""
    site = Site({})
    site.pages = pages(site.url(""))
    return site


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves tweets until its input ends.")
    parser.add_argument("--delay", type=float, default=0, metavar="SECONDS")
    options = parser.parse_args()
    with serve() as site:
        site.delay = options.delay
        print(site.url(""), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # of a terminal; the host gets it, too
        main()
