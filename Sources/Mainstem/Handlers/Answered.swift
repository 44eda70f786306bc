// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The answer that a blocking request waits for, as it came: it is decoded where its type is at hand, behind the wait.
final class Answered {
  @exclusivity(unchecked) private(set) var hasCome = false
  @exclusivity(unchecked) private var failure: Failure?
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var isSecret = false

  func take(_ delivery: borrowing Delivery) {
    hasCome = true
    failure = delivery.failure
    isSecret = delivery.isSecret
    if failure == nil { bytes = delivery.types.spareBytes(of: delivery.event.pointee) }
  }

  func decoded<R: Response>(_ type: R.Type, by types: EventTypes) throws(Failure) -> R {
    if let failure { throw failure }
    return try types.decode(type, from: bytes, isSecret: isSecret)
  }

  /// The number in an answer that has no type here.
  func number() throws(Failure) -> UInt64 {
    if let failure { throw failure }
    do { return try UInt64(payload: bytes) } catch { throw Failure(error) }
  }
}
