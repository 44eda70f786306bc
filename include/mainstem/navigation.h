// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Navigation: screens and dialogs are opened and closed by URL. Moves, guards, flows. See stage.h for the host's side.
 */

#ifndef MAINSTEM_NAVIGATION_H
#define MAINSTEM_NAVIGATION_H

#include "routes.h"
#include "scopes.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A *component* is what a route leads to: a screen, a dialog, a widget in a slot. Each has a scope, whose number
 * identifies it. What its factory makes (mainstem_factory_add) is its *owner*; the owner and the scope end when the
 * component closes, and it closes when one of them ends. Components form a tree: each stands on another, and closes when
 * that one does.
 *
 * A *move* is a tracked request of the type `MainstemMove`, sent from within a component or from elsewhere. It gets one
 * answer, a `MainstemResult`: the result of the component that it opened, or an error:
 *
 *     MAINSTEM_CANCELLED   the component was closed without a result, by a move, a gesture, or with what it stood on
 *     MAINSTEM_NO_ROUTE, MAINSTEM_BAD_URL   as mainstem_router_match
 *     MAINSTEM_DENIED      a guard refused, or what it wanted opened first was cancelled
 *     MAINSTEM_LIMIT       guards redirected it, or what they wanted opened first, more than 16 times
 *     MAINSTEM_INVALID     not possible here: the route has another kind, there is no slot, there is nothing to pop
 *     MAINSTEM_UNHANDLED   there is no stage
 *     MAINSTEM_TIMEOUT     the stage did not answer in time
 *     any other            the error of the factory or of the stage
 *
 * Moves run one at a time: the next begins when the stage has answered. All types are in the layer navigation, so a
 * scope without the right to send on that layer, such as a view's, cannot navigate.
 */

/* Routes ----------------------------------------------------------------------------------------- */

/** The kinds of components: how each is shown, and what it stands on. */
#define MAINSTEM_SCREEN 1  /**< On the topmost screen of the asker's stack, which it covers. */
#define MAINSTEM_EMBED 2   /**< In a slot of the asker; replaces what is there. */
#define MAINSTEM_DIALOG 3  /**< On the asker. */
#define MAINSTEM_PRESENT 4 /**< On the asker, over the whole screen. */
#define MAINSTEM_OVERLAY 5 /**< On nothing, above everything. */
#define MAINSTEM_GROUP 6   /**< Placed like a screen. Its parts are shown and closed together. */
#define MAINSTEM_FLOW 7    /**< Placed like a screen. Has no view: components stand on it. */

/** A route and what it leads to. */
typedef struct mainstem_route_row {
  const char *pattern; /**< As for mainstem_router_add. */
  /** The factory of its owner. Its contract is TEXT, for the URL, or none. NULL: the component has no owner. */
  const char *name;
  uint32_t kind;  /**< MAINSTEM_SCREEN … MAINSTEM_FLOW. */
  uint32_t flags; /**< None yet; must be 0. */
  /** Of an embed: its slot. Of a group: the URLs of its parts, with spaces between them. Else NULL. */
  const char *parts;
} mainstem_route_row;

/** Options for the navigator. */
typedef struct mainstem_navigator_options {
  uint32_t size;           /**< sizeof this struct. */
  uint32_t flags;          /**< None yet; must be 0. */
  int64_t show_timeout_ms; /**< How long the stage may take to answer; 0: 10,000. */
  const char *scheme;      /**< The app's scheme, without "://"; removed from links. NULL: none. */
} mainstem_navigator_options;

