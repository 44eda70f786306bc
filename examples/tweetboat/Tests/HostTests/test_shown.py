# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""R-002: views see what the tables say. The model has more, and that does not leave the core."""

from __future__ import annotations

from typing import Any, Dict, List, Set

import pytest
from boats import Http, Lookup, Profile, TweetCell, add_pictures, install, mainstem, serve
from mainstem import MainstemError, Status

#: What each view model shows, in the names of the stream.
SHOWN: Dict[str, Set[str]] = {
    "Lookup": {
        *("username", "isUsernameValid", "goAlpha", "isLoading", "avatar", "fullName"),
        *("cells", "canLoadMore", "loadingRow", "pictureProblem"),
    },
    "TweetCell": {"avatar", "author", "text", "picture", "pictureAbout", "pictureProblem"},
    "Profile": {"avatar", "fullName", "name", "about", "followers", "pictureProblem"},
}


def is_command(kind: str) -> bool:
    return kind.split(".")[1] in ("go", "loadMore", "profile", "appear", "disappear")


def test_a_view_sees_what_the_tables_say_and_nothing_of_the_model() -> None:
    seen: List[Any] = []
    with serve() as site, mainstem.Context() as context:
        pictures = install(context)
        context.install(Http(), on="host")
        add_pictures(context, pictures)
        window = context.scope("Window", sends="view", observes=["view", "viewmodel"])
        window.observe(seen.append)
        number = context.scope("Screen").open_instance("Lookup", site.url(""))
        lookup = mainstem.view(window, Lookup, context.find_scope(number))
        lookup.username = "jack"
        lookup.go()
        while context.request_count() or context.drain():
            context.wait(10)
        cell = mainstem.view(window, TweetCell, context.find_scope(lookup.cells[3]))
        assert (cell.author, cell.text) == ("Mary Wolf", "Lamp lit at 17:04. Go home, everybody.")
        before = len(seen)
        profile = mainstem.open_child(cell, "profile").result()
        mainstem.view(window, Profile, context.find_scope(profile))
        refused = []
        for kind in ("RequestFetchTimeline", "ResponseTimeline", "RequestHttp", "RequestPicture"):
            with pytest.raises(MainstemError) as error:
                window.observe(kind, print)
            refused.append(error.value.status)
        assert refused == [Status.DENIED] * 4

    shown: Dict[str, Set[str]] = {owner: set() for owner in SHOWN}
    for event in seen:
        owner, _, name = event.name.partition(".")
        if owner in SHOWN and not is_command(event.name):
            shown[owner].add(name)
    assert shown == SHOWN
    # Who follows her, what she does, and where her picture is: of her tweet nothing says it.
    model = (b"3377", b"Counts ships", b"/avatar/mary", b"@mary")
    assert not [event for event in seen[:before] if any(word in event.data for word in model)]
    assert any(b"Counts ships" in event.data for event in seen[before:])
