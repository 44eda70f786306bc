# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Services: servers that are made when they are first asked for, once in a context."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Tuple, Type, Union, cast

from ._library import C, _callbacks
from .events._payload import Payload
from .events._received import Event
from .failure import check, encoded, refuse_async
from .servers._requests import Factory
from .servers._server import handled_by

if TYPE_CHECKING:
    from .context import Context
    from .scope import Scope


class Service(Factory):
    """Makes one instance for all, and others for scopes that open one of their own."""

    __slots__ = ("types",)

    #: The names of the types that it handles.
    types: Tuple[str, ...]

    def _fill(self, scope: Any, event: Optional[Event]) -> None:
        def install() -> Any:
            super(Service, self)._fill(scope, event)
            return scope

        scope.context._installed(install)

    def _add(self, name: bytes, contract: int, number: int) -> int:
        names = [encoded(each, "types") for each in self.types]
        table = (ctypes.c_char_p * len(names))(*names)
        return int(
            C.mainstem_service_add(
                self._parent.handle,
                name,
                table,
                len(self.types),
                contract,
                _callbacks.on_make,
                number,
                _callbacks.on_release,
            )
        )


class Finding:
    """The part of a scope that declares and finds services."""

    __slots__ = ()

    context: "Context"
    handle: int

    def service(
        self,
        name: Union[str, type],
        make: Optional[Callable[..., object]] = None,
        payload: Payload = None,
        *,
        handles: Iterable[Any] = (),
        layer: Optional[str] = None,
    ) -> None:
        """Declares a service, before the first event. It is made when somebody asks for it.

        `context.service(Diary)` is for a class whose methods are marked with `mainstem.handles` and
        `mainstem.show_function`, or a view model; `make`, if there is one, returns an object of it.
        The first request that the class handles makes the service, or `find`; a request is not
        lost.

        `context.service("Diary", make, handles=[…])` is for any other: `make(scope, request)` fills
        the scope. `request` is None if a callback's `find` makes it. What `make` raises is the
        answer, and the next request tries again.

        There is one instance in a context. `open_instance` with its name opens one of one's own,
        which gets what is sent through its scope. `end()` of a service's scope ends it: the next
        request makes another. A replay makes the same services at the same places.
        """
        refuse_async(make, "make")
        if isinstance(name, str):
            if make is None:
                raise TypeError(f"service: {name!r} has no function that makes it")
            self._declare(name, make, handles, payload, layer)
            return
        kind, made = cast(Type[Any], name), make

        def fill(scope: "Scope", request: Any) -> None:
            instance: Any = kind() if made is None else made(request)
            if hasattr(kind, "__mainstem_model__"):
                instance.__mainstem_open__(scope, service_name(kind), True, True)
            else:
                scope._become(instance)

        types = [*handled_by(kind), *handles]
        self._declare(service_name(kind), fill, types, payload, layer)

    def find(self, service: Union[str, type]) -> "Scope":
        """Finds a service by its class or name, and makes it if there is none yet.

        In a callback that a replay repeats, it is made at once. Elsewhere that is a request, which
        is recorded; so in a context that delivers on the host it raises UNSET, and the service is
        there after a drain. A scope that may do less than the service is DENIED.
        """
        name = service if isinstance(service, str) else service_name(service)
        found = ctypes.c_void_p()
        status = C.mainstem_service_find(self.handle, encoded(name, "name"), ctypes.byref(found))
        self.context.thrown.raise_caught()
        check(status)
        return self._child(found.value or 0, name)

    def _declare(
        self,
        name: str,
        make: Callable[[Any, Any], object],
        handles: Iterable[Any],
        payload: Payload,
        layer: Optional[str],
    ) -> None:
        service = Service(cast("Scope", self), name, make, self._child)
        catalogue = self.context.catalogue
        numbers = [catalogue.number_of(each) for each in handles]
        service.types = tuple(catalogue.name_of(each) for each in numbers)
        service.add(payload, layer)

    def _child(self, handle: int, name: str) -> "Scope":
        raise NotImplementedError


def service_name(kind: type) -> str:
    """The name of a class's service: a view model may pin another."""
    model = getattr(kind, "__mainstem_model__", None)
    return kind.__name__ if model is None else str(model.name)
