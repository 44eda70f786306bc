// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

extension mainstem_server_options {
  /// The size of the first version, which ends before `show`.
  private static var firstSize: Int {
    MemoryLayout<mainstem_server_options>.size &- 2 &* MemoryLayout<OpaquePointer?>.size
  }

  /// Checks a size that the caller was compiled with.
  private static func knownSize(_ size: UInt32) throws(Refusal) -> Int {
    if Int(size) == firstSize { return firstSize }
    try checkSize(size, MemoryLayout<mainstem_server_options>.size, "options")
    return Int(size)
  }

  /// Reads a host's options; what the caller's version does not have is 0.
  init(reading options: UnsafePointer<mainstem_server_options>) throws(Refusal) {
    self.init()
    let raw = UnsafeRawPointer(options)
    let size = try Self.knownSize(raw.load(as: UInt32.self))
    withUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).copyMemory(from: raw, byteCount: size)
    }
  }

  /// Checks all fields, and returns where the handlers are called.
  func place() throws(Refusal) -> HandlerPlace {
    guard flags == 0 else { throw Refusal(.invalid, "options.flags", "has an unknown flag") }
    guard let policy = SubscriptionQueue.Policy(rawValue: policy) else {
      throw Refusal(.invalid, "options.policy", "is not a queue policy")
    }
    guard policy.refuses else {
      throw Refusal(
        .invalid, "options.policy",
        "loses requests: a server rejects or blocks (MAINSTEM_QUEUE_REJECT or _BLOCK)")
    }
    try SubscriptionQueue.Bounds.check(limit_events, limit_bytes)
    return HandlerPlace(
      scheduler: scheduler,
      bounds: SubscriptionQueue.Bounds(limits: limit_events, limit_bytes, policy: policy))
  }

  /// The server's show function, if it has one.
  func shown() throws(Refusal) -> Show.Function? {
    guard let show else { return nil }
    guard scheduler == Schedulers.immediate else {
      throw Refusal(
        .invalid, "options.show",
        "needs handlers that are called at once: leave the scheduler as it is")
    }
    return Show.Function(show, show_types)
  }
}
