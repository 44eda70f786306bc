// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Blocks: servers that many programs need, ready to be added. They use only events, so a journal, a replay and a test see
 * all that they do. Guide: docs/blocks.md.
 */

#ifndef MAINSTEM_BLOCKS_H
#define MAINSTEM_BLOCKS_H

#include "core.h"

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

#ifdef __cplusplus
}
#endif

#endif
