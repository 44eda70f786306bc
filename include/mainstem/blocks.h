// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Blocks: servers that many programs need, ready to be added. They use only events, so a journal, a replay and a test see
 * all that they do. Guide: docs/blocks.md.
 */

#ifndef MAINSTEM_BLOCKS_H
#define MAINSTEM_BLOCKS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gates -------------------------------------------------------------------------------------------------- */

/** A request that a gate passes on. */
typedef struct mainstem_gate_row {
  const char *request; /**< The type that the program requests. */
  const char *behind;  /**< The type that the gate then requests, with the same payload. */
} mainstem_gate_row;

/** Options for a gate. */
typedef struct mainstem_gate_options {
  uint32_t size;           /**< sizeof this struct. */
  mainstem_status refusal; /**< While it is closed: 0: requests wait; else they fail with this. */
  mainstem_status expired; /**< The code of answers that ask for a refresh; 0: none. */
  uint32_t reserved;       /**< Must be 0. */
  const char *open;        /**< A value, MAINSTEM_PAYLOAD_BOOL: true opens the gate. */
  const char *refresh;     /**< The request that refreshes, MAINSTEM_PAYLOAD_NONE; NULL: none. */
  size_t limit;            /**< Open requests that it may keep; 0: 1,024. */
} mainstem_gate_options;

/**
 * Adds a gate: a server that passes requests on while a value is true, such as "signed in".
 *
 * The gate handles each `request` by requesting `behind`, and passes progress and the answer on. While the value is
 * false, or not set, requests wait in their order, or are refused. If an answer's code is `expired`, the gate requests
 * `refresh`, once for all requests that wait for it; meanwhile, new requests wait. When `refresh` succeeds, each of them
 * is requested once more; when it fails, they fail with its error. To close the gate, set the value to false before the
 * refresh is answered.
 *
 * Requests over `limit` fail with FULL. The secrets of a session belong to the servers behind the gate: the gate has no
 * secrets of its own.
 *
 * Owner: the context; mainstem_scope_end ends it sooner. Null: gate. Thread: context.
 * Errors: as mainstem_server_add, and INVALID (`open` is not a BOOL value, `refresh` is not a request without payload,
 * `behind` is not a request with the payload of `request`, answers of both have different payloads, a secret would be
 * passed on as none, `expired` without `refresh` or the reverse).
 */
MAINSTEM_API mainstem_status mainstem_gate_add(mainstem_context *context, const char *name,
                                               const mainstem_gate_row *rows, size_t row_size,
                                               size_t count, const mainstem_gate_options *options,
                                               mainstem_context **gate);

/* Workflows ---------------------------------------------------------------------------------------------- */

/** A workflow's run, as its functions see it; valid until the function returns. */
typedef struct mainstem_workflow_run {
  const mainstem_event *request;        /**< The request that the workflow handles. */
  const mainstem_event *const *answers; /**< One for each row; NULL: that step is not done. */
  size_t count;                         /**< The number of rows. */
  size_t row;   /**< The row whose payload is made; `count`: that of the answer. */
  bool undoes;  /**< Whether it is the payload of the row's `undo`. */
  void *making; /**< Private to the library. */
} mainstem_workflow_run;

/**
 * Makes a payload from the answers of earlier steps.
 *
 * The function calls mainstem_workflow_pass, _skip or _fail, once. If it calls none of them, the step fails with
 * INCOMPLETE. It is an immediate callback.
 */
typedef void (*mainstem_workflow_fn)(void *user_data, const mainstem_workflow_run *run);

/** Begins the step together with the step before it. The next step without this flag waits for both. */
#define MAINSTEM_WORKFLOW_PARALLEL 1

/** A step of a workflow. */
typedef struct mainstem_workflow_row {
  const char *request;     /**< The type that the step requests. */
  mainstem_workflow_fn fn; /**< Makes its payload; NULL: the payload of the workflow's request. */
  const char *undo;        /**< The request that undoes the step; NULL: none. */
  mainstem_workflow_fn undo_fn; /**< Makes the payload of `undo`; NULL: that of `request`. */
  int64_t timeout_ms;           /**< For each attempt; 0: none. */
  int64_t backoff_ms; /**< Before the first retry, by the context's clock; doubles each time. */
  uint32_t retries;   /**< Attempts after the first one. */
  uint32_t flags;     /**< 0 or MAINSTEM_WORKFLOW_PARALLEL. */
} mainstem_workflow_row;

/** Options for a workflow. */
typedef struct mainstem_workflow_options {
  uint32_t size;               /**< sizeof this struct. */
  uint32_t flags;              /**< Must be 0. */
  mainstem_workflow_fn finish; /**< Makes the answer; NULL: the payload of the last row's answer. */
  size_t limit;                /**< Requests that may be open; 0: 1,024. */
} mainstem_workflow_options;

