// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What a host says of one handler.
package struct HandlerRow {
  package let type: UnsafePointer<CChar>?
  package let function: mainstem_event_fn?
  package let flags: UInt32

  /// - Parameter flags: What it has besides its own.
  package init(_ row: mainstem_handler_row, _ flags: UInt32 = 0) {
    type = row.type
    function = row.fn
    self.flags = row.flags | flags
  }

  /// It gets only what is sent through its server's own scope.
  package var isOwn: Bool { flags & UInt32(MAINSTEM_HANDLER_OWN) != 0 }

  /// It gets only what views wrote.
  package var isWritten: Bool { flags & UInt32(MAINSTEM_HANDLER_WRITTEN) != 0 }

  /// What it says that it does to its server's values; 0: nothing.
  package var effect: UInt32 { flags & HandlerRow.effects }

  /// It changes no value of its server.
  package var isFetch: Bool { flags & UInt32(MAINSTEM_HANDLER_FETCH) != 0 }

  /// Other servers handle its type, too.
  package var isOneOfSeveral: Bool { flags & UInt32(MAINSTEM_HANDLER_SEVERAL) != 0 }

  package var hasUnknownFlag: Bool { flags & ~HandlerRow.known != 0 }

  private static var known: UInt32 {
    UInt32(MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_WRITTEN | MAINSTEM_HANDLER_SEVERAL) | effects
  }

  private static var effects: UInt32 {
    UInt32(
      MAINSTEM_HANDLER_FETCH | MAINSTEM_HANDLER_RELOAD | MAINSTEM_HANDLER_LOAD_MORE
        | MAINSTEM_HANDLER_UPDATE | MAINSTEM_HANDLER_PERFORM)
  }
}
