# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Children: view models that a view model makes, and that end with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, Tuple, TypeVar, Union, overload

from .failure import refuse_async

Function = TypeVar("Function", bound=Callable[..., Any])
Made = TypeVar("Made")
Update = Union[str, Callable[[Any, Any], object], None]

if TYPE_CHECKING:

    class Each(Generic[Made]):
        """A list of children, for type checkers."""

        @overload
        def __get__(self, instance: None, owner: type) -> Each[Made]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> Tuple[Made, ...]: ...
        def __get__(self, instance: object, owner: type) -> object: ...


class Child:
    """A child that is made when it is asked for. The method itself stays callable."""

    __slots__ = ("enabled", "function", "name", "policy", "python")

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        refuse_async(function, f"{function.__name__}, which makes a child,")
        self.function = function
        self.name = name
        self.python = function.__name__
        self.enabled = ""
        self.policy = "concurrent"

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.function.__get__(instance, owner)


class Children:
    """A list of children, one for each element of a field."""

    __slots__ = ("form", "function", "key", "name", "python", "source", "update")

    def __init__(
        self, function: Callable[..., Any], source: str, update: Update, key: str, name: str
    ) -> None:
        refuse_async(function, f"{function.__name__}, which makes a child,")
        refuse_async(update, "update=")
        self.function = function
        self.source = source
        self.update = update
        self.key = key
        self.name = name
        self.python = function.__name__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        live = instance._live
        return () if live is None else live.family.children_of(self.python)


@overload
def child(function: Function, /) -> Function: ...
@overload
def child(*, name: str = "") -> Callable[[Function], Function]: ...
def child(function: Any = None, /, *, name: str = "") -> Any:
    """Declares a child: the method makes the view model, when `open_child` asks for it.

        @mainstem.child
        def profile(self) -> Profile:
            return Profile(self.user)

    A method without arguments has one child, the same while it lives; with arguments, each call
    makes another. A child ends with this view model, or by `mainstem.end(child)`.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Child(function, name)

    return declare if function is None else declare(function)


def children(
    source: str, *, update: Update = None, key: str = "id", name: str = ""
) -> Callable[[Callable[[Any, Any], Made]], "Each[Made]"]:
    """Declares a list of children: the method makes one for each element of a field.

        @mainstem.children("tweets", update="tweet")
        def cells(self, tweet: Tweet) -> TweetCell:
            return TweetCell(tweet)

    Elements are told apart by their `id`, or by the attribute that `key` names. Children come and
    go with them, after each event that the view model has got. Where an element has changed under
    its id, `update` names the child's field that it is assigned to, or is called with both; without
    it, the child is made anew. Views see the numbers of the children's scopes, in order.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Children(function, source, update, key, name)

    return declare
