// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
  /// The value is the numbers of their scopes, in the order of the elements: a `[UInt64]`.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: The elements, of the state that views see. No two have the same `id`.
  ///   - make: Makes the child of an element.
  ///   - update: Gets the child and its element, when that has changed. Without it, another child is made.
  /// - Returns: The children, for `merges(_:of:_:)`.
  @discardableResult
  public mutating func children<Element: Identifiable & Equatable, Child: ViewModel>(
    _ name: String, _ source: @escaping (R.State) -> [Element],
    _ make: @escaping (Element) -> Child, update: ((inout Child, Element) -> Void)? = nil
  ) -> Children<R, Element.ID, Child> {
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
            house.server, id, delivery.types.value(Value.self, of: delivery.event.pointee))
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
