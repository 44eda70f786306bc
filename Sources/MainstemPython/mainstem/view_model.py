# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models: what a program shows, and what it can be told to do."""

from __future__ import annotations

import reprlib
import sys
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    Mapping,
    Optional,
    Union,
    cast,
    overload,
)

from .context._observing import RowLike
from .events._catalogue import OwnerLike
from .events._declaration import Request, Value
from .live import Live, open_model
from .model import Model
from .own_requests import ask_own
from .servers._requests import finish
from .showing import Field
from .steps import PendingAnswer
from .views import view

if TYPE_CHECKING:
    from typing_extensions import Self

    from .context._context import Context
    from .context._scope import Scope
    from .events._payload import Data
    from .events._received import Event
    from .failure import Failure
    from .navigation._moves import ViewModelMoves
    from .servers._server import Answered


class ViewModel:
    """A view model: values that views see, fields that they write, commands that they run.

        class Counter(mainstem.ViewModel):
            count: int = mainstem.shown(0)

            @mainstem.command
            def up(self) -> None:
                self.count += 1

        counter = context.open(Counter())
        view = counter.bind(count=print)
        view.up()

    A view model is a value until it is opened: its methods are called as they are, which is how
    they are tested. Once it is open, only its own methods change it, and views use `bind`. Its
    class's name is the name of its scope, unless `class Counter(mainstem.ViewModel, name="…")`
    pins another. A method `opened`, if there is one, runs once before the first show. A method that
    is marked with `handles` answers requests, or gets other events.
    """

    #: What the class declares.
    __mainstem_model__: ClassVar[Model]
    if TYPE_CHECKING:
        _live: Optional[Live]
    else:
        _live = None

    def __init_subclass__(cls, *, name: str = "", **others: Any) -> None:
        super().__init_subclass__(**others)
        # Classes made in a function may name each other: its names are kept to resolve type hints.
        frame = sys._getframe(1)
        names = frame.f_locals if frame.f_locals is not frame.f_globals else {}
        made = cls._made(names)
        cls.__mainstem_model__ = Model(cls, name or cls.__name__, names, RESERVED, made)

    @classmethod
    def _made(cls, names: Mapping[str, Any]) -> Dict[str, Any]:
        """What the class declares beside what is written in it, by Python name."""
        return {}

    def bind(self, /, **rows: RowLike) -> "Self":
        """Returns a view of this view model, and calls functions with what it shows.

        Each function gets what is there, then each change: `bind(name=label.set_text)`. The view
        has the view model's fields and commands: `view.name` is what is shown, `view.name = "Ada"`
        writes it, `view.go()` runs a command. None: nothing is called; `two_way` and `on_host`
        are functions that only a drain calls. A function of two parameters gets the view and the
        value, also before `bind` returns: `bind(count=lambda view, count: …)`. The view ends with
        the context, by `mainstem.end(view)`, or with its `with` block.
        """
        return view(self.context, type(self), self, **rows)

    @overload
    def request(
        self,
        event: Request[Answered],
        *,
        then: Optional[Callable[[Answered], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Answered]: ...
    @overload
    def request(
        self,
        event: str,
        data: Data = None,
        *,
        then: Optional[Callable[[Event], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Event]: ...
    def request(
        self,
        event: Union[Value, str],
        data: Any = None,
        *,
        then: Optional[Callable[[Any], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Any]:
        """Asks a server, in one of its own methods: await it, or say `then`.

        The request is sent at once. `then` gets the answer, `failed` the error; the other options
        are those of `Scope.request`.
        """
        live = self._own("asks nothing", "request")
        return ask_own(
            live,
            event,
            data,
            then=then,
            failed=failed,
            timeout=timeout,
            share=share,
            progress=progress,
        )

    def sleep(self, seconds: float) -> PendingAnswer[None]:
        """Waits, in an async command: `await self.sleep(0.3)`. The context's clock counts."""
        return self._own("sleeps not", "sleep").steps.sleep(seconds)

    @property
    def navigator(self) -> "ViewModelMoves":
        """The moves: it asks for them in its own methods, `await self.navigator.open("pick")`."""
        live = self._own("goes nowhere", "navigator")
        if live.context.navigator is None:
            raise RuntimeError("this context has no navigator: mainstem.Navigator(context) adds it")
        return cast("ViewModelMoves", live.context.navigator.moves_of(live))

    def finish(self, result: Union[Value, str, None] = None, data: Data = None) -> None:
        """Closes the component that it is in, with a result: what its opener gets.

        `result` is an object of an event class, or the name of a type, with its data; None: there
        is no result. Only the first result of a component counts.
        """
        finish(self._own("finishes nothing", "finish").owner, result, data)

    @property
    def scope(self) -> "Scope":
        """Its scope: what is sent through it carries its name."""
        live = self._opened()
        live.refuse_in_show("sends nothing")
        return cast("Scope", live.owner)

    @property
    def context(self) -> "Context":
        """Its context, for the time, random numbers and ids."""
        return cast("Context", self._opened().context)

    def __repr__(self) -> str:
        model = type(self).__mainstem_model__
        fields = [
            f"{name}={reprlib.repr(getattr(self, name, None))}"
            for name, member in model.members.items()
            if isinstance(member, Field) and not member.secret
        ]
        state = "open" if self._live is not None else "not open"
        return f"<{model.name}, {state}{': ' if fields else ''}{', '.join(fields)}>"

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *exception: object) -> None:
        self._opened().end()

    def __setattr__(self, name: str, value: Any) -> None:
        live = self._live
        if live is not None and not live.depth:
            live.refuse_in_show(f"sets no {name!r}")
            live.refuse_outside(f"{live.model.name}.{name} is set")
        object.__setattr__(self, name, value)

    def __mainstem_open__(
        self, parent: OwnerLike, path: str, is_scope: bool, is_service: bool = False
    ) -> Live:
        """Opens it below a scope; if that is one of a factory, as the scope itself."""
        return open_model(self, parent, path, is_scope, is_service)

    def _opened(self) -> Live:
        live = self._live
        if live is None:
            kind = type(self).__name__
            raise RuntimeError(f"this {kind} is not open: context.open({kind}(…)) opens it")
        return live

    def _own(self, not_shown: str, what: str) -> Live:
        live = self._opened()
        live.refuse_in_show(not_shown)
        live.refuse_outside(f"{live.model.name}.{what} is called")
        return live


RESERVED = frozenset(name for name in (*ViewModel.__dict__, "opened") if not name.startswith("_"))
