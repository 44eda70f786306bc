// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/blocks.h: gates

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_gate_add")
public func mainstem_gate_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_gate_row>?, _ rowSize: Int, _ count: Int,
  _ options: UnsafePointer<mainstem_gate_options>?, _ gate: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_gate_add", context) { () throws(Refusal) in
    gate?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    let table = try Table(rows, rowSize, count, "rows")
    guard name != nil else { throw .null("name") }
    guard count > 0 else { throw Refusal(.invalid, "count", "is 0: a gate passes on requests") }
    guard let options else { throw .null("options") }
    let made = try options.pointee.make(resolved, table, count)
    do throws(Refusal) {
      try made.addServer(context, name, table, options.pointee.open, gate)
    } catch {
      made.free()
      throw error
    }
  }
}

extension mainstem_gate_options {
  /// Checks all of it, and makes a gate that has no server yet.
  fileprivate func make(
    _ resolved: ResolvedHandle, _ table: Table<mainstem_gate_row>, _ count: Int
  ) throws(Refusal) -> Gate.Pointer {
    try checkSize(size, MemoryLayout<mainstem_gate_options>.size, "options")
    guard reserved == 0 else { throw Refusal(.invalid, "options.reserved", "is not 0") }
    guard (expired != 0) == (refresh != nil) else {
      throw Refusal(
        .invalid, expired != 0 ? "options.refresh" : "options.expired",
        "is not set: a refresh needs both the request and the code of an expired session")
    }
    let (opens, openContract) = try resolved.type(open, "options.open")
    guard openContract.isValue, openContract.payload == .bool else {
      throw Refusal(
        .invalid, "options.open", "is not a value that is true or false",
        .named(open))
    }
    let refreshes = refresh == nil ? 0 : try resolved.refresh(refresh)
    guard let ways = Memory.allocate(Gate.Way.self, count: count) else { throw .noMemory }
    guard let gate = Memory.allocate(Gate.self) else {
      Memory.free(ways)
      throw .noMemory
    }
    gate.initialize(
      to: Gate(
        open: opens, refresh: refreshes, expired: expired, refusal: refusal,
        limit: limit.most(byDefault: 1024), ways: ways, wayCount: count))
    do throws(Refusal) {
      for index in 0..<count {
        (ways + index).initialize(to: try resolved.way(table[index], index))
      }
    } catch {
      gate.free()
      throw error
    }
    return gate
  }
}

extension ResolvedHandle {
  fileprivate func refresh(_ name: UnsafePointer<CChar>?) throws(Refusal) -> mainstem_event_type {
    let (number, contract) = try type(name, "options.refresh")
    guard contract.role == .request, contract.payload == Contract.Payload.none else {
      throw Refusal(
        .invalid, "options.refresh", "is not a request without a payload",
        .named(name))
    }
    return number
  }

  /// Checks a row: the gate passes on what it got, and no secret as something else.
  fileprivate func way(_ row: mainstem_gate_row, _ index: Int) throws(Refusal) -> Gate.Way {
    do throws(Refusal) {
      let (request, contract) = try type(row.request, "rows.request")
      let (behind, other) = try type(row.behind, "rows.behind")
      guard contract.role == .request, request != behind else {
        throw Refusal(.invalid, "rows.request", "is not a request, or is passed on as itself")
      }
      guard other.role == .request, other.hasSamePayload(as: contract) else {
        throw Refusal(.invalid, "rows.behind", "is not a request with the same payload")
      }
      guard other.isSecret || !contract.isSecret else {
        throw Refusal(.invalid, "rows.behind", "is not a secret, and the request is one")
      }
      try demandSameAnswers(request, behind)
      return Gate.Way(request: request, behind: behind)
    } catch {
      throw error.inRow(index)
    }
  }

  /// Refuses a request whose answer cannot be that to the other one; answers that were not added yet are not checked.
  private func demandSameAnswers(
    _ request: mainstem_event_type, _ behind: mainstem_event_type
  ) throws(Refusal) {
    guard let answer = try self.answer(to: request), let other = try self.answer(to: behind) else {
      return
    }
    guard answer.hasSamePayload(as: other) else {
      throw Refusal(.invalid, "rows.behind", "has answers with another payload")
    }
    guard answer.isSecret || !other.isSecret else {
      throw Refusal(
        .invalid, "rows.request", "has answers that are no secrets, and passes on some")
    }
  }
}

extension UnsafeMutablePointer where Pointee == Gate {
  /// Adds its server, which frees the gate from then on.
  fileprivate func addServer(
    _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ table: Table<mainstem_gate_row>,
    _ open: UnsafePointer<CChar>?, _ gate: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let count = pointee.wayCount
    guard let rows = Memory.allocate(mainstem_handler_row.self, count: count + 1) else {
      throw .noMemory
    }
    defer { Memory.free(rows) }
    for index in 0..<count {
      (rows + index).initialize(
        to: mainstem_handler_row(type: table[index].request, fn: Gate.handle, flags: 0))
    }
    (rows + count).initialize(to: mainstem_handler_row(type: open, fn: Gate.handle, flags: 0))
    try MainstemC.addServer(
      context, name, rows, MemoryLayout<mainstem_handler_row>.stride, count + 1, nil, self,
      Gate.end, gate)
  }
}
