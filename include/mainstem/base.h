// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Base: statuses, handles, versions, the last error.
 */

#ifndef MAINSTEM_BASE_H
#define MAINSTEM_BASE_H

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

/* Statuses ----------------------------------------------------------------------------------- */

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

/* The version ----------------------------------------------------------------------------------- */

/** The version of the running library: major << 16 | minor << 8 | patch. Thread: any. */
MAINSTEM_API uint32_t mainstem_version(void);

/* Tables --------------------------------------------------------------------------------------- */

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

/* Options -------------------------------------------------------------------------------------- */

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

/* Handles -------------------------------------------------------------------------------------- */

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

/** A journal being read; it belongs to no context. Ended by mainstem_journal_close. */
typedef struct mainstem_journal mainstem_journal;

/**
 * Called once, with no lock held, when the library will never use `user_data` again.
 *
 * If a call that takes a hook fails, the hook is not called: the data stays the caller's.
 */
typedef void (*mainstem_release_fn)(void *user_data);

#ifdef __cplusplus
}
#endif

#endif
