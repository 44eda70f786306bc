# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Statuses of the header that no case here provokes: who does, or why nobody can."""

from __future__ import annotations

#: By status and file of Tests/CTests: the functions that it provokes the status of.
PROVOKED = {
    "NO_MEMORY": {
        "memory_failure.c": "context_create",
        "memory_calls.h": "scope_add server_add server_add_with observe observe_with"
        " send post send_after request request_with event_retain respond respond_error"
        " respond_error_with respond_progress activity_report type_add types_add layer_add"
        " send_many history_keep trace context_describe event_on_settled value_set value_get"
        " binding_add binding_retarget binding_on_changes binding_set binding_run viewmodel_add",
        "owner_memory.c": "factory_add instance_open service_add service_find",
        "router_memory.c": "router_create router_type_add router_add router_match",
        "reactor_memory.c": "reactor_add reactor_mutate reactor_stub",
        "navigator_memory.c": "navigator_add routes_type_add routes_add guard_add stage_add"
        " component_finish component_gone",
    },
    "BUSY": {
        "reactor.c": "reactor_mutate",
        "mission_reactor.c": "reactor_merge",
        "service.c": "service_find",
    },
    "FULL": {"reactor.c": "reactor_mutate"},
    "POISONED": {"journal_faults.c": "context_close"},
    "IO": {"journal_faults.c": "context_close"},
}

#: They send, ask, and answer.
MOVES = "navigator_move navigator_open component_finish navigator_ready component_gone"
MOVES += " guard_answer component_shown"
ADDED = "navigator_add routes_type_add routes_add guard_add stage_add intents_add event_match"
SETTERS = "value_set_bool value_set_integer value_set_number value_set_text"

#: By status and reason: the functions of which nobody provokes it.
UNPROVOKED = {
    "LIMIT": {
        "they send as send does, or answer as respond does": MOVES,
        "they add what others add": ADDED,
        "no test makes as many handles as there can be": "event_retain scope_add"
        " send_after journal_open value_get"
        " router_create router_match",
        "they send as send does": "reactor_mutate reactor_merge service_find",
    },
    "NO_MEMORY": {
        "no test lets their allocations fail, in navigation": "navigator_move navigator_open"
        " navigator_ready guard_answer component_shown intents_add event_match component_read",
        "no test lets their allocations fail": "scheduler_add journal_record journal_open"
        " journal_next journal_next_many journal_follow"
        " journal_salvage replay_open replay_step replay_seek replay_run replay_supply",
        "they allocate what value_set does": SETTERS,
        "it does what reactor_mutate does": "reactor_merge",
    },
    "DENIED": {
        "who answers needs no right of its own": "guard_answer",
        "who has made the reactor may send what it sends": "reactor_stub",
    },
    "FULL": {
        "they send as reactor_mutate does": "reactor_merge reactor_stub",
        "they send as send does, or answer as respond does": MOVES,
    },
    "TOO_BIG": {
        "no limit in a test is below a scalar": SETTERS,
        "they send as send does": "reactor_mutate reactor_merge",
        "what they send is small": "component_shown component_gone navigator_ready",
    },
}


def excused(name):
    """The statuses of a function that are provoked elsewhere, or nowhere."""
    short = name[len("mainstem_") :]
    return {
        status
        for table in (PROVOKED, UNPROVOKED)
        for status, rows in table.items()
        if any(short in functions.split() for functions in rows.values())
    }
