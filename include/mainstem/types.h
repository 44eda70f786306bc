// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Types: payloads, and how to read them; layers, roles, secrets; failures; events as lines of text. Guides: docs/c.md,
 * docs/privacy.md.
 */

#ifndef MAINSTEM_TYPES_H
#define MAINSTEM_TYPES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of an event -------------------------------------------------------------------------------------- */

/**
 * An *input* (law 11): sent outside immediate callbacks, or in the completion of a request that is an input. All other
 * events are *outputs*.
 */
#define MAINSTEM_EVENT_OUTSIDE 1

/** A *tracked* request, sent by mainstem_request and not by mainstem_send: it gets exactly one response. */
#define MAINSTEM_EVENT_TRACKED 2

/**
 * The event was sent before its observer was added: it comes from a history (mainstem_history_keep), or is a current
 * value.
 */
#define MAINSTEM_EVENT_LATE 8

/** Not on the stream: the event stands for events that this subscription lost. Its payload is a mainstem_gap. */
#define MAINSTEM_EVENT_GAP 16

/**
 * In a journal: the event's type has MAINSTEM_RECORD_MARK. The journal has only the event's position, type, cause, time
 * and flags (and the origin of a value); `size` is 0. An output of a type with MAINSTEM_RECORD_INPUTS has this flag,
 * too, but its payload is a digest of 8 bytes.
 */
#define MAINSTEM_EVENT_MARKED 32

/**
 * In a journal: the event's type is a secret. The journal has only the event's position, type, cause, origin and flags;
 * `size` is 0.
 */
#define MAINSTEM_EVENT_WITHHELD 64

/** The event's type is a secret (MAINSTEM_SECRET): do not show or store its payload. */
#define MAINSTEM_EVENT_SECRET 128

/** A timer sent the event. */
#define MAINSTEM_EVENT_TIMER 256

/** A view wrote the event (mainstem_binding_set). The event's origin is the owner, and the event is an input. */
#define MAINSTEM_EVENT_WRITTEN 512

/**
 * The event is a shared request (mainstem_request_options.share), which handlers do not get, or it is the copy of an
 * answer or of progress that the requester gets.
 */
#define MAINSTEM_EVENT_SHARED 1024

/** The event is a list's: read it with the functions of lists.h. */
#define MAINSTEM_EVENT_LIST 2048

/** The subscription lacks earlier changes of this list: the event's only change is MAINSTEM_LIST_RESET. */
#define MAINSTEM_EVENT_WHOLE 4096

/**
 * The first 64 bytes of an event. In a batch (mainstem_send_many, mainstem_mailbox_take), all headers come first,
 * followed by the payloads.
 */
typedef struct mainstem_event_header {
  uint64_t position; /**< All fields are as in mainstem_event. */
  uint64_t cause;
  uint64_t correlation;
  uint64_t answers;
  int64_t time;
  uint32_t size;   /**< Bytes of payload. */
  uint32_t offset; /**< Where the payload begins in the batch. */
  mainstem_event_type type;
  mainstem_status status;
  uint32_t origin;
  uint32_t flags;
} mainstem_event_header;

/* Contracts ---------------------------------------------------------------------------------------------- */

/* The role of a type. Without a role, the prefix of its name decides: Request, Response; otherwise it is a notice. */
#define MAINSTEM_ROLE_REQUEST 0x1000000000ULL  /**< A request. */
#define MAINSTEM_ROLE_RESPONSE 0x2000000000ULL /**< An answer. */
#define MAINSTEM_ROLE_NOTICE 0x3000000000ULL   /**< Any other event. */
#define MAINSTEM_ROLE_VALUE 0x4000000000ULL    /**< A value: see mainstem_value_set. */
#define MAINSTEM_ROLE_MASK 0xf000000000ULL     /**< The bits that select the role. */

