// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// An id that nobody else has: a random UUID.
@Sendable func makeId() -> String { UUID().uuidString }
