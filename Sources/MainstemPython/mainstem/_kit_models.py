# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a test context that is about view models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Set, cast

from .events._received import event_of
from .failure import MainstemError, Status
from .viewmodels._views import View

if TYPE_CHECKING:
    from ._transcript import Transcript
    from .events._received import Event
    from .observers._calls import Thrown
    from .viewmodels._view_model import Reactor, ViewModel


_UNSIGNED = (1 << 64) - 1


def stub_reactor(reactor: "Reactor", state: Any = None) -> None:
    """Turns a reactor into a stub, for tests of views: it shows the states that the test gives.

    From now on its actions do nothing; they are on the stream, where a test finds them.
    """
    live = reactor._opened()
    if live.mutating is None:
        raise TypeError(f"{type(reactor).__name__} is no reactor")
    live.mutating.stub(state)


class Known(Dict[int, Any]):
    """The view models of a test by number, and which there were."""

    def __init__(self) -> None:
        super().__init__()
        self.names: Set[str] = set()
        self.numbers: Set[int] = set()

    def __setitem__(self, number: int, instance: Any) -> None:
        super().__setitem__(number, instance)
        self.numbers.add(number)
        self.names.add(instance.__mainstem_model__.name)


class Models:
    """The part of a test context that is about view models.

    Their own events, what they show and what views do with them, need not be expected: `shows`
    expects values. What they ask others must be expected.
    """

    __slots__ = ()

    thrown: "Thrown"
    view_models: Dict[int, Any]
    _transcript: "Transcript"
    _views: List[Any]
    _is_of_navigation: Callable[["Event"], bool]
    _advance_until: Callable[[Callable[[], bool], Optional[int]], None]

    def shows(self, view: "ViewModel", **values: Any) -> None:
        """Expects that a view, or a view model, shows these values now."""
        __tracebackhide__ = True
        seen = view if isinstance(view, View) else view.bind()
        wrong = []
        for name, wanted in values.items():
            found = getattr(seen, name)
            if found != wanted:
                wrong.append(f"    {name}: {wanted!r} was expected, and it is {found!r}")
        if seen is not view:
            self._views.pop().end()
        if wrong:
            raise AssertionError("\n".join([f"{seen!r} shows other values", *wrong]))

    def _note(self, value: Any) -> None:
        event = event_of(value)
        passes = self._is_of_model(event) or self._is_of_navigation(event)
        self._transcript.note(event, passes)

    def _is_of_model(self, event: "Event") -> bool:
        """Whether it is an event of a view model's own, or says that one has ended."""
        owner, _, own = event.name.partition(".")
        known = cast(Known, self.view_models)
        if own:
            # The library answers for one that has ended.
            return event.origin in (owner, "") and owner in known.names
        return event.name == "MainstemEnded" and event.value & _UNSIGNED in known.numbers

    def _sleeping(self) -> List[str]:
        """Says which view models sleep, and how long."""
        return [
            f"{live.model.name} sleeps for {seconds:g} s (`await self.sleep`): advance, or end it"
            for live in (instance._live for instance in self.view_models.values())
            for seconds in live.steps.sleeps()
        ]

    def _wait_for_run(self, run: Any) -> None:
        """Moves time forward until a run of a command is over."""
        if self.thrown.inside():
            raise MainstemError(
                Status.BUSY, "result: it waits, and this is a callback of the context: await it"
            )
        self._advance_until(lambda: bool(run.is_over), None)
        if not run.is_over:
            run.give_up()
            raise AssertionError("a command is never done, however far time moves on")

    def _end_models(self) -> None:
        """Ends the test's views and view models: they may be there at its end."""
        for held in self._views:
            held.end()
        for instance in list(self.view_models.values()):
            instance._live.owner.end()
