// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A command of a model: its runs, and what views see of it. For the deliverer, but for what never changes.
struct Command {
  /// The handler of its requests. First, so that a pointer to this is a row for a frame.
  var row: Subscription.Pointer?
  let model: Model.Pointer
  let function: mainstem_event_fn
  let policy: Policy
  /// Whether an answer has no payload, so that the library can give it.
  let answersItself: Bool
  let enabled: UInt32
  let executing: UInt32
  let error: UInt32
  /// The value that enables it; 0: it is always enabled.
  var enabler: UInt32 = 0
  /// The command that ends its runs; 0: none does.
  var ender: UInt32 = 0
  /// In the order of the requests.
  var runs = List<Run, Run.OfCommand>()
  /// The answer of the last run, if that failed and is not shown yet.
  var failure: QueuedEvent.Pointer?
  var shown = Shown()

  typealias Pointer = UnsafeMutablePointer<Command>

  enum Policy: UInt32 {
    case refuse = 0
    case queue = 1
    case latest = 2
    case concurrent = 3
  }

  /// What was set last.
  struct Shown {
    var enabled: Bool?
    var executing: Bool?
    var error = Error.unset

    enum Error {
      case unset
      case empty
      case text
      /// It is to be cleared.
      case outdated
    }

    /// Forgets what was set outside callbacks. A replay has left that out and feeds it instead, so that only the stream
    /// knows what is there.
    mutating func forgetInputs() {
      (enabled, executing) = (nil, nil)
      if error == .empty { error = .unset }
    }
  }

  /// How many runs may wait.
  private static var most: Int { 64 }
}

/// What becomes of a run.
extension Command {
  var isExecuting: Bool { !runs.all { $0.pointee.state != .executes } }

  private var isBusy: Bool { !runs.all { !$0.pointee.isBusy } }

  var firstWaiting: Run.Pointer? {
    var found: Run.Pointer?
    _ = runs.all { run in
      if run.pointee.state == .waits { found = run }
      return found == nil
    }
    return found
  }

  /// Whether another run would have to wait, or to be refused.
  var keepsOthersWaiting: Bool {
    policy != .concurrent && (isBusy || firstWaiting != nil)
  }

  /// Whether the one that waits first may begin.
  var canGoOn: Bool { !isBusy && firstWaiting != nil }

  /// Why another run is refused.
  var refusal: Status? {
    if !isEnabled { return .disabled }
    switch policy {
    case .refuse: return isBusy ? .executing : nil
    case .queue: return countWaiting() >= Command.most ? .full : nil
    case .latest, .concurrent: return nil
    }
  }

  private func countWaiting() -> Int {
    var count = 0
    runs.each { if $0.pointee.state == .waits { count &+= 1 } }
    return count
  }

  /// Whether it is enabled, as was last delivered.
  var isEnabled: Bool {
    model.pointee.readBool(enabled) ?? (enabler == 0)
  }

  /// A run begins: what was wrong is no longer shown.
  mutating func forgetFailure() {
    failure.map { QueuedEvent.release($0) }
    failure = nil
    if shown.error == .text { shown.error = .outdated }
  }

  /// A run has failed.
  mutating func fail(_ answer: QueuedEvent.Pointer) {
    forgetFailure()
    QueuedEvent.retain(answer)
    failure = answer
  }
}

extension Status {
  /// What is said of a run that a command refuses.
  var ofRefusedRun: Phrase {
    switch self {
    case .disabled: "is disabled now"
    case .executing: "is executing already"
    default: "has 64 runs waiting already"
    }
  }
}

extension ErrorValue {
  /// What a run is answered that a command refuses.
  init(ofRefusedRun status: Status) {
    self.init(
      code: status.rawValue, message: status.ofRefusedRun.bytes, text: Bytes(""),
      subject: Bytes(""))
  }
}

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
      || model.pointee.readBoolInTime(enabler) ?? false
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

/// What enables a command.
extension Model {
  /// A BOOL that was delivered; nil: it is unset.
  fileprivate func readBool(_ type: UInt32) -> Bool? {
    stream.withValues {
      guard let value = stream.values.pointee.find(type, origin), value.pointee.isSet,
        !value.pointee.isMarked,
        let payload = value.pointee.payload
      else { return nil }
      return payload.load(as: UInt8.self) != 0
    }
  }

  /// A BOOL that will be there when what this thread has set is delivered.
  fileprivate func readBoolInTime(_ type: UInt32) -> Bool? {
    let isWaiting = stream.withValues { () -> Bool? in
      guard let value = stream.values.pointee.find(type, origin) else { return nil }
      let waiting =
        stream.sendsOutput ? value.pointee.output : value.pointee.input ?? value.pointee.output
      guard let event = waiting.map({ QueuedEvent.event(of: $0) }), event.pointee.size == 1 else {
        return nil
      }
      return event.pointee.data.load(as: UInt8.self) != 0
    }
    return isWaiting ?? readBool(type)
  }
}
