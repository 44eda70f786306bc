// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Types: what events carry, and how it is read. Layers, roles, secrets; failures; lines.
 */

#ifndef MAINSTEM_TYPES_H
#define MAINSTEM_TYPES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an event says of itself --------------------------------------------------------------------------- */

/**
 * The event came from outside: from no callback of its context, from a callback on a scheduler, or from the
 * completion of a request that itself came from outside. A replay feeds these events in.
 */
#define MAINSTEM_EVENT_OUTSIDE 1

/** A tracked request: exactly one response will answer it. */
#define MAINSTEM_EVENT_TRACKED 2

/**
 * An event that was kept, delivered to an observer that joined after it: from a history (mainstem_history_keep), or
 * the present value of a scope (mainstem_value_set).
 */
#define MAINSTEM_EVENT_LATE 8

/** Not an event of the stream: it stands for events that this subscription lost. Its payload is a mainstem_gap. */
#define MAINSTEM_EVENT_GAP 16

/**
 * In a journal: only the event's position, type, cause, time and flags were kept (of a value also the origin),
 * because its type is recorded as a mark (MAINSTEM_RECORD_MARK). It has no payload: `size` is 0. An output of a type with
 * MAINSTEM_RECORD_INPUTS instead has 8 bytes: the digest of its payload (docs/journal-format.md).
 */
#define MAINSTEM_EVENT_MARKED 32

/**
 * In a journal: like MAINSTEM_EVENT_MARKED, but the time was not kept either, because its type is a secret
 * (MAINSTEM_SECRET).
 */
#define MAINSTEM_EVENT_WITHHELD 64

/** Its type is a secret (MAINSTEM_SECRET): do not show or store its payload. */
#define MAINSTEM_EVENT_SECRET 128

/** A timer sent the event: see mainstem_send_after. */
#define MAINSTEM_EVENT_TIMER 256

/** A view wrote the event: see mainstem_binding_set. Its origin is the owner; it is always an input. */
#define MAINSTEM_EVENT_WRITTEN 512

/**
 * A shared request (mainstem_request_options.share), which handlers do not get. Also its copy of the answer, and of a
 * step of progress, to the request that they do get.
 */
#define MAINSTEM_EVENT_SHARED 1024

/**
 * The first 64 bytes of an event, wherever it is stored.
 *
 * In a batch (mainstem_send_many, mainstem_mailbox_take) the headers are contiguous from the front and the
 * payloads lie behind them. Each header says at which byte of the batch its payload begins.
 */
typedef struct mainstem_event_header {
  uint64_t position; /**< All fields are as in mainstem_event. */
  uint64_t cause;
  uint64_t correlation;
  uint64_t answers;
  int64_t time;
  uint32_t size;   /**< Bytes of payload. */
  uint32_t offset; /**< The payload's offset from the start of the batch. */
  mainstem_event_type type;
  mainstem_status status;
  uint32_t origin;
  uint32_t flags;
} mainstem_event_header;

/* Contracts ---------------------------------------------------------------------------------------------- */

/* Without a role, the name decides: Request…, Response…, else a notice. */
#define MAINSTEM_ROLE_REQUEST 0x1000000000ULL  /**< It asks. */
#define MAINSTEM_ROLE_RESPONSE 0x2000000000ULL /**< It answers. */
#define MAINSTEM_ROLE_NOTICE 0x3000000000ULL   /**< It tells. */
#define MAINSTEM_ROLE_VALUE 0x4000000000ULL    /**< It changes a value: see mainstem_value_set. */
#define MAINSTEM_ROLE_MASK 0xf000000000ULL     /**< The bits that select the role. */

/* The part of the app an event type belongs to. mainstem_layer_add adds more by name. */
#define MAINSTEM_LAYER_APP 0x000000000000ULL        /**< No layer in particular. */
#define MAINSTEM_LAYER_MODEL 0x010000000000ULL      /**< The data. */
#define MAINSTEM_LAYER_VIEWMODEL 0x020000000000ULL  /**< The data, ready to show. */
#define MAINSTEM_LAYER_VIEW 0x030000000000ULL       /**< What the user sees and does. */
#define MAINSTEM_LAYER_NAVIGATION 0x040000000000ULL /**< Where the app goes. */
#define MAINSTEM_LAYER_SYSTEM 0x050000000000ULL     /**< The library's own reports. */
#define MAINSTEM_LAYER_MASK 0x3f0000000000ULL       /**< The bits that select the layer. */

