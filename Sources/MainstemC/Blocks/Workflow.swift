// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// A workflow: handles a request by requesting the steps of a table in order.
///
/// It is a server like any other, and all that it does it does in immediate callbacks: one of them at a time touches it.
/// It lives until its scope has ended and the last request that it made is answered.
struct Workflow {
  typealias Pointer = UnsafeMutablePointer<Workflow>

  /// A row of its table.
  struct Row {
    let request: mainstem_event_type
    let make: mainstem_workflow_fn?
    /// 0: nothing undoes the step.
    let undo: mainstem_event_type
    let makeUndo: mainstem_workflow_fn?
    let timeoutMs: Int64
    let backoffMs: Int64
    let retries: UInt32
    let isParallel: Bool
    let isSecret: Bool
  }

  let rows: UnsafeMutablePointer<Row>
  let rowCount: Int
  let finish: mainstem_workflow_fn?
  let limit: Int
  let userData: UnsafeMutableRawPointer?
  var release: mainstem_release_fn?
  /// What a timer sends before a retry.
  let retry: mainstem_event_type

  fileprivate(set) var server: OpaquePointer?
  fileprivate(set) var hasEnded = false
  /// Its callbacks on the stack: a function of the program's may end the workflow that calls it.
  fileprivate var depth = 0
  fileprivate var first: Run.Pointer?
  fileprivate var last: Run.Pointer?
  fileprivate var count = 0
  /// The steps that wait for a retry.
  fileprivate var waiting = HashTable<WaitingStep>()

  init(
    rows: UnsafeMutablePointer<Row>, rowCount: Int, finish: mainstem_workflow_fn?, limit: Int,
    userData: UnsafeMutableRawPointer?, release: mainstem_release_fn?, retry: mainstem_event_type
  ) {
    self.rows = rows
    self.rowCount = rowCount
    self.finish = finish
    self.limit = limit
    self.userData = userData
    self.release = release
    self.retry = retry
  }
}

extension Workflow {
  /// A request that a workflow handles.
  struct Run {
    typealias Pointer = UnsafeMutablePointer<Run>

    let workflow: Workflow.Pointer
    /// The request, kept.
    let kept: OpaquePointer?
    /// One for each row, as are the answers.
    let steps: UnsafeMutablePointer<Step>
    let answers: UnsafeMutablePointer<UnsafePointer<mainstem_event>?>
    /// How many steps have begun; in the end, how many may still have to be undone.
    fileprivate var begun = 0
    /// Steps that are requested, or wait for a retry.
    fileprivate var open = 0
    /// Why it fails.
    var failure = WorkflowFailure.none
    fileprivate var isUndoing = false
    /// Whether the request is settled: nobody waits for an answer.
    fileprivate var isSettled = false
    /// Whether the workflow still keeps it, and how many release hooks are still to come. It is freed after all.
    fileprivate var isKept = true
    fileprivate var hooks = 0
    fileprivate var previous: Pointer?
    fileprivate var next: Pointer?

    var request: UnsafePointer<mainstem_event>? {
      var event: UnsafePointer<mainstem_event>?
      return mainstem_retained_event(kept, &event) == 0 ? event : nil
    }
  }

  /// A step of a run, and later its undo.
  struct Step {
    typealias Pointer = UnsafeMutablePointer<Step>

    let run: Run.Pointer
    let index: Int
    fileprivate var pending: OpaquePointer?
    fileprivate var timer: OpaquePointer?
    fileprivate var answer: OpaquePointer?
    /// What its function made; nil: it has the payload of the workflow's request.
    var payload: Payload?
    /// How many of its requests are answered, but not over.
    fileprivate var answers = 0
    fileprivate var isDone = false
    fileprivate(set) var isUndo = false
    fileprivate var retries: UInt32 = 0
    /// The attempt that failed, while it waits for a retry.
    fileprivate var failed: UInt64 = 0
    /// Why it could not be undone; 0: it was, or needed not.
    fileprivate(set) var stuck: mainstem_status = 0

    var row: Row { run.pointee.workflow.pointee.rows[index] }
    var type: mainstem_event_type { isUndo ? row.undo : row.request }
  }
}

/// A step that waits for a retry, by the position of the attempt that failed.
fileprivate struct WaitingStep: HashTableEntry {
  var key: UInt64 = 0
  var step: Workflow.Step.Pointer?

  var isFree: Bool { step == nil }
  static func hash(_ position: UInt64) -> UInt64 { Hash.salted(position) }
}

// MARK: - What it gets

