// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// How JSON has the values of a type: as they encode themselves, or in a form that all languages share.
enum JSONForm: UInt8 {
  case own
  case date, uuid, data, url, decimal, duration
  /// A set, or a dictionary whose keys are no texts: in the order of its encoded elements, not of their hashes.
  case hashed

  static func of(_ type: Any.Type) -> JSONForm {
    if type == Date.self { return .date }
    if type == UUID.self { return .uuid }
    if type == Data.self { return .data }
    if type == URL.self { return .url }
    if type == Decimal.self { return .decimal }
    if type == Duration.self { return .duration }
    return (type as? any HashOrdered.Type)?.isHashed ?? false ? .hashed : .own
  }
}

/// The forms of the types that were met, so that each is looked up once.
struct KnownForms: ~Copyable {
  private var types = InlineArray<64, ObjectIdentifier?>(repeating: nil)
  private var forms = InlineArray<64, JSONForm>(repeating: .own)

  @inline(__always)
  mutating func find(_ type: Any.Type) -> JSONForm {
    let identity = ObjectIdentifier(type)
    // Descriptions of types lie at least 16 bytes apart.
    let bits = UInt(bitPattern: identity)
    let place = Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 10) & 63)
    if types[place] == identity { return forms[place] }
    return add(type, at: place)
  }

  @inline(never)
  private mutating func add(_ type: Any.Type, at place: Int) -> JSONForm {
    types[place] = ObjectIdentifier(type)
    forms[place] = JSONForm.of(type)
    return forms[place]
  }
}

/// What has no order but that of its hashes, which differs from process to process.
protocol HashOrdered {
  /// Whether that order would be seen.
  static var isHashed: Bool { get }

  /// What it encodes as a list, in the order of the encoded elements.
  func inOrder() throws -> [EncodedElement]
}

/// An element, and its JSON text.
struct EncodedElement {
  let bytes: [UInt8]
  let value: any Encodable

  init(_ value: any Encodable) throws {
    bytes = try JSONCoder.ofElements.encode(value)
    self.value = value
  }
}

extension Set: HashOrdered where Element: Encodable {
  static var isHashed: Bool { true }

