// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS

/// What ``Mainstem/Journal/fetch(_:from:prefix:stream:id:timeout:)`` has made.
public struct FetchReport: Sendable, Hashable {
  /// Whether it is the journal itself, byte for byte; else it is what is left of it.
  public let isWhole: Bool
  /// The journal's id: 16 bytes.
  public let id: [UInt8]
  /// Entries of the stream that are the journal's.
  public let entries: UInt64
  /// How many events are in the new file.
  public let events: UInt64
  /// How many other records, if it is whole.
  public let records: UInt64
  /// The position of the first event; 0: there is none.
  public let first: UInt64
  /// The last position.
  public let last: UInt64
  /// Payloads that the mirror left out.
  public let leftOut: UInt64
  /// Positions of which the stream has nothing.
  public let missing: UInt64
}

extension FetchReport {
  init(_ report: mainstem_nats_fetch_report) {
    self.init(
      isWhole: report.is_whole != 0, id: withUnsafeBytes(of: report.id) { Array($0) },
      entries: report.entries, events: report.events, records: report.records,
      first: report.first, last: report.last, leftOut: report.left_out, missing: report.missing)
  }
}
