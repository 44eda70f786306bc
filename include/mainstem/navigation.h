// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Navigation: screens and dialogs, opened and closed by URL. Guide: docs/navigation.md.
 */

#ifndef MAINSTEM_NAVIGATION_H
#define MAINSTEM_NAVIGATION_H

#include "routes.h"
#include "scopes.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A route leads to a *component*: a screen, a dialog, a widget in a slot. A component has a scope; the number of this
 * scope is the component's number. A factory (mainstem_factory_add) may create the component's *owner*. Component and
 * owner end together, and no later than their parent, the component that they *stand on*.
 *
 * A *move* is a tracked request `MainstemMove`. The *requester* is the component through whose scope this request is
 * sent, if there is one. The answer is a `MainstemResult`: the result of the opened component, or an error:
 *
 *     CANCELLED           the component closed without a result
 *     NO_ROUTE, BAD_URL   as mainstem_router_match
 *     DENIED              a guard refused, or a component that a guard opened first failed
 *     LIMIT               guards diverted the move more than 16 times
 *     STALE               the named component does not exist
 *     INVALID             a route of another kind, no slot, nothing to pop or replace
 *     UNHANDLED, TIMEOUT  there is no stage, or it did not answer in time
 *     others              from the factory or the stage
 *
 * Moves run one at a time: the next move begins when the *stage* (stage.h), the server that shows components, has
 * answered. Without a navigator, calls that need one return INVALID.
 */

/* Routes ----------------------------------------------------------------------------------------- */

/** The kinds of components, and the parent that each kind stands on. */
#define MAINSTEM_SCREEN 1  /**< On the topmost screen of the requester's stack. */
#define MAINSTEM_EMBED 2   /**< In a slot of the requester. */
#define MAINSTEM_DIALOG 3  /**< On the requester. */
#define MAINSTEM_PRESENT 4 /**< On the requester, over the whole screen. */
#define MAINSTEM_OVERLAY 5 /**< On nothing, above everything. */
#define MAINSTEM_GROUP 6   /**< Like a screen. Its parts are shown and closed together. */
#define MAINSTEM_FLOW 7    /**< Like a screen, without a view: components stand on it. */

/** A route. */
typedef struct mainstem_route_row {
  const char *pattern; /**< See mainstem_router_add. */
  /** The owner's factory, whose contract must be TEXT (the URL) or NONE. NULL: no owner. */
  const char *name;
  uint32_t kind;  /**< One of the kinds above. */
  uint32_t flags; /**< Must be 0. */
  /** For an embed: its slot. For a group: the URLs of its parts, separated by spaces. Otherwise NULL. */
  const char *parts;
} mainstem_route_row;

/** Options for the navigator. */
typedef struct mainstem_navigator_options {
  uint32_t size;           /**< sizeof this struct. */
  uint32_t flags;          /**< Must be 0. */
  int64_t show_timeout_ms; /**< For each answer of the stage; 0: 10,000. */
  const char *scheme;      /**< The app's scheme, without "://"; removed from links. NULL: none. */
} mainstem_navigator_options;

/**
 * Adds the navigator to a context; a context has at most one. If there is one already, a call with NULL for options
 * does nothing and returns OK.
 *
 * The navigator is a server "Navigator" in `context`, and ends with that scope. If there is no navigator yet, a call
 * that adds types, routes or guards also adds one, with default options, even if that call fails.
 *
 * Thread: context.
 * Errors: INVALID (there is one, or an event was sent before; an unknown flag, a time below 0), TOO_BIG (a scheme
 * over 255 bytes), DENIED, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_navigator_add(mainstem_context *context,
                                                    const mainstem_navigator_options *options);

/**
 * Adds a type for the placeholders of patterns: see mainstem_router_type_add.
 * Thread: context.
 * Errors: as mainstem_navigator_add without UNSUPPORTED, and INVALID (as mainstem_router_type_add).
 */
MAINSTEM_API mainstem_status mainstem_routes_type_add(mainstem_context *context, const char *name,
                                                      mainstem_route_type_fn accepts,
                                                      void *user_data, mainstem_release_fn release);

/**
 * Adds routes. Call this function before the first event, and after the factories of the routes have been added. If a
 * row is wrong, the routes of the rows before it stay.
 * Thread: context.
 * Errors: as mainstem_navigator_add, and INVALID (a wrong pattern, kind, factory or part), UNSUPPORTED (an unknown
 * flag).
 */
