// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Routes: which route of an app a URL takes, and the values in it. Needs no context.
 */

#ifndef MAINSTEM_ROUTES_H
#define MAINSTEM_ROUTES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Routers ---------------------------------------------------------------------------------------- */

/*
 * A router is a set of patterns. It says which of them a URL matches, and gets the values out of the URL. It needs no
 * context, and a result does not depend on the order in which the routes were added.
 *
 *     mainstem_router_create(&router);
 *     mainstem_router_add(router, "user/<int:id>", &user);
 *     if (mainstem_router_match(router, "user/7?tab=posts", &route, &match) == MAINSTEM_OK) {
 *       mainstem_match_text(match, "id", &id, NULL);
 *       mainstem_match_text(match, "tab", &tab, NULL);
 *       mainstem_match_release(match);
 *     }
 *     mainstem_router_close(router);
 *
 * PATTERNS. A pattern is plain text, without escapes: segments between slashes. "scheme://" may come first; a pattern
 * without a scheme matches URLs without one. A segment is literal text, or has one placeholder, which may be a part of
 * it ("user-<int:id>"). A placeholder matches at least one byte:
 *
 *     <name>, <string:name>   any text
 *     <int:name>              an integer of 64 bits: "-" if it is negative, and 1 to 19 digits
 *     <float:name>            a number, as in JSON but with leading zeros allowed; up to 63 bytes
 *     <uuid:name>             8-4-4-4-12 hexadecimal digits
 *     <type:name>             what a type of the app's accepts: mainstem_router_type_add
 *     <path:name>             the rest of the path: the last segment of a pattern, and not a part of one
 *
 * A name occurs once in a pattern. "<path:_>" alone is a fallback. "" and "/" are the empty path.
 *
 * URLS. First the query and the fragment are taken off. Slashes in a row count as one, one at either end as none, and
 * ":///" as "://". The rest is split into segments, and then each piece is decoded, once. The host of a URL with a
 * scheme is its first segment. Scheme and host are compared without regard to ASCII case, everything else as bytes.
 *
 * THE WINNER, if several patterns match, is the one with the most literal segments. Between equals, the first segment
 * in which they differ decides: a literal wins, then a part of a segment (a typed one before any text; then more
 * literal text, then more of it in front), then uuid, int, float, the app's types by name, any text, path.
 */

/** A set of routes; it belongs to no context. Ended by mainstem_router_close. */
typedef struct mainstem_router mainstem_router;

/** What a router has found in one URL; it depends on no router any more. Ended by mainstem_match_release. */
typedef struct mainstem_match mainstem_match;

/** The number of a route: 1, 2, 3 … in the order of adding. The number of a removed route is not given again. */
typedef uint32_t mainstem_route;

/** Whether a type of the app's accepts a text, which has no zero at its end. It gives the same answer each time. */
typedef bool (*mainstem_route_type_fn)(void *user_data, const char *text, size_t size);

/**
 * Makes a router without routes.
 *
 * Owner: the router is the caller's, until mainstem_router_close. Thread: any, but one at a time per router: a call
 * while another thread is inside one with the same router returns WRONG_THREAD.
 * Errors: LIMIT (no handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_create(mainstem_router **router);

/**
 * Adds a type that patterns may then name.
 *
 * `accepts` is called by mainstem_router_match, at most once for each place in which patterns name the type. It may not
 * call this router: BUSY.
 *
 * Owner: the name is copied; `release` is called in mainstem_router_close, for the last type first. Thread: as
 * mainstem_router_create.
 * Errors: INVALID (an empty name, one that is not UTF-8, has one of "<>:/", or is taken), TOO_BIG (a name over 255
 * bytes), WRONG_THREAD, BUSY, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_type_add(mainstem_router *router, const char *name,
                                                      mainstem_route_type_fn accepts,
                                                      void *user_data, mainstem_release_fn release);

/**
 * Adds a route.
 *
 * Owner: the pattern is copied. Thread: as mainstem_router_create. Null: route.
 * Errors: INVALID (a malformed pattern, or an unknown type; it matches the same URLs as another route, whatever the
 * names of its placeholders), TOO_BIG (a pattern over 4,096 bytes), WRONG_THREAD, BUSY (inside a type's function),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_add(mainstem_router *router, const char *pattern,
                                                 mainstem_route *route);

/**
 * Removes a route. Matches that were found before stay as they are.
 *
 * Thread: as mainstem_router_create.
 * Errors: INVALID (a number that was not given), STALE (the route has been removed, or the router is closed),
 * WRONG_THREAD, BUSY.
 */
MAINSTEM_API mainstem_status mainstem_router_remove(mainstem_router *router, mainstem_route route);

