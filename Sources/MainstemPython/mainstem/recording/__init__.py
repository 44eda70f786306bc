# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording a session, and replaying it: to show it again, or to verify it."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, NamedTuple, Optional, Tuple, Union, cast

from .._library import C, _callbacks, _interrupts, whole
from .._library import _header as d
from .._library._interrupts import report_unraisable
from ..events._catalogue import ContextLike
from ..events._received import Event, error_of
from ..failure import (
    Failure,
    MainstemError,
    Status,
    check,
    discreet,
    encoded_path,
    refuse_async,
    status_of,
)
from ._journal import Journal, JournalInfo, RecordedEvent, Salvaged, salvage

__all__ = [
    "Difference",
    "Different",
    "Journal",
    "JournalInfo",
    "JournalStats",
    "RecordedEvent",
    "Replay",
    "ReplayInfo",
    "Salvaged",
    "Secret",
    "salvage",
]


# Recording: a context's journal while it is being written -----------------------------------------

Path = Union[str, bytes, "os.PathLike[str]"]

DURABILITIES = {
    "process": d.JOURNAL_PROCESS,
    "power": d.JOURNAL_POWER,
    "buffered": d.JOURNAL_BUFFERED,
}


class JournalStats(NamedTuple):
    """The counters of a context's journal (mainstem_journal_stats_read)."""

    #: OK, or why recording stopped.
    status: int
    #: The last position in the file.
    written: int
    #: The last position on the disk, as of the last sync.
    durable: int
    #: Events and bytes recorded by this context, and files begun by it.
    events: int
    bytes: int
    segments: int
    #: Bytes of an unfinished end, dropped on opening.
    torn: int


