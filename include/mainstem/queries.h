// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Queries that select and sort rows, and keys that keep rows in order. Guide: docs/queries.md.
 */

#ifndef MAINSTEM_QUERIES_H
#define MAINSTEM_QUERIES_H

#include "lists.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Order keys ------------------------------------------------------------------------------------- */

/** The size of a buffer for an order key: at most 64 digits and letters, and a zero. */
#define MAINSTEM_ORDER_KEY_SIZE 65

/**
 * Writes an order key between two others, so that moving a row changes no other row. Keys are compared as bytes.
 *
 * Thread: any. Null: low (the beginning), high (the end).
 * Errors: INVALID (not an order key, or `low` is not below `high`), LIMIT (no room between them: give all rows new
 * keys).
 */
MAINSTEM_API mainstem_status mainstem_order_key(const char *low, const char *high,
                                                char key[MAINSTEM_ORDER_KEY_SIZE]);

/**
 * Writes key number `index` of `count` keys that are short and evenly spaced.
 *
 * Thread: any. Errors: INVALID (`index`), TOO_BIG (`count` over 2^48).
 */
MAINSTEM_API mainstem_status mainstem_order_key_at(size_t index, size_t count,
                                                   char key[MAINSTEM_ORDER_KEY_SIZE]);

/* Queries ---------------------------------------------------------------------------------------- */

/** A query. It never changes, so any thread may use it, also several at a time. */
typedef struct mainstem_query mainstem_query;

/**
 * Makes a query from a JSON object, all of whose members are optional:
 *
 *     {"where": "not deleted and (priority >= 2 or lower(title) contains $text)", "values": {"text": "milk"},
 *      "sort": ["-priority", "lower(title)"], "offset": 0, "limit": 50}
 *
 * `where` is a condition: and, or, not, brackets; = != < <= > >=, contains, begins, in ('a', 2); a field, also a.b or
 * "any name"; 'text', numbers, true, false, null, $name from `values`; lower(…), for A to Z. A field alone is true if it
 * is a number other than 0. null, which a missing field is, comes before numbers, and numbers before texts, which are
 * compared as bytes; true is 1. A comparison with null is false, except = and !=.
 *
 * `sort` has fields, or lower(field), with - for descending. Rows that are equal stay in their order.
 *
 * Thread: any.
 * Errors: INVALID (malformed; the message names the member and the column), TOO_BIG (over 65,536 bytes).
 */
MAINSTEM_API mainstem_status mainstem_query_make(const char *json, size_t size,
                                                 mainstem_query **query);

/**
 * Selects from rows whose payloads are JSON objects. Writes the indexes of the rows in the window, in order, to `indexes`,
 * which has room for `count`, or for `limit` if that is less. `window` gets which of the matching rows they are, and may be
 * passed to mainstem_list_set_window.
 *
 * Thread: any. Null: indexes (only fills `window`), and rows if `count` is 0.
 * Errors: INVALID (a row is not a JSON object, or a field that is compared is an object or an array; the message names
 * both).
 */
MAINSTEM_API mainstem_status mainstem_query_select(mainstem_query *query,
                                                   const mainstem_list_row *rows, size_t row_size,
                                                   size_t count, size_t *indexes,
                                                   mainstem_list_window *window);

/**
 * Writes a query for SQLite: the text from WHERE on. With columns that are named as the fields and have no type, it
 * selects the same rows; end `sort` with a unique field.
 *
 * `sql` gets the text and a zero; `length` gets the number of bytes before the zero, also with TOO_BIG. `sql` may be
 * NULL if `capacity` is 0.
 *
 * Thread: any. Null: length. Errors: TOO_BIG (`capacity`).
 */
MAINSTEM_API mainstem_status mainstem_query_sql(mainstem_query *query, char *sql, size_t capacity,
                                                size_t *length);

/** Ends a query. NULL does nothing. Thread: any. Errors: FORKED. */
MAINSTEM_API mainstem_status mainstem_query_release(mainstem_query *query);

#ifdef __cplusplus
}
#endif

#endif
