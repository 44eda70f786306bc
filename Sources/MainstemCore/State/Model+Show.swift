// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The show function of every model: the program's, then what views see of the commands.
package func showModel(
  _ userData: UnsafeMutableRawPointer?, _ server: OpaquePointer?,
  _: UnsafePointer<mainstem_event_type>?
) -> Int32 {
  guard let model = userData?.assumingMemoryBound(to: Model.self) else { return 0 }
  let stream = model.pointee.stream
  if let row = Frame.innermost?.pointee.row, let show = Show.of(row) {
    model.pointee.origin = row.pointee.scope.pointee.origin
    model.pointee.eachCommand { $0.pointee.noteExecuting(show) }
  }
  var status =
    model.pointee.reactor.map { Reactor.show($0, of: model, server) }
    ?? model.pointee.show?(model.pointee.userData, server, model.pointee.types) ?? 0
  guard !stream.isForked else { return status }
  model.pointee.eachCommand { command in
    do throws(Refusal) {
      try command.pointee.show(through: Handle(bits: UInt64(UInt(bitPattern: server))))
    } catch {
      if status == 0 { status = error.status.rawValue }
    }
  }
  if let reactor = model.pointee.reactor, !Status.isForLater(status) {
    let told = Reactor.tell(reactor, of: model, server)
    if status == 0 || Status.isForLater(told) { status = told }
  }
  return status
}

/// What views see of a command. Only what differs from what was set last is set.
extension Command {
  /// The runs that have begun and have no answer yet are executing from here on.
  fileprivate func noteExecuting(_ show: Show.Pointer) {
    runs.each { run in
      guard run.pointee.state == .begun else { return }
      run.pointee.state =
        show.pointee.holdsAnswer(to: run.pointee.handle) ? .answered : .executes
    }
  }

  fileprivate mutating func show(through server: Handle) throws(Refusal) {
    defer { if !model.pointee.stream.sendsOutput { shown.forgetInputs() } }
    let isEnabled =
      enabler == 0
      || model.pointee.stream.readBoolInTime(enabler, model.pointee.origin) ?? false
    if shown.enabled != isEnabled {
      try Command.set(enabled, to: isEnabled, through: server)
      shown.enabled = isEnabled
    }
    if shown.executing != isExecuting {
      try Command.set(executing, to: isExecuting, through: server)
      shown.executing = isExecuting
    }
    if failure != nil || shown.error == .unset || shown.error == .outdated {
      try showError(through: server)
    }
  }

  private static func set(
    _ type: UInt32, to isTrue: Bool, through server: Handle
  ) throws(Refusal) {
    var byte: UInt8 = isTrue ? 1 : 0
    try withUnsafePointer(to: &byte) { byte throws(Refusal) in
      try Stream.setValue(server, type, byte, 1, as: .all)
    }
  }

  private mutating func showError(through server: Handle) throws(Refusal) {
    guard let answer = failure else {
      try setError(Bytes(""), through: server)
      return shown.error = .empty
    }
    let event = QueuedEvent.event(of: answer)
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    let text = isSecret ? FailureReport.withheld : Bytes(zeroEnded: event.pointee.user_message)
    do throws(Refusal) {
      guard text.count > 0 else { throw .null("") }
      try setError(text, through: server)
    } catch {
      // A text that there is none of, or that is too long.
      guard error.status == .invalid || error.status == .tooBig else { throw error }
      do throws(Refusal) {
        try setError(Bytes("the command has failed"), through: server)
      } catch {
        // No text is short enough here.
        guard error.status == .tooBig else { throw error }
      }
    }
    forgetFailure()
    shown.error = .text
  }

  private func setError(_ text: Bytes, through server: Handle) throws(Refusal) {
    try Stream.setValue(server, error, text.start, text.count, as: .all)
  }
}
