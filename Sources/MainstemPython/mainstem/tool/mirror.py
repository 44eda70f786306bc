# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mirror`: sends each event of a journal to a stream of NATS JetStream, behind the writer."""

from __future__ import annotations

import argparse
import signal
from typing import TYPE_CHECKING, Any

from .._escape import plain
from ..failure import MainstemError
from .connecting import add_connection, connection_of
from .reading import CLEAN, DAMAGED, UNREADABLE, count, say

if TYPE_CHECKING:
    from ..nats import Bridge, BridgeStats

_ENDING = {signal.SIGINT, signal.SIGTERM}


def add_mirror(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "mirror",
        help="each event, sent to a stream of NATS JetStream",
        description="Sends each event of PATH to a stream, behind the program that writes it, "
        "until it is interrupted. Run again, it goes on behind the last event that the stream has. "
        "A password is taken from the variable MAINSTEM_NATS_PASSWORD. Exit status: 0 interrupted, "
        "or with --once everything is there; 1 the journal is damaged, or the stream has another "
        "event; 2 not begun.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument("--to", metavar="URL", required=True, help="the servers: nats://host:4222,…")
    own.add_argument(
        "--once", action="store_true", help="end when the stream has what is there now"
    )
    own.add_argument("--prefix", help="how subjects begin (the file's name up to its first dot)")
    own.add_argument("--stream", help="the stream (the prefix, with _ for each dot)")
    own.add_argument("--replicas", type=int, default=1, help="of a stream that it makes (1)")
    own.add_argument(
        "--layer", action="append", default=[], help="only this layer, and others given"
    )
    own.add_argument("--type", action="append", default=[], help="only this type, and others given")
    add_connection(own)
    own.set_defaults(run=run_mirror)


def run_mirror(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    try:
        from .. import nats
    except ImportError as error:
        say(plain(str(error).splitlines()[0]))
        return UNREADABLE
    options = connection_of(chosen)
    options.update({name: getattr(chosen, name) for name in ("prefix", "stream", "replicas")})
    options.update(layers=chosen.layer, types=chosen.type)
    # The thread of the mirror leaves them blocked, so that this one gets them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        with nats.mirror(chosen.path, chosen.to, **options) as mirror:
            return _watch(mirror, chosen)
    except MainstemError as error:
        say(plain(error.message))
        return UNREADABLE


def _watch(mirror: Bridge, chosen: argparse.Namespace) -> int:
    """Says what changes, until the end."""
    said = ("running", "")
    while True:
        is_done = chosen.once and _is_flushed(mirror)
        ended = is_done or signal.sigtimedwait(_ENDING, 0 if chosen.once else 0.5)
        stats = mirror.stats
        now = (stats.state, stats.message)
        if now != said:
            what = ": ".join(now)
            if stats.state == "running":
                what = stats.message if stats.message != said[1] else stats.state
            say(plain(f"{chosen.path}: {what}"))
        said = now
        if ended or stats.state == "stopped":
            return _end(chosen, stats)


def _is_flushed(mirror: Bridge) -> bool:
    try:
        mirror.flush(0.5)
    except MainstemError:
        return False
    return True


def _end(chosen: argparse.Namespace, stats: BridgeStats) -> int:
    left_out = f", {count(stats.left_out, 'payload')} left out" if stats.left_out else ""
    lost = f", {count(stats.lost, 'position')} lost" if stats.lost else ""
    sent = count(stats.entries, "event")
    print(f"{plain(chosen.path)}: {sent} sent, up to position {stats.done}{left_out}{lost}")
    return DAMAGED if stats.state == "stopped" else CLEAN
