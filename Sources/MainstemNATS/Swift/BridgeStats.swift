// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

/// How a bridge does.
public struct BridgeStats: Sendable, Hashable {
  /// Whether it works.
  public enum State: Sendable, Hashable {
    /// It has no server that does its part, and tries again.
    case waiting
    /// It works, or has nothing to do.
    case running
    /// It has stopped: see ``BridgeStats/status``.
    case stopped
  }

  /// Whether it works.
  public let state: State
  /// ``Status/ok`` while it runs; else why it waits or has stopped.
  public let status: Status
  /// How often it began, with a new connection.
  public let begun: UInt32
  /// The last position read.
  public let read: UInt64
  /// The last position that the stream is known to have.
  public let done: UInt64
  /// Entries that the server acknowledged, or that were taken in; requests answered.
  public let entries: UInt64
  /// The bytes of their data.
  public let bytes: UInt64
  /// Payloads left out, because the server does not take so much, or an import gets none.
  public let leftOut: UInt64
  /// Entries refused, or acknowledged as others; messages in the stream that only look like the
  /// journal's; answers that nobody waits for.
  public let refused: UInt64
  /// Positions that a flight recorder removed before they were read; answers without a connection.
  public let lost: UInt64
  /// Requests that have no answer yet.
  public let open: UInt64
  /// Entries that were taken in already, and were left out.
  public let repeated: UInt64
  /// The last thing that went wrong; may be empty.
  public let message: String
}

extension BridgeStats {
  init(_ stats: mainstem_nats_stats) {
    let state: State =
      switch stats.state {
      case UInt32(MAINSTEM_NATS_WAITING): .waiting
      case UInt32(MAINSTEM_NATS_RUNNING): .running
      default: .stopped
      }
    let message = withUnsafeBytes(of: stats.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      state: state, status: Status(rawValue: stats.status), begun: stats.begun, read: stats.read,
      done: stats.done, entries: stats.entries, bytes: stats.bytes, leftOut: stats.left_out,
      refused: stats.refused, lost: stats.lost, open: stats.open, repeated: stats.repeated,
      message: message)
  }
}
