// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Uses a screen as lines of the standard input say:
 *
 *     username TEXT · password TEXT · submit · cancel     what a user does
 *     account up · account down · account hang            what the provider does from now on
 *     show                                                prints what is shown
 *     wait                                                until nothing is going on
 *
 * The end of the input ends the program.
 */

#ifndef SCRIPT_H
#define SCRIPT_H

#include "account.h"
#include "screen.h"

#include <glib.h>

/** Reads lines in the main loop. */
void script_begin(mainstem_context *context, account *account, const screen *screen,
                  GMainLoop *loop);

#endif
