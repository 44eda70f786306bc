// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// An undo log: observes the commands that a program requests, and requests what undoes them.
///
/// It is a server like any other, and all that it does it does in immediate callbacks: one of them at a time touches it.
/// Commands and undos count in the order of their requests, no matter when they are answered.
struct UndoLog {
  typealias Pointer = UnsafeMutablePointer<UndoLog>

  /// A row of its table.
  struct Row {
    let request: mainstem_event_type
    let undo: mainstem_event_type
    let make: mainstem_workflow_fn?
  }

  /// Commands that may be open, or wait behind one that is; and undos that may wait.
  static var mostCommands: Int { 16384 }
  static var mostWishes: Int { 1024 }

  let rows: UnsafeMutablePointer<Row>
  let rowCount: Int
  let undo: mainstem_event_type
  let shown: mainstem_event_type
  let limit: Int
  let stream: Stream
  let userData: UnsafeMutableRawPointer?
  var release: mainstem_release_fn?
  /// What its own requests come from.
  var origin: UInt32 = 0

  fileprivate var server: OpaquePointer?
  fileprivate var hasEnded = false
  /// Its callbacks on the stack: what it calls may run a hook of its own.
  fileprivate var depth = 0
  /// One for each release hook that is still to come: of the server, of its observer, and of wishes.
  fileprivate var uses = 1
  /// Commands that are not in the log yet, and undos that are not done, in the order of their requests.
  fileprivate var commands = Command.Commands()
  fileprivate var commandCount = 0
  fileprivate var wishes = Wish.Wishes()
  fileprivate var wishCount = 0
  /// What can be undone, the newest last; and what can be done again, the next one last.
  fileprivate var done = Command.Commands()
  fileprivate var undone = Command.Commands()
  /// How many steps can be undone.
  fileprivate var steps = 0
  fileprivate var isShown = false

  init(
    rows: UnsafeMutablePointer<Row>, rowCount: Int, undo: mainstem_event_type,
    shown: mainstem_event_type, limit: Int, stream: Stream, userData: UnsafeMutableRawPointer?
  ) {
    self.rows = rows
    self.rowCount = rowCount
    self.undo = undo
    self.shown = shown
    self.limit = limit
    self.stream = stream
    self.userData = userData
  }
}

/// A command: open, or waiting for one before it; then in the log.
private struct Command {
  typealias Pointer = UnsafeMutablePointer<Command>
  typealias Commands = List<Command, OfState>

  enum OfState: ListName { static var number: Int { 0 } }

  let row: UndoLog.Row
  let index: Int
  /// The request, as functions see it. Not a kept one: its server may forget to answer it.
  var request: mainstem_event
  let payload: Workflow.Payload
  /// What undoes it; nil: that has its payload.
  var inverse: Workflow.Payload?
  var isAnswered = false
  /// Whether it is in the log, once it is its turn.
  var isDone = false
  /// Whether it is one step together with the one before.
  var isJoined = false
  var links = Links<Command>()
}

