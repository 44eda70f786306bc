// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a context consists of while it runs: its scopes, its event types, and who handles, observes and has sent each.
///
/// Everything is in the order in which it was added.
public struct Description: Sendable, Hashable {
  /// A scope.
  public struct Scope: Sendable, Hashable, Decodable {
    /// Its name; empty for the context.
    public let name: String
    /// "context", "scope", "server" or "service".
    public let kind: String
    /// As ``Context/number``.
    public let number: UInt64
    /// The index of the scope that it is in; `nil`: the one that was described.
    public let parent: Int?
    /// The layers it may send on; `nil`: every layer.
    public let sends: [String]?
    /// The layers it may observe; `nil`: every layer.
    public let observes: [String]?
  }

  /// A scope that handles, observes or has sent events, and how.
  public struct Part: Sendable, Hashable, Decodable {
    /// The index of the scope.
    public let scope: Int
    /// Its name.
    public let name: String
    /// "own": a handler of what its own scope sends; "one scope": an observer of what one scope sends; "binding": a
    /// view's; `nil`: any other.
    public let kind: String?
    /// Where it is called: "host", "mailbox" or the name of a scheduler; `nil`: at once.
    public let on: String?
    /// How many alike ones the scope has; `nil`: one.
    public let count: Int?
    /// Of an observer of no types in particular: the role that it observes; `nil`: every role.
    public let role: String?
    /// Of an observer of no types in particular: the layers that it observes; `nil`: every layer.
    public let layers: [String]?
  }

  /// An event type, and who takes part in its events.
  public struct EventType: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// "request", "response", "notice" or "value".
    public let role: String
    /// The name of its layer.
    public let layer: String
    /// The name of the type that answers it.
    public let response: String?
    /// Who handles it.
    public let handlers: [Part]
    /// Who observes it.
    public let observers: [Part]
    /// The scopes that have set the value.
    public let senders: [Part]
  }

  /// The scopes: first the one that was described, then those below it.
  public let scopes: [Scope]
  /// The event types.
  public let types: [EventType]
  /// The observers of every type, of a role or of layers.
  public let observers: [Part]
  /// All of it as one line of JSON, the same in each language.
  public let json: String
}

extension Context {
  /// Describes who handles, observes and has sent each event type, here and in the scopes below. For people, tools and
  /// tests: `print(try context.describe().mermaid())`.
  ///
  /// - Returns: The description.
  /// - Throws: The reason the call was refused.
  public func describe() throws(StreamError) -> Description {
    var text = ""
    try StreamError.check(
      withUnsafeMutablePointer(to: &text) { text in
        mainstem_context_describe(
          handle,
          { text, line in
            guard let line else { return }
            text?.assumingMemoryBound(to: String.self).pointee = String(cString: line)
          }, text)
      })
    do {
      return try Description(json: text)
    } catch {
      throw StreamError(.corrupt, "describe: the library's text cannot be read: \(error)")
    }
  }
}

extension Description.EventType: Decodable {
  private enum CodingKeys: String, CodingKey {
    case name, role, layer, response, handlers, observers, senders
  }

  /// Decodes what the library writes.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    name = try members.decode(String.self, forKey: .name)
    role = try members.decode(String.self, forKey: .role)
    layer = try members.decode(String.self, forKey: .layer)
    response = try members.decodeIfPresent(String.self, forKey: .response)
    handlers = try members.decodeIfPresent([Description.Part].self, forKey: .handlers) ?? []
    observers = try members.decodeIfPresent([Description.Part].self, forKey: .observers) ?? []
    senders = try members.decodeIfPresent([Description.Part].self, forKey: .senders) ?? []
  }
}

extension Description {
  private struct Members: Decodable {
    let scopes: [Scope]
    let types: [EventType]
    let observers: [Part]?
  }

  fileprivate init(json: String) throws {
    let members = try JSONCoder().decode(Members.self, from: Array(json.utf8))
    (scopes, types, observers) = (members.scopes, members.types, members.observers ?? [])
    self.json = json
  }

