// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The pictures: resources, whose bytes come from the network and are kept up to a limit. */

#ifndef PICTURES_H
#define PICTURES_H

#include "http_provider.h"

#include <stdio.h>

/** Adds them; what is kept has `limit_bytes` at most. A context has them once. */
mainstem_status pictures_add(mainstem_context *app, http_provider *http, size_t limit_bytes);

/** Writes how large the picture is whose key an event has: "[picture 48 × 48]"; nothing, if it is not there. */
void pictures_say(char *place, size_t size, const mainstem_event *event);

#endif
