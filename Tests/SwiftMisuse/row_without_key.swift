// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Point: Hashable, Codable { var x, y: Int }
struct Star: Identifiable, Equatable, Codable { var id: Point }

struct Sky: ViewModel {
  var stars: [Star] = []

  static func handlers(_ on: inout Handlers<Self>) {
    on.list("stars", \.stars)  // says: 'Point' conform to 'RowKey'
  }
}
