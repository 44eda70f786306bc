# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A view model in a context: what it gets, and what it shows."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple

from ._children import Children
from ._commanded import answer_reader, ask_another
from ._commands_seen import CommandsSeen
from ._held import present
from ._library import C, _callbacks
from ._library import _header as d
from ._library._header import VIEWMODEL_COMMAND, VIEWMODEL_PULSE, VIEWMODEL_WRITABLE
from ._model_add import add_model
from ._slot import Slot
from .beginning import Beginning
from .carrying import Carrying
from .events._catalogue import OwnerLike
from .events._payload import Payload, add_type, layer_bits, payload_bits
from .events._received import _MEMORY, Event, _unpack, error_of
from .failure import Failure
from .family import Family
from .handling import handler_of
from .model import Model, Row
from .mutating import Mutating
from .observers._subscription import Filter, Subscription
from .own_requests import ask_own
from .pulses import Mutations
from .run import Run
from .saying import Saying
from .steps import PendingAnswer, Steps

if TYPE_CHECKING:
    from .view_model import ViewModel

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
                ask = functools.partial(_numbers, self.family, row.python)
            if not row.is_secret:
                self.saying.slots.append(Slot(row, kind, ask))
            if row.kind == VIEWMODEL_WRITABLE:
                self._calls[kind] = functools.partial(self._written, row)

    # Callbacks

    def deliver(self, address: int) -> None:
        """Runs what the library calls it for: a write or a run."""
        facts = _unpack(_MEMORY, address)
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
            self.within(call, decode(event.data))

        return self.observe(kind, hear, of)

    def _written(self, row: Row, facts: Any, address: int) -> None:
        start = facts[11]
        value = row.form.decode(_MEMORY[start : start + facts[5]])
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


def _numbers(family: Family, python: str, _: Any) -> Tuple[int, ...]:
    return family.numbers_of(python)
