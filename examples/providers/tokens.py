#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A site whose tokens expire: a gate before the provider, and a session that opens it.

Views request news. While nobody is signed in, their requests wait. When the site no longer takes
the token, the gate requests one refresh, whatever waits, and each request is made once more. The
tokens never leave the provider. Run it with: python3 tokens.py
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List

import mainstem
from http_provider import REFUSED, Call, ResponseHttp
from http_site import Site
from mainstem import Failure, Request, Response

#: The site does not take the token; nobody is signed in.
EXPIRED, SIGNED_OUT = 1401, 1402


@mainstem.event
class ResponseNews(Response):
    text: str


@mainstem.event
class RequestNews(Request[ResponseNews]):
    """What views request."""

    page: int


@mainstem.event
class RequestSiteNews(Request[ResponseNews]):
    """What the gate makes of it, for the provider."""

    page: int


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseDone]):
    name: str
    password: str


@mainstem.event
class RequestRefresh(Request[ResponseDone]):
    """What the gate requests after an answer with EXPIRED."""


@mainstem.event(secret=True)
class RequestSiteSignIn(Request[ResponseDone]):
    name: str
    password: str


@mainstem.event
class RequestSiteRefresh(Request[ResponseDone]):
    pass


class Session(mainstem.ViewModel):
    """Whether somebody is signed in. It opens the gate."""

    signed_in: bool = mainstem.shown(False)

    @mainstem.handles(RequestSignIn)
    def sign_in(self, request: RequestSignIn) -> Any:
        return self._pass_on(request, RequestSiteSignIn(request.name, request.password), True)

    @mainstem.handles(RequestRefresh)
    def refresh(self, request: RequestRefresh) -> Any:
        return self._pass_on(request, RequestSiteRefresh(), False)

    def _pass_on(self, request: Any, to_site: Request[ResponseDone], signs_in: bool) -> Any:
        """Passes a request on. If a refresh fails, the gate is closed before it is answered."""
        kept = request.retain()

        def done(answer: ResponseDone) -> None:
            self.signed_in = True
            kept.respond(ResponseDone())

        def lost(failure: Failure) -> None:
            self.signed_in = self.signed_in and signs_in
            kept.respond(Failure(failure.message, code=SIGNED_OUT))

        self.request(to_site, then=done, failed=lost)
        return mainstem.LATER


class Account:
    """The provider: it has the tokens."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.token = self.refresh_token = ""

    @mainstem.handles(RequestSiteNews)
    def news(self, request: RequestSiteNews) -> Any:
        form = {"page": str(request.page), "token": self.token}
        return self._post(request, "/news", form, lambda said: ResponseNews(said["text"]))

    @mainstem.handles(RequestSiteSignIn)
    def sign_in(self, request: RequestSiteSignIn) -> Any:
        form = {"name": request.name, "password": request.password}
        return self._post(request, "/signin", form, self._keep)

    @mainstem.handles(RequestSiteRefresh)
    def refresh(self, request: RequestSiteRefresh) -> Any:
        return self._post(request, "/refresh", {"token": self.refresh_token}, self._keep)

    def _keep(self, said: Dict[str, str]) -> ResponseDone:
        self.token, self.refresh_token = said["token"], said["refresh"]
        return ResponseDone()

    def _post(
        self, request: Any, path: str, form: Dict[str, str], read: Callable[[Any], Response]
    ) -> Any:
        """Posts on a thread of its own; what the site says is read there."""

        def answered(answer: Any) -> Any:
            if isinstance(answer, ResponseHttp):
                return read(json.loads(answer.body))
            is_expired = answer.code == REFUSED and answer.subject == "401"
            return Failure("the site refuses the token", code=EXPIRED) if is_expired else answer

        return Call(self.site + path, form, 10.0, request.retain(), answered).begin(request)


def install(context: mainstem.Context, site: str) -> None:
    """Adds the session, the gate and the provider. In a replay the provider is not called."""
    context.install(Account(site), on="host")
    context.open(Session())
    context.gate(
        "Gate",
        {RequestNews: RequestSiteNews},
        open="Session.signedIn",
        refresh=RequestRefresh,
        expired=EXPIRED,
    )


class Pages:
    """The site of the example: its tokens can expire at any time."""

    def __init__(self) -> None:
        self.tokens = 0
        self.is_locked = False

    def expire(self) -> None:
        self.tokens += 1

    def news(self, said: Dict[str, str]) -> Any:
        if said["token"] != f"token {self.tokens}":
            raise PermissionError
        return {"text": f"page {said['page']}"}

    def sign_in(self, said: Dict[str, str]) -> Any:
        if self.is_locked or said.get("password", "secret") != "secret":
            raise PermissionError
        return {"token": f"token {self.tokens}", "refresh": "refresh"}

    def serve(self) -> Site:
        pages = {"/news": self.news, "/signin": self.sign_in, "/refresh": self.sign_in}
        return Site(pages)


def main() -> None:
    pages = Pages()
    with pages.serve() as site, mainstem.Context() as context:
        install(context, site.url(""))
        waiting: List[ResponseNews] = []
        context.request(RequestNews(1), then=waiting.append)
        print("signing in")
        context.request(RequestSignIn("Ada", "secret"))
        while not waiting:
            context.wait()
        print(waiting[0].text)
        print(context.request(RequestNews(2)).text)
        pages.expire()
        print(context.request(RequestNews(3)).text)
        print(" ".join(site.asked))


if __name__ == "__main__":
    main()
