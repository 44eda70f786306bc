# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The library's messages in the words of Python: it tells them in those of C."""

from __future__ import annotations

import re
from typing import Dict, Tuple

__all__ = ["NATS_PHRASES", "PHRASES", "recorded", "spoken"]


#: What a function of C is called in Python, where that is not its name without "mainstem_".
_NAMES: Dict[str, str] = {
    "activity_report": "report_activity",
    "binding_add": "bind",
    "binding_run": "run",
    "binding_set": "write",
    "context_advance": "advance",
    "context_close": "close",
    "context_create": "Context",
    "context_describe": "describe",
    "context_random": "random",
    "event_retain": "retain",
    "factory_add": "factory",
    "gate_add": "gate",
    "guard_add": "guard",
    "history_keep": "keep_history",
    "intents_add": "intent",
    "journal_next": "Journal",
    "journal_next_many": "Journal",
    "journal_open": "Journal",
    "journal_record": "record",
    "journal_salvage": "salvage",
    "journal_sync": "sync",
    "layer_add": "add_layer",
    "children_set": "children",
    "list_set": "set_list",
    "list_set_window": "set_list",
    "query_make": "Query",
    "query_select": "Query.select",
    "query_sql": "Query.sql",
    "viewmodel_add": "open",
    "nats_close": "close",
    "nats_fetch": "fetch",
    "nats_flush": "flush",
    "nats_forward": "forward",
    "nats_import": "import_stream",
    "nats_mirror": "mirror",
    "nats_serve": "serve",
    "nats_stats_read": "stats",
    "navigator_add": "Navigator",
    "navigator_move": "navigator",
    "navigator_open": "navigator.open",
    "observe_with": "observe",
    "instance_open": "open_instance",
    "reactor_add": "open",
    "reactor_mutate": "mutate",
    "replay_open": "replay",
    "replay_step": "replay",
    "replay_run": "replay.run",
    "replay_seek": "replay.seek",
    "request_with": "request",
    "resource_get": "get",
    "resources_add": "resources",
    "resources_put": "put",
    "respond_error": "respond",
    "respond_error_with": "respond",
    "respond_progress": "progress",
    "route_write": "Router.write",
    "router_add": "Router.add",
    "router_match": "Router.match",
    "router_type_add": "Router.type",
    "routes_add": "route",
    "routes_type_add": "Navigator.type",
    "scope_add": "scope",
    "scope_end": "end",
    "scope_find": "find_scope",
    "scheduler_add": "serial",
    "server_add": "server",
    "server_add_with": "server",
    "service_add": "service",
    "service_find": "find",
    "stage_add": "stage",
    "timer_cancel": "cancel",
    "type_add": "add_type",
    "type_find": "type",
    "type_read": "read_type",
    "value_get": "value",
    "wait_interruptible": "wait",
    "undo_log_add": "undo_log",
    "workflow_add": "workflow",
    "workflow_fail": "workflow",
    "workflow_pass": "workflow",
    "workflow_skip": "workflow",
}