/**
 * Finds the route that a URL takes.
 *
 * The time depends on the length of the URL, and on the patterns that begin like it: each segment that patterns share
 * is looked at once at most, whatever the URL is. Nothing is remembered.
 *
 * Owner: the match is the caller's, until mainstem_match_release. Thread: as mainstem_router_create. Null: route,
 * match.
 * Errors: NO_ROUTE (no pattern matches), BAD_URL (a malformed escape; in the path: an escaped slash, a segment "." or
 * "..", a zero, what is not UTF-8, all this also when decoded), TOO_BIG (a URL over 65,536 bytes), WRONG_THREAD, BUSY
 * (inside a type's function), LIMIT (no handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_router_match(mainstem_router *router, const char *url,
                                                   mainstem_route *route, mainstem_match **match);

/** Closes a router. NULL does nothing. Errors: WRONG_THREAD, BUSY, FORKED. */
MAINSTEM_API mainstem_status mainstem_router_close(mainstem_router *router);

/* Matches ---------------------------------------------------------------------------------------- */

/** What a placeholder has matched. */
#define MAINSTEM_PARAMETER_STRING 0  /**< Any text; so is each item of a query. */
#define MAINSTEM_PARAMETER_INTEGER 1 /**< An integer of 64 bits. */
#define MAINSTEM_PARAMETER_NUMBER 2  /**< A number. */
#define MAINSTEM_PARAMETER_UUID 3    /**< A UUID. */
#define MAINSTEM_PARAMETER_APP 4     /**< A type of the app's. */
#define MAINSTEM_PARAMETER_PATH 5    /**< Segments, with slashes between them. */

/** A parameter of a route, or an item of a query: a name and a text, decoded, each with a zero behind it. */
typedef struct mainstem_parameter {
  const char *name;
  const char *text;
  size_t name_size; /**< Bytes of the name. In a query it may be any bytes, also zeros. */
  size_t
      size; /**< Bytes of the text; in a query as the name. In a path it is UTF-8 without zeros. */
  uint32_t type; /**< One of MAINSTEM_PARAMETER_…. */
  uint32_t reserved;
} mainstem_parameter;

/** All of a match. */
typedef struct mainstem_match_info {
  uint32_t size;                        /**< sizeof(mainstem_match_info), set by the caller. */
  mainstem_route route;                 /**< The route. */
  const mainstem_parameter *parameters; /**< What its placeholders have matched, from the left. */
  size_t parameter_count;
  const mainstem_parameter
      *query; /**< The items of the query: in order, repeated ones too. "+" stays "+". */
  size_t query_count;
  const char *
      fragment; /**< What comes after "#", decoded, with a zero behind it; NULL: there is no "#". */
  size_t fragment_size;
} mainstem_match_info;

/**
 * Reads all of a match.
 *
 * Owner: the match's, until mainstem_match_release. Thread: any, at any time.
 * Errors: INVALID (its size), UNSUPPORTED (a larger size).
 */
MAINSTEM_API mainstem_status mainstem_match_read(mainstem_match *match, mainstem_match_info *info);

/**
 * Reads the text of a parameter or, if the route has none of that name, of a key of the query: of the last one, if there
 * are several. A zero is behind the text.
 *
 * The router has checked the text of an `<int:…>`, so strtoll reads it. For a `<float:…>`, strtod does; but it expects
 * the decimal point of the program's locale (LC_NUMERIC).
 *
 * Owner, Thread: as mainstem_match_read. Null: size.
 * Errors: UNSET (there is neither).
 */
MAINSTEM_API mainstem_status mainstem_match_text(mainstem_match *match, const char *name,
                                                 const char **text, size_t *size);

/** Ends a match. NULL does nothing. Thread: any. Errors: FORKED. */
MAINSTEM_API mainstem_status mainstem_match_release(mainstem_match *match);

/* Writing ---------------------------------------------------------------------------------------- */

/** A value for a URL: of a placeholder, or else of a key of the query. */
typedef struct mainstem_route_value {
  const char *name;
  const char *text;
} mainstem_route_value;

/**
 * Writes the URL of a pattern, escaped. Values that are not named in the pattern become the query, in their order.
 *
 *     const mainstem_route_value values[] = {{"id", "7"}, {"tab", "all posts"}};
 *     mainstem_route_write("user/<int:id>", values, 2, url, sizeof url, NULL);    // user/7?tab=all%20posts
 *
 * What is written matches the pattern, with these values; only the app's own types are not asked. Each placeholder
 * needs one value, of its type; that of a path may have slashes.
 *
 * Owner: `url` gets the URL and a zero. Thread: any. Null: values may be NULL if count is 0, url if capacity is 0;
 * length; it gets the URL's bytes without the zero, also with TOO_BIG.
 * Errors: INVALID (a malformed pattern; a value is missing, given twice, or cannot be written there), TOO_BIG
 * (`capacity`; a pattern over 4,096 bytes, or a URL over 65,536).
 */
MAINSTEM_API mainstem_status mainstem_route_write(const char *pattern,
                                                  const mainstem_route_value *values, size_t count,
                                                  char *url, size_t capacity, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
