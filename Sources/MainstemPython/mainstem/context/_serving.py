# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a scope that asks and answers."""

from __future__ import annotations

import ctypes
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Mapping,
    Optional,
    Sequence,
    Type,
    Union,
    cast,
    overload,
)

from .._library import C, whole
from .._library import _header as d
from ..events._declaration import Request, Value
from ..failure import Failure, check, empty, refuse_async
from ..observers._calls import On, Policy, queue_of
from ..observers._subscription import Decorator
from ..servers._requests import Pending
from ..servers._resources import Resources
from ..servers._server import Handler, Show, Table, handlers_of, show_of
from ..servers._workflow import Step, UndoLog, Workflow, WorkflowRun

if TYPE_CHECKING:
    from typing import Coroutine

    from typing_extensions import Unpack

    from ..events._payload import Data
    from ..events._received import Event
    from ..servers._server import Answered, Asked, Kind, Later, NotAwaited, Patience, Place, Serving
    from ._context import Context
    from ._scope import Scope

__all__ = ["Asking"]

_MOST_CODE = (1 << 31) - 1


class Asking:
    """The part of a scope that asks and answers."""

    __slots__ = ()

    context: "Context"
    handle: int

    # Handlers

    @overload
    def serve(
        self,
        what: Kind[Asked, Answered],
        handler: None = None,
        *,
        name: str = "",
        own: bool = False,
        several: bool = False,
        **place: Unpack[Place],
    ) -> Serving[Asked, Answered]: ...
    @overload
    def serve(
        self,
        what: Kind[Asked, Answered],
        handler: Callable[
            [Asked], Union[Answered, Later, Coroutine[Any, Any, Union[Answered, Later]]]
        ],
        *,
        name: str = "",
        own: bool = False,
        several: bool = False,
        **place: Unpack[Place],
    ) -> Scope: ...
    @overload
    def serve(
        self,
        what: str,
        handler: None = None,
        *,
        name: str = "",
        own: bool = False,
        several: bool = False,
        **place: Unpack[Place],
    ) -> Serving[Event, Any]: ...
    @overload
    def serve(
        self,
        what: str,
        handler: Callable[[Event], Any],
        *,
        name: str = "",
        own: bool = False,
        several: bool = False,
        **place: Unpack[Place],
    ) -> Scope: ...
    def serve(
        self,
        what: Any,
        handler: Optional[Handler] = None,
        *,
        name: str = "",
        own: bool = False,
        several: bool = False,
        on: On = None,
        policy: Optional[Policy] = None,
        limit: int = 0,
        limit_bytes: int = 0,
    ) -> Any:
        """Adds a server with one handler: a decorator, or with a handler, the server.

        What the handler returns is the answer; a Failure it raises is the error response. The
        handler of a class gets its objects, that of a name gets Events. The server's name is
        `name`, or the function's. With `own`, the handler gets only what is sent through the
        server. `several`, `on` and what follows it are as for `server`.
        """
        options: Dict[str, Any] = {
            "several": several,
            "on": on,
            "policy": policy,
            "limit": limit,
            "limit_bytes": limit_bytes,
        }

        def add(handler: Handler) -> "Scope":
            table = {what: handler}
            plain, owned = ({}, table) if own else (table, {})
            return self.server(name or handler.__name__, plain, own=owned, **options)

        if handler is not None:
            return add(handler)

        if callable(what) and not isinstance(what, type):
            raise TypeError("serve: say what is served: @context.serve(RequestGreet)")

        def decorate(handler: Handler) -> Handler:
            add(handler)
            return handler

        return Decorator(decorate, "serve")

    def server(
        self,
        name: str,
        handlers: Mapping[Union[Type[Request[Any]], str], Handler],
        *,
        own: Optional[Mapping[Union[Type[Any], str], Handler]] = None,
        show: Optional[Show] = None,
        several: bool = False,
        on: On = None,
        policy: Optional[Policy] = None,
        limit: int = 0,
        limit_bytes: int = 0,
    ) -> "Scope":
        """Adds a server: a scope with a table from event classes, or type names, to handlers.

        The handlers of the table `own` get only what is sent through the server itself: requests
        to it, and its own timers. They come after those of every scope.

        `show` says what the server shows (law 14). It gets the server's scope, sets values and
        sends notices. It runs once for each event that the server got, after all observers of
        that event, and before the handlers' answers arrive. The first time it runs before the next
        event, or after the event of the callback that adds the server. A send without room raises
        FULL; let it pass, and `show` is called again.

        A request has one handler: another server that handles one, too, is refused. With `several`
        in both, both run, and the first answer counts.

        `on` says where the handlers run: "immediate", at once (the default); "host", inside `drain`
        and `wait`, or in the running loop; or a scheduler from `Context.serial`, on its thread, so
        that a slow disk or network holds up no other event. On a scheduler, what they answer and
        send are inputs: a replay does not call them. At most `limit` events and `limit_bytes` of
        payload wait for each handler (default 65,536 and 64 MiB). When that is full, the `policy`
        decides: "reject" refuses a request, "block" makes its sender wait.
        """
        queue = queue_of(on, policy, limit, limit_bytes)
        refuse_async(show, "show=")

        def child(handle: int) -> "Scope":
            return self._child(handle, name)

        table = Table(self, handlers, self._in_loop, queue, own or {}, show, child, several)

        def install() -> "Scope":
            return cast("Scope", table.server(table.add(name)))

        return cast("Scope", self.context._installed(install))

    def _become(self, instance: object) -> None:
        """Makes the scope itself the server that an object with marked methods describes."""
        scope, (handlers, own) = cast("Scope", self), handlers_of(instance)
        show = show_of(instance)
        refuse_async(show, "show=")
        table = Table(self, handlers, self._in_loop, queue_of(), own, show, lambda _: scope)
        table.server(table.add(None))

    def install(
        self,
        instance: object,
        *,
        name: str = "",
        several: bool = False,
        on: On = None,
        policy: Optional[Policy] = None,
        limit: int = 0,
        limit_bytes: int = 0,
    ) -> "Scope":
        """Adds a server from an object whose methods are marked with `mainstem.handles`.

        A method marked with `mainstem.show_function` is the server's `show`. `several`, `on` and
        what follows it are as for `server`.
        """
        handlers, own = handlers_of(instance)
        return self.server(
            name or type(instance).__name__,
            handlers,
            own=own,
            show=show_of(instance),
            several=several,
            on=on,
            policy=policy,
            limit=limit,
            limit_bytes=limit_bytes,
        )

    def gate(
        self,
        name: str,
        requests: Mapping[Union[Type[Request[Any]], str], Union[Type[Request[Any]], str]],
        *,
        open: Union[Type[Value], str],
        refresh: Union[Type[Request[Any]], str, None] = None,
        expired: int = 0,
        refusal: int = 0,
        limit: int = 0,
    ) -> "Scope":
        """Adds a gate: a server that passes requests on while a value is true.

        Each request of `requests` is passed on as the one it maps to, with the same payload; its
        progress and its answer come back. While the value `open` is false, or not set, requests
        wait in their order; with `refusal`, they fail with this code. An answer with the code
        `expired` makes the gate request `refresh`, once for all that wait for it. When that
        succeeds, each is passed on once more; when it fails, they fail with its error. The gate
        keeps at most `limit` open requests (default 1,024); more of them fail with FULL.
        """
        name_of, number_of = self.context.catalogue.name_of, self.context.catalogue.number_of

        def encoded(what: Any) -> bytes:
            return name_of(number_of(what)).encode()

        rows = (d.GateRow * len(requests))(
            *(d.GateRow(encoded(asked), encoded(behind)) for asked, behind in requests.items())
        )
        options = d.GateOptions(
            ctypes.sizeof(d.GateOptions),
            whole(refusal, "refusal", _MOST_CODE),
            whole(expired, "expired", _MOST_CODE),
            open=encoded(open),
            refresh=None if refresh is None else encoded(refresh),
            limit=whole(limit, "limit"),
        )
        gate = ctypes.c_void_p()

        def install() -> "Scope":
            status = C.mainstem_gate_add(
                self.handle,
                name.encode(),
                rows,
                ctypes.sizeof(d.GateRow),
                len(rows),
                ctypes.byref(options),
                ctypes.byref(gate),
            )
            check(status)
            return self._child(gate.value or 0, name)

        return cast("Scope", self.context._installed(install))

    def workflow(
        self,
        name: str,
        request: Union[Type[Request[Any]], str],
        steps: Sequence[Step],
        *,
        finish: Optional[Callable[[WorkflowRun], Any]] = None,
        limit: int = 0,
    ) -> "Scope":
        """Adds a workflow: a server that handles a request by requesting its steps in order.

            context.workflow("Booking", RequestBook, [
                Step(RequestFlight, lambda run: RequestFlight(run.request.to), undo=RequestCancel),
                Step(RequestHotel, lambda run: RequestHotel(run.request.to), timeout=5, retries=2),
            ], finish=lambda run: ResponseBook(run.answer_to(RequestFlight).seat))

        `finish` returns the answer; without it, the answer of the last step is passed on. If a step
        fails for good, those that are done are undone, the last one first, and the request fails
        with the step's error; if it is cancelled or times out, they are undone, too. A Failure that
        a function raises is the step's error. An undo that fails is named in the error's message
        ("not undone: …") and reported as MainstemFailure. At the end of the scope, and at the close
        of the context, nothing can be undone.

        At most `limit` requests (default 1,024) are open; more fail with FULL.
        """
        workflow = Workflow(self, request, steps, finish)

        def install() -> "Scope":
            return cast("Scope", workflow.add(name, limit, self._child))

        return cast("Scope", self.context._installed(install))

    def undo_log(
        self,
        name: str,
        commands: Sequence[Step],
        *,
        undo: Union[Type[Request[Any]], str],
        redo: Union[Type[Request[Any]], str],
        shown: str,
        limit: int = 0,
    ) -> "Scope":
        """Adds an undo log: a server that observes commands, and undoes them when it is asked.

            context.undo_log("Undo", [
                Step(RequestAdd, undo=RequestRemove,
                     make_undo=lambda run: RequestRemove(run.answer_to(RequestAdd).id)),
            ], undo=RequestUndo, redo=RequestRedo, shown="Undoable")

        When a command of one of these classes has succeeded, `make_undo` returns what undoes it,
        or SKIP to leave it out; without `make_undo`, `undo` gets the command's payload. `undo`
        requests it for the newest command, and `redo` requests the command that was undone last; if
        that fails, the error is passed on, and the log stays as it was. Commands that one event
        caused are one step. A new command empties what can be done again. If `make_undo` fails, the
        log is emptied, and reported as MainstemFailure.

        `shown` names a value, which is registered. Its JSON has `undo` and `redo`, the types of the
        commands that come next, or "", and `count`, the number of steps that can be undone. Of
        more than `limit` steps (default 1,024), the oldest is forgotten.
        """
        log = UndoLog(self, commands)
        self.context.add_type(shown, "json", role="value")
        most = whole(limit, "limit")

        def install() -> "Scope":
            return cast("Scope", log.add_log(name, undo, redo, shown, most, self._child))

        return cast("Scope", self.context._installed(install))

    def resources(
        self,
        name: str,
        request: Union[Type[Request[Any]], str],
        *,
        behind: Union[Type[Request[Any]], str],
        drop: Union[Type[Value], str],
        limit_bytes: int = 0,
        limit: int = 0,
    ) -> Resources:
        """Adds resources: a server that loads pictures and other bytes once, and shares them.

        Views request `request`, whose payload is the key. If the bytes of the key are kept, it is
        answered at once; else `behind` is requested, once for all that wait, and its handler
        answers with `put`. When the answer has come, `get` has the bytes. Over `limit_bytes`
        (default 64 MiB), a `drop` is posted for each of the least recently used keys; send one when
        a picture has changed. At most `limit` requests are open (default 1,024); more of them fail
        with FULL.
        """
        name_of, number_of = self.context.catalogue.name_of, self.context.catalogue.number_of
        number = number_of(request)
        options = d.ResourcesOptions(
            ctypes.sizeof(d.ResourcesOptions),
            request=name_of(number).encode(),
            behind=name_of(number_of(behind)).encode(),
            drop=name_of(number_of(drop)).encode(),
            limit_bytes=whole(limit_bytes, "limit_bytes"),
            limit=whole(limit, "limit"),
        )
        handle = ctypes.c_void_p()
        status = C.mainstem_resources_add(
            self.handle, name.encode(), ctypes.byref(options), ctypes.byref(handle)
        )
        self.context.thrown.returned(status)
        return Resources(cast("Scope", self), handle.value or 0, number)

    def _in_loop(self, handler: Handler) -> Handler:
        """Makes a handler that runs an async one in the context's loop."""
        return self.context._loop_or_refuse("an async def handler").answering(handler)

    def _child(self, handle: int, name: str) -> "Scope":
        raise NotImplementedError

    # Requests

    @overload
    def request(  # type: ignore[overload-overlap]
        self,
        event: Union[Request[Any], str],
        data: Data = None,
        *,
        timeout: Optional[float] = None,
        share: bool = False,
        then: Any = None,
        failed: Any = None,
        progress: Callable[[Any], Coroutine[Any, Any, Any]],
    ) -> NotAwaited: ...
    @overload
    def request(self, event: Request[Answered], **patience: Unpack[Patience]) -> Answered: ...
    @overload
    def request(
        self,
        event: Request[Answered],
        *,
        then: Callable[[Answered], object],
        failed: Optional[Callable[[Failure], object]] = None,
        **patience: Unpack[Patience],
    ) -> Pending: ...
    @overload
    def request(self, event: str, data: Data = None, **patience: Unpack[Patience]) -> Event: ...
    @overload
    def request(
        self,
        event: str,
        data: Data = None,
        *,
        then: Callable[[Event], object],
        failed: Optional[Callable[[Failure], object]] = None,
        **patience: Unpack[Patience],
    ) -> Pending: ...
    def request(
        self,
        event: Any,
        data: Data = None,
        *,
        timeout: Optional[float] = None,
        share: bool = False,
        then: Optional[Callable[[Any], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> Any:
        """Sends a request that gets exactly one answer.

        Waits for the answer, draining meanwhile, and returns it. A failed answer is raised as a
        Failure; if none comes within `timeout` seconds, that is a RequestTimeout. BUSY inside a
        callback. In an async context the result is awaitable. `progress` gets the request's
        progress before the answer.

        With `share`, what several ask at a time is asked once: while one shared request waits for
        its answer, others of the same type and payload wait for the same. Each gets the answer,
        has its own timeout, and may be cancelled; with the last, the server's work is.

        With `then`, the call does not wait: it returns a Pending, and the function gets the answer.
        If that failed, `failed` gets the error. Without `failed`, the error of a request by class
        is reported as an exception in a callback is; `then` of a request by name gets the failed
        Event.
        """
        payload = b""
        try:
            if isinstance(event, Value) and not isinstance(event, Request):
                raise TypeError(f"{type(event).__name__} is not a Request: send it instead")
            number, payload = self.context.catalogue.outgoing(event, data)
            named = isinstance(event, str)
            if progress is not None:
                refuse_async(progress, "progress=")
            if then is not None:
                refuse_async(then, "then=")
                refuse_async(failed, "failed=")
                pending = Pending(self, then, progress, failed, named)
                pending.ask(number, payload, timeout, share)
                return pending
            if failed is not None:
                raise TypeError("request: failed= is for then=; else a failed answer is raised")
            return self.context._ask(self, number, payload, timeout, progress, named, share)
        except BaseException as exception:
            # Does what `discreet` does, at no cost if nothing is raised.
            event = data = payload = b""
            empty(exception)
            raise

    def request_count(self, what: Union[Type[Request[Any]], str, None] = None) -> int:
        """Counts the open tracked requests of a class or type; without one, of all types."""
        count = ctypes.c_uint64()
        number = 0 if what is None else self.context.catalogue.number_of(what)
        check(C.mainstem_request_count(self.handle, number, ctypes.byref(count)))
        return count.value

    def report_activity(self, *what: Union[Type[Request[Any]], str]) -> None:
        """Reports the activity of request types, from now on, as MainstemActivity events.

        They say when a type becomes busy and when it is idle again. `what`: request classes or
        types; nothing: every type.
        """
        numbers = [self.context.catalogue.number_of(each) for each in what]
        for number in numbers or [0]:
            check(C.mainstem_activity_report(self.handle, number))
