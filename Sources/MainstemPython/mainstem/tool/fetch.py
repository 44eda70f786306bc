# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`fetch`: makes a journal of what a stream of NATS JetStream has of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .._escape import plain
from ..failure import MainstemError
from .connecting import add_connection, connection_of
from .reading import CLEAN, DAMAGED, UNREADABLE, count, say

if TYPE_CHECKING:
    from ..nats import Fetched


def add_fetch(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "fetch",
        help="a journal, made of what a stream of NATS JetStream has of it",
        description="Makes the journal PATH of what a stream has, as `mirror` sent it: byte for "
        "byte if everything is there, else what is left, as `salvage` does. PATH must not exist "
        "yet. A password is taken from the variable MAINSTEM_NATS_PASSWORD. Exit status: 0 it is "
        "the journal itself; 1 something is missing; 2 nothing was written.",
    )
    own.add_argument("path", metavar="PATH", help="where to write it")
    own.add_argument(
        "--from",
        dest="source",
        metavar="URL",
        required=True,
        help="the servers: nats://host:4222,…",
    )
    own.add_argument(
        "--prefix",
        "--subject",
        type=_prefix,
        help="how subjects begin (the file's name up to its first dot)",
    )
    own.add_argument("--stream", help="the stream (the prefix, with _ for each dot)")
    own.add_argument("--journal", metavar="ID", help="which journal, if the stream has several")
    own.add_argument(
        "--wait", type=float, default=10, metavar="SECONDS", help="for a silent server (10)"
    )
    add_connection(own)
    own.set_defaults(run=run_fetch)


def _prefix(text: str) -> str:
    """A prefix, also where it is given as the subjects below it."""
    return text[:-2] if text.endswith(".>") else text


def run_fetch(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    try:
        from .. import nats
    except ImportError as error:
        say(plain(str(error).splitlines()[0]))
        return UNREADABLE
    options = connection_of(chosen)
    options.update({name: getattr(chosen, name) for name in ("prefix", "stream", "journal")})
    try:
        fetched = nats.fetch(chosen.path, chosen.source, timeout=chosen.wait, **options)
    except MainstemError as error:
        say(plain(error.message))
        return UNREADABLE
    print(f"{plain(chosen.path)}: {_told(fetched)}")
    return CLEAN if fetched.is_whole else DAMAGED


def _told(fetched: Fetched) -> str:
    events = count(fetched.events, "event")
    where = f", positions {fetched.first} to {fetched.last}" if fetched.events else ""
    if fetched.is_whole:
        return f"{events}{where}: the whole journal {fetched.id.hex()}"
    missing = f", {count(fetched.missing, 'position')} missing" if fetched.missing else ""
    left_out = f", {count(fetched.left_out, 'payload')} left out" if fetched.left_out else ""
    return f"{events}{where}{missing}{left_out}: what is left of journal {fetched.id.hex()}"
