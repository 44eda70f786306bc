# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of the test kit that is about navigation: a stage that records, and what it expects."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from ._library._header import LAYER_NAVIGATION
from ._stub import NEVER, After
from .events._received import Event
from .failure import Failure, MainstemError, Status, again
from .navigation._moves import Component
from .navigation._router import Match, Router
from .servers._server import LATER

if TYPE_CHECKING:
    from .events._catalogue import Catalogue
    from .navigation._navigator import Navigator

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
