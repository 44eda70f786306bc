# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What scripts are about: the types, the steps and their weights, the features."""

from __future__ import annotations

from typing import NamedTuple

from reference.declarations import d
from reference.state.commands import types_of

# Name, contract, response: every payload kind, every role, roles by name and by contract.
CATALOGUE: list[tuple[str, int, str | None]] = [
    ("RequestA", d.PAYLOAD_TEXT | d.LAYER_MODEL, "ResponseA"),
    ("ResponseA", d.PAYLOAD_TEXT | d.LAYER_MODEL, None),
    ("NoticeA", d.PAYLOAD_BYTES, None),
    ("RequestB", d.PAYLOAD_NONE | d.LAYER_VIEW, "ResponseB"),
    ("ResponseB", d.PAYLOAD_STRUCT | 4, None),
    ("NoticeB", d.PAYLOAD_JSON | d.LAYER_VIEW, None),
    ("Ask", d.PAYLOAD_TEXT | d.ROLE_REQUEST, "ResponseA"),
    ("RequestC", d.PAYLOAD_NUMBER, "ResponseC"),
    ("ResponseC", d.PAYLOAD_INTEGER, None),
    ("RequestD", d.PAYLOAD_BOOL, None),
    ("Count", d.PAYLOAD_INTEGER | d.ROLE_VALUE, None),
    ("Label", d.PAYLOAD_TEXT | d.ROLE_VALUE | d.LAYER_VIEW, None),
    ("IsOn", d.PAYLOAD_BOOL | d.ROLE_VALUE, None),
    ("RequestFetchE", d.PAYLOAD_TEXT, "ResponseA"),
    ("RequestReloadE", d.PAYLOAD_NONE, "ResponseB"),
    ("FetchedE", d.PAYLOAD_TEXT | d.ROLE_REQUEST, "ResponseA"),
    ("performE", d.PAYLOAD_NONE | d.ROLE_REQUEST, "ResponseB"),
    ("Rows", d.PAYLOAD_TEXT | d.ROLE_VALUE | d.LIST, None),
    ("Ticks", d.PAYLOAD_INTEGER | d.ROLE_VALUE | d.LIST | d.LAYER_VIEW, None),
]
#: Where the values begin, which only scripts about values register; where the requests begin whose
#: names say what their handlers do, which only scripts about effects register; where the lists
#: begin, which only scripts about lists register.
VALUES, EFFECTS_BEGIN, LISTS_BEGIN = 10, 13, 17
CONTRACTS = {name: (contract, response) for name, contract, response in CATALOGUE}
# What an owner shows to its bindings: the types `Owner.a` and `Owner.b`.
SHOWN = {"a": d.PAYLOAD_TEXT | d.LAYER_VIEW, "b": d.PAYLOAD_BOOL | d.ROLE_VALUE}
#: The same, in scripts about lists.
SHOWN_LISTS = {"c": d.PAYLOAD_TEXT | d.ROLE_VALUE | d.LIST}


def is_asked(which: int) -> bool:
    """Whether a type of scripts, by its place in the catalogue, is a request that is answered."""
    return which >= len(CATALOGUE) or CATALOGUE[which][2] is not None


def contract_of(name: str) -> tuple[int, str | None]:
    """The contract and the response of a type of scripts."""
    owner, _, shown = name.partition(".")
    if not shown:
        return CONTRACTS[name]
    if shown in SHOWN or shown in SHOWN_LISTS:
        return {**SHOWN, **SHOWN_LISTS}[shown], None
    types = types_of(owner)
    return next((contract, response) for each, contract, response in types if each == name)


OUTSIDE_WEIGHTS = {
    "send": 22,
    "request": 14,
    "observe": 16,
    "server_add": 7,
    "scope_add": 4,
    "scope_end": 5,
    "cancel": 5,
    "cancel_wait": 2,
    "subscription_from": 1,
    "post": 7,
    "drain": 6,
    "flush": 1,
    "wait": 2,
    "type_add": 3,
    "respond": 5,
    "retained_release": 2,
    "pending_cancel": 3,
    "pending_position": 1,
    "stats": 1,
    "close": 0.3,
}
CALLBACK_WEIGHTS = {
    "send": 22,
    "request": 12,
    "observe": 12,
    "server_add": 3,
    "scope_add": 2,
    "scope_end": 5,
    "cancel": 14,
    "cancel_wait": 1,
    "subscription_from": 2,
    "post": 4,
    "drain": 1,
    "flush": 0.5,
    "wait": 0.5,
    "type_add": 3,
    "respond": 10,
    "retain": 7,
    "retained_release": 2,
    "pending_cancel": 4,
    "pending_position": 1,
    "fail": 8,
    "confirm": 3,
    "stats": 1,
    "close": 0.7,
}
#: What show functions do: they send notices, and some try what is refused there.
SHOW_WEIGHTS = {
    "send": 40,
    "request": 1,
    "post": 1,
    "respond": 1,
    "respond_progress": 0.5,
    "observe": 1,
    "server_add": 0.5,
    "scope_add": 0.5,
    "scope_end": 1,
    "pending_cancel": 1,
    "cancel": 3,
    "drain": 0.5,
    "type_add": 1,
    "retained_release": 1,
    "send_many": 2,
    "send_after": 0.5,
    "history_keep": 0.5,
    "scheduler_add": 0.5,
}
FOREIGN = (
    "send",
    "post",
    "respond",
    "cancel",
    "observe",
    "subscription_demand",
    "respond_progress",
    "value_set",
    "list_set",
    "children_set",
    "binding_set",
    "timer_cancel",
    "post_from_interrupt",
)
# How often it is another thread that calls; else rarely.
ELSEWHERE = {"respond": 0.25, "respond_progress": 0.4, "cancel": 0.2}


