// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Journal: what is remembered.
 *
 * A journal is what a context accepted, in order, in a file (docs/journal-format.md).
 */

#ifndef MAINSTEM_JOURNAL_H
#define MAINSTEM_JOURNAL_H

#include "flow.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