/**
 * Adds the navigator to a context, which has at most one. Without it, mainstem_routes_add adds one with the defaults.
 * With NULL for options, it returns MAINSTEM_OK if there is one already, whatever its options.
 *
 * It registers `MainstemMove`, `MainstemResult`, `MainstemOpened`, `MainstemShow`, `MainstemShown`, `MainstemHide`,
 * `MainstemHidden`, `MainstemTree`, `MainstemReady`, `MainstemGone`, `MainstemFinish`, `MainstemLink`, and adds a
 * server "Navigator" to `context`. The navigator ends with that scope.
 *
 * Owner: options are copied. Thread: context.
 * Errors: INVALID (options without a size, an unknown flag, a negative time; there is one already, or the context has
 * had events), UNSUPPORTED, TOO_BIG (a scheme over 255 bytes), DENIED, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_navigator_add(mainstem_context *context,
                                                    const mainstem_navigator_options *options);

/**
 * Adds a type that the patterns of routes and guards may name: see mainstem_router_type_add.
 *
 * A navigator that this call has added stays, even if the call fails.
 *
 * Errors: as mainstem_navigator_add without UNSUPPORTED, and INVALID (what mainstem_router_type_add refuses).
 */
MAINSTEM_API mainstem_status mainstem_routes_type_add(mainstem_context *context, const char *name,
                                                      mainstem_route_type_fn accepts,
                                                      void *user_data, mainstem_release_fn release);

/**
 * Adds routes, before the first event and after their factories.
 *
 * Owner: everything is copied. Thread: context.
 * Errors: as mainstem_navigator_add, and INVALID (a pattern that mainstem_router_add refuses; a name without a factory,
 * or a factory with another contract; an unknown kind or flag; an embed or a group without parts). Rows before the
 * faulty one stay.
 */
MAINSTEM_API mainstem_status mainstem_routes_add(mainstem_context *context,
                                                 const mainstem_route_row *rows, size_t row_size,
                                                 size_t count);

/**
 * Reads one of the routes of a context. `index` counts from 0, in the order of adding. So a program or a test can list
 * the routes of all modules.
 *
 * Owner: the texts in `row` are valid until the navigator ends. Thread: context.
 * Errors: UNSET (`index` is not below the number of routes), INVALID (a row_size, no navigator), UNSUPPORTED (a row of
 * a newer library).
 */
MAINSTEM_API mainstem_status mainstem_routes_read(mainstem_context *context, size_t index,
                                                  mainstem_route_row *row, size_t row_size);

/* Moves ------------------------------------------------------------------------------------------ */

/** What a move does. */
#define MAINSTEM_MOVE_OPEN 1   /**< Opens the URL. */
#define MAINSTEM_MOVE_LINK 2   /**< Once the app is ready: closes all dialogs, opens the URL. */
#define MAINSTEM_MOVE_CLOSE 3  /**< Closes the component and what stands on it. */
#define MAINSTEM_MOVE_POP 4    /**< Closes the topmost screen, if there is one below it. */
#define MAINSTEM_MOVE_POP_TO 5 /**< Closes what stands on a component, except embeds. */
#define MAINSTEM_MOVE_DISMISS                                                                      \
  6 /**< Closes the asker's dialog, present or overlay, else the newest. */
#define MAINSTEM_MOVE_REPLACE_ROOT 7 /**< Opens the URL on nothing, then closes everything else. */
/** Opens the URL, a screen, group or flow, in place of the topmost screen; closes that when the new one is shown. */
#define MAINSTEM_MOVE_REPLACE 8

/** For a link: instead of opening the URL, sends it to every flow as a notice `MainstemLink` (TEXT). */
#define MAINSTEM_MOVE_ALL 1

/** A move. */
typedef struct mainstem_move {
  uint32_t size;   /**< sizeof(mainstem_move), set by the caller. */
  uint32_t verb;   /**< MAINSTEM_MOVE_…. */
  const char *url; /**< What to open; else NULL. */
  /** What to close, to pop to, or to open on; to replace: whose stack. 0: none; opens on the asker. */
  uint64_t component;
  const char *slot; /**< Of an embed: a slot other than its route's; else NULL. */
  uint32_t kind;    /**< The kind that the route must have; 0: any. */
  uint32_t flags;   /**< MAINSTEM_MOVE_ALL, or 0. */
} mainstem_move;

