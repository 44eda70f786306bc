# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What has passed in a test: the transcript, stubs, view models, the stage."""

from __future__ import annotations

import dataclasses
import textwrap
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Set,
    Tuple,
    Union,
    cast,
)

from .._library._header import LAYER_NAVIGATION
from ..events._declaration import Value, declaration_of
from ..events._received import Event, Retained, event_of
from ..failure import Failure, MainstemError, Status, again, refuse_async
from ..navigation._moves import Component
from ..navigation._router import Match, Router
from ..servers._server import LATER
from ..viewmodels._views import View

if TYPE_CHECKING:
    from ..events._catalogue import Catalogue
    from ..navigation._navigator import Navigator
    from ..observers._calls import Thrown
    from ..viewmodels._view_model import Reactor, ViewModel

__all__ = [
    "NEVER",
    "After",
    "Delayed",
    "Known",
    "Models",
    "Navigation",
    "RecordingStage",
    "Stub",
    "Transcript",
    "difference",
    "expect_routes",
    "is_it",
    "payload_of",
    "shown",
    "stub_reactor",
    "tree_text",
]


# Stubs: servers that give the answers a test has set ----------------------------------------------

#: An answer that never comes.
NEVER: Any = LATER


class After(NamedTuple):
    """An answer given `seconds` later, inside `advance`, from outside, as if from a network."""

    seconds: float
    answer: Any


class Stub:
    """A server that answers requests of one type; `requests` has those it got."""

    __slots__ = ("_answers", "_beyond", "_function", "_later", "_never", "kind", "requests")

    #: The requests it got, in order.
    requests: List[Any]

    def __init__(
        self, kind: str, answers: Any, later: Callable[[Retained[Any], After], None]
    ) -> None:
        #: Keeps a request, to answer it later.
        self._later = later
        self._function: Optional[Callable[[Any], Any]] = None
        self._answers: List[Any] = []
        self._beyond = 0
        #: The requests that are never answered: one that nobody keeps would be.
        self._never: List[Retained[Any]] = []
        if isinstance(answers, (list, tuple)) and not isinstance(answers, After):
            self._answers = list(answers)
        elif callable(answers):
            refuse_async(answers, "a stub's function")
            self._function = answers
        else:
            self._answers = [answers]
        self.kind = kind
        self.requests = []

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.requests)

    def left(self) -> List[str]:
        """Says if it was asked more or less often than it has answers."""
        if self._beyond:
            return [self._told(f"{self._beyond} more than it has answers")]
        if self._answers:
            return [self._told(f"and has {len(self._answers)} answers left")]
        return []

    def _told(self, what: str) -> str:
        return f"the stub of {self.kind} was asked {self.calls} times, {what}"

    def answer(self, request: Any) -> Any:
        """Handles a request."""
        self.requests.append(request)
        answer = self._next(request)
        if isinstance(answer, After):
            self._later(event_of(request).retain(), answer)
            return LATER
        if answer is NEVER:
            self._never.append(event_of(request).retain())
        if isinstance(answer, Failure):
            raise again(answer)
        return answer

    def _next(self, request: Any) -> Any:
        if self._function is not None:
            return self._function(request)
        if not self._answers:
            self._beyond += 1
            return Failure("the stub has no answer left")
        return self._answers.pop(0)


class Delayed(NamedTuple):
    """A delayed answer."""

    due: int
    number: int
    request: Retained[Any]
    answer: Any

    def give(self) -> None:
        """Gives the answer. It is not an error if the request has been answered otherwise."""
        try:
            self.request.answer(self.answer)
        except MainstemError as error:
            if error.status != Status.STALE:
                raise
        finally:
            self.request.release()


# What has passed in a test, in order, and how it is shown -----------------------------------------

#: The number of links shown before a chain's end.
_LINKS = 12