  func inOrder() throws -> [EncodedElement] {
    try map { try EncodedElement($0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension Dictionary: HashOrdered where Key: Encodable, Value: Encodable {
  /// Texts and whole numbers, and what is like them, are the keys of an object, which are sorted anyway.
  static var isHashed: Bool {
    !(Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type)
  }

  func inOrder() throws -> [EncodedElement] {
    let pairs = try map { (try EncodedElement($0.key), try EncodedElement($0.value)) }
    // Keys that differ may have one text.
    return pairs.sorted { left, right in
      left.0.bytes == right.0.bytes
        ? left.1.bytes.lexicographicallyPrecedes(right.1.bytes)
        : left.0.bytes.lexicographicallyPrecedes(right.0.bytes)
    }.flatMap { [$0.0, $0.1] }
  }
}

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

/// Instants: RFC 3339 in UTC, with the fewest fraction digits that give the same `Date` back.
extension WireForm {
  /// From 1970 to the beginning of a `Date`'s time, which is 2001.
  private static let beginning: Int64 = 978_307_200

  static func text(ofDate date: Date) -> String? {
    let time = date.timeIntervalSinceReferenceDate
    // Years 1 to 9999 are well within.
    guard time.magnitude < 1e12, let (number, places) = digits(of: time) else { return nil }
    let unit = power(places)
    var (seconds, rest) = number.quotientAndRemainder(dividingBy: unit)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + unit) }
    seconds += beginning
    var (days, second) = seconds.quotientAndRemainder(dividingBy: 86400)
    if second < 0 { (days, second) = (days - 1, second + 86400) }
    let (year, month, day) = civil(days)
    guard 1...9999 ~= year else { return nil }
    let clock = "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
    let fraction = fractionText(UInt64(rest), places: places)
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(clock)\(fraction)Z"
  }

  static func date(of text: String) -> Date? {
    var text = Array(text.utf8)[...]
    guard let year = number(&text, 4), take(&text, "-"), let month = number(&text, 2),
      take(&text, "-"), let day = number(&text, 2), take(&text, "T"),
      let hour = number(&text, 2), take(&text, ":"), let minute = number(&text, 2),
      take(&text, ":"), let second = number(&text, 2)
    else { return nil }
    var fraction = ArraySlice<UInt8>()
    if take(&text, ".") {
      fraction = text.prefix(while: isDigit)
      text = text.dropFirst(fraction.count)
      if fraction.isEmpty { return nil }
    }
    guard let offset = offset(text), year >= 1, hour < 24, minute < 60, second < 60,
      let days = days(year, month, day)
    else { return nil }
    let whole = days * 86400 + hour * 3600 + minute * 60 + second - offset - beginning
    return date(whole, fraction.prefix(30))
  }

  /// The date at so many seconds and a fraction; by their decimal digits, which are rounded once.
  private static func date(_ seconds: Int64, _ fraction: ArraySlice<UInt8>) -> Date? {
    let digits = String(decoding: fraction, as: UTF8.self)
    if seconds >= 0 || fraction.allSatisfy({ $0 == 0x30 }) {
      return Double("\(seconds).\(digits)0").map(Date.init(timeIntervalSinceReferenceDate:))
    }
    // Before the beginning: what is missing to the next second.
    var (missing, carry) = ([UInt8](), UInt8(10))
    for digit in fraction.reversed() {
      let left = carry - (digit - 0x30)
      missing.append(0x30 + left % 10)
      carry = left >= 10 ? 10 : 9
    }
    let text = "-\(-(seconds + 1)).\(String(decoding: missing.reversed(), as: UTF8.self))"
    return Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The fewest digits that give a number back, at most 18 of them behind the point.
  private static func digits(of time: Double) -> (number: Int64, places: Int)? {
    let text = "\(time.magnitude)".split(separator: "e")
    let parts = text[0].split(separator: ".")
    var fraction = parts.count == 2 ? parts[1] : ""
    if fraction == "0" { fraction = "" }
    guard var number = Int64(parts[0] + fraction) else { return nil }
    var places = fraction.count
    if text.count == 2, let exponent = Int(text[1]) { places -= exponent }
    while places < 0 { (number, places) = (number * 10, places + 1) }
    while places > 18 { (number, places) = (number / 10, places - 1) }
    return (time < 0 ? -number : number, places)
  }

  private static func power(_ places: Int) -> Int64 {
    (0..<places).reduce(1) { unit, _ in unit * 10 }
  }

  private static func padded(_ value: Int64, _ width: Int = 2) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func number(_ text: inout ArraySlice<UInt8>, _ width: Int) -> Int64? {
    let digits = text.prefix(width)
    guard digits.count == width, digits.allSatisfy(isDigit) else { return nil }
    text = text.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func take(_ text: inout ArraySlice<UInt8>, _ letter: Unicode.Scalar) -> Bool {
    guard text.first == UInt8(ascii: letter) else { return false }
    text = text.dropFirst()
    return true
  }

  /// Seconds east of UTC.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
    if text.elementsEqual("Z".utf8) { return 0 }
    var rest = text.dropFirst()
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(&rest, 2), take(&rest, ":"), let minutes = number(&rest, 2),
      rest.isEmpty, hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}

/// The Gregorian calendar. A year is counted from March, so that the day that some years have comes last.
extension WireForm {
  private static let daysOfEra: Int64 = 146_097
  /// From March 1 of the year 0 to 1970.
  private static let daysBefore1970: Int64 = 719_468

  /// Days from 1970 to a date; nil if there is none.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard 1...12 ~= month, 1...31 ~= day else { return nil }
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let yearOfEra = (years % 400 + 400) % 400
    let era = (years - yearOfEra) / 400
    let dayOfYear = (153 * months + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * daysOfEra + dayOfEra - daysBefore1970
    return civil(days) == (year, month, day) ? days : nil
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let since = days + daysBefore1970
    let dayOfEra = (since % daysOfEra + daysOfEra) % daysOfEra
    let era = (since - dayOfEra) / daysOfEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let months = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * months + 2) / 5 + 1
    let month = months < 10 ? months + 3 : months - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
