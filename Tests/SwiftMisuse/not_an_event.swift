// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Said: Codable { var words: String }

func run(_ context: borrowing Context) throws {
  try context.send(Said(words: "a"))  // says: requires that 'Said' conform to 'Event'
}
