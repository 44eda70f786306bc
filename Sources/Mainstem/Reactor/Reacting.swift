// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
public import MainstemSignals

/// What makes a live view model a reactor.
///
/// What happens for each action is compiled with the program, which knows the types.
@usableFromInline final class Reacting<R: Reactor> {
  /// The name of what its mutations are on the stream, behind the owner's.
  static var mutation: String { "mutation" }

  @usableFromInline typealias Start = (Reacting, R.Action, Mutating) throws -> SignalRun?
  private typealias Pulse = (R.Mutation, EventTypes) throws -> [UInt8]?

  private unowned let house: ModelHouse<R>
  @usableFromInline let form = MutationForm(R.Mutation.self)
  /// The row of its mutations.
  private let place: Int
  private var pulses: [(place: Int, tell: Pulse)] = []
  @usableFromInline private(set) var hasPulses = false
  /// What views saw of the state last. Not an Optional, whose type would be looked up each time.
  private var seen: R.State
  private var isOld = true
  /// Gets the actions, of a stub; nil: it is none.
  private var record: ((R.Action) -> Void)?
  /// The clock of its runs.
  private lazy var ownClock = ReactorClock(house)

  private init(_ house: ModelHouse<R>) {
    self.house = house
    place = house.kind.place(of: Self.mutation)
    seen = house.server.state
  }

  /// That of a view model, which is made for its first row.
  static func of(_ house: ModelHouse<R>) -> Reacting {
    if let known = house.reacting as? Reacting { return known }
    let made = Reacting(house)
    house.reacting = made
    return made
  }

  /// Adds a row of pulses.
  func tell(_ name: String, _ pulse: @escaping (R.Mutation, EventTypes) throws -> [UInt8]?) {
    pulses.append((house.kind.place(of: name), pulse))
    hasPulses = true
  }

  /// What views see of the state.
  var shown: R.State {
    if isOld {
      let house = house
      seen = house.server.transform(state: house.server.state)
      isOld = false
    }
    return seen
  }

  /// Carries an action out.
  func act(
    _ delivery: borrowing Delivery, _ make: (mainstem_event, EventTypes) throws -> R.Action,
    _ start: Start
  ) {
    do {
      let action = try make(delivery.event.pointee, delivery.types)
      if let record { return record(action) }
      let mutating = Mutating(house, delivery.event)
      if let run = try start(self, action, mutating) { try mutating.goOn(run, delivery) }
    } catch {
      _ = Failure(error).answer(delivery.event)
    }
  }

  /// Takes the mutation that an event of others stands for, if it stands for one.
  func merge(
    _ delivery: borrowing Delivery, _ mutation: () -> Result<R.Mutation?, any Error>
  ) {
    do {
      if let mutation = try mutation().get() { try take(mutation, of: nil) }
    } catch {
      delivery.fail(Failure(error))
    }
  }
}

/// Compiled with the program.
extension Reacting {
  /// Starts the run of an action; nil: it is over, or dropped.
  @inlinable func start(_ action: R.Action, _ run: Mutating) throws -> SignalRun? {
    var made: Signal<R.Mutation, Failure>?
    try look { reactor in
      if let action = reactor.transform(action: action) { made = try reactor.mutate(action) }
    }
    guard let mutations = made else { return nil }
    if let supply = mutations.supply(on: clock) {
      try supply { (mutation) throws(Failure) in try take(mutation, of: run) }
      return nil
    }
    return
      mutations
      .tryMap { [self] (mutation) throws(Failure) in try take(mutation, of: run) }
      .start(on: clock) { event in
        switch event {
        case .next: break
        case .completed: run.end(nil)
        case .failed(let failure): run.end(failure)
        }
      }
  }

  /// Takes a mutation: sends it, then reduces it. Where it is refused, nothing has changed.
  ///
  /// - Parameter run: The run of its action; nil: it belongs to none.
  @inlinable func take(_ mutation: R.Mutation, of run: Mutating?) throws(Failure) {
    if isStub { return }
    var wanted: R.Mutation?
    look { wanted = $0.transform(mutation: mutation) }
    guard let mutation = wanted else { return }
    do {
      if form.isEmpty {
        try send(UnsafeRawBufferPointer(start: nil, count: 0), of: run)
      } else if try !form.form.with(mutation, { try send($0, of: run) }) {
        try encode(mutation).withUnsafeBytes { try send($0, of: run) }
      }
      change { R.reduce(&$0, mutation) }
      if hasPulses { try tell(mutation) }
    } catch {
      throw Failure(error)
    }
  }
}

