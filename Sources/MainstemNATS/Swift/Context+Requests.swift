// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

extension Context {
  /// Lets requests of a type be answered elsewhere. Does not wait for the server.
  ///
  ///     let forward = try context.forward(RequestTotal.self, to: "nats://shop:4222", prefix: "shop")
  ///     let total = try await context.request(RequestTotal(basket: "7"))
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - connection: The servers.
  ///   - prefix: The same as of who serves; `nil`: "mainstem".
  ///   - timeout: How long one may stay without its answer; `nil`: a minute.
  ///   - window: How many may be open; `nil`: 4,096.
  ///   - scheduler: Where it takes requests; `nil`: when the context drains.
  /// - Returns: The forward, which goes on until it is closed or released, or the context is closed.
  /// - Throws: The reason the call was refused.
  public func forward<R: Request>(
    _ type: R.Type, to connection: NATSConnection = NATSConnection(), prefix: String? = nil,
    timeout: Duration? = nil, window: UInt32? = nil, on scheduler: SerialScheduler? = nil
  ) throws(StreamError) -> Bridge {
    var options = try self.options(of: type, connection, prefix, timeout, window)
    options.fields.scheduler = scheduler?.number ?? 0
    return try options.begin(of: self) { mainstem_nats_forward(handle, R.name, &$0, &$1) }
  }

  /// Lets others elsewhere ask for a type that this context answers. Does not wait for the server.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - connection: The servers.
  ///   - prefix: The same as of who asks; `nil`: "mainstem".
  ///   - queue: The group that shares the requests; `nil`: "mainstem".
  ///   - timeout: How long one may stay without its answer; `nil`: a minute.
  ///   - window: How many may be open; `nil`: 4,096.
  /// - Returns: The serving bridge, which goes on until it is closed or released, or the context is closed.
  /// - Throws: The reason the call was refused.
  public func serve<R: Request>(
    _ type: R.Type, to connection: NATSConnection = NATSConnection(), prefix: String? = nil,
    queue: String? = nil, timeout: Duration? = nil, window: UInt32? = nil
  ) throws(StreamError) -> Bridge {
    var options = try self.options(of: type, connection, prefix, timeout, window)
    options.set(\.queue, queue)
    return try options.begin(of: self) { mainstem_nats_serve(handle, R.name, &$0, &$1) }
  }

  private func options(
    of type: any Request.Type, _ connection: NATSConnection, _ prefix: String?,
    _ timeout: Duration?, _ window: UInt32?
  ) throws(StreamError) -> BridgeOptions {
    try register(type)
    var options = try BridgeOptions(connection)
    options.set(\.prefix, prefix)
    options.fields.window = window ?? 0
    if let timeout {
      let timeoutMs = try timeout.milliseconds("requests: timeout", least: 1)
      options.fields.timeout_ms = UInt32(clamping: timeoutMs)
    }
    return options
  }
}
