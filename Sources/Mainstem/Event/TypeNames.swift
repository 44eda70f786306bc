// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Which Swift type has which name in one context, whichever module registers it.
///
/// C finds types by name: without this, a second type of a name would silently become the first one, and its observers
/// and servers would get the other's events.
///
/// Sendable because `claims` is only touched under the lock.
final class TypeNames: @unchecked Sendable {
  private let root: OpaquePointer?
  private let lock = Lock()
  private var claims: [String: Claim] = [:]

  private init(_ root: OpaquePointer?) { self.root = root }

  deinit { SharedNames.all.remove(root) }

  /// The names of a context: one table for all that wrap it or one of its scopes, unless that is limited.
  static func of(_ handle: OpaquePointer?) -> TypeNames {
    var root: OpaquePointer?
    guard mainstem_scope_find(handle, 0, &root, nil) == 0, let root else { return TypeNames(nil) }
    return SharedNames.all.find(root) { TypeNames(root) }
  }

  /// Claims an event type's name, and that of its answer.
  ///
  /// - Throws: ``Status/invalid`` if another Swift type has one of them. Modules that wrap the context of a C host each for
  ///   themselves may agree on a name, as programs in C and Python do, if one of the types declares it itself.
  func claim(_ type: any Event.Type, for user: EventTypes) throws(StreamError) {
    try claim(type.name, isDeclared: type.name != "\(type)", type, user)
    if let answer = type.answer {
      try claim(answer.name, isDeclared: answer.name != "\(answer)", answer, user)
    }
  }

  /// Claims the name of a kind of view models, the first part of the names of what it shows.
  ///
  /// - Throws: ``Status/invalid`` if another kind has that name.
  func claim(owner: String, _ type: Any.Type, for user: EventTypes) throws(StreamError) {
    try claim("\(owner).", isDeclared: false, type, user)
  }

  private func claim(
    _ name: String, isDeclared: Bool, _ type: Any.Type, _ user: EventTypes
  ) throws(StreamError) {
    let new = Claim(
      type: String(reflecting: type), isDeclared: isDeclared, user: ObjectIdentifier(user))
    let first = lock.locked {
      let first = claims[name] ?? new
      claims[name] = first
      return first
    }
    if first.type == new.type { return }
    if first.user != new.user, first.isDeclared || new.isDeclared { return }
    let shown = name.hasSuffix(".") ? String(name.dropLast()) : name
    throw StreamError(
      .invalid,
      "\(shown): both \(first.place) and \(new.place) have this name: declare another name in one of them:"
        + " static let name = …")
  }
}

/// Who has a name.
private struct Claim {
  /// The type, with its module and the types around it. Two loaded copies of one module make the same of it.
  let type: String
  /// Whether the type has declared the name.
  let isDeclared: Bool
  /// The wrapper of the context through which it came.
  let user: ObjectIdentifier

  /// The type as a reader knows it. Of one that is private or local, Swift shows addresses.
  var place: String {
    let parts = type.split(separator: ".").map { part in
      part.contains("(unknown context at $") ? "(private)" : String(part)
    }
    let shown = parts.indices.filter { place in
      place == 0 || parts[place] != "(private)" || parts[place - 1] != "(private)"
    }
    return shown.map { parts[$0] }.joined(separator: ".")
  }
}

/// The tables of the contexts that live.
///
/// Sendable because `tables` is only touched under the lock.
private final class SharedNames: @unchecked Sendable {
  static let all = SharedNames()

  private struct Table { weak var names: TypeNames? }

  private let lock = Lock()
  private var tables: [OpaquePointer: Table] = [:]

  func find(_ root: OpaquePointer, _ make: () -> TypeNames) -> TypeNames {
    lock.locked {
      if let names = tables[root]?.names { return names }
      let names = make()
      tables[root] = Table(names: names)
      return names
    }
  }

  /// Forgets a table that has ended, unless there is another one of that context by now.
  func remove(_ root: OpaquePointer?) {
    guard let root else { return }
    // Released here, not under the lock: the last release of a table comes back to this function.
    withExtendedLifetime(
      lock.locked {
        let names = tables[root]?.names
        if names == nil { tables[root] = nil }
        return names
      }
    ) {}
  }
}