/**
 * Asks the navigator for a move. The asker is the component that the scope `context` is in.
 *
 * A replace finds the topmost screen of the asker's stack as a pop does, and a screen that is a part of a group stands
 * for its group. What is below is not uncovered: the stage shows the new component, which stands where the old one
 * does, then hides the old one and what stands on it. The opener of the old one gets MAINSTEM_CANCELLED. If the old one
 * closes first, the replace is answered MAINSTEM_CANCELLED, too; without an old one, MAINSTEM_INVALID.
 *
 * Equivalent to mainstem_request with the type `MainstemMove`. `fn` gets the answer: to an open or a replace, when the
 * component has closed; to other moves, when they are done. When the component is shown, an open makes one step of
 * progress, `MainstemOpened` (an INTEGER, the component's number). `fn` does not get it: observe that type, or use
 * mainstem_request_with. If the request is cancelled, or the asker ends, before that step, nothing is opened; after it,
 * the component stays.
 *
 * A move that closes something refers to what is there when it is asked for. If that is gone when its turn comes, the
 * answer is OK. A link asked for from within a dialog closes that dialog, and is CANCELLED with it: use the context.
 *
 * Owner, Thread, Reentrant: as for mainstem_request.
 * Errors: as mainstem_request, and INVALID (NULL, a wrong size or verb, a missing URL or component; no navigator),
 * UNSUPPORTED, TOO_BIG (a URL over 65,536 bytes, a slot over 255).
 */
MAINSTEM_API mainstem_status mainstem_navigator_move(mainstem_context *context,
                                                     const mainstem_move *move,
                                                     mainstem_event_fn fn, void *user_data,
                                                     mainstem_pending **pending);

/**
 * Opens a URL: mainstem_navigator_move with MAINSTEM_MOVE_OPEN.
 *
 * Errors: as mainstem_navigator_move without UNSUPPORTED.
 */
MAINSTEM_API mainstem_status mainstem_navigator_open(mainstem_context *context, const char *url,
                                                     mainstem_event_fn fn, void *user_data,
                                                     mainstem_pending **pending);

/** The result of a component, as the opener gets it. */
typedef struct mainstem_result {
  uint32_t size;            /**< sizeof(mainstem_result), set by the caller. */
  mainstem_event_type type; /**< Its type; 0: the component finished without a result. */
  const void *data;         /**< Its payload. */
  size_t data_size;
} mainstem_result;

/**
 * Closes the component that the scope `context` is in, with a result. A part of a group finishes the group.
 *
 * Sends `MainstemFinish` through that scope; the component closes when that event is delivered. `type` is any
 * registered type; 0: no result. Only the first result of a component counts.
 *
 * Owner: bytes as in mainstem_send. Thread: context.
 * Errors: as mainstem_send, and INVALID (no navigator, a type that is secret).
 */
