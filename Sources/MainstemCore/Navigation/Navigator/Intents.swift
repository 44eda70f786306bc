// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What a flow is told by its components: a table of functions, each with an observer of its own.
package struct Intents {
  private let navigator: Navigator
  /// Of the scope that listens: it is in the flow.
  private let origin: UInt32
  private let userData: UnsafeMutableRawPointer?
  private var release: mainstem_release_fn?
  private let rows: UnsafeMutablePointer<Intent>
  private var count = 0
  /// What was said while a screen covered who said it.
  private var waiting = Chain<WaitingIntent>()
  private var waitingCount = 0
  /// How many use its memory: its observers.
  private var holders = 1

  package typealias Pointer = UnsafeMutablePointer<Intents>

  /// The most that may wait.
  private static var mostWaiting: Int { 1024 }
}

/// One row.
struct Intent {
  fileprivate let intents: Intents.Pointer
  /// The name of the factory whose components say it; nil: any.
  fileprivate let name: Name?
  fileprivate let function: mainstem_event_fn
  fileprivate let flags: UInt32
  fileprivate var subscription: OpaquePointer?
}

/// Adding and ending.
extension Intents {
  /// Adds a table, or nothing.
  ///
  /// - Parameter observable: Checks that a scope may observe a type.
  package static func add(
    through resolved: ResolvedHandle, _ count: Int, _ row: (Int) -> mainstem_intent_row,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ observable: (UInt32) throws(Refusal) -> Void
  ) throws(Refusal) {
    let navigator = try Navigator.of(resolved.stream)
    let (rows, intents) = try resolved.stream.trying { _ throws(Refusal) in
      let rows = Memory.allocate(Intent.self, count: max(count, 1))
      guard let rows, let intents = Memory.allocate(Intents.self) else {
        Memory.free(rows)
        throw .noMemory
      }
      return (rows, intents)
    }
    intents.initialize(
      to: Intents(
        navigator: navigator, origin: resolved.origin, userData: userData, release: release,
        rows: rows))
    navigator.hold()
    defer { drop(intents) }
    do throws(Refusal) {
      try fill(intents, through: resolved, count, row, observable)
    } catch {
      intents.pointee.release = nil
      while intents.pointee.count > 0 {
        intents.pointee.count &-= 1
        let row = rows + intents.pointee.count
        let handle = Handle(bits: UInt64(UInt(bitPattern: row.pointee.subscription)))
        row.pointee.name?.free()
        try? Stream.cancel(handle, .inner)
      }
      throw error
    }
  }

  /// Adds the rows, and an observer for each.
  private static func fill(
    _ intents: Pointer, through resolved: ResolvedHandle, _ count: Int,
    _ row: (Int) -> mainstem_intent_row, _ observable: (UInt32) throws(Refusal) -> Void
  ) throws(Refusal) {
    var index = 0
    while index < count {
      let added = intents.pointee.rows + index
      do throws(Refusal) {
        let type = try append(row(index), to: intents, observable)
        try observe(
          hearIntent, UnsafeMutableRawPointer(added), dropIntent, type, intents, resolved,
          &added.pointee.subscription)
      } catch {
        throw error.status == .noMemory ? error : error.inRow(index)
      }
      index &+= 1
    }
    guard intents.pointee.isQueued else { return }
    try observe(
      hearTree, UnsafeMutableRawPointer(intents), dropIntents,
      intents.pointee.navigator.types.tree, intents, resolved, nil)
  }

  /// Checks a row, and adds it. Returns its type.
  private static func append(
    _ row: mainstem_intent_row, to intents: Pointer,
    _ observable: (UInt32) throws(Refusal) -> Void
  ) throws(Refusal) -> UInt32 {
    guard let text = row.type else { throw .null("rows.type") }
    guard let function = row.fn else { throw .null("rows.fn") }
    let both = UInt32(MAINSTEM_INTENT_QUEUED | MAINSTEM_INTENT_ALLOWED)
    guard row.flags & ~both == 0, row.reserved == 0 else {
      throw Refusal(.unsupported, "rows.flags", "has a flag that this library does not know")
    }
    guard row.flags != both else {
      throw Refusal(.invalid, "rows.flags", "is both queued and allowed: choose one")
    }
    let (navigator, stream) = (intents.pointee.navigator, intents.pointee.navigator.stream)
    let bytes = Bytes(zeroEnded: text)
    let type = try stream.locked { () throws(Refusal) in
      guard case let type = stream.state.pointee.types.find(bytes), type != 0 else {
        throw stream.state.pointee.types.unknown(bytes, "rows.type")
      }
      return type
    }
    try observable(type)
    let given = try row.name.map { (name) throws(Refusal) in try Name.check(name, "rows.name") }
    let name = try given.map { (text) throws(Refusal) in try navigator.copy(text) }
    (intents.pointee.rows + intents.pointee.count).initialize(
      to: Intent(intents: intents, name: name, function: function, flags: row.flags))
    intents.pointee.count &+= 1
    return type
  }

  private static func observe(
    _ function: @escaping mainstem_event_fn, _ userData: UnsafeMutableRawPointer,
    _ release: @escaping mainstem_release_fn, _ type: UInt32, _ intents: Pointer,
    _ resolved: ResolvedHandle, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    intents.pointee.holders &+= 1
    var options = Subscription.Options(function, userData, release, .one(type))
    options.kind = .inner
    do throws(Refusal) {
      try resolved.stream.observe(options, through: resolved, resolved.handle, given)
    } catch {
      drop(intents)
      throw error
    }
  }

