// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The stage: shows and hides what the app says, in lines. It does not know what is opened when. */

#ifndef STAGE_H
#define STAGE_H

#include "view.h"

typedef struct stage {
  mainstem_context *app;
  view views[KINDS];
  char seen[5000],
      printed[5000]; /* The lines that can be seen, and those that were printed last. */
} stage;

/** Adds the stage to an app, which is ready then. */
mainstem_status stage_add(stage *self, mainstem_context *app);

/** Looks what is shown. */
void stage_look(stage *self);

/** Prints what was seen, if it is something else than what was printed last. */
void stage_print(stage *self);

/** Closes the screen, as a user does with a gesture. */
void stage_back(stage *self);

#endif
