// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What Swift sees of the bridge: its headers, and a flush that is awaited instead of waited for. Nothing here is
   installed or exported. */

#ifndef MAINSTEM_NATS_SWIFT_H
#define MAINSTEM_NATS_SWIFT_H

/* The bridge itself has it already, from wherever its headers are. */
#ifndef MAINSTEM_NATS_H
#include "../../../include/mainstem/nats.h"
#endif

/* Asks for a flush, and says its number. */
mainstem_status mainstem_nats_p_flush_ask(mainstem_nats *bridge, uint64_t *asked);
/* Whether it is done: OK; TIMEOUT: not yet; or why it never will be. */
mainstem_status mainstem_nats_p_flush_look(mainstem_nats *bridge, uint64_t asked);

#endif
