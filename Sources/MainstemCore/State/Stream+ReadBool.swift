// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What enables a command.
extension Stream {
  /// A BOOL that was delivered; nil: it is unset.
  func readBool(_ type: UInt32, _ origin: UInt32) -> Bool? {
    withValues {
      guard let value = values.pointee.find(type, origin), value.pointee.isSet,
        !value.pointee.isMarked,
        let payload = value.pointee.payload
      else { return nil }
      return payload.load(as: UInt8.self) != 0
    }
  }

  /// A BOOL that will be there when what this thread has set is delivered.
  func readBoolInTime(_ type: UInt32, _ origin: UInt32) -> Bool? {
    let isWaiting = withValues { () -> Bool? in
      guard let value = values.pointee.find(type, origin) else { return nil }
      let waiting = sendsOutput ? value.pointee.output : value.pointee.input ?? value.pointee.output
      guard let event = waiting.map({ QueuedEvent.event(of: $0) }), event.pointee.size == 1 else {
        return nil
      }
      return event.pointee.data.load(as: UInt8.self) != 0
    }
    return isWaiting ?? readBool(type, origin)
  }
}
