// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What makes a live view model a reactor.
final class Reacting<R: Reactor>: Family {
  /// The name of what its mutations are on the stream, behind the owner's.
  static var mutation: String { "mutation" }

  private typealias Pulse = (R.Mutation, EventTypes) throws -> [UInt8]?

  private unowned let house: ModelHouse<R>
  private let form = MutationForm(R.Mutation.self)
  /// The row of its mutations.
  private let place: Int
  private var pulses: [(place: Int, tell: Pulse)] = []
  /// What views see of the state, once somebody has asked.
  private var seen: R.State?
  /// Gets the actions, of a stub; nil: it is none.
  private var record: ((R.Action) -> Void)?
  /// The clock of its runs.
  private(set) lazy var clock = ReactorClock(house)

  private init(_ house: ModelHouse<R>) {
    self.house = house
    place = house.kind.place(of: Self.mutation)
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
  }

  /// What views see of the state.
  var shown: R.State {
    if let seen { return seen }
    let made = house.server.transform(state: house.server.state)
    seen = made
    return made
  }

  /// Carries an action out.
  func act(
    _ delivery: borrowing Delivery,
    _ make: (mainstem_event, EventTypes) throws -> R.Action
  ) {
    do {
      let action = try make(delivery.event.pointee, delivery.types)
      if let record { return record(action) }
      guard let action = house.server.transform(action: action) else { return }
      let mutations = try house.server.mutate(action)
      try Mutating(house, self, delivery.event).start(mutations, delivery)
    } catch {
      _ = Failure(error).answer(delivery.event)
    }
  }

  /// Takes the mutation that an event of others stands for, if it stands for one.
  func merge(
    _ delivery: borrowing Delivery, _ mutation: () -> Result<R.Mutation?, any Error>
  ) {
    if record != nil { return }
    do {
      if let mutation = try mutation().get() { try take(mutation, of: nil) }
    } catch {
      delivery.fail(Failure(error))
    }
  }

  /// Takes a mutation: sends it, then reduces it. Where it is refused, nothing has changed.
  ///
  /// - Parameter action: The action's event; nil: it belongs to none.
  func take(
    _ mutation: R.Mutation, of action: UnsafePointer<mainstem_event>?
  ) throws(Failure) {
    if record != nil { return }
    guard let mutation = house.server.transform(mutation: mutation) else { return }
    do {
      try form.with(mutation, house.types) { bytes in try send(bytes, of: action) }
      // First: nobody shares what is about to change.
      seen = nil
      R.reduce(&house.server.state, mutation)
      for pulse in pulses {
        if let bytes = try pulse.tell(mutation, house.types) { house.tell(bytes, row: pulse.place) }
      }
    } catch {
      throw Failure(error)
    }
  }

  private func send(
    _ bytes: UnsafeRawBufferPointer, of action: UnsafePointer<mainstem_event>?
  ) throws(StreamError) {
    let number = house.kind.numbers[place]
    let status =
      if let action {
        mainstem_respond_progress(action, number, bytes.baseAddress, bytes.count)
      } else {
        mainstem_send(house.scope, number, bytes.baseAddress, bytes.count)
      }
    try StreamError.check(status)
  }

  /// Does nothing from now on but to show states that a test gives.
  ///
  /// - Parameter record: Gets the actions.
  /// - Returns: The type of the notices that are such a state.
  func stub(_ record: @escaping (R.Action) -> Void) throws -> mainstem_event_type {
    self.record = record
    let (house, types) = (house, house.types)
    let number = try house.kind.type(
      "state", Payload.json.contract | Role.notice.contract, .view, types)
    let callback = Callback { [self] event in
      let delivery = Delivery(event, types: types)
      do {
        house.server.state = try types.coder.decode(
          R.State.self, from: types.spareBytes(of: event.pointee))
        seen = nil
      } catch {
        delivery.fail(Failure(error))
      }
    }
    try house.observe(number, of: house.context, through: house.context, callback)
    return number
  }
}
