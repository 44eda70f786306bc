// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The provider: in place of a network, it knows that everybody's password is their name backwards. It is slow, and can
 * fail or hang. It is a server on the host's scheduler, so a replay has its answers from the journal.
 */

#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <mainstem.h>

typedef struct account {
  unsigned int delay_ms; /* what an answer takes */
  char mode;             /* u: up; d: down, each request fails; h: requests hang */
} account;

/** Adds it to a context that has the app. */
mainstem_status account_install(mainstem_context *context, account *self);

#endif
