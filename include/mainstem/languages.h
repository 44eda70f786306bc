// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Languages: functions that the interfaces to other languages need.
 */

#ifndef MAINSTEM_LANGUAGES_H
#define MAINSTEM_LANGUAGES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Confirms that the callback has done its work: see MAINSTEM_OBSERVE_CONFIRM. Without that flag, the call has no
 * effect.
 *
 * Thread: callback.
 * Errors: INVALID (not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_confirm(const mainstem_event *event);

/**
 * Reads the last position accepted before the subscription was registered. The subscription starts after that position
 * (law 2).
 *
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_subscription_from(mainstem_subscription *subscription,
                                                        uint64_t *position);

#ifdef __cplusplus
}
#endif

#endif
