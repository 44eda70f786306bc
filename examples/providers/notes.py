#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A service on a provider: notes that are kept in files.

A `reload` and an `update` change the names that it shows, a `fetch` does not. Run it with:
python3 notes.py
"""

from __future__ import annotations

import json
import tempfile
from typing import Any, Callable, List

import mainstem
from files_provider import Files, RequestListFiles, RequestReadFile, RequestWriteFile
from mainstem import Failure, Request, Response, Status


@mainstem.event
class ResponseNames(Response):
    names: List[str]


@mainstem.event
class ResponseNote(Response):
    text: str


@mainstem.event
class RequestFetchNote(Request[ResponseNote]):
    """One note, for whoever asks."""

    name: str


@mainstem.event
class RequestReloadNotes(Request[ResponseNames]):
    """The names, as they are on the disk."""


@mainstem.event
class RequestUpdateNote(Request[ResponseNames]):
    """Writes a note; answered when it is on the disk."""

    name: str
    text: str


class Notes:
    """The service."""

    def __init__(self) -> None:
        self.names: List[str] = []

    @mainstem.handles(RequestFetchNote, effect="fetch")
    def fetch(self, request: Any) -> Any:
        asked = RequestReadFile(request.name)
        return self._ask(request, asked, lambda file: ResponseNote(file.data.decode("utf-8")))

    @mainstem.handles(RequestReloadNotes, effect="reload")
    def reload(self, request: Any) -> Any:
        return self._ask(request, RequestListFiles(), lambda files: self._show(files.names))

    @mainstem.handles(RequestUpdateNote, effect="update")
    def update(self, request: Any) -> Any:
        name, data = request.name, request.text.encode("utf-8")
        asked = RequestWriteFile.of(name, data)
        return self._ask(request, asked, lambda _: self._show(sorted({*self.names, name})))

    @mainstem.show_function
    def show(self, server: Any) -> None:
        server.set("Notes.names", json.dumps(self.names))

    def _show(self, names: List[str]) -> ResponseNames:
        self.names = names
        return ResponseNames(names)

    def _ask(self, request: Any, question: Any, then: Callable[[Any], Any]) -> Any:
        """Asks the provider, and answers with what is made of its answer."""
        kept = request.retain()

        def lost(failure: Failure) -> None:
            if failure.code != Status.CANCELLED:  # Then nobody waits any more.
                kept.respond(failure)

        scope = request.event.scope
        asked = scope.request(question, then=lambda it: kept.respond(then(it)), failed=lost)
        request.on_settled(asked.cancel)
        return mainstem.LATER


def install(context: mainstem.Context, files: Files) -> None:
    """Adds what notes need. In a replay the provider is not called."""
    context.add_type("Notes.names", str, role="value")
    context.install(files, on="host")
    context.service(Notes, lambda request: Notes())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, mainstem.Context() as context:
        files = Files(folder)
        install(context, files)
        context.observe("Notes.names", lambda event: print("shows", event.text))
        print("reload", context.request(RequestReloadNotes()).names)
        print("update", context.request(RequestUpdateNote("today", "milk")).names)
        print("fetch", context.request(RequestFetchNote("today")).text)
        try:
            context.request(RequestFetchNote("yesterday"))
        except Failure as failure:
            print("fetch", failure.message)
        files.close()


if __name__ == "__main__":
    main()