extension Workflow {
  /// The handler of all its rows.
  static let handle: mainstem_event_fn = { userData, event in
    guard let userData, let event else { return }
    let workflow = userData.assumingMemoryBound(to: Workflow.self)
    workflow.pointee.server = event.pointee.context
    workflow.entered {
      if event.pointee.type == workflow.pointee.retry {
        workflow.retry(UInt64(bitPattern: mainstem_event_integer(event)))
      } else {
        workflow.take(event)
      }
    }
  }

  /// Its scope has ended.
  static let end: mainstem_release_fn = { userData in
    guard let workflow = userData?.assumingMemoryBound(to: Workflow.self) else { return }
    workflow.entered { workflow.pointee.hasEnded = true }
  }

  fileprivate static let settled: mainstem_settled_fn = { userData in
    guard let run = userData?.assumingMemoryBound(to: Run.self), run.pointee.isKept else { return }
    run.pointee.workflow.entered {
      run.pointee.isSettled = true
      if !run.pointee.isUndoing { run.cancelOpen() }
      run.advance()
    }
  }

  fileprivate static let unwatch: mainstem_release_fn = { userData in
    userData?.assumingMemoryBound(to: Run.self).release()
  }

  fileprivate static let answered: mainstem_event_fn = { userData, event in
    guard let step = userData?.assumingMemoryBound(to: Step.self), let event else { return }
    let run = step.pointee.run
    run.pointee.workflow.entered {
      step.note(event)
      run.advance()
    }
  }

  /// A request is over. Without an answer if that cannot be recorded: then nothing goes on.
  fileprivate static let over: mainstem_release_fn = { userData in
    guard let step = userData?.assumingMemoryBound(to: Step.self) else { return }
    let run = step.pointee.run
    if step.pointee.answers > 0 {
      step.pointee.answers &-= 1
    } else {
      step.pointee.pending = nil
      run.pointee.open &-= 1
      run.pointee.workflow.entered { run.advance() }
    }
    run.release()
  }
}

extension UnsafeMutablePointer where Pointee == Workflow {
  /// Makes a callback. What has ended is given up behind the outermost one.
  fileprivate func entered(_ body: () -> Void) {
    pointee.depth &+= 1
    body()
    pointee.depth &-= 1
    guard pointee.hasEnded, pointee.depth == 0 else { return }
    each { run in
      run.stopTimers()
      run.advance()
    }
    let release = pointee.release
    pointee.release = nil
    release?(pointee.userData)
    if pointee.first == nil { free() }
  }

  /// A request arrives.
  fileprivate func take(_ event: UnsafePointer<mainstem_event>) {
    guard pointee.count < pointee.limit else {
      let message: Phrase = "the workflow has as many requests as it may keep"
      mainstem_respond_error(event, Status.full.rawValue, message.text)
      return
    }
    guard let run = add(event) else {
      let message: Phrase = "out of memory"
      mainstem_respond_error(event, Status.noMemory.rawValue, message.text)
      return
    }
    run.pointee.hooks = 1
    if mainstem_event_on_settled(event, Workflow.settled, run, Workflow.unwatch) != 0 {
      run.pointee.hooks = 0
      run.fail(.noMemory)
    }
    // It may be settled already; then it is forgotten.
    if pointee.last == run { run.advance() }
  }

  /// The wait before a retry is over.
  fileprivate func retry(_ position: UInt64) {
    guard let step = pointee.waiting.find(position)?.pointee.step else { return }
    step.stopWaiting()
    step.send()
    step.pointee.run.advance()
  }
}

// MARK: - What a run does

extension UnsafeMutablePointer where Pointee == Workflow.Run {
  private var workflow: Workflow.Pointer { pointee.workflow }

  /// Does what comes next, until steps are open, or it is over.
  fileprivate func advance() {
    while pointee.open == 0 {
      guard !workflow.pointee.hasEnded, isStreamOpen else { return forget() }
      if pointee.isUndoing {
        guard undoNext() else { return conclude() }
      } else if pointee.isSettled || pointee.failure.code != 0 {
        pointee.isUndoing = true
      } else if pointee.begun < workflow.pointee.rowCount {
        beginGroup()
      } else if finish() {
        return forget()
      }
    }
  }

  /// Whether the context is not closing. A replay finds the same.
  private var isStreamOpen: Bool {
    let server = Handle(workflow.pointee.server)
    if let resolved = try? ResolvedHandle(server, .context),
      (try? resolved.stream.demandOpen()) != nil
    {
      return true
    }
    Stream.noteClosing()
    return false
  }