MAINSTEM_API mainstem_status mainstem_routes_add(mainstem_context *context,
                                                 const mainstem_route_row *rows, size_t row_size,
                                                 size_t count);

/**
 * Reads a route of a context. `index` counts from 0, in the order in which the routes were added.
 * Owner: the navigator.
 * Thread: context.
 * Errors: UNSET (no such route).
 */
MAINSTEM_API mainstem_status mainstem_routes_read(mainstem_context *context, size_t index,
                                                  mainstem_route_row *row, size_t row_size);

/* Moves ------------------------------------------------------------------------------------------ */

#define MAINSTEM_MOVE_OPEN 1 /**< Opens the URL. */
#define MAINSTEM_MOVE_LINK                                                                         \
  2 /**< Once the app is ready: closes all dialogs, presents and overlays, then opens the URL. */
#define MAINSTEM_MOVE_CLOSE 3  /**< Closes the component and all components on it. */
#define MAINSTEM_MOVE_POP 4    /**< Closes the topmost screen, if it covers another screen. */
#define MAINSTEM_MOVE_POP_TO 5 /**< Closes the components on a component, except embeds. */
#define MAINSTEM_MOVE_DISMISS                                                                      \
  6 /**< Closes the requester's dialog, present or overlay; if it has none, the newest one. */
#define MAINSTEM_MOVE_REPLACE_ROOT 7 /**< Opens the URL on nothing, then closes everything else. */
/** Opens a screen, group or flow in place of the topmost screen, then closes that screen. */
#define MAINSTEM_MOVE_REPLACE 8

/** For a link: opens nothing; every flow gets the URL as a notice `MainstemLink` (TEXT). */
#define MAINSTEM_MOVE_ALL 1

/** A move. */
typedef struct mainstem_move {
  uint32_t size;   /**< sizeof this struct. */
  uint32_t verb;   /**< MAINSTEM_MOVE_…. */
  const char *url; /**< The URL to open; otherwise NULL. */
  /** The component to close, pop to or open on; for a replace, a component of the stack. 0: the requester, if any. */
  uint64_t component;
  const char *slot; /**< For an embed: its slot; NULL: that of its route. */
  uint32_t kind;    /**< The kind that the route must have; 0: any. */
  uint32_t flags;   /**< MAINSTEM_MOVE_ALL, or 0. */
} mainstem_move;

/**
 * Requests a move, like mainstem_request with the type `MainstemMove`.
 *
 * `fn` gets the answer. An open, a link or a replace is answered when the opened component has closed; other moves are
 * answered when they are done. When the opened component is shown, observers get its number as progress:
 * `MainstemOpened`, an INTEGER. If the request or the requester ends before that, the move stops; if one of them ends
 * later, the component stays open.
 *
 * Thread: context.
 * Null: fn, pending.
 * Errors: as mainstem_request, and INVALID (an unknown verb or kind, no URL or component), UNSUPPORTED (an unknown
 * flag), TOO_BIG (a URL over 65,536 bytes, a slot over 255), BAD_URL (not UTF-8).
 */
MAINSTEM_API mainstem_status mainstem_navigator_move(mainstem_context *context,
                                                     const mainstem_move *move,
                                                     mainstem_event_fn fn, void *user_data,
                                                     mainstem_pending **pending);

/**
 * Opens a URL: mainstem_navigator_move with MAINSTEM_MOVE_OPEN.
 * Thread: context.
 * Null: fn, pending.
 * Errors: as mainstem_navigator_move without UNSUPPORTED.
 */
MAINSTEM_API mainstem_status mainstem_navigator_open(mainstem_context *context, const char *url,
                                                     mainstem_event_fn fn, void *user_data,
                                                     mainstem_pending **pending);

/** The result of a component. */
typedef struct mainstem_result {
  uint32_t size;            /**< sizeof this struct. */
  mainstem_event_type type; /**< Its type; 0: no result. */
  const void *data;         /**< Its payload. */
  size_t data_size;
} mainstem_result;

/**
 * Closes the component that the scope `context` belongs to, with a result. If this component is a part of a group, the
 * call finishes the group.
 *
 * Sends `MainstemFinish`; the component closes when that event is delivered. Only the component's first result counts.
 * `type` is any type; 0: no result.
 *
 * Thread: context.
 * Errors: as mainstem_send, and INVALID (a secret type).
 */
