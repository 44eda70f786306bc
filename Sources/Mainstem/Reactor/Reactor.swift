// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
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

/// What the mutations of an action are made of, when their time comes.
extension Reactor {
  /// The state when this is started: later than ``Reactor/mutate(_:)``, whose reactor is a copy.
  ///
  ///     case .append(let letters):
  ///       .values(letters).flatMap { letter in current.map { .text($0.text + letter) } }
  ///
  /// Without a context it is the state of this value.
  public var current: Signal<State, Failure> {
    .deferred { clock in .just((clock as? ReactorClock<Self>)?.state ?? state) }
  }

  /// A request as a signal: it is asked through the reactor. It sends the answer and completes, or fails.
  ///
  ///     case .refresh: asking(RequestPage(number: 1)).map { .page($0.items) }
  ///
  /// When the run of the action ends before the answer, the request is cancelled. Without a context it fails.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  /// - Returns: The signal.
  public func asking<Q: Request>(
    _ request: Q, timeout: Duration? = nil, shared: Bool = false
  ) -> Signal<Q.Answer, Failure> {
    .deferred { clock in
      guard let clock = clock as? ContextSignalClock else {
        return .failed(
          Failure(
            "\(Q.name) is asked without a context: start on its signalClock()", code: .invalid))
      }
      return clock.home.signal(asking: request, timeout: timeout, shared: shared)
    }
  }
}

/// The clock of a live reactor: who runs on it may look at the state.
final class ReactorClock<R: Reactor>: ContextSignalClock {
  private weak var house: ModelHouse<R>?

  init(_ house: ModelHouse<R>) {
    self.house = house
    super.init(house.context, "Signals")
  }

  var state: R.State? { house?.server.state }
}

/// A reactor that does nothing, for tests of views: it remembers its actions, and shows the states that the test gives.
///
///     let stub = try context.stub(Feed())
///     try stub.show(Feed.State(isLoading: true))
///     …
///     #expect(stub.actions == [.refresh])
///
/// Each state is an event, `Feed.state`, so a session with a stub is recorded like any other.
public final class ReactorStub<R: Reactor> {
  /// Its scope, to bind views to; closing it ends it.
  public let scope: Context
  /// The actions it was told, in order.
  public private(set) var actions: [R.Action] = []
  private var number: mainstem_event_type = 0

  init(_ house: ModelHouse<R>) throws {
    scope = house.context
    number = try Reacting.of(house).stub { [weak self] in self?.actions.append($0) }
  }

  /// Shows a state.
  ///
  /// - Parameter state: The state.
  /// - Throws: The reason it was not accepted.
  public func show(_ state: R.State) throws {
    let bytes = try scope.types.coder.encode(state)
    try StreamError.check(mainstem_send(scope.handle, number, bytes, bytes.count))
  }
}

extension Context {
  /// Opens a reactor as a stub: its actions do nothing, and it shows what it is told to.
  ///
  /// - Parameters:
  ///   - reactor: The reactor; its state is shown first.
  ///   - name: The name of its scope, and the first part of the names of its types.
  /// - Returns: The stub.
  /// - Throws: As ``open(_:name:)``.
  public func stub<R: Reactor>(_ reactor: R, name: String = R.name) throws -> ReactorStub<R> {
    try ReactorStub(try opened(reactor, name))
  }
}
