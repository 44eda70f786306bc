// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* SQLite is the system's: Swift reaches its header through this one. */
#include <sqlite3.h>
