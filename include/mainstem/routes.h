// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Routes: matching a URL with routes, and reading the values in the URL. Guide: docs/navigation.md.
 */

#ifndef MAINSTEM_ROUTES_H
#define MAINSTEM_ROUTES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Routers ---------------------------------------------------------------------------------------- */

/*
 * A router is a set of patterns. It finds the pattern that a URL matches, and the values in the URL:
 *
 *     mainstem_router_add(router, "user/<int:id>", &user);
 *     if (mainstem_router_match(router, "user/7?tab=posts", &route, &match) == MAINSTEM_OK) {
 *       mainstem_match_text(match, "id", &id, NULL);      // "7"
 *       mainstem_match_text(match, "tab", &tab, NULL);    // "posts"
 *       mainstem_match_release(match);
 *     }
 *
 * A *pattern* is plain text, without escapes: segments between slashes, optionally after "scheme://". A segment is
 * literal text, or has one placeholder, which may stand inside literal text ("user-<int:id>"). A placeholder matches at
 * least one byte:
 *
 *     <name>, <string:name>   any text
 *     <int:name>              an integer of 64 bits: "-" if it is negative, and 1 to 19 digits
 *     <float:name>            a number as in JSON, up to 63 bytes
 *     <uuid:name>             8-4-4-4-12 hexadecimal digits
 *     <type:name>             a type added by mainstem_router_type_add
 *     <path:name>             the rest of the path: a whole segment, the last
 *
 * If several patterns match, the pattern with the most literal segments wins. docs/navigation.md has the complete
 * order, and describes how URLs are split and decoded.
 */

/** A router. Any thread may use it, but only one at a time: a second thread gets WRONG_THREAD. */
typedef struct mainstem_router mainstem_router;

/** The result of matching a URL. It outlives the router. */
typedef struct mainstem_match mainstem_match;

/** The number of a route: 1, 2, 3 … in the order in which routes are added, never reused. */
typedef uint32_t mainstem_route;

/** Returns whether a type accepts text, which is not zero-terminated. The result must depend on the text alone. */
typedef bool (*mainstem_route_type_fn)(void *user_data, const char *text, size_t size);

/**
 * Makes a router without routes.
 * Owner: you; close it.
 * Thread: any.
 * Errors: LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_create(mainstem_router **router);

/**
 * Adds a type for placeholders: patterns that are added later may name it.
 *
 * mainstem_router_match calls `accepts` to check text, at most once for each place where patterns name the type. Inside
 * `accepts`, calls with this router return BUSY.
 *
 * Owner: `release` is called in mainstem_router_close, beginning with the type that was added last.
 * Thread: any.
 * Errors: INVALID (a name that is empty, not UTF-8, taken, or has one of "<>:/"), TOO_BIG (a name over 255 bytes),
 * WRONG_THREAD, BUSY, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_type_add(mainstem_router *router, const char *name,
                                                      mainstem_route_type_fn accepts,
                                                      void *user_data, mainstem_release_fn release);

/**
 * Adds a route.
 * Thread: any.
 * Null: route.
 * Errors: INVALID (a malformed pattern, an unknown type, a route that matches the same URLs), TOO_BIG (over 4,096
 * bytes), WRONG_THREAD, BUSY, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_add(mainstem_router *router, const char *pattern,
                                                 mainstem_route *route);

/**
 * Removes a route. Existing matches do not change.
 * Thread: any.
 * Errors: INVALID (a number that no route has had), STALE (also: already removed), WRONG_THREAD, BUSY.
 */
MAINSTEM_API mainstem_status mainstem_router_remove(mainstem_router *router, mainstem_route route);

/**
 * Finds the route that a URL matches.
 * Owner: you; release the match.
 * Thread: any.
 * Null: route, match.
 * Errors: NO_ROUTE, BAD_URL (a malformed escape; in the path also an escaped slash, a segment "." or "..", a zero,
 * text that is not UTF-8), TOO_BIG (a URL over 65,536 bytes), WRONG_THREAD, BUSY, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_match(mainstem_router *router, const char *url,
                                                   mainstem_route *route, mainstem_match **match);

/** Closes a router. NULL does nothing. Thread: any. Errors: WRONG_THREAD, BUSY, FORKED. */
MAINSTEM_API mainstem_status mainstem_router_close(mainstem_router *router);

