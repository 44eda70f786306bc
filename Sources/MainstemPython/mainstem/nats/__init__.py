# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Beyond one process: journals and streams of NATS JetStream, and requests that others answer. See
mainstem/nats.h.

with nats.mirror("session.journal", to="nats://archive:4222", prefix="todo") as mirror:
    ...  # the program runs, and records to session.journal
    mirror.flush()

nats.fetch("session.journal", "nats://archive:4222", prefix="todo")  # on another machine

with nats.forward(context, RequestTotal, to="nats://shop:4222", prefix="shop"):
    total = context.request(RequestTotal(basket="7"))

with nats.import_stream(context, "todo", ["Moved"], to="nats://archive:4222", durable="board"):
    ...  # the context drains, and gets what others moved
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from .._library import LIBRARY_PATH, milliseconds_of
from .._library._spoken import spoken
from ..events._catalogue import ScopeLike
from ..failure import Status, encoded_path, status_of, told
from ..observers._calls import On, queue_of
from . import _header as d
from ._header import DECLARATIONS

if TYPE_CHECKING:
    from ..context._scope import Scope
    from ..servers._server import Layers


__all__ = [
    "Bridge",
    "BridgeStats",
    "Fetched",
    "fetch",
    "forward",
    "import_stream",
    "mirror",
    "serve",
]


# The bridge's library: MAINSTEM_NATS_LIBRARY, or beside this package or libmainstem ---------------

NAME = "libmainstem_nats.so"

FUNCTIONS = [name for name, _, _ in DECLARATIONS]


def candidates() -> List[str]:
    """The places to look in, in order."""
    chosen = os.environ.get("MAINSTEM_NATS_LIBRARY")
    if chosen:
        return [chosen]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = [os.path.join(package, NAME)]
    if os.path.isabs(LIBRARY_PATH):
        beside.append(os.path.join(os.path.dirname(LIBRARY_PATH), NAME))
    return [*beside, f"{NAME}.0"]


def load() -> ctypes.CDLL:
    """Loads the library with its functions declared, or raises an ImportError."""
    failures = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            failures.append(f"  {path} ({error})")
            continue
        for name, result, arguments in DECLARATIONS:
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(
        f"mainstem.nats: {NAME} was not found. It is built with -DMAINSTEM_BUILD_NATS=ON. Looked "
        "at:\n" + "\n".join(failures)
    )


C = load()


# Bridges: how one does, flush, close, and options (mainstem/nats_bridge.h) ------------------------

Path = Union[str, bytes, "os.PathLike[str]"]

_STATES = {d.WAITING: "waiting", d.RUNNING: "running", d.STOPPED: "stopped"}


class BridgeStats(NamedTuple):
    """How a bridge does (mainstem_nats_stats)."""

    #: "waiting" for a server that does its part, "running", or "stopped".
    state: str
    #: Status.OK while it runs; else why it waits or has stopped.
    status: int
    #: How often it began, with a new connection.
    begun: int
    #: The last position read.
    read: int
    #: The last position that the stream is known to have.
    done: int
    #: Entries that the server acknowledged, or requests answered; and the bytes of their data.
    entries: int
    bytes: int
    #: Payloads left out, because the server does not take so much.
    left_out: int
    #: Entries refused, or acknowledged as others; messages in the stream that only look like the
    #: journal's; answers that nobody waits for.
    refused: int
    #: Positions that a flight recorder removed before they were read; answers without a connection.
    lost: int
    #: Requests that have no answer yet.
    open: int
    #: Entries that were taken in already, and were left out.
    repeated: int
    #: The last thing that went wrong; may be empty.
    message: str


