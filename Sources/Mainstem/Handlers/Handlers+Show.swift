// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Handlers {
  /// Says what the server shows, as a function of its state (law 14).
  ///
  ///     on.show { [SumShown(cents: $0.sum)] }
  ///
  /// It is called once for each event that the server got, when everybody has seen that event, and before the answers that
  /// its handlers give arrive. The first call comes before the next event, or after the event of the callback that installs
  /// the server. If the notices find no room, it is called again after the next event. A server on a scheduler has none.
  ///
  /// A notice whose role is ``Role/value`` is a value: it is only sent if it differs.
  ///
  /// - Parameter body: Gets the server, and returns all that is to be seen, in order. If it throws, that counts as a
  ///   failed callback.
  public mutating func show(_ body: @escaping (S) throws -> [any Notice]) { shown.append(body) }
}

extension ServerHouse {
  /// Sends what the server shows through its scope, and returns a status for C.
  func show(through scope: OpaquePointer?) -> mainstem_status {
    let context = Context(scope, types: types, ownership: .none)
    do {
      for notice in try table.shown?(server) ?? [] { try context.say(notice) }
      return 0
    } catch let error as StreamError {
      return error.status.rawValue
    } catch {
      return Failure(error).code.rawValue
    }
  }
}

extension Context {
  /// Sets a value, or sends a notice.
  fileprivate func say<N: Notice>(_ notice: N) throws(StreamError) {
    if N.role == .value { try set(notice) } else { try send(notice) }
  }
}
