// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// What identifies a row of a list, as the `id` of its row: a text, a whole number or a UUID.
///
/// An id of your own conforms if it says its key; one that has a raw value of these types need not even do that:
///
///     struct TodoID: RawRepresentable, Codable, Hashable, RowKey { var rawValue: Int }
public protocol RowKey {
  /// The key on the stream, the same in every language: 1 to 255 bytes of UTF-8.
  var rowKey: String { get }
}

extension RowKey where Self: RawRepresentable, RawValue: RowKey {
  /// That of the raw value.
  public var rowKey: String { rawValue.rowKey }
}

extension RowKey where Self: BinaryInteger {
  /// The number in decimal.
  public var rowKey: String { String(self) }
}

extension String: RowKey {
  /// The text as it is.
  public var rowKey: String { self }
}

extension UUID: RowKey {
  /// The UUID in lower case.
  public var rowKey: String { uuidString.lowercased() }
}

extension Int: RowKey {}
extension Int8: RowKey {}
extension Int16: RowKey {}
extension Int32: RowKey {}
extension Int64: RowKey {}
extension UInt: RowKey {}
extension UInt8: RowKey {}
extension UInt16: RowKey {}
extension UInt32: RowKey {}
extension UInt64: RowKey {}
