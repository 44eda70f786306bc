# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A view model in a context: what it handles, how it begins, what it gets and shows."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import inspect
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from .._library import C, _callbacks
from .._library import _header as d
from .._library._header import VIEWMODEL_COMMAND, VIEWMODEL_PULSE, VIEWMODEL_WRITABLE
from ..events._catalogue import OwnerLike, WrongAnswer
from ..events._payload import Payload, add_type, layer_bits, payload_bits
from ..events._received import MEMORY, Event, Retained, error_of, event_of, unpack_facts
from ..failure import Failure, check, encoded, is_async
from ..observers._calls import Queue, added, message_of
from ..observers._subscription import Filter, Subscription
from ..servers._server import LATER, Handler, Table, answer_event, no_answer, no_loop
from ._declared import Children, Mutations
from ._model import Model, Row, add_model, slot_of
from ._running import Carrying, CommandsSeen, Family, Saying
from ._steps import Mutating, PendingAnswer, Step, Steps, answer_reader, ask_another, ask_own
from ._views import Run, present

if TYPE_CHECKING:
    from ._view_model import ViewModel

__all__ = ["Live", "open_model"]


# What a live view model handles: requests that it answers, and other events that it gets ----------

#: A request that shares its answer with others: one request stands for all of them.
_ASKER = d.EVENT_SHARED | d.EVENT_TRACKED


def handle(live: "Live", is_service: bool) -> None:
    """Lets a view model handle what its methods are marked to handle.

    The instance of a service gets handlers, since only they get the request that has made it.
    Others observe, so that they show after each event; a server below says what they handle.
    """
    plain: Dict[Any, Handler] = {}
    own: Dict[Any, Handler] = {}
    for what, method, is_own in live.model.handled:
        path = f"{live.model.name}.{method}"
        if is_own and live.context.catalogue.is_request(what):
            name = live.context.catalogue.name_of(live.context.catalogue.number_of(what))
            raise TypeError(f"{path} answers {name} as its own: make it a command")
        (own if is_own else plain)[what] = handler_of(live, getattr(live.instance, method), path)
    if is_service:
        Table(live.owner, plain, no_loop, Queue(), own, None, lambda _: live.owner).add(None)
    else:
        _Heard(live, plain, own).begin()


def handler_of(live: "Live", method: Handler, path: str) -> Handler:
    """Makes the handler of a method: in it, the view model may change."""

    def begin(value: Any) -> Any:
        return live.within(_Going(live, method, path, value).begin)

    handler = begin if is_async(method) else functools.partial(live.within, method)
    return functools.update_wrapper(handler, method)