/**
 * Adds a workflow: a server that handles `request` by requesting the steps of a table in order.
 *
 * When all steps are done, the request is answered. A step whose answer is a failure, such as TIMEOUT, is requested
 * again `retries` times, with the same payload. If the last attempt fails, too, or a step is refused, the open steps are
 * cancelled; when all of them are answered, the steps that are done are undone, one after the other, the last row first.
 * Then the request fails with the step's error; without the texts if the answer is a secret. A step that failed or was
 * cancelled is not undone, nor is a step without `undo`.
 *
 * An undo has the timeout and the retries of its step. If it fails, the next one follows; in the end, the error's message
 * names the requests that failed ("not undone: …"), and the callback counts as failed (law 7).
 *
 * If the request is cancelled or times out, the same happens, without an answer. At the end of the workflow's scope and
 * at the close of the context, the open steps are cancelled, and nothing can be undone.
 *
 * Requests over `limit` fail with FULL. For a wait before a retry, the workflow sends `MainstemRetry` (the system layer,
 * INTEGER: the position of the attempt that failed) through its scope.
 *
 * Owner: the context; mainstem_scope_end ends it sooner. Null: workflow. Thread: context.
 * Errors: as mainstem_server_add, and INVALID (no rows, a type that is not a request or is `request` itself, a payload
 * or an answer that would not fit, a secret that would be passed on as none, a time below 0, `backoff_ms` without
 * `retries`, `undo_fn` without `undo`, MAINSTEM_WORKFLOW_PARALLEL in the first row).
 */
MAINSTEM_API mainstem_status mainstem_workflow_add(mainstem_context *context, const char *name,
                                                   const char *request,
                                                   const mainstem_workflow_row *rows,
                                                   size_t row_size, size_t count,
                                                   const mainstem_workflow_options *options,
                                                   void *user_data, mainstem_release_fn release,
                                                   mainstem_context **workflow);

/** Passes on a payload, which is copied. Thread: callback. Errors: INVALID (a second call), NO_MEMORY. */
MAINSTEM_API mainstem_status mainstem_workflow_pass(const mainstem_workflow_run *run,
                                                    const void *data, size_t size);

/**
 * Leaves out the step, or the undo: it is not requested. A step that was left out has no answer, and is not undone.
 * Thread: callback. Errors: INVALID (a second call, or a call in `finish`).
 */
MAINSTEM_API mainstem_status mainstem_workflow_skip(const mainstem_workflow_run *run);

/** Makes the step, the undo or the answer fail. Thread: callback. Errors: INVALID (a second call, a code of OK). */
MAINSTEM_API mainstem_status mainstem_workflow_fail(const mainstem_workflow_run *run,
                                                    const mainstem_error *error);
/* Resources ---------------------------------------------------------------------------------------------- */

/**
 * Pictures and other bytes that are loaded once, shared, and kept up to a limit. The events have only a *key*: the bytes
 * are never on the stream or in a journal. The handle ends with the scope that the resources were added to.
 */
typedef struct mainstem_resources mainstem_resources;

/** The bytes of a key. They stay, although the key is dropped or the context closed. Ended by mainstem_resource_release. */
typedef struct mainstem_resource mainstem_resource;

/** Options for resources. The payload of the three types is the key. */
typedef struct mainstem_resources_options {
  uint32_t size;       /**< sizeof this struct. */
  uint32_t reserved;   /**< Must be 0. */
  const char *request; /**< The type that views request; its answer has no payload. */
  const char *
      behind; /**< The type that the resources then request from the provider, a server of yours. */
  const char *drop;   /**< A notice: the bytes of this key are no longer kept. */
  size_t limit_bytes; /**< Bytes to keep, each key counted with 128 more; 0: 64 MiB. */
  size_t limit;       /**< Open requests, and drops that may wait; 0: 1,024. */
} mainstem_resources_options;

/**
 * Adds resources: a server that answers `request` when it has the bytes of the key.
 *
 * If they are kept, it answers at once, and the key becomes the most recently used. Otherwise it requests `behind`, once
 * for all requests that wait for this key, and passes progress and the answer on. A failure goes to each of them, and
 * nothing is kept. If all of them are cancelled or time out, so is the request behind. An immediate callback that gets
 * the answer finds the bytes with mainstem_resource_get.
 *
 * Over `limit_bytes`, a `drop` is posted for each of the least recently used keys, which are kept until it arrives: so the
 * context must drain. Send a `drop` yourself when a picture has changed: requests that wait for the key still get the
 * bytes that are being loaded, which are not kept; later requests load them again.
 *
 * Requests over `limit` fail with FULL. In a replay no bytes are kept, and the drops of the session come from the journal.
 *
 * Owner: the context; end the scope `context` to end them sooner. Thread: context.
 * Errors: as mainstem_server_add, and INVALID (a type with another role or payload, a key without payload, a secret, an
 * answer with a payload), DENIED (also: to send `drop`).
 */