/* Matches ---------------------------------------------------------------------------------------- */

/** The type of a parameter. */
#define MAINSTEM_PARAMETER_STRING 0  /**< Any text; also items of a query. */
#define MAINSTEM_PARAMETER_INTEGER 1 /**< An integer of 64 bits. */
#define MAINSTEM_PARAMETER_NUMBER 2  /**< A number. */
#define MAINSTEM_PARAMETER_UUID 3    /**< A UUID. */
#define MAINSTEM_PARAMETER_APP 4     /**< A type of the app's. */
#define MAINSTEM_PARAMETER_PATH 5    /**< One or more segments, with slashes between them. */

/** A parameter of a route, or an item of a query: decoded; each text is zero-terminated. */
typedef struct mainstem_parameter {
  const char *name;
  const char *text;
  size_t name_size; /**< Bytes of `name`; `name` and a query's `text` may contain zeros. */
  size_t size;      /**< Bytes of `text`. */
  uint32_t type;    /**< One of MAINSTEM_PARAMETER_…. */
  uint32_t reserved;
} mainstem_parameter;

/** Everything about a match. */
typedef struct mainstem_match_info {
  uint32_t size;                        /**< sizeof this struct. */
  mainstem_route route;                 /**< Its number. */
  const mainstem_parameter *parameters; /**< Its placeholders, from the left. */
  size_t parameter_count;
  const mainstem_parameter *query; /**< In order, including repeated keys. "+" stays "+". */
  size_t query_count;
  const char *fragment; /**< The text after "#", decoded, zero-terminated; NULL: no "#". */
  size_t fragment_size;
} mainstem_match_info;

/**
 * Reads everything about a match.
 * Owner: the match, until it is released.
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_match_read(mainstem_match *match, mainstem_match_info *info);

/**
 * Reads the text of a parameter or, if the route has no parameter of that name, of the last query item of that name. A
 * zero follows the text.
 * Owner: the match, until it is released.
 * Thread: any.
 * Null: size.
 * Errors: UNSET (no parameter and no query item has that name).
 */
MAINSTEM_API mainstem_status mainstem_match_text(mainstem_match *match, const char *name,
                                                 const char **text, size_t *size);

/** Ends a match. NULL does nothing. Thread: any. Errors: FORKED. */
MAINSTEM_API mainstem_status mainstem_match_release(mainstem_match *match);

/* Writing ---------------------------------------------------------------------------------------- */

/** The value of a placeholder or a query key. */
typedef struct mainstem_route_value {
  const char *name;
  const char *text;
} mainstem_route_value;

/**
 * Writes a URL from a pattern and values, and escapes the values. Values that the pattern does not name become the
 * query, in their order.
 *
 *     const mainstem_route_value values[] = {{"id", "7"}, {"tab", "all posts"}};
 *     mainstem_route_write("user/<int:id>", values, 2, url, sizeof url, NULL);    // user/7?tab=all%20posts
 *
 * Each placeholder needs exactly one value, which must be of its type; the value of a path may have slashes. The app's
 * `accepts` functions are not called.
 *
 * `url` gets the URL and a zero; `length` gets the number of bytes before the zero, also with TOO_BIG. `values` may be
 * NULL if `count` is 0, and `url` may be NULL if `capacity` is 0.
 *
 * Thread: any.
 * Null: length.
 * Errors: INVALID (a malformed pattern; a value that is missing, given twice, or not allowed for its placeholder),
 * TOO_BIG (`capacity`; a pattern over 4,096 bytes, a URL over 65,536, over 4,096 values).
 */
MAINSTEM_API mainstem_status mainstem_route_write(const char *pattern,
                                                  const mainstem_route_value *values, size_t count,
                                                  char *url, size_t capacity, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
