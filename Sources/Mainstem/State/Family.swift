// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
