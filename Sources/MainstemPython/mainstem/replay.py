# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Replay: a journal is fed back to a context, to look at it again or to prove it."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Tuple, cast

from . import _callbacks
from . import _declarations as d
from ._declarations import C
from .failure import MainstemError, check
from .received import Event
from .recording import Path
from .secret import asking
from .status import Status

if TYPE_CHECKING:
    from .context import Context

_FIELDS = (
    "",
    "missing",
    "surplus",
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
    """How far a replay is (mainstem_replay_info_read)."""

    #: Whether all that the journal has was fed.
    ended: bool
    #: Whether the journal was closed; else it ends where its process ended.
    whole: bool
    #: The first position that is fed, and the last one.
    first: int
    last: int
    #: The last one accepted.
    position: int
    #: Events that were fed.
    fed: int
    #: Events that callbacks sent, and that are as in the journal.
    same: int
    #: Sends and answers that were left out.
    left_out: int
    #: Up to here all is proven.
    proves_until: int
    #: To verify: of all events so far; 0 where a payload was not kept.
    digest: int
    #: Of the random numbers.
    seed: int
    #: Of the last event, in nanoseconds since 1970.
    time: int
    #: Secrets that the host knew.
    supplied: int


class Difference(NamedTuple):
    """The first place where what happened is not what the journal has."""

    position: int
    #: "missing", "surplus", "type", "origin", "cause", "correlation", "answers", "flags", "status",
    #: "payload" or "digest".
    field: str
    #: The first byte of the payload that differs.
    offset: int
    sentence: str
    #: What the journal has, and what happened; None where there is nothing.
    expected: Optional[Event]
    actual: Optional[Event]
    #: Positions from its cause back to the outside event.
    chain: Tuple[int, ...]


class Different(MainstemError):
    """Something else happened than the journal has. Its status is DIFFERENT."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(Status.DIFFERENT, difference.sentence)
        self.difference = difference


class Replay:
    """A journal that is fed to a context: made by `Context.replay`, ended by `close` or `with`.

    Nothing is fed until `step`, `seek` or `to_end`; after `run` it goes on by itself, as the
    context is drained.
    """

    __slots__ = ("_context", "_handle")

    def __init__(self, context: "Context", path: Path, verify: bool, session: int) -> None:
        options = d.ReplayOptions()
        check(C.mainstem_replay_options_init(ctypes.byref(options), ctypes.sizeof(options)))
        options.mode = d.REPLAY_VERIFY if verify else d.REPLAY_MUTED
        options.session = session
        handle = ctypes.c_void_p()
        check(
            C.mainstem_replay_open(
                context.handle, os.fsencode(path), ctypes.byref(options), ctypes.byref(handle)
            )
        )
        self._context = context
        self._handle = handle.value

    def step(self, count: int = 1) -> int:
        """Feeds so many events and delivers them; how many there were: fewer only at the end.

        To verify, one is one input. A difference is raised as Different, by all that feeds.
        """
        return self._step(count) if count > 0 else 0

    def to_end(self) -> int:
        """Feeds all that are left; how many there were."""
        return self._step(0)

    def seek(self, position: int) -> None:
        """Feeds all up to a position, and what comes of that. A replay goes forward only."""
        self._check(C.mainstem_replay_seek(self._handle, position))

    def run(self, speed: float = 1.0) -> None:
        """Lets it go on by itself whenever the context is drained: so many times as fast as it was.

        0 is as fast as it can.
        """
        self._check(C.mainstem_replay_run(self._handle, speed))

    def pause(self) -> None:
        """Stops it from going on by itself."""
        self._check(C.mainstem_replay_pause(self._handle))

    def on_secret(self, function: Optional[Callable[[Event], Any]]) -> None:
        """Asks a function what secrets carried, which a journal does not have; None: nobody.

        It gets each event before it is fed, with the status WITHHELD, and returns what that
        carried: an object of its class, bytes or text, a Failure of a failed response, or a Secret
        that says which request it answers; None where it does not know. To verify, what it says is
        an input like any other: what comes of it is compared, and `info.proves_until` goes on.
        """
        if function is None:
            check(C.mainstem_replay_on_secret(self._handle, d.EVENT_FN(), None, d.RELEASE_FN()))
            return
        number = _callbacks.keep(asking(self._context, self._handle, function))
        status = C.mainstem_replay_on_secret(
            self._handle, _callbacks.on_event, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    @property
    def info(self) -> ReplayInfo:
        """How far it is."""
        info = d.ReplayInfoStruct(size=ctypes.sizeof(d.ReplayInfoStruct))
        check(C.mainstem_replay_info_read(self._handle, ctypes.byref(info)))
        values = [getattr(info, name) for name in ReplayInfo._fields[2:]]
        ended, whole = info.flags & d.REPLAY_ENDED, info.flags & d.REPLAY_WHOLE
        return ReplayInfo(bool(ended), bool(whole), *values)

    @property
    def difference(self) -> Optional[Difference]:
        """The first difference; None: there is none so far."""
        found = d.ReplayDifferenceStruct(size=ctypes.sizeof(d.ReplayDifferenceStruct))
        check(C.mainstem_replay_difference_read(self._handle, ctypes.byref(found)))
        if found.field == d.DIFFERENCE_NONE:
            return None
        return Difference(
            found.position,
            _FIELDS[found.field],
            found.offset,
            found.sentence.decode("utf-8", "replace"),
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
    """What a context can do about replaying."""

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
        """Feeds a journal to this context, which has accepted nothing yet.

        Every event comes again and no handler is called; with `verify` only the inputs come, and
        what live servers send is compared. Open it before servers are installed. `session` is one
        of the journal's, from 1; 0 is all of them, or, to verify, the first. `secrets` is asked for
        what the journal withholds, as with `Replay.on_secret`.
        """
        replay = Replay(cast("Context", self), path, verify, session)
        if secrets is not None:
            replay.on_secret(secrets)
        return replay

    @property
    def replaying(self) -> bool:
        """Whether a journal is fed to it: then nothing is to be done outside the program."""
        replaying = ctypes.c_int()
        check(C.mainstem_context_replaying(self.handle, ctypes.byref(replaying)))
        return bool(replaying.value)
