// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A request that a server answers at once, waited for.
func asked() throws -> Contestant {
  let context = try Context()
  try context.install(Adder())
  return Contestant(group: "request", name: "Mainstem") { times in
    for _ in 0..<times {
      seen &+= try context.request(RequestSum(a: 1, b: 2)).get().sum
    }
  }
}