/** The bit of a layer in a set of layers: `MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW) | …`. */
#define MAINSTEM_LAYER_BIT(layer) (1ULL << (((layer) & MAINSTEM_LAYER_MASK) >> 40))

/* How much of an event of the type a journal keeps. */
#define MAINSTEM_RECORD_FULL 0x0000000000000ULL /**< Everything: the default. */
#define MAINSTEM_RECORD_MARK 0x1000000000000ULL /**< Position, type, cause, time and flags. */
#define MAINSTEM_RECORD_NONE 0x2000000000000ULL /**< Nothing: its position is skipped. */
/**
 * Inputs in full. Of an output, only the mark and a digest of its payload, which verify compares. For big
 * payloads.
 */
#define MAINSTEM_RECORD_INPUTS 0x3000000000000ULL
#define MAINSTEM_RECORD_MASK 0x3000000000000ULL /**< The bits that select how much. */

/**
 * Events of the type are secrets: passwords, keys.
 *
 * Observers get them as they are, flagged MAINSTEM_EVENT_SECRET. Nothing else gets the payload. A line (and
 * so the trace) shows `<secret>`, not even the size. A failure report shows `<secret>` instead of the
 * message given to mainstem_fail. A journal keeps at most their mark, whatever MAINSTEM_RECORD_… says. They
 * have no history. The library overwrites each of its copies of the payload before it frees the memory. If a
 * failed response is a secret, the same holds for its error, whose message may quote the request.
 *
 * The host is responsible for its own copies: the buffers it sends from, a batch it has fetched, and anything
 * secret that it repeats in a non-secret answer, a subject or a name. See docs/privacy.md.
 */
#define MAINSTEM_SECRET 0x4000000000000ULL

/**
 * Finds a layer by name, and adds it if it is new.
 *
 * The library's own are "app", "model", "viewmodel", "view", "navigation" and "system"; all others are the app's.
 * A context has at most 64 layers. `layer` gets the bits to join with a contract.
 * Owner: the name is copied. Thread: context.
 * Errors: INVALID (empty, not UTF-8), TOO_BIG (name over 255 bytes), DENIED (a new layer, through a scope with limited
 * rights), LIMIT (64 layers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_layer_add(mainstem_context *context, const char *name,
                                                mainstem_contract *layer);

/* Types -------------------------------------------------------------------------------------------------- */

/**
 * Registers an event type, or finds the one already registered with the same contract.
 *
 * Name: UTF-8, 1 to 255 bytes, compared as bytes; names that begin with "Mainstem" are reserved for
 * the library. Response: the name of the type that answers it, or NULL; that type may be registered
 * later. Registering the same name again gives the same type. If only one of the two calls names a response,
 * that response holds.
 *
 * Owner: name and response are copied. Thread: context.
 * Errors: INVALID (not UTF-8, empty, a reserved name, an invalid contract, or the name is registered with another
 * contract or response), TOO_BIG (name over 255 bytes), DENIED (a scope without the right to send on the type's layer),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_type_add(mainstem_context *context, const char *name,
                                               mainstem_contract contract, const char *response,
                                               mainstem_event_type *type);

/**
 * Finds the event type registered under a name.
 *
 * Thread: context.
 * Errors: INVALID (no type of that name).
 */
MAINSTEM_API mainstem_status mainstem_type_find(mainstem_context *context, const char *name,
                                                mainstem_event_type *type);

/** A description of an event type. */
typedef struct mainstem_type_info {
  uint32_t size;                /**< sizeof(mainstem_type_info), set by the caller. */
  mainstem_event_type response; /**< The type that answers it; 0 = none, or not yet registered. */
  mainstem_contract contract;   /**< Includes its role, even if the name decided it. */
  const char *name;             /**< Valid until the context is closed. */
  uint64_t history_max_age_ms;  /**< The age limit of its history; 0 = none. */
  uint32_t history_count;       /**< Events kept for late observers; 0 = no history. */
} mainstem_type_info;

/**
 * Reads the description of an event type.
 *
 * Thread: any.
 * Errors: INVALID (no such type, or size too small), UNSUPPORTED (a larger size).
 */
