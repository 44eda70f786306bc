// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * NATS: streams and requests beyond one process.
 *
 * This is a bridge to NATS JetStream, an engine that keeps streams on one or more servers. The bridge is a separate
 * library, libmainstem_nats, built on the headers of Mainstem and on NATS' C client. A program that does not link this
 * library pays nothing for it. See docs/beyond.md.
 *
 *     mainstem_nats_options options = {.size = sizeof options, .url = "nats://archive:4222", .prefix = "todo"};
 *     mainstem_nats *mirror;
 *     if (mainstem_nats_mirror("session.journal", &options, &mirror) != MAINSTEM_OK) puts(mainstem_nats_last_error());
 *     … the program runs, and records to session.journal …
 *     mainstem_nats_flush(mirror, 5000);
 *     mainstem_nats_close(mirror);
 */

#ifndef MAINSTEM_NATS_H
#define MAINSTEM_NATS_H

#include "nats_bridge.h"
#include "nats_mirror.h"
#include "nats_import.h"
#include "nats_requests.h"

#endif
