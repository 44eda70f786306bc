# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The view models of the tests: looking up who wrote what."""

from __future__ import annotations

import dataclasses
from typing import List, Optional, Tuple

import mainstem
from mainstem import Request, Response


@dataclasses.dataclass(frozen=True)
class Tweet:
    """What somebody wrote."""

    id: int
    full_text: str = ""


@mainstem.event
class ResponseTimeline(Response):
    tweets: Tuple[Tweet, ...]


@mainstem.event
class RequestTimeline(Request[ResponseTimeline]):
    username: str


class TweetCell(mainstem.ViewModel):
    """A row of the list."""

    text: str = mainstem.shown("")
    likes: int = mainstem.shown(0)

    def __init__(self, tweet: Tweet) -> None:
        self.show(tweet)

    def show(self, tweet: Tweet) -> None:
        self.text = tweet.full_text

    @mainstem.command
    def like(self) -> int:
        self.likes += 1
        return self.likes


class Profile(mainstem.ViewModel):
    """Who it is."""

    name: str = mainstem.writable("")

    def __init__(self, name: str) -> None:
        self.name = name


class Session(mainstem.ViewModel):
    """Who is logged in: heard by others."""

    state: str = mainstem.shown("out")

    @mainstem.command
    def log_in(self, name: str, days: int = 1) -> str:
        self.state = f"in as {name}"
        return f"{name} for {days}"


class Lookup(mainstem.ViewModel):
    """The main one."""

    username: str = mainstem.writable("")
    tweets: Tuple[Tweet, ...] = mainstem.shown(())
    likes: int = mainstem.shown(0)
    last: Optional[str] = mainstem.shown(None)
    alert = mainstem.pulse(str)

    def __init__(self) -> None:
        self.summaries = 0
        self.writes: List[str] = []

    @mainstem.shown
    def is_username_valid(self) -> bool:
        return 3 <= len(self.username) <= 15

    @mainstem.shown(by=("tweets", "likes"))
    def summary(self) -> str:
        self.count_summary()
        return f"{len(self.tweets)} tweets, {self.likes} likes"

    def count_summary(self) -> None:
        self.__dict__["summaries"] += 1

    @mainstem.on_write("username")
    def strip(self, written: str) -> None:
        self.writes.append(written)
        self.username = written.strip()

    @mainstem.command(enabled="is_username_valid")
    async def go(self) -> int:
        self.tweets = (await self.request(RequestTimeline(self.username))).tweets
        if not self.tweets:
            self.alert(f"{self.username} is silent")
        return len(self.tweets)

    @mainstem.command
    def clear(self) -> None:
        self.tweets = ()

    @mainstem.children("tweets", update=TweetCell.show)
    def cells(self, tweet: Tweet) -> TweetCell:
        return TweetCell(tweet)

    @mainstem.observes("cells", "likes")
    def liked(self, cell: TweetCell, likes: int) -> None:
        self.likes = sum(each.likes for each in self.cells)
        self.last = cell.text if likes else self.last

    @mainstem.child
    def profile(self, suffix: str) -> Profile:
        return Profile(self.username + suffix)

    @mainstem.child_ended("profile")
    def adopted(self, profile: Profile) -> None:
        self.username = profile.name
