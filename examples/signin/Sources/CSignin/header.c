// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The module is its header; compiled here, so that an error in it shows by itself. */
#include "signin_private.h"
