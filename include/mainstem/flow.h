// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Flow: one stream, in order. Contexts, scopes, send and schedulers are in context.h; observe, values and cancel in
 * observe.h.
 */

#ifndef MAINSTEM_FLOW_H
#define MAINSTEM_FLOW_H

#include "context.h"
#include "observe.h"

#endif
