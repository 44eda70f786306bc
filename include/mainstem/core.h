// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The part of the API that most programs need: events, observers, servers, requests, timers, the loop, recording.
 *
 * The parts of a program (views, models, network code) do not call each other. They send *events*, and observe them. All
 * events of a program form one ordered stream: every part sees them in the same order, each exactly once. A part that
 * needs an answer sends a *request*; a *server* answers it. This is a whole program:
 *
 *     #include <mainstem.h>
 *     #include <stdio.h>
 *
 *     enum { REQUEST_GREET, RESPONSE_GREETING, TYPES };
 *
 *     static const mainstem_type_row types[TYPES] = {
 *         {"RequestGreet", MAINSTEM_PAYLOAD_TEXT, "ResponseGreeting"},
 *         {"ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL}};
 *
 *     static void greet(void *guests, const mainstem_event *request) {
 *       char text[80];
 *       if (request->size == 0 || request->size > 50) {
 *         mainstem_respond_error(request, MAINSTEM_APP, "Please tell me your name.");
 *         return;
 *       }
 *       int length = snprintf(text, sizeof text, "Hello, %.*s, guest %d", (int)request->size,
 *                             (const char *)request->data, ++*(int *)guests);
 *       mainstem_respond(request, text, (size_t)length);
 *     }
 *
 *     static const mainstem_handler_row handlers[] = {{"RequestGreet", greet, 0}};
 *
 *     static void show(void *label, const mainstem_event *response) {
 *       if (response->status != MAINSTEM_OK) printf("failed: %s\n", response->user_message);
 *       else printf("%s: %.*s\n", (const char *)label, (int)response->size, (const char *)response->data);
 *     }
 *
 *     int main(void) {
 *       mainstem_context *context;
 *       mainstem_event_type type[TYPES];
 *       const char *message;
 *       int guests = 0;
 *       mainstem_context_create(NULL, &context);
 *       mainstem_types_add(context, MAINSTEM_ROWS(types), type);
 *       mainstem_server_add(context, "Greeter", MAINSTEM_ROWS(handlers), &guests, NULL, NULL);
 *       mainstem_request(context, type[REQUEST_GREET], "Ada", 3, show, "door", NULL);
 *       mainstem_status failed = mainstem_context_first_error(context, &message);
 *       if (failed) fprintf(stderr, "%s\n", message);
 *       mainstem_context_close(context);
 *       return failed != MAINSTEM_OK;
 *     }
 *
 *     $ cc -o greet greet.c $(pkg-config --cflags --libs mainstem) && ./greet
 *     door: Hello, Ada, guest 1
 *
 * A *context* holds one stream and everything attached to it. mainstem_types_add names the events that the program
 * knows. mainstem_server_add adds a server: a named table of functions, one for each type of event that it handles.
 * mainstem_request puts an event on the stream. The library calls `greet`; its answer is an event, too, and is put on
 * the stream behind the request. Then `show` gets it. All of this has happened when mainstem_request returns.
 *
 * Five of the laws (docs/laws.md has all of them, with their tests):
 *
 * - One order. Each event gets the next *position*: 1, 2, 3 … Observers of an event are called in the order in which
 *   they were added.
 * - Callbacks never nest. An event sent inside a callback is delivered when all observers have had the current one.
 * - A request gets exactly one answer: from a server, or from the library.
 * - A context belongs to the thread that created it. Other threads use mainstem_post and mainstem_respond.
 * - Events do not change. What a callback gets is valid until it returns; mainstem_event_retain keeps a copy.
 *
 * How to read a comment. *Owner* says who keeps or frees what. *Thread: context* is the thread that the context belongs
 * to. *Reentrant* says whether a callback may make the call. *Null* says which arguments may be NULL. *Errors* are the
 * statuses that a call may return besides MAINSTEM_OK; after an error, nothing has changed. mainstem.h lists the other
 * headers.
 */

#ifndef MAINSTEM_CORE_H
#define MAINSTEM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != 0xffffffffffffffff
#error "Mainstem needs 64-bit pointers: a handle carries slot, kind and generation in one."
#endif

#if defined(__GNUC__)
#define MAINSTEM_API __attribute__((visibility("default")))
#else
#define MAINSTEM_API
#endif

#define MAINSTEM_VERSION_MAJOR 0
#define MAINSTEM_VERSION_MINOR 11
#define MAINSTEM_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses ----------------------------------------------------------------------------------------------- */

/**
 * The result of a call; also the result of a request, as the status of its response.
 *
 * The whole library shares one list. 0 is success; codes from 1000 on belong to the app. New statuses may be
 * added; a number never changes its meaning.
 */
typedef int32_t mainstem_status;

enum {
  MAINSTEM_OK = 0,           /**< Success; for a send: accepted, with a position. */
  MAINSTEM_INVALID = 1,      /**< An argument is invalid; the message says which. */
  MAINSTEM_STALE = 2,        /**< The handle has ended, or its context is closed. */
  MAINSTEM_WRONG_KIND = 3,   /**< The handle is not of the kind the call takes. */
  MAINSTEM_WRONG_THREAD = 4, /**< The context belongs to another thread. */
  MAINSTEM_BUSY = 5,         /**< Inside this callback of the context the call is refused. */
  MAINSTEM_DENIED = 6,       /**< The scope has no right to do this. */
  MAINSTEM_TOO_BIG = 7,      /**< A payload, a name or a count exceeds its limit. */
  MAINSTEM_FULL = 8,         /**< A queue has reached its limit. */
  MAINSTEM_LIMIT = 9,        /**< A budget is used up. */
  MAINSTEM_NO_MEMORY = 10,   /**< An allocation failed; nothing has changed. */
  MAINSTEM_UNHANDLED = 11,   /**< No server handles requests of this type. */
  MAINSTEM_TIMEOUT = 12,     /**< The timeout has passed. */
  MAINSTEM_CANCELLED = 13,   /**< The request ended before a server answered it. */
  MAINSTEM_INTERRUPTED = 14, /**< A signal arrived during a wait. */
  MAINSTEM_WITHHELD = 15,    /**< The payload is a secret that was not supplied. */
  MAINSTEM_FORKED = 16,      /**< The handle was made in the parent process, before fork. */
  MAINSTEM_UNSUPPORTED = 17, /**< This library, or this build of it, does not support that. */
  MAINSTEM_INCOMPLETE = 18,  /**< A callback returned without its answer or mainstem_confirm. */
  MAINSTEM_IO = 19,          /**< A file could not be opened, read or written. */
  MAINSTEM_NO_SPACE = 20,    /**< The disk or quota is full: the journal has no room. */
  MAINSTEM_LOCKED = 21,      /**< Another process or context is recording to this journal. */
  MAINSTEM_CORRUPT = 22,     /**< The journal is damaged, or the file is not a journal. */
  MAINSTEM_POISONED = 23,    /**< A sync failed; durability is unknown. */
  MAINSTEM_VERSION = 24,     /**< This library does not read the journal's format version. */
  MAINSTEM_DIFFERENT = 25,   /**< A replay's outcome differs from the journal. */
  MAINSTEM_UNSET = 26,       /**< The scope has not sent that value yet. */
  MAINSTEM_DISABLED = 27,    /**< The command is disabled now. */
  MAINSTEM_EXECUTING = 28,   /**< The command is executing already. */
  MAINSTEM_BAD_URL = 29,     /**< The URL is malformed, or no route may get it. */
  MAINSTEM_NO_ROUTE = 30,    /**< No route matches the URL. */
  MAINSTEM_APP = 1000        /**< The first of the app's own codes. */
};

/**
 * Returns the name of a status, as in the list above but without the prefix: "BUSY".
 *
 * Codes from 1000 on are "APP"; a number that is not a status is "UNKNOWN".
 * Owner: static text, never NULL. Thread: any.
 */
MAINSTEM_API const char *mainstem_status_name(mainstem_status status);

/**
 * Returns the message of the last call that failed on this thread: function, argument, reason, and what to do.
 *
 * For example "mainstem_send: size: Tick carries no payload: pass NULL and 0". Empty text if none has failed
 * yet. A call that succeeds does not change it. It is one line: what it quotes is escaped as in
 * mainstem_event_line.
 * Owner: the library; valid until the next failing call on this thread. Never NULL.
 * Thread: any; each thread has its own.
 */
MAINSTEM_API const char *mainstem_last_error(void);

/* Tables ------------------------------------------------------------------------------------------------- */

/**
 * A table of rows, as the three arguments that functions take for one: the rows, the size of a row, their number.
 *
 *     static const mainstem_handler_row rows[] = {
 *         {"RequestTodo", on_request, 0}, {"RequestUndo", on_undo, MAINSTEM_HANDLER_OWN}};
 *
 *     mainstem_server_add(context, "Todo", MAINSTEM_ROWS(rows), todo, NULL, &server);
 *
 * `table` is an array. A pointer does not compile: it does not tell how many rows there are.
 *
 * The size of a row tells the library which version of the row the program was compiled with. Later versions add fields
 * at the end; zero is their default. The library takes rows of all earlier sizes. Write every field, or compilers warn.
 */
#define MAINSTEM_ROWS(table)                                                                       \
  (table), sizeof(table)[0],                                                                       \
      sizeof(table) / sizeof(table)[0] * MAINSTEM_IS_TABLE(sizeof(table) % sizeof(table)[0])

/** 1; does not compile if something is left over. For the macro above. */
#define MAINSTEM_IS_TABLE(left) sizeof(char[(left) == 0 ? 1 : -1])

/* Options ------------------------------------------------------------------------------------------------ */

/*
 * Structs of options begin with their size. It tells the library which version of the struct the program was compiled
 * with, so that later versions can add fields at the end. Zero is the default of every other field: write `size` and
 * the fields that you need.
 *
 *     mainstem_request_options options = {.size = sizeof options, .timeout_ms = 50};
 *
 * In C++ (before C++20):
 *
 *     mainstem_request_options options{};
 *     options.size = sizeof options;
 *     options.timeout_ms = 50;
 *
 * NULL in place of options means the defaults. Errors of all functions that take options: INVALID (a size of 0, or one
 * that no version has), UNSUPPORTED (a size larger than this library knows).
 *
 * Structs that a function fills begin with their size, too: `mainstem_context_stats stats = {.size = sizeof stats};`.
 */

/* Handles ------------------------------------------------------------------------------------------------ */

/*
 * A handle is a pointer type, but its value names a slot, a kind and a generation; it is never dereferenced. So
 * passing a bad handle is safe and returns a status: MAINSTEM_INVALID for NULL, unless the function says that
 * NULL does nothing; MAINSTEM_WRONG_KIND for a handle of another kind; MAINSTEM_STALE for one that has ended or
 * was never issued. Each kind says how its handles end; all handles of a context end with it.
 */

/**
 * One stream and everything that belongs to it; or a scope of it, a named child.
 *
 * Ended by mainstem_context_close (the whole context) or mainstem_scope_end (a scope or server).
 */
typedef struct mainstem_context mainstem_context;

/** An observer's registration on the stream. Ended by mainstem_cancel, or with its scope. */
typedef struct mainstem_subscription mainstem_subscription;

/** A retained copy of an event. Ended by mainstem_retained_release. */
typedef struct mainstem_retained mainstem_retained;

/** An event to be sent later. Ends when it has fired for the last time, or with mainstem_timer_cancel. */
typedef struct mainstem_timer mainstem_timer;

/** A request waiting for its answer. Ends with the answer. */
typedef struct mainstem_pending mainstem_pending;

/**
 * Called once, with no lock held, when the library will never use `user_data` again.
 *
 * If a call that takes a hook fails, the hook is not called: the data stays the caller's.
 */
typedef void (*mainstem_release_fn)(void *user_data);

/* Contexts ----------------------------------------------------------------------------------------------- */

/** Threads, limits, clock: see context.h. */
typedef struct mainstem_context_options mainstem_context_options;

/**
 * Creates a context: an empty stream.
 *
 * Owner: the caller, who closes it. Thread: any; with MAINSTEM_THREADS_ONE the context then belongs to the calling
 * thread. After a failure `*context` is NULL.
 * Errors: UNSUPPORTED (an option this library does not know), TOO_BIG (a limit over its maximum), LIMIT (too many
 * contexts, or no descriptor for MAINSTEM_CONTEXT_INTERRUPTS), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_context_create(const mainstem_context_options *options,
                                                     mainstem_context **context);

/**
 * Closes a context (law 12).
 *
 * Takes in posts, delivers accepted events to their immediate observers, answers open requests with
 * MAINSTEM_CANCELLED, joins the threads of serial schedulers, runs the release hooks, and ends every
 * handle of the context. Events waiting for an observer on a scheduler are dropped. Completions waiting on a
 * scheduler are called; a failure in one of them is counted, but no longer reported.
 * If observers on the host or change sets wait, and no call has ever drained the context, waited in it, or asked for its
 * descriptor, wake hook or next timeout, one event "MainstemFailure" says so: type and origin are those of the first call
 * that was never made, `count` is how many there are. In a recorded context it is an input.
 * Waits: for the callback that another thread is running. Thread: context. NULL does nothing. In the last callbacks,
 * calls that read still work. So do calls that end something the callback holds, and calls about the callback itself:
 * mainstem_cancel, mainstem_timer_cancel, mainstem_retained_release, mainstem_event_retain, mainstem_fail,
 * mainstem_confirm. Calls that wait return BUSY. Sends, and all other calls that would change the context, return
 * STALE. In the hooks that close runs, every handle is STALE.
 * Errors: BUSY (inside a callback or release hook of the context), STALE (also when another thread is closing it),
 * WRONG_KIND (also for a scope: use mainstem_scope_end). The context is closed even with IO, NO_SPACE, POISONED (the
 * end of its journal could not be written) and CORRUPT (another program changed or removed its journal).
 */
MAINSTEM_API mainstem_status mainstem_context_close(mainstem_context *context);

/**
 * Returns the status of the first call that failed on this context, so that a small program needs to check only
 * once.
 *
 * Returns MAINSTEM_OK when no call failed. `message` (may be NULL) gets the failed call's message, or
 * empty text; it is valid until the context is closed. Calls in callbacks and on other threads count, too: those
 * refused with WRONG_THREAD, and what a scope is DENIED. So check it after setting up, and again before the close;
 * where a program tries what it may not do, check each call instead. A wait that ended with TIMEOUT or INTERRUPTED
 * has not failed, nor has an answer to a request, or its progress, that came too late (STALE). Calls count that take
 * the context or a scope, and answers: check those on other handles, such as a binding, a router or a replay.
 * For NULL, as after a failed mainstem_context_create: INVALID, with this thread's last message.
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_context_first_error(mainstem_context *context,
                                                          const char **message);

/* Event types -------------------------------------------------------------------------------------------- */

/**
 * A registered event type's number in one context: 1, 2, 3 … In filters, 0 means every type.
 *
 * A number belongs to its context. One that another context gave is refused where it names nothing; where it happens to
 * name a type here too, it means that type. Contexts that register the same types in the same order have the same
 * numbers.
 */
typedef uint32_t mainstem_event_type;

/** In a filter: every type, including those registered later. */
#define MAINSTEM_TYPE_ANY 0

/**
 * What events of a type carry, where they belong, and how much of them a journal keeps. One
 * MAINSTEM_PAYLOAD_…, joined by `|` with at most one MAINSTEM_ROLE_…, one layer and one
 * MAINSTEM_RECORD_…, and optionally with MAINSTEM_SECRET.
 *
 *     MAINSTEM_PAYLOAD_TEXT
 *     MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW
 *     MAINSTEM_PAYLOAD_STRUCT | sizeof(point) | MAINSTEM_RECORD_NONE
 *     MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET
 *
 * The contract is checked when an event is sent. The library never parses a payload. Read a BOOL, an INTEGER
 * or a NUMBER with mainstem_event_bool, mainstem_event_integer, mainstem_event_number.
 */
typedef uint64_t mainstem_contract;

#define MAINSTEM_PAYLOAD_NONE 0x000000000ULL  /**< No payload: size 0. */
#define MAINSTEM_PAYLOAD_BYTES 0x100000000ULL /**< Any bytes, or none. */
#define MAINSTEM_PAYLOAD_TEXT 0x200000000ULL  /**< UTF-8 text. */
#define MAINSTEM_PAYLOAD_JSON 0x300000000ULL  /**< JSON text; checked as UTF-8 only. */
#define MAINSTEM_PAYLOAD_STRUCT                                                                    \
  0x400000000ULL                             /**< Exactly n bytes: `MAINSTEM_PAYLOAD_STRUCT | n`. */
#define MAINSTEM_PAYLOAD_BOOL 0x500000000ULL /**< One byte: 0 or 1. */
#define MAINSTEM_PAYLOAD_INTEGER 0x600000000ULL /**< An int64_t. */
#define MAINSTEM_PAYLOAD_NUMBER 0x700000000ULL  /**< A double. */
#define MAINSTEM_PAYLOAD_MASK 0xf00000000ULL    /**< The bits that select the payload. */

/** One event type of a program. */
typedef struct mainstem_type_row {
  const char *name;           /**< Its name. */
  mainstem_contract contract; /**< What it carries. */
  const char *response;       /**< The name of the type that answers it, or NULL. */
} mainstem_type_row;

/**
 * Registers all event types of a program at once, from one table.
 *
 * Each row is like a call of mainstem_type_add; a row may name a response that a later row registers.
 * `row_size` is sizeof of one row: pass MAINSTEM_ROWS(rows). `types` gets `count` type numbers in the order of the
 * rows, and may be NULL. At the first row that fails, the call stops and returns its status. The message names the row;
 * the rows before it stay registered.
 *
 * Thread: context.
 * Errors: as mainstem_type_add.
 */
MAINSTEM_API mainstem_status mainstem_types_add(mainstem_context *context,
                                                const mainstem_type_row *rows, size_t row_size,
                                                size_t count, mainstem_event_type *types);

/* Events ------------------------------------------------------------------------------------------------- */

/** Progress of a request, not its response. See mainstem_respond_progress. */
#define MAINSTEM_EVENT_PROGRESS 4

/**
 * An event as a callback gets it. Immutable; borrowed for the callback (see mainstem_event_retain).
 *
 * The first 64 bytes are the event's header, the same wherever an event is stored. Only the library
 * makes events, so the struct may grow at its end.
 */
typedef struct mainstem_event {
  uint64_t position;        /**< Its place on the stream: 1, 2, 3 … */
  uint64_t cause;           /**< Position of the event whose delivery sent it; 0 = outside. */
  uint64_t correlation;     /**< Position of the outside event that began the chain. */
  uint64_t answers;         /**< Position of the request it answers; 0 = none. */
  int64_t time;             /**< When accepted, in ns since 1970; 0 if times are not kept. */
  uint32_t size;            /**< Bytes at `data`. */
  uint32_t offset;          /**< The payload's offset in a batch; 0 in a callback. */
  mainstem_event_type type; /**< Its event type. */
  mainstem_status status;   /**< MAINSTEM_OK; else a failed response, which carries an error. */
  uint32_t origin;          /**< The scope it was sent through: see mainstem_origin_name. */
  uint32_t flags;           /**< MAINSTEM_EVENT_… */

  const void *data; /**< The payload; never NULL, not zero-terminated. When status is not OK: the
                         error's message, user_message and subject, each ended by a zero byte. */
  const char *user_message; /**< What to tell a user of a failure: the error's user_message, or else
                                 its message. Empty when status is OK. Never NULL. */
  mainstem_context *context; /**< The handle it was observed with; send through it. */
  uint64_t reply;            /**< Private to the library, like the next two. */
  uint64_t home;
  uint64_t through;
} mainstem_event;

/** Observes an event. Returning means success; see mainstem_fail. */
typedef void (*mainstem_event_fn)(void *user_data, const mainstem_event *event);

/**
 * Puts an event on the stream.
 *
 * Outside callbacks, if no other thread is delivering, the event and everything its immediate observers
 * send have reached all immediate observers when the call returns. For scheduled observers, these events then
 * wait on their schedulers. Inside an immediate callback, while another thread delivers, or with
 * MAINSTEM_CONTEXT_DELIVER_ON_HOST, the event is copied and the call returns at once.
 *
 * Waiting events are bounded (law 9). If an event would have to wait, but the context's limits are reached, the
 * send returns FULL and changes nothing. So does a send that a scheduled observer's queue refuses
 * (MAINSTEM_QUEUE_REJECT, or _BLOCK, which may wait first).
 *
 * An event with more than limit_cascade causes back to its outside event is refused with LIMIT. The 1st,
 * 2nd, 4th, 8th … such refusal is reported by an event "MainstemLimit" (layer system, JSON: type, origin,
 * limit, chain, count; `chain` lists the types that led there, in order). To continue a longer chain, use
 * a timer (mainstem_send_after): its events are outside events.
 *
 * Owner: the bytes are borrowed for the call and must not change during it. Thread: context.
 * Errors: INVALID (no such type, or a payload that breaks the type's contract), TOO_BIG (over the context's limit; no
 * byte was read), DENIED (mainstem_scope_add), FULL, LIMIT, NO_MEMORY (the last three only when the event has to wait,
 * FULL also when a queue refuses).
 */
MAINSTEM_API mainstem_status mainstem_send(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/**
 * Hands an event to a context from any thread.
 *
 * The event is copied and waits until the context drains, waits or closes. Then it is accepted as an
 * outside event. Posts from one thread keep their order. A post outlives the scope it was made through and
 * keeps its origin, unlike a timer, which ends with its scope. An event posted inside an immediate callback has
 * no cause and begins a chain of its own. One posted inside a callback on a scheduler of the context has that
 * callback's event as its cause.
 * Thread: any.
 * Errors: as mainstem_send, without WRONG_THREAD and LIMIT; FULL: limit_posts or limit_post_bytes is reached, or a
 * scheduled observer's queue refuses.
 */
MAINSTEM_API mainstem_status mainstem_post(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/* Observers ---------------------------------------------------------------------------------------------- */

/**
 * Observes the events of one type (MAINSTEM_TYPE_ANY: of every type).
 *
 * `fn` runs on the thread that delivers (law 6), one call at a time. `release`, if not NULL, is called
 * once after the last call (law 5). The subscription ends with mainstem_cancel, or with the scope it was made
 * through.
 *
 * Owner: user_data is the caller's; the hook says when it is no longer used. Thread: context. `*subscription` is set
 * before the first call, even for a late event (mainstem_history_keep). Reentrant: yes; an observer registered inside a
 * callback does not get the current event. Null: subscription.
 * Errors: INVALID (no such type, or fn is NULL), DENIED, LIMIT (an observer budget; the message says whose), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_observe(mainstem_context *context, mainstem_event_type type,
                                              mainstem_event_fn fn, void *user_data,
                                              mainstem_release_fn release,
                                              mainstem_subscription **subscription);

/**
 * Ends a subscription (law 5). Never waits.
 *
 * The release hook runs inside this call if no thread is delivering, neither on the stream nor on the
 * observer's scheduler. Otherwise it runs on the delivering thread, before that thread's next call. So it
 * never runs inside an immediate callback that cancels. If a thread other than the context's own cancels,
 * the hook runs on the context's thread, the next time that thread sends, drains, observes, cancels or
 * closes.
 * Thread: any. Reentrant: yes, also from the subscription's own callback. NULL does nothing.
 * Errors: STALE (it has ended, or was cancelled before).
 */
MAINSTEM_API mainstem_status mainstem_cancel(mainstem_subscription *subscription);

/** Receives one line of text, without a newline; borrowed for the call. */
typedef void (*mainstem_line_fn)(void *user_data, const char *line);

/**
 * Passes every event to `fn` as one line of text (mainstem_event_line), until the context or scope ends.
 *
 * Thread: context.
 * Errors: as mainstem_observe, without DENIED: what the scope may not observe is left out.
 */
MAINSTEM_API mainstem_status mainstem_trace(mainstem_context *context, mainstem_line_fn fn,
                                            void *user_data);

/* Servers ------------------------------------------------------------------------------------------------ */

/** A server's function for one event type. */
typedef struct mainstem_handler_row {
  const char *type;     /**< The name of a registered event type. */
  mainstem_event_fn fn; /**< Called with the server's user_data. */
  uint32_t flags;       /**< MAINSTEM_HANDLER_… flags, joined by `|`; 0: none. */
} mainstem_handler_row;

/**
 * Adds a server: a scope with a table of handlers. All handlers get the same user_data.
 *
 * A handler is called for each event of its type, sent or requested; first for those in the type's history
 * (mainstem_history_keep). Shared requests (mainstem_request_with) are the exception: one request stands for them.
 * It answers a request with mainstem_respond or mainstem_respond_error, inside the call or later
 * (mainstem_event_retain). If it does neither, the request is answered MAINSTEM_INCOMPLETE: see mainstem_request.
 * It may also observe other types, and send. Through `event->context` it acts as the server.
 *
 * An own handler (MAINSTEM_HANDLER_OWN) comes after the handlers and observers of every origin. A request is
 * unhandled if no handler gets what is sent through its scope.
 *
 * A request has one handler; to replace its server, end that first. A second handler would run beside the first one,
 * and its answer would be lost, so it is refused with INVALID: that of another server or service, or another row of the
 * table. If several are wanted, all of them say so (MAINSTEM_HANDLER_SEVERAL). Own handlers of different servers do not
 * clash, since no request reaches both; an own handler and one for every origin do. Other events, and requests that
 * name no response, may have any number of handlers.
 *
 * When every server that got a request has ended, the request is answered MAINSTEM_CANCELLED, even if another server
 * was added meanwhile.
 *
 * `row_size` is sizeof of one row: see MAINSTEM_ROWS. `release`, if not NULL, is called once when the server has ended
 * and its last call is over.
 *
 * If `name` is NULL, the scope `context` itself becomes the server; it must not be one yet, nor the context.
 * A model that is the instance of a service takes handlers so, too, for what is asked of it: see mainstem_service_add.
 *
 * Owner: the caller, who may end it with mainstem_scope_end; it ends with its parent. `*server` is set before any
 * handler is called. Thread: context. Null: server.
 * Errors: INVALID (name, rows, flags, an unregistered type, a NULL function, a request that has a handler), UNSUPPORTED
 * (a flag or rows of a newer library), TOO_BIG (the name), DENIED, LIMIT, NO_MEMORY. A failed call changes nothing.
 */
MAINSTEM_API mainstem_status mainstem_server_add(mainstem_context *context, const char *name,
                                                 const mainstem_handler_row *rows, size_t row_size,
                                                 size_t count, void *user_data,
                                                 mainstem_release_fn release,
                                                 mainstem_context **server);

/* Requests ----------------------------------------------------------------------------------------------- */

/**
 * Sends a request that gets exactly one final response (law 8).
 *
 * The type must have the role request and name its response type. The response is an event of that type, on
 * the stream like any other. `fn` (may be NULL) gets it once, after all its immediate observers. Its status is
 * MAINSTEM_OK, or the code of an error:
 *
 * - the server's own code;
 * - MAINSTEM_TIMEOUT (see mainstem_request_with);
 * - MAINSTEM_UNHANDLED: no server of the type got the request. This is decided when it has reached its
 *   observers; the message names the servers that exist then;
 * - MAINSTEM_INCOMPLETE: no handler has answered, and none can any more: all calls of handlers have returned, and
 *   every copy of the request (mainstem_event_retain) is released. This is decided when the last of these happens; a
 *   release outside callbacks takes effect in the next drain. It is reported (`MainstemFailure`), unless the handler
 *   said that it has failed. An observer on a scheduler is not waited for: to answer, it must be a handler;
 * - MAINSTEM_CANCELLED: the last server that got the request ended, the scope that asked ended, the request
 *   was cancelled, or the context closed.
 *
 * Outside callbacks, if a server answers at once, its answer has arrived when this call returns.
 *
 * Owner: bytes as in mainstem_send. `*pending` is set before anybody sees the request; the handle ends with the answer.
 * Thread: context. Null: fn, pending.
 * Errors: as mainstem_send, and INVALID (not a request, or a request that names no registered response), LIMIT,
 * NO_MEMORY. After an error `fn` is never called.
 */
MAINSTEM_API mainstem_status mainstem_request(mainstem_context *context, mainstem_event_type type,
                                              const void *data, size_t size, mainstem_event_fn fn,
                                              void *user_data, mainstem_pending **pending);

/**
 * Answers a request with a payload of its response type.
 *
 * `event` is the request: the one a callback got, or a retained one. The response has the request's position
 * as `answers`, and its correlation. Its cause is the event of the callback it is given in; 0 outside. If the
 * request was only sent, the response is a plain event that nothing waits for.
 *
 * From a thread that is not the context's own, the answer counts at once and reaches its observers when
 * the context drains. Owner: bytes as in mainstem_send. Thread: any. Reentrant: yes.
 * Errors: INVALID (not a request, no registered response, or the payload breaks the contract), TOO_BIG, DENIED, STALE
 * (already answered, or the context is closed), NO_MEMORY; if the request was only sent also FULL and LIMIT, as
 * mainstem_send. After an error the request stays open.
 */
MAINSTEM_API mainstem_status mainstem_respond(const mainstem_event *event, const void *data,
                                              size_t size);

/**
 * Answers a request with an error: a code and a message.
 *
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Message: UTF-8, copied, may be NULL;
 * `event->user_message` shows it.
 * Thread, errors: as mainstem_respond; but TOO_BIG only over 4,294,967,295 bytes, as an error may be longer than
 * a payload.
 */
MAINSTEM_API mainstem_status mainstem_respond_error(const mainstem_event *event,
                                                    mainstem_status code, const char *message);

/**
 * Reports a request's progress, with an event of a type the server chooses. May be called any number of times.
 *
 * The type must be a notice. Only the one final answer is a response, so progress cannot be mistaken for it.
 * The event has the request's position as `answers`, its correlation, and the flag MAINSTEM_EVENT_PROGRESS. It
 * is on the stream like any other; after its observers it goes to the request's progress function, if there is
 * one. The request stays open. If the request was only sent, the event is a plain one.
 *
 * After the final answer, progress is refused. From a thread that is not the context's own it waits, in order
 * with that thread's answers, until the context drains. If the request is answered from elsewhere meanwhile,
 * waiting progress is dropped.
 *
 * Owner: bytes as in mainstem_send. Thread: any.
 * Errors: INVALID (`event` is not a request, `type` is not a notice, or the payload breaks its contract), TOO_BIG,
 * DENIED, FULL (as mainstem_send, or 1,024 steps wait on the scheduler that wants them; for a tracked request, an
 * observer's queue never refuses a step from another thread), LIMIT, STALE (already answered, or the context is
 * closed), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_respond_progress(const mainstem_event *event,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/* Keeping an event --------------------------------------------------------------------------------------- */

/**
 * Keeps a copy of an event beyond its callback.
 *
 * Until the copy is released or its context is closed, it can be read, and a request can be answered
 * through it. Until then a request stays open.
 * Thread: any that may read the event.
 * Errors: STALE (its context is closed), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_retain(const mainstem_event *event,
                                                   mainstem_retained **retained);

/**
 * Gets a retained event. The pointer is valid until mainstem_retained_release or the context's close.
 *
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_retained_event(mainstem_retained *retained,
                                                     const mainstem_event **event);

/**
 * Releases a retained event. NULL does nothing.
 *
 * If nothing else can answer a request, it is answered MAINSTEM_INCOMPLETE: see mainstem_request. This calls no callback.
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_retained_release(mainstem_retained *retained);

/* Timers ------------------------------------------------------------------------------------------------- */

/**
 * Sends an event `delay_ms` from now, inside the first drain or wait after that time; then every `repeat_ms` until the
 * timer is cancelled. With a `repeat_ms` of 0 it is sent once.
 *
 * It is an outside event and a turn of its own. Its origin is the scope the timer was armed through; the timer
 * ends with that scope. Timers fire in order of time; timers due at the same time fire in the order they were
 * armed. A timer with a delay of 0 fires at the next drain. Payload and contract are checked now, and the
 * payload is copied now.
 *
 * A timer that repeats does not drift: delays do not add up. If several periods pass before a drain, they make one
 * event. A period that passes while the previous event is still on its way makes none. Skipped periods are counted in
 * mainstem_context_stats.timers_missed. Firing allocates nothing.
 *
 * Owner: `timer` (may be NULL) gets a handle before the timer can fire; it ends when the timer has fired for the last
 * time. Thread: context.
 * Errors: as mainstem_send, without FULL; INVALID (also for a delay or a period below 0), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_send_after(mainstem_context *context,
                                                 mainstem_event_type type, const void *data,
                                                 size_t size, int64_t delay_ms, int64_t repeat_ms,
                                                 mainstem_timer **timer);

/**
 * Ends a timer: it does not fire again. Never waits.
 *
 * NULL does nothing. Thread: any. Reentrant: yes, also from an observer of its event.
 * Errors: STALE (it has fired for the last time, or was cancelled, or its scope has ended).
 */
MAINSTEM_API mainstem_status mainstem_timer_cancel(mainstem_timer *timer);

/* The loop ----------------------------------------------------------------------------------------------- */

/**
 * Runs what waits for the host, on this thread, each item as a turn of its own: first due timers, by their
 * time; then what other threads have posted or responded; then held events (DELIVER_ON_HOST); then what was
 * handed over to MAINSTEM_SCHEDULER_HOST; then change sets (mainstem_binding_on_changes).
 *
 * Runs at most `max` items; 0 means all. Of each kind it runs at most the items that were waiting when it began
 * with that kind; held events run together with what they cause. `count` (may be NULL) gets the number of
 * items. A kind that another thread is delivering is left to that thread.
 * When `max` stops a drain, the next drain that has a `max` begins with the kind after the one it stopped in, and
 * comes round to the others: no kind waits forever behind one that keeps coming.
 * Waits. Thread: context.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_drain(mainstem_context *context, size_t max, size_t *count);

/**
 * Waits until there is something to drain, then drains everything.
 *
 * The timeout is in milliseconds on the monotonic clock; below 0 waits forever, 0 does not wait.
 * A signal that arrives just before the sleep begins does not interrupt it: see mainstem_wait_interruptible.
 * Waits. Thread: context.
 * Errors: TIMEOUT (nothing came), INTERRUPTED (a signal arrived), BUSY, LIMIT (no file descriptor is left).
 */
MAINSTEM_API mainstem_status mainstem_wait(mainstem_context *context, int64_t timeout_ms);

/**
 * Gets a file descriptor for the host's loop: readable while there is something to drain.
 *
 * Level-triggered; poll it for reading, never read it. It is not readable while a drain runs, so a loop run
 * inside a callback does not spin. In a callback outside a drain, the first mainstem_drain or
 * mainstem_mailbox_take that returns MAINSTEM_BUSY makes it unreadable until the event has reached all its
 * immediate observers. Then it is readable again if something waits. The descriptor is close-on-exec, above 2,
 * and closed with the context. Each call returns the same descriptor.
 * Thread: context.
 * Errors: LIMIT (no descriptor left).
 */
MAINSTEM_API mainstem_status mainstem_context_fd(mainstem_context *context, int *fd);

/* Recording ---------------------------------------------------------------------------------------------- */

/** How safely, and in how many files: see recording.h. */
typedef struct mainstem_journal_options mainstem_journal_options;

/**
 * Records a context: from here on, everything it accepts is written to a file and then delivered (law 10).
 *
 * Call it once, before the first event. Recording ends when the context is closed. A recorded context keeps times,
 * as with MAINSTEM_CONTEXT_TIMES. Each event, or batch of events waiting for delivery, costs one write by the
 * delivering thread, so mainstem_send_many is the fast way. An event sent in a callback, or while another thread
 * delivers, is written when its turn comes; mainstem_flush returns after that.
 *
 * A new file is readable and writable by its owner only (mode 0600). It is locked while it is written, so there is
 * only one writer; the lock is released when the writer ends, even by SIGKILL. An existing journal is continued:
 * positions go on from its last one, and what a crash left unfinished at its end is dropped
 * (mainstem_journal_stats). A damaged journal is refused and never changed.
 *
 * A send that finds no room on the disk returns MAINSTEM_NO_SPACE, changes nothing, and may be retried. If writing
 * fails for events already accepted, nothing unwritten is delivered: the context has stopped. Calls that send, and
 * calls that wait, then return the journal's status: MAINSTEM_IO, MAINSTEM_NO_SPACE, MAINSTEM_POISONED (a sync
 * failed), or MAINSTEM_CORRUPT (another program cut the file short, overwrote its header, or removed or replaced
 * it). Events that were accepted but not written are dropped. Completions of open requests are not called, but
 * their release hooks run. mainstem_context_close works. With MAINSTEM_JOURNAL_CONTINUE_UNRECORDED nothing is refused,
 * and nothing stops.
 *
 * A change by another program is noticed within 16 writes, at the next sync or new segment, and at the latest
 * by mainstem_context_close. Renaming the file does no harm.
 *
 * Owner: the path is copied; it need not be UTF-8. Thread: context. Waits: for the disk.
 * Errors: INVALID (path; the file exists, with MAINSTEM_JOURNAL_NEW; options that conflict with each other, or with the
 * existing files; a context that has accepted an event, or is already recorded), IO (the message says why), NO_SPACE,
 * LOCKED (another writer has this journal; the message names the process), CORRUPT (damaged, or not a journal), VERSION
 * (an older version of the format, which mainstem_journal_salvage copies into the current one; or a version that this
 * library does not read), UNSUPPORTED (an option this library does not know), BUSY, WRONG_KIND (also for a scope),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_record(mainstem_context *context, const char *path,
                                                     const mainstem_journal_options *options);

#ifdef __cplusplus
}
#endif

#endif
