# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Signals in Python: what a context has as observables of the package `reactivex`.

    from mainstem import rx
    from reactivex import operators as op

    found = rx.events(context, Typed).pipe(
        op.debounce(0.3),
        op.switch_map(lambda typed: rx.request(context, RequestSearch(typed.text))),
        op.map(lambda answer: Found(answer.titles)),
    )
    run = rx.send(found, context)  # run.dispose() ends it

The extra `mainstem[rx]` installs reactivex. docs/signals.md has the rules.
"""

try:
    import reactivex as _reactivex  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "reactivex":
        raise
    raise ModuleNotFoundError(
        "mainstem.rx needs the package reactivex: install it with pip install 'mainstem[rx]'",
        name="reactivex",
    ) from None

from .scheduler import ContextScheduler
from .sinks import send, set_value
from .sources import events, request, values

__all__ = ["ContextScheduler", "events", "request", "send", "set_value", "values"]
