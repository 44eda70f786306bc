// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The navigator: opens and closes the components of an app by their routes. The stage: the host's side, which shows them.
 */

#ifndef MAINSTEM_NAVIGATOR_H
#define MAINSTEM_NAVIGATOR_H

#include "navigation.h"
#include "owners.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A *component* is what a route leads to: a screen, a dialog, a widget in a slot. It is a scope, and known by the number
 * of that scope. What its factory made (mainstem_factory_add) is its *owner*. Both end with it. The components form
 * a tree: each stands on another, and ends with that one.
 *
 * A *move* is a tracked request of the type `MainstemMove`, sent from within a component or from elsewhere. Its answer,
 * a `MainstemResult`, comes once: the result of the component that it opened, or an error:
 *
 *     MAINSTEM_CANCELLED   the component was closed without a result, by a move, a gesture, or with what it stood on
 *     MAINSTEM_NO_ROUTE, MAINSTEM_BAD_URL   as mainstem_router_match
 *     MAINSTEM_DENIED      a guard has refused, or opened something first that was cancelled
 *     MAINSTEM_LIMIT       guards have sent it elsewhere more than 16 times
 *     MAINSTEM_INVALID     it cannot be done: another kind, no slot to embed it in, nothing to pop
 *     MAINSTEM_UNHANDLED   there is no stage
 *     MAINSTEM_TIMEOUT     the stage did not answer in time
 *     any other            the factory's error, or the stage's
 *
 * Moves wait for each other: one begins when the stage has answered for the one before. All types are of the layer
 * navigation, so a view's scope that may not send on it cannot navigate.
 */

/* Routes ----------------------------------------------------------------------------------------- */

/** How a component is shown, and what it stands on. */
#define MAINSTEM_SCREEN 1  /**< On the topmost screen of the asker's stack; covers it. */
#define MAINSTEM_EMBED 2   /**< In a slot of the asker; takes the place of what is there. */
#define MAINSTEM_DIALOG 3  /**< On the asker. */
#define MAINSTEM_PRESENT 4 /**< On the asker, over the whole screen. */
#define MAINSTEM_OVERLAY 5 /**< On nothing, above all. */
#define MAINSTEM_GROUP 6   /**< Stands like a screen. Its parts are shown, and close as one. */
#define MAINSTEM_FLOW 7    /**< Stands like a screen. Not shown: it has components on it. */

/** A route, and what it leads to. */
typedef struct mainstem_route_row {
  const char *pattern; /**< As for mainstem_router_add. */
  /** A factory: its contract is TEXT, and it gets the URL, or it is without a payload. NULL: it has no owner. */
  const char *name;
  uint32_t kind;  /**< MAINSTEM_SCREEN … MAINSTEM_FLOW. */
  uint32_t flags; /**< None yet; must be 0. */
  /** Of an embed: its slot. Of a group: the URLs of its parts, with spaces between them. Else NULL. */
  const char *parts;
} mainstem_route_row;

/** Options for the navigator. */
typedef struct mainstem_navigator_options {
  uint32_t size;           /**< Set by mainstem_navigator_options_init. */
  uint32_t flags;          /**< None yet; must be 0. */
  int64_t show_timeout_ms; /**< How long a stage may take to answer; 10,000. */
  const char *scheme;      /**< The app's own, without "://": links lose it. NULL: none. */
} mainstem_navigator_options;

/** Sets options to their defaults. Like mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_navigator_options_init(mainstem_navigator_options *options,
                                                             size_t size);

/**
 * Adds the navigator of a context, which has one at most. mainstem_routes_add does it, too, with the defaults.
 *
 * It registers `MainstemMove`, `MainstemResult`, `MainstemOpened`, `MainstemShow`, `MainstemShown`, `MainstemHide`,
 * `MainstemHidden`, `MainstemTree`, `MainstemReady`, `MainstemGone`, `MainstemFinish`, `MainstemLink`, and adds a
 * server "Navigator" to `context`, with which it ends.
 *
 * Owner: options are copied. Thread: context. Reentrant: yes. Null: options may be NULL.
 * Errors: INVALID (NULL; options without a size, an unknown flag, a time below 1; there is one already, or the context
 * has had events), UNSUPPORTED, TOO_BIG (a scheme over 255 bytes), STALE, DENIED, WRONG_KIND, WRONG_THREAD, LIMIT,
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_navigator_add(mainstem_context *context,
                                                    const mainstem_navigator_options *options);

/**
 * Adds a type that the patterns of routes and guards may name: see mainstem_router_type_add.
 *
 * A navigator that it has added stays, also where it fails.
 *
 * Errors: as mainstem_navigator_add without UNSUPPORTED, and INVALID (what mainstem_router_type_add refuses).
 * Null: release may be NULL.
 */
