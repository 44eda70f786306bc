// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The stage: a server that shows components, the host's side of navigation.h. Guide: docs/navigation.md.
 */

#ifndef MAINSTEM_STAGE_H
#define MAINSTEM_STAGE_H

#include "navigation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A component, as a stage shows it. */
typedef struct mainstem_component_info {
  uint32_t size;      /**< sizeof this struct. */
  uint32_t kind;      /**< MAINSTEM_SCREEN … MAINSTEM_FLOW. */
  uint64_t component; /**< Its number. */
  uint64_t parent;    /**< The number of the component that it stands on; 0: none. */
  uint64_t owner;     /**< Its owner's scope, for mainstem_scope_find; 0: no owner. */
  uint64_t hidden;    /**< 1: a screen covers it. Always 0 in a `MainstemShow`. */
  const char *name;   /**< The name of its owner's factory; "" without an owner. */
  const char *url;    /**< The URL that was opened. */
  const char *route;  /**< The pattern of its route. */
  const char *slot;   /**< For an embed; otherwise "". */
} mainstem_component_info;

/**
 * Adds a stage: a server on MAINSTEM_SCHEDULER_HOST with handlers for `MainstemShow` and `MainstemHide`.
 *
 * Answer a `MainstemShow` with mainstem_respond, at once or when an animation is over, or with an error. After an
 * error, or if there is no answer within show_timeout_ms, a `MainstemHide` follows. A `MainstemHide` names all
 * components that close together, the last opened first. The stage cannot refuse it, but must answer it: the next move
 * waits for the answer.
 *
 * If there are several stages, each gets every request to show and to hide; the first answer counts. In a muted replay,
 * the handlers instead get each `MainstemTree`, at once; their answers are ignored.
 *
 * Thread: context.
 * Null: stage.
 * Errors: as mainstem_server_add, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_stage_add(mainstem_context *context,
                                                const mainstem_handler_row *rows, size_t row_size,
                                                size_t count, void *user_data,
                                                mainstem_release_fn release,
                                                mainstem_context **stage);

/**
 * Reads the component of a `MainstemShow`, or the component that a `MainstemTree` opens. Strings are copied to `text`,
 * each with a final zero. `text` may be NULL if `capacity` is 0.
 *
 * Thread: any.
 * Errors: UNSET (a `MainstemTree` that only closes), TOO_BIG (`capacity`), INVALID (not an event of the
 * navigator's), UNSUPPORTED, STALE.
 */
MAINSTEM_API mainstem_status mainstem_show_read(const mainstem_event *event,
                                                mainstem_component_info *show, char *text,
                                                size_t capacity);

/**
 * Reads the numbers of the components that a `MainstemHide` or a `MainstemTree` closes, the last opened first. `count`
 * gets the number of components, also with TOO_BIG. `components` may be NULL if `capacity` is 0.
 *
 * Thread: any.
 * Errors: TOO_BIG (`capacity`), INVALID (not an event of the navigator's), STALE.
 */
MAINSTEM_API mainstem_status mainstem_hide_read(const mainstem_event *event, uint64_t *components,
                                                size_t capacity, size_t *count);

/**
 * Reports that the app is visible, so links that are waiting are opened now. Sends `MainstemReady`.
 * Thread: context.
 * Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_navigator_ready(mainstem_context *context);

/**
 * Answers a component's `MainstemShow`, once the component is shown. This call is for a stage that has not retained the
 * event.
 * Thread: any.
 * Errors: as mainstem_respond, and STALE (no `MainstemShow` of the component waits for an answer).
 */
MAINSTEM_API mainstem_status mainstem_component_shown(mainstem_context *context,
                                                      uint64_t component);

/**
 * Reports that the user went back by a gesture, so that a component is no longer on the screen. Sends `MainstemGone`.
 *
 * When that event is delivered, the component closes with all components on it. No guard is asked, and the stage gets
 * no `MainstemHide` for the component itself.
 *
 * Thread: context.
 * Errors: as mainstem_send, and INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_component_gone(mainstem_context *context, uint64_t component);

/* The tree --------------------------------------------------------------------------------------- */

/**
 * Gets the numbers of the components that are shown, in the order in which they were shown. Parents come before their
 * children. A flow counts as shown at the same time as its first component. Each change sends a `MainstemTree`.
 *
 * `components`, `capacity` and `count`: as in mainstem_hide_read.
 *
 * Thread: context.
 * Errors: TOO_BIG (`capacity`), INVALID (no navigator).
 */
MAINSTEM_API mainstem_status mainstem_navigator_tree(mainstem_context *context,
                                                     uint64_t *components, size_t capacity,
                                                     size_t *count);

/**
 * Reads a component by its number, like mainstem_show_read; the component need not be shown yet.
 * Thread: context.
 * Errors: STALE (also: the component has closed), TOO_BIG (`capacity`), INVALID (no navigator), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_component_read(mainstem_context *context, uint64_t component,
                                                     mainstem_component_info *show, char *text,
                                                     size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
