// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Pictures and other bytes that are loaded once, shared, and kept up to a limit; events have only a key.
///
/// They end with the context or scope that they were added to. Any thread may use them.
public struct Resources<View: Request, Behind: Request>: Sendable {
  private let handle: Handle
  private let types: EventTypes

  fileprivate init(_ handle: OpaquePointer?, types: EventTypes) {
    self.handle = Handle(pointer: handle)
    self.types = types
  }

  /// Answers the provider's request with bytes, which are copied.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the request's key.
  ///   - reply: The request, kept by the provider: see ``Delivery/reply(to:)``.
  /// - Throws: ``Status/stale`` if it already has its answer, ``Status/full`` if too many drops wait for a drain,
  ///   ``Status/invalid`` if it is a request that somebody else has made.
  public func put(_ bytes: [UInt8], for reply: Reply<Behind>) throws(StreamError) {
    try reply.settle { mainstem_resources_put(handle.pointer, $0, bytes, bytes.count) }
  }

  /// The bytes that are kept for a key, without a copy; `nil`: none are.
  ///
  /// In the completion of a request that has succeeded, they are there.
  ///
  /// - Parameter key: A request with the key.
  /// - Returns: The bytes.
  /// - Throws: ``Status/stale`` if the resources have ended.
  public func bytes(of key: View) throws(StreamError) -> ResourceBytes? {
    var found: OpaquePointer?
    let status = try types.withBytes(of: key) { key throws(StreamError) in
      mainstem_resource_get(handle.pointer, key, key.count, &found)
    }
    if status == MAINSTEM_UNSET { return nil }
    try StreamError.check(status)
    return ResourceBytes(found)
  }
}

/// Bytes of a key. They stay as long as this does, although the key is dropped or the context closed.
public final class ResourceBytes: Sendable {
  private let handle: Handle
  /// How many there are.
  public let count: Int

  fileprivate init(_ handle: OpaquePointer?) {
    var data: UnsafeRawPointer?
    var count = 0
    mainstem_resource_read(handle, &data, &count)
    self.handle = Handle(pointer: handle)
    self.count = count
  }

  deinit { mainstem_resource_release(handle.pointer) }

  /// Calls a closure with the bytes.
  ///
  /// - Parameter body: Gets the bytes, for the call.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    var data: UnsafeRawPointer?
    var count = 0
    mainstem_resource_read(handle.pointer, &data, &count)
    return try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: data, count: count))
    }
  }
}

extension Context {
  /// Adds resources: a server that answers a request when it has the bytes of the key, which is the request's payload.
  ///
  ///     let pictures = try context.addResources(
  ///       "Pictures", RequestPicture.self, behind: RequestFetchPicture.self, drop: PictureChanged.self)
  ///
  /// If the bytes are kept, it answers at once. Otherwise it requests `behind`, once for all requests that wait for this
  /// key; the provider answers with ``Resources/put(_:for:)``. Over the limit it posts a `drop` for each of the least
  /// recently used keys, so the context must drain. Send a `drop` when a picture has changed.
  ///
  /// - Parameters:
  ///   - name: Their name.
  ///   - request: What views request.
  ///   - behind: What the provider handles.
  ///   - drop: Says that the bytes of a key are no longer kept.
  ///   - limitBytes: How many bytes they keep, at least 1.
  ///   - limit: How many open requests they keep, at least 1; more of them fail with ``Status/full``.
  /// - Returns: The resources.
  /// - Throws: The reason they were not added.
  public func addResources<View: Request, Behind: Request, Drop: Notice>(
    _ name: String, _ request: View.Type, behind: Behind.Type, drop: Drop.Type,
    limitBytes: Int = 64 << 20, limit: Int = 1024
  ) throws(StreamError) -> Resources<View, Behind> {
    guard limit > 0, limitBytes > 0 else {
      let least = limit > 0 ? "limitBytes is \(limitBytes)" : "limit is \(limit)"
      throw StreamError(.invalid, "addResources: \(least): at least 1")
    }
    _ = try types.number(of: request)
    _ = try types.number(of: behind)
    _ = try types.number(of: drop)
    var options = mainstem_resources_options()
    options.size = UInt32(MemoryLayout<mainstem_resources_options>.size)
    options.limit_bytes = limitBytes
    options.limit = limit
    var resources: OpaquePointer?
    let status = CStrings([View.name, Behind.name, Drop.name]).withPointers { names in
      options.request = names[0]
      options.behind = names[1]
      options.drop = names[2]
      return mainstem_resources_add(handle, name, &options, &resources)
    }
    try StreamError.check(status)
    return Resources(resources, types: types)
  }
}