class Bridge:
    """A bridge that works. Used as a context manager, it is closed at the end."""

    __slots__ = ("_handle",)

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle

    @property
    def stats(self) -> BridgeStats:
        """How it does."""
        read = d.StatsStruct(size=ctypes.sizeof(d.StatsStruct))
        check(C.mainstem_nats_stats_read(self._handle, ctypes.byref(read)))
        fields = {field: getattr(read, field) for field in BridgeStats._fields}
        fields["state"] = _STATES[read.state]
        fields["status"] = status_of(read.status)
        fields["message"] = spoken(read.message.decode("utf-8", "replace"))
        return BridgeStats(**fields)

    def flush(self, timeout: Optional[float] = None) -> None:
        """Returns when all is done that there was to do at the call.

        Raises MainstemError with Status.TIMEOUT after so many seconds; with Status.BUSY for an
        import inside a callback, and for a bridge that has waited for 2 seconds for room in a
        queue of the program's; or with the status for which it has stopped.
        """
        limit = -1 if timeout is None else max(0, milliseconds_of(timeout))
        check(C.mainstem_nats_flush(self._handle, limit))

    def close(self) -> None:
        """Ends it; a second call does nothing."""
        status = C.mainstem_nats_close(self._handle)
        if status != Status.STALE:
            check(status)

    def __enter__(self) -> Bridge:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def options(
    to: str,
    *,
    name: Optional[str] = None,
    user: Optional[str] = None,
    password: Optional[str] = None,
    credentials: Optional[Path] = None,
    tls: bool = False,
    authorities: Optional[Path] = None,
    certificate: Optional[Path] = None,
    key: Optional[Path] = None,
    host: Optional[str] = None,
    **own: Any,
) -> d.Options:
    """The options of a connection to these servers; `own` are the fields of one call, as C has
    them."""
    made = d.Options(size=ctypes.sizeof(d.Options))
    made.flags = d.TLS if tls else 0
    texts = {"url": to, "name": name, "user": user, "password": password, "host": host}
    files = {"credentials": credentials, "authorities": authorities}
    files.update(certificate=certificate, key=key)
    for field, file in files.items():
        setattr(made, field, None if file is None else encoded_path(file, field))
    own.update(texts)
    for field, value in own.items():
        setattr(made, field, value.encode() if isinstance(value, str) else value)
    return made


def names(given: Sequence[str]) -> Any:
    """An array of names for C; None: there are none."""
    return (ctypes.c_char_p * len(given))(*(name.encode() for name in given)) if given else None


def check(status: int) -> None:
    """Raises what a call of the bridge returned, if it is a failure."""
    if status:
        message: bytes = C.mainstem_nats_last_error()
        raise told(status, message.decode("utf-8", "replace"))


# Mirrors (mainstem/nats_mirror.h) -----------------------------------------------------------------


