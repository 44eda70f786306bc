// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

extension Context {
  /// Begins to take what others have mirrored into this context, as events of its own. Does not wait for the server.
  ///
  ///     let moves = try context.importStream(
  ///       "todo", ["Moved": RemoteMoved.self], from: "nats://archive:4222", journal: "board.journal")
  ///
  /// Each event comes once, in the order of its journal, when the context drains. A recorded context knows from its own
  /// journal what it has; another one from what the server was told, so that some may come again after a crash.
  ///
  /// - Parameters:
  ///   - stream: The stream; it is waited for, and never made.
  ///   - types: What to take in: the names there, and the event types here.
  ///   - connection: The servers.
  ///   - journal: The path of this context's own journal; needed if it is recorded, and only then.
  ///   - durable: The name of the consumer on the server; needed if the context is not recorded.
  ///   - source: Only of the journal with this ``JournalInfo/id``; `nil`: of all.
  ///   - scope: The name of the scope through which the events are sent; `nil`: "import." and the stream.
  ///   - rights: What may be sent through it; `nil`: what this context may.
  ///   - window: How many entries are taken in at once; `nil`: 512.
  /// - Returns: The import, which goes on until it is closed or released, or the context is closed.
  /// - Throws: ``Status/invalid`` for a journal or consumer that is missing or too much, and for types that leave no trace
  ///   in the journal; ``Status/busy`` during a replay.
  public func importStream(
    _ stream: String, _ types: [String: any Event.Type],
    from connection: NATSConnection = NATSConnection(), journal: String? = nil,
    durable: String? = nil, source: [UInt8]? = nil, scope: String? = nil, rights: Rights? = nil,
    window: UInt32? = nil
  ) throws(StreamError) -> Bridge {
    var options = try BridgeOptions(connection)
    // Sorted: the order of a dictionary must not decide which number a new type gets.
    let types = types.sorted { $0.key < $1.key }
    for type in types { try register(type.value) }
    options.set(\.types, types.map(\.key))
    options.set(\.as, types.map { $0.value.name })
    options.fields.type_count = UInt32(clamping: types.count)
    options.set(\.stream, stream)
    options.set(\.journal, journal)
    options.set(\.durable, durable)
    options.set(\.source, source.map { hexadecimal($0) })
    options.set(\.scope, scope)
    options.fields.window = window ?? 0
    return try begin(options, rights: rights)
  }

  /// The same, of types that have their names there, too.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - types: What to take in.
  ///   - connection: The servers.
  ///   - journal: The path of this context's own journal.
  ///   - durable: The name of the consumer on the server.
  ///   - source: Only of the journal with this ``JournalInfo/id``; `nil`: of all.
  ///   - scope: The name of the scope through which the events are sent.
  ///   - rights: What may be sent through it; `nil`: what this context may.
  ///   - window: How many entries are taken in at once; `nil`: 512.
  /// - Returns: The import.
  /// - Throws: The same.
  public func importStream(
    _ stream: String, _ types: [any Event.Type],
    from connection: NATSConnection = NATSConnection(), journal: String? = nil,
    durable: String? = nil, source: [UInt8]? = nil, scope: String? = nil, rights: Rights? = nil,
    window: UInt32? = nil
  ) throws(StreamError) -> Bridge {
    let named = types.map { ($0.name, $0) }
    return try importStream(
      stream, Dictionary(named) { first, _ in first }, from: connection, journal: journal,
      durable: durable, source: source, scope: scope, rights: rights, window: window)
  }

  private func begin(_ options: BridgeOptions, rights: Rights?) throws(StreamError) -> Bridge {
    let scope = try (rights ?? Rights()).options(in: handle)
    return try options.begin(of: self) { options, bridge in
      withUnsafePointer(to: scope) { scope in
        options.rights = scope
        return mainstem_nats_import(handle, &options, &bridge)
      }
    }
  }
}
