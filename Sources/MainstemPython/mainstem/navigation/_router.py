# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Routers: which route a URL takes.

router = Router()
router.add("user/<int:id>", show_user)
match = router.match("user/7?tab=posts")
print(match.value, match["id"], match.query)    # show_user 7 {'tab': 'posts'}
"""

from __future__ import annotations

import ctypes
import enum
import re
import uuid
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from .._library import C, _callbacks
from .._library._header import (
    PARAMETER_APP,
    PARAMETER_INTEGER,
    PARAMETER_NUMBER,
    PARAMETER_UUID,
    MatchInfoStruct,
    ParameterStruct,
    RouteValue,
)
from ..failure import MainstemError, Status, check, encoded

__all__ = ["Match", "Router"]


#: Their str() is how Python shows them.
_SHOWN = (bool, bytes, bytearray, memoryview)
Values = Union[Mapping[str, object], List[Tuple[str, object]]]

_TYPED = re.compile("<([^<>:]+):([^<>:]+)>")
_NO_ROUTE = int(Status.NO_ROUTE)
#: Bytes of a query that are not UTF-8 come and go as lone surrogates, so that nothing is lost.
_LENIENT = "surrogateescape"


class _Route(NamedTuple):
    pattern: str
    value: Any
    #: The types of its parameters, by name.
    types: Dict[str, str]


class Match:
    """What a router has found in a URL. `match["id"]` is a parameter: an int, a float, a UUID, …"""

    __slots__ = (
        "component",
        "fragment",
        "items",
        "parameters",
        "pattern",
        "route",
        "url",
        "value",
    )

    def __init__(
        self,
        route: int,
        added: _Route,
        parameters: Dict[str, Any],
        items: List[Tuple[str, str]],
        fragment: Optional[str],
        url: str,
    ) -> None:
        #: The URL.
        self.url = url
        #: The number of the route, its pattern, and what was added with it.
        self.route = route
        self.pattern = added.pattern
        self.value = added.value
        #: The parameters by name, from the left.
        self.parameters = parameters
        #: The query in order, with repeated keys. "+" stays "+".
        self.items = items
        #: What comes after "#"; None: there is no "#".
        self.fragment = fragment
        #: Of a leaving guard, the Component that is to be left; else, or if it has closed, None.
        self.component: Any = None

    @property
    def query(self) -> Dict[str, str]:
        """The query by key; of several values the last one counts."""
        return dict(self.items)

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __repr__(self) -> str:
        return f"<Match {self.pattern!r} {self.parameters!r}>"


class Router:
    """A set of routes. It needs no context. Only one thread at a time may use it."""

    __slots__ = ("_caught", "_converted", "_handle", "_routes")

    def __init__(self) -> None:
        self._handle: Optional[int] = None
        handle = ctypes.c_void_p()
        check(C.mainstem_router_create(ctypes.byref(handle)))
        self._handle = handle.value
        self._routes: Dict[int, _Route] = {}
        #: What the app's types have made of texts in this match, by type and text.
        self._converted: Dict[Tuple[str, bytes], Any] = {}
        #: What they have raised.
        self._caught: List[BaseException] = []

    def type(self, name: str, convert: Callable[[str], Any]) -> None:
        """Adds a type, which patterns may then name: `<colour:name>`.

        `convert` returns the parameter's value. If it raises ValueError or returns None, the text
        does not match. It gives the same each time, and does not call the router.
        """
        # Not the router itself: what the library keeps must not keep it.
        converted, caught = self._converted, self._caught

        def accepts(text: bytes) -> bool:
            try:
                value = convert(text.decode("utf-8"))
            except ValueError:
                return False
            except BaseException as exception:
                caught.append(exception)
                return False
            converted[name, text] = value
            return value is not None

        number = _callbacks.keep_accepts(accepts)
        status = C.mainstem_router_type_add(
            self._handle,
            encoded(name, "name"),
            _callbacks.on_route_type,
            number,
            _callbacks.on_release,
        )
        if status:
            _callbacks.forget(number)
        check(status)

    def add(self, pattern: str, value: Any = None) -> int:
        """Adds a route and returns its number. `value` is what matches of it carry."""
        number = ctypes.c_uint32()
        text = encoded(pattern, "pattern")
        check(C.mainstem_router_add(self._handle, text, ctypes.byref(number)))
        types = {name: kind for kind, name in _TYPED.findall(pattern)}
        self._routes[number.value] = _Route(pattern, value, types)
        return number.value

    def remove(self, route: int) -> None:
        """Removes a route by its number. Matches found before stay as they are."""
        check(C.mainstem_router_remove(self._handle, route))
        del self._routes[route]

    def match(self, url: str) -> Optional[Match]:
        """Finds the route that a URL takes; None: no pattern matches.

        Raises MainstemError with Status.BAD_URL: a malformed escape; in the path an escaped slash,
        a segment "." or "..", a zero, what is not UTF-8, all this also when decoded.
        """
        data = url.encode("utf-8", _LENIENT)
        if b"\0" in data:
            raise MainstemError(Status.BAD_URL, f"url: {url!r} has a zero byte in it")
        route, handle = ctypes.c_uint32(), ctypes.c_void_p()
        self._converted.clear()
        self._caught.clear()
        find = C.mainstem_router_match
        status = find(self._handle, data, ctypes.byref(route), ctypes.byref(handle))
        try:
            if self._caught:
                raise self._caught[0]
            if status == _NO_ROUTE:
                return None
            check(status)
            return self._read(handle, url)
        finally:
            if handle.value is not None:
                C.mainstem_match_release(handle)

    @staticmethod
    def write(pattern: str, values: Optional[Values] = None, **named: object) -> str:
        """Writes the URL of a pattern, escaped.

        Values that are not named in the pattern become the query, in their order; a list of pairs
        may repeat a key: `Router.write("user/<int:id>", id=7, tab="all posts")`. A value is a str,
        a number, or has a `__str__` of its own; None, a list or bytes are a TypeError.
        """
        pairs = list(values.items()) if isinstance(values, Mapping) else list(values or ())
        pairs += named.items()
        rows = (RouteValue * len(pairs))(
            *(RouteValue(_value(name, "a name"), _value(value, name)) for name, value in pairs)
        )
        length = ctypes.c_size_t()
        text = encoded(pattern, "pattern")
        status = C.mainstem_route_write(text, rows, len(rows), None, 0, ctypes.byref(length))
        if status and status != Status.TOO_BIG:
            check(status)
        url = ctypes.create_string_buffer(length.value + 1)
        check(C.mainstem_route_write(text, rows, len(rows), url, len(url), None))
        return url.value.decode("ascii")

    def close(self) -> None:
        """Closes the router; a second call does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            check(C.mainstem_router_close(handle))

    def __enter__(self) -> "Router":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            C.mainstem_router_close(self._handle)

    def _read(self, handle: Any, url: str) -> Match:
        info = MatchInfoStruct(size=ctypes.sizeof(MatchInfoStruct))
        check(C.mainstem_match_read(handle, ctypes.byref(info)))
        added = self._routes[info.route]
        parameters: Dict[str, Any] = {}
        for row in info.parameters[: info.parameter_count]:
            name = _bytes(row.name, row.name_size).decode("utf-8")
            parameters[name] = self._typed(name, row, added)
        items = [
            (_text(row.name, row.name_size), _text(row.text, row.size))
            for row in info.query[: info.query_count]
        ]
        fragment = None if info.fragment is None else _text(info.fragment, info.fragment_size)
        return Match(info.route, added, parameters, items, fragment, url)

    def _typed(self, name: str, row: ParameterStruct, added: _Route) -> Any:
        data = _bytes(row.text, row.size)
        if row.type == PARAMETER_APP:
            return self._converted[added.types[name], data]
        text = data.decode("utf-8")
        if row.type == PARAMETER_INTEGER:
            return int(text)
        if row.type == PARAMETER_NUMBER:
            return float(text)
        return uuid.UUID(text) if row.type == PARAMETER_UUID else text


def _bytes(address: int, size: int) -> bytes:
    return ctypes.string_at(address, size)


def _text(address: int, size: int) -> str:
    return _bytes(address, size).decode("utf-8", _LENIENT)


def _value(value: object, name: str) -> bytes:
    if not _has_text(value):
        raise TypeError(
            f"values: {name}={value!r} is no text: give a str, an int, a float, or an object that"
            " has a __str__ of its own; leave out a key that has no value"
        )
    data = str(value).encode("utf-8", _LENIENT)
    if b"\0" in data:
        raise MainstemError(Status.INVALID, f"values: {value!r} has a zero byte in it")
    return data


def _has_text(value: object) -> bool:
    """Whether its str() is more than how Python shows it."""
    if isinstance(value, enum.Enum):
        return type(value).__str__ is not enum.Enum.__str__
    if isinstance(value, _SHOWN):
        return False
    is_plain = isinstance(value, (str, int, float))
    return is_plain or type(value).__str__ is not object.__str__