MAINSTEM_API mainstem_status mainstem_component_finish(mainstem_context *context,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/**
 * Reads the result in a `MainstemResult` whose status is OK.
 * Owner: the event.
 * Thread: any.
 * Errors: INVALID (another event), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_result_read(const mainstem_event *event,
                                                  mainstem_result *result);

/**
 * Matches the URL in an event that a factory, a guard or a stage gets.
 * Owner: you; release the match.
 * Thread: any.
 * Errors: NO_ROUTE, BAD_URL, INVALID (an event without a URL), STALE, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_match(const mainstem_event *event,
                                                  mainstem_match **match);

/* Guards ----------------------------------------------------------------------------------------- */

/**
 * The guard is asked before a move closes a component. It is not asked before a component opens, after a gesture, or
 * when the owner ends.
 */
#define MAINSTEM_GUARD_LEAVING 1

/**
 * Adds a guard, which is asked before a URL that matches `pattern` is opened or, with MAINSTEM_GUARD_LEAVING, before a
 * component with such a URL closes. Call this function before the first event.
 *
 * "*" matches every URL. A guard name may be added several times, for different patterns. Each guard whose pattern
 * matches gets a request `RequestGuard.NAME` with the URL, in the order in which the guards were added. Any server may
 * answer this request: see mainstem_guard_answer. If there is no such server, the guard refuses the move.
 *
 * Thread: context.
 * Errors: as mainstem_routes_add, and TOO_BIG (a name over 241 bytes).
 */
MAINSTEM_API mainstem_status mainstem_guard_add(mainstem_context *context, const char *pattern,
                                                const char *name, uint32_t flags);

#define MAINSTEM_GUARD_ALLOW 0    /**< The move continues. */
#define MAINSTEM_GUARD_REDIRECT 1 /**< The move opens another URL instead. */
#define MAINSTEM_GUARD_OPEN_FIRST                                                                  \
  2 /**< First opens another URL; after its result, all guards are asked again. */

/**
 * Answers a guard's request with a verdict. An error (mainstem_respond_error) refuses the move: the move is answered
 * DENIED.
 *
 * `url` is the URL to open. MAINSTEM_GUARD_ALLOW takes no URL, and is the only verdict that a leaving guard may give.
 *
 * Thread: any.
 * Null: url.
 * Errors: as mainstem_respond, and INVALID (another event, a wrong verdict or URL), BAD_URL.
 */
MAINSTEM_API mainstem_status mainstem_guard_answer(const mainstem_event *event, uint32_t verdict,
                                                   const char *url);

/* Flows ------------------------------------------------------------------------------------------ */

/*
 * The owner of a *flow* opens components on the flow. When a component reports an event, the owner decides which
 * component comes next. The flow is ready as soon as its first component is shown, and ends when its last component
 * closes without a result.
 */

/** An intent from a component that is covered by a screen is dropped, unless one of these flags is set. */
#define MAINSTEM_INTENT_QUEUED 1  /**< Kept until the component is uncovered; at most 1,024. */
#define MAINSTEM_INTENT_ALLOWED 2 /**< Delivered at once. */

/** An *intent*: an event with which a component reports to its flow what has happened. */
typedef struct mainstem_intent_row {
  const char *type;     /**< An event type, or `MainstemLink` for links to all flows. */
  const char *name;     /**< The factory of the component that sends it; NULL: any. */
  mainstem_event_fn fn; /**< Opens something, finishes the flow, or does nothing. */
  uint32_t flags;       /**< One of the flags above, or 0. */
  uint32_t reserved;    /**< 0. */
} mainstem_intent_row;

/**
 * Adds the intents of a flow. The flow's factory calls this function with the scope that it fills.
 *
 * The function in a row gets the events of the row's type that components of this flow send, but not those from a flow
 * inside this flow. The function is an immediate observer, and ends with the scope.
 *
 * Thread: context.
 * Errors: as mainstem_observe, and INVALID (no such type, no function, both flags), UNSUPPORTED (an unknown flag),
 * TOO_BIG (too many rows).
 */
MAINSTEM_API mainstem_status mainstem_intents_add(mainstem_context *scope,
                                                  const mainstem_intent_row *rows, size_t row_size,
                                                  size_t count, void *user_data,
                                                  mainstem_release_fn release);

/**
 * Gets the component that sent an event; for the request of a leaving guard, the component that would close.
 * Thread: context.
 * Errors: UNSET (none, or it has closed), STALE.
 */
MAINSTEM_API mainstem_status mainstem_event_component(const mainstem_event *event,
                                                      uint64_t *component);

#ifdef __cplusplus
}
#endif

#endif
