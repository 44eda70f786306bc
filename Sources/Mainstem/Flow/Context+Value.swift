// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Sets a value of this scope: sends it, unless it is there already.
  ///
  ///     struct Count: ScalarEvent {
  ///       static let role = Role.value
  ///       var value: Int
  ///     }
  ///     try counter.set(Count(value: 3))
  ///
  /// Of each type of this role, the last event of each scope is kept until the scope ends. Whoever
  /// observes gets the present one first, flagged ``Delivery/isLate``, then each change.
  ///
  /// - Parameter event: An event whose role is ``Role/value``.
  /// - Throws: ``Status/invalid`` for another role; else the reason it was not accepted.
  public func set<E: Event>(_ event: E) throws(StreamError) {
    let number = try types.number(of: E.self)
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_value_set(handle, number, bytes, bytes.count))
  }

  /// Reads the present value of this scope: the one that was delivered last.
  ///
  /// - Parameter type: An event type whose role is ``Role/value``.
  /// - Returns: The value; `nil` before the first.
  /// - Throws: ``Status/invalid`` for another role, ``Status/denied`` for a scope that may not
  ///   observe the type; a ``Failure`` if its bytes are none of the type.
  public func value<E: Event>(of type: E.Type) throws -> E? {
    var retained: OpaquePointer?
    let status = mainstem_value_get(handle, try types.number(of: type), &retained)
    if status == Status.unset.rawValue { return nil }
    try StreamError.check(status)
    defer { mainstem_retained_release(retained) }
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(retained, &event))
    return try event.map { try types.decode(type, from: $0.pointee) }
  }
}
