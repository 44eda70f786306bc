// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

extension Journal {
  /// Makes a journal of what a stream has of it: the one that was mirrored, byte for byte, or what is left of it.
  ///
  /// Waits for the server and the disk. The file is there when it is complete, and not before.
  ///
  /// - Parameters:
  ///   - path: The path of the new journal; no file may be there.
  ///   - connection: The servers.
  ///   - prefix: How subjects begin; `nil`: the file's name up to its first dot.
  ///   - stream: The stream; `nil`: the prefix, with `_` for each dot.
  ///   - id: The journal's ``JournalInfo/id``; `nil`: the only journal in the stream.
  ///   - timeout: How long the server may be silent; `nil`: forever, 0: it is tried once.
  /// - Returns: What was made.
  /// - Throws: ``Status/io`` if there is no server, or one that fails; ``Status/invalid`` if a file exists at the path, if
  ///   the stream has nothing of the journal, or has several and there is no id.
  @discardableResult
  public static func fetch(
    _ path: String, from connection: NATSConnection = NATSConnection(), prefix: String? = nil,
    stream: String? = nil, id: [UInt8]? = nil, timeout: Duration? = .seconds(10)
  ) throws(StreamError) -> FetchReport {
    try StreamError.demandNoZero(path, "fetch: path")
    var options = try BridgeOptions(connection)
    options.set(\.prefix, prefix)
    options.set(\.stream, stream)
    let timeoutMs = try timeout?.milliseconds("fetch: timeout") ?? -1
    let journal = id.map { hexadecimal($0) }
    var report = mainstem_nats_fetch_report()
    report.size = UInt32(MemoryLayout<mainstem_nats_fetch_report>.size)
    try options.call { mainstem_nats_fetch(path, &$0, journal, timeoutMs, &report) }
    return FetchReport(report)
  }
}

/// A journal's id as text: 32 digits.
func hexadecimal(_ id: [UInt8]) -> String {
  id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
