// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A reactor's table: what it shows of its state, what it tells of its mutations, and its actions.
///
///     static func shown(_ on: inout Shown<Self>) {
///       on.shows("isLoading", \.isLoading)
///       on.shows("canMore", \.canMore)
///       on.pulse("alert") { if case .alert(let text) = $0 { text } else { nil } }
///       on.action("refresh", .refresh, policy: .latest)
///       on.action("more", .more, enabled: \.canMore, cancelledBy: "refresh")
///     }
public struct Shown<R: Reactor> {
  var table = Handlers<R>()

  /// Shows a property of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name: `items` is the type `Feed.items`.
  ///   - property: The property. It travels as in `Handlers.shows(_:_:)`.
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ property: KeyPath<R.State, Value>
  ) {
    show(name, property, { $0[keyPath: property] }, { $0 == $1 }) {
      try $0.with($1, $2)
    }
  }

  /// Shows what a function makes of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - body: Gets the state.
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ body: @escaping (R.State) -> Value
  ) {
    show(name, nil, body, { $0 == $1 }) { try $0.with($1, $2) }
  }

  /// Shows what a function makes of a property of the state; it is asked again only where that differs.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: The property that it is made of.
  ///   - body: Gets the state.
  @inlinable
  public mutating func shows<Source: Equatable, Value: Encodable & Equatable>(
    _ name: String, of source: KeyPath<R.State, Source>, by body: @escaping (R.State) -> Value
  ) {
    show(name, of: source, by: body, { $0 == $1 })
  }

  /// Tells views of mutations: each once, after the values.
  ///
  /// - Parameters:
  ///   - name: The pulse's name.
  ///   - body: Gets each mutation that was reduced, and returns what is told of it; `nil`: nothing.
  public mutating func pulse<Value: Encodable>(
    _ name: String, _ body: @escaping (R.Mutation) -> Value?
  ) {
    let form = ValueForm(Value.self)
    table.model.append(
      ModelRow(name: name, kind: .pulses, payload: form.payload, type: Value.self) { house in
        Reacting.of(house).tell(name) { mutation, types in
          try body(mutation).map { try form.bytes(of: $0, types) }
        }
        return LiveRow()
      })
  }

  // Compiled with the program, what compares values knows their type: see Handlers.
  @usableFromInline
  mutating func show<Value: Encodable>(
    _ name: String, _ property: PartialKeyPath<R.State>?, _ body: @escaping (R.State) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool, _ write: @escaping ValueForm.Write<Value>
  ) {
    table.add(name, Value.self, property) { house in
      let reacting = Reacting.of(house)
      return house.shows({ [unowned reacting] in body(reacting.shown) }, isEqual, write)
    }
  }

  @usableFromInline
  mutating func show<Source: Equatable, Value: Encodable>(
    _ name: String, of source: KeyPath<R.State, Source>, by body: @escaping (R.State) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool
  ) {
    table.add(name, Value.self, nil) { house in
      let reacting = Reacting.of(house)
      let made = ShownProperty { [unowned reacting] in reacting.shown[keyPath: source] }
      return house.shows({ [unowned reacting] in body(reacting.shown) }, isEqual, of: [made])
    }
  }

  /// The table, with the row of the mutations.
  func finished() -> Handlers<R> {
    var table = table
    let payload = MutationForm(R.Mutation.self).payload
    table.model.append(
      ModelRow(name: Reacting<R>.mutation, kind: .pulses, payload: payload) { house in
        _ = Reacting.of(house)
        return LiveRow()
      })
    return table
  }
}

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
    table.hear(name, of: type, as: Value.self) { house in
      let (reacting, reading) = (Reacting.of(house), ListReading())
      return { delivery in
        reacting.merge(delivery) {
          Result {
            try body(house.server, delivery.types.value(Value.self, of: delivery.event, reading))
          }
        }
      }
    }
  }
}