MAINSTEM_API mainstem_status mainstem_type_read(mainstem_context *context, mainstem_event_type type,
                                                mainstem_type_info *info);

/* Reading an event --------------------------------------------------------------------------------------- */

/** What went wrong, as a value. Text is UTF-8; NULL counts as empty. */
typedef struct mainstem_error {
  uint32_t size;            /**< sizeof(mainstem_error), set by the caller. */
  mainstem_status code;     /**< Never MAINSTEM_OK; the app's own codes begin at MAINSTEM_APP. */
  const char *message;      /**< For developers. */
  const char *user_message; /**< For users; may be empty. */
  const char *subject;      /**< What it is about: an id, a field; may be empty. */
} mainstem_error;

/**
 * Reads the error that a failed response carries. Its texts live as long as the event.
 *
 * Thread: any that may read the event.
 * Errors: INVALID (size too small, or the event's status is MAINSTEM_OK), UNSUPPORTED (a larger size).
 */
MAINSTEM_API mainstem_status mainstem_event_error(const mainstem_event *event,
                                                  mainstem_error *error);

/**
 * Reads what an event of a scalar type says: MAINSTEM_PAYLOAD_BOOL, _INTEGER or _NUMBER.
 *
 *     int64_t count = 3;
 *     mainstem_send(context, counted, &count, sizeof count);
 *     …
 *     printf("%lld\n", (long long)mainstem_event_integer(event));
 *
 * Any of the three reads any scalar. It converts as C does, but a number too large for an int64_t gives the
 * nearest one, and NaN gives 0. If the event carries no scalar (another contract, an error, a gap, a mark,
 * NULL), or its context or journal is closed, they return false or 0.
 *
 * Thread: any that may read the event.
 */
MAINSTEM_API bool mainstem_event_bool(const mainstem_event *event);

/** The same, as an integer. */
MAINSTEM_API int64_t mainstem_event_integer(const mainstem_event *event);

/** The same, as a number. */
MAINSTEM_API double mainstem_event_number(const mainstem_event *event);

/**
 * Writes an event as one line of text, the same line everywhere:
 *
 *     #7 ResponseTodo ok ← #6 ModelServer {"id":3,"title":"Milk"}
 *
 * The line has the position, type, status (of responses), cause (unless outside), origin (unless the
 * context itself) and payload. Text payloads are shown as they are, cut after 240 bytes with "…"; scalars
 * as `true`, `42`, `0.5`; bytes as their count, `<16 bytes>`; an error as its code and message. A secret
 * is shown as `<secret>`. If a journal kept only an event's mark, its payload is shown as `<marked>`. The
 * event may also be the host's own copy of the struct; its context, and the memory behind data, must still
 * be valid.
 *
 * The line cannot control a terminal, start another line, or read as something it is not. In names, text and
 * messages, some characters are escaped as in JSON: control characters (`\n`, `\r`, `\t`, else `\u001b`),
 * line and paragraph separators (`\u2028`), and format characters, which reverse text or hide in it
 * (`\u202e`, `\u200b`, `\ufeff`). Those beyond U+FFFF become a surrogate pair (`\udb40\udc61`). A byte that
 * is not UTF-8 is shown in hex: `\xff`. The library's tools show text the same way.
 *
 * Works like snprintf: writes at most `capacity` bytes, including a final zero. `length` gets the length
 * of the whole line without that zero. Buffer may be NULL when capacity is 0; length may be NULL.
 * Thread: any that may read the event.
 * Errors: STALE (the event's context is closed).
 */
MAINSTEM_API mainstem_status mainstem_event_line(const mainstem_event *event, char *buffer,
                                                 size_t capacity, size_t *length);

/**
 * Gets the name of the scope an event was sent through; empty for the context itself.
 *
 * Owner: the name is valid while the scope lives, or while an event sent through it waits, is retained, is in a history
 * or is in a callback. Copy it to keep it longer. When nothing uses the number any more, the library forgets the name,
 * and the number is no longer an origin. It is not reused until four billion others have been. Thread: any.
 * Errors: INVALID (no such origin).
 */
MAINSTEM_API mainstem_status mainstem_origin_name(mainstem_context *context, uint32_t origin,
                                                  const char **name);

#ifdef __cplusplus
}
#endif

#endif
