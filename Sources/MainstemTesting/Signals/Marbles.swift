// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

/// What a signal sends and when, drawn as a line of characters.
///
///     -a--b-(cd)-{ten}-|
///
/// | | |
/// |---|---|
/// | `-` | a frame in which nothing comes |
/// | `a` | a value: any other character |
/// | `{ten}` | a value of several characters |
/// | `(cd)` | several events at the same time |
/// | `\|` | completed |
/// | `#` | failed |
///
/// Each of them takes one frame of 10 ms, a group too. Spaces are for the eye.
public struct Marbles: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// An event and its time.
  public struct Mark: Equatable, Sendable {
    /// The time after the start.
    public let time: Duration
    /// The event.
    public let event: SignalEvent<String, MarbleFailure>

    /// Makes a mark.
    ///
    /// - Parameters:
    ///   - time: The time after the start.
    ///   - event: The event.
    public init(_ time: Duration, _ event: SignalEvent<String, MarbleFailure>) {
      (self.time, self.event) = (time, event)
    }
  }

  /// How much time a character stands for.
  public static let frame = Duration.milliseconds(10)

  /// What is sent, in order.
  public let marks: [Mark]

  /// Makes a drawing of events.
  ///
  /// - Parameter marks: The events, in order.
  public init(_ marks: [Mark]) { self.marks = marks }

  /// Reads a drawing.
  ///
  /// - Parameter text: The line.
  public init(_ text: String) {
    var marks: [Mark] = []
    var time = Duration.zero
    var isGrouped = false
    var long: String?
    for character in text where character != " " {
      switch character {
      case "{": long = ""
      case "}":
        marks.append(Mark(time, .next(long ?? "")))
        long = nil
      case _ where long != nil: long?.append(character)
      case "(": isGrouped = true
      case ")": isGrouped = false
      case "-": break
      case "|": marks.append(Mark(time, .completed))
      case "#": marks.append(Mark(time, .failed(MarbleFailure())))
      default: marks.append(Mark(time, .next(String(character))))
      }
      if long == nil, !isGrouped { time += Self.frame }
    }
    self.marks = marks
  }

  /// Reads a drawing.
  public init(stringLiteral text: String) { self.init(text) }

  /// The line. An event that is not at the beginning of a frame has its time beside it.
  public var description: String {
    var line = ""
    var time = Duration.zero
    var left = marks[...]
    while let first = left.first {
      while time + Self.frame <= first.time {
        line += "-"
        time += Self.frame
      }
      let group = left.prefix { $0.time == first.time }
      left = left.dropFirst(group.count)
      let drawn = group.map { Self.draw($0.event) }.joined()
      line += group.count > 1 ? "(\(drawn))" : drawn
      if first.time != time { line += "@\(first.time)" }
      time += Self.frame
    }
    return line
  }

  private static func draw(_ event: SignalEvent<String, MarbleFailure>) -> String {
    switch event {
    case .next(let value): value.count == 1 ? value : "{\(value)}"
    case .completed: "|"
    case .failed: "#"
    }
  }
}

/// The failure that a drawing shows as `#`.
public struct MarbleFailure: Error, Equatable {
  /// Makes a failure.
  public init() {}
}
