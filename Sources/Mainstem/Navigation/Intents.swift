// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A table of what the components of a flow say, and where the flow goes then.
///
/// A component says what has happened, such as "an entry was picked", never where to go. The events of a component in
/// another flow are not heard.
public struct Intents<Flow: Coordinator> {
  var rows: [IntentRow<Flow>] = []

  /// Hears what the components of one view model say.
  ///
  ///     on.intent(EntryPicked.self, of: DiaryList.self) { flow, intent in .open("diary/\(intent.id)") }
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - speaker: The view model, or the server.
  ///   - hidden: What becomes of it while a screen covers the component.
  ///   - body: Gets the flow and the event, and says where to go.
  public mutating func intent<E: Event, Speaker: Server>(
    _ type: E.Type, of speaker: Speaker.Type, whenHidden hidden: HiddenIntent = .dropped,
    _ body: @escaping (inout Flow, E) throws -> Moves<Flow>
  ) {
    add(type, Speaker.name, hidden, body)
  }

  /// Hears what any component of the flow says.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - hidden: What becomes of it while a screen covers the component.
  ///   - body: Gets the flow and the event, and says where to go.
  public mutating func intent<E: Event>(
    _ type: E.Type, whenHidden hidden: HiddenIntent = .dropped,
    _ body: @escaping (inout Flow, E) throws -> Moves<Flow>
  ) {
    add(type, nil, hidden, body)
  }

  /// Hears what view models show or tell by a name: a value, or a pulse.
  ///
  ///     on.intent("picked", of: DiaryList.self) { (_, id: Int) in .open("diary/\(id)") }
  ///
  /// - Parameters:
  ///   - name: The name of the value or pulse.
  ///   - speaker: The view model.
  ///   - hidden: What becomes of it while a screen covers the component.
  ///   - body: Gets the flow and the value, and says where to go.
  public mutating func intent<Value: Decodable, Speaker: ViewModel>(
    _ name: String, of speaker: Speaker.Type, whenHidden hidden: HiddenIntent = .dropped,
    _ body: @escaping (inout Flow, Value) throws -> Moves<Flow>
  ) {
    intent(name, of: speaker, whenHidden: hidden) { flow, value, _ in try body(&flow, value) }
  }

  /// Hears what view models show or tell by a name, and which component says it.
  ///
  /// - Parameters:
  ///   - name: The name of the value or pulse.
  ///   - speaker: The view model.
  ///   - hidden: What becomes of it while a screen covers the component.
  ///   - body: Gets the flow, the value and the number of the component, and says where to go.
  public mutating func intent<Value: Decodable, Speaker: ViewModel>(
    _ name: String, of speaker: Speaker.Type, whenHidden hidden: HiddenIntent = .dropped,
    _ body: @escaping (inout Flow, Value, UInt64) throws -> Moves<Flow>
  ) {
    rows.append(
      IntentRow(type: "\(Speaker.name).\(name)", name: Speaker.name, hidden: hidden) {
        types throws(StreamError) in
        let kind = try ModelKind<Speaker>.of(Speaker.name, in: types)
        try types.checkReading(try kind.number(of: name, types), as: Value.self)
      } decide: { flow, delivery, component in
        let value = try delivery.types.value(Value.self, of: delivery.event)
        return try body(&flow, value, component)
      })
  }

  /// Hears the links that are for all flows: ``Navigator/link(_:toAllFlows:_:)``.
  ///
  /// - Parameter body: Gets the flow and the URL, and says where to go.
  public mutating func link(_ body: @escaping (inout Flow, String) throws -> Moves<Flow>) {
    add(Link.self, nil, .allowed) { try body(&$0, $1.text) }
  }

  private mutating func add<E: Event>(
    _ type: E.Type, _ name: String?, _ hidden: HiddenIntent,
    _ body: @escaping (inout Flow, E) throws -> Moves<Flow>
  ) {
    rows.append(
      IntentRow(type: E.name, name: name, hidden: hidden) { types throws(StreamError) in
        _ = try types.number(of: type)
      } decide: { flow, delivery, _ in
        try body(&flow, try delivery.decode(type))
      })
  }
}

/// What becomes of an intent while a screen covers the component that says it.
public enum HiddenIntent: Sendable {
  /// It is not heard.
  case dropped
  /// It is heard when the component is not covered any more.
  case queued
  /// It is heard at once.
  case allowed
}

/// One row.
struct IntentRow<Flow: Coordinator> {
  /// The name of the type.
  let type: String
  /// The name of the speaker; nil: any.
  let name: String?
  let hidden: HiddenIntent
  /// Makes the type known.
  let register: (EventTypes) throws(StreamError) -> Void
  /// Gets the number of the component, too; 0: a link comes from none.
  let decide: (inout Flow, borrowing Delivery, UInt64) throws -> Moves<Flow>
}

/// A link for all flows.
struct Link: Notice, TextEvent {
  var text: String
  static let name: String = "MainstemLink"
  static let layer: Layer = .navigation
}