/* The layer: the part of the app that a type belongs to. mainstem_layer_add adds more layers. */
#define MAINSTEM_LAYER_APP 0x000000000000ULL        /**< No layer in particular. */
#define MAINSTEM_LAYER_MODEL 0x010000000000ULL      /**< The program's data. */
#define MAINSTEM_LAYER_VIEWMODEL 0x020000000000ULL  /**< The data, prepared for views. */
#define MAINSTEM_LAYER_VIEW 0x030000000000ULL       /**< The interface to the user. */
#define MAINSTEM_LAYER_NAVIGATION 0x040000000000ULL /**< Opening and closing screens. */
#define MAINSTEM_LAYER_SYSTEM 0x050000000000ULL     /**< The library's own reports. */
#define MAINSTEM_LAYER_MASK 0x3f0000000000ULL       /**< The bits that select the layer. */

/** The bit of a layer in a set of layers: `MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW) | …`. */
#define MAINSTEM_LAYER_BIT(layer) (1ULL << (((layer) & MAINSTEM_LAYER_MASK) >> 40))

/* How much of each event of the type a journal keeps. */
#define MAINSTEM_RECORD_FULL 0x0000000000000ULL /**< Everything. This is the default. */
#define MAINSTEM_RECORD_MARK 0x1000000000000ULL /**< Position, type, cause, time and flags. */
#define MAINSTEM_RECORD_NONE 0x2000000000000ULL /**< Nothing: the event's position is skipped. */
/**
 * An input is kept in full. For an output, a journal keeps only the mark and a digest, which a verifying replay
 * compares. Use this for large payloads.
 */
#define MAINSTEM_RECORD_INPUTS 0x3000000000000ULL
#define MAINSTEM_RECORD_MASK 0x3000000000000ULL /**< The bits that select one of these. */

/**
 * Events of the type are secrets: passwords, keys (docs/privacy.md).
 *
 * Only callbacks get the payload, or the error of a failed response; the event has the flag MAINSTEM_EVENT_SECRET.
 * Lines, traces and failure reports show `<secret>`. A journal keeps at most a mark of each event. The type cannot have
 * a history. The library overwrites its copies before it frees them; you must protect your own copies.
 */
#define MAINSTEM_SECRET 0x4000000000000ULL

/**
 * Finds a layer by name, or adds it. `layer` gets the layer's bits; join them with a contract by `|`.
 *
 * Thread: context.
 * Errors: INVALID (empty, not UTF-8), TOO_BIG (a name over 255 bytes), DENIED (a new layer, by a scope with limited
 * rights), LIMIT (64 layers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_layer_add(mainstem_context *context, const char *name,
                                                mainstem_contract *layer);

/* Types -------------------------------------------------------------------------------------------------- */

/**
 * Adds an event type. If there already is a type with that name and contract, the call finds that type.
 *
 * `name`: 1 to 255 bytes of UTF-8; names that begin with "Mainstem" belong to the library. `response`: the name of the
 * type that answers a request of this type. The response type may be added later. If `response` is NULL, a later call
 * for the same type may name the response.
 *
 * Thread: context. Null: response.
 * Errors: INVALID (a wrong name or contract, or a type of that name with another contract or response), TOO_BIG (a name
 * over 255 bytes), DENIED (a scope that may not send on the type's layer), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_type_add(mainstem_context *context, const char *name,
                                               mainstem_contract contract, const char *response,
                                               mainstem_event_type *type);

/** Finds an event type by name. Thread: context. Errors: INVALID (no type of that name). */
MAINSTEM_API mainstem_status mainstem_type_find(mainstem_context *context, const char *name,
                                                mainstem_event_type *type);

/** A description of an event type. */
typedef struct mainstem_type_info {
  uint32_t size;                /**< sizeof this struct, set by you. */
  mainstem_event_type response; /**< For a request: the type of its answer; 0: none or not added. */
  mainstem_contract contract;   /**< Includes the role, even if the name decided it. */
  const char *name;             /**< Valid, like `layer`, until the context is closed. */
  uint64_t history_max_age_ms;  /**< The age limit of its history; 0: none. */
  uint32_t history_count;       /**< The length of its history; 0: none. */
  const char *layer;            /**< The name of its layer; empty if the journal lacks that name. */
} mainstem_type_info;