  /// The names of a scope and of those that it is in: "Diary/Page".
  ///
  /// - Parameter scope: The index of the scope.
  /// - Returns: The names; "context" for the context.
  public func path(of scope: Int) -> String {
    var names: [String] = []
    var index: Int? = scope
    while let place = index, scopes[place].kind != "context" {
      names.append(scopes[place].name)
      index = scopes[place].parent
    }
    return names.isEmpty ? "context" : names.reversed().joined(separator: "/")
  }

  /// Draws it as a flowchart for Mermaid. Scopes with the same path are drawn as one.
  ///
  /// A thick arrow leads from a type to its handlers, a dotted one to its observers, a thin one to a type from those
  /// that answer with it or have set it.
  ///
  /// - Returns: The text, the same in each language.
  public func mermaid() -> String {
    var drawing = Drawing(self)
    drawing.draw()
    return drawing.text
  }
}

/// The lines of a flowchart: each box before the first arrow that it has.
private struct Drawing {
  private struct Box: Hashable {
    let kind: String
    let name: String
  }

  private struct Arrow: Hashable {
    let path: String
    let kind: String
    let on: String
  }

  private let description: Description
  private(set) var text = "flowchart LR\n"
  private var boxes: [Box: Int] = [:]
  private var answerers: [String: [Description.Part]] = [:]

  init(_ description: Description) {
    self.description = description
    for type in description.types {
      if let response = type.response { answerers[response, default: []] += type.handlers }
    }
  }

  mutating func draw() {
    for type in description.types {
      draw(type.handlers, "==>", of: type.name, type.role)
      draw(type.observers, "-.->", of: type.name, type.role)
      var drawn: Set<String> = []
      for sender in type.senders + answerers[type.name, default: []] {
        let path = description.path(of: sender.scope)
        guard drawn.insert(path).inserted else { continue }
        let (end, begin) = (box(type.name, type.role), box(path, "scope"))
        text += "  \(begin) --> \(end)\n"
      }
    }
    for part in description.observers {
      let layers = part.layers.map { " of \($0.joined(separator: ", "))" } ?? ""
      draw([part], "-.->", of: "every \(part.role ?? "event")\(layers)", "every")
    }
  }

  private mutating func draw(
    _ parts: [Description.Part], _ arrow: String, of name: String, _ role: String
  ) {
    var order: [Arrow] = []
    var counts: [Arrow: Int] = [:]
    for part in parts {
      let path = description.path(of: part.scope)
      let key = Arrow(path: path, kind: part.kind ?? "", on: part.on ?? "")
      if counts[key] == nil { order.append(key) }
      counts[key, default: 0] += part.count ?? 1
    }
    for key in order {
      let count = counts[key, default: 1]
      let told = [
        key.kind, key.on.isEmpty ? "" : "on \(key.on)", count > 1 ? "\(count) times" : "",
      ]
      let label = told.filter { !$0.isEmpty }.joined(separator: ", ")
      let mark = label.isEmpty ? arrow : "\(arrow)|\"\(shown(label))\"|"
      let (begin, end) = (box(name, role), box(key.path, "scope"))
      text += "  \(begin) \(mark) \(end)\n"
    }
  }

  /// A box, which is written when it is first asked for.
  private mutating func box(_ name: String, _ role: String) -> String {
    let key = Box(kind: role == "scope" || role == "every" ? role : "type", name: name)
    if let known = boxes[key] { return "n\(known)" }
    let number = boxes.count
    boxes[key] = number
    let (left, right) =
      switch role {
      case "request": ("{{", "}}")
      case "response": ("(", ")")
      case "notice": ("[", "]")
      case "value": ("[(", ")]")
      case "scope": ("([", "])")
      default: ("((", "))")
      }
    text += "  n\(number)\(left)\"\(shown(name))\"\(right)\n"
    return "n\(number)"
  }

  /// Text that Mermaid draws as it is, and that is plain on a terminal.
  private func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "_", "-", "/", ":", ",":
        shown.unicodeScalars.append(scalar)
      default: shown += "#\(scalar.value);"
      }
    }
    return shown
  }
}
