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
  /// The value is a list of the numbers of their scopes, in the order of the elements: views get `Rows<UInt64>`, or a
  /// `[UInt64]`. A child is there before the list that names it, and ends behind the list without it.
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - source: The elements. No two have the same `id`, which is a ``RowKey``.
  ///   - make: Makes the child of an element.
  ///   - update: Gets the child and its element, when that has changed. Without it, another child is made.
  /// - Returns: The children, for `observes(_:of:_:)`.
  @discardableResult
  public mutating func children<Element: Identifiable & Equatable, Child: ViewModel>(
    _ name: String, _ source: @escaping (S) -> [Element],
    _ make: @escaping (Element) -> Child, update: ((inout Child, Element) -> Void)? = nil
  ) -> Children<S, Element.ID, Child> where Element.ID: RowKey {
    let children = Children<S, Element.ID, Child>(name)
    let making = ListedFamily<S, Element, Child>.Making(
      name: name, source: source, make: make, update: update, hearing: children)
    model.append(
      ModelRow(
        name: name, kind: .shows, payload: .integer, isList: true, type: UInt64.self
      ) { house in
        let family = ListedFamily(house, making)
        house.begin(family)
        return LiveRow(show: { _ in try family.showFirst() })
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
  let scope: Context
  /// What the parent hears of it.
  private var ears: [Subscription] = []
  /// It may show something that it has not said.
  private(set) var isChanged = true
  private var hasEnded = false

  /// Adds a child to its parent.
  init<S>(_ child: Child, to parent: ModelHouse<S>, isInside: Bool) throws {
    let types = parent.types
    let kind = try ModelKind<Child>.of(Child.name, in: types)
    house = ModelHouse(child, kind, types: types, saysCommands: true)
    try house.add(to: parent.context, name: kind.owner, isInside: isInside)
    scope = house.context
  }

  /// Whether it lives: a program may have closed its scope.
  var isLive: Bool {
    var number: UInt64 = 0
    return mainstem_scope_number(scope.handle, &number) == 0
  }

  /// Lets its parent hear it, until it is forgotten.
  func hear(_ begin: (Context) throws(StreamError) -> [Subscription]) throws(StreamError) {
    ears = try begin(scope)
  }

  func change(_ step: (inout Child) -> Void) {
    house.change(step)
    isChanged = true
  }

  func show() {
    guard isChanged, !hasEnded else { return }
    isChanged = false
    // If it fails, it is called again as the child's own show function, and counts there.
    _ = house.say(through: scope.handle)
  }

  /// The library ends it.
  func forget() {
    hasEnded = true
    for ear in ears { ear.cancel() }
  }
}

/// Opens children for the library, while it sets a list of them.
private struct ChildOpening {
  let open: (Int) throws -> OpaquePointer?
  var failure: (any Error)?

  static let call: mainstem_child_fn = { userData, _, index, child in
    guard let opening = userData?.assumingMemoryBound(to: ChildOpening.self), let child else {
      return Status.invalid.rawValue
    }
    do {
      child.pointee = try opening.pointee.open(index)
      return 0
    } catch {
      opening.pointee.failure = error
      return Failure(error).code.rawValue
    }
  }
}

/// Children as C takes them, in one piece of memory.
private struct GivenChildren {
  private var bytes: [UInt8] = []
  private var rows: [(key: Range<Int>, isAnew: Bool)] = []

  mutating func add(_ key: String, isAnew: Bool) {
    let start = bytes.count
    bytes.append(contentsOf: key.utf8)
    rows.append((start..<bytes.count, isAnew))
  }

  /// Passes them to `body`; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_child>) -> mainstem_status
  ) -> mainstem_status {
    bytes.withUnsafeBytes { bytes in
      let table = rows.map { row in
        mainstem_child(
          key: bytes.baseAddress.map {
            ($0 + row.key.lowerBound).assumingMemoryBound(to: CChar.self)
          }, key_size: row.key.count, flags: row.isAnew ? UInt64(MAINSTEM_CHILD_ANEW) : 0)
      }
      return table.withUnsafeBufferPointer(body)
    }
  }
}

/// One child for each element of a list, by identity. The library compares the keys, asks for those that are new, and
/// ends those that are gone.
///
/// An event that leaves the list alone costs nothing here; one that changes it costs what it changes, but for looking where
/// the same elements begin and end.
final class ListedFamily<S: ViewModel, Element: Identifiable & Equatable, Child: ViewModel>: Family
where Element.ID: RowKey {
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
  /// What they are made of; nil: the list was never set.
  private var elements: [Element]?
  private var children: [Element.ID: Born] = [:]
  private var version: UInt64 = 0
  private var isSetting = false
  /// Those that were made outside callbacks, until the first show sets their list.
  private var waiting: [Element.ID: Born]?
  /// Those that may show something, in the order of the elements if one change of the list has made them.
  private var changed: [ChildHouse<Child>] = []
  private var isInOrder = true

  init(_ parent: ModelHouse<S>, _ making: Making) {
    self.parent = parent
    self.making = making
  }

  override func settle(_ isInside: Bool) throws {
    // What children cause while they come is looked at behind that.
    guard !isSetting else { return }
    guard isInside else { return try makeFirst() }
    isSetting = true
    defer { isSetting = false }
    while true {
      let now = making.source(parent.server)
      if now == elements { return elements = now }
      try set(now, isInside)
    }
  }

  /// Makes the children of a program's beginning. A replay has them, too, and then their list.
  private func makeFirst() throws {
    guard elements == nil, waiting == nil else { return }
    let now = making.source(parent.server)
    try demandUnique(now)
    var made: [Element.ID: Born] = [:]
    do {
      for element in now {
        let child = try ChildHouse(making.make(element), to: parent, isInside: false)
        made[element.id] = (element, child)
        try hear(child, element)
        changed.append(child)
      }
    } catch {
      for (_, child) in made.values { mainstem_scope_end(child.scope.handle) }
      changed = []
      throw error
    }
    waiting = made
  }

  /// Sets the list of the children that were made outside callbacks.
  func showFirst() throws {
    guard waiting != nil, !isSetting else { return }
    isSetting = true
    defer { isSetting = false }
    try set(making.source(parent.server), false)
  }

  /// Takes the children that a replay has listed, and ends those that nobody wants.
  private func takeWaiting(_ made: inout [Born], _ stay: Set<Element.ID>) {
    let opened = Set(made.map(\.element.id))
    let left = (waiting ?? [:]).filter { !opened.contains($0.key) }
    waiting = nil
    for born in left.values {
      if stay.contains(born.element.id) {
        made.append(born)
      } else {
        mainstem_scope_end(born.child.scope.handle)
      }
    }
  }

  /// Says which children there are: all but some at the front and at the back, which are there already.
  private func set(_ now: [Element], _ isInside: Bool) throws {
    let before = elements ?? []
    let most = min(now.count, before.count)
    var front = 0
    while front < most, now[front] == before[front] { front += 1 }
    var back = 0
    while back < most - front, now[now.count - 1 - back] == before[before.count - 1 - back] {
      back += 1
    }
    if !changed.isEmpty { isInOrder = false }
    var (status, made) = try pass(now, front, back, isInside)
    if status == MAINSTEM_STALE, front + back > 0 {
      // Somebody else has set the list, or a replay did.
      (front, back) = (0, 0)
      (status, made) = try pass(now, front, back, isInside)
    }
    try check(status, now)
    let stay = Set(now[front..<(now.count - back)].map(\.id))
    let heard = waiting ?? [:]
    if waiting != nil { takeWaiting(&made, stay) }
    for element in before[front..<(before.count - back)] where !stay.contains(element.id) {
      children.removeValue(forKey: element.id)?.child.forget()
    }
    elements = now
    for born in made { children.updateValue(born, forKey: born.element.id)?.child.forget() }
    for (element, child) in made where heard[element.id] == nil { try hear(child, element) }
  }

  private func hear(_ child: ChildHouse<Child>, _ element: Element) throws(StreamError) {
    try child.hear { scope throws(StreamError) in
      try making.hearing.hear(element.id, parent, scope)
    }
  }

  /// - Returns: The status, and the children that were opened.
  private func pass(
    _ now: [Element], _ front: Int, _ back: Int, _ isInside: Bool
  ) throws -> (mainstem_status, [Born]) {
    var given = GivenChildren()
    for element in now[front..<(now.count - back)] {
      given.add(element.id.rowKey, isAnew: update(element))
    }
    var made: [Born] = []
    var opening = ChildOpening { [parent, making, waiting] index in
      let element = now[front + index]
      if let born = waiting?[element.id] {
        made.append(born)
        return born.child.scope.handle
      }
      let child = try ChildHouse(making.make(element), to: parent, isInside: isInside)
      child.show()
      made.append((element, child))
      return child.scope.handle
    }
    var ends = mainstem_list_ends(version: version, first: front, last: back)
    let number = parent.kind.numbers[parent.kind.place(of: making.name)]
    let status = withUnsafeMutablePointer(to: &opening) { opening in
      given.withRows { rows in
        mainstem_children_set(
          parent.scope, number, rows.baseAddress, MemoryLayout<mainstem_child>.stride, rows.count,
          &ends, ChildOpening.call, opening)
      }
    }
    if let failure = opening.failure { throw failure }
    if status == 0 { version = ends.version }
    return (status, made)
  }

  /// Gives a child its element, if that has changed.
  ///
  /// - Returns: Whether another child is made instead.
  private func update(_ element: Element) -> Bool {
    guard let born = children[element.id], born.element != element else { return false }
    guard let update = making.update else { return true }
    born.child.change { update(&$0, element) }
    changed.append(born.child)
    children[element.id] = (element, born.child)
    return false
  }

  private func check(_ status: mainstem_status, _ now: [Element]) throws(StreamError) {
    if status == MAINSTEM_INVALID { try demandUnique(now) }
    try StreamError.check(status)
  }

  private func demandUnique(_ now: [Element]) throws(StreamError) {
    var known: Set<Element.ID> = []
    for element in now where !known.insert(element.id).inserted {
      throw StreamError(
        .invalid, "\(parent.kind.owner).\(making.name): two elements have the id \(element.id)")
    }
  }

  override func show() {
    guard !changed.isEmpty else { return }
    let shown =
      isInOrder || elements == nil
      ? changed : (elements ?? []).compactMap { children[$0.id]?.child }
    (changed, isInOrder) = ([], true)
    for child in shown { child.show() }
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
    if let child, child.isLive { return try child.scope.number }
    let (parent, hearing) = (parent, hearing)
    let made = try ChildHouse(try make(parent.server), to: parent, isInside: true)
    do throws(StreamError) {
      try made.hear { scope throws(StreamError) in try hearing.hear(nil, parent, scope) }
    } catch {
      mainstem_scope_end(made.scope.handle)
      throw error
    }
    child = made
    return try made.scope.number
  }

  override func show() { child?.show() }
}