def mirror(
    path: Path,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    stream: Optional[str] = None,
    layers: Sequence[str] = (),
    types: Sequence[str] = (),
    replicas: int = 0,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Begins to mirror a journal to a stream. Does not wait for the server.

    The arguments are the fields of mainstem_nats_options; `to` is its URL. `connection` may have
    name, user, password, credentials, tls, authorities, certificate, key and host.
    """
    own: Dict[str, Any] = {
        "prefix": prefix,
        "stream": stream,
        "replicas": replicas,
        "window": window,
    }
    own.update(layers=names(layers), layer_count=len(layers))
    own.update(types=names(types), type_count=len(types))
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **connection, **own))
    check(C.mainstem_nats_mirror(encoded_path(path), made, ctypes.byref(handle)))
    return Bridge(handle)


# A stream back to a journal (mainstem/nats_mirror.h) ----------------------------------------------


class Fetched(NamedTuple):
    """What `fetch` has made (mainstem_nats_fetch_report)."""

    #: Whether it is the journal itself, byte for byte; else it is what is left of it.
    is_whole: bool
    #: The journal's id.
    id: bytes
    #: Entries of the stream that are the journal's.
    entries: int
    #: How many events are in the new file, and, if it is whole, how many other records.
    events: int
    records: int
    #: The positions of the first event, 0 if there is none, and the last one.
    first: int
    last: int
    #: Payloads that the mirror left out.
    left_out: int
    #: Positions of which the stream has nothing.
    missing: int


def fetch(
    path: Path,
    source: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    stream: Optional[str] = None,
    journal: Optional[str] = None,
    timeout: Optional[float] = 10,
    **connection: Any,
) -> Fetched:
    """Makes a journal at `path` of what a stream has of it: see mainstem_nats_fetch.

    `source` is the servers' URL, `journal` the id as 32 digits, needed where the stream has several
    journals. The server may be silent for so many seconds. `connection` is as for `mirror`.
    """
    report = d.FetchReportStruct(size=ctypes.sizeof(d.FetchReportStruct))
    made = options(source, **connection, prefix=prefix, stream=stream)
    name = None if journal is None else journal.encode()
    limit = -1 if timeout is None else max(0, milliseconds_of(timeout))
    address = ctypes.byref(made), name, limit, ctypes.byref(report)
    check(C.mainstem_nats_fetch(encoded_path(path), *address))
    fields = {field: getattr(report, field) for field in Fetched._fields}
    fields.update(is_whole=bool(report.is_whole), id=bytes(report.id))
    return Fetched(**fields)


# Imports (mainstem/nats_import.h) -----------------------------------------------------------------

Types = Union[Sequence[str], Mapping[str, str]]


def import_stream(
    context: Scope,
    stream: str,
    types: Types,
    to: str = "nats://localhost:4222",
    *,
    journal: Optional[Path] = None,
    durable: Optional[str] = None,
    source: Optional[str] = None,
    scope: Optional[str] = None,
    sends: Layers = None,
    observes: Layers = None,
    observers: int = 0,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Begins to take entries of a stream into a context. Does not wait for the server.

    `types` are the names to take in, or what each is called here: {"Moved": "Remote.moved"}.
    `journal` is the context's own, if it is recorded; `durable` is needed if it is not. `sends`,
    `observes` and `observers` are the rights of the import's scope, as in `Scope.scope`. The other
    arguments are the fields of mainstem_nats_options; `connection` is as for `mirror`.
    """
    own: Dict[str, Any] = {"stream": stream, "durable": durable, "window": window}
    own.update(source=source, scope=scope, types=names(list(types)), type_count=len(types))
    if isinstance(types, Mapping):
        own["as_"] = names(list(types.values()))
    rights = context._rights(sends, observes, observers)
    own["rights"] = ctypes.pointer(rights)
    own["journal"] = None if journal is None else encoded_path(journal, "journal")
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **connection, **own))
    check(C.mainstem_nats_import(context.handle, made, ctypes.byref(handle)))
    return Bridge(handle)


# Requests across machines (mainstem/nats_requests.h) ----------------------------------------------

What = Union[str, type]


def forward(
    scope: ScopeLike,
    what: What,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    timeout: Optional[float] = None,
    window: int = 0,
    on: On = "host",
    **connection: Any,
) -> Bridge:
    """Lets requests of a type be answered elsewhere. Does not wait for the server.

    The arguments are the fields of mainstem_nats_options; `what` is the request's class or name,
    `to` the URL, `timeout` in seconds. `connection` is as in `mirror`.
    """
    own = _own(prefix, timeout, window)
    own["scheduler"] = queue_of(on, None, 0, 0).scheduler
    return _begin(C.mainstem_nats_forward, scope, what, to, {**connection, **own})


def serve(
    scope: ScopeLike,
    what: What,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    queue: Optional[str] = None,
    timeout: Optional[float] = None,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Lets others elsewhere ask for a type that this context answers. Like `forward`.

    `queue` names the group that shares the requests.
    """
    own = _own(prefix, timeout, window)
    own["queue"] = queue
    return _begin(C.mainstem_nats_serve, scope, what, to, {**connection, **own})


def _own(prefix: Optional[str], timeout: Optional[float], window: int) -> Dict[str, Any]:
    limit = 0 if timeout is None else max(1, milliseconds_of(timeout))
    return {"prefix": prefix, "timeout_ms": limit, "window": window}


def _begin(function: Any, scope: ScopeLike, what: What, to: str, fields: Dict[str, Any]) -> Bridge:
    catalogue = scope.context.catalogue
    name = what if isinstance(what, str) else catalogue.name_of(catalogue.number_of(what))
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **fields))
    check(function(scope.handle, name.encode(), made, ctypes.byref(handle)))
    return Bridge(handle)
