// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// View models that a view model makes.
extension Handlers where S: ViewModel {
  /// Makes a child when a view asks for it; it ends with this view model.
  ///
  ///     on.child("profile") { Profile(user: $0.user) }
  ///
  /// Views ask with ``Binding/open(_:_:)``. The child stays the same while it lives.
  ///
  /// - Parameters:
  ///   - name: The child's name: `profile` is the command `Lookup.profile`, whose answer is the child's number.
  ///   - make: Gets the view model, and makes the child. A failure that it throws is the answer.
  /// - Returns: The child, for `observes(_:of:_:)`.
  @discardableResult
  public mutating func child<Child: ViewModel>(
    _ name: String, _ make: @escaping (S) throws -> Child
  ) -> Children<S, Never, Child> {
    let children = Children<S, Never, Child>(name)
    model.append(
      ModelRow(
        name: name, kind: .command, payload: .none, policy: .concurrent, answer: .integer
      ) { house in
        let family = SingleFamily<S, Child>(house, make, children)
        house.begin(family)
        return LiveRow(call: { delivery in
          do {
            let number = try family.number()
            let bytes = number.payload
            try StreamError.check(mainstem_respond(delivery.event, bytes, bytes.count))
          } catch {
            _ = Failure(error).answer(delivery.event)
          }
        })
      })
    return children
  }

  /// Makes one child for each element of a list. They come and go with the elements.
  ///
  ///     on.children("cells", \.tweets) { TweetCell(tweet: $0) } update: { $0.tweet = $1 }
  ///
  /// The value is the numbers of their scopes, in the order of the elements: a `[UInt64]`.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: The elements. No two have the same `id`.
  ///   - make: Makes the child of an element.
  ///   - update: Gets the child and its element, when that has changed. Without it, another child is made.
  /// - Returns: The children, for `observes(_:of:_:)`.
  @discardableResult
  public mutating func children<Element: Identifiable & Equatable, Child: ViewModel>(
    _ name: String, _ source: @escaping (S) -> [Element],
    _ make: @escaping (Element) -> Child, update: ((inout Child, Element) -> Void)? = nil
  ) -> Children<S, Element.ID, Child> {
    let children = Children<S, Element.ID, Child>(name)
    let making = ListedFamily<S, Element, Child>.Making(
      name: "\(S.name).\(name)", source: source, make: make, update: update, hearing: children)
    model.append(
      ModelRow(name: name, kind: .shows, payload: .bytes) { house in
        let family = ListedFamily(house, making)
        house.begin(family)
        return LiveRow(show: { try family.showNumbers($0) })
      })
    return children
  }

  /// Hears a value of the children: what is there, then each change.
  ///
  /// - Parameters:
  ///   - name: The name of the child's value or pulse.
  ///   - children: What ``children(_:_:_:update:)`` has returned.
  ///   - body: Gets the view model, the id of the child's element, and the value.
  public func observes<ID, Child: ViewModel, Value: Decodable>(
    _ name: String, of children: Children<S, ID, Child>,
    _ body: @escaping (inout S, ID, Value) throws -> Void
  ) {
    children.add(name) { model, id, value in
      if let id { try body(&model, id, value) }
    }
  }

  /// Hears a value of a child: what is there, then each change.
  ///
  /// - Parameters:
  ///   - name: The name of the child's value or pulse.
  ///   - child: What ``child(_:_:)`` has returned.
  ///   - body: Gets the view model and the value.
  public func observes<Child: ViewModel, Value: Decodable>(
    _ name: String, of child: Children<S, Never, Child>,
    _ body: @escaping (inout S, Value) throws -> Void
  ) {
    child.add(name) { model, _, value in try body(&model, value) }
  }

  /// Hears a value of another view model, whichever of its type shows it: what is there, then each change.
  ///
  ///     on.observes("isOpen", of: Session.self) { (lookup, isOpen: Bool) in lookup.isKnown = isOpen }
  ///
  /// - Parameters:
  ///   - name: The name of the value or pulse.
  ///   - type: The type of the view model.
  ///   - body: Gets this view model and the value.
  public mutating func observes<Other: ViewModel, Value: Decodable>(
    _ name: String, of type: Other.Type, _ body: @escaping (inout S, Value) throws -> Void
  ) {
    heard.append { house in
      let types = house.types
      let number = try ModelKind<Other>.of(Other.name, in: types).number(of: name, types)
      try types.checkReading(number, as: Value.self)
      let callback = Callback { event in
        let delivery = Delivery(event, types: types)
        do {
          let value = try types.value(Value.self, of: event.pointee)
          try house.change { try body(&$0, value) }
        } catch {
          delivery.fail(Failure(error))
        }
      }
      try house.observe(number, of: nil, through: house.context, callback)
    }
  }
}

/// Children as a table names them, so that it may hear of them.
public final class Children<Parent: ViewModel, ID, Child: ViewModel> {
  typealias Hear = (ModelHouse<Parent>, ID?, borrowing Delivery) throws -> Void

  private let name: String
  typealias Check = (mainstem_event_type, EventTypes) throws(StreamError) -> Void

  private var heard: [(value: String, check: Check, body: Hear)] = []

  init(_ name: String) { self.name = name }

  fileprivate func add<Value: Decodable>(
    _ value: String, _ body: @escaping (inout Parent, ID?, Value) throws -> Void
  ) {
    add(value, as: Value.self) { house, id, delivery in
      let value = try delivery.types.value(Value.self, of: delivery.event.pointee)
      try house.change { try body(&$0, id, value) }
    }
  }

  func add<Value>(_ value: String, as type: Value.Type, _ hear: @escaping Hear) {
    heard.append(
      (
        value, { number, types throws(StreamError) in try types.checkReading(number, as: type) },
        hear
      )
    )
  }

  /// Lets the parent hear a child.
  func hear(
    _ id: ID?, _ parent: ModelHouse<Parent>, _ child: Context
  ) throws(StreamError) -> [Subscription] {
    try heard.map { value, check, body throws(StreamError) in
      let number = try parent.types.number(named: "\(Child.name).\(value)")
      try check(number, parent.types)
      let wanted = ObserverOptions(
        of: child, history: true, scheduler: parent.scheduler, queue: .reject(), onGap: nil)
      return try parent.context.observe(number, wanted) { [weak parent] delivery in
        if let parent { try body(parent, id, delivery) }
      }
    }
  }
}
