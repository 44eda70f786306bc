// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem

/// Events handed to a task, beside an AsyncStream.
func awaited() throws -> [Contestant] {
  let group = "for await"
  let context = try Context()
  let events = try context.events(Placed.self, on: context.serial("serial"))
  let came = DispatchSemaphore(value: 0)
  let batch = 1000
  Task.detached {
    var count = 0
    for await event in events {
      count &+= event.id / 17
      if count % batch == 0 { came.signal() }
    }
  }
  let (stream, continuation) = AsyncStream.makeStream(of: Placed.self)
  let streamed = DispatchSemaphore(value: 0)
  Task.detached {
    var count = 0
    for await event in stream {
      count &+= event.id / 17
      if count % batch == 0 { streamed.signal() }
    }
  }
  return [
    Contestant(group: group, name: "Mainstem") { times in
      for _ in 0..<max(1, times / batch) {
        for _ in 0..<batch { try context.send(Placed.sample) }
        came.wait()
      }
    },
    Contestant(group: group, name: "AsyncStream") { times in
      for _ in 0..<max(1, times / batch) {
        for _ in 0..<batch { continuation.yield(Placed.sample) }
        streamed.wait()
      }
    },
  ]
}
