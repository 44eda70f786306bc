// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
import Mainstem

/// Plain bytes, beside the same calls as a C program makes them.
func plain(to count: Int) throws -> [Contestant] {
  let group = "plain bytes to \(count)"
  let context = try Context()
  var subscriptions: [Subscription] = []
  for _ in 0..<count {
    subscriptions.append(try context.observe(Placed.self) { event, _ in seen &+= event.id })
  }
  let other = try Context()
  try other.send(Placed.sample)
  var type: mainstem_event_type = 0
  mainstem_type_find(other.handle, Placed.name, &type)
  for _ in 0..<count { mainstem_observe(other.handle, type, addId, nil, nil, nil) }
  return [
    Contestant(group: group, name: "Mainstem") { times in
      try withExtendedLifetime(subscriptions) {
        for _ in 0..<times { try context.send(Placed.sample) }
      }
    },
    Contestant(group: group, name: "C") { times in
      withExtendedLifetime(other) {
        var event = Placed.sample
        for _ in 0..<times {
          mainstem_send(other.handle, type, &event, MemoryLayout<Placed>.size)
        }
      }
    },
  ]
}

private func addId(_ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?) {
  guard let data = event?.pointee.data else { return }
  seen &+= data.load(as: Placed.self).id
}