class Transcript:
    """Every event that has passed; the test has expected the first of them."""

    __slots__ = ("events", "expected", "passing")

    def __init__(self) -> None:
        #: The events; the first has position 1.
        self.events: List[Event] = []
        #: How many were expected so far.
        self.expected = 0
        #: The positions of events that nobody has to expect: those of view models' own types.
        self.passing: Set[int] = set()

    def note(self, value: Any, passes: bool = False) -> None:
        """Adds an event."""
        event = event_of(value)
        self.events.append(event)
        if passes:
            self.passing.add(event.position)

    def take(self, name: str = "") -> Optional[Event]:
        """Takes the next event not expected so far; one that may pass only if it has this name."""
        while self.expected < len(self.events):
            event = self.events[self.expected]
            self.expected += 1
            if event.position not in self.passing or event.name == name:
                return event
        return None

    def take_rest(self) -> List[Event]:
        """Takes all events not expected so far, but for those that may pass."""
        rest = self.events[self.expected :]
        self.expected = len(self.events)
        return [event for event in rest if event.position not in self.passing]

    def open_requests(self) -> List[Event]:
        """Returns the tracked requests that have no answer."""
        answered = {event.answers for event in self.events if not event.is_progress}
        return [one for one in self.events if one.tracked and one.position not in answered]

    def told(self, event: Event) -> str:
        """Returns an event as a line, with the events that led to it below."""
        lines, links = [str(event)], self._chain(event)
        if len(links) > _LINKS + 1:
            links[_LINKS:-1] = ["…"]
        return "\n      ".join(lines + links)

    def _chain(self, event: Event) -> List[str]:
        links = []
        while 0 < event.cause <= len(self.events):
            event = self.events[event.cause - 1]
            links.append(f"caused by {event}")
        return links


def payload_of(event: Event, kind: type) -> Value:
    """Returns an event as an object of a class, even if the class was declared after it passed."""
    return declaration_of(kind).received(event)


def is_it(expected: Any, event: Event) -> bool:
    """Whether an event is the expected one: a value, a failure, or a name and bytes."""
    if isinstance(expected, Failure):
        return event.failed and event.error == expected
    if event.failed:
        return False
    if isinstance(expected, Value):
        declaration = type(expected).__mainstem__
        return event.name == declaration.name and payload_of(event, type(expected)) == expected
    return (event.name, event.data) == tuple(expected)


def difference(expected: Any, event: Event) -> List[str]:
    """Lists the fields in which an event of the same type differs."""
    if not isinstance(expected, Value) or event.failed:
        return []
    if event.name != type(expected).__mainstem__.name:
        return []
    was = payload_of(event, type(expected))
    if event.secret:
        return []
    pairs = (
        (field.name, getattr(expected, field.name), getattr(was, field.name))
        for field in dataclasses.fields(type(expected))
    )
    return [
        f"    {name}: {wanted!r} was expected, and it was {is_!r}"
        for name, wanted, is_ in pairs
        if wanted != is_
    ]


def shown(expected: Any) -> str:
    """The text of an expectation."""
    if isinstance(expected, Failure):
        return f"{expected.code} {str(expected)!r}"
    return repr(expected) if isinstance(expected, Value) else " ".join(map(str, expected))


# The part of a test context that is about view models ---------------------------------------------

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


# The part of the test kit that is about navigation: a stage that records, and what it expects -----

#: What a URL takes: a pattern, or that and the parameters; None: no route.
Taken = Union[str, Tuple[str, Mapping[str, Any]], None]

_OWNERS = ("RequestOpen.", "ResponseOpen.")
_LAYER = LAYER_NAVIGATION >> 40


class RecordingStage:
    """A stage for tests: it notes what it is told, and answers each show as its script says.

    An answer is None (it is shown at once), a Failure, `After(seconds, answer)`, or NEVER. After
    the last one, each show is answered at once.
    """

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        #: What is on the stage, by number, also what is being shown.
        self.components: Dict[int, Component] = {}
        #: The URLs that it was told to show and to hide, and that nobody has expected yet.
        self.shown: List[str] = []
        self.hidden: List[str] = []

    def script(self, *answers: Any) -> None:
        """Sets how it answers the next shows."""
        self._answers[:] = answers

    def show(self, component: Component) -> Any:
        """Notes a component, and answers."""
        self.shown.append(component.url)
        self.components[component.number] = component
        # In a replay, nobody asks.
        request = component.request
        answer = self._answers.pop(0) if self._answers and request and request.tracked else None
        if isinstance(answer, Exception):
            raise again(answer)
        if isinstance(answer, After) and request is not None:
            test: Any = request.scope.context
            test._answer_later(request.retain(), _given(answer))
        return LATER if answer is NEVER or isinstance(answer, After) else None

    def hide(self, components: List[int]) -> None:
        """Notes what is hidden."""
        for number in components:
            component = self.components.pop(number, None)
            self.hidden.append(component.url if component is not None else f"component {number}")


