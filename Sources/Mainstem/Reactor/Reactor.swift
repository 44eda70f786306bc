// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

/// A view model whose steps have names: actions send mutations, and these alone change the state.
///
///     struct Counter: Reactor {
///       enum Action { case up, down }
///       struct State: Codable { var count = 0 }
///       var state = State()
///
///       func mutate(_ action: Action) -> Signal<Int, Failure> {
///         switch action {
///         case .up: .just(+1)
///         case .down: .just(-1)
///         }
///       }
///       static func reduce(_ state: inout State, _ by: Int) { state.count += by }
///       static func shown(_ on: inout Shown<Self>) {
///         on.shows("count", \.count)
///         on.action("up", .up)
///         on.action("down", .down)
///       }
///     }
///
/// An action is a command, `Counter.up`. Each mutation is a notice, `Counter.mutation`: progress of the action, and
/// reduced at once, so the next one of the same action finds the new state. What is shown is said once for all
/// mutations of an event (law 14). An action goes on as long as its signal runs: until that has ended, or until the run
/// is cancelled, by another action (`cancelledBy`), or by a newer run (``CommandPolicy/latest``).
///
/// All of it are functions of a value: a test calls ``mutate(_:)`` and ``reduce(_:_:)`` without a context.
public protocol Reactor: ViewModel {
  /// What it can be told.
  associatedtype Action
  /// What changes its state.
  associatedtype Mutation: Codable
  /// What it knows.
  associatedtype State: Codable

  /// The state: at first the one that the reactor is opened with. Then only ``reduce(_:_:)`` changes it.
  var state: State { get set }

  /// Says what an action changes, now or later.
  ///
  /// Called once for each action, with the reactor as it is then. What is to be known later is asked for then:
  /// ``current``, ``asking(_:timeout:shared:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: The mutations. A failure is the action's answer, and ends nothing else.
  /// - Throws: What the action fails with.
  func mutate(_ action: Action) throws -> Signal<Mutation, Failure>

  /// Changes the state as a mutation says. Only these two decide what comes out.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - mutation: The mutation.
  static func reduce(_ state: inout State, _ mutation: Mutation)

  /// Fills the table of what is shown, and of the actions. Called once.
  ///
  /// - Parameter on: The table.
  static func shown(_ on: inout Shown<Self>)

  /// Looks at an action before it mutates. By default it stays as it is.
  ///
  /// - Parameter action: The action.
  /// - Returns: The action that mutates; `nil`: it is answered, and nothing else happens.
  func transform(action: Action) -> Action?

  /// Looks at a mutation before it is sent. By default it stays as it is.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: The mutation that is sent and reduced; `nil`: none.
  func transform(mutation: Mutation) -> Mutation?

  /// Makes what is shown of the state. By default that is the state.
  ///
  /// - Parameter state: The state.
  /// - Returns: The state that views see; the reactor goes on with its own.
  func transform(state: State) -> State
}

extension Reactor {
  /// Leaves the action as it is.
  public func transform(action: Action) -> Action? { action }

  /// Leaves the mutation as it is.
  public func transform(mutation: Mutation) -> Mutation? { mutation }

  /// Leaves the state as it is.
  public func transform(state: State) -> State { state }

  /// Fills the table with what is shown, and with the mutations.
  public static func handlers(_ on: inout Handlers<Self>) {
    var shown = Shown<Self>()
    self.shown(&shown)
    on = shown.finished()
  }
}
