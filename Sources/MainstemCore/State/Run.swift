// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// One run of a command. Its call is kept with the request, so it hears when the answer has been delivered. For the
/// deliverer.
struct Run {
  /// First, so that a pointer to it is a pointer to the run.
  var call: SettledCall
  /// Nil: the model has ended.
  var command: Command.Pointer?
  /// The request.
  let handle: Handle
  var state = State.begun
  /// The request, retained until the run begins.
  var request = Handle.none
  private var links = Links<Run>()

  typealias Pointer = UnsafeMutablePointer<Run>

  enum State {
    /// It has not begun.
    case waits
    /// It was refused or replaced before it began.
    case dropped
    /// The function was called, and nothing has been shown since.
    case begun
    case executes
    /// It was answered before anything was shown.
    case answered
  }
}

extension Run: Listed {
  enum OfCommand: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<Run> { node.pointee.links }

  static func set(_ links: Links<Run>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

extension Run {
  /// The run that a request is; nil without memory.
  static func make(_ event: UnsafePointer<mainstem_event>, _ slot: Slot.Pointer) -> Pointer? {
    guard let run = Memory.allocate(Run.self) else { return nil }
    run.initialize(
      to: Run(
        call: .last({ Run.end($0) }, run, slot), command: nil,
        handle: Handle(bits: event.pointee.reply)))
    return run
  }

  /// Its call, which goes to its request.
  static func call(of run: Pointer) -> SettledCall.Pointer {
    UnsafeMutableRawPointer(run).assumingMemoryBound(to: SettledCall.self)
  }

  /// The function of its call.
  private static func end(_ run: UnsafeMutableRawPointer?) {
    guard let run = run?.assumingMemoryBound(to: Run.self), let frame = Frame.innermost else {
      return
    }
    Runs(stream: frame.pointee.stream).end(run, in: frame)
  }

  /// Whether it keeps others from running.
  var isBusy: Bool { state == .begun || state == .executes }

  /// Gives the retained request back.
  mutating func release() {
    if request != .none { try? Stream.endRetained(request) }
    request = .none
  }
}

/// The handler of everything that a model is told.
package func tellModel(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let model = userData?.assumingMemoryBound(to: Model.self), let event,
    let row = model.pointee.row(of: event.pointee.type)
  else { return }
  if let command = row.command {
    Runs(stream: model.pointee.stream).request(event, of: command)
  } else if model.pointee.reactor?.pointee.isStub != true {
    row.function?(model.pointee.userData, event)
  }
}

/// Runs of commands. For the deliverer, in the frame of a callback of the model's server.
///
/// A run that waits begins where the one before it ends: when the answer to that has reached its observers, its requester
/// and all who were told that it is settled. There the frame is that of the answer, so law 3 holds, and what the function
/// sends has the answer as its cause, in a replay, too.
private struct Runs {
  let stream: Stream

  /// A command is requested.
  func request(
    _ event: UnsafePointer<mainstem_event>, of command: Command.Pointer
  ) {
    let late = UInt32(MAINSTEM_EVENT_LATE)
    guard event.pointee.flags & late == 0, let frame = Frame.innermost else { return }
    guard event.pointee.reply != 0 else { return }
    command.pointee.row = frame.pointee.row
    command.pointee.model.pointee.origin = event.pointee.origin
    if let refusal = command.pointee.refusal {
      return refuse(event, ErrorValue(ofRefusedRun: refusal))
    }
    let waits = command.pointee.keepsOthersWaiting
    do throws(Refusal) {
      guard let run = try track(event, of: command, waits) else { return }
      if waits {
        if command.pointee.policy == .latest {
          giveUp(command, but: run, "a newer run has taken its place", in: frame)
        }
      } else {
        begin(run, event, in: frame)
      }
    } catch {
      refuse(event, ErrorValue(error.status, "there was no memory for the run"))
    }
  }

  private func refuse(_ event: UnsafePointer<mainstem_event>, _ error: ErrorValue) {
    Requests.answer(event, .error(error))
  }

  /// Makes the run that a request is, and adds it to those of its command; nil: the request is over.
  private func track(
    _ event: UnsafePointer<mainstem_event>, of command: Command.Pointer, _ waits: Bool
  ) throws(Refusal) -> Run.Pointer? {
    let handle = Handle(bits: event.pointee.reply)
    guard let (slot, _) = Slot.find(handle) else { return nil }
    let run = try stream.trying { _ throws(Refusal) in
      guard let run = Run.make(event, slot) else { throw .noMemory }
      guard waits else { return run }
      run.pointee.state = .waits
      do throws(Refusal) {
        run.pointee.request = try Stream.retain(event)
      } catch {
        Memory.free(run)
        throw error
      }
      return run
    }
    guard stream.requests.keepUntilSettled(Run.call(of: run), with: handle) else {
      run.pointee.release()
      Memory.free(run)
      return nil
    }
    run.pointee.command = command
    command.pointee.runs.append(run)
    return run
  }

  /// Begins a run: calls the program's function, and answers for it if that has done the work.
  private func begin(
    _ run: Run.Pointer, _ event: UnsafePointer<mainstem_event>,
    in frame: UnsafeMutablePointer<Frame>
  ) {
    guard let command = run.pointee.command else { return }
    run.pointee.state = .begun
    command.pointee.forgetFailure()
    command.pointee.model.pointee.eachCommand { other in
      if other.pointee.ender == event.pointee.type {
        giveUp(other, but: run, "another command has ended it", in: frame)
      }
    }
    stream.deliverer.pointee.shows.isRetained = false
    call(command, event)
    if stream.isForked { return }
    stream.deliverer.pointee.shows.running = nil
    guard !stream.deliverer.pointee.shows.isRetained, !holdsAnswer(to: run, in: frame) else {
      return
    }
    guard command.pointee.answersItself, !frame.pointee.hasFailed else {
      return refuse(
        event,
        ErrorValue(.incomplete, "the command's function returned without an answer"))
    }
    Requests.answer(event, .payload(nil, 0))
  }

  /// Calls the program's function. An action may have been changed for it, or dropped.
  @inline(never)
  private func call(_ command: Command.Pointer, _ event: UnsafePointer<mainstem_event>) {
    let model = command.pointee.model
    guard let reactor = model.pointee.reactor else {
      stream.deliverer.pointee.shows.running = event
      return command.pointee.function(model.pointee.userData, event)
    }
    guard !reactor.pointee.isStub else { return }
    var action = event.pointee
    withUnsafeMutablePointer(to: &action) { action in
      stream.deliverer.pointee.shows.running = UnsafePointer(action)
      if Reactor.goesOn(reactor, model, action), !stream.isForked {
        command.pointee.function(model.pointee.userData, action)
      }
    }
  }

  /// Whether a callback of the model has answered a run since it showed last.
  private func holdsAnswer(
    to run: Run.Pointer, in frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    stream.deliverer.pointee.show(after: frame)?.pointee.holdsAnswer(to: run.pointee.handle)
      ?? false
  }

  /// Gives up the runs of a command, but one that takes their place, or ends them.
  @inline(never)
  private func giveUp(
    _ command: Command.Pointer, but last: Run.Pointer, _ reason: StaticString,
    in frame: UnsafeMutablePointer<Frame>
  ) {
    // All of them are about to be cancelled.
    guard (try? stream.demandOpen()) != nil else { return Stream.noteClosing() }
    command.pointee.runs.each { run in
      guard run != last, run.pointee.state == .executes || run.pointee.state == .waits else {
        return
      }
      if run.pointee.state == .waits {
        run.pointee.state = .dropped
        run.pointee.release()
      }
      cancel(run, reason, in: frame)
    }
  }

  /// Answers a run that nobody waits for any longer. The answer is the core's, so that the model is told.
  private func cancel(
    _ run: Run.Pointer, _ reason: StaticString, in frame: UnsafeMutablePointer<Frame>
  ) {
    try? stream.requests.tryingOpen { _ throws(Refusal) in
      stream.makeWay()
      let handle = run.pointee.handle
      guard let (slot, _) = Slot.find(handle), let request = stream.requests.settle(slot, handle)
      else {
        throw .lacking(.openRequest)
      }
      stream.requests.passProgress(request)
      let error = ErrorValue(.cancelled, reason)
      let kept = KeptEvent(stream.requests.draft(request, error), in: Request.room(of: request))
      if let show = stream.deliverer.pointee.show(after: frame) {
        stream.hold(kept, for: show, in: frame)
      } else {
        stream.enqueue(kept)
      }
    }
  }

  /// A run has its answer, and everybody who was to be told has been told. In the frame of the answer; without an event,
  /// if nobody can see that.
  func end(_ run: Run.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    defer { Memory.free(run) }
    guard let command = run.pointee.command else { return }
    let state = run.pointee.state
    command.pointee.runs.remove(run)
    run.pointee.release()
    guard let answer = frame.pointee.event, let row = command.pointee.row,
      let show = row.pointee.scope.pointee.show, Show.isLive(show)
    else { return }
    let hasRun = state != .waits && state != .dropped
    let status = answer.pointee.status
    let hasFailed =
      hasRun && status != Status.ok.rawValue && status != Status.cancelled.rawValue
    if hasFailed, let queued = stream.deliverer.pointee.current { command.pointee.fail(queued) }
    guard hasFailed || state == .executes || command.pointee.canGoOn else { return }
    stream.oweAfter(show, answer) {
      frame.pointee.go(to: Command.row(of: command))
      goOn(with: command, in: frame)
    }
  }

  /// Begins the first run that waits, if there is one and nothing runs.
  private func goOn(with command: Command.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    guard command.pointee.canGoOn else { return }
    // Those that wait are about to be cancelled.
    guard (try? stream.demandOpen()) != nil else { return Stream.noteClosing() }
    while command.pointee.canGoOn, let run = command.pointee.firstWaiting,
      let event = try? Stream.retained(run.pointee.request)
    {
      let isEnabled = command.pointee.isEnabled
      if isEnabled {
        begin(run, event, in: frame)
      } else {
        run.pointee.state = .dropped
        refuse(event, ErrorValue(ofRefusedRun: .disabled))
      }
      if stream.isForked { return }
      run.pointee.release()
      if isEnabled { return }
    }
  }
}

extension Command {
  /// The handler's row, for a frame.
  fileprivate static func row(of command: Pointer) -> UnsafeMutablePointer<Subscription.Pointer> {
    UnsafeMutableRawPointer(command).assumingMemoryBound(to: Subscription.Pointer.self)
  }
}

extension Show {
  /// Whether a request is answered as soon as it is paid.
  func holdsAnswer(to request: Handle) -> Bool {
    var isHeld = false
    _ = held.each { if $0.pointee.event.reply == request.bits { isHeld = true } }
    return isHeld
  }
}
