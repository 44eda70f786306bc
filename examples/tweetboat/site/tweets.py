#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The site: what was written, by page, from a file of lines.

site/tweets.py                 serves until its input ends; says where
site/tweets.py --delay 0.5     takes that many seconds for each answer

/timeline/jack?page=1   {"user": {…}, "tweets": [{"id", "author": {…}, "text"} …], "isLast"}
/avatar/jack            the picture, as text
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "providers"))
from http_site import Page, Site  # noqa: E402

PAGE = 20


def pages(url: str) -> Dict[str, Page]:
    """The pages of the site at an address."""
    users: Dict[str, Any] = {}
    pictures: Dict[str, str] = {}
    lines: Dict[str, List[str]] = {}
    name = ""
    for line in (HERE / "tweets.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines():
        if line.startswith("# "):
            name, picture, full_name, followers, about = line[2:].split(" | ")
            users[name] = {
                "name": name,
                "fullName": full_name,
                "followers": int(followers),
                "about": about,
                "avatar": f"{url}/avatar/{name}",
            }
            pictures[name] = picture
            lines[name] = []
        elif line:
            lines[name].append(line)
    timelines = {name: partial(timeline, users, name, lines[name]) for name in users}
    return {
        **{f"/timeline/{name}": timelines[name] for name in users},
        **{f"/avatar/{name}": partial(avatar, pictures[name]) for name in users},
    }


def timeline(
    users: Dict[str, Any], name: str, lines: List[str], query: Dict[str, str]
) -> Dict[str, Any]:
    first = (int(query["page"]) - 1) * PAGE
    tweets = []
    for place, line in enumerate(lines[first : first + PAGE], first):
        author, text = line[1:].split(" ", 1) if line.startswith("@") else (name, line)
        tweets.append({"id": len(lines) - place, "author": users[author], "text": text})
    return {"user": users[name], "tweets": tweets, "isLast": first + PAGE >= len(lines)}


def avatar(picture: str, query: Dict[str, str]) -> str:
    return picture


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
