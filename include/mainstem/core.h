// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What most programs need: events, servers, requests, timers, the loop, recording.
 *
 * The parts of a program (views, models, network code) do not call each other. They send and observe *events*. All
 * events of a program form one ordered stream: every part sees them in the same order, each exactly once. A part that
 * needs an answer sends a *request*; a *server* answers it. This is a complete program:
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
 * A *context* holds one stream and everything attached to it. mainstem_types_add registers the program's event types.
 * mainstem_server_add adds a server: a named table of functions, one for each type that it handles. mainstem_request
 * puts an event on the stream. The library calls `greet`, puts its answer on the stream, and calls `show` with the
 * answer. All of this has happened when mainstem_request returns.
 *
 * The first rules (mainstem.h has all sixteen):
 *
 * - One order. Each event, when *accepted*, gets the next *position*: 1, 2, 3 … Observers are called in order of
 *   registration.
 * - Callbacks never nest. An event sent in a callback is delivered after all observers have received the current one.
 * - A request gets exactly one answer: from a server, or from the library.
 * - By default, a context belongs to the thread that created it. Other threads may post and respond.
 * - Events do not change. An event is valid until the callback that gets it returns; mainstem_event_retain copies it.
 *
 * How to read a comment:
 *
 * - *Owner*: which side frees memory and handles. By default, the library copies what it keeps, and you free nothing.
 * - *Thread*: context (the context's own thread; others get WRONG_THREAD), any, or callback (the callback that got the
 *   event).
 * - *Null*: parameters that may be NULL, besides `user_data`, `release`, `options`, and `data` of size 0.
 * - *Waits*: the call may block, and returns BUSY in a callback. Callbacks may make all other calls; show functions may
 *   make fewer (requests.h).
 * - *Errors*: statuses. Omitted are OK, those of recording and replay, and these: INVALID (NULL), STALE (an ended
 *   handle), WRONG_KIND (a handle of another kind), FORKED (a handle from before a fork); for structs and rows, INVALID
 *   (a wrong size) and UNSUPPORTED (a newer library's size). After an error, nothing has changed, and results are
 *   undefined.
 *
 * mainstem.h lists the other headers. docs/c.md has more programs.
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
#define MAINSTEM_VERSION_MINOR 13
#define MAINSTEM_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses ----------------------------------------------------------------------------------------------- */

/** The result of a call or a request. Numbers never change their meaning; later versions may add numbers. */
typedef int32_t mainstem_status;

enum {
  MAINSTEM_OK = 0,           /**< Success; a sent event has its position. */
  MAINSTEM_INVALID = 1,      /**< An argument is wrong; mainstem_last_error says which. */
  MAINSTEM_STALE = 2,        /**< The handle has ended, or the request is answered. */
  MAINSTEM_WRONG_KIND = 3,   /**< The handle is of another kind. */
  MAINSTEM_WRONG_THREAD = 4, /**< The context belongs to another thread. */
  MAINSTEM_BUSY = 5,         /**< Not allowed here or now. */
  MAINSTEM_DENIED = 6,       /**< The scope lacks the right. */
  MAINSTEM_TOO_BIG = 7,      /**< Larger than a limit or your buffer. */
  MAINSTEM_FULL = 8,         /**< Too many events are waiting. */
  MAINSTEM_LIMIT = 9,        /**< Too many of something; the message says of what. */
  MAINSTEM_NO_MEMORY = 10,   /**< Memory could not be allocated. */
  MAINSTEM_UNHANDLED = 11,   /**< No server handles requests of this type. */
  MAINSTEM_TIMEOUT = 12,     /**< The timeout has passed. */
  MAINSTEM_CANCELLED = 13,   /**< The request ended before a server answered. */
  MAINSTEM_INTERRUPTED = 14, /**< A signal arrived during a wait. */
  MAINSTEM_WITHHELD = 15,    /**< A replay lacks the payload, such as a secret's. */
  MAINSTEM_FORKED = 16,      /**< The handle is from before fork. */
  MAINSTEM_UNSUPPORTED = 17, /**< This library cannot do that. */
  MAINSTEM_INCOMPLETE = 18,  /**< A callback returned without an answer. */
  MAINSTEM_IO = 19,          /**< A file cannot be used. */
  MAINSTEM_NO_SPACE = 20,    /**< The disk, or the quota, is full. */
  MAINSTEM_LOCKED = 21,      /**< Another recording uses this journal. */
  MAINSTEM_CORRUPT = 22,     /**< The file is damaged, or not a journal. */
  MAINSTEM_POISONED = 23,    /**< A sync failed; durability is unknown. */
  MAINSTEM_VERSION = 24,     /**< The journal's format is too old or too new. */
  MAINSTEM_DIFFERENT = 25,   /**< A replay differs from the journal. */
  MAINSTEM_UNSET = 26,       /**< There is no such value (yet). */
  MAINSTEM_DISABLED = 27,    /**< The command is disabled now. */
  MAINSTEM_EXECUTING = 28,   /**< The command is executing. */
  MAINSTEM_BAD_URL = 29,     /**< The URL is malformed, or not allowed. */
  MAINSTEM_NO_ROUTE = 30,    /**< No route matches the URL. */
  MAINSTEM_APP = 1000        /**< The first of your own codes. */
};

/**
 * Returns the name of a status, such as "BUSY". From 1000 on, "APP"; for any other number, "UNKNOWN".
 * Owner: static text, never NULL. Thread: any.
 */
MAINSTEM_API const char *mainstem_status_name(mainstem_status status);

/**
 * Returns the message of the last call that failed on this thread: function, argument, reason, what to do.
 *
 * Owner: the library; valid until the next call that fails on this thread. Never NULL; empty if none has failed.
 * Thread: any.
 */
MAINSTEM_API const char *mainstem_last_error(void);

/* Tables ------------------------------------------------------------------------------------------------- */

/**
 * Passes an array for three parameters: rows, size of a row, number of rows.
 *
 * Later versions may add fields at the end of a row; zero is their default. Write every field, or compilers warn. A
 * pointer in place of an array does not compile.
 */
#define MAINSTEM_ROWS(table)                                                                       \
  (table), sizeof(table)[0],                                                                       \
      sizeof(table) / sizeof(table)[0] * MAINSTEM_IS_TABLE(sizeof(table) % sizeof(table)[0])

/** For MAINSTEM_ROWS. */
#define MAINSTEM_IS_TABLE(left) sizeof(char[(left) == 0 ? 1 : -1])

/* Options ------------------------------------------------------------------------------------------------ */

/*
 * Structs that you pass, or that a function fills, begin with their size. In options, zero is the default of every
 * other field, and NULL means all defaults.
 *
 *     mainstem_request_options options = {.size = sizeof options, .timeout_ms = 50};
 *
 * In C++ (before C++20):
 *
 *     mainstem_request_options options{};
 *     options.size = sizeof options;
 */

/* Handles ------------------------------------------------------------------------------------------------ */

/* A handle is a number in the form of a pointer. Using an ended handle is safe. All handles end with their context. */

/**
 * A context: one stream of events, and everything attached to it. A scope (mainstem_scope_add, scopes.h) is a named
 * part of a context; functions that take a context take a scope, too. Servers, observers and timers end with their
 * scope.
 */
typedef struct mainstem_context mainstem_context;

/** An observer of the stream. Ended by mainstem_cancel, or with its scope. */
typedef struct mainstem_subscription mainstem_subscription;

/** A copy of an event. Ended by mainstem_retained_release. */
typedef struct mainstem_retained mainstem_retained;

/** An event to be sent later. Ends with its last event, with its scope, or by mainstem_timer_cancel. */
typedef struct mainstem_timer mainstem_timer;

/** A request waiting for its answer. Ends with the answer; mainstem_pending_cancel (requests.h) cancels it. */
typedef struct mainstem_pending mainstem_pending;

/**
 * The release hook: called once when the library is done with `user_data`; never if the call failed.
 *
 * When a scope or server ends, its hooks run before its own open requests are answered CANCELLED. In a request's own
 * hook (mainstem_request_with), free what that request's functions use.
 */
typedef void (*mainstem_release_fn)(void *user_data);

/* Contexts ----------------------------------------------------------------------------------------------- */

/** Threads, limits, clock: see context.h. */
typedef struct mainstem_context_options mainstem_context_options;

/**
 * Creates a context. After a failure `*context` is NULL.
 *
 * Owner: you; close it. Thread: any; by default the context belongs to it.
 * Errors: TOO_BIG (a limit over its maximum), LIMIT (too many contexts or descriptors), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_context_create(const mainstem_context_options *options,
                                                     mainstem_context **context);

/**
 * Closes a context (law 12): delivers events waiting for immediate observers, answers open requests CANCELLED, drops
 * events waiting for scheduled observers, joins schedulers' threads, and runs the release hooks.
 *
 * In callbacks during the close, calls that would change the context return STALE.
 * NULL does nothing. Thread: context. Waits: for a callback that another thread runs.
 * Errors: BUSY, WRONG_KIND (also for a scope: use mainstem_scope_end). With IO, NO_SPACE, POISONED and CORRUPT the
 * context is closed, but the end of its journal is not written.
 */
MAINSTEM_API mainstem_status mainstem_context_close(mainstem_context *context);

/**
 * Returns the status of the first failed call on a context, or OK, so that a small program checks only once.
 *
 * `message` gets that call's message, or empty text, valid until the context is closed. Calls in callbacks and on other
 * threads count. These do not (docs/c.md): calls with ended handles or handles of other kinds; TIMEOUT, INTERRUPTED and
 * UNSET; STALE for late answers, progress or list ends. For NULL, as after a failed create: INVALID, and this thread's
 * last message. Null: message. Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_context_first_error(mainstem_context *context,
                                                          const char **message);

/* Event types -------------------------------------------------------------------------------------------- */

/** The number of an event type, in the context that assigned it. A replay may assign another. */
typedef uint32_t mainstem_event_type;

/** For mainstem_observe: every type, even types added later. */
#define MAINSTEM_TYPE_ANY 0

/**
 * What the events of a type carry: one of the following. types.h has bits to join with it by `|` (layers, roles,
 * secrets), and functions that read payloads.
 */
typedef uint64_t mainstem_contract;

#define MAINSTEM_PAYLOAD_NONE 0x000000000ULL  /**< No payload: size 0. */
#define MAINSTEM_PAYLOAD_BYTES 0x100000000ULL /**< Any bytes, or none. */
#define MAINSTEM_PAYLOAD_TEXT 0x200000000ULL  /**< UTF-8, without a zero at its end. */
#define MAINSTEM_PAYLOAD_JSON 0x300000000ULL  /**< JSON; only checked to be UTF-8. */
#define MAINSTEM_PAYLOAD_STRUCT                                                                    \
  0x400000000ULL                             /**< Exactly n bytes: `MAINSTEM_PAYLOAD_STRUCT | n`. */
#define MAINSTEM_PAYLOAD_BOOL 0x500000000ULL /**< One byte: 0 or 1. */
#define MAINSTEM_PAYLOAD_INTEGER 0x600000000ULL /**< An int64_t. */
#define MAINSTEM_PAYLOAD_NUMBER 0x700000000ULL  /**< A double. */
#define MAINSTEM_PAYLOAD_MASK 0xf00000000ULL    /**< The bits that select the payload. */

/** One event type of a program. */
typedef struct mainstem_type_row {
  /** 1 to 255 bytes of UTF-8. If `contract` has no role, the prefix Request or Response sets it. */
  const char *name;
  mainstem_contract contract; /**< What its events carry. */
  const char *response;       /**< For a request: the type of its answer. Otherwise NULL. */
} mainstem_type_row;

/**
 * Adds event types. Adding a type again, with the same contract, does nothing.
 *
 * `types` gets their numbers, in row order. A response may be in a later row. The call stops at the first wrong row;
 * the message names that row, and earlier types stay.
 * Null: types. Thread: context. Errors: as mainstem_type_add.
 */
MAINSTEM_API mainstem_status mainstem_types_add(mainstem_context *context,
                                                const mainstem_type_row *rows, size_t row_size,
                                                size_t count, mainstem_event_type *types);

/* Events ------------------------------------------------------------------------------------------------- */

/** A flag: see mainstem_respond_progress. types.h has the others. */
#define MAINSTEM_EVENT_PROGRESS 4

/** An event in a callback; valid until the callback returns. Only the library makes events; the struct may grow. */
typedef struct mainstem_event {
  uint64_t position;    /**< Its place in the stream: 1, 2, 3 … */
  uint64_t cause;       /**< Position of the event in whose callback it was sent; 0: none. */
  uint64_t correlation; /**< Position of the chain's first event; without a cause, its own. */
  uint64_t answers;     /**< For an answer or progress: position of the request; otherwise 0. */
  int64_t time;         /**< Nanoseconds since 1970; 0 if the context keeps no times. */
  uint32_t size;        /**< Bytes at `data`. */
  uint32_t offset;      /**< In a batch (observing.h): where the payload begins; otherwise 0. */
  mainstem_event_type type;
  mainstem_status status; /**< For a failed answer: its code. Otherwise MAINSTEM_OK. */
  uint32_t origin;        /**< The scope or server that sent it: see mainstem_origin_name. */
  uint32_t flags;         /**< MAINSTEM_EVENT_… */

  /** The payload: never NULL, not zero-terminated, aligned to 8 bytes if sent in a callback; otherwise use memcpy. For
      a failure: see mainstem_event_error. */
  const void *data;
  /** For a failure: text for users; in the library's own failures (below MAINSTEM_APP), for developers. Otherwise
      empty. Never NULL. */
  const char *user_message;
  mainstem_context *context; /**< The observing scope: send through it. */
  uint64_t reply;            /**< Private to the library, like the next two. */
  uint64_t home;
  uint64_t through;
} mainstem_event;

/** A callback that gets an event. An observer reports failures with mainstem_fail (observing.h). */
typedef void (*mainstem_event_fn)(void *user_data, const mainstem_event *event);

/**
 * Sends an event.
 *
 * Outside callbacks, when the call returns, the immediate observers of this event, and of all events that they sent,
 * have been called. In a callback, while another thread is delivering, or with MAINSTEM_CONTEXT_DELIVER_ON_HOST, the
 * event is copied and waits.
 *
 * Owner: the bytes must not change during the call. Thread: context.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over the context's limit), DENIED,
 * FULL (too much is waiting, or a scheduled observer's queue is full), LIMIT (a chain of 65,536 causes; a timer begins
 * a new one), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_send(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/**
 * Sends an event from any thread: it is copied, and accepted when the context drains, waits or closes.
 *
 * Posts from one thread keep their order. A post is accepted even if its scope ends first.
 * Thread: any. Errors: as mainstem_send, without WRONG_THREAD and LIMIT.
 */
MAINSTEM_API mainstem_status mainstem_post(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/* Observers ---------------------------------------------------------------------------------------------- */

/**
 * Observes the events of a type (or MAINSTEM_TYPE_ANY), from the next one on.
 *
 * The observer is *immediate*: `fn` is called on the thread that delivers, one call at a time. It first gets current
 * values (screens.h) or the history (mainstem_history_keep). `*subscription` is set before the first call.
 *
 * Null: subscription. Thread: context.
 * Errors: INVALID (no such type), DENIED, LIMIT (too many observers; the message says whose limit), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_observe(mainstem_context *context, mainstem_event_type type,
                                              mainstem_event_fn fn, void *user_data,
                                              mainstem_release_fn release,
                                              mainstem_subscription **subscription);

/**
 * Ends an observer: no new call begins, but a call may still be running on another thread (law 5). Never waits. NULL
 * does nothing. Thread: any; also in its own callback.
 */
MAINSTEM_API mainstem_status mainstem_cancel(mainstem_subscription *subscription);

/** Gets one line of text, without a newline; valid until the callback returns. */
typedef void (*mainstem_line_fn)(void *user_data, const char *line);

/**
 * Calls `fn` with one line of text for every event, until the context or scope ends.
 *
 *     #1 RequestGreet Ada
 *     #2 ResponseGreeting ok ← #1 Greeter Hello, Ada, guest 1
 *
 * Thread: context. Errors: as mainstem_observe, without DENIED.
 */
MAINSTEM_API mainstem_status mainstem_trace(mainstem_context *context, mainstem_line_fn fn,
                                            void *user_data);

/* Servers ------------------------------------------------------------------------------------------------ */

/** A server's function for one event type. */
typedef struct mainstem_handler_row {
  const char *type;     /**< The name of a type that was added. */
  mainstem_event_fn fn; /**< Gets the server's user_data. */
  uint32_t flags;       /**< 0, or flags from requests.h, joined by `|`. */
} mainstem_handler_row;

/**
 * Adds a server: each function of its table is called for every event of its type, sent or requested.
 *
 * A function answers a request with mainstem_respond or mainstem_respond_error, at once or later through a copy
 * (mainstem_event_retain). Events that it sends through `event->context` have the server as origin. A server is a
 * scope. If `name` is NULL, the scope `context` becomes the server. `*server` is set before a function is called.
 *
 * A request type has one server; a second is refused, unless the rows of both have MAINSTEM_HANDLER_SEVERAL
 * (requests.h). Other types may have several servers.
 *
 * Owner: the context; mainstem_scope_end ends it sooner. Null: server. Thread: context.
 * Errors: INVALID (the name, a type that was not added, a function that is NULL, a request that has a server),
 * UNSUPPORTED (an unknown flag), TOO_BIG (a name over 255 bytes), DENIED, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_server_add(mainstem_context *context, const char *name,
                                                 const mainstem_handler_row *rows, size_t row_size,
                                                 size_t count, void *user_data,
                                                 mainstem_release_fn release,
                                                 mainstem_context **server);

/* Requests ----------------------------------------------------------------------------------------------- */

/**
 * Sends a request. `fn` gets its one answer, after all immediate observers of the answer.
 *
 * The answer's status is OK, a code of the server's, or one of these:
 *
 * - UNHANDLED: no server handles the type.
 * - INCOMPLETE: the server's function has returned without an answer, and no copy is left.
 * - CANCELLED: the server or the requesting scope has ended, the request was cancelled, or the context closes.
 * - TIMEOUT: see mainstem_request_with (requests.h), which also has progress.
 *
 * Outside callbacks, if the server answers at once, `fn` has been called when this call returns. `*pending` is set
 * before that.
 *
 * Null: fn, pending. Thread: context.
 * Errors: as mainstem_send, and INVALID (not a request, or its response type was not added). After an error `fn` is
 * never called.
 */
MAINSTEM_API mainstem_status mainstem_request(mainstem_context *context, mainstem_event_type type,
                                              const void *data, size_t size, mainstem_event_fn fn,
                                              void *user_data, mainstem_pending **pending);

/**
 * Answers a request: the event that a callback got, or a copy of it.
 *
 * The answer counts at once. An answer from another thread is delivered when the context drains or waits.
 *
 * Thread: any.
 * Errors: INVALID (not a request, or a payload that breaks the response type's contract), TOO_BIG, DENIED, STALE
 * (already answered, also by the library: cancelled, timed out; or the context is closed), NO_MEMORY; if the request
 * was only sent (mainstem_send), also FULL and LIMIT. After an error the request stays open.
 */
MAINSTEM_API mainstem_status mainstem_respond(const mainstem_event *event, const void *data,
                                              size_t size);

/**
 * Answers a request with a failure: the requester gets an event whose status is `code`.
 *
 * `code` is not MAINSTEM_OK; your own codes begin at MAINSTEM_APP. `message` is UTF-8, and becomes
 * `event->user_message`; for a separate message to users, see mainstem_respond_error_with (requests.h).
 *
 * Null: message. Thread: any. Errors: as mainstem_respond.
 */
MAINSTEM_API mainstem_status mainstem_respond_error(const mainstem_event *event,
                                                    mainstem_status code, const char *message);

/**
 * Reports a request's progress, with an event of any type that is not a request, response or value.
 *
 * The event has the flag MAINSTEM_EVENT_PROGRESS, and the request's position in `answers`. A requester with a progress
 * function (mainstem_request_with) also gets the event.
 *
 * Thread: any.
 * Errors: INVALID (not a request, a type of another role, or a payload that breaks its contract), TOO_BIG, DENIED, FULL
 * (as mainstem_send, or 1,024 steps wait for the requester), LIMIT, STALE (as mainstem_respond), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_respond_progress(const mainstem_event *event,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/* Keeping an event --------------------------------------------------------------------------------------- */

/**
 * Copies an event, to read or answer it after the callback. While a copy is kept, a request does not become INCOMPLETE.
 * Owner: you; release it before closing its context. Thread: any that may read the event. Errors: STALE (its context is
 * closed), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_retain(const mainstem_event *event,
                                                   mainstem_retained **retained);

/** Gets the event of a copy; valid until the copy is released or the context is closed. Thread: any. */
MAINSTEM_API mainstem_status mainstem_retained_event(mainstem_retained *retained,
                                                     const mainstem_event **event);

/** Frees a copy. NULL does nothing. Thread: any. */
MAINSTEM_API mainstem_status mainstem_retained_release(mainstem_retained *retained);

/* Timers ------------------------------------------------------------------------------------------------- */

/**
 * Sends an event in `delay_ms` milliseconds, and then every `repeat_ms` (0: once).
 *
 * mainstem_drain and mainstem_wait send due events, in order of time. Repetitions do not drift; all overdue repetitions
 * become one event.
 *
 * Null: timer. Thread: context.
 * Errors: as mainstem_send, without FULL; INVALID (also: a time below 0), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_send_after(mainstem_context *context,
                                                 mainstem_event_type type, const void *data,
                                                 size_t size, int64_t delay_ms, int64_t repeat_ms,
                                                 mainstem_timer **timer);

/** Stops a timer. NULL does nothing. Thread: any. Errors: STALE (also: it has sent its last event). */
MAINSTEM_API mainstem_status mainstem_timer_cancel(mainstem_timer *timer);

/* The loop ----------------------------------------------------------------------------------------------- */

/**
 * Delivers what is waiting for this thread (events of due timers, posts and answers of other threads, events for
 * observers on MAINSTEM_SCHEDULER_HOST, change sets), and returns.
 *
 * Delivers at most `max` items; 0: everything that is waiting. `count` gets the number delivered.
 *
 * Null: count. Thread: context. Waits. Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_drain(mainstem_context *context, size_t max, size_t *count);

/**
 * Sleeps until something is waiting, then drains. The loop of a program without another loop:
 *
 *     while (running && mainstem_wait(context, -1) == MAINSTEM_OK) {}
 *
 * `timeout_ms`: below 0, forever; 0, not at all. For programs with signal handlers: mainstem_wait_interruptible
 * (loop.h).
 *
 * Thread: context. Waits.
 * Errors: TIMEOUT (nothing came), INTERRUPTED (a signal arrived), BUSY, LIMIT (no descriptor is left).
 */
MAINSTEM_API mainstem_status mainstem_wait(mainstem_context *context, int64_t timeout_ms);

/**
 * Gets a file descriptor that is readable while something is waiting: your own loop (GLib, Qt, libuv, poll) then calls
 * mainstem_drain. Do not read from it.
 *
 * Owner: the context; do not close it. Thread: context. Errors: LIMIT (no descriptor is left).
 */
MAINSTEM_API mainstem_status mainstem_context_fd(mainstem_context *context, int *fd);

/* Recording ---------------------------------------------------------------------------------------------- */

/** Durability, files: see recording.h. */
typedef struct mainstem_journal_options mainstem_journal_options;

/**
 * Records a context: from now on, every event is written to a file before an observer sees it (law 10, recording.h).
 *
 * Call it before the first event. Recording ends when the context is closed; until then, the file is locked. An
 * existing file is continued; a damaged one is refused. A new file has mode 0600. replay.h replays the session, and
 * checks that the program still sends the same events.
 *
 * If the disk is full, a send returns NO_SPACE, and may be retried. If accepted events cannot be written, sends return
 * the journal's status from then on: docs/journal.md.
 *
 * Owner: the path is copied; it need not be UTF-8. Thread: context. Waits: for the disk.
 * Errors: INVALID (an event was sent before; recorded already; conflicting options), IO, NO_SPACE, LOCKED (something
 * else records to it; the message names the process), CORRUPT (damaged, or not a journal), VERSION (another format:
 * mainstem_journal_salvage copies an older one), UNSUPPORTED (an unknown option), BUSY, WRONG_KIND (also for a scope),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_record(mainstem_context *context, const char *path,
                                                     const mainstem_journal_options *options);

#ifdef __cplusplus
}
#endif

#endif