MAINSTEM_API mainstem_status mainstem_resources_add(mainstem_context *context, const char *name,
                                                    const mainstem_resources_options *options,
                                                    mainstem_resources **resources);

/**
 * Answers the `behind` request of resources with bytes, in place of mainstem_respond. They are copied.
 *
 * `event` is the event that the provider got, or a copy. After an error the request stays open.
 *
 * Thread: any.
 * Errors: as mainstem_respond, and INVALID (another request), STALE (also: another thread is answering it), FULL (the
 * drops of `limit` keys wait for a drain).
 */
MAINSTEM_API mainstem_status mainstem_resources_put(mainstem_resources *resources,
                                                    const mainstem_event *event, const void *data,
                                                    size_t size);

/**
 * Gets the bytes that are kept for a key, without a copy. This does not make the key more recently used.
 * Owner: you; release it. Thread: any. Errors: UNSET (none are kept), LIMIT.
 */
MAINSTEM_API mainstem_status mainstem_resource_get(mainstem_resources *resources, const void *key,
                                                   size_t key_size, mainstem_resource **resource);

/** Reads bytes, aligned to 16; valid until the resource is released. Thread: any. */
MAINSTEM_API mainstem_status mainstem_resource_read(mainstem_resource *resource, const void **data,
                                                    size_t *size);

/** Releases bytes. NULL does nothing. Thread: any. */
MAINSTEM_API mainstem_status mainstem_resource_release(mainstem_resource *resource);

/* Undo logs ---------------------------------------------------------------------------------------------- */

/** A command that an undo log keeps. */
typedef struct mainstem_undo_log_row {
  const char *request;     /**< The command: a request type. */
  const char *undo;        /**< The request that undoes it. */
  mainstem_workflow_fn fn; /**< Makes the payload of `undo`; NULL: that of `request`. */
} mainstem_undo_log_row;

/** Options for an undo log. */
typedef struct mainstem_undo_log_options {
  uint32_t size;     /**< sizeof this struct. */
  uint32_t flags;    /**< Must be 0. */
  const char *undo;  /**< The request to undo a step; it and its answer have no payload. */
  const char *redo;  /**< The request to do a step again; also without payload. */
  const char *shown; /**< A value, MAINSTEM_PAYLOAD_JSON, that the log sets. */
  size_t limit;      /**< Steps to keep; then the oldest is forgotten. 0: 1,024. */
} mainstem_undo_log_options;

/**
 * Adds an undo log: a server that observes commands and handles the requests to undo them and to do them again.
 *
 * When a command of `rows` has succeeded, it is added to the log, and what was undone before can no longer be done again.
 * `undo` requests the newest command's undo, and `redo` the command that was undone last, through the log's scope; each
 * is answered when that is answered. If that fails, the error is passed on, and the log stays as it was. Commands that
 * were requested in callbacks of the same event are one *step*: undone together, one after the other.
 *
 * `fn` is called when a command has succeeded, also when it is done again: `run->answers[0]` is its answer, and
 * `run->row` its row. After mainstem_workflow_skip, the command is not kept, and the log stays as it was. If `fn` fails,
 * or memory is short, the log is emptied, and the callback counts as failed (law 7).
 *
 * Requests count in order: an undo waits for the commands and undos that were requested before it. Commands are never
 * held back; those that are requested later are added after the undo. With nothing to undo, an undo fails with UNSET;
 * with 1,024 undos waiting, with FULL. If it is cancelled or times out, so is what it has requested.
 *
 * The log sets `shown` to {"undo":TYPE,"redo":TYPE,"count":STEPS}: the command that `undo` undoes, the one that `redo`
 * does again (or ""), and how many steps can be undone.
 *
 * Commands that were sent by mainstem_send, and those that the log itself requests, are not kept. In a muted replay, the
 * log keeps nothing.
 *
 * Owner: the context; mainstem_scope_end ends it sooner. Null: log. Thread: context.
 * Errors: as mainstem_server_add, and INVALID (no rows, a type of another role or payload, a secret, a command in two
 * rows, an answer that was not added yet, a row with `undo` or `redo` of the options, a payload that would not fit),
 * DENIED (also: to observe the commands).
 */
MAINSTEM_API mainstem_status mainstem_undo_log_add(mainstem_context *context, const char *name,
                                                   const mainstem_undo_log_row *rows,
                                                   size_t row_size, size_t count,
                                                   const mainstem_undo_log_options *options,
                                                   void *user_data, mainstem_release_fn release,
                                                   mainstem_context **log);

#ifdef __cplusplus
}
#endif

#endif
