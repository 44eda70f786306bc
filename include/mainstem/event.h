// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Event: what happened, or what is asked. Types, payloads, the event a callback gets.
 */

#ifndef MAINSTEM_EVENT_H
#define MAINSTEM_EVENT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The event -------------------------------------------------------------------------------------- */

/** The number of a registered event type in one context: 1, 2, 3 … In filters, 0 is every type. */
typedef uint32_t mainstem_event_type;

/** In a filter: every type, also those registered later. */
#define MAINSTEM_TYPE_ANY 0

/**
 * The event came from outside: from no callback of its context, from one on a scheduler, or from the completion
 * of a request that came from outside itself. It is what a replay feeds in.
 */
#define MAINSTEM_EVENT_OUTSIDE 1

/** A tracked request: exactly one response will answer it. */
#define MAINSTEM_EVENT_TRACKED 2

/** How far a request has come: not its response. See mainstem_respond_progress. */
#define MAINSTEM_EVENT_PROGRESS 4

/** The event was kept, and comes to an observer that joined after it: see mainstem_history_keep. */
#define MAINSTEM_EVENT_LATE 8

/** No event of the stream: events that this subscription lost. Its payload is a mainstem_gap. */
#define MAINSTEM_EVENT_GAP 16

/**
 * In a journal: only position, type, cause, time and flags of the event were kept, its type is recorded as a
 * mark (MAINSTEM_RECORD_MARK). No payload: `size` is 0. Where it is an output of a type with MAINSTEM_RECORD_INPUTS, the
 * payload is 8 bytes instead: the digest of the one it had (docs/journal-format.md).
 */
#define MAINSTEM_EVENT_MARKED 32

/** In a journal: the same without the time, because its type is a secret (MAINSTEM_SECRET). */
#define MAINSTEM_EVENT_WITHHELD 64

/** Its type is a secret (MAINSTEM_SECRET): its payload is to be neither shown nor kept. */
#define MAINSTEM_EVENT_SECRET 128

/** A timer sent it: see mainstem_send_after. */
#define MAINSTEM_EVENT_TIMER 256

/**
 * An event as a callback gets it. Immutable; borrowed for the callback (see mainstem_event_retain).
 *
 * The first 64 bytes are the event's header, the same wherever an event is written down. Only the
 * library makes events, so the struct may grow at its end.
 */
typedef struct mainstem_event {
  uint64_t position;        /**< Its place on the stream: 1, 2, 3 … */
  uint64_t cause;           /**< The position of the event whose delivery sent it; 0 = outside. */
  uint64_t correlation;     /**< The position of the outside event that began the chain. */
  uint64_t answers;         /**< The position of the request it answers; 0 = none. */
  int64_t time;             /**< Nanoseconds since 1970 when accepted; 0 where not asked for. */
  uint32_t size;            /**< Bytes at `data`. */
  uint32_t offset;          /**< Where the payload lies in a batch; 0 in a callback. */
  mainstem_event_type type; /**< What it is. */
  mainstem_status status;   /**< MAINSTEM_OK; else it is a failed response, and carries an error. */
  uint32_t origin;          /**< The scope it was sent through: see mainstem_origin_name. */
  uint32_t flags;           /**< MAINSTEM_EVENT_… */

  const void *data; /**< The payload; never NULL, not ended by a zero. When status is not OK: the
                         error's sentence, text and subject, each ended by a zero byte. */
  const char *text; /**< What to show a person of a failure: the error's text, else its sentence.
                         Empty when status is OK. Never NULL. */
  mainstem_context *context; /**< The handle it was observed with. Send through it to answer. */
  uint64_t reply;            /**< The library's own, like the two that follow. */
  uint64_t home;
  uint64_t through;
} mainstem_event;

/**
 * The first 64 bytes of an event, wherever it is written down.
 *
 * In a batch (mainstem_send_many, mainstem_drain_records) the headers are contiguous from the front and the
 * payloads lie behind them; each header says how many bytes into the batch its payload begins.
 */
