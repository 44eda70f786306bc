// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// What a function of a workflow's does: `mainstem_workflow_run.making`.
struct WorkflowMaking {
  enum Outcome {
    case nothing
    case passed(Workflow.Payload)
    case skipped
    case failed
  }

  let isSecret: Bool
  /// Whether it makes the answer.
  let isFinish: Bool
  var outcome: Outcome = .nothing
  var failure = WorkflowFailure.none
}

extension WorkflowMaking {
  /// Calls a function of the program's. If that passes nothing on, it has failed.
  ///
  /// - Parameter name: What it makes.
  static func call(
    _ function: mainstem_workflow_fn, _ userData: UnsafeMutableRawPointer?,
    _ run: mainstem_workflow_run, isSecret: Bool = false, isFinish: Bool = false,
    _ name: () -> Bytes
  ) -> WorkflowMaking {
    var making = WorkflowMaking(isSecret: isSecret, isFinish: isFinish)
    withUnsafeMutablePointer(to: &making) { making in
      var run = run
      run.making = UnsafeMutableRawPointer(making)
      function(userData, &run)
    }
    guard case .nothing = making.outcome else { return making }
    var message = SubjectWriter()
    message.add(name())
    message.add(": its function passed nothing on: it must pass, skip or fail")
    making.failure = WorkflowFailure(.incomplete, message.bytes)
    making.outcome = .failed
    return making
  }
}

extension Workflow {
  /// A payload that a function made.
  struct Payload {
    let data: UnsafeMutableRawPointer
    let size: Int
    let isSecret: Bool

    init?(copying data: UnsafeRawPointer?, _ size: Int, isSecret: Bool) {
      guard let memory = Memory.allocate(UInt8.self, count: max(size, 1)) else { return nil }
      self.data = UnsafeMutableRawPointer(memory)
      self.size = size
      self.isSecret = isSecret
      if let data { Memory.copy(size, from: data, to: self.data, isSecret: isSecret) }
    }

    func free() {
      if isSecret { mainstem_p_wipe(data, size) }
      Memory.free(data)
    }
  }
}

extension UnsafeMutablePointer where Pointee == Workflow.Run {
  /// Calls a function of the program's; if it does not pass a payload on, the step is left out or has failed.
  ///
  /// - Parameter step: Nil: it makes the answer.
  func make(
    _ function: mainstem_workflow_fn, for step: Workflow.Step.Pointer?
  ) -> WorkflowMaking.Outcome {
    let workflow = pointee.workflow
    var run = mainstem_workflow_run()
    run.request = pointee.request
    run.answers = UnsafePointer(pointee.answers)
    run.count = workflow.pointee.rowCount
    run.row = step?.pointee.index ?? workflow.pointee.rowCount
    run.undoes = step?.pointee.isUndo ?? false
    let making = WorkflowMaking.call(
      function, workflow.pointee.userData, run, isSecret: step?.pointee.row.isSecret ?? false,
      isFinish: step == nil
    ) { step.map { typeName($0.pointee.type, workflow.pointee.server) } ?? Bytes("options.finish") }
    if case .failed = making.outcome { fail(making.failure, of: step) }
    return making.outcome
  }

  private func fail(_ failure: WorkflowFailure, of step: Workflow.Step.Pointer?) {
    if let step { step.fail(failure) } else { fail(failure) }
  }

  /// Adds to its failure what could not be undone.
  ///
  /// - Returns: Why the first of them was not; nil: all were.
  func noteStuck() -> mainstem_status? {
    let error = pointee.failure.error
    var code: mainstem_status?
    var message = SubjectWriter()
    message.add(error.message)
    for index in 0..<pointee.workflow.pointee.rowCount {
      let step = pointee.steps[index]
      guard step.stuck != 0 else { continue }
      if code != nil {
        message.add(", ")
      } else {
        message.add(error.message.count > 0 ? "; not undone: " : "not undone: ")
      }
      code = code ?? step.stuck
      message.add(typeName(step.type, pointee.workflow.pointee.server))
    }
    guard code != nil else { return nil }
    // Users need not read it.
    let text = error.text.count > 0 ? error.text : error.message
    let old = pointee.failure
    pointee.failure = WorkflowFailure(
      ErrorValue(code: error.code, message: message.bytes, text: text, subject: error.subject),
      short: "not undone: something, and there is no memory to name it")
    old.free()
    return code
  }
}

/// Why a run fails, in memory of its own.
struct WorkflowFailure {
  let error: ErrorValue
  private let memory: UnsafeMutableRawPointer?

  /// No failure.
  static var none: WorkflowFailure { WorkflowFailure(code: 0) }

  static var noMemory: WorkflowFailure {
    WorkflowFailure(code: Status.noMemory.rawValue, "out of memory")
  }

  private init(code: mainstem_status, _ message: Phrase = "") {
    self.init(
      ErrorValue(code: code, message: message.bytes, text: Bytes(""), subject: Bytes("")), in: nil)
  }

  /// Copies an error.
  ///
  /// - Parameter short: The message if there is no memory for its texts.
  init(_ error: ErrorValue, short: Phrase = "out of memory") {
    guard let memory = Memory.allocate(UInt8.self, count: error.packedSize) else {
      self.init(code: error.code, short)
      return
    }
    error.pack(into: memory)
    let start = UnsafeRawPointer(memory)
    let text = start + (error.message.count &+ 1)
    let subject = text + (error.text.count &+ 1)
    self.init(
      ErrorValue(
        code: error.code, message: Bytes(start, error.message.count),
        text: Bytes(text, error.text.count), subject: Bytes(subject, error.subject.count)),
      in: memory)
  }

  private init(_ error: ErrorValue, in memory: UnsafeMutableRawPointer?) {
    self.error = error
    self.memory = memory
  }

  init(_ status: Status, _ message: Bytes) {
    self.init(
      ErrorValue(code: status.rawValue, message: message, text: Bytes(""), subject: Bytes("")))
  }

  /// That of the last refused call.
  init(refused status: mainstem_status) {
    self.init(
      ErrorValue(
        code: status, message: Bytes(zeroEnded: mainstem_last_error()), text: Bytes(""),
        subject: Bytes("")))
  }

  /// That of an answer; of a secret only the code.
  init(_ answer: UnsafePointer<mainstem_event>) {
    guard answer.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) == 0 else {
      self.init(code: answer.pointee.status)
      return
    }
    self.init(ErrorValue(of: answer))
  }

  var code: mainstem_status { error.code }

  /// Its texts are zero-terminated.
  var shown: mainstem_error {
    var shown = mainstem_error()
    shown.size = UInt32(MemoryLayout<mainstem_error>.size)
    shown.code = code
    shown.message = text(error.message)
    shown.user_message = text(error.text)
    shown.subject = text(error.subject)
    return shown
  }

  private func text(_ bytes: Bytes) -> UnsafePointer<CChar> {
    bytes.start.assumingMemoryBound(to: CChar.self)
  }

  func free() { Memory.free(memory) }
}
