// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Where the batches of analytics go: to the end of a file, one a line. todostream.py does the same. */

#ifndef UPLOAD_H
#define UPLOAD_H

#include <mainstem.h>
#include <stdbool.h>

/** Opens the file; false: it cannot be written, and the user has been told. */
bool upload_open(const char *path);

/** Serves an app that was installed with TODOSTREAM_ANALYTICS. Without a file, nothing. */
void upload_serve(mainstem_context *app);

/** Has what waits uploaded; false: it could not be, and the user has been told. */
bool upload_rest(mainstem_context *app);

#endif
