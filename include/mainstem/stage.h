// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The stage: the host's side of navigation, which shows components. And the tree of what is shown.
 */

#ifndef MAINSTEM_STAGE_H
#define MAINSTEM_STAGE_H

#include "navigation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A component, as a stage shows it. */
typedef struct mainstem_component_info {
  uint32_t size;      /**< sizeof(mainstem_component_info), set by the caller. */
  uint32_t kind;      /**< MAINSTEM_SCREEN … MAINSTEM_FLOW. */
  uint64_t component; /**< Its number. */
  uint64_t parent;    /**< The number of the component that it stands on; 0: none. */
  uint64_t owner;     /**< The number of its owner's scope, for mainstem_scope_find; 0: no owner. */
  uint64_t hidden;    /**< 1: a screen covers it. Always 0 in a show. */
  const char *name;   /**< The name of its factory; "" without an owner. */
  const char *url;    /**< The URL that was opened. */
  const char *route;  /**< The pattern of its route. */
  const char *slot;   /**< Of an embed; else "". */
} mainstem_component_info;

/**
 * Adds the stage: a server on the host's scheduler, with handlers for `MainstemShow` and `MainstemHide`.
 *
 * A context may have several; each gets every show and hide, and the first answer counts.
 *
 * Like mainstem_server_add_with with MAINSTEM_SCHEDULER_HOST: handlers run in a drain, and their answers are inputs.
 * Answer a show with mainstem_respond, at once or when an animation is over, or with an error; after an error, or after
 * the timeout, a hide follows. A hide names all components that close together, the last opened first. It cannot be
 * refused, but must be answered: the next move waits for that.
 *
 * In a muted replay the handlers get each `MainstemTree` of the navigator instead: one for what has closed, then one for
 * what has opened. They are called at once, while the owners are there, and what they answer is left out; after the
 * replay, an answer to what they have retained is STALE. The former names flows, groups, and what went by a gesture,
 * too: a stage has nothing to hide of them. If the program goes on after the replay, the navigator has nothing open:
 * hide what the stage has drawn.
 *
 * Null: stage.
 * Errors: as mainstem_server_add, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_stage_add(mainstem_context *context,
                                                const mainstem_handler_row *rows, size_t row_size,
                                                size_t count, void *user_data,
                                                mainstem_release_fn release,
                                                mainstem_context **stage);

/**
 * Reads a `MainstemShow`, or what a `MainstemTree` opens. Texts are copied to `text`, each with a final zero.
 *
 * Thread: any. Null: text may be NULL if capacity is 0.
 * Errors: UNSET (a `MainstemTree` that only closes), TOO_BIG (capacity), INVALID (the struct's size, another event, or
 * one that the navigator has not sent), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_show_read(const mainstem_event *event,
                                                mainstem_component_info *show, char *text,
                                                size_t capacity);

/**
 * Reads what a `MainstemHide` or a `MainstemTree` closes: numbers of components, the last opened first.
 *
 * Thread: any. Null: components may be NULL if capacity is 0. `count` is set to how many there are, also with TOO_BIG.
 * Errors: TOO_BIG (capacity), INVALID (another event, or one that the navigator has not sent), STALE.
 */
MAINSTEM_API mainstem_status mainstem_hide_read(const mainstem_event *event, uint64_t *components,
                                                size_t capacity, size_t *count);

/**
 * Says that the app can be seen. Links that have waited are opened now. Sends `MainstemReady`.
 *
 * Thread: context.
 * Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_navigator_ready(mainstem_context *context);

/**
 * Answers a component's `MainstemShow`: it is shown now. For a stage that has not kept the event.
 *
 * Thread: any.
 * Errors: as mainstem_respond, and WRONG_KIND; STALE also if no show of the component waits.
 */
MAINSTEM_API mainstem_status mainstem_component_shown(mainstem_context *context,
                                                      uint64_t component);

/**
 * Says that a component is gone from the screen: the user went back by a gesture. Sends `MainstemGone`.
 *
 * When that event is delivered, the component closes with what stands on it. Guards are not asked, and the stage is not
 * told to hide the component itself.
 * Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_component_gone(mainstem_context *context, uint64_t component);

/* The tree --------------------------------------------------------------------------------------- */

/**
 * Reads which components are shown, in the order in which that was told; parents come before their children, and a flow
 * is there with the first component that it opens.
 *
 * Each change is an event `MainstemTree` (JSON): `closed` has the numbers of what has closed; `component`, `kind` and so
 * on describe what has opened, as in mainstem_component_info; `top` is the last component with a view that is not an
 * embed.
 *
 * Thread: context. Null: components may be NULL if capacity is 0. `count` is set to how many there are, also with
 * TOO_BIG.
 * Errors: INVALID (no navigator), TOO_BIG (capacity).
 */
MAINSTEM_API mainstem_status mainstem_navigator_tree(mainstem_context *context,
                                                     uint64_t *components, size_t capacity,
                                                     size_t *count);

/**
 * Reads a component, also one that is not shown yet, like mainstem_show_read.
 *
 * Thread: context.
 * Errors: STALE (also if it is not there any more), TOO_BIG (capacity), INVALID (the struct's size, no navigator),
 * UNSUPPORTED.
 */
MAINSTEM_API mainstem_status mainstem_component_read(mainstem_context *context, uint64_t component,
                                                     mainstem_component_info *show, char *text,
                                                     size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
