// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CMainstem
internal import MainstemCore

/// A host's line function, kept while its trace lasts.
private struct Trace {
  let line: mainstem_line_fn
  let userData: UnsafeMutableRawPointer?
}

@implementation @_cdecl("mainstem_trace")
public func mainstem_trace(
  _ context: OpaquePointer?, _ fn: mainstem_line_fn?, _ userData: UnsafeMutableRawPointer?
) -> mainstem_status {
  call("mainstem_trace", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context))
    guard let fn else { throw .null("fn") }
    guard let trace = Memory.allocate(Trace.self) else { throw .noMemory }
    trace.initialize(to: Trace(line: fn, userData: userData))
    var options = Subscription.Options(
      showLine, trace, { trace in Memory.free(trace) },
      .pattern(Filter.Pattern(layers: resolved.observableLayers)))
    // A log shows what happens, not what happened before it began.
    options.call.skipsHistory = true
    do throws(Refusal) {
      try resolved.stream.observe(options, through: resolved, Handle(context), nil)
    } catch {
      Memory.free(trace)
      throw error
    }
  }
}

@implementation @_cdecl("mainstem_context_describe")
public func mainstem_context_describe(
  _ context: OpaquePointer?, _ fn: mainstem_line_fn?, _ userData: UnsafeMutableRawPointer?
) -> mainstem_status {
  call("mainstem_context_describe", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let fn else { throw .null("fn") }
    let text = try resolved.describe()
    defer { Memory.free(text) }
    fn(userData, text)
  }
}

/// The size of a line's buffer on the stack. Lines are short: 1,023 bytes hold all but those with very long names,
/// which are written again into allocated memory.
private let longestOnStack = 1024

private func showLine(_ trace: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?) {
  guard let event, let trace = trace?.assumingMemoryBound(to: Trace.self),
    let stream = try? Stream.of(event)
  else { return }
  let room = longestOnStack
  withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
    let text = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
    let length = stream.line(event, text, room)
    if length < room { return trace.pointee.line(trace.pointee.userData, text) }
    guard let whole = Memory.allocate(CChar.self, count: length &+ 1) else {
      return trace.pointee.line(trace.pointee.userData, text)
    }
    _ = stream.line(event, whole, length &+ 1)
    trace.pointee.line(trace.pointee.userData, whole)
    Memory.free(whole)
  }
}
