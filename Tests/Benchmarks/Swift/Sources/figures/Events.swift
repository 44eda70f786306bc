// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The event of three fields.
struct Moved: Notice {
  var id: Int
  var x: Double
  var name: String

  static let sample = Moved(id: 17, x: 2.5, name: "cursor")
}

/// The same size, as plain bytes.
struct Placed: Notice, BitwiseEvent {
  var id: Int
  var x: Double
  var y: Double

  static let sample = Placed(id: 17, x: 2.5, y: 3.5)
}

struct ResponseSum: Response { var sum: Int }
struct RequestSum: Request {
  typealias Answer = ResponseSum
  var a: Int
  var b: Int
}

struct Adder: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { ResponseSum(sum: $1.a + $1.b) }
  }
}