extension Command: Listed {
  static func links(of node: Pointer, in list: Int) -> Links<Command> { node.pointee.links }
  static func set(_ links: Links<Command>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

/// A request to undo, or to do again.
private struct Wish {
  typealias Pointer = UnsafeMutablePointer<Wish>
  typealias Wishes = List<Wish, OfLog>

  enum OfLog: ListName { static var number: Int { 0 } }

  let log: UndoLog.Pointer
  let isUndo: Bool
  let position: UInt64
  /// The request, kept.
  let kept: OpaquePointer?
  /// What is requested for it now.
  var pending: OpaquePointer?
  var isRunning = false
  /// Whether the request is settled: only the answer to what was requested is still awaited.
  var isSettled = false
  /// Whether the log still keeps it, and how many release hooks are still to come. It is freed after all.
  var isKept = true
  var hooks = 0
  /// Answers whose hook is still to come.
  var answers = 0
  var links = Links<Wish>()

  var request: UnsafePointer<mainstem_event>? {
    var event: UnsafePointer<mainstem_event>?
    return mainstem_retained_event(kept, &event) == 0 ? event : nil
  }
}

extension Wish: Listed {
  static func links(of node: Pointer, in list: Int) -> Links<Wish> { node.pointee.links }
  static func set(_ links: Links<Wish>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

// MARK: - What it gets

extension UndoLog {
  /// The handler of both its rows.
  static let handle: mainstem_event_fn = { userData, event in
    guard let log = userData?.assumingMemoryBound(to: UndoLog.self), let event else { return }
    log.pointee.server = event.pointee.context
    log.entered { log.take(event) }
  }

  /// The observer of commands and their answers. In a muted replay it keeps nothing, since no undo is called.
  static let observe: mainstem_event_fn = { userData, event in
    guard let log = userData?.assumingMemoryBound(to: UndoLog.self), let event,
      !log.pointee.stream.mutesHandlers(at: Schedulers.immediate)
    else { return }
    log.pointee.server = event.pointee.context
    log.entered {
      if event.pointee.answers == 0 {
        log.add(event)
      } else if let command = log.command(at: event.pointee.answers) {
        log.note(event, for: command)
      }
      log.advance()
    }
  }

  /// Its show function.
  static let show: mainstem_show_fn = { userData, server, _ in
    userData?.assumingMemoryBound(to: UndoLog.self).show(server) ?? 0
  }

  /// Its scope has ended.
  static let end: mainstem_release_fn = { userData in
    guard let log = userData?.assumingMemoryBound(to: UndoLog.self) else { return }
    log.entered {
      log.pointee.hasEnded = true
      log.pointee.uses &-= 1
    }
  }

  static let unobserve: mainstem_release_fn = { userData in
    guard let log = userData?.assumingMemoryBound(to: UndoLog.self) else { return }
    log.entered { log.pointee.uses &-= 1 }
  }

  fileprivate static let settled: mainstem_settled_fn = { userData in
    guard let wish = userData?.assumingMemoryBound(to: Wish.self), wish.pointee.isKept else {
      return
    }
    let log = wish.pointee.log
    wish.pointee.isSettled = true
    guard !wish.pointee.isRunning else {
      mainstem_pending_cancel(wish.pointee.pending)
      return
    }
    log.entered {
      log.forget(wish)
      log.advance()
    }
  }

  fileprivate static let unwatch: mainstem_release_fn = { userData in
    guard let wish = userData?.assumingMemoryBound(to: Wish.self) else { return }
    let log = wish.pointee.log
    log.entered { log.release(wish) }
  }

  fileprivate static let answered: mainstem_event_fn = { userData, event in
    guard let wish = userData?.assumingMemoryBound(to: Wish.self), let event else { return }
    let log = wish.pointee.log
    wish.pointee.answers &+= 1
    log.entered { log.note(event, for: wish) }
  }

  /// A request is over. Without an answer if that cannot be recorded: then nothing goes on.
  fileprivate static let over: mainstem_release_fn = { userData in
    guard let wish = userData?.assumingMemoryBound(to: Wish.self) else { return }
    let log = wish.pointee.log
    log.entered {
      if wish.pointee.answers > 0 {
        wish.pointee.answers &-= 1
      } else {
        log.forget(wish)
      }
      log.release(wish)
    }
  }
}

extension UnsafeMutablePointer where Pointee == UndoLog {
  /// Makes a callback. What has ended is given up behind the outermost one.
  fileprivate func entered(_ body: () -> Void) {
    pointee.depth &+= 1
    body()
    if pointee.hasEnded, pointee.depth == 1 {
      empty()
      pointee.wishes.each { wish in if !wish.pointee.isRunning { forget(wish) } }
      let release = pointee.release
      pointee.release = nil
      release?(pointee.userData)
    }
    pointee.depth &-= 1
    if pointee.uses == 0, pointee.depth == 0 { free() }
  }
}

// MARK: - Commands

extension UnsafeMutablePointer where Pointee == UndoLog {
  /// A command is requested; what the log itself requests is none.
  fileprivate func add(_ event: UnsafePointer<mainstem_event>) {
    let (tracked, shared) = (UInt32(MAINSTEM_EVENT_TRACKED), UInt32(MAINSTEM_EVENT_SHARED))
    guard event.pointee.flags & (tracked | shared) == tracked,
      event.pointee.origin != pointee.origin, let index = index(of: event.pointee.type)
    else { return }
    guard pointee.commandCount < UndoLog.mostCommands else {
      return lose(WorkflowFailure(.full, Bytes("more than 16,384 commands wait for one another")))
    }
    guard let command = Memory.allocate(Command.self) else { return lose(.noMemory) }
    let size = Int(event.pointee.size)
    guard let payload = Workflow.Payload(copying: event.pointee.data, size, isSecret: false) else {
      Memory.free(command)
      return lose(.noMemory)
    }
    let none: Phrase = ""
    var request = event.pointee
    request.data = UnsafeRawPointer(payload.data)
    request.user_message = none.text
    request.reply = 0
    command.initialize(
      to: Command(row: pointee.rows[index], index: index, request: request, payload: payload))
    pointee.commands.append(command)
    pointee.commandCount &+= 1
  }

  private func index(of type: mainstem_event_type) -> Int? {
    for index in 0..<pointee.rowCount where pointee.rows[index].request == type { return index }
    return nil
  }

  fileprivate func command(at position: UInt64) -> Command.Pointer? {
    pointee.commands.last { $0.pointee.request.position == position }
  }

  /// A command is answered.
  fileprivate func note(_ event: UnsafePointer<mainstem_event>, for command: Command.Pointer) {
    command.pointee.isAnswered = true
    guard event.pointee.status == 0, let isDone = makeInverse(of: command, event) else { return }
    command.pointee.isDone = isDone
  }

  /// Makes what undoes a command, from its answer.
  ///
  /// - Returns: Whether anything does; nil: the log is lost.
  private func makeInverse(
    of command: Command.Pointer, _ answer: UnsafePointer<mainstem_event>
  ) -> Bool? {
    guard let function = command.pointee.row.make else { return true }
    let making = withUnsafePointer(to: &command.pointee.request) { request in
      withUnsafePointer(to: Optional(answer)) { answers in
        var run = mainstem_workflow_run()
        run.request = request
        run.answers = answers
        run.count = 1
        run.row = command.pointee.index
        run.undoes = true
        return WorkflowMaking.call(function, pointee.userData, run) {
          typeName(command.pointee.row.undo, pointee.server)
        }
      }
    }
    switch making.outcome {
    case .passed(let payload):
      command.pointee.inverse?.free()
      command.pointee.inverse = payload
      return true
    case .skipped: return false
    case .nothing, .failed:
      lose(making.failure)
      return nil
    }
  }

  /// Forgets all commands, since one cannot be kept: those before it could not be undone without it.
  private func lose(_ failure: WorkflowFailure) {
    empty()
    var message = SubjectWriter()
    message.add("the undo log is empty now: ")
    message.add(failure.error.message)
    let told = WorkflowFailure(
      ErrorValue(
        code: failure.code, message: message.bytes, text: Bytes(""), subject: Bytes("")),
      short: "the undo log is empty now")
    if let event = Frame.innermost?.pointee.event {
      mainstem_fail(event, failure.code, told.shown.message)
    }
    told.free()
    failure.free()
  }

  private func empty() {
    let lists = (pointee.commands, pointee.done, pointee.undone)
    (pointee.commands, pointee.done) = (Command.Commands(), Command.Commands())
    (pointee.undone, pointee.commandCount, pointee.steps) = (Command.Commands(), 0, 0)
    pointee.isShown = false
    lists.0.each { $0.free() }
    lists.1.each { $0.free() }
    lists.2.each { $0.free() }
  }

  /// Does what comes next, in the order of the requests, until a command or what undoes it is open.
  fileprivate func advance() {
    while !pointee.hasEnded {
      let wish = pointee.wishes.first
      while let command = pointee.commands.first,
        command.pointee.request.position < wish?.pointee.position ?? .max
      {
        guard command.pointee.isAnswered else { return }
        pointee.commands.remove(command)
        pointee.commandCount &-= 1
        if command.pointee.isDone { keep(command) } else { command.free() }
      }
      guard let wish, !wish.pointee.isRunning else { return }
      begin(wish)
    }
  }

  /// Adds a command to the log: nothing can be done again, and the oldest step may be forgotten.
  private func keep(_ command: Command.Pointer) {
    pointee.undone.each { $0.free() }
    pointee.undone = Command.Commands()
    let cause = command.pointee.request.cause
    command.pointee.isJoined = cause != 0 && pointee.done.last?.pointee.request.cause == cause
    append(command)
    pointee.isShown = false
    while pointee.steps > pointee.limit {
      pointee.steps &-= 1
      repeat {
        guard let oldest = pointee.done.first else { return }
        pointee.done.remove(oldest)
        oldest.free()
      } while pointee.done.first?.pointee.isJoined ?? false
    }
  }

  private func append(_ command: Command.Pointer) {
    pointee.done.append(command)
    if !command.pointee.isJoined { pointee.steps &+= 1 }
  }
}

extension UnsafeMutablePointer where Pointee == Command {
  fileprivate func free() {
    pointee.payload.free()
    pointee.inverse?.free()
    Memory.free(self)
  }
}

// MARK: - Undos

extension UnsafeMutablePointer where Pointee == UndoLog {
  /// An undo arrives.
  fileprivate func take(_ event: UnsafePointer<mainstem_event>) {
    guard pointee.wishCount < UndoLog.mostWishes else {
      let message: Phrase = "1,024 undos wait already"
      mainstem_respond_error(event, Status.full.rawValue, message.text)
      return
    }
    let noMemory: Phrase = "out of memory"
    guard let wish = add(wish: event) else {
      mainstem_respond_error(event, Status.noMemory.rawValue, noMemory.text)
      return
    }
    wish.pointee.hooks = 1
    if mainstem_event_on_settled(event, UndoLog.settled, wish, UndoLog.unwatch) != 0 {
      wish.pointee.hooks = 0
      mainstem_respond_error(event, Status.noMemory.rawValue, noMemory.text)
      forget(wish)
    }
    advance()
  }

  private func add(wish event: UnsafePointer<mainstem_event>) -> Wish.Pointer? {
    guard let wish = Memory.allocate(Wish.self) else { return nil }
    var kept: OpaquePointer?
    guard mainstem_event_retain(event, &kept) == 0 else {
      Memory.free(wish)
      return nil
    }
    wish.initialize(
      to: Wish(
        log: self, isUndo: event.pointee.type == pointee.undo, position: event.pointee.position,
        kept: kept))
    pointee.wishes.append(wish)
    pointee.wishCount &+= 1
    pointee.uses &+= 1
    return wish
  }

  private func top(for wish: Wish.Pointer) -> Command.Pointer? {
    wish.pointee.isUndo ? pointee.done.last : pointee.undone.last
  }

  /// Requests what undoes the newest command, or the one undone last once more. Within a step nothing is shown.
  private func begin(_ wish: Wish.Pointer) {
    guard let command = top(for: wish) else {
      let message: Phrase =
        wish.pointee.isUndo ? "there is nothing to undo" : "there is nothing to do again"
      if let request = wish.pointee.request {
        mainstem_respond_error(request, Status.unset.rawValue, message.text)
      }
      return forget(wish)
    }
    let row = command.pointee.row
    let inverse = wish.pointee.isUndo ? command.pointee.inverse : nil
    let payload = inverse ?? command.pointee.payload
    wish.pointee.isRunning = true
    wish.pointee.hooks &+= 1
    let status = mainstem_request_with(
      pointee.server, wish.pointee.isUndo ? row.undo : row.request, payload.data, payload.size, nil,
      UndoLog.answered, wish, UndoLog.over, &wish.pointee.pending)
    guard status != 0 else { return }
    wish.pointee.isRunning = false
    wish.pointee.hooks &-= 1
    pointee.isShown = false
    if let request = wish.pointee.request {
      mainstem_respond_error(request, status, mainstem_last_error())
    }
    forget(wish)
  }

  /// What was requested is answered. If it failed, the command stays where it was.
  fileprivate func note(_ event: UnsafePointer<mainstem_event>, for wish: Wish.Pointer) {
    wish.pointee.pending = nil
    guard !pointee.hasEnded else { return forget(wish) }
    let isDone = event.pointee.status == 0
    let goesOn = isDone && move(for: wish, event) && !wish.pointee.isSettled
    wish.pointee.isRunning = false
    guard !pointee.hasEnded else { return forget(wish) }
    if goesOn {
      begin(wish)
    } else {
      pointee.isShown = false
      if !wish.pointee.isSettled, let request = wish.pointee.request {
        if isDone { request.respond(nil, 0) } else { event.relay(to: request) }
      }
      forget(wish)
    }
    advance()
  }

  /// Moves the command that was undone, or done again.
  ///
  /// - Returns: Whether the step has more commands.
  private func move(for wish: Wish.Pointer, _ answer: UnsafePointer<mainstem_event>) -> Bool {
    // None: the log was lost meanwhile.
    guard let command = top(for: wish) else { return false }
    if wish.pointee.isUndo {
      pointee.done.remove(command)
      pointee.undone.append(command)
      if !command.pointee.isJoined { pointee.steps &-= 1 }
      return command.pointee.isJoined
    }
    guard let isDone = makeInverse(of: command, answer), !pointee.undone.isEmpty else {
      return false
    }
    pointee.undone.remove(command)
    let next = pointee.undone.last
    let goesOn = next?.pointee.isJoined ?? false
    if isDone {
      append(command)
    } else {
      if goesOn, !command.pointee.isJoined { next?.pointee.isJoined = false }
      command.free()
    }
    return goesOn
  }

  fileprivate func forget(_ wish: Wish.Pointer) {
    pointee.wishes.remove(wish)
    pointee.wishCount &-= 1
    mainstem_retained_release(wish.pointee.kept)
    wish.pointee.isKept = false
    wish.pointee.hooks &+= 1
    release(wish)
  }

  /// One of its hooks is over.
  fileprivate func release(_ wish: Wish.Pointer) {
    wish.pointee.hooks &-= 1
    guard !wish.pointee.isKept, wish.pointee.hooks == 0 else { return }
    Memory.free(wish)
    pointee.uses &-= 1
  }
}

// MARK: - What it shows

extension UnsafeMutablePointer where Pointee == UndoLog {
  /// Sets its value, if that may have changed.
  fileprivate func show(_ server: OpaquePointer?) -> mainstem_status {
    guard !pointee.isShown else { return 0 }
    var measure = JSONWriter(nil)
    write(server, to: &measure)
    guard let memory = Memory.allocate(UInt8.self, count: measure.length) else {
      return Status.noMemory.rawValue
    }
    defer { Memory.free(memory) }
    var writer = JSONWriter(UnsafeMutableRawPointer(memory))
    write(server, to: &writer)
    let status = mainstem_value_set(server, pointee.shown, memory, writer.length)
    pointee.isShown = status == 0
    return status
  }

  /// Of a step of several commands, the first one names it.
  private func write(_ server: OpaquePointer?, to writer: inout JSONWriter) {
    let undo = pointee.done.last { !$0.pointee.isJoined }
    writer.open()
    writer.member("undo", undo.map { typeName($0.pointee.row.request, server) } ?? Bytes(""))
    writer.member(
      "redo", pointee.undone.last.map { typeName($0.pointee.row.request, server) } ?? Bytes(""))
    writer.member("count", Int64(pointee.steps))
    writer.close()
  }

  /// Frees a log that nobody calls any longer.
  func free() {
    Memory.free(pointee.rows)
    Memory.free(self)
  }

  /// Its observer is to be added: one hook more.
  func use() { pointee.uses &+= 1 }

  func unuse() { pointee.uses &-= 1 }
}
