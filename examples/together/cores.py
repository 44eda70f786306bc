# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The cores of the five apps: how they are installed in one context, each in a scope of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Sequence

EXAMPLES = Path(__file__).resolve().parents[1]
BUILT = Path(
    os.environ.get("TOGETHER_BUILD") or EXAMPLES.parent / "build" / "examples" / "examples"
)
FOLDERS = {"todostream": "todostream", "signin": "signin"}
APPS = ("todostream", "tweetboat", "signin", "dashboard", "diary")
for app in APPS:
    path = BUILT / FOLDERS.get(app, "together") / f"lib{app}.so"
    os.environ[f"{app.upper()}_LIBRARY"] = str(path)
    os.environ["MAINSTEM_LIBRARY"] = str(path)  # any of them: all use one libmainstem.so
sys.path += [str(EXAMPLES / app / "hosts") for app in APPS]
import core as signin  # noqa: E402
import dashboard_core as dashboard  # noqa: E402
import diary_app as diary  # noqa: E402
import lines  # noqa: E402
import mainstem  # noqa: E402
import todostream  # noqa: E402
import tweetboat  # noqa: E402
import verifier  # noqa: E402
from account import Account  # noqa: E402
from http_provider import Http  # noqa: E402
from verify_session import stand_ins  # noqa: E402

__all__ = ["APPS", "EXAMPLES", "PREFIX", "add_providers", "diary", "install", "lines", "mainstem"]
__all__ += ["open_count", "prove", "signin", "verifier"]

#: The diary has a URL and three names that other apps have, too: see diary_install_as in diary.h.
PREFIX = "diary-"
#: What providers and stores are asked; those of the diary are counted by the diary.
ASKED = {
    "todostream": ["RequestReadTodos", "RequestWriteTodo", "RequestPurgeTodo"],
    "tweetboat": ["RequestHttp", "RequestFetchPicture"],
    "signin": ["RequestLogIn", "RequestLogOut"],
    "dashboard": ["RequestHttp"],
    "diary": [],
}


def install(
    context: mainstem.Context, apps: Sequence[str] = APPS, folder: str = "/no/store"
) -> Dict[str, Any]:
    """Installs cores without their providers, and returns what a host needs of each.

    That is the scope of the app or, for todostream, what views are bound to; and the "pictures" of
    tweetboat. The navigator is the context's, not that of an app: the apps with routes share it.
    """
    mainstem.Navigator(context)
    cores: Dict[str, Callable[[mainstem.Scope], object]] = {
        "todostream": lambda scope: todostream.install(scope, f"{folder}/todo.sqlite"),
        "tweetboat": tweetboat.install,
        "signin": signin.install,
        "dashboard": dashboard.install,
        "diary": lambda scope: diary.install(scope, prefix=PREFIX),
    }
    scopes = {app: context.scope(app) for app in apps}
    owners = {app: cores[app](scope) or scope for app, scope in scopes.items()}
    if "tweetboat" in owners:
        owners.update(tweetboat=scopes["tweetboat"], pictures=owners["tweetboat"])
    return owners


def add_providers(context: mainstem.Context, owners: Dict[str, Any], folder: str) -> None:
    """Adds what the cores have from a host. A replay does without."""
    context.install(Http(), on="host")  # one for two apps
    context.install(Account(_at_once, context.now), on="host")
    if "pictures" in owners:
        tweetboat.add_pictures(context, owners["pictures"])
    if "diary" in owners:
        diary.add_store(context, f"{folder}/diary.sqlite", "2026-11-23")


def _at_once(call: Callable[[], None]) -> Callable[[], None]:
    call()
    return lambda: None


def open_count(context: mainstem.Context, apps: Sequence[str]) -> int:
    """How many requests providers and stores have not answered. 0: nothing more happens."""
    asked = [name for app in apps for name in ASKED[app]]
    count = sum(map(context.request_count, asked))
    return count + (diary.activity(context) if "diary" in apps else 0)


def prove(journal: str, session: int = 0, apps: Sequence[str] = APPS) -> mainstem.ReplayInfo:
    """Verifies a session: feeds what views, sites and stores have sent to the cores again."""
    context = mainstem.Context()
    with context, context.replay(journal, verify=True, session=session) as replay:
        install(context, apps)
        secrets = stand_ins(journal)
        replay.on_secret(lambda event: secrets.get(event.position))
        replay.to_end()
        return replay.info
