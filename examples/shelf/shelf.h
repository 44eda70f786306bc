// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The shelf in two halves that meet in the stream: a view model and a host. Each is written in C, in Python and in Swift,
 * and any host works with any view model. What they have to agree on is the table in shelf.py.
 */

#ifndef SHELF_H
#define SHELF_H

#include <mainstem.h>

/** The view model: opens a shelf with three books. `*number` is that of its scope. */
mainstem_status shelf_open(mainstem_context *context, uint64_t *number);

/** The host: prints what the shelf with this number shows, and has it do a few things. */
mainstem_status shelf_host(mainstem_context *context, uint64_t number);

#endif
