// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tick: Notice { var number: Int }
final class View { var count = 0 }

// On the context's thread all of this is right.
func shown(_ context: Context) throws -> [Subscription] {
  let view = View()
  var count = 0
  return [
    try context.observe(Tick.self) { tick, _ in try context.send(tick) },
    try context.observe(Tick.self, on: .host) { _, _ in view.count += 1 },
    try context.observe(Tick.self, on: .host) { _, _ in count += 1 },
  ]
}

func run(_ context: Context, _ serial: SerialScheduler) throws -> [Subscription] {
  let view = View()
  var count = 0
  return [
    try context.observe(Tick.self, on: serial) { tick, _ in
      try context.send(tick)  // says: capture of 'context' with non-Sendable type 'Context'
    },
    try context.observe(Tick.self, on: serial) { _, _ in
      view.count += 1  // says: capture of 'view' with non-Sendable type 'View'
    },
    try context.observe(Tick.self, on: serial) { _, _ in
      count += 1  // says: mutation of captured var 'count' in concurrently-executing
    },
    try context.observe(on: serial) { _ in
      view.count += 1  // says: capture of 'view' with non-Sendable type 'View'
    },
  ]
}
