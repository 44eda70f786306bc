// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/blocks.h: resources

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_resources_add")
public func mainstem_resources_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<mainstem_resources_options>?,
  _ resources: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_resources_add", context) { () throws(Refusal) in
    resources?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    guard name != nil else { throw .null("name") }
    guard let options else { throw .null("options") }
    guard let resources else { throw .null("resources") }
    let made = try options.pointee.make(resolved)
    do throws(Refusal) {
      made.pointee.handle = try LooseHandle.make(.resources, made)
    } catch {
      made.free()
      throw error
    }
    try made.addServer(context, name, options.pointee)
    resources.pointee = made.pointee.handle.pointer
  }
}

@implementation @_cdecl("mainstem_resources_put")
public func mainstem_resources_put(
  _ resources: OpaquePointer?, _ event: UnsafePointer<mainstem_event>?, _ data: UnsafeRawPointer?,
  _ size: Int
) -> mainstem_status {
  callOfAnswer("mainstem_resources_put", event?.pointee.context) { () throws(Refusal) in
    let found = try Resources.using(resources)
    defer { found.unuse() }
    guard let event else { throw .null("event") }
    guard size >= 0 else { throw Refusal(.tooBig, "size", "is more than any memory") }
    guard data != nil || size == 0 else {
      throw Refusal(.invalid, "data", "is NULL, but size is not 0: pass both, or neither")
    }
    guard event.pointee.type == found.pointee.behind, event.pointee.origin == found.pointee.origin,
      try Stream.of(event).address == found.pointee.stream.address
    else {
      throw Refusal(
        .invalid, "event", "is not a request of these resources: pass what their provider got")
    }
    guard let resource = Resource.make(copying: data, size) else { throw .noMemory }
    defer { Resource.unuse(resource) }
    let key = Bytes(event.pointee.data, Int(event.pointee.size))
    try found.attach(resource, key, event.pointee.position)
    do throws(Refusal) {
      try Requests.respond(event, .payload(nil, 0))
    } catch {
      found.detach(resource, key)
      throw error
    }
  }
}

@implementation @_cdecl("mainstem_resource_get")
public func mainstem_resource_get(
  _ resources: OpaquePointer?, _ key: UnsafeRawPointer?, _ keySize: Int,
  _ resource: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  resource?.pointee = nil
  return call("mainstem_resource_get", nil) { () throws(Refusal) in
    let found = try Resources.using(resources)
    defer { found.unuse() }
    guard let resource else { throw .null("resource") }
    guard key != nil || keySize == 0 else { throw .null("key") }
    let bytes = key.map { Bytes($0, keySize) } ?? Bytes("")
    guard keySize >= 0, let kept = found.get(bytes) else {
      throw Refusal(.unset, "key", "has no bytes that are kept: request it first")
    }
    resource.pointee = try Resource.open(kept).pointer
  }
}

@implementation @_cdecl("mainstem_resource_read")
public func mainstem_resource_read(
  _ resource: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ size: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  data?.pointee = nil
  size?.pointee = 0
  return call("mainstem_resource_read", nil) { () throws(Refusal) in
    let read = try Resource.read(Handle(resource))
    guard let data else { throw .null("data") }
    guard let size else { throw .null("size") }
    data.pointee = read.data
    size.pointee = read.size
  }
}

@implementation @_cdecl("mainstem_resource_release")
public func mainstem_resource_release(_ resource: OpaquePointer?) -> mainstem_status {
  call("mainstem_resource_release", nil) { () throws(Refusal) in
    guard let resource else { return }
    try Resource.close(Handle(resource))
  }
}

extension Resources {
  /// The resources behind a handle, with a use.
  fileprivate static func using(_ handle: OpaquePointer?) throws(Refusal) -> Pointer {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try LooseHandle.find(Handle(handle), .resources, "resources")
    guard let resources = slot.pointee.object?.assumingMemoryBound(to: Resources.self) else {
      throw .ended
    }
    resources.use()
    return resources
  }
}

extension mainstem_resources_options {
  /// Checks all of it, and makes resources that have no server yet.
  fileprivate func make(_ resolved: ResolvedHandle) throws(Refusal) -> Resources.Pointer {
    try checkSize(size, MemoryLayout<mainstem_resources_options>.size, "options")
    guard reserved == 0 else { throw Refusal(.invalid, "options.reserved", "is not 0") }
    let (request, key) = try resolved.key(request, "options.request", .request)
    let (behind, other) = try resolved.key(behind, "options.behind", .request)
    let (drop, third) = try resolved.key(drop, "options.drop", .notice)
    guard other.hasSamePayload(as: key), behind != request else {
      throw Refusal(.invalid, "options.behind", "is not another request with the same payload")
    }
    guard third.hasSamePayload(as: key) else {
      throw Refusal(.invalid, "options.drop", "is not a notice with the payload of the requests")
    }
    try resolved.demand(.send, of: drop)
    guard let lock = Lock() else { throw .noMemory }
    guard let resources = Memory.allocate(Resources.self) else {
      lock.destroy()
      throw .noMemory
    }
    resources.initialize(
      to: Resources(
        request: request, behind: behind, drop: drop,
        limitBytes: limit_bytes.most(byDefault: 64 << 20),
        limit: limit.most(byDefault: 1024), stream: resolved.stream,
        lock: lock))
    return resources
  }
}

extension ResolvedHandle {
  /// A type whose payload is a key.
  fileprivate func key(
    _ name: UnsafePointer<CChar>?, _ argument: Phrase, _ role: Contract.Role
  ) throws(Refusal) -> (mainstem_event_type, Contract) {
    let (number, contract) = try type(name, argument)
    guard contract.role == role else {
      let reason: Phrase = role == .request ? "is not a request" : "is not a notice"
      throw Refusal(.invalid, argument, reason, .named(name))
    }
    guard contract.payload != Contract.Payload.none else {
      throw Refusal(.invalid, argument, "has no payload, which is to be the key", .named(name))
    }
    guard !contract.isSecret else {
      throw Refusal(.invalid, argument, "is a secret, which cannot be a key", .named(name))
    }
    if role == .request, let answer = try answer(to: number),
      answer.payload != Contract.Payload.none
    {
      throw Refusal(
        .invalid, argument, "has answers with a payload: the bytes are put", .named(name))
    }
    return (number, contract)
  }
}

extension UnsafeMutablePointer where Pointee == Resources {
  /// Adds their server, which frees them from then on; if that fails, they are freed.
  fileprivate func addServer(
    _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ options: mainstem_resources_options
  ) throws(Refusal) {
    var server: OpaquePointer?
    let added = withUnsafeTemporaryAllocation(of: mainstem_handler_row.self, capacity: 2) {
      rows -> Swift.Result<Void, Refusal> in
      rows[0] = mainstem_handler_row(type: options.request, fn: Resources.handle, flags: 0)
      rows[1] = mainstem_handler_row(type: options.drop, fn: Resources.handle, flags: 0)
      do throws(Refusal) {
        try MainstemC.addServer(
          context, name, rows.baseAddress, MemoryLayout<mainstem_handler_row>.stride, 2, nil, self,
          Resources.end, &server)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    guard case .failure(let refusal) = added else {
      pointee.origin = try ResolvedHandle(Handle(server), .context).origin
      return
    }
    _ = try? LooseHandle.end { () throws(Refusal) in
      try LooseHandle.find(pointee.handle, .resources, "resources")
    }
    free()
    throw refusal
  }
}
