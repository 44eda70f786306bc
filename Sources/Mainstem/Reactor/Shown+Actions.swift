// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a reactor can be told, and what it hears of others.
extension Shown {
  /// Adds an action.
  ///
  ///     on.action("more", .more, enabled: \.canMore, cancelledBy: "refresh")
  ///
  /// A view runs it as a command, which has no answer but that it is over.
  ///
  /// - Parameters:
  ///   - name: The action's name: `more` is the request type `Feed.more`.
  ///   - action: The action.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of an action that ends the runs of this one.
  ///   - asked: The types that its mutations ask: they are known when the reactor is opened.
  @inlinable
  public mutating func action(
    _ name: String, _ action: R.Action, enabled: KeyPath<R.State, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil, asks asked: [any Request.Type] = []
  ) {
    asks(asked)
    add(name, action, enabled, policy, cancelledBy) { try $0.start($1, $2) }
  }

  /// Adds an action that is run with something.
  ///
  ///     on.action("tell", Action.tell)     // case tell(String)
  ///
  /// - Parameters:
  ///   - name: The action's name.
  ///   - make: Gets what the view gave, and makes the action.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of an action that ends the runs of this one.
  ///   - asked: The types that its mutations ask: they are known when the reactor is opened.
  @inlinable
  public mutating func action<Value: Decodable>(
    _ name: String, _ make: @escaping (Value) -> R.Action, enabled: KeyPath<R.State, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil, asks asked: [any Request.Type] = []
  ) {
    asks(asked)
    add(name, make, enabled, policy, cancelledBy) { try $0.start($1, $2) }
  }

  @usableFromInline
  mutating func asks(_ asked: [any Request.Type]) { table.asked += asked }

  @usableFromInline
  mutating func add(
    _ name: String, _ action: R.Action, _ enabled: KeyPath<R.State, Bool>?,
    _ policy: CommandPolicy, _ cancelledBy: String?, _ start: @escaping Reacting<R>.Start
  ) {
    add(name, nil, enabled, policy, cancelledBy, { _, _ in action }, start)
  }

  @usableFromInline
  mutating func add<Value: Decodable>(
    _ name: String, _ make: @escaping (Value) -> R.Action, _ enabled: KeyPath<R.State, Bool>?,
    _ policy: CommandPolicy, _ cancelledBy: String?, _ start: @escaping Reacting<R>.Start
  ) {
    let form = ValueForm(Value.self)
    let action = { (event: mainstem_event, types: EventTypes) in
      make(try form.value(Value.self, of: event, types))
    }
    add(name, Value.self, enabled, policy, cancelledBy, action, start)
  }

  private mutating func add(
    _ name: String, _ type: Any.Type?, _ enabled: KeyPath<R.State, Bool>?,
    _ policy: CommandPolicy, _ cancelledBy: String?,
    _ action: @escaping (mainstem_event, EventTypes) throws -> R.Action,
    _ start: @escaping Reacting<R>.Start
  ) {
    table.model.append(
      ModelRow(
        name: name, kind: .command, payload: type.map { ValueForm($0).payload } ?? .none,
        type: type,
        enabled: enabled,
        isEnabled: enabled.map { property in
          { $0.transform(state: $0.state)[keyPath: property] }
        },
        policy: policy, cancelledBy: cancelledBy
      ) { house in
        let reacting = Reacting.of(house)
        return LiveRow(call: { [unowned reacting] in reacting.act($0, action, start) })
      })
  }

  /// Merges what happens elsewhere: an event becomes a mutation of no action.
  ///
  ///     on.merges(Paid.self) { _, paid in .paid(cents: paid.cents) }
  ///
  /// - Parameters:
  ///   - type: The event type. No request: those are answered, by a server.
  ///   - body: Gets the reactor and the event, and returns the mutation; `nil`: none.
  public mutating func merges<E: Event>(
    _ type: E.Type, _ body: @escaping (R, E) throws -> R.Mutation?
  ) {
    table.rows.append(
      HandlerRow(type: type, failed: false) { types throws(StreamError) in
        guard type.role != .request else {
          throw StreamError(.invalid, "\(R.name): merges \(type.name), which is a request")
        }
        let known = try types.reader(of: type)
        return { reactor, delivery in
          let mutation = Result { try body(reactor, known.decoded(delivery)) }
          return { house, delivery in
            if let house = house as? ModelHouse<R> {
              Reacting.of(house).merge(delivery) { mutation }
            }
          }
        }
      })
  }

  /// Merges a value of another view model, whichever of its type shows it: what is there, then each change.
  ///
  ///     on.merges("user", of: Session.self) { (_, user: String) in .user(user) }
  ///
  /// - Parameters:
  ///   - name: The name of the value or pulse.
  ///   - type: The type of the view model.
  ///   - body: Gets this reactor and the value, and returns the mutation; `nil`: none.
  public mutating func merges<Other: ViewModel, Value: Decodable>(
    _ name: String, of type: Other.Type, _ body: @escaping (R, Value) throws -> R.Mutation?
  ) {
    table.heard.append { house in
      let types = house.types
      let reacting = Reacting.of(house)
      let number = try ModelKind<Other>.of(Other.name, in: types).number(of: name, types)
      try types.checkReading(number, as: Value.self)
      let callback = Callback { event in
        let delivery = Delivery(event, types: types)
        reacting.merge(delivery) {
          Result {
            try body(house.server, types.value(Value.self, of: delivery.event.pointee))
          }
        }
      }
      try house.observe(number, of: nil, through: house.context, callback)
    }
  }
}
