// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Said: Notice { var words: String }

final class Kept { var delivery: Delivery? }

func run(_ context: Context, _ kept: Kept) throws {
  _ = try context.observe(Said.self) { _, delivery in
    kept.delivery = delivery  // says: is consuming
  }
}
