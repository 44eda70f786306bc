// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What Swift sees of C: the public header, on the library's own. */

#ifndef SIGNIN_PRIVATE_H
#define SIGNIN_PRIVATE_H

#include "../../../../../include/mainstem.h"

#include "../../../include/signin.h"

#endif
