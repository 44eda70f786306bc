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
    hear(name, of: type, as: Value.self) { house in
      let reading = ListReading()
      return { delivery in
        let value = try delivery.types.value(Value.self, of: delivery.event, reading)
        try house.change { try body(&$0, value) }
      }
    }
  }

  /// Hears each value of another view model, for a reactor, too.
  mutating func hear<Other: ViewModel, Value>(
    _ name: String, of type: Other.Type, as value: Value.Type,
    _ begin: @escaping (ModelHouse<S>) -> (borrowing Delivery) throws -> Void
  ) {
    heard.append { house in
      let types = house.types
      let number = try ModelKind<Other>.of(Other.name, in: types).number(of: name, types)
      try types.checkReading(number, as: value)
      let callback = Callback(types, begin(house))
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
      let value = try delivery.types.value(Value.self, of: delivery.event)
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
      let wanted = ObserverOptions(of: child, scheduler: parent.scheduler)
      return try parent.context.observe(number, wanted) { [weak parent] delivery in
        if let parent { try body(parent, id, delivery) }
      }
    }
  }
}

/// Children of a view model: view models that it makes, and that end with it.
class Family {
  /// Lets them come and go with what they are made of.
  func settle(_ isInside: Bool) throws {}

  /// Says what is to be seen of those that have changed.
  func show() {}
}

/// A child that lives.
final class ChildHouse<Child: Server> {
  let house: ModelHouse<Child>
  let number: UInt64
  private let scope: Context
  /// What the parent hears of it.
  private let ears: [Subscription]
  /// It may show something that it has not said.
  fileprivate(set) var isChanged = true
  fileprivate(set) var hasEnded = false

  /// Adds a child to its parent.
  init<S>(
    _ child: Child, to parent: ModelHouse<S>, isInside: Bool,
    hearing: (Context) throws(StreamError) -> [Subscription]
  ) throws {
    let types = parent.types
    let kind = try ModelKind<Child>.of(Child.name, in: types)
    house = ModelHouse(child, kind, types: types, saysCommands: true)
    try house.add(to: parent.context, name: kind.owner, isInside: isInside)
    scope = house.context
    number = try scope.number
    do throws(StreamError) {
      ears = try hearing(scope)
    } catch {
      mainstem_scope_end(scope.handle)
      throw error
    }
  }

  /// Whether it lives: a program may have closed its scope.
  var isLive: Bool {
    var number: UInt64 = 0
    return mainstem_scope_number(scope.handle, &number) == 0
  }

  func change(_ step: (inout Child) -> Void) {
    house.change(step)
    isChanged = true
  }

  func show() {
    guard isChanged else { return }
    isChanged = false
    // If it fails, it is called again as the child's own show function, and counts there.
    _ = house.say(through: scope.handle)
  }

  func end() {
    hasEnded = true
    for ear in ears { ear.cancel() }
    mainstem_scope_end(scope.handle)
  }
}

/// One child for each element of a list, by identity.
///
/// An event that leaves the list alone costs nothing here; one that changes it costs what it changes, but for looking where
/// the same elements begin and end.
final class ListedFamily<S: ViewModel, Element: Identifiable & Equatable, Child: ViewModel>: Family
{
  /// What a list of children is made with.
  struct Making {
    let name: String
    let source: (S) -> [Element]
    let make: (Element) -> Child
    let update: ((inout Child, Element) -> Void)?
    let hearing: Children<S, Element.ID, Child>
  }

  private typealias Born = (element: Element, child: ChildHouse<Child>)

  private unowned let parent: ModelHouse<S>
  private let making: Making
  private var elements: [Element] = []
  private var children: [Element.ID: Born] = [:]
  /// Of their scopes, in the order of the elements.
  private var numbers: [UInt64] = []
  private var owesNumbers = true
  /// Those that may show something, in the order of the elements if one change of the list has made them.
  private var changed: [ChildHouse<Child>] = []
  private var isInOrder = true

