// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
import Foundation
import Mainstem

/// Events of three fields, beside NotificationCenter.
func observed(by count: Int) throws -> [Contestant] {
  let group = "three fields to \(count)"
  let context = try Context()
  var subscriptions: [Subscription] = []
  for _ in 0..<count {
    subscriptions.append(try context.observe(Moved.self) { event, _ in seen &+= event.id })
  }
  let center = NotificationCenter()
  let name = Notification.Name("moved")
  for _ in 0..<count {
    _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
      if let event = notification.object as? Moved { seen &+= event.id }
    }
  }
  return [
    Contestant(group: group, name: "Mainstem") { times in
      try withExtendedLifetime(subscriptions) {
        for _ in 0..<times { try context.send(Moved.sample) }
      }
    },
    Contestant(group: group, name: "NotificationCenter") { times in
      for _ in 0..<times { center.post(name: name, object: Moved.sample) }
    },
  ]
}

/// What a C observer or a journal costs: the event is encoded and sent, and nobody decodes it.
func toC() throws -> Contestant {
  let context = try Context()
  try context.send(Moved.sample)
  var type: mainstem_event_type = 0
  mainstem_type_find(context.handle, Moved.name, &type)
  mainstem_observe(context.handle, type, addSize, nil, nil, nil)
  return Contestant(group: "three fields to C", name: "Mainstem") { times in
    for _ in 0..<times { try context.send(Moved.sample) }
  }
}

private func addSize(_ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?)
{
  seen &+= Int(event?.pointee.size ?? 0)
}
