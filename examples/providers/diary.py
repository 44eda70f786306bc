#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A service on a provider: a diary whose pages come by HTTP.

It is made when somebody first asks for it. `reload` and `loadMore` change what it shows, a `fetch`
does not: the library sees to that. Run it with: python3 diary.py
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List

import mainstem
from http_provider import Http, RequestHttp, ResponseHttp
from http_site import Site
from mainstem import Failure, Request, Response, Status

PAGE = 3


@mainstem.event
class ResponseEntries(Response):
    entries: List[str]


@mainstem.event
class RequestFetchEntry(Request[ResponseEntries]):
    """One entry, for whoever asks: the diary's own list stays as it is."""

    number: int


@mainstem.event
class RequestReloadEntries(Request[ResponseEntries]):
    """The first page, in place of what there is."""


@mainstem.event
class RequestLoadMoreEntries(Request[ResponseEntries]):
    """The next page, behind what there is."""


class Diary:
    """The service."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.entries: List[str] = []
        self.is_last = False

    @mainstem.handles(RequestFetchEntry, effect="fetch")
    def fetch(self, request: Any) -> Any:
        return self._ask(request, f"/entries?from={request.number}&count=1", lambda entries: None)

    @mainstem.handles(RequestReloadEntries, effect="reload")
    def reload(self, request: Any) -> Any:
        def take(entries: List[str]) -> None:
            self.entries, self.is_last = entries, len(entries) < PAGE

        return self._ask(request, f"/entries?from=0&count={PAGE}", take)

    @mainstem.handles(RequestLoadMoreEntries, effect="loadMore")
    def load_more(self, request: Any) -> Any:
        def take(entries: List[str]) -> None:
            self.entries, self.is_last = self.entries + entries, len(entries) < PAGE

        return self._ask(request, f"/entries?from={len(self.entries)}&count={PAGE}", take)

    @mainstem.show_function
    def show(self, server: Any) -> None:
        server.set("Diary.entries", json.dumps(self.entries))
        server.set("Diary.isLast", json.dumps(self.is_last))

    def _ask(self, request: Any, path: str, take: Callable[[List[str]], None]) -> Any:
        """Asks the provider, takes what it answers, and passes it on."""
        kept = request.retain()

        def done(answer: ResponseHttp) -> None:
            entries = json.loads(answer.body)
            take(entries)
            kept.respond(ResponseEntries(entries))

        def lost(failure: Failure) -> None:
            if failure.code != Status.CANCELLED:  # Then nobody waits any more.
                kept.respond(failure)

        scope = request.event.scope
        asked = scope.request(RequestHttp(self.site + path), then=done, failed=lost)
        request.on_settled(asked.cancel)
        return mainstem.LATER


def install(context: mainstem.Context, site: str) -> None:
    """Adds what a diary needs. In a replay the provider is not called."""
    for name in ("Diary.entries", "Diary.isLast"):
        context.add_type(name, str, role="value")
    context.install(Http(), on="host")
    context.service(Diary, lambda request: Diary(site))


def pages(count: int) -> Callable[[Dict[str, str]], List[str]]:
    """What the server of the example answers."""

    def page(query: Dict[str, str]) -> List[str]:
        first, most = int(query["from"]), int(query["count"])
        return [f"Day {number}" for number in range(first, min(first + most, count))]

    return page


def main() -> None:
    with Site({"/entries": pages(5)}) as site, mainstem.Context() as context:
        install(context, site.url(""))
        context.observe("Diary.entries", lambda event: print("shows", event.text))
        print("reload", context.request(RequestReloadEntries()).entries)
        print("fetch", context.request(RequestFetchEntry(4)).entries)
        print("more", context.request(RequestLoadMoreEntries()).entries)
        site.fail(503)
        try:
            context.request(RequestLoadMoreEntries())
        except Failure as failure:
            print("more", failure.message.partition(": ")[2])


if __name__ == "__main__":
    main()