  /// Begins a step, and those that begin with it.
  private func beginGroup() {
    repeat {
      let step = pointee.steps + pointee.begun
      pointee.begun &+= 1
      if step.make() { step.send() }
    } while pointee.failure.code == 0 && !workflow.pointee.hasEnded
      && pointee.begun < workflow.pointee.rowCount
      && workflow.pointee.rows[pointee.begun].isParallel
  }

  /// Answers the request; false: it has failed.
  private func finish() -> Bool {
    let last = pointee.answers[workflow.pointee.rowCount &- 1]
    var made: Workflow.Payload?
    defer { made?.free() }
    if let finish = workflow.pointee.finish {
      guard case .passed(let payload) = make(finish, for: nil) else { return false }
      made = payload
    } else if last == nil {
      fail(
        WorkflowFailure(
          .invalid, Bytes("the last step was left out, so there is no answer: set options.finish")))
      return false
    }
    guard !workflow.pointee.hasEnded, let request = pointee.request else { return true }
    let status =
      made.map { mainstem_respond(request, $0.data, $0.size) }
      ?? mainstem_respond(request, last?.pointee.data, Int(last?.pointee.size ?? 0))
    if status == Status.stale.rawValue { pointee.isSettled = true }
    if status != 0 { fail(WorkflowFailure(refused: status)) }
    return status == 0
  }

  /// Undoes the last step that is done; false: none is left.
  private func undoNext() -> Bool {
    while pointee.begun > 0 {
      pointee.begun &-= 1
      let step = pointee.steps + pointee.begun
      guard step.pointee.isDone, step.pointee.row.undo != 0 else { continue }
      step.pointee.isUndo = true
      step.pointee.retries = 0
      if step.make() { step.send() }
      return true
    }
    return false
  }

  /// Fails the request, and says what could not be undone.
  private func conclude() {
    if let code = noteStuck(), let event = Frame.innermost?.pointee.event {
      mainstem_fail(event, code, pointee.failure.shown.message)
    }
    if !pointee.isSettled, let request = pointee.request {
      var error = pointee.failure.shown
      mainstem_respond_error_with(request, &error)
    }
    forget()
  }

  /// Makes it fail, if it does not yet, and cancels its other steps.
  func fail(_ failure: WorkflowFailure) {
    guard pointee.failure.code == 0 else { return failure.free() }
    pointee.failure = failure
    cancelOpen()
  }

  /// Cancels what is open. The answers are still awaited: a step may have one already.
  fileprivate func cancelOpen() {
    stopTimers()
    for index in 0..<pointee.begun { mainstem_pending_cancel(pointee.steps[index].pending) }
  }

  fileprivate func stopTimers() {
    for index in 0..<workflow.pointee.rowCount {
      guard let timer = pointee.steps[index].timer else { continue }
      mainstem_timer_cancel(timer)
      (pointee.steps + index).stopWaiting()
    }
  }
}

// MARK: - What a step does

extension UnsafeMutablePointer where Pointee == Workflow.Step {
  private var run: Workflow.Run.Pointer { pointee.run }
  private var workflow: Workflow.Pointer { run.pointee.workflow }

  /// Makes its payload; false: it is not to be sent.
  fileprivate func make() -> Bool {
    let row = pointee.row
    guard let function = pointee.isUndo ? row.makeUndo : row.make else { return true }
    guard case .passed(let payload) = run.make(function, for: self) else { return false }
    pointee.payload?.free()
    pointee.payload = payload
    return !run.pointee.workflow.pointee.hasEnded
  }

  /// Requests it, or its undo.
  fileprivate func send() {
    var options = mainstem_request_options()
    options.size = UInt32(MemoryLayout<mainstem_request_options>.size)
    options.timeout_ms = pointee.row.timeoutMs
    let request = run.pointee.request
    var (data, size) = (request?.pointee.data, Int(request?.pointee.size ?? 0))
    if let payload = pointee.payload {
      (data, size) = (UnsafeRawPointer(payload.data), payload.size)
    }
    let status = mainstem_request_with(
      run.pointee.workflow.pointee.server, pointee.type, data, size, &options,
      Workflow.answered, self, Workflow.over, &pointee.pending)
    guard status != 0 else {
      run.pointee.open &+= 1
      run.pointee.hooks &+= 1
      return
    }
    fail(WorkflowFailure(refused: status))
  }

