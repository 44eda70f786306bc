// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

@Suite("History")
struct HistoryTests {
  @Test func `an observer may decline what is kept`() throws {
    let context = try Context()
    var seen = 0
    try context.keepHistory(of: Weather.self, last: 5, maxAge: .seconds(3600))
    try context.send(Weather(degrees: 17))

    let new = try context.observe(Weather.self, history: false) { _, _ in seen += 1 }
    let all = try context.observe(history: false) { _ in seen += 1 }

    #expect(seen == 0)
    #expect(try context.stats().history == 1)
    new.cancel()
    all.cancel()
  }

  @Test func `a failed response is kept with its failure`() throws {
    let context = try Context()
    var failures: [Status] = []
    try context.keepHistory(of: ResponseWeather.self, last: 1)
    _ = context.request(RequestWeather())

    let late = try context.observe(results: ResponseWeather.self) { _, delivery in
      if let failure = delivery.failure { failures.append(failure.code) }
    }

    #expect(failures == [.unhandled])
    late.cancel()
  }
}

private struct Weather: Notice {
  var degrees: Int
}

private struct ResponseWeather: Response {}

private struct RequestWeather: Request {
  typealias Answer = ResponseWeather
}
