// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* NATS' client is the system's: the bridge of the Swift package reaches it through this module. */
#include <nats/nats.h>