/** Describes an event type. Thread: any. Errors: INVALID (no such type). */
MAINSTEM_API mainstem_status mainstem_type_read(mainstem_context *context, mainstem_event_type type,
                                                mainstem_type_info *info);

/* Reading an event --------------------------------------------------------------------------------------- */

/* Only the thread of a callback may read the callback's event; any thread may read a copy (mainstem_event_retain). */

/** A failure. Strings are UTF-8; NULL counts as empty. */
typedef struct mainstem_error {
  uint32_t size;            /**< sizeof this struct, set by you. */
  mainstem_status code;     /**< Not MAINSTEM_OK; your own codes begin at MAINSTEM_APP. */
  const char *message;      /**< For developers. */
  const char *user_message; /**< For users; may be empty. Empty in the library's own failures. */
  const char *subject;      /**< The thing that failed: an id, a field; may be empty. */
} mainstem_error;

/**
 * Reads the error of a failed response. The strings in `error` are valid as long as the event is.
 *
 * Thread: any that may read the event.
 * Errors: INVALID (the event's status is MAINSTEM_OK).
 */
MAINSTEM_API mainstem_status mainstem_event_error(const mainstem_event *event,
                                                  mainstem_error *error);

/**
 * Reads a payload that is a MAINSTEM_PAYLOAD_BOOL, _INTEGER or _NUMBER.
 *
 *     int64_t count = 3;
 *     mainstem_send(context, counted, &count, sizeof count);
 *     …
 *     printf("%lld\n", (long long)mainstem_event_integer(event));
 *
 * Each of the three functions can read a payload of any of these kinds. For a number outside the range of int64_t,
 * mainstem_event_integer returns the nearest int64_t; for NaN, it returns 0. For every other event (another contract,
 * an error, a gap, a mark, NULL), and if the event's context or journal is closed, all three functions return false or
 * 0.
 *
 * Thread: any that may read the event.
 */
MAINSTEM_API bool mainstem_event_bool(const mainstem_event *event);

/** Like mainstem_event_bool, but returns an integer. */
MAINSTEM_API int64_t mainstem_event_integer(const mainstem_event *event);

/** Like mainstem_event_bool, but returns a number. */
MAINSTEM_API double mainstem_event_number(const mainstem_event *event);

/**
 * Writes an event as one line of text, the same in all languages and tools:
 *
 *     #7 ResponseTodo ok ← #6 ModelServer {"id":3,"title":"Milk"}
 *
 * The line has the event's position, type, status (if it is a response), cause, origin and payload (docs/c.md). Text
 * longer than 240 bytes is cut. Whatever the payload contains, the line cannot control a terminal or start another
 * line. `event` may be your own copy of the struct, as long as its context and payload are valid.
 *
 * Like snprintf, the function writes at most `capacity` bytes, including a final zero, and returns OK even if it cuts
 * the line; `length` gets the length of the whole line without the zero. `buffer` may be NULL if `capacity` is 0.
 *
 * Thread: any that may read the event. Null: length.
 * Errors: STALE (the event's context is closed).
 */
MAINSTEM_API mainstem_status mainstem_event_line(const mainstem_event *event, char *buffer,
                                                 size_t capacity, size_t *length);

/**
 * Gets the name of the scope that an event was sent through; empty for the context itself.
 *
 * Owner: the library; valid while the scope lives, and while an event sent through it is waiting, is kept, or is in a
 * callback.
 * Thread: any.
 * Errors: INVALID (no such origin, or its scope has ended and the name is no longer kept).
 */
MAINSTEM_API mainstem_status mainstem_origin_name(mainstem_context *context, uint32_t origin,
                                                  const char **name);

#ifdef __cplusplus
}
#endif

#endif
