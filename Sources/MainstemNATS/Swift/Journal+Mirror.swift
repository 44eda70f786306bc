// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

extension Journal {
  /// Begins to mirror a journal to a stream, behind the program that records it. Does not wait for the server.
  ///
  ///     let mirror = try Journal.mirror("session.journal", to: "nats://archive:4222", prefix: "todo")
  ///     // … the program runs, and records to session.journal …
  ///     try await mirror.flush(timeout: .seconds(5))
  ///
  /// - Parameters:
  ///   - path: The path of the journal, which exists.
  ///   - connection: The servers.
  ///   - prefix: How subjects begin; `nil`: the file's name up to its first dot.
  ///   - stream: The stream, which is made if it is not there; `nil`: the prefix, with `_` for each dot.
  ///   - layers: Only events of these layers; empty: all.
  ///   - types: Only events of types with these names; empty: all.
  ///   - replicas: On how many servers, where the stream is made.
  ///   - window: How many entries may wait for the server's answer; `nil`: 4,096.
  /// - Returns: The mirror, which goes on until it is closed or released.
  /// - Throws: ``Status/io`` if the journal does not exist, ``Status/corrupt`` if it is none, ``Status/invalid`` for
  ///   names that NATS does not take.
  public static func mirror(
    _ path: String, to connection: NATSConnection = NATSConnection(), prefix: String? = nil,
    stream: String? = nil, layers: [Layer] = [], types: [String] = [], replicas: UInt32 = 1,
    window: UInt32? = nil
  ) throws(StreamError) -> Bridge {
    try StreamError.demandNoZero(path, "mirror: path")
    var options = try BridgeOptions(connection)
    options.set(\.prefix, prefix)
    options.set(\.stream, stream)
    options.set(\.layers, layers.map(\.name))
    options.set(\.types, types)
    options.fields.layer_count = UInt32(clamping: layers.count)
    options.fields.type_count = UInt32(clamping: types.count)
    options.fields.replicas = replicas
    options.fields.window = window ?? 0
    return try options.begin(of: nil) { mainstem_nats_mirror(path, &$0, &$1) }
  }
}
