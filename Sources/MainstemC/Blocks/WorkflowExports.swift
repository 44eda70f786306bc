// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/blocks.h: workflows

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_workflow_add")
public func mainstem_workflow_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_workflow_row>?, _ rowSize: Int, _ count: Int,
  _ options: UnsafePointer<mainstem_workflow_options>?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?, _ workflow: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_workflow_add", context) { () throws(Refusal) in
    workflow?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    let table = try Table(rows, rowSize, count, "rows")
    guard name != nil else { throw .null("name") }
    guard count > 0 else { throw Refusal(.invalid, "count", "is 0: a workflow has steps") }
    let options = try options?.pointee.checked() ?? mainstem_workflow_options()
    let made = try resolved.workflow(request, table, count, options, userData, release)
    do throws(Refusal) {
      try made.addServer(context, name, request, workflow)
    } catch {
      made.free()
      throw error
    }
  }
}

@implementation @_cdecl("mainstem_workflow_pass")
public func mainstem_workflow_pass(
  _ run: UnsafePointer<mainstem_workflow_run>?, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  call("mainstem_workflow_pass", run?.pointee.request?.pointee.context) { () throws(Refusal) in
    let making = try making(run)
    guard size >= 0 else { throw Refusal(.tooBig, "size", "is more than any memory can hold") }
    guard data != nil || size == 0 else { throw .null("data") }
    guard let payload = Workflow.Payload(copying: data, size, isSecret: making.pointee.isSecret)
    else { throw .noMemory }
    making.pointee.outcome = .passed(payload)
  }
}

@implementation @_cdecl("mainstem_workflow_skip")
public func mainstem_workflow_skip(
  _ run: UnsafePointer<mainstem_workflow_run>?
) -> mainstem_status {
  call("mainstem_workflow_skip", run?.pointee.request?.pointee.context) { () throws(Refusal) in
    let making = try making(run)
    guard !making.pointee.isFinish else {
      throw Refusal(.invalid, "run", "is being answered, and a request needs an answer")
    }
    making.pointee.outcome = .skipped
  }
}

@implementation @_cdecl("mainstem_workflow_fail")
public func mainstem_workflow_fail(
  _ run: UnsafePointer<mainstem_workflow_run>?, _ error: UnsafePointer<mainstem_error>?
) -> mainstem_status {
  call("mainstem_workflow_fail", run?.pointee.request?.pointee.context) { () throws(Refusal) in
    let making = try making(run)
    guard let error else { throw .null("error") }
    making.pointee.failure = WorkflowFailure(try value(of: error.pointee))
    making.pointee.outcome = .failed
  }
}

/// What a function that is being called has made so far: nothing.
private func making(
  _ run: UnsafePointer<mainstem_workflow_run>?
) throws(Refusal) -> UnsafeMutablePointer<WorkflowMaking> {
  guard let run, let making = run.pointee.making else { throw .null("run") }
  let found = making.assumingMemoryBound(to: WorkflowMaking.self)
  guard case .nothing = found.pointee.outcome else {
    throw Refusal(
      .invalid, "run", "has what it needs: pass, skip or fail once")
  }
  return found
}

extension mainstem_workflow_options {
  fileprivate func checked() throws(Refusal) -> mainstem_workflow_options {
    try checkSize(size, MemoryLayout<mainstem_workflow_options>.size, "options")
    guard flags == 0 else { throw Refusal(.invalid, "options.flags", "is not 0") }
    return self
  }
}

// MARK: - The table

extension ResolvedHandle {
  /// Checks all of it, and makes a workflow that has no server yet.
  fileprivate func workflow(
    _ request: UnsafePointer<CChar>?, _ table: Table<mainstem_workflow_row>, _ count: Int,
    _ options: mainstem_workflow_options, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?
  ) throws(Refusal) -> Workflow.Pointer {
    let asked = try self.request(request, "request")
    guard let rows = Memory.allocate(Workflow.Row.self, count: count) else { throw .noMemory }
    do throws(Refusal) {
      var (retry, last) = (UInt32(0), asked)
      for index in 0..<count {
        do throws(Refusal) {
          last = try step(table[index], index, of: asked, into: rows + index)
        } catch {
          throw error.inRow(index)
        }
        if table[index].backoff_ms > 0, retry == 0 { retry = try addRetryType() }
      }
      if options.finish == nil { try demand(answer: last, fits: asked) }
      guard let workflow = Memory.allocate(Workflow.self) else { throw .noMemory }
      workflow.initialize(
        to: Workflow(
          rows: rows, rowCount: count, finish: options.finish,
          limit: options.limit.most(byDefault: 1024), userData: userData, release: release,
          retry: retry))
      return workflow
    } catch {
      Memory.free(rows)
      throw error
    }
  }