typedef struct mainstem_header {
  uint64_t position; /**< As in mainstem_event, like all of it. */
  uint64_t cause;
  uint64_t correlation;
  uint64_t answers;
  int64_t time;
  uint32_t size;   /**< Bytes of the payload. */
  uint32_t offset; /**< Where the payload lies, counted from the begin of the batch. */
  mainstem_event_type type;
  mainstem_status status;
  uint32_t origin;
  uint32_t flags;
} mainstem_header;

/** Looks at an event. Returning means done; see mainstem_fail. */
typedef void (*mainstem_event_fn)(void *user_data, const mainstem_event *event);

/* Event types ------------------------------------------------------------------------------------ */

/**
 * What events of a type carry, where they belong, and what is kept of them: one of MAINSTEM_PAYLOAD_…,
 * joined by `|` with at most one MAINSTEM_ROLE_…, one layer and one MAINSTEM_RECORD_…, and with
 * MAINSTEM_SECRET.
 *
 *     MAINSTEM_PAYLOAD_TEXT
 *     MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW
 *     MAINSTEM_PAYLOAD_STRUCT | sizeof(point) | MAINSTEM_RECORD_NONE
 *     MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET
 *
 * The contract is checked when an event is sent. The library never parses a payload.
 */
typedef uint64_t mainstem_contract;

#define MAINSTEM_PAYLOAD_NONE 0x000000000ULL  /**< No payload: size 0. */
#define MAINSTEM_PAYLOAD_BYTES 0x100000000ULL /**< Any bytes, also none. */
#define MAINSTEM_PAYLOAD_TEXT 0x200000000ULL  /**< UTF-8 text. */
#define MAINSTEM_PAYLOAD_JSON 0x300000000ULL  /**< JSON text; checked as UTF-8 only. */
#define MAINSTEM_PAYLOAD_STRUCT                                                                    \
  0x400000000ULL                             /**< Exactly n bytes: `MAINSTEM_PAYLOAD_STRUCT | n`. */
#define MAINSTEM_PAYLOAD_MASK 0xf00000000ULL /**< The bits that say which payload. */

/* The role follows from the name where none is given: Request…, Response…, else a notice. */
#define MAINSTEM_ROLE_REQUEST 0x1000000000ULL  /**< It asks. */
#define MAINSTEM_ROLE_RESPONSE 0x2000000000ULL /**< It answers. */
#define MAINSTEM_ROLE_NOTICE 0x3000000000ULL   /**< It tells. */
#define MAINSTEM_ROLE_MASK 0xf000000000ULL     /**< The bits that say which role. */

/* The part of the app an event type belongs to. More are added by name: mainstem_layer_add. */
#define MAINSTEM_LAYER_APP 0x000000000000ULL        /**< No layer in particular. */
#define MAINSTEM_LAYER_MODEL 0x010000000000ULL      /**< The data. */
#define MAINSTEM_LAYER_VIEWMODEL 0x020000000000ULL  /**< The data, ready to be shown. */
#define MAINSTEM_LAYER_VIEW 0x030000000000ULL       /**< What the user sees and does. */
#define MAINSTEM_LAYER_NAVIGATION 0x040000000000ULL /**< Where the app goes. */
#define MAINSTEM_LAYER_SYSTEM 0x050000000000ULL     /**< The library's own reports. */
#define MAINSTEM_LAYER_MASK 0x3f0000000000ULL       /**< The bits that say which layer. */

/* What a journal keeps of an event of the type. */
#define MAINSTEM_RECORD_FULL 0x0000000000000ULL /**< All of it: the default. */
#define MAINSTEM_RECORD_MARK 0x1000000000000ULL /**< Position, type, cause, time and flags. */
#define MAINSTEM_RECORD_NONE 0x2000000000000ULL /**< Nothing: its position is skipped. */
/** Inputs in full; of an output the mark and a digest of its payload, which a verification compares. For big values. */
#define MAINSTEM_RECORD_INPUTS 0x3000000000000ULL
#define MAINSTEM_RECORD_MASK 0x3000000000000ULL /**< The bits that say how much. */

