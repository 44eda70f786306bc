// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The messages of refused calls, in the words of this module: C says them in its own.
///
/// A message begins with a function, so whatever begins otherwise is somebody else's, and stays as it is. What a journal
/// keeps stays in the words of C, in which it has always been: ``RecordedWords``.
enum SwiftWords {
  /// The message, in the words of this module.
  static func translate(_ message: String) -> String {
    guard message.hasPrefix("mainstem_"), let colon = message.firstIndex(of: ":") else {
      return message
    }
    let name = String(message[..<colon].dropFirst(9))
    guard let function = functions[RecordedWords.functions.first { $0.value == name }?.key ?? name]
    else {
      return message
    }
    var rest = String(message[colon...])
    // Most have no other words of C.
    if rest.contains("NULL") || rest.contains("ainstem_") || rest.contains("AINSTEM_")
      || rest.contains("options.") || rest.contains("rows.") || rest.contains("limit_")
    {
      for (words, ours) in phrases { rest = rest.replacing(words, with: ours) }
    }
    return function + rest
  }

  /// The functions that this module calls, without their prefix, and what a program calls here.
  static let functions = [
    "request_count": "requestCount", "activity_report": "reportActivity", "binding_add": "bind",
    "binding_end": "end", "binding_on_changes": "onChanges", "binding_on_ended": "onEnded",
    "binding_retarget": "retarget", "binding_run": "run", "binding_set": "set", "cancel": "cancel",
    "cancel_wait": "cancelAndWait", "component_finish": "finish", "component_gone": "gone",
    "component_read": "component", "context_advance": "advance", "context_close": "close",
    "context_create": "Context", "callback_position": "event", "context_fd": "fileDescriptor",
    "context_first_error": "firstError", "context_id": "id", "context_next_timeout": "nextTimeout",
    "context_now": "now", "context_on_wake": "onWake", "context_random": "random",
    "context_describe": "describe",
    "context_is_replaying": "isReplaying", "context_stats_read": "stats", "drain": "drain",
    "mailbox_take": "fetch", "event_component": "component", "event_error": "failure",
    "event_is_settled": "isSettled", "event_line": "line", "event_on_settled": "onSettled",
    "event_retain": "reply", "factory_add": "addFactory", "fail": "fail", "flush": "flush",
    "gate_add": "addGate",
    "resource_get": "bytes(of:)", "resource_read": "withBytes", "resource_release": "bytes(of:)",
    "resources_add": "addResources", "resources_put": "put",
    "guard_add": "guarded", "guard_answer": "guard", "hide_read": "hide",
    "history_keep": "keepHistory", "intents_add": "intents", "journal_close": "close",
    "journal_event_line": "line", "journal_follow": "follow", "journal_info_read": "info",
    "journal_next": "sessions", "journal_next_many": "next",
    "journal_on_durable": "onDurable", "journal_open": "Journal", "journal_origin_name": "origin",
    "journal_record": "record", "journal_salvage": "salvage", "journal_stats_read": "journalStats",
    "journal_sync": "sync", "journal_type_read": "type", "layer_add": "layer",
    "list_count": "rows", "list_find": "index(of:)", "list_read": "changes", "list_row_get": "rows",
    "list_set": "set", "list_set_window": "set", "list_span": "span", "list_window_get": "offset",
    "children_set": "children",
    "match_read": "match",
    "match_release": "match", "viewmodel_add": "open", "navigator_add": "addRoutes",
    "event_match": "match", "navigator_ready": "ready", "navigator_tree": "tree",
    "observe_with": "observe", "order_key": "OrderKey.between", "order_key_at": "OrderKey.spread",
    "query_make": "Query", "query_release": "Query", "query_select": "select", "query_sql": "sql",
    "origin_name": "origin", "pending_cancel": "cancel",
    "pending_position": "position", "post": "post", "replay_close": "close",
    "replay_difference_read": "difference", "replay_info_read": "info",
    "replay_on_secret": "onSecret", "replay_open": "replay", "replay_pause": "pause",
    "replay_run": "run", "replay_seek": "seek", "replay_step": "step",
    "replay_supply": "supply", "request": "request", "request_with": "request",
    "respond": "respond", "respond_error_with": "fail", "respond_progress": "progress",
    "retained_event": "reply", "retained_release": "reply", "route_write": "write",
    "router_add": "add", "router_close": "close", "router_create": "Router",
    "router_match": "match", "router_remove": "remove", "router_type_add": "addType",
    "routes_add": "addRoutes", "routes_read": "routes", "routes_type_add": "type",
    "scope_add": "scope", "scope_end": "close", "scope_find": "scope",
    "scope_number": "number", "send": "send", "send_after": "send(after:)",
    "send_many": "send(contentsOf:)", "scheduler_add": "serial",
    "server_add": "install", "server_add_with": "install", "service_add": "addService",
    "service_find": "find", "show_read": "show", "stage_add": "addStage", "status_name": "status",
    "subscription_demand": "next", "subscription_from": "from", "subscription_stats_read": "stats",
    "timer_cancel": "cancel", "type_add": "register", "type_find": "type", "type_read": "type",
    "undo_log_add": "addUndoLog",
    "value_get": "value", "value_set": "set", "value_set_bool": "set", "value_set_text": "set",
    "wait_interruptible": "wait", "workflow_add": "addWorkflow", "workflow_fail": "addWorkflow",
    "workflow_pass": "addWorkflow", "workflow_skip": "addWorkflow",
  ]