#: What the library says to programs in C, and what that means in Python.
PHRASES: Tuple[Tuple[str, str], ...] = (
    (
        "has ended, or is not a handle: set it to NULL when it ends",
        "has ended: use it no longer",
    ),
    (
        "belongs to another thread: call from that thread, or create the context with "
        "MAINSTEM_THREADS_ANY",
        'belongs to another thread: other threads use post(…), or a Context(threads="any")',
    ),
    (
        "belongs to another thread: call from that thread, or send with mainstem_post",
        'belongs to another thread: other threads use post(…), or a Context(threads="any")',
    ),
    (
        "belongs to another thread: ask on that thread and pass the answer on, or make it for"
        " any thread (MAINSTEM_THREADS_ANY)",
        "belongs to another thread: ask on that thread and pass the answer on, or make it a "
        'Context(threads="any")',
    ),
    (
        "is not a value: register it with MAINSTEM_ROLE_VALUE",
        'is not a value: add_type(…, role="value")',
    ),
    (
        "give all rows new keys, with mainstem_order_key_at",
        "give all rows new keys, with order_keys",
    ),
    (
        "is a list: call mainstem_list_set",
        "is a list: set_list(…) sets it",
    ),
    (
        "is no list: register it with MAINSTEM_LIST",
        "is no list: register it with add_list(…)",
    ),
    (
        "has no children: register it with MAINSTEM_LIST and MAINSTEM_PAYLOAD_INTEGER",
        "has no children: declare it with @children",
    ),
    ("has a row whose data is NULL, but not its size", "has a row without data"),
    ("MAINSTEM_BINDING_TWO_WAY cannot be of a list", "a list has no two-way row"),
    ("is not MAINSTEM_VIEWMODEL_VALUE, as a list must be", "is a list, and must be a value"),
    (
        "is a list and not a value: add MAINSTEM_ROLE_VALUE",
        "is a list and not a value: register it with add_list(…)",
    ),
    (
        "has another payload: call the function made for it, or mainstem_value_set",
        "has another payload",
    ),
    (
        "gets its events unasked: observe with MAINSTEM_OBSERVE_ON_DEMAND",
        "gets its events unasked: make a mailbox",
    ),
    (
        "is not a scheduler: add one with mainstem_scheduler_add",
        "is not a scheduler: serial(…) adds one",
    ),
    (
        "is not a mailbox: observe with fn NULL for one",
        "is not a mailbox: mailbox(…) makes one",
    ),
    (
        "is closed already: close it once, and set it to NULL then",
        "is closed already",
    ),
    (
        "is a context: end it with mainstem_context_close",
        "is a context: close() ends it",
    ),
    (
        "is a scope: end it with mainstem_scope_end",
        "is a scope: end() ends it",
    ),
    (
        "has no virtual clock: create it with MAINSTEM_CLOCK_VIRTUAL",
        'has no virtual clock: create it with Context(clock="virtual")',
    ),
    (
        "was created without MAINSTEM_CONTEXT_INTERRUPTS",
        "was created without interrupts=True",
    ),
    (
        "must not be NULL: only a scope that is no server yet can become one",
        "must not be left out: only a scope that is no server yet can become one",
    ),
    (
        "must not be NULL",
        "must not be None",
    ),
    (
        "is not a registered event type: pass a number from this context's mainstem_type_add",
        "is not a registered event type: pass a number that this context's add_type gave",
    ),
    (
        "already exists: remove it, or record without MAINSTEM_JOURNAL_NEW",
        "already exists: remove it, or record without new=True",
    ),
    (
        "is not recorded: call mainstem_journal_record first",
        "is not recorded: call record(…) first",
    ),
    (
        "is not a journal, or its header is damaged: mainstem_journal_salvage copies what is left",
        "is not a journal, or its header is damaged: mainstem.salvage copies what is left",
    ),
    (
        "has an older version of the format: record into a copy in the current one, made by"
        " mainstem_journal_salvage",
        "has an older version of the format: record into a copy in the current one, made by"
        " mainstem.salvage",
    ),
    (
        "is not MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND",
        "is no kind of row",
    ),
    (
        "is not MAINSTEM_COMMAND_…",
        "is no policy",
    ),
    (
        "MAINSTEM_BINDING_TWO_WAY needs a type with MAINSTEM_ROLE_VALUE",
        "two_way needs a value",
    ),
    (
        "is not a request: use mainstem_send",
        "is not a request: use send",
    ),
    (
        "is no service: add it with mainstem_service_add",
        "is no service: service(…) declares one",
    ),
    (
        "names no registered response: register it, and name it in mainstem_type_add",
        "names no registered response: register it, and name it in add_type(…, response=…)",
    ),
    (
        "has no factory: add one with mainstem_factory_add",
        "has no factory: factory(…) adds one",
    ),
    (
        "or mark both handlers with MAINSTEM_HANDLER_SEVERAL",
        "or say several=True for both",
    ),
    (
        "mark both with MAINSTEM_HANDLER_SEVERAL if they are wanted",
        "say several=True if both are wanted",
    ),
    (
        "has MAINSTEM_HANDLER_WRITTEN without MAINSTEM_HANDLER_OWN",
        "gets what is written, but not as its own",
    ),
    (
        "is no type: add it with mainstem_router_type_add",
        "is no type: Router.type adds it",
    ),
    (
        "has no navigator: add one with mainstem_routes_add",
        "has no navigator: mainstem.Navigator(context) adds one",
    ),
    (
        "carries no payload: pass NULL and 0",
        "carries no payload: leave out its data",
    ),
    (
        "is NULL, but size is not 0: pass both, or neither",
        "is missing",
    ),
    (
        "carries text, and this is not UTF-8: use MAINSTEM_PAYLOAD_BYTES",
        "carries text, and this is not UTF-8: use payload=bytes",
    ),
    (
        "loses requests: a server rejects or blocks (MAINSTEM_QUEUE_REJECT or _BLOCK)",
        'loses requests: a server has the policy "reject" or "block"',
    ),
    (
        "MAINSTEM_OBSERVE_WRITTEN needs a scope in `of`",
        "what is written is heard of a scope: say of=",
    ),
    (
        "MAINSTEM_OBSERVE_ON_DEMAND needs a scheduler",
        "a mailbox needs a scheduler",
    ),
    (
        "has both MAINSTEM_OBSERVE_FAILED and _SUCCEEDED",
        "has both failed=True and failed=False",
    ),
    (
        "has MAINSTEM_OBSERVE_CONFIRM, but a mailbox has no callback to confirm",
        "is of no use to a mailbox",
    ),
    (
        "has MAINSTEM_OBSERVE_ON_DEMAND, but a mailbox is always fetched on demand",
        "is of no use to a mailbox",
    ),
    (
        "is none of MAINSTEM_THREADS_ONE, _ANY and _GUARDED",
        'is not "one", "any" or "guarded"',
    ),
    (
        "of limit_payload: raise it in the context's options",
        "of the context's limit: raise it, Context(limits=Limits(payload=…))",
    ),
    ("bytes than limit_payload", "bytes than Limits(payload=…) of the context"),
    (
        "limit_rows: raise it in the context's options",
        "the context's limit: raise it, Context(limits=Limits(rows=…))",
    ),
    ("options.limit_payload", "limits.payload"),
    ("options.limit_rows", "limits.rows"),
    ("options.limit_events", "limit"),
    ("options.limit_bytes", "limit_bytes"),
)

