// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Said: Notice { var words: String }

func run(_ context: Context) throws {
  _ = try context.observe(Said.self) { said, _ in
    print(said.word)  // says: value of type 'Said' has no member 'word'
  }
}
