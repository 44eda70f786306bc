// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What shelf.h declares: opens a shelf in a context that somebody else has.
@_cdecl("shelf_open")
public func openShelf(_ context: OpaquePointer?, _ number: UnsafeMutablePointer<UInt64>?) -> Int32 {
  guard let context, let number else { return Status.invalid.rawValue }
  do {
    number.pointee = try Context(borrowing: context).open(Shelf("Dune", "Emma", "Ulysses")).number
    return 0
  } catch let error as StreamError {
    return error.status.rawValue
  } catch {
    return Status.invalid.rawValue
  }
}
