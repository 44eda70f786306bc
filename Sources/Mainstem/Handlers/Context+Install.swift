// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Installs a server. The context owns it from now on.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - name: Its name: the origin of what it sends.
  /// - Returns: The server's scope; closing it ends the server.
  /// - Throws: The reason it was not installed.
  @discardableResult
  public func install<S: Server>(
    _ server: S, name: String = S.name
  ) throws(StreamError) -> Context {
    let house = try ServerHouse(server, types: types, in: handle)
    let callback = Callback { event in house.handle(event) }
    var scope: OpaquePointer?
    try callback.keep { userData, release in
      house.withRows { rows in
        mainstem_server_add(
          handle, name, rows.baseAddress, MemoryLayout<mainstem_handler_row>.stride, rows.count,
          userData, release, &scope)
      }
    }
    return Context(scope, types: types, ownership: .none)
  }
}