/**
 * Events of the type are secrets: passwords, keys.
 *
 * Their observers get them as they are, flagged MAINSTEM_EVENT_SECRET. Nothing else does: a line (and so the
 * trace) shows `<secret>` for the payload, not even its size; a report of a failure in place of the sentence
 * given to mainstem_fail; a journal keeps their mark at most, whatever MAINSTEM_RECORD_… says; they have no
 * history. The library overwrites each copy of the payload that it made before it gives the memory back. Of a
 * failed response that is a secret the same holds for its error: the sentence may quote what was asked.
 *
 * The copies of the host's are the host's: what it sends from, a batch that it has fetched, what an answer
 * that is no secret, a subject or a name repeats. See docs/privacy.md.
 */
#define MAINSTEM_SECRET 0x4000000000000ULL

/**
 * Registers an event type, or finds the one already registered with the same contract.
 *
 * Name: UTF-8, 1 to 255 bytes, compared as bytes; names that begin with "Mainstem" are the
 * library's own. Response: the name of the type that answers it, or NULL; that type may be
 * registered later. Registering the same name again gives the same type; where one of the two names
 * a response and the other none, the named one holds.
 *
 * Owner: name and response are copied. Thread: context. Reentrant: yes.
 * Null: context, name and type must not be NULL.
 * Errors: INVALID (no UTF-8, empty, a reserved name, an invalid contract, or the name is
 * registered with another contract or response), TOO_BIG (name over 255 bytes), STALE, WRONG_KIND,
 * WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_type_add(mainstem_context *context, const char *name,
                                               mainstem_contract contract, const char *response,
                                               mainstem_event_type *type);

/**
 * The event type registered under a name.
 *
 * Thread: context. Errors: INVALID (NULL, or no type of that name), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_type_find(mainstem_context *context, const char *name,
                                                mainstem_event_type *type);

/** What is known of an event type. */
typedef struct mainstem_type_info {
  uint32_t size;                /**< sizeof(mainstem_type_info), set by the caller. */
  mainstem_event_type response; /**< The type that answers it; 0 = none, or not registered yet. */
  mainstem_contract contract;   /**< With its role, also where that followed from the name. */
  const char *name;             /**< Valid until the context is closed. */
  uint64_t history_max_age_ms;  /**< The age limit of its history; 0 = none. */
  uint32_t history_count;       /**< How many are kept for late observers; 0 = no history. */
} mainstem_type_info;

/**
 * Reads what is known of an event type.
 *
 * Thread: context. Null: no argument may be NULL; `info->size` must be set.
 * Errors: INVALID (no such type, or size unknown), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_type_read(mainstem_context *context, mainstem_event_type type,
                                                mainstem_type_info *info);

/**
 * A layer by its name: one of ours ("app", "model", "viewmodel", "view", "navigation", "system") or
 * one of the app's own, added at its first mention. 64 at most.
 *
 * `layer` gets the bits to join with a contract.
 * Owner: the name is copied. Thread: context.
 * Errors: INVALID (NULL, empty, no UTF-8), TOO_BIG (name over 255 bytes), LIMIT (64 layers), STALE,
 * WRONG_KIND, WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_layer_add(mainstem_context *context, const char *name,
                                                mainstem_contract *layer);

/** One event type of a program. */
typedef struct mainstem_catalogue_row {
  const char *name;           /**< Its name. */
  mainstem_contract contract; /**< What it carries. */
  const char *response;       /**< The name of the type that answers it, or NULL. */
} mainstem_catalogue_row;

/**
 * Registers the event types of a program at once: the program, as its list of events.
 *
 * Rows are as mainstem_type_add takes them; a row may name a response that a later row registers.
 * `row_size` is sizeof of one row. `types` gets `count` type numbers in the order of the rows, and
 * may be NULL. At the first row that fails the call ends with that row's status, the sentence names
 * the row, and the rows before it stay registered.
 *
 * Thread: context. Errors: as mainstem_type_add.
 */