  init(_ parent: ModelHouse<S>, _ making: Making) {
    self.parent = parent
    self.making = making
  }

  override func settle(_ isInside: Bool) throws {
    let now = making.source(parent.server)
    if now == elements { return elements = now }
    let most = min(now.count, elements.count)
    var front = 0
    while front < most, now[front] == elements[front] { front += 1 }
    var back = 0
    while back < most - front, now[now.count - 1 - back] == elements[elements.count - 1 - back] {
      back += 1
    }
    let gone = Set(elements[front..<(elements.count - back)].map(\.id))
    if now[front..<(now.count - back)].contains(where: {
      children[$0.id] != nil && !gone.contains($0.id)
    }) {
      // Two have the same id: the walk over all finds the second.
      (front, back) = (0, 0)
    }
    try change(to: now, front, back, isInside)
  }

  /// Takes all elements but some at the front and at the back, which are there already.
  private func change(to now: [Element], _ front: Int, _ back: Int, _ isInside: Bool) throws {
    let come = now[front..<(now.count - back)]
    let old = front..<(elements.count - back)
    var next: [Element.ID: Born] = [:]
    var numbers: [UInt64] = []
    next.reserveCapacity(come.count)
    numbers.reserveCapacity(come.count)
    if !changed.isEmpty { isInOrder = false }
    do {
      for element in come {
        guard next[element.id] == nil else {
          throw StreamError(.invalid, "\(making.name): two elements have the id \(element.id)")
        }
        let child = try child(for: element, isInside)
        if child.isChanged { changed.append(child) }
        next[element.id] = (element, child)
        numbers.append(child.number)
      }
    } catch {
      for element in come {
        guard let born = next.removeValue(forKey: element.id),
          children[element.id]?.child !== born.child
        else { continue }
        born.child.end()
      }
      throw error
    }
    for element in elements[old] {
      guard let born = children.removeValue(forKey: element.id),
        next[element.id]?.child !== born.child
      else { continue }
      born.child.end()
    }
    children.merge(next) { $1 }
    elements = now
    self.numbers.replaceSubrange(old, with: numbers)
    owesNumbers = true
  }

  private func child(for element: Element, _ isInside: Bool) throws -> ChildHouse<Child> {
    if let born = children[element.id] {
      if born.element == element { return born.child }
      if let update = making.update {
        born.child.change { update(&$0, element) }
        return born.child
      }
    }
    let (parent, making) = (parent, making)
    return try ChildHouse(making.make(element), to: parent, isInside: isInside) {
      scope throws(StreamError) in
      try making.hearing.hear(element.id, parent, scope)
    }
  }

  override func show() {
    guard !changed.isEmpty else { return }
    let shown =
      isInOrder ? changed : elements.compactMap { children[$0.id]?.child }
    (changed, isInOrder) = ([], true)
    for child in shown where !child.hasEnded { child.show() }
  }

  /// Sets the value, if the children are others than those that it has.
  func showNumbers(_ setter: ValueSetter) throws {
    guard owesNumbers else { return }
    try numbers.withUnsafeBytes { try setter.set($0) }
    owesNumbers = false
  }
}

/// A child that is made when it is asked for, and then is there.
final class SingleFamily<S: ViewModel, Child: ViewModel>: Family {
  private unowned let parent: ModelHouse<S>
  private let make: (S) throws -> Child
  private let hearing: Children<S, Never, Child>
  private var child: ChildHouse<Child>?

  init(
    _ parent: ModelHouse<S>, _ make: @escaping (S) throws -> Child,
    _ hearing: Children<S, Never, Child>
  ) {
    self.parent = parent
    self.make = make
    self.hearing = hearing
  }

  func number() throws -> UInt64 {
    if let child, child.isLive { return child.number }
    let (parent, hearing) = (parent, hearing)
    let made = try ChildHouse(try make(parent.server), to: parent, isInside: true) {
      scope throws(StreamError) in
      try hearing.hear(nil, parent, scope)
    }
    child = made
    return made.number
  }

  override func show() { child?.show() }
}