  /// What else C says in its own words, and what it is here. The longer ones come first.
  static let phrases = [
    ("has ended, or is not a handle: set it to NULL when it ends", "has ended: keep it no longer"),
    (
      "is closed already: close it once, and set it to NULL then",
      "is closed already: close it once"
    ),
    (
      "is not a value: register it with MAINSTEM_ROLE_VALUE",
      "is not a value: declare static let role = Role.value"
    ),
    (
      "has another payload: call the function made for it, or mainstem_value_set",
      "has another payload"
    ),
    ("gets its events unasked: observe with MAINSTEM_OBSERVE_ON_DEMAND", "gets its events unasked"),
    (
      "is not a scheduler: add one with mainstem_scheduler_add",
      "is not a scheduler of this context: add one with serial(…)"
    ),
    (
      "is not a mailbox: observe with fn NULL for one", "is not a mailbox: make one with mailbox(…)"
    ),
    ("bytes than limit_payload", "bytes than the context's payload limit: Limits(payload:)"),
    ("MAINSTEM_BINDING_TWO_WAY cannot be of a list", "a list has no two-way row"),
    ("is not MAINSTEM_VIEWMODEL_VALUE, as a list must be", "is a list, and must be a value"),
    ("is a list: call mainstem_list_set", "is a list: set(_:_:) sets it"),
    (
      "has no children: register it with MAINSTEM_LIST and MAINSTEM_PAYLOAD_INTEGER",
      "has no children: declare it with on.children"
    ),
    ("is no list: register it with MAINSTEM_LIST", "is no list: declare it as a ListEvent"),
    (
      "is a list and not a value: add MAINSTEM_ROLE_VALUE",
      "is a list and not a value: its role is Role.value"
    ),
    ("is a context: end it with mainstem_context_close", "is a context, not a scope"),
    ("is a scope: end it with mainstem_scope_end", "is a scope, not a context"),
    (
      "has no virtual clock: create it with MAINSTEM_CLOCK_VIRTUAL",
      "has no virtual clock: make it with ContextOptions(clock: .virtual)"
    ),
    (
      "was created without MAINSTEM_CONTEXT_INTERRUPTS",
      "was made without ContextOptions(interrupts: true)"
    ),
    (
      "call from that thread, or create the context with MAINSTEM_THREADS_ANY",
      "call from that thread, or make the context for an actor with Context(on:)"
    ),
    (
      "call from that thread, or send with mainstem_post",
      "call from that thread, or post with a poster(for:)"
    ),
    (
      "ask on that thread and pass the answer on, or make it for any thread (MAINSTEM_THREADS_ANY)",
      "ask on that thread and pass the answer on"
    ),
    (
      "is not a registered event type: pass a number from this context's mainstem_type_add",
      "is not an event type of this context"
    ),
    (
      "already exists: remove it, or record without MAINSTEM_JOURNAL_NEW",
      "already exists: remove it, or record without isNew"
    ),
    (
      "is not recorded: call mainstem_journal_record first",
      "is not recorded: call record(to:) first"
    ),
    ("made by mainstem_journal_salvage", "made by Journal.salvage"),
    ("mainstem_journal_salvage copies what is left", "Journal.salvage copies what is left"),
    ("is not MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND", "is of no kind"),
    ("is not MAINSTEM_COMMAND_…", "is not a policy"),
    (
      "MAINSTEM_BINDING_TWO_WAY needs a type with MAINSTEM_ROLE_VALUE",
      "a two-way row needs a value: a type with Role.value"
    ),
    ("is not a request: use mainstem_send", "is not a request: use send"),
    (
      "is no service: add it with mainstem_service_add", "is no service: declare it with addService"
    ),
    (
      "names no registered response: register it, and name it in mainstem_type_add",
      "has no registered Answer"
    ),
    (
      "has no factory: add one with mainstem_factory_add", "has no factory: add one with addFactory"
    ),
    (
      "must not be NULL: only a scope that is no server yet can become one",
      "is missing: only a scope that is no server yet can become one"
    ),
    (
      "or mark both handlers with MAINSTEM_HANDLER_SEVERAL",
      "or put both in `on.several { … }`"
    ),
    (
      "mark both with MAINSTEM_HANDLER_SEVERAL if they are wanted",
      "put both in `on.several { … }` if they are wanted"
    ),
    ("has MAINSTEM_HANDLER_WRITTEN without MAINSTEM_HANDLER_OWN", "is written, and not own"),
    ("is no type: add it with mainstem_router_type_add", "is no type: add it with addType"),
    (
      "has no navigator: add one with mainstem_routes_add",
      "has no navigator: add one with addRoutes"
    ),
    ("carries no payload: pass NULL and 0", "carries no payload"),
    ("is NULL, but size is not 0: pass both, or neither", "is missing"),
    (
      "and this is not UTF-8: use MAINSTEM_PAYLOAD_BYTES",
      "and this is not UTF-8: use Payload.bytes"
    ),
    (
      "a server rejects or blocks (MAINSTEM_QUEUE_REJECT or _BLOCK)",
      "a server's queue is .reject or .block"
    ),
    ("MAINSTEM_OBSERVE_WRITTEN needs a scope in `of`", "what is written is observed of a scope"),
    ("MAINSTEM_OBSERVE_ON_DEMAND needs a scheduler", "on demand needs a scheduler"),
    ("has both MAINSTEM_OBSERVE_FAILED and _SUCCEEDED", "is both failed and succeeded"),
    (
      "has MAINSTEM_OBSERVE_CONFIRM, but a mailbox has no callback to confirm",
      "has no callback to confirm"
    ),
    (
      "has MAINSTEM_OBSERVE_ON_DEMAND, but a mailbox is always fetched on demand",
      "is always fetched on demand"
    ),
    ("is none of MAINSTEM_THREADS_ONE, _ANY and _GUARDED", "is none of the threads that there are"),
    (
      "of limit_payload: raise it in the context's options",
      "of the context's payload limit: raise it in Limits(payload:)"
    ),
    (
      "limit_rows: raise it in the context's options",
      "the context's limit of rows: raise it in Limits(rows:)"
    ),
    ("whose data is NULL, but not its size", "without data, but with a size"),
    (
      "give all rows new keys, with mainstem_order_key_at",
      "give all rows new keys, with OrderKey.spread"
    ),
    ("must not be NULL", "is missing"),
    ("options.limit_payload", "limits.payload"),
    ("options.limit_rows", "limits.rows"),
    ("options.limit_events", "queue"),
    ("options.limit_bytes", "queue"),
    ("options.", ""),
    ("rows.", ""),
  ]
}
