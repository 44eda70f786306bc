// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h, mainstem/types.h

public import CMainstem
internal import MainstemCore

// MARK: Event types

@implementation @_cdecl("mainstem_type_add")
public func mainstem_type_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ contract: mainstem_contract,
  _ response: UnsafePointer<CChar>?, _ type: UnsafeMutablePointer<mainstem_event_type>?
) -> mainstem_status {
  call("mainstem_type_add", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context))
    guard let type else { throw .null("type") }
    type.pointee = try resolved.addType(name, contract, response)
  }
}

@implementation @_cdecl("mainstem_type_find")
public func mainstem_type_find(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ type: UnsafeMutablePointer<mainstem_event_type>?
) -> mainstem_status {
  call("mainstem_type_find", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let name else { throw .null("name") }
    guard let type else { throw .null("type") }
    let bytes = Bytes(zeroEnded: name)
    type.pointee = try resolved.reading { () throws(Refusal) in
      let found = resolved.stream.state.pointee.types.find(bytes)
      guard found != 0 else { throw resolved.stream.state.pointee.types.unknown(bytes, "name") }
      return found
    }
  }
}

@implementation @_cdecl("mainstem_type_read")
public func mainstem_type_read(
  _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ info: UnsafeMutablePointer<mainstem_type_info>?
) -> mainstem_status {
  call("mainstem_type_read", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    guard let info else { throw .null("info") }
    try checkSize(info.pointee.size, MemoryLayout<mainstem_type_info>.size, "info")
    try resolved.reading { () throws(Refusal) in
      let types = resolved.stream.state.pointee.types
      guard let entry = types[type] else { throw .noType(type) }
      info.pointee.response = types.response(of: type)
      info.pointee.contract = entry.contract.bits
      info.pointee.name = UnsafePointer(entry.name.text)
      let bounds = resolved.stream.historyBounds(of: type)
      info.pointee.history_count = bounds.count
      info.pointee.history_max_age_ms = bounds.maxAgeMs
      let layer = resolved.stream.state.pointee.layers.name(of: entry.contract.layer)
      info.pointee.layer = layer.start.assumingMemoryBound(to: CChar.self)
    }
  }
}

@implementation @_cdecl("mainstem_layer_add")
public func mainstem_layer_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ layer: UnsafeMutablePointer<mainstem_contract>?
) -> mainstem_status {
  call("mainstem_layer_add", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context))
    guard let layer else { throw .null("layer") }
    let bytes = try Name.check(name, "name")
    try resolved.demandAddition(ofLayer: bytes)
    let number = try resolved.locked { () throws(Refusal) in
      try resolved.stream.state.pointee.layers.number(of: bytes)
    }
    layer.pointee = UInt64(number) << 40
  }
}

@implementation @_cdecl("mainstem_types_add")
public func mainstem_types_add(
  _ context: OpaquePointer?, _ rows: UnsafePointer<mainstem_type_row>?, _ rowSize: Int,
  _ count: Int, _ types: UnsafeMutablePointer<mainstem_event_type>?
) -> mainstem_status {
  call("mainstem_types_add", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context))
    let table = try Table(rows, rowSize, count, "rows")
    var index = 0
    while index < count {
      let row = table[index]
      do throws(Refusal) {
        let type = try resolved.addType(row.name, row.contract, row.response)
        types?[index] = type
      } catch {
        throw error.inRow(index)
      }
      index &+= 1
    }
  }
}

extension ResolvedHandle {
  /// Registers a type as the host describes it.
  fileprivate func addType(
    _ name: UnsafePointer<CChar>?, _ contract: mainstem_contract, _ response: UnsafePointer<CChar>?
  ) throws(Refusal) -> UInt32 {
    let bytes = try Name.check(name, "name")
    let answer: Bytes? = response == nil ? nil : try Name.check(response, "response")
    return try addType(bytes, contract, response: answer)
  }
}

// MARK: What an event says