/// What a reactor makes of its state, and what it does first.
extension Shown {
  /// Makes a child when a view asks for it; it ends with this reactor.
  ///
  ///     on.child("profile") { Profile(user: $0.user) }
  ///
  /// Views ask with ``Binding/open(_:_:)``. The child stays the same while it lives.
  ///
  /// - Parameters:
  ///   - name: The child's name: `profile` is the command `Feed.profile`, whose answer is the child's number.
  ///   - make: Gets the state that views see, and makes the child. A failure that it throws is the answer.
  /// - Returns: The child, for `merges(_:of:_:)`.
  @discardableResult
  public mutating func child<Child: ViewModel>(
    _ name: String, _ make: @escaping (R.State) throws -> Child
  ) -> Children<R, Never, Child> {
    table.child(name) { try make($0.transform(state: $0.state)) }
  }

  /// Makes one child for each element of a list. They come and go with the elements, so with each mutation.
  ///
  ///     on.children("cells", \.posts) { PostCell(post: $0) } update: { $0.post = $1 }
  ///
  /// The value is a list of the numbers of their scopes: see `Handlers.children(_:_:_:update:)`.
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - source: The elements, of the state that views see. No two have the same `id`, which is a ``RowKey``.
  ///   - make: Makes the child of an element.
  ///   - update: Gets the child and its element, when that has changed. Without it, another child is made.
  /// - Returns: The children, for `merges(_:of:_:)`.
  @discardableResult
  public mutating func children<Element: Identifiable & Equatable, Child: ViewModel>(
    _ name: String, _ source: @escaping (R.State) -> [Element],
    _ make: @escaping (Element) -> Child, update: ((inout Child, Element) -> Void)? = nil
  ) -> Children<R, Element.ID, Child> where Element.ID: RowKey {
    table.children(name, { source($0.transform(state: $0.state)) }, make, update: update)
  }

  /// Merges a value of the children: what is there, then each change, becomes a mutation of no action.
  ///
  /// - Parameters:
  ///   - name: The name of the child's value or pulse.
  ///   - children: What ``children(_:_:_:update:)`` has returned.
  ///   - body: Gets the reactor, the id of the child's element, and the value; `nil`: no mutation.
  public func merges<ID, Child: ViewModel, Value: Decodable>(
    _ name: String, of children: Children<R, ID, Child>,
    _ body: @escaping (R, ID, Value) throws -> R.Mutation?
  ) {
    children.merge(name) { reactor, id, value in try id.flatMap { try body(reactor, $0, value) } }
  }

  /// Merges a value of a child: what is there, then each change, becomes a mutation of no action.
  ///
  /// - Parameters:
  ///   - name: The name of the child's value or pulse.
  ///   - child: What ``child(_:_:)`` has returned.
  ///   - body: Gets the reactor and the value; `nil`: no mutation.
  public func merges<Child: ViewModel, Value: Decodable>(
    _ name: String, of child: Children<R, Never, Child>,
    _ body: @escaping (R, Value) throws -> R.Mutation?
  ) {
    child.merge(name) { reactor, _, value in try body(reactor, value) }
  }

  /// Runs an action when the reactor is opened, like a view: a stub does not.
  ///
  ///     on.opened("refresh")
  ///
  /// - Parameter name: The action's name. It is run with nothing, and no value enables it: none is told before.
  public mutating func opened(_ name: String) {
    table.opened { _, run in run.begin(name) }
  }
}

extension Children where Parent: Reactor {
  fileprivate func merge<Value: Decodable>(
    _ value: String, _ body: @escaping (Parent, ID?, Value) throws -> Parent.Mutation?
  ) {
    add(value, as: Value.self) { house, id, delivery in
      Reacting.of(house).merge(delivery) {
        Result {
          try body(
            house.server, id, delivery.types.value(Value.self, of: delivery.event))
        }
      }
    }
  }
}

extension Run where Model: Reactor {
  /// Begins an action of the reactor itself.
  fileprivate func begin(_ action: String) {
    if Reacting.of(house).isStub { return }
    take { () throws(StreamError) in
      let (owner, rows) = (house.kind.owner, house.table.model)
      guard let row = rows.first(where: { $0.name == action && $0.kind == .command }) else {
        throw StreamError(.invalid, "\(owner): \(action) is begun when it opens, which it has not")
      }
      guard row.enabled == nil else {
        throw StreamError(
          .invalid,
          "\(owner): \(action) is begun when it opens, and no value that enables it is told yet")
      }
      try house.request(action)
    }
  }
}
