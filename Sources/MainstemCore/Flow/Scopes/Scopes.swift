// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The room of scopes: who sends and by which rights, and what ends together. Under the stream's lock; every thread may
/// ask whether rights are limited, and count a denial.
package struct Scopes: ~Copyable {
  /// The context itself; nil: it is closed. First, and no atomic: see `StreamState`.
  package private(set) var root: Scope.Pointer?
  var origins = Origins()
  var numbers = ScopeNumbers()
  var servers = Servers()
  var retained = RetainedEvents()
  var opened = OpenedScopes()
  /// Live scopes, without the root.
  private var count: UInt32 = 0
  private var ends: UInt32 = 0
  /// Ends that the deliverer is to record.
  var unnoted = ToldEnds()
  /// Whether a scope with limited rights was ever made.
  private let hasLimited = Atomic<Bool>(false)
  /// Calls that were refused because a scope has no right to them.
  private let denials = Atomic<UInt64>(0)

  package init() {}
}

extension Scopes {
  /// Begins anew, for another context.
  mutating func open(_ root: Scope.Pointer) {
    self.root = root
    hasLimited.store(false, ordering: .relaxed)
    denials.store(0, ordering: .relaxed)
  }

  /// Frees what the context had. All handles have ended.
  package mutating func close() {
    origins.free()
    numbers.free()
    opened.free()
    servers = Servers()
    if let root {
      Scope.eachUpwards(root) { scope in
        Scope.unlink(scope)
        Scope.free(scope)
      }
    }
    root = nil
    count = 0
    unnoted = ToldEnds()
  }

  mutating func add(_ scope: Scope.Pointer, below parent: Scope.Pointer) {
    Scope.adopt(scope, into: parent)
    origins.setLive(scope, for: scope.pointee.origin)
    count &+= 1
  }

  mutating func remove(_ scope: Scope.Pointer) {
    if scope.pointee.isServer { servers.remove(scope) }
    if let notice = scope.pointee.endNotice { opened.remove(notice) }
    origins.setLive(nil, for: scope.pointee.origin)
    Scope.unlink(scope)
    count &-= 1
  }

  /// Visits all scopes, parents before children.
  func each(_ visit: (Scope.Pointer) -> Void) {
    if let root { Scope.eachDownwards(root, visit) }
  }

  /// Counts the ends of scopes, so that what was lost with one can be identified.
  mutating func countEnd() -> UInt32 {
    ends &+= 1
    return ends
  }

  /// The end of scopes that is going on, or was the last.
  package var lastEnd: UInt32 { ends }

  package func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.scopes = count
    stats.pointee.retained = retained.count
    stats.pointee.denied = denials.load(ordering: .relaxed)
  }
}

/// Numbers.
extension Scopes {
  /// A session of 0.10 or before is replayed: the scopes that the program has made by now get the numbers that they had
  /// in it. Nothing was accepted yet, so all were made outside callbacks, and nothing has their numbers.
  mutating func widenNumbers() {
    numbers.widen()
    guard let root else { return }
    Scope.eachDownwards(root) { scope in
      guard let parent = scope.pointee.parent, let name = origins[scope.pointee.origin] else {
        return
      }
      let drawn = numbers.widen(scope.pointee.drawn, name, below: parent.pointee.number)
      scope.pointee.drawn = drawn
      origins.renumber(
        scope.pointee.origin,
        Origins.Scope(number: drawn.number, parent: parent.pointee.number))
    }
  }
}

/// Names.
extension Scopes {
  /// What a journal says about an origin: its name, and the numbers of its scope and of that scope's parent.
  package func describe(_ origin: UInt32) -> (name: Bytes, scope: UInt64, parent: UInt64)? {
    guard let name = origins[origin] else { return nil }
    let scope = origins.scope(of: origin)
    return (name, scope.number, scope.parent)
  }

  /// Visits the names of the servers, in order of registration, until `visit` returns false.
  package func eachServer(_ visit: (_ name: Bytes, _ isLast: Bool) -> Bool) {
    servers.each { server, isLast in
      guard let name = origins[server.pointee.origin] else { return false }
      return visit(name, isLast)
    }
  }
}

/// Services.
extension Scopes {
  /// Whether the scope of an origin lives.
  package func isLive(originOf origin: UInt32) -> Bool {
    origins[live: origins.scope(of: origin).number]?.pointee.origin == origin
  }
}

/// Rights.
extension Scopes {
  /// Whether a right may be missing at all.
  @inline(__always)
  var areLimited: Bool { hasLimited.load(ordering: .relaxed) }

  func noteLimited() { hasLimited.store(true, ordering: .relaxed) }

  package func countDenial() { denials.wrappingAdd(1, ordering: .relaxed) }
}

/// The scopes that are servers, in order of registration. Under the stream's lock.
struct Servers {
  private var first: Scope.Pointer?
  private var last: Scope.Pointer?

  mutating func add(_ scope: Scope.Pointer) {
    scope.pointee.isServer = true
    scope.pointee.previousServer = last
    if let last {
      last.pointee.nextServer = scope
    } else {
      first = scope
    }
    last = scope
  }

  mutating func remove(_ scope: Scope.Pointer) {
    scope.pointee.isServer = false
    let (previous, next) = (scope.pointee.previousServer, scope.pointee.nextServer)
    if let previous {
      previous.pointee.nextServer = next
    } else {
      first = next
    }
    if let next {
      next.pointee.previousServer = previous
    } else {
      last = previous
    }
  }

  /// Visits them until `visit` returns false.
  func each(_ visit: (_ server: Scope.Pointer, _ isLast: Bool) -> Bool) {
    var next = first
    while let server = next {
      next = server.pointee.nextServer
      guard visit(server, next == nil) else { return }
    }
  }
}