class Recording:
    """The part of a context that records its journal."""

    __slots__ = ()

    handle: int
    _is_recorded: bool

    def record(
        self,
        path: Path,
        *,
        durability: str = "process",
        new: bool = False,
        continue_unrecorded: bool = False,
        segment_size: int = 0,
        keep: int = 0,
    ) -> None:
        """Records the context: from here on, what it accepts is written to a file, then delivered.

        Call it once, before the first event. Recording ends when the context is closed. An existing
        journal is continued; with `new` it is refused. With durability "process" the record
        survives the end of the process, at "power" also a power cut, at "buffered" only an orderly
        end. With `segment_size`, a new file (PATH.000001 …) begins after that many bytes, and only
        the newest `keep` files are kept. If writing fails, the context stops; with
        `continue_unrecorded` it goes on unrecorded.
        """
        if durability not in DURABILITIES:
            raise TypeError(
                f"durability is one of {', '.join(map(repr, DURABILITIES))}, not {durability!r}"
            )
        options = d.JournalOptions(size=ctypes.sizeof(d.JournalOptions))
        options.durability = DURABILITIES[durability]
        options.flags = (d.JOURNAL_NEW if new else 0) | (
            d.JOURNAL_CONTINUE_UNRECORDED if continue_unrecorded else 0
        )
        options.segment_size = whole(segment_size, "segment_size")
        options.keep = whole(keep, "keep", (1 << 32) - 1)
        check(C.mainstem_journal_record(self.handle, encoded_path(path), ctypes.byref(options)))
        cast(Any, self)._is_recorded = True  # A slot of the context.

    @property
    def is_under_way(self) -> bool:
        """Whether this session is recorded and has begun: no replay knows of what is added now."""
        if not self._is_recorded:
            return False
        stats = self.journal_stats()
        return stats.status == Status.OK and stats.events > 0

    def sync_journal(self) -> None:
        """Returns when everything accepted before the call is on the disk, with any durability."""
        check(C.mainstem_journal_sync(self.handle))

    def on_durable(self, function: Optional[Callable[[int], Any]]) -> None:
        """Calls a function each time more has reached the disk, with the last position there.

        It runs on the thread that synced. None removes it.
        """
        if function is None:
            none = d.DURABLE_FN(), None, d.RELEASE_FN()
            check(C.mainstem_journal_on_durable(self.handle, *none))
            return
        refuse_async(function, "on_durable's function")
        number = _callbacks.keep(lambda position: _call(function, position))
        status = C.mainstem_journal_on_durable(
            self.handle, _callbacks.on_durable, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def journal_stats(self) -> JournalStats:
        """Reads the counters of its journal."""
        stats = d.JournalStatsStruct(size=ctypes.sizeof(d.JournalStatsStruct))
        check(C.mainstem_journal_stats_read(self.handle, ctypes.byref(stats)))
        values = [getattr(stats, name) for name in JournalStats._fields]
        return JournalStats(status_of(values[0]), *values[1:])


def _call(function: Callable[[int], Any], position: int) -> None:
    try:
        function(position)
    except BaseException as exception:
        if not _interrupts.keep(exception):
            report_unraisable(exception, function)


# What secrets carried: a replay asks for it, since a journal does not keep it ---------------------


class Secret(NamedTuple):
    """What a secret carried, for a response that must name its request."""

    #: An object of the event's class, bytes or text; for a failed response, a Failure.
    value: Any
    #: The position of the request it answers; 0: the oldest open request with that response type.
    answers: int = 0


def asking(context: ContextLike, replay: Optional[int], function: Callable[[Event], Any]) -> Any:
    """Makes the callback that asks a function about a secret, and supplies what it returns."""

    def ask(address: int) -> None:
        event = Event(context, address)
        thrown = context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            known = function(event)
            if known is not None:
                supply(context, replay, event, known)
        except BaseException as exception:
            thrown.report(exception, event)
        finally:
            thrown.leave(depth)
            event._address = 0

    return ask


@discreet
def supply(context: ContextLike, replay: Optional[int], event: Event, known: Any) -> None:
    """Supplies what an event carried."""
    value, answers = known if isinstance(known, Secret) else (known, 0)
    secret = d.SecretStruct(size=ctypes.sizeof(d.SecretStruct), answers=answers)
    if isinstance(value, Failure):
        secret.error = ctypes.pointer(error_of(value))
    else:
        data = context.catalogue.encode(event.type, value)
        secret.data, secret.data_size = data, len(data)
    check(C.mainstem_replay_supply(replay, ctypes.byref(secret)))


# Replaying ----------------------------------------------------------------------------------------

_FIELDS = (
    "",
    "missing",
    "extra",
    "type",
    "origin",
    "cause",
    "correlation",
    "answers",
    "flags",
    "status",
    "payload",
    "digest",
)


class ReplayInfo(NamedTuple):
    """The state of a replay (mainstem_replay_info)."""

    #: Whether everything in the journal was fed.
    ended: bool
    #: Whether the journal was closed; otherwise it ends where its process ended.
    whole: bool
    #: The first and the last position to be fed.
    first: int
    last: int
    #: The last position accepted.
    position: int
    #: Events fed.
    fed: int
    #: Events sent by callbacks that match the journal.
    matched: int
    #: Sends and answers left out.
    left_out: int
    #: Proven up to here; then a payload was not kept, or it differs.
    verified_until: int
    #: With verify: the digest of all events so far; 0 if a payload was not kept.
    digest: int
    #: The seed of the random numbers.
    seed: int
    #: The time of the last event, in nanoseconds since 1970.
    time: int
    #: Secrets the host supplied: see `Replay.on_secret`.
    supplied: int


class Difference(NamedTuple):
    """The first difference between a replay and its journal."""

    position: int
    #: "missing", "extra", "type", "origin", "cause", "correlation", "answers", "flags", "status",
    #: "payload" or "digest".
    field: str
    #: The first payload byte that differs.
    offset: int
    message: str
    #: What the journal has, and what happened; None if there is no such event.
    expected: Optional[Event]
    actual: Optional[Event]
    #: Positions from its cause back to the outside event.
    chain: Tuple[int, ...]


class Different(MainstemError):
    """The outcome of a replay differs from the journal. Its status is DIFFERENT."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(Status.DIFFERENT, difference.message)
        self.difference = difference


class Replay:
    """A journal being fed to a context: made by `Context.replay`, ended by `close` or `with`.

    Nothing is fed until `step`, `seek` or `to_end`. After `run` it runs by itself: each drain feeds
    what is due.
    """

    __slots__ = ("_context", "_handle")

    def __init__(self, context: ContextLike, path: Path, verify: bool, session: int) -> None:
        options = d.ReplayOptions(size=ctypes.sizeof(d.ReplayOptions))
        options.mode = d.REPLAY_VERIFY if verify else d.REPLAY_MUTED
        options.session = whole(session, "session")
        handle = ctypes.c_void_p()
        check(
            C.mainstem_replay_open(
                context.handle, encoded_path(path), ctypes.byref(options), ctypes.byref(handle)
            )
        )
        self._context = context
        self._handle: Optional[int] = handle.value

    def step(self, count: int = 1) -> int:
        """Feeds `count` events and returns how many were fed: fewer only at the end.

        Each one, and everything it causes, is delivered before the next. With verify, only inputs
        count. Every call that feeds raises Different if something differs.
        """
        return self._step(whole(count, "count")) if count > 0 else 0

    def to_end(self) -> int:
        """Feeds all events that are left, and returns how many were fed."""
        return self._step(0)

    def seek(self, position: int) -> None:
        """Feeds everything up to a position, and delivers what it causes. It only goes forward."""
        self._check(C.mainstem_replay_seek(self._handle, whole(position, "position")))

    def run(self, speed: float = 1.0) -> None:
        """Lets the replay run by itself: from now on each drain feeds what is due.

        `speed` is a factor: 1 is the original speed, 0 as fast as possible.
        """
        self._check(C.mainstem_replay_run(self._handle, speed))

    def pause(self) -> None:
        """Stops what `run` started."""
        self._check(C.mainstem_replay_pause(self._handle))

    def on_secret(self, function: Optional[Callable[[Event], Any]]) -> None:
        """Asks a function for the payloads of secrets, which a journal does not have.

        The function gets each withheld event, with the status WITHHELD, before it is fed. It
        returns what the event carried: an object of its class, bytes or text, a Failure for a
        failed response, or a Secret that says which request it answers; None if it does not know.
        With verify, a supplied secret is an input like any other: what it causes is compared, and
        `info.verified_until` goes on past it. If `function` is None, nobody is asked any more.
        """
        if function is None:
            check(C.mainstem_replay_on_secret(self._handle, d.EVENT_FN(), None, d.RELEASE_FN()))
            return
        refuse_async(function, "on_secret's function")
        number = _callbacks.keep(asking(self._context, self._handle, function))
        status = C.mainstem_replay_on_secret(
            self._handle, _callbacks.on_event, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    @property
    def info(self) -> ReplayInfo:
        """How far the replay is."""
        info = d.ReplayInfoStruct(size=ctypes.sizeof(d.ReplayInfoStruct))
        check(C.mainstem_replay_info_read(self._handle, ctypes.byref(info)))
        values = [getattr(info, name) for name in ReplayInfo._fields[2:]]
        ended, whole = info.flags & d.REPLAY_ENDED, info.flags & d.REPLAY_WHOLE
        return ReplayInfo(bool(ended), bool(whole), *values)

    @property
    def difference(self) -> Optional[Difference]:
        """The first difference; None if there is none so far."""
        found = d.ReplayDifferenceStruct(size=ctypes.sizeof(d.ReplayDifferenceStruct))
        check(C.mainstem_replay_difference_read(self._handle, ctypes.byref(found)))
        if found.field == d.DIFFERENCE_NONE:
            return None
        return Difference(
            found.position,
            _FIELDS[found.field],
            found.offset,
            found.message.decode("utf-8", "replace"),
            self._event(found.expected),
            self._event(found.actual),
            tuple(found.chain[: found.chain_count]),
        )

    def close(self) -> None:
        """Ends the replay: the context goes on from there like any other."""
        handle, self._handle = self._handle, None
        check(C.mainstem_replay_close(handle))

    def __enter__(self) -> "Replay":
        return self

    def __exit__(self, *exception: object) -> None:
        if not self._context.closed:
            self.close()

    def _step(self, count: int) -> int:
        fed = ctypes.c_uint64()
        self._check(C.mainstem_replay_step(self._handle, count, ctypes.byref(fed)))
        return fed.value

    def _check(self, status: int) -> None:
        if status == Status.DIFFERENT:
            difference = self.difference
            if difference is not None:
                raise Different(difference)
        check(status)
        self._context.thrown.raise_caught()

    def _event(self, address: Optional[int]) -> Optional[Event]:
        if not address:
            return None
        event = Event(self._context, address)
        event._address = 0
        return event


class Replaying:
    """The part of a context that replays journals."""

    __slots__ = ()

    handle: int

    def replay(
        self,
        path: Path,
        *,
        verify: bool = False,
        session: int = 0,
        secrets: Optional[Callable[[Event], Any]] = None,
    ) -> Replay:
        """Opens a journal to feed it to this context, which must not have accepted anything yet.

        Every event comes again and no handler is called. With `verify`, only the inputs come again,
        and what live servers send is compared with the journal. Install servers and observers
        afterwards. `session` is a session of the journal, from 1; 0: all of them; with `verify`,
        the newest. `secrets` is asked for the payloads of secrets, like `Replay.on_secret`.
        """
        replay = Replay(cast(ContextLike, self), path, verify, session)
        if secrets is not None:
            replay.on_secret(secrets)
        return replay

    @property
    def replaying(self) -> bool:
        """Whether the context is replaying. If so, do nothing outside the program."""
        replaying = ctypes.c_int()
        check(C.mainstem_context_is_replaying(self.handle, ctypes.byref(replaying)))
        return bool(replaying.value)
