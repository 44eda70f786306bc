// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
    model.pointee.stream.readBool(enabled, model.pointee.origin) ?? (enabler == 0)
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
