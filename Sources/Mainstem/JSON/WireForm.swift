// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Values as texts, the same in all languages. A reader returns nil for what is no such text.
enum WireForm {
  /// The text of a value whose type has a form.
  static func text<Value>(of value: Value) throws -> String {
    let text: String? =
      switch value {
      case let date as Date: WireForm.text(ofDate: date)
      case let uuid as UUID: uuid.uuidString.lowercased()
      case let data as Data: data.base64EncodedString()
      case let url as URL: url.absoluteString
      case let decimal as Decimal: WireForm.text(ofDecimal: decimal)
      case let duration as Duration: WireForm.text(ofDuration: duration)
      default: nil
      }
    if let text { return text }
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "\(value) has no form in JSON"))
  }

  /// The value of a text.
  static func value<Value>(_ type: Value.Type, _ form: JSONForm, of text: String) -> Value? {
    let value: Any? =
      switch form {
      case .date: date(of: text)
      case .uuid: UUID(uuidString: text)
      case .data: Data(base64Encoded: text)
      case .url: URL(string: text)
      case .decimal: decimal(of: text)
      case .duration: duration(of: text)
      case .own, .hashed: nil
      }
    return value as? Value
  }
}

/// Decimal numbers, and lengths of time: "-12.5" and "-12.5s".
extension WireForm {
  static func text(ofDecimal decimal: Decimal) -> String? {
    guard !decimal.isNaN, let (isNegative, whole, fraction) = parts(of: decimal.description[...])
    else { return nil }
    let isZero = whole.allSatisfy { $0 == "0" } && fraction.isEmpty
    return (isNegative && !isZero ? "-" : "") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  static func decimal(of text: String) -> Decimal? {
    guard let (_, whole, fraction) = parts(of: text[...]) else { return nil }
    // More would be rounded.
    let digits = (whole + fraction).drop { $0 == "0" }
    let significant = digits.reversed().drop { $0 == "0" }.count
    guard significant <= 38, fraction.count <= 127, whole.count <= 127 else { return nil }
    return Decimal(string: text)
  }

  static func text(ofDuration duration: Duration) -> String {
    let (seconds, rest) = duration.components
    let isNegative = seconds < 0 || rest < 0
    let fraction = fractionText(rest.magnitude, places: 18)
    return "\(isNegative ? "-" : "")\(seconds.magnitude)\(fraction)s"
  }

  static func duration(of text: String) -> Duration? {
    guard text.hasSuffix("s"), let (isNegative, whole, fraction) = parts(of: text.dropLast()),
      fraction.count <= 18, let seconds = Int64((isNegative ? "-" : "") + whole),
      let rest = Int64(fraction + String(repeating: "0", count: 18 - fraction.count))
    else { return nil }
    return Duration(
      secondsComponent: seconds, attosecondsComponent: isNegative ? -rest : rest)
  }

  /// The sign, the digits before the point and those behind it, without zeros at the end.
  private static func parts(of text: Substring) -> (Bool, whole: String, fraction: String)? {
    let isNegative = text.hasPrefix("-")
    let number = (isNegative ? text.dropFirst() : text).split(
      separator: ".", omittingEmptySubsequences: false)
    guard number.count <= 2, number.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    var fraction = number.count == 2 ? number[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    return (isNegative, String(number[0]), String(fraction))
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// A point and digits, without zeros at the end; empty for 0.
  static func fractionText(_ value: UInt64, places: Int) -> String {
    var digits = Substring(String(value))
    if value == 0 { return "" }
    digits = String(repeating: "0", count: max(0, places - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return ".\(digits)"
  }
}
