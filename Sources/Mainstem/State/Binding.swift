// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A view's hold on what one scope shows. It ends when it is released, by ``end()``, or with its view.
///
///     let binding = try view.bind(to: cell) { rows in
///       rows.show("title") { label.text = $0 }
///       rows.show("isDone") { (isDone: Bool) in box.isChecked = isDone }
///     }
///     try binding.set("title", "milk")
public class Binding {
  let types: EventTypes
  let rows: BoundRows
  /// Where C puts the handle, before it calls a row.
  private let place = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
  /// Kept as long as C may call it.
  private var changes: Held<([String]) -> Void>?
  private var ended: Held<() -> Void>?

  /// - Parameter rows: What it shows, when it has been added to a view.
  init(_ rows: BindingRows, _ types: EventTypes) {
    self.rows = BoundRows(rows.rows, types)
    self.types = types
    place.initialize(to: nil)
    self.rows.binding = self
  }

  deinit {
    mainstem_binding_end(place.pointee)
    place.deallocate()
  }

  var handle: OpaquePointer? { place.pointee }

  /// Adds it to a view.
  func add(to view: Context, pointingAt owner: Context?) throws(StreamError) {
    try rows.retarget(to: owner) { () throws(StreamError) in
      try rows.keep { userData, release in
        rows.withRows { rows in
          mainstem_binding_add(
            view.handle, owner?.handle, rows.baseAddress,
            MemoryLayout<mainstem_binding_row>.stride, rows.count, userData, release, place)
        }
      }
    }
  }

  /// Points the binding at another owner: its closures hear no more of the old one, and get what is kept of the new
  /// one.
  ///
  /// - Parameter owner: The owner; `nil`: nowhere.
  /// - Throws: The reason the call was refused.
  public func retarget(to owner: Context?) throws(StreamError) {
    try rows.retarget(to: owner) { () throws(StreamError) in
      try StreamError.check(mainstem_binding_retarget(handle, owner?.handle))
    }
  }

  /// Writes a value of the owner, as its view. It is an input, also inside a callback.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's.
  ///   - value: The value, of the type that the owner shows. A whole number may be set where the owner shows a `Double`,
  ///     if that can hold it.
  /// - Throws: ``Status/invalid`` for a value of another type, ``Status/stale`` if the owner has ended, or the reason the
  ///   event was not accepted.
  public func set<Value: Encodable>(_ name: String, _ value: Value) throws(StreamError) {
    // Without a contract there is no such value, or no owner: C says which.
    let bytes = try rows.contract(of: name)?.bytes(of: value, types) ?? []
    try StreamError.check(mainstem_binding_set(handle, name, bytes, bytes.count))
  }

  /// Writes a secret of the owner, as its view.
  ///
  /// - Parameters:
  ///   - name: The part of the name behind the owner's.
  ///   - secret: The secret.
  /// - Throws: As ``set(_:_:)-(String,Value)``.
  public func set(_ name: String, _ secret: SecretText) throws(StreamError) {
    if let contract = try rows.contract(of: name) { try contract.demandText() }
    try StreamError.check(
      secret.withBytes { mainstem_binding_set(handle, name, $0.baseAddress, $0.count) })
  }

  /// Tells once per drain which values have changed, after everything else that the drain runs.
  ///
  /// - Parameter body: Gets the names, each once, in the order in which they first changed; `nil`: nobody is told.
  /// - Throws: The reason the call was refused.
  public func onChanges(_ body: (([String]) -> Void)?) throws(StreamError) {
    let held = body.map { Held($0) }
    let call: mainstem_changes_fn = { userData, names, count in
      guard let names else { return }
      let told = (0..<count).compactMap { names[$0].map { String(cString: $0) } }
      Kept.behind(userData, as: Held<([String]) -> Void>.self)?.content(told)
    }
    try StreamError.check(
      mainstem_binding_on_changes(handle, held == nil ? nil : call, held?.address))
    changes = held
  }

  /// Tells that the owner has ended, once for each that the binding points at: in a drain, after the owner's last value
  /// and the change set that names it. The rows hear nothing after that.
  ///
  /// - Parameter body: Called in the next drain if the owner has ended already; `nil`: nobody is told.
  /// - Throws: The reason the call was refused.
  public func onEnded(_ body: (() -> Void)?) throws(StreamError) {
    let held = body.map { Held($0) }
    let call: mainstem_ended_fn = { userData in
      // The closure may set another one, which would free this one: it stays until it has returned.
      let held = Kept.behind(userData, as: Held<() -> Void>.self)
      withExtendedLifetime(held) { held?.content() }
    }
    try StreamError.check(
      mainstem_binding_on_ended(handle, held == nil ? nil : call, held?.address))
    ended = held
  }

  /// Ends the binding: none of its closures is called any more.
  public func end() { mainstem_binding_end(handle) }
}

extension Context {
  /// Binds this scope, a view, to an owner: its values are the types `Owner.name`.
  ///
  /// - Parameters:
  ///   - owner: The owner; `nil`: the binding points nowhere.
  ///   - rows: Says what is shown.
  /// - Returns: The binding, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func bind(
    to owner: Context?, _ rows: (inout BindingRows) -> Void
  ) throws(StreamError) -> Binding {
    var table = BindingRows()
    rows(&table)
    let binding = Binding(table, types)
    try binding.add(to: self, pointingAt: owner)
    return binding
  }
}

extension Held {
  // The binding keeps it as long as C has the address.
  fileprivate var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