MAINSTEM_API mainstem_status mainstem_catalogue_add(mainstem_context *context,
                                                    const mainstem_catalogue_row *rows,
                                                    size_t row_size, size_t count,
                                                    mainstem_event_type *types);

/* What an event says ------------------------------------------------------------------------------ */

/** What went wrong, as a value. Text is UTF-8; NULL counts as empty. */
typedef struct mainstem_error {
  uint32_t size;        /**< sizeof(mainstem_error), set by the caller. */
  mainstem_status code; /**< Never MAINSTEM_OK; the app's own codes begin at MAINSTEM_APP. */
  const char *sentence; /**< For developers. */
  const char *text;     /**< For users; may be empty. */
  const char *subject;  /**< What it is about: an id, a field; may be empty. */
} mainstem_error;

/**
 * The error that a failed response carries. Its texts live as long as the event.
 *
 * Thread: any that may read the event. Null: no argument may be NULL; `error->size` must be set.
 * Errors: INVALID (NULL, size unknown, or the event's status is MAINSTEM_OK).
 */
MAINSTEM_API mainstem_status mainstem_event_error(const mainstem_event *event,
                                                  mainstem_error *error);

/**
 * Writes an event as one line of text, the same line everywhere:
 *
 *     #7 ResponseTodo ok ← #6 ModelServer {"id":3,"title":"Milk"}
 *
 * Position, type, status (of responses), cause (unless outside), origin (unless the context itself),
 * payload: text as it is, cut after 240 bytes with "…"; bytes as their count, `<16 bytes>`; an error
 * as its code and sentence; of a secret `<secret>`, of an event of which a journal kept the mark only
 * `<marked>`. The event may also be a host's copy of the struct: context, and the memory behind data,
 * must still be valid.
 *
 * The line cannot command a terminal, begin another line, or read other than it is. In names, text
 * and sentences it escapes, as JSON does: control characters (`\n`, `\r`, `\t`, else `\u001b`), line
 * and paragraph separators (`\u2028`), and format characters, which turn text round or hide in it
 * (`\u202e`, `\u200b`, `\ufeff`); beyond U+FFFF as a surrogate pair (`\udb40\udc61`). A byte that is
 * no UTF-8 is `\xff`. The library's tools show text the same way.
 *
 * Like snprintf: at most `capacity` bytes are written, the last one zero, and `length` gets the
 * length of the whole line without that zero. Buffer may be NULL when capacity is 0; length may be
 * NULL.
 * Thread: any that may read the event. Errors: INVALID (NULL), STALE (the event's context is closed).
 */
MAINSTEM_API mainstem_status mainstem_event_line(const mainstem_event *event, char *buffer,
                                                 size_t capacity, size_t *length);

/**
 * The name of the scope an event was sent through; empty for the context itself.
 *
 * Owner: the name is valid as long as the scope lives, or an event of it waits, is retained, is in a history or in a
 * callback. Copy it to keep it longer. When nothing has the number any more, the name is forgotten, and the number
 * is no origin; it is not given to another scope before four thousand million others. Thread: context.
 * Errors: INVALID (NULL, or no such origin), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_origin_name(mainstem_context *context, uint32_t origin,
                                                  const char **name);

/* Keeping an event -------------------------------------------------------------------------------- */

/**
 * Keeps a copy of an event beyond its callback.
 *
 * The copy can be read, and a request answered through it, until it is released or its context is
 * closed.
 * Thread: any that may read the event. Reentrant: yes.
 * Errors: INVALID (NULL), STALE (its context is closed), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_retain(const mainstem_event *event,
                                                   mainstem_retained **retained);

/**
 * The kept event. The pointer is valid until mainstem_retained_release or the context's close.
 *
 * Thread: any. Errors: INVALID (NULL), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_retained_event(mainstem_retained *retained,
                                                     const mainstem_event **event);

/** Ends a kept event. NULL does nothing. Thread: any. Errors: STALE, WRONG_KIND. */
MAINSTEM_API mainstem_status mainstem_retained_release(mainstem_retained *retained);

#ifdef __cplusplus
}
#endif

#endif