@implementation @_cdecl("mainstem_event_error")
public func mainstem_event_error(
  _ event: UnsafePointer<mainstem_event>?, _ error: UnsafeMutablePointer<mainstem_error>?
) -> mainstem_status {
  call("mainstem_event_error", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let error else { throw .null("error") }
    try checkSize(error.pointee.size, MemoryLayout<mainstem_error>.size, "error")
    guard event.pointee.status != 0 else {
      throw Refusal(.invalid, "event", "carries no error: its status is OK")
    }
    let value = ErrorValue(of: event)
    error.pointee.code = value.code
    error.pointee.message = value.message.start.assumingMemoryBound(to: CChar.self)
    error.pointee.user_message = value.text.start.assumingMemoryBound(to: CChar.self)
    error.pointee.subject = value.subject.start.assumingMemoryBound(to: CChar.self)
  }
}

@implementation @_cdecl("mainstem_event_line")
public func mainstem_event_line(
  _ event: UnsafePointer<mainstem_event>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ length: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  call("mainstem_event_line", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard buffer != nil || capacity == 0 else { throw .null("buffer") }
    let written = try Stream.of(event).line(event, buffer, capacity)
    length?.pointee = written
  }
}

// MARK: Scalars

@implementation @_cdecl("mainstem_event_bool")
public func mainstem_event_bool(_ event: UnsafePointer<mainstem_event>?) -> Bool {
  scalar(of: event)?.bool ?? false
}

@implementation @_cdecl("mainstem_event_integer")
public func mainstem_event_integer(_ event: UnsafePointer<mainstem_event>?) -> Int64 {
  scalar(of: event)?.integer ?? 0
}

@implementation @_cdecl("mainstem_event_number")
public func mainstem_event_number(_ event: UnsafePointer<mainstem_event>?) -> Double {
  scalar(of: event)?.number ?? 0
}

@implementation @_cdecl("mainstem_value_text")
public func mainstem_value_text(_ event: UnsafePointer<mainstem_event>?) -> UnsafePointer<CChar>? {
  guard let event, OpenJournal.contract(of: event) == nil,
    Stream.contract(of: event).isText(event)
  else { return nil }
  return event.pointee.data.assumingMemoryBound(to: CChar.self)
}

private func scalar(of event: UnsafePointer<mainstem_event>?) -> Scalar? {
  guard let event else { return nil }
  return Scalar(of: event, OpenJournal.contract(of: event) ?? Stream.contract(of: event))
}

// MARK: Lines and names

@implementation @_cdecl("mainstem_origin_name")
public func mainstem_origin_name(
  _ context: OpaquePointer?, _ origin: UInt32,
  _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> mainstem_status {
  call("mainstem_origin_name", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    guard let name else { throw .null("name") }
    try resolved.reading { () throws(Refusal) in
      guard let bytes = resolved.stream.state.pointee.scopes.describe(origin)?.name else {
        throw Refusal(.invalid, "origin", "is not an origin", .number(UInt64(origin)))
      }
      name.pointee = bytes.start.assumingMemoryBound(to: CChar.self)
    }
  }
}

// MARK: Keeping an event

@implementation @_cdecl("mainstem_event_retain")
public func mainstem_event_retain(
  _ event: UnsafePointer<mainstem_event>?, _ retained: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_event_retain", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let retained else { throw .null("retained") }
    retained.pointee = nil
    retained.pointee = try Stream.retain(event).pointer
  }
}

@implementation @_cdecl("mainstem_retained_event")
public func mainstem_retained_event(
  _ retained: OpaquePointer?, _ event: UnsafeMutablePointer<UnsafePointer<mainstem_event>?>?
) -> mainstem_status {
  call("mainstem_retained_event", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    event.pointee = try Stream.retained(Handle(retained))
  }
}

@implementation @_cdecl("mainstem_retained_release")
public func mainstem_retained_release(_ retained: OpaquePointer?) -> mainstem_status {
  call("mainstem_retained_release", nil) { () throws(Refusal) in
    guard let retained else { return }
    try Stream.endRetained(Handle(retained))
  }
}