class Feature(NamedTuple):
    """What a script may be about: how often it is, and the steps it brings."""

    odds: float
    weights: dict[str, float]
    #: Who chooses it: what was added later has chance of its own, so that other scripts stay
    #: ("each": its own alone).
    chance: str = "random"
    #: What comes with it.
    needs: str = ""


FEATURES = {
    "schedulers": Feature(0.6, {"send": 12, "drain": 7, "scheduler_add": 2}),
    "demand": Feature(0.3, {"subscription_demand": 9}),
    "mailboxes": Feature(0.25, {"mailbox_take": 14}),
    "counters": Feature(0.5, {"subscription_stats": 5, "next_timeout": 3, "readable": 2}),
    "batches": Feature(0.2, {"send_many": 4}),
    "host": Feature(0.15, {"drain": 10}),
    "timers": Feature(
        0.3, {"send_after": 8, "send_every": 3, "timer_cancel": 3, "advance": 8, "now": 1}
    ),
    "history": Feature(0.25, {"history_keep": 7, "observe": 6}),
    "interrupts": Feature(0.15, {"post_from_interrupt": 8}),
    "rights": Feature(0.15, {"scope_add": 8}),
    "limits": Feature(0.2, {"send": 6}),
    "progress": Feature(0.2, {"respond_progress": 12, "request": 8, "retain": 6}),
    "asked": Feature(0.3, {"request": 8, "advance": 6}),
    "servers": Feature(0.3, {"request": 12, "server_add": 8, "scope_end": 8}),
    "settled": Feature(0.15, {"request": 10, "pending_cancel": 8}, "later"),
    "served": Feature(0.2, {"request": 10, "server_add": 6, "drain": 6}, "later"),
    "origins": Feature(
        0.2, {"observe": 8, "server_add": 8, "scope_add": 4, "send": 8, "request": 8}, "later"
    ),
    "bindings": Feature(
        0.2,
        {
            "binding_add": 9,
            "binding_retarget": 6,
            "binding_set": 8,
            "binding_on_changes": 4,
            "binding_on_ended": 4,
            "binding_end": 1,
            "show": 14,
            "scope_add": 5,
            "scope_end": 2,
            "observe": 4,
            "drain": 4,
        },
        "later",
    ),
    "found": Feature(0.2, {"scope_find": 10, "scope_add": 5, "scope_end": 3}, "later"),
    "opens": Feature(
        0.2, {"instance_open": 14, "scope_add": 4, "scope_end": 6, "factory_add": 0.3}, "later"
    ),
    "shows": Feature(0.2, {"server_add": 12, "send": 8, "request": 10, "observe": 6}, "each"),
    "group": Feature(0.2, {}, "each"),
    "values": Feature(
        0.14, {"value_set": 30, "value_get": 4, "observe": 8, "scope_add": 4}, "last"
    ),
    "rows": Feature(
        0.1, {"show": 16, "binding_set": 24, "drain": 14, "binding_retarget": 3}, "rows", "bindings"
    ),
    "ended": Feature(
        0.1,
        {
            "binding_add": 12,
            "binding_on_ended": 16,
            "scope_end": 12,
            "scope_add": 10,
            "binding_retarget": 6,
        },
        "rows",
        "bindings",
    ),
    "commands": Feature(
        0.12,
        {
            "viewmodel_add": 3,
            "command": 24,
            "binding_run": 30,
            "allow": 8,
            "binding_add": 6,
            "respond": 12,
            "pending_cancel": 5,
        },
        "models",
        "bindings",
    ),
    "services": Feature(
        0.14,
        {
            "service_find": 16,
            "request": 26,
            "instance_open": 6,
            "respond": 8,
            "retain": 6,
            "scope_add": 4,
            "scope_end": 8,
        },
        "services",
    ),
    "effects": Feature(
        0.12, {"value_set": 20, "request": 24, "server_add": 6, "respond": 6}, "effects", "values"
    ),
    "reactors": Feature(
        0.1,
        {
            "reactor_add": 3,
            "mutate": 30,
            "merge": 14,
            "state": 4,
            "observe": 10,
            "command": 12,
            "binding_run": 16,
        },
        "reactors",
        "commands bindings",
    ),
    "lists": Feature(
        0.12,
        {"list_set": 36, "list_read": 4, "value_get": 4, "value_set": 1, "observe": 8, "retain": 3},
        "listed",
    ),
    "children": Feature(
        0.08,
        {"children_set": 30, "scope_add": 4, "scope_end": 8, "observe": 6, "list_set": 2},
        "each",
        "lists",
    ),
}
ON_SCHEDULERS = ("demand", "mailboxes", "served")
