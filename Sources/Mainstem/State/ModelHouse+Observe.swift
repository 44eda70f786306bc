// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The handlers of a view model that are those of every server.
extension ModelHouse {
  /// Observes what they handle through the model's scope, so that the model shows after each.
  func observe(through scope: Context) throws(StreamError) {
    let requests = table.handled.filter { $0.type.role == .request }
    for row in table.handled {
      let (type, isOwn) = (row.type, row.isOwn)
      if isOwn, type.role == .request {
        throw StreamError(
          .invalid, "\(kind.owner): answers \(type.name) as its own: make it a command")
      }
      if isService, type.role == .request { continue }
      let callback = Callback { [self] event in
        // One request stands for all that share it.
        if !isAsker(event) { handle(event) }
      }
      try observe(try types.number(of: type), of: isOwn ? scope : nil, through: scope, callback)
    }
    if requests.isEmpty { return }
    if isService {
      // Only handlers get the request that has made the service.
      try add(requests, to: scope, named: nil, Callback { [self] in handle($0) })
    } else {
      // They only say that these requests are handled: an observer answers them.
      try add(requests, to: scope, named: "\(kind.owner).requests", Callback { _ in })
    }
  }

  private func isAsker(_ event: UnsafePointer<mainstem_event>) -> Bool {
    let both = UInt32(MAINSTEM_EVENT_SHARED | MAINSTEM_EVENT_TRACKED)
    return event.pointee.flags & both == both
  }

  /// Observes a type until the model ends.
  func observe(
    _ number: mainstem_event_type, of origin: Context?, through scope: Context,
    _ callback: Callback
  ) throws(StreamError) {
    try callback.keep { userData, release in
      withUnsafePointer(to: number) { number in
        var options = mainstem_observe_options()
        options.size = UInt32(MemoryLayout<mainstem_observe_options>.size)
        (options.types, options.type_count) = (number, 1)
        options.of = origin?.handle
        return mainstem_observe_with(scope.handle, &options, Callback.call, userData, release, nil)
      }
    }
  }

  /// Adds handlers of requests, as a server of their own or, without a name, to the scope itself.
  private func add(
    _ requests: [HandledType], to scope: Context, named name: String?,
    _ callback: Callback
  ) throws(StreamError) {
    try callback.keep { userData, release in
      CStrings(requests.map { $0.type.name }).withPointers { names in
        let rows = zip(names, requests).map { name, request in
          mainstem_handler_row(type: name, fn: Callback.call, flags: request.flags)
        }
        return rows.withUnsafeBufferPointer { rows in
          mainstem_server_add(
            scope.handle, name, rows.baseAddress,
            MemoryLayout<mainstem_handler_row>.stride, rows.count, userData, release, nil)
        }
      }
    }
  }
}
