// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a gate passes on, and as what.
public struct Passing {
  let request: any Request.Type
  let behind: any Request.Type

  /// Passes requests of one type on as another one, with the same payload.
  ///
  /// - Parameters:
  ///   - request: What the program requests.
  ///   - behind: What the server behind the gate handles.
  public init<Asked: Request, Behind: Request>(_ request: Asked.Type, as behind: Behind.Type) {
    self.request = request
    self.behind = behind
  }
}

/// When a gate asks for a session again.
public struct Refresh {
  let request: any Request.Type
  let expired: Status

  /// Asks with a request without fields, after an answer that failed with a code.
  ///
  /// - Parameters:
  ///   - request: The request; its server opens the session again.
  ///   - expired: The code of the answers that say that the session has expired.
  public init<Asked: Request>(_ request: Asked.Type, after expired: Status) {
    self.request = request
    self.expired = expired
  }
}

extension Context {
  /// Adds a gate that a value of a type opens: see ``addGate(_:_:open:refresh:refusal:limit:)-(_,_,String,_,_,_)``.
  ///
  /// - Parameters:
  ///   - name: The gate's name.
  ///   - passing: What it passes on.
  ///   - open: A value that is a `Bool`: true opens the gate.
  ///   - refresh: When it asks for a session again; `nil`: never.
  ///   - refusal: The code with which requests fail while it is closed; `nil`: they wait.
  ///   - limit: How many open requests it keeps, at least 1.
  /// - Returns: Its scope; closing it ends the gate.
  /// - Throws: The reason it was not added.
  @discardableResult
  public func addGate<Open: Event>(
    _ name: String, _ passing: [Passing], open: Open.Type, refresh: Refresh? = nil,
    refusal: Status? = nil, limit: Int = 1024
  ) throws(StreamError) -> Context {
    _ = try types.number(of: open)
    return try addGate(
      name, passing, open: open.name, refresh: refresh, refusal: refusal, limit: limit)
  }

  /// Adds a gate: a server that passes requests on while a value is true.
  ///
  ///     try context.addGate(
  ///       "Gate", [Passing(RequestFeed.self, as: RequestSiteFeed.self)], open: "Session.isSignedIn",
  ///       refresh: Refresh(RequestRefresh.self, after: .expired))
  ///
  /// Progress and answers come back. While the value is false, or not set, requests wait in their order, or are refused.
  /// After an expired session the gate refreshes once for all requests that wait for it, and passes each of them on once
  /// more; if that fails, they fail with its error.
  ///
  /// - Parameters:
  ///   - name: The gate's name.
  ///   - passing: What it passes on.
  ///   - open: The name of a value that is a `Bool`: true opens the gate.
  ///   - refresh: When it asks for a session again; `nil`: never.
  ///   - refusal: The code with which requests fail while it is closed; `nil`: they wait.
  ///   - limit: How many open requests it keeps, at least 1; more of them fail with ``Status/full``.
  /// - Returns: Its scope; closing it ends the gate.
  /// - Throws: The reason it was not added.
  @discardableResult
  public func addGate(
    _ name: String, _ passing: [Passing], open: String, refresh: Refresh? = nil,
    refusal: Status? = nil, limit: Int = 1024
  ) throws(StreamError) -> Context {
    guard limit > 0 else {
      throw StreamError(.invalid, "addGate: limit is \(limit): at least 1")
    }
    for each in passing {
      _ = try types.number(of: each.request)
      _ = try types.number(of: each.behind)
    }
    if let refresh { _ = try types.number(of: refresh.request) }
    var options = mainstem_gate_options()
    options.size = UInt32(MemoryLayout<mainstem_gate_options>.size)
    options.refusal = refusal?.rawValue ?? 0
    options.expired = refresh?.expired.rawValue ?? 0
    options.limit = limit
    let names =
      [open, refresh?.request.name ?? ""] + passing.flatMap { [$0.request.name, $0.behind.name] }
    var gate: OpaquePointer?
    let status = CStrings(names).withPointers { names in
      options.open = names[0]
      options.refresh = refresh == nil ? nil : names[1]
      let rows = stride(from: 2, to: names.count, by: 2).map {
        mainstem_gate_row(request: names[$0], behind: names[$0 + 1])
      }
      return mainstem_gate_add(
        handle, name, rows, MemoryLayout<mainstem_gate_row>.stride, rows.count, &options, &gate)
    }
    try StreamError.check(status)
    return Context(gate, types: types, ownership: .none)
  }
}