MAINSTEM_API mainstem_status mainstem_component_finish(mainstem_context *context,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/**
 * Reads the result in a `MainstemResult` whose status is OK.
 *
 * Owner: the event's. Thread: any.
 * Errors: INVALID (its size, another event), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_result_read(const mainstem_event *event,
                                                  mainstem_result *result);

/**
 * Matches the URL in an event that a factory, a guard or a stage gets, for its parameters and its query.
 *
 * Owner: the match is the caller's, until mainstem_match_release. Thread: any.
 * Errors: NO_ROUTE, BAD_URL, INVALID (an event without a URL, or no navigator), STALE, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_match(const mainstem_event *event,
                                                  mainstem_match **match);

/* Guards ----------------------------------------------------------------------------------------- */

/** The guard is asked before a move closes a component; not after a gesture, nor when its owner ends. */
#define MAINSTEM_GUARD_LEAVING 1

/**
 * Adds a guard, before the first event: it is asked before a URL that matches the pattern is opened, or closed.
 *
 * The navigator asks with a request of the type `RequestGuard.NAME`, whose payload is the URL. Any server may handle it,
 * and answers with mainstem_guard_answer, at once or later; the answer is a `ResponseGuard.NAME`. All guards whose
 * pattern matches are asked, in the order in which they were added. The pattern "*" matches every URL, that of the home
 * page and those with a scheme, too, which "<path:_>" does not. The parts of a group are not asked about: guard the
 * group. An error refuses the move, whose answer is then MAINSTEM_DENIED with the message of that error. A guard
 * without a server refuses, too. Moves whose guards want the same URL first share it: it is opened once, and its answer
 * counts for all of them. A leaving guard is asked about one component at a time; mainstem_event_component returns its
 * number.
 *
 * Owner: the texts are copied. Thread: context.
 * Errors: as mainstem_routes_add; the same name may guard several patterns. TOO_BIG (a name over 241 bytes).
 */
MAINSTEM_API mainstem_status mainstem_guard_add(mainstem_context *context, const char *pattern,
                                                const char *name, uint32_t flags);

/** Verdicts of a guard. The other answer is an error. */
#define MAINSTEM_GUARD_ALLOW 0 /**< The move goes on. */
#define MAINSTEM_GUARD_REDIRECT                                                                    \
  1 /**< Another URL is opened instead; at most 16 times for a move. */
#define MAINSTEM_GUARD_OPEN_FIRST                                                                  \
  2 /**< Another URL is opened first; after its result, all are asked again. */

/**
 * Answers a guard's request.
 *
 * A leaving guard has only the verdict MAINSTEM_GUARD_ALLOW. Any other is refused, and the component stays.
 *
 * Null: url may be NULL, and must be for MAINSTEM_GUARD_ALLOW. Otherwise like mainstem_respond.
 * Errors: as mainstem_respond, and INVALID (another event, an unknown verdict, a missing or a superfluous URL, another
 * verdict of a leaving guard), BAD_URL.
 */
MAINSTEM_API mainstem_status mainstem_guard_answer(const mainstem_event *event, uint32_t verdict,
                                                   const char *url);

/* Flows ------------------------------------------------------------------------------------------ */

/*
 * A *flow* is a component of the kind MAINSTEM_FLOW. Its owner opens components on it, and decides where to go when
 * they say what has happened. A flow is opened like any other component, and is ready (`MainstemOpened`) when the first
 * component that it opens is shown, on it or elsewhere, or has finished; if that fails, the flow fails. It ends when it
 * finishes, when what it stands on closes, and when the last component on it closes without a result.
 */

/** What a component says while a screen covers it is dropped, unless the intent's row has one of these flags. */
#define MAINSTEM_INTENT_QUEUED 1  /**< Kept until the component is uncovered. */
#define MAINSTEM_INTENT_ALLOWED 2 /**< Delivered at once. */

/** An intent: something that a component of a flow says has happened, such as "an entry was picked". */
typedef struct mainstem_intent_row {
  const char *type;     /**< A registered event type, or `MainstemLink` for links to all flows. */
  const char *name;     /**< The factory of the component that says it; NULL: any. */
  mainstem_event_fn fn; /**< Decides: opens something, finishes the flow, or does nothing. */
  uint32_t flags;       /**< MAINSTEM_INTENT_QUEUED, MAINSTEM_INTENT_ALLOWED, or 0. */
  uint32_t reserved;    /**< 0. */
} mainstem_intent_row;

/**
 * Adds the intents of the flow that `scope` is in.
 *
 * Called by the flow's factory, with the scope that it fills. A row's function gets the events of its type that
 * components of this flow send, but not those of a flow inside it. An overlay, which stands on nothing, is of the flow
 * of the component that has opened it. mainstem_event_component tells the function which component spoke, for
 * mainstem_move.component. The functions are immediate observers and end with the scope.
 *
 * Thread: context.
 * Errors: as mainstem_observe, and INVALID (no navigator; rows, an unregistered type, a NULL function, both flags),
 * UNSUPPORTED (a flag or rows of a newer library), TOO_BIG (rows). A failed call adds nothing.
 */
MAINSTEM_API mainstem_status mainstem_intents_add(mainstem_context *scope,
                                                  const mainstem_intent_row *rows, size_t row_size,
                                                  size_t count, void *user_data,
                                                  mainstem_release_fn release);

/**
 * Finds the component that an event was sent from, or about which it asks a leaving guard.
 *
 * Thread: context.
 * Errors: UNSET (none, or it has closed), INVALID (no navigator), STALE.
 */
MAINSTEM_API mainstem_status mainstem_event_component(const mainstem_event *event,
                                                      uint64_t *component);

#ifdef __cplusplus
}
#endif

#endif