def _given(answer: After) -> After:
    return After(answer.seconds, b"") if answer.answer is None else answer


class Navigation:
    """The part of a test context that is about navigation.

    The events of the navigator and its stage need not be expected, but may be: by their names. At
    the end of a test, components may be there.
    """

    __slots__ = ()

    catalogue: "Catalogue"
    navigator: Optional["Navigator"]
    advance: Callable[..., None]

    def expect_shown(self, *urls: str) -> None:
        """Expects that the recording stage was told to show these, in order, and nothing else."""
        __tracebackhide__ = True
        _expect("shown", self._recorded().shown, urls)

    def expect_hidden(self, *urls: str) -> None:
        """Expects that the recording stage was told to hide these, in order, and nothing else."""
        __tracebackhide__ = True
        _expect("hidden", self._recorded().hidden, urls)

    def expect_tree(self, text: str) -> None:
        """Expects these components: a line for each URL, indented below what it stands on."""
        __tracebackhide__ = True
        wanted, found = textwrap.dedent(text).strip("\n"), tree_text(self._navigator())
        if wanted.rstrip() != found:
            lines = ["the tree is another", "  expected", textwrap.indent(wanted, "    ")]
            lines += ["  but it is", textwrap.indent(found, "    ")]
            raise AssertionError("\n".join(lines))

    def _navigator(self) -> "Navigator":
        if self.navigator is None:
            raise TypeError("this context has no navigator: mainstem.Navigator(test) adds it")
        return self.navigator

    def _recorded(self) -> RecordingStage:
        stage = self._navigator()._stage
        if not isinstance(stage, RecordingStage):
            raise TypeError("the stage does not record: Navigator(test, stage=RecordingStage())")
        return stage

    def _is_of_navigation(self, event: Event) -> bool:
        """Whether it is an event of the navigator's, or of what it opens."""
        if self.navigator is None:
            return False
        known = self.catalogue.known(event.type)
        is_told = known is not None and known.layer == _LAYER
        return is_told or event.name.startswith(_OWNERS) or event.name == "MainstemEnded"

    def _lasting(self) -> int:
        """How many subscriptions the navigator keeps."""
        return 0 if self.navigator is None else self.navigator.lasting

    def _end_components(self) -> None:
        """Ends the components of the test: they may be there at its end."""
        if self.navigator is None:
            return
        for component in self.navigator.tree:
            if not component.parent:
                self.navigator.gone(component)
        self.advance()


def tree_text(navigator: "Navigator") -> str:
    """The components as text: a line for each URL, indented below what it stands on."""
    below: Dict[int, List[Component]] = {}
    for component in navigator.tree:
        below.setdefault(component.parent, []).append(component)

    def lines(parent: int, depth: int) -> List[str]:
        found = []
        for component in below.get(parent, []):
            found += ["  " * depth + component.url, *lines(component.number, depth + 1)]
        return found

    return "\n".join(lines(0, 0))


def expect_routes(routes: Union[Router, "Navigator"], table: Mapping[str, Taken]) -> None:
    """Expects what each URL of a table takes: a pattern, that with parameters, or no route."""
    __tracebackhide__ = True
    wrong = []
    for url, wanted in table.items():
        match = _match(routes, url)
        pattern = None if match is None else match.pattern
        found: Taken = pattern
        if match is not None and isinstance(wanted, tuple):
            found = (match.pattern, match.parameters)
        if found != wanted:
            wrong.append(f"  {url!r}: {wanted!r} was expected, and it takes {found!r}")
    if wrong:
        raise AssertionError("\n".join(["a URL takes another route", *wrong]))


def _match(routes: Union[Router, "Navigator"], url: str) -> Optional[Match]:
    try:
        return routes.match(url)
    except Failure:
        return None
    except MainstemError as error:
        if error.status != Status.BAD_URL:
            raise
        return None


def _expect(what: str, noted: List[str], urls: Tuple[str, ...]) -> None:
    __tracebackhide__ = True
    found, noted[:] = list(noted), []
    if found != list(urls):
        lines = [f"another component was {what}", f"  expected   {', '.join(urls) or 'nothing'}"]
        raise AssertionError("\n".join([*lines, f"  but it was {', '.join(found) or 'nothing'}"]))