  /// Registers what timers send before a retry.
  private func addRetryType() throws(Refusal) -> mainstem_event_type {
    try locked { () throws(Refusal) in
      try stream.addType(
        Bytes("MainstemRetry"), MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_NOTICE | 5 << 40,
        response: nil)
    }
  }

  /// Checks a row.
  ///
  /// - Returns: Its request.
  private func step(
    _ row: mainstem_workflow_row, _ index: Int, of asked: RequestType,
    into place: UnsafeMutablePointer<Workflow.Row>
  ) throws(Refusal) -> RequestType {
    let request = try self.request(row.request, "rows.request")
    guard request.number != asked.number else {
      throw Refusal(.invalid, "rows.request", "is the request that the workflow handles")
    }
    if row.fn == nil { try asked.demand(passedOnAs: request, "rows.fn") }
    guard row.undo != nil || row.undo_fn == nil else {
      throw Refusal(.invalid, "rows.undo", "is not set, and undo_fn is")
    }
    let undo = row.undo == nil ? nil : try self.request(row.undo, "rows.undo")
    if let undo, row.undo_fn == nil { try request.demand(passedOnAs: undo, "rows.undo_fn") }
    guard row.timeout_ms >= 0, row.backoff_ms >= 0 else {
      throw Refusal(
        .invalid, row.timeout_ms < 0 ? "rows.timeout_ms" : "rows.backoff_ms", "is below 0")
    }
    guard row.backoff_ms == 0 || row.retries > 0 else {
      throw Refusal(.invalid, "rows.backoff_ms", "needs retries, which is 0")
    }
    guard row.flags <= UInt32(MAINSTEM_WORKFLOW_PARALLEL) else {
      throw Refusal(.unsupported, "rows.flags", "has an unknown flag")
    }
    guard row.flags == 0 || index > 0 else {
      throw Refusal(.invalid, "rows.flags", "begins with the step before, and there is none")
    }
    place.initialize(
      to: Workflow.Row(
        request: request.number, make: row.fn, undo: undo?.number ?? 0, makeUndo: row.undo_fn,
        timeoutMs: row.timeout_ms, backoffMs: row.backoff_ms, retries: row.retries,
        isParallel: row.flags != 0,
        isSecret: request.contract.isSecret || undo?.contract.isSecret ?? false))
    return request
  }

  private func request(
    _ name: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> RequestType {
    let (number, contract) = try type(name, argument)
    guard contract.role == .request else {
      throw Refusal(.invalid, argument, "is not a request", .named(name))
    }
    return RequestType(number: number, contract: contract)
  }

  /// Refuses a last step whose answer cannot be that of the workflow; types that were not added yet are not checked.
  private func demand(answer last: RequestType, fits asked: RequestType) throws(Refusal) {
    guard let answer = try self.answer(to: asked.number),
      let other = try self.answer(to: last.number)
    else { return }
    try RequestType(number: 0, contract: other).demand(
      passedOnAs: RequestType(number: 0, contract: answer), "options.finish")
  }
}

/// A type that a workflow handles or requests.
private struct RequestType {
  let number: mainstem_event_type
  let contract: Contract

  /// Checks that a payload can be passed on as that of another type, without a function.
  func demand(passedOnAs other: RequestType, _ argument: Phrase) throws(Refusal) {
    guard contract.hasSamePayload(as: other.contract) else {
      throw Refusal(.invalid, argument, "is not set, and the payload passed on would not fit")
    }
    guard other.contract.isSecret || !contract.isSecret else {
      throw Refusal(.invalid, argument, "is not set, and a secret would be passed on as none")
    }
  }
}

extension UnsafeMutablePointer where Pointee == Workflow {
  /// Adds its server, which frees the workflow from then on.
  fileprivate func addServer(
    _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
    _ workflow: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let retry: Phrase = "MainstemRetry"
    var rows = (
      mainstem_handler_row(type: request, fn: Workflow.handle, flags: 0),
      mainstem_handler_row(
        type: retry.text, fn: Workflow.handle, flags: UInt32(MAINSTEM_HANDLER_OWN))
    )
    let count = pointee.retry == 0 ? 1 : 2
    try withUnsafeMutableBytes(of: &rows) { rows throws(Refusal) in
      try MainstemC.addServer(
        context, name, rows.baseAddress?.assumingMemoryBound(to: mainstem_handler_row.self),
        MemoryLayout<mainstem_handler_row>.stride, count, nil, self, Workflow.end, workflow)
    }
  }
}