  /// Notes its answer.
  fileprivate func note(_ event: UnsafePointer<mainstem_event>) {
    run.pointee.open &-= 1
    pointee.pending = nil
    pointee.answers &+= 1
    let isWanted = pointee.isUndo || run.pointee.failure.code == 0 && !run.pointee.isSettled
    if event.pointee.status == 0 {
      if !pointee.isUndo { keep(event) }
    } else if isWanted, !run.pointee.workflow.pointee.hasEnded,
      pointee.retries < pointee.row.retries
    {
      retry(event.pointee.answers)
    } else if isWanted {
      fail(WorkflowFailure(event))
    }
  }

  private func keep(_ event: UnsafePointer<mainstem_event>) {
    pointee.isDone = true
    var kept: UnsafePointer<mainstem_event>?
    if mainstem_event_retain(event, &pointee.answer) == 0,
      mainstem_retained_event(pointee.answer, &kept) == 0
    {
      run.pointee.answers[pointee.index] = kept
    } else {
      run.fail(.noMemory)
    }
  }

  /// Requests it once more, at once or later.
  private func retry(_ position: UInt64) {
    let delay = pointee.row.backoffMs
    let shift = min(pointee.retries, 62)
    pointee.retries &+= 1
    guard delay > 0 else { return send() }
    guard workflow.pointee.waiting.reserve() else { return fail(.noMemory) }
    pointee.failed = position
    let status = withUnsafeBytes(of: position) {
      mainstem_send_after(
        workflow.pointee.server, workflow.pointee.retry, $0.baseAddress, 8,
        delay > Int64.max &>> shift ? Int64.max : delay &<< shift, 0, &pointee.timer)
    }
    guard status == 0 else { return fail(WorkflowFailure(refused: status)) }
    workflow.pointee.waiting.insert(WaitingStep(key: position, step: self))
    run.pointee.open &+= 1
  }

  /// Its retry has come, or is given up.
  fileprivate func stopWaiting() {
    workflow.pointee.waiting.remove(pointee.failed)
    pointee.timer = nil
    run.pointee.open &-= 1
  }

  /// It has failed, or its undo has.
  func fail(_ failure: WorkflowFailure) {
    guard pointee.isUndo else { return run.fail(failure) }
    pointee.stuck = failure.code
    failure.free()
  }

  fileprivate func free() {
    mainstem_retained_release(pointee.answer)
    pointee.payload?.free()
  }
}

// MARK: - The runs

extension UnsafeMutablePointer where Pointee == Workflow {
  /// Visits all runs, in the order of their requests; the visited one may be forgotten.
  private func each(_ visit: (Workflow.Run.Pointer) -> Void) {
    var next = pointee.first
    while let run = next {
      next = run.pointee.next
      visit(run)
    }
  }

  private func add(_ event: UnsafePointer<mainstem_event>) -> Workflow.Run.Pointer? {
    let count = pointee.rowCount
    let run = Memory.allocate(Workflow.Run.self)
    let steps = Memory.allocate(Workflow.Step.self, count: count)
    let answers = Memory.allocate(UnsafePointer<mainstem_event>?.self, count: count)
    var kept: OpaquePointer?
    guard let run, let steps, let answers, mainstem_event_retain(event, &kept) == 0 else {
      Memory.free(run)
      Memory.free(steps)
      Memory.free(answers)
      return nil
    }
    for index in 0..<count {
      (steps + index).initialize(to: Workflow.Step(run: run, index: index))
    }
    answers.initialize(repeating: nil, count: count)
    run.initialize(
      to: Workflow.Run(
        workflow: self, kept: kept, steps: steps, answers: answers, previous: pointee.last))
    if let last = pointee.last { last.pointee.next = run } else { pointee.first = run }
    pointee.last = run
    pointee.count &+= 1
    return run
  }

  /// Frees a workflow without runs.
  func free() {
    pointee.waiting.free()
    Memory.free(pointee.rows)
    Memory.free(self)
  }
}

extension UnsafeMutablePointer where Pointee == Workflow.Run {
  /// Ends a run without open steps.
  private func forget() {
    let (previous, next) = (pointee.previous, pointee.next)
    if let previous { previous.pointee.next = next } else { workflow.pointee.first = next }
    if let next { next.pointee.previous = previous } else { workflow.pointee.last = previous }
    workflow.pointee.count &-= 1
    for index in 0..<workflow.pointee.rowCount { (pointee.steps + index).free() }
    Memory.free(pointee.answers)
    pointee.failure.free()
    mainstem_retained_release(pointee.kept)
    pointee.isKept = false
    pointee.hooks &+= 1
    release()
  }

  /// One of its hooks is over.
  fileprivate func release() {
    pointee.hooks &-= 1
    guard !pointee.isKept, pointee.hooks == 0 else { return }
    Memory.free(pointee.steps)
    Memory.free(self)
  }
}