/// What that calls.
extension Reacting {
  @usableFromInline var clock: SignalClock { ownClock }

  @usableFromInline var isStub: Bool { record != nil }

  /// Lends it, so that nothing is copied to be looked at.
  @usableFromInline func look(_ body: (inout R) throws -> Void) rethrows {
    try body(&house.server)
  }

  @usableFromInline func change(_ body: (inout R.State) -> Void) {
    isOld = true
    body(&house.server.state)
    house.hasChanged()
  }

  @usableFromInline func encode(_ mutation: R.Mutation) throws -> [UInt8] {
    try house.types.coder.encode(mutation)
  }

  @usableFromInline func tell(_ mutation: R.Mutation) throws {
    for pulse in pulses {
      if let bytes = try pulse.tell(mutation, house.types) { house.tell(bytes, row: pulse.place) }
    }
  }

  @usableFromInline func send(
    _ bytes: UnsafeRawBufferPointer, of run: Mutating?
  ) throws(StreamError) {
    let number = house.kind.numbers[place]
    let status =
      if let run {
        mainstem_respond_progress(run.action, number, bytes.baseAddress, bytes.count)
      } else {
        mainstem_send(house.scope, number, bytes.baseAddress, bytes.count)
      }
    try StreamError.check(status)
  }
}

extension Reacting {
  /// Does nothing from now on but to show states that a test gives.
  ///
  /// - Parameter record: Gets the actions.
  /// - Returns: The type of the notices that are such a state.
  func stub(_ record: @escaping (R.Action) -> Void) throws -> mainstem_event_type {
    self.record = record
    let (house, types) = (house, house.types)
    let number = try house.kind.type(
      "state", Payload.json.contract | Role.notice.contract, .view, types)
    let callback = Callback(types) { [self] delivery in
      let bytes = types.spareBytes(of: delivery.event.pointee)
      let state = try types.coder.decode(R.State.self, from: bytes)
      change { $0 = state }
    }
    try house.observe(number, of: house.context, through: house.context, callback)
    return number
  }
}

/// One run of an action: its signal, until that has ended or the action has its answer.
///
/// It keeps the reactor, whose own end is the end of its runs.
@usableFromInline final class Mutating {
  private let house: AnyObject
  /// Its event: at first the one that was delivered, then that one kept.
  private(set) var action: UnsafePointer<mainstem_event>
  private var kept: Retained?
  private var isOver = false
  private var failure: Failure?

  init(_ house: AnyObject, _ action: UnsafePointer<mainstem_event>) {
    (self.house, self.action) = (house, action)
  }

  /// Goes on behind the action's handler, if it is not over. If it is, the library gives the answer.
  func goOn(_ run: SignalRun, _ delivery: borrowing Delivery) throws {
    if isOver {
      if let failure { throw failure }
      return
    }
    let kept = try Retained(delivery.event)
    (self.kept, action) = (kept, kept.event)
    // The run ends with this closure, which is released uncalled if the reactor ends.
    try delivery.onSettled { [self] in
      run.cancel()
      self.kept = nil
    }
  }

  /// The signal has ended.
  @usableFromInline func end(_ failure: Failure?) {
    (isOver, self.failure) = (true, failure)
    guard let kept else { return }
    self.kept = nil
    // Refused: somebody else has settled it.
    _ = failure?.answer(kept.event) ?? mainstem_respond(kept.event, nil, 0)
  }
}

/// How mutations travel: as values do; of a type without fields, without a payload.
@usableFromInline struct MutationForm {
  @usableFromInline let form: ValueForm
  @usableFromInline let isEmpty: Bool

  init<Mutation: Codable>(_ type: Mutation.Type) {
    form = ValueForm(type)
    isEmpty = form == .json && (try? Mutation(from: EmptyDecoder())) != nil
  }

  var payload: Payload { isEmpty ? .none : form.payload }
}