MAINSTEM_API mainstem_status mainstem_routes_type_add(mainstem_context *context, const char *name,
                                                      mainstem_route_type_fn accepts,
                                                      void *user_data, mainstem_release_fn release);

/**
 * Adds routes, before the first event. Their factories have been added before.
 *
 * Owner: everything is copied. Thread: context. Reentrant: yes.
 * Errors: as mainstem_navigator_add, and INVALID (a pattern that mainstem_router_add refuses; a name without a factory,
 * or a factory with another contract; an unknown kind or flag; an embed or a group without parts). The rows before the
 * one at fault stay.
 */
MAINSTEM_API mainstem_status mainstem_routes_add(mainstem_context *context,
                                                 const mainstem_route_row *rows, size_t row_size,
                                                 size_t count);

/* Moves ------------------------------------------------------------------------------------------ */

/** What a move does. */
#define MAINSTEM_MOVE_OPEN 1    /**< Opens the URL. */
#define MAINSTEM_MOVE_LINK 2    /**< When the app is ready: closes all dialogs, opens the URL. */
#define MAINSTEM_MOVE_CLOSE 3   /**< Closes the component, and what stands on it. */
#define MAINSTEM_MOVE_POP 4     /**< Closes the topmost screen, if another is below. */
#define MAINSTEM_MOVE_POP_TO 5  /**< Closes what stands on a component, but for embeds. */
#define MAINSTEM_MOVE_DISMISS 6 /**< Closes the asker's dialog, present or overlay, or the last. */
#define MAINSTEM_MOVE_REPLACE_ROOT 7 /**< Opens the URL on nothing, then closes everything else. */

/** Of a link: it opens nothing itself, but is told to every flow, as a notice `MainstemLink` (TEXT). */
#define MAINSTEM_MOVE_ALL 1

/** A move. */
typedef struct mainstem_move {
  uint32_t size;      /**< sizeof(mainstem_move), set by the caller. */
  uint32_t verb;      /**< MAINSTEM_MOVE_…. */
  const char *url;    /**< Of what is opened; else NULL. */
  uint64_t component; /**< What is closed or popped to; what to open on; 0: none, the asker. */
  const char *slot;   /**< Of an embed: in place of that of its route; else NULL. */
  uint32_t how;       /**< The kind that the route must have; 0: any. */
  uint32_t flags;     /**< MAINSTEM_MOVE_ALL, or 0. */
} mainstem_move;

/**
 * Asks the navigator for a move. The asker is the component in which `context` is, a scope.
 *
 * Equivalent to mainstem_request with the type `MainstemMove`. `fn` gets the answer: of an open, when what was opened
 * has closed; of others, when they are done. Before that, an open has a step of progress, `MainstemOpened` (an
 * INTEGER), with the number of the component: it is shown. `fn` does not get that: observe it, or use
 * mainstem_request_with. Whoever cancels an open before that step, or ends, takes it back; later, the component stays.
 *
 * A move that closes something means what is there when it is asked for. If that is gone when its turn comes, the answer
 * is OK.
 *
 * Owner, Thread, Reentrant: as for mainstem_request.
 * Errors: as mainstem_request, and INVALID (NULL, a size, a verb, a missing URL or component; no navigator),
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

/** The result of a component, as its opener gets it. */
typedef struct mainstem_result {
  uint32_t size;            /**< sizeof(mainstem_result), set by the caller. */
  mainstem_event_type type; /**< What it is; 0: the component has finished without one. */
  const void *data;         /**< A payload of that type. */
  size_t data_size;
} mainstem_result;

/**
 * Closes the component in which `context` is, a scope, with a result. A part of a group finishes the group.
 *
 * It sends `MainstemFinish` through that scope; the component closes when that is delivered. `type` is any registered
 * type; 0: no result. Only the first result of a component counts.
 *
 * Owner: bytes as in mainstem_send. Thread: context. Reentrant: yes.
 * Errors: as mainstem_send, and INVALID (no navigator, a type that is secret).
 */
