// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Delivery {
  /// The name of the event's type.
  public var name: String { types.name(of: event.pointee.type) ?? "" }

  /// The name of the scope it was sent through; empty for the context itself.
  public var origin: String {
    var name: UnsafePointer<CChar>?
    mainstem_origin_name(types.home, event.pointee.origin, &name)
    return name.map { String(cString: $0) } ?? ""
  }

  /// The event as one line of text, the same in every language:
  /// `#7 ResponseTodo ok ← #6 ModelServer {"id":3}`.
  public var line: String {
    var length = 0
    mainstem_event_line(event, nil, 0, &length)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      guard let start = buffer.baseAddress,
        mainstem_event_line(event, start, buffer.count, nil) == 0
      else { return "" }
      return String(cString: start)
    }
  }
}