#: The same for the bridge's messages.
NATS_PHRASES: Tuple[Tuple[str, str], ...] = (
    ("size: set .size = sizeof options", "this package is for another version of the bridge"),
    ("layers or types: is NULL, but the count is not 0", "layers or types: is missing"),
    ("is NULL or empty", "is empty"),
    ("is NULL", "is missing"),
    ("options.url: ", "to: "),
    ("options.", ""),
)

_FUNCTION = re.compile(r"mainstem_([a-z_]+): ")

#: What functions were called in 0.10, and words of messages. Journals keep these for good: where a
#: handler lets the error of a refused call pass, its message is the answer.
_RECORDED: Dict[str, str] = {
    "binding_retarget": "binding_point",
    "callback_position": "context_event",
    "context_is_replaying": "context_replaying",
    "context_stats_read": "context_stats",
    "event_match": "navigator_match",
    "instance_open": "owner_open",
    "mailbox_take": "drain_records",
    "request_count": "activity",
    "scheduler_add": "serial_add",
    "scope_add": "scope_add_with",
    "subscription_demand": "subscription_ask",
    "types_add": "catalogue_add",
    "viewmodel_add": "model_add",
}
_RECORDED_WORDS: Tuple[Tuple[str, str], ...] = (
    ("MAINSTEM_OBSERVE_CONFIRM", "MAINSTEM_CONFIRM"),
    (
        "MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND",
        "MAINSTEM_SHOWS, _WRITABLE, _PULSES or _COMMAND",
    ),
    ("mainstem_scheduler_add", "mainstem_serial_add"),
    (": error.message: ", ": error.sentence: "),
    (": message: ", ": sentence: "),
    (": move.kind: ", ": move.how: "),
    (": options.durability: ", ": options.level: "),
    (": rows.cancelled_by: ", ": rows.until: "),
)
_NOW = {then: now for now, then in _RECORDED.items()}


def recorded(message: str) -> str:
    """A message of the library as journals have it, whose words never change."""
    begin = _FUNCTION.match(message)
    if begin is None:
        return message
    name, rest = begin.group(1), message[begin.end() - 2 :]
    for now, then in _RECORDED_WORDS:
        rest = rest.replace(now, then)
    return f"mainstem_{_RECORDED.get(name, name)}{rest}"


def spoken(message: str) -> str:
    """A message of the library, which names function, argument and reason, in words of Python."""
    begin = _FUNCTION.match(message)
    if begin is not None:
        name = _NOW.get(begin.group(1), begin.group(1))
        name = _NAMES.get(name, name)
        # What the function itself called is not the program's business.
        rest = _FUNCTION.sub("", message[begin.end() :])
        if begin.group(1).startswith("nats_"):
            for phrase, meant in NATS_PHRASES:
                rest = rest.replace(phrase, meant)
        message = f"{name}: {rest}"
    for phrase, meant in PHRASES:
        if phrase in message:
            return message.replace(phrase, meant)
    return message