class _Heard(Table):
    """The handlers of a view model that is no service: it observes what they handle."""

    __slots__ = ("_live",)

    def __init__(self, live: "Live", plain: Dict[Any, Handler], own: Dict[Any, Handler]) -> None:
        super().__init__(live.owner, plain, no_loop, Queue(), own, None, lambda _: live.owner)
        self._live = live

    def begin(self) -> None:
        """Observes what is handled, and adds the server that says so."""
        owner, requests = self._live.owner, []
        for (name, flags), number in zip(self._rows, self._handlers):
            which = Filter([number], 0, 0, 0, 0)
            which.of = owner if flags & d.HANDLER_OWN else None
            options = which.options()
            options.flags &= ~d.OBSERVE_CONFIRM
            self._observe(options)
            if owner.context.catalogue.is_request(number):
                requests.append((name, flags))
        if requests:
            self._say(requests)

    def _observe(self, options: Any) -> None:
        owner = self._live.owner
        added(
            owner,
            self.deliver,
            _nothing,
            lambda number, place: C.mainstem_observe_with(
                owner.handle,
                ctypes.byref(options),
                _callbacks.on_event,
                number,
                _callbacks.on_release,
                place,
            ),
            C.mainstem_cancel,
        )

    def _say(self, requests: List[Tuple[str, int]]) -> None:
        rows = (d.HandlerRow * len(requests))()
        for index, (name, flags) in enumerate(requests):
            rows[index] = d.HandlerRow(encoded(name, "type"), _callbacks.on_event, flags)
        number = _callbacks.keep(_nothing)
        status = C.mainstem_server_add(
            self._live.owner.handle,
            encoded(f"{self._live.model.name}.requests", "name"),
            rows,
            ctypes.sizeof(d.HandlerRow),
            len(rows),
            number,
            _callbacks.on_release,
            None,
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def deliver(self, address: int) -> None:
        """Runs a handler for the library, unless one request stands for this one and others."""
        if unpack_facts(MEMORY, address)[10] & _ASKER != _ASKER:
            super().deliver(address)


def _nothing(_: int = 0) -> None: ...


class _Going:
    """An async handler, until it has come to its end."""

    __slots__ = ("_event", "_has_begun", "_kept", "_method", "_outcome", "_raised", "_step")

    def __init__(self, live: "Live", method: Handler, path: str, value: Any) -> None:
        self._event: Event = event_of(value)
        self._kept: Optional[Retained[Any]] = None
        if live.context.catalogue.is_answered(self._event.type):
            self._kept = self._event.retain()
            value = self._kept.value if value is not self._event else self._kept.event
        self._has_begun = False
        self._method = method
        self._outcome: Any = None
        self._raised: Optional[BaseException] = None
        self._step = Step(live, path, method(value), self._done)

    def begin(self) -> Any:
        """Takes the first step. Returns the answer, or LATER."""
        self._step.go_on()
        self._has_begun = True
        if not self._step.is_over:
            if self._kept is not None:
                self._event.on_settled(self._stop)
            return LATER
        if self._kept is not None:
            self._event._answered = self._kept.event.has_answered
        self._release()
        raised, self._raised = self._raised, None
        try:
            if raised is not None:
                raise raised
        finally:
            del raised
        return self._outcome

    def _stop(self) -> None:
        self._step.stop()
        self._release()

    def _release(self) -> None:
        if self._kept is not None:
            self._kept.release()

    def _done(self, outcome: Any, raised: Optional[BaseException]) -> None:
        if not self._has_begun:
            self._outcome, self._raised = outcome, raised
            return
        try:
            self._answer(outcome, raised)
        finally:
            del raised
            self._release()

    def _answer(self, outcome: Any, raised: Optional[BaseException]) -> None:
        """Answers in a later step. Raises what went wrong, unless that is an answer, too."""
        kept = self._kept
        try:
            if kept is not None and raised is None:
                raised = _refused(kept.event, outcome)
            if raised is None:
                return
            if isinstance(raised, WrongAnswer):
                raised.name(self._method)
            if kept is not None and isinstance(raised, Failure):
                answer_event(kept.event, raised)
                return
            if kept is not None:
                answer_event(kept.event, Failure(message_of(raised, kept.value)))
            raise raised
        finally:
            del raised


def _refused(event: Event, outcome: Any) -> Optional[BaseException]:
    """Answers with what a handler returned. Returns why that is no answer, or None."""
    try:
        if outcome is not None:
            answer_event(event, outcome)
        elif event.tracked and not event.has_answered:
            raise WrongAnswer(no_answer(event))
    except Exception as exception:
        return exception
    return None


# How a view model begins: it hears others, runs `opened`, and has its first children --------------


class Beginning:
    """How a live view model begins."""

    __slots__ = ("_live", "_type", "is_due")

    #: Whether `opened` is still to be run: until then nothing is shown.
    is_due: bool

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._type = 0
        self.is_due = hasattr(live.instance, "opened")

    def begin(self, is_service: bool) -> None:
        """Begins. In a callback `opened` is run at once, else with the first show."""
        live = self._live
        is_inside = live.context.thrown.inside()
        if self.is_due and not is_inside:
            # What `opened` asks for must follow from an event, to be done again in a replay. This
            # comes first: a value that is heard, and there already, has it show at once.
            self._type = live.own_notice("opened", None)
            live.observe(self._type, self._be_opened, live.owner)
        if live.model.handled:
            handle(live, is_service)
        for (what, *heard), method in live.model.heard:
            if what == "of" and isinstance(heard[0], type):
                model = heard[0].__mainstem_model__  # type: ignore[attr-defined]
                live.hear(model, heard[1], getattr(live.instance, method), None)
        live.family.hear_ends()
        if self.is_due and is_inside:
            self._run()
        else:
            live.within(_no_opened)

    def tell(self, handle: int) -> None:
        """Sends the event that `opened` follows from, in place of the first show."""
        check(C.mainstem_send(handle, self._type, b"", 0))

    def _be_opened(self, _: Any) -> None:
        if self.is_due:
            self._run()

    def _run(self) -> None:
        self.is_due = False
        self._live.within(self._open)

    def _open(self) -> None:
        live = self._live
        outcome = live.instance.opened()  # type: ignore[attr-defined]
        if inspect.iscoroutine(outcome):
            Step(live, f"{live.model.name}.opened", outcome, _opened).go_on()


def _no_opened() -> None: ...


def _opened(_: Any, raised: Optional[BaseException]) -> None:
    if raised is not None:
        try:
            raise raised
        finally:
            del raised


# A view model in a context ------------------------------------------------------------------------

Call = Callable[[Any, int], None]


class Live:
    """A view model in a context."""

    __slots__ = (
        "_calls",
        "_number",
        "_types",
        "beginning",
        "context",
        "depth",
        "family",
        "home",
        "instance",
        "model",
        "mutating",
        "owner",
        "parent",
        "path",
        "saying",
        "steps",
    )

    def __init__(self, instance: "ViewModel", parent: OwnerLike, path: str, is_scope: bool) -> None:
        self.instance = instance
        self.model: Model = type(instance).__mainstem_model__
        self.context = parent.context
        #: How deep it is in its own callbacks: only there it may change.
        self.depth = 0
        self.parent: Optional["Live"] = None
        #: The scope in which it was opened.
        self.home = parent
        #: As which child of its parent; else its name.
        self.path = path
        self._calls: Dict[int, Call] = {}
        self.saying = Saying()
        self._types: Dict[str, int] = {}
        self._number = 0
        #: Takes the mutations, if it is a reactor.
        self.mutating: Optional[Mutating] = None
        for row in self.model.rows.values():
            row.check_parts(instance)
        number = _callbacks.keep(self.deliver, self.release)
        _callbacks.keep_show(number, self.show)
        try:
            handle, rows = add_model(parent, self.model, number, is_scope)
        except BaseException:
            _callbacks.forget(number)
            raise
        self.owner = parent if is_scope else parent._child(handle, self.model.name)
        self.steps = Steps(self)
        self.family = Family(self)
        self.beginning = Beginning(self)
        for kind, row in rows:
            self._add(kind, row)
        instance.__dict__["_live"] = self
        self._number = self.owner.number
        self.context.view_models[self._number] = instance

    def _add(self, kind: int, row: Row) -> None:
        self._types[row.python] = kind
        if row.kind == VIEWMODEL_COMMAND:
            self._calls[kind] = Carrying(self, row).begin
        elif isinstance(row.member, Mutations):
            self.mutating = Mutating(self, kind, row)
        elif row.kind != VIEWMODEL_PULSE:
            ask = row.ask
            if isinstance(row.member, Children):
                ask = self.family.add(row.python, kind, row.member)
            if not row.is_secret:
                self.saying.slots.append(slot_of(row, kind, ask))
            if row.kind == VIEWMODEL_WRITABLE:
                self._calls[kind] = functools.partial(self._written, row)

    # Callbacks

    def deliver(self, address: int) -> None:
        """Runs what the library calls it for: a write or a run."""
        facts = unpack_facts(MEMORY, address)
        thrown = self.context.thrown
        running = thrown.running
        depth = running.depth
        try:
            running.depth = depth + 1
            self.within(self._calls[facts[7]], facts, address)
        except BaseException as exception:
            thrown.failed(exception, Event(self.owner, address), address)
        finally:
            running.depth = depth

    def within(self, call: Callable[..., Any], *given: Any) -> Any:
        """Runs code of the view model: it may change, and its children follow."""
        running = self.context.thrown.running
        before, running.live = running.live, self
        self.depth += 1
        try:
            return call(*given)
        finally:
            try:
                if self.family.has_lists:
                    self.family.settle()
            finally:
                self.depth -= 1
                running.live = before

    def interrupted(self, address: int) -> None:
        """Answers a run with an error after an interrupt in this package's own code."""
        event = Event(self.owner, address)
        if event.tracked:
            failure = Failure("an interrupt kept the command from answering")
            C.mainstem_respond_error_with(address, error_of(failure))

    def release(self) -> None:
        """Called when the library has ended it."""
        self.depth += 1
        self.steps.end()
        self.context.view_models.pop(self._number, None)

    # Hearing

    def observe(
        self, kind: int, function: Callable[[Event], None], of: Optional[OwnerLike]
    ) -> Subscription:
        """Observes a type, as its scope."""
        which = Filter([kind], 0, 0, 0, 0)
        which.of = of
        return Subscription(self.owner, function, which)

    def own_notice(self, name: str, payload: Payload) -> int:
        """Registers a notice of its own."""
        handle = self.context.handle
        contract = payload_bits(payload) | layer_bits(handle, "viewmodel")
        return add_type(handle, f"{self.model.name}.{name}", contract | d.ROLE_NOTICE, None)

    def hear(
        self, model: Model, python: str, call: Callable[[Any], object], of: Optional[OwnerLike]
    ) -> Subscription:
        """Observes a value of another model: what is there, then each change."""
        row = model.row_of(python)
        handle = self.context.handle
        contract = row.contract | layer_bits(handle, row.layer)
        contract |= d.ROLE_NOTICE if row.kind == VIEWMODEL_PULSE else d.ROLE_VALUE
        kind = add_type(handle, f"{model.name}.{row.name}", contract, None)
        decode = row.form.decode

        def hear(event: Event) -> None:
            if not event._is_unknown_list:
                self.within(call, event._decoded(decode))

        return self.observe(kind, hear, of)

    def _written(self, row: Row, facts: Any, address: int) -> None:
        start = facts[11]
        value = row.form.decode(MEMORY[start : start + facts[5]])
        setattr(self.instance, row.python, value)
        for method in self.model.writers.get(row.python, ()):
            getattr(self.instance, method)(value)

    # Showing

    def show(self, handle: int) -> int:
        """Says what it shows, for the library; returns a status."""
        thrown = self.context.thrown
        running = thrown.running
        depth = running.depth
        status = 0
        try:
            running.depth = depth + 1
            if self.beginning.is_due:
                self.beginning.tell(handle)
            else:
                self.family.pay_first()
                self.saying.say(self.instance, handle)
        except BaseException as exception:
            status = thrown.failed_to_show(exception, self.owner)
        finally:
            running.depth = depth
        return status

    def pay(self) -> None:
        """Sets its values now, in a callback of the view model that it is a child of."""
        self.saying.say(self.instance, self.owner.handle)

    def pay_first(self) -> None:
        """Sets its values for the first time, before views hear of it from its parent."""
        # If there is no room, or a value fails, its first show comes anyway, and says so.
        with contextlib.suppress(Exception):
            if not self.beginning.is_due:
                self.pay()

    def tell(self, python: str, data: bytes) -> None:
        """Tells a pulse when the values have been set."""
        self.refuse_in_show("tells nothing")
        self.refuse_outside(f"{self.model.name}.{python} is told")
        self.saying.pulses.append((self._types[python], data))

    # Commands

    def run(self, python: str, given: Any, named: Any) -> Any:
        """Runs one of its commands from outside of it: a Run, or in a callback what is awaited."""
        row = self.model.rows[python]
        data = row.encode(given, named)
        kind = self._types[python]
        read = answer_reader(row, self.context)
        thrown = self.context.thrown
        if thrown.inside():
            return ask_another(thrown.running.live, self, kind, data, read)
        run: Run[Any] = Run(self.owner, read)
        run._what = row.path
        run.ask(kind, data)
        return run

    def read(self, view: str) -> Any:
        """Reads what views see: `go.enabled`."""
        name, form = self.model.views[view]
        return present(self.context, self.owner, name, form.decode, view)

    # For the navigator

    def ask(self, event: Any, data: Any, **how: Any) -> PendingAnswer[Any]:
        """Asks a server in one of its own methods: `ask_own` has the options."""
        return ask_own(self, event, data, **how)

    def handler_of(self, method: Callable[..., Any], path: str) -> Callable[..., Any]:
        """Makes the handler of a method: in it, the view model may change."""
        return handler_of(self, method, path)

    # Its life

    def open_below(self, child: "ViewModel", path: str) -> "Live":
        """Opens a child."""
        opened = open_model(child, self.owner, path, False)
        opened.parent = self
        saying = opened.saying
        saying.commands = CommandsSeen(opened.model, self.context.catalogue, saying.slots)
        if self.context.thrown.inside():
            opened.pay_first()
        else:
            self.family.unpaid.append(opened)
        return opened

    def end(self) -> None:
        """Ends it; a child that was asked for ends by an event of its parent."""
        if self.parent is not None:
            self.parent.family.ask_to_end(self)
        else:
            self.owner.end()

    # What is refused

    def refuse_outside(self, what: str) -> None:
        """Raises a RuntimeError outside its own callbacks, where a replay could not repeat it."""
        if not self.depth:
            raise RuntimeError(
                f"{what} outside of its own methods: write and run it through a view, which bind()"
                " returns"
            )

    def refuse_in_show(self, what: str) -> None:
        """Raises a RuntimeError while a value is asked for."""
        if self.saying.path:
            raise RuntimeError(
                f"{self.saying.path} says what there is, and {what}: do that in a command, or where"
                " something is written or heard"
            )


def open_model(
    instance: "ViewModel", parent: OwnerLike, path: str, is_scope: bool, is_service: bool = False
) -> Live:
    """Opens a view model below a scope; if that is one of a factory, as the scope itself."""
    if instance._live is not None:
        raise RuntimeError(f"this {type(instance).__name__} is open already: open another one")
    opened = Live(instance, parent, path, is_scope)
    try:
        opened.beginning.begin(is_service)
    except BaseException:
        opened.owner.end()
        raise
    return opened