  /// Gives one use of its memory back; the last ends it.
  fileprivate static func drop(_ intents: Pointer) {
    intents.pointee.holders &-= 1
    guard intents.pointee.holders == 0 else { return }
    while let intent = intents.pointee.waiting.takeFirst() { free(intent) }
    var index = 0
    while index < intents.pointee.count {
      intents.pointee.rows[index].name?.free()
      index &+= 1
    }
    let (release, userData) = (intents.pointee.release, intents.pointee.userData)
    let navigator = intents.pointee.navigator
    Memory.free(intents.pointee.rows)
    Memory.free(intents)
    navigator.drop()
    release?(userData)
  }

  private static func free(_ intent: UnsafeMutablePointer<WaitingIntent>) {
    try? Stream.endRetained(intent.pointee.event)
    Memory.free(intent)
  }

  /// Whether any row waits for components that are covered.
  private var isQueued: Bool {
    var index = 0
    while index < count {
      if rows[index].flags & UInt32(MAINSTEM_INTENT_QUEUED) != 0 { return true }
      index &+= 1
    }
    return false
  }
}

/// Telling.
extension Intents {
  /// Tells the flow of an event, if a component of it has said it.
  fileprivate static func hear(
    _ event: UnsafePointer<mainstem_event>, _ row: UnsafeMutablePointer<Intent>
  ) {
    let intents = row.pointee.intents
    let navigator = intents.pointee.navigator
    guard event.pointee.type != navigator.types.link else {
      return row.pointee.function(intents.pointee.userData, event)
    }
    guard let component = intents.pointee.speaker(of: event, row) else { return }
    guard navigator.tree.covers(component),
      row.pointee.flags & UInt32(MAINSTEM_INTENT_ALLOWED) == 0
    else { return row.pointee.function(intents.pointee.userData, event) }
    guard row.pointee.flags & UInt32(MAINSTEM_INTENT_QUEUED) != 0 else { return }
    intents.pointee.keep(event, row)
  }

  /// The component of this flow that has said something; nil: it was none.
  private func speaker(
    of event: UnsafePointer<mainstem_event>, _ row: UnsafeMutablePointer<Intent>
  ) -> Component.Pointer? {
    guard let component = navigator.component(ofOrigin: event.pointee.origin),
      let flow = navigator.component(ofOrigin: origin)
    else { return nil }
    if let name = row.pointee.name {
      guard component.pointee.destination.pointee.name?.bytes == name.bytes else { return nil }
    }
    return navigator.tree.flow(of: component) == flow ? component : nil
  }

  /// Keeps an event for later. What is more than may wait is lost, and that is a failed call.
  private mutating func keep(
    _ event: UnsafePointer<mainstem_event>, _ row: UnsafeMutablePointer<Intent>
  ) {
    do throws(Refusal) {
      try navigator.stream.trying { _ throws(Refusal) in
        guard waitingCount < Intents.mostWaiting else {
          throw Refusal(.full, "rows", "have 1,024 intents waiting")
        }
        guard let intent = Memory.allocate(WaitingIntent.self) else { throw .noMemory }
        do throws(Refusal) {
          intent.initialize(to: WaitingIntent(row: row, event: try Stream.retain(event)))
        } catch {
          Memory.free(intent)
          throw error
        }
        waiting.append(intent)
        waitingCount &+= 1
      }
    } catch {
      Frame.innermost?.pointee.noteFailed()
    }
  }

  /// Tells the flow what waits, as far as nothing covers who said it any more.
  fileprivate static func tellWaiting(_ intents: Pointer) {
    var rest = intents.pointee.waiting
    intents.pointee.waiting = Chain()
    let subscription = Frame.innermost?.pointee.row
    while let intent = rest.takeFirst() {
      let row = intent.pointee.row
      guard let event = try? Stream.retained(intent.pointee.event),
        let component = intents.pointee.speaker(of: event, row),
        subscription.map({ !Subscription.isCancelled($0) }) ?? true
      else {
        intents.pointee.waitingCount &-= 1
        free(intent)
        continue
      }
      guard !intents.pointee.navigator.tree.covers(component) else {
        intents.pointee.waiting.append(intent)
        continue
      }
      intents.pointee.waitingCount &-= 1
      row.pointee.function(intents.pointee.userData, event)
      if intents.pointee.navigator.stream.isForked { return }
      free(intent)
    }
  }
}

private func hearIntent(
  _ row: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let row = row?.assumingMemoryBound(to: Intent.self), let event else { return }
  Intents.hear(event, row)
}

private func hearTree(
  _ intents: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let intents = intents?.assumingMemoryBound(to: Intents.self) else { return }
  Intents.tellWaiting(intents)
}

private func dropIntent(_ row: UnsafeMutableRawPointer?) {
  guard let row = row?.assumingMemoryBound(to: Intent.self) else { return }
  Intents.drop(row.pointee.intents)
}

private func dropIntents(_ intents: UnsafeMutableRawPointer?) {
  guard let intents = intents?.assumingMemoryBound(to: Intents.self) else { return }
  Intents.drop(intents)
}

/// An intent that waits until no screen covers who has said it.
struct WaitingIntent: Linked {
  let row: UnsafeMutablePointer<Intent>
  /// Retained.
  let event: Handle
  private var next: UnsafeMutablePointer<WaitingIntent>?

  init(row: UnsafeMutablePointer<Intent>, event: Handle) {
    self.row = row
    self.event = event
  }

  static func next(after node: UnsafeMutablePointer<Self>) -> UnsafeMutablePointer<Self>? {
    node.pointee.next
  }

  static func link(_ node: UnsafeMutablePointer<Self>, to next: UnsafeMutablePointer<Self>?) {
    node.pointee.next = next
  }
}
