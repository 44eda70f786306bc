// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/screens.h: values

public import CMainstem
internal import MainstemCore

@_optimize(speed)
@implementation @_cdecl("mainstem_value_set")
public func mainstem_value_set(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  guard let found = Stream.findOwned(Handle(context), type) else {
    return set(context, type, data, size)
  }
  return found.hasScalar(data, size) ? Status.ok.rawValue : set(found, context, data, size)
}

// Sets in the less usual cases. Kept apart, so that the usual one pays nothing for them.

@_optimize(speed)
@inline(never)
private func set(
  _ found: Stream.Found, _ context: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  if Stream.setFound(found, data, size) { return Status.ok.rawValue }
  return setFully("mainstem_value_set", context, found.type, data, size, as: .all)
}

@inline(never)
private func set(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  set("mainstem_value_set", context, type, data, size, as: .all)
}

@inline(never)
private func setFully(
  _ function: Phrase, _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ data: UnsafeRawPointer?, _ size: Int, as payloads: Contract.Payloads
) -> mainstem_status {
  call(function, context) { () throws(Refusal) in
    try Stream.setValue(Handle(context), type, data, size, as: payloads)
  }
}

/// Sets a value that carries one of these payloads.
@inline(never)
private func set(
  _ function: Phrase, _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ data: UnsafeRawPointer?, _ size: Int, as payloads: Contract.Payloads
) -> mainstem_status {
  if Stream.fits(Handle(context), type, payloads),
    Stream.setAtOnce(Handle(context), type, data, size)
  {
    return Status.ok.rawValue
  }
  return setFully(function, context, type, data, size, as: payloads)
}

/// Sets a value that is a scalar.
@inline(__always)
private func set<Scalar: BitwiseCopyable>(
  _ function: Phrase, _ context: OpaquePointer?, _ type: mainstem_event_type, _ scalar: Scalar,
  as payload: Contract.Payloads
) -> mainstem_status {
  var scalar = scalar
  return set(function, context, type, &scalar, MemoryLayout<Scalar>.size, as: payload)
}

@implementation @_cdecl("mainstem_value_set_bool")
public func mainstem_value_set_bool(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ value: Bool
) -> mainstem_status {
  set("mainstem_value_set_bool", context, type, value ? 1 as UInt8 : 0, as: .bool)
}

@implementation @_cdecl("mainstem_value_set_integer")
public func mainstem_value_set_integer(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ value: Int64
) -> mainstem_status {
  set("mainstem_value_set_integer", context, type, value, as: .integer)
}

@implementation @_cdecl("mainstem_value_set_number")
public func mainstem_value_set_number(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ value: Double
) -> mainstem_status {
  set("mainstem_value_set_number", context, type, value, as: .number)
}

@implementation @_cdecl("mainstem_value_set_text")
public func mainstem_value_set_text(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ value: UnsafePointer<CChar>?
) -> mainstem_status {
  guard let value else {
    return call("mainstem_value_set_text", context) { () throws(Refusal) in
      _ = try ResolvedHandle.sending(Handle(context))
      throw .null("value")
    }
  }
  let bytes = Bytes(zeroEnded: value)
  return set("mainstem_value_set_text", context, type, bytes.start, bytes.count, as: .text)
}

@implementation @_cdecl("mainstem_value_get")
public func mainstem_value_get(
  _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_value_get", context) { () throws(Refusal) in
    value?.pointee = nil
    guard let value else { throw .null("value") }
    value.pointee = try Stream.value(Handle(context), type).pointer
  }
}