MAINSTEM_API mainstem_status mainstem_component_finish(mainstem_context *context,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/**
 * Reads the result in a `MainstemResult` whose status is OK.
 *
 * Owner: the event's. Thread: any. Errors: INVALID (NULL, its size, another event), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_result_read(const mainstem_event *event,
                                                  mainstem_result *result);

/**
 * Finds the parameters and the query of the URL in an event: in what a factory, a guard or a stage gets.
 *
 * Owner: the match is the caller's, until mainstem_match_release. Thread: any.
 * Errors: NO_ROUTE, BAD_URL, INVALID (NULL, an event without a URL, or no navigator), STALE, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_navigator_match(const mainstem_event *event,
                                                      mainstem_match **match);

/* Guards ----------------------------------------------------------------------------------------- */

/** The guard is asked before a component is closed by a move: not after a gesture, nor when its owner ends. */
#define MAINSTEM_GUARD_LEAVING 1

/**
 * Adds a guard, before the first event: what is asked before a URL of this pattern is opened, or closed.
 *
 * It is a request of the type `RequestGuard.NAME`, whose payload is the URL; its answer, with mainstem_guard_answer, is a
 * `ResponseGuard.NAME`. Any server may handle it, and answer it later. Guards are asked in the order in which they were
 * added, all whose pattern matches. An error refuses the move, which is answered MAINSTEM_DENIED with its sentence; so
 * does a guard that nobody handles.
 *
 * Owner: the texts are copied. Thread: context. Reentrant: yes.
 * Errors: as mainstem_routes_add; the same name may guard several patterns. TOO_BIG (a name over 241 bytes).
 */
MAINSTEM_API mainstem_status mainstem_guard_add(mainstem_context *context, const char *pattern,
                                                const char *name, uint32_t flags);

/** What a guard answers, besides an error. */
#define MAINSTEM_GUARD_GO 0       /**< The move goes on. */
#define MAINSTEM_GUARD_REDIRECT 1 /**< It opens another URL instead: at most 16 times for a move. */
#define MAINSTEM_GUARD_AFTER 2 /**< Another URL is opened first; at its result it is asked again. */

/**
 * Answers a guard's request.
 *
 * Null: url may be NULL: for MAINSTEM_GUARD_GO it is. Otherwise like mainstem_respond. A leaving guard can only go.
 * Errors: as mainstem_respond, and INVALID (another event, an unknown verdict, a URL that is missing or too much), BAD_URL.
 */
MAINSTEM_API mainstem_status mainstem_guard_answer(const mainstem_event *event, uint32_t verdict,
                                                   const char *url);

/* Flows ------------------------------------------------------------------------------------------ */

/*
 * A *flow* is a component of the kind MAINSTEM_FLOW: its owner opens others on it, and decides where to go when they say
 * what has happened. It is opened like any other component, and is ready (`MainstemOpened`) when the first component
 * that it opens is shown; where that fails, it fails. It ends when it finishes, with what it stands on, and with a
 * component that is the last on it and closes without a result.
 */

/** What a flow is told when a component says something that a screen covers: nothing, unless a row says this. */
#define MAINSTEM_INTENT_QUEUED 1  /**< It is told when the component is not covered any more. */
#define MAINSTEM_INTENT_ALLOWED 2 /**< It is told at once. */

/** An intent: what a component of a flow says has happened, such as "an entry was picked". */
typedef struct mainstem_intent_row {
  const char *type;     /**< A registered event type; or `MainstemLink`: a link for all flows. */
  const char *name;     /**< Of the factory of the component that says it; NULL: of any. */
  mainstem_event_fn fn; /**< Decides: opens something, finishes the flow, or does nothing. */
  uint32_t flags;       /**< MAINSTEM_INTENT_QUEUED, MAINSTEM_INTENT_ALLOWED, or 0. */
  uint32_t reserved;    /**< 0. */
} mainstem_intent_row;

/**
 * Has the flow in which `scope` is told what its components say.
 *
 * Called by its factory, with the scope that it fills. A function gets the events of its type that come from a
 * component of this flow: not those of a flow in it. In the function mainstem_event_component gives the
 * component, for mainstem_move.component. Functions are immediate observers, ended with the scope.
 *
 * Thread: context. Reentrant: yes. Null: user_data and release may be NULL.
 * Errors: as mainstem_observe, and INVALID (no navigator; rows, an unregistered type, a NULL function, both flags),
 * UNSUPPORTED (a flag of a newer library), TOO_BIG (rows). A failed call adds nothing.
 */
MAINSTEM_API mainstem_status mainstem_intents_add(mainstem_context *scope,
                                                  const mainstem_intent_row *rows, size_t row_size,
                                                  size_t count, void *user_data,
                                                  mainstem_release_fn release);

/**
 * Finds the component from within which an event was sent.
 *
 * Thread: context. Errors: UNSET (from none, or it has closed), INVALID (NULL, no navigator), STALE.
 */
MAINSTEM_API mainstem_status mainstem_event_component(const mainstem_event *event,
                                                      uint64_t *component);

/* The stage -------------------------------------------------------------------------------------- */

/** What a stage is to show: a component. */
typedef struct mainstem_show {
  uint32_t size;      /**< sizeof(mainstem_show), set by the caller. */
  uint32_t kind;      /**< MAINSTEM_SCREEN … MAINSTEM_FLOW. */
  uint64_t component; /**< Its number. */
  uint64_t parent;    /**< The number of what it stands on; 0: nothing. */
  uint64_t owner;  /**< The number of its owner's scope, for mainstem_scope_find; 0: it has none. */
  uint64_t hidden; /**< 1: a screen covers it. In a show: 0. */
  const char *name;  /**< The name of its factory; "" if it has none. */
  const char *url;   /**< The URL that was opened. */
  const char *route; /**< The pattern of its route. */
  const char *slot;  /**< Of an embed; else "". */
} mainstem_show;

/**
 * Adds the stage: a server on the host's scheduler, with handlers for `MainstemShow` and `MainstemHide`.
 *
 * Like mainstem_server_add_with with MAINSTEM_SCHEDULER_HOST: handlers run in a drain, and what they answer is an
 * input. A show is answered with mainstem_respond, at once or when an animation is over, or with an error; after
 * an error, or when it is too late, a hide follows. A hide names all that close together, the last opened first, and
 * cannot be refused; but it is answered, and other moves wait for that. In a muted replay the handlers get each
 * `MainstemTree` instead: once for what has closed, then once for what has opened.
 *
 * Null: user_data, release and stage may be NULL.
 * Errors: as mainstem_server_add without UNSUPPORTED, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_stage_add(mainstem_context *context,
                                                const mainstem_handler_row *rows, size_t row_size,
                                                size_t count, void *user_data,
                                                mainstem_release_fn release,
                                                mainstem_context **stage);

/**
 * Reads what a `MainstemShow` or a `MainstemTree` says. Its texts are copied to `text`, each with a zero.
 *
 * Thread: any. Null: text may be NULL if capacity is 0.
 * Errors: UNSET (a `MainstemTree` that only closes), TOO_BIG (capacity), INVALID (NULL, its size, another event, or one
 * that the navigator has not sent), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_show_read(const mainstem_event *event, mainstem_show *show,
                                                char *text, size_t capacity);

/**
 * Reads what a `MainstemHide` or a `MainstemTree` closes: numbers of components, the last opened first.
 *
 * Thread: any. Null: components may be NULL if capacity is 0. `count` gets how many there are, also with TOO_BIG.
 * Errors: TOO_BIG (capacity), INVALID (NULL, another event, or one that the navigator has not sent), STALE.
 */
MAINSTEM_API mainstem_status mainstem_hide_read(const mainstem_event *event, uint64_t *components,
                                                size_t capacity, size_t *count);

/**
 * Says that the app can be seen: links that were asked for before are opened now. It sends `MainstemReady`.
 *
 * Thread: context. Reentrant: yes. Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_navigator_ready(mainstem_context *context);

/**
 * Answers a component's `MainstemShow`: it is shown now. For a stage that did not keep the event.
 *
 * Thread: any. Errors: as mainstem_respond, and WRONG_KIND; STALE also if no show of the component waits.
 */
MAINSTEM_API mainstem_status mainstem_component_shown(mainstem_context *context,
                                                      uint64_t component);

/**
 * Says that a component is gone already: the user went back by a gesture of the host's. It sends `MainstemGone`.
 *
 * When that is delivered, the component closes with what stands on it. Nobody is asked, and it is not hidden.
 * Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_component_gone(mainstem_context *context, uint64_t component);

/* The tree --------------------------------------------------------------------------------------- */

/**
 * Reads which components are shown, in the order in which they were opened: what a component stands on comes before it.
 *
 * Each change is told as an event `MainstemTree` (JSON): `closed`, the numbers; `component`, `kind` and so on as in
 * mainstem_show, if one has opened; `top`, the last one with a view of its own that is no embed.
 *
 * Thread: context. Reentrant: yes. Null: components may be NULL if capacity is 0.
 * `count` gets how many there are, also with TOO_BIG.
 * Errors: INVALID (NULL, no navigator), TOO_BIG (capacity), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_navigator_tree(mainstem_context *context,
                                                     uint64_t *components, size_t capacity,
                                                     size_t *count);

/**
 * Reads a component that is shown, like mainstem_show_read.
 *
 * Thread: context. Reentrant: yes.
 * Errors: STALE (also if it is not shown), TOO_BIG (capacity), INVALID (NULL, the struct's size, no navigator),
 * UNSUPPORTED, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_component_read(mainstem_context *context, uint64_t component,
                                                     mainstem_show *show, char *text,
                                                     size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
