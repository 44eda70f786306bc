// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context: CustomStringConvertible {
  /// What it is, and whether it has ended: `Context`, `Scope Cell`, `Context, closed`.
  public var description: String {
    var (number, scope, name) = (UInt64(0), OpaquePointer?.none, UnsafePointer<CChar>?.none)
    let status = mainstem_scope_number(handle, &number)
    guard status == 0 else {
      let kind = isScope ? "Scope" : "Context"
      return Status(rawValue: status) == .wrongThread
        ? "\(kind) of another thread" : "\(kind), \(isScope ? "ended" : "closed")"
    }
    if number == 0 { return "Context" }
    mainstem_scope_find(handle, number, &scope, &name)
    return "Scope \(name.map { String(cString: $0) } ?? "")"
  }
}
