// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The lists that a view model shows.
extension Handlers where S: ViewModel {
  /// Shows an array as a list: its events carry only what has changed. Views get ``Rows``.
  ///
  ///     on.list("todos", \.todos)
  ///
  /// The `id` of a row is its key: a text, a whole number or a UUID, or what is a ``RowKey``. If two rows have the same,
  /// the list is refused, and views keep the old one. A ``Selection`` is shown as a part of a longer list.
  ///
  /// - Parameters:
  ///   - name: The list's name: `todos` is the type `Todos.todos`.
  ///   - property: The property. A row is sent as a value of its type is.
  @inlinable
  public mutating func list<Content: ListContent>(
    _ name: String, _ property: KeyPath<S, Content>
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(name, property, RowKind(Content.Row.self)) { $0[keyPath: property].selection }
  }

  /// Shows what a function makes of the state, as a list.
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - body: Gets the view model after each event that it has got.
  @inlinable
  public mutating func list<Content: ListContent>(
    _ name: String, _ body: @escaping (S) -> Content
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(name, nil, RowKind(Content.Row.self)) { body($0).selection }
  }

  /// Shows what a function makes of some properties, as a list; it is asked again only where one of them differs.
  ///
  ///     on.list("found", of: \.people, \.prefix) { $0.people.filter { … } }
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - source: A property that it is made of.
  ///   - others: More of them.
  ///   - record: What a journal keeps of the list.
  ///   - body: Gets the view model.
  @inlinable
  public mutating func list<
    Source: Equatable, each Other: Equatable, Content: ListContent
  >(
    _ name: String, of source: KeyPath<S, Source>, _ others: repeat KeyPath<S, each Other>,
    record: RecordMode = .full, by body: @escaping (S) -> Content
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(
      name, of: source, repeat each others, record: record, by: { body($0).selection },
      RowKind(Content.Row.self))
  }

  // As with values: what compares rows is compiled with the program, the rest here.
  @usableFromInline
  mutating func list<Row: Encodable>(
    _ name: String, _ property: PartialKeyPath<S>?, _ kind: RowKind<Row>,
    _ body: @escaping (S) -> Selection<Row>
  ) {
    addList(name, Row.self, property) { house in
      house.lists(name, kind) { [unowned house] in body(house.server) }
    }
  }

  @usableFromInline
  mutating func list<Source: Equatable, each Other: Equatable, Row: Encodable>(
    _ name: String, of source: KeyPath<S, Source>, _ others: repeat KeyPath<S, each Other>,
    record: RecordMode, by body: @escaping (S) -> Selection<Row>, _ kind: RowKind<Row>
  ) {
    addList(name, Row.self, nil, record) { house in
      var sources: [ShownSource] = [house.source(source)]
      repeat sources.append(house.source(each others))
      return house.lists(name, kind, of: sources) { [unowned house] in body(house.server) }
    }
  }

  /// Adds a list; for a reactor, too.
  mutating func addList(
    _ name: String, _ row: Any.Type, _ property: AnyKeyPath?, _ record: RecordMode = .full,
    _ begin: @escaping (ModelHouse<S>) -> (ValueSetter) throws -> Void
  ) {
    model.append(
      ModelRow(
        name: name, kind: .shows, payload: ValueForm(row).payload, isList: true, type: row,
        record: record, property: property
      ) { house in
        LiveRow(show: begin(house))
      })
  }
}

/// The lists that a reactor shows of its state.
extension Shown {
  /// Shows an array of the state as a list: see `Handlers.list(_:_:)`.
  ///
  /// - Parameters:
  ///   - name: The list's name: `items` is the type `Feed.items`.
  ///   - property: The property.
  @inlinable
  public mutating func list<Content: ListContent>(
    _ name: String, _ property: KeyPath<R.State, Content>
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(name, property, RowKind(Content.Row.self)) { $0[keyPath: property].selection }
  }

  /// Shows what a function makes of the state, as a list.
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - body: Gets the state.
  @inlinable
  public mutating func list<Content: ListContent>(
    _ name: String, _ body: @escaping (R.State) -> Content
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(name, nil, RowKind(Content.Row.self)) { body($0).selection }
  }

  /// Shows what a function makes of a property of the state, as a list; it is asked again only where that differs.
  ///
  /// - Parameters:
  ///   - name: The list's name.
  ///   - source: The property that it is made of.
  ///   - body: Gets the state.
  @inlinable
  public mutating func list<Source: Equatable, Content: ListContent>(
    _ name: String, of source: KeyPath<R.State, Source>, by body: @escaping (R.State) -> Content
  ) where Content.Row: Encodable & Equatable & Identifiable, Content.Row.ID: RowKey {
    list(name, of: source, by: { body($0).selection }, RowKind(Content.Row.self))
  }

  @usableFromInline
  mutating func list<Row: Encodable>(
    _ name: String, _ property: PartialKeyPath<R.State>?, _ kind: RowKind<Row>,
    _ body: @escaping (R.State) -> Selection<Row>
  ) {
    table.addList(name, Row.self, property) { house in
      let reacting = Reacting.of(house)
      return house.lists(name, kind) { [unowned reacting] in body(reacting.shown) }
    }
  }

  @usableFromInline
  mutating func list<Source: Equatable, Row: Encodable>(
    _ name: String, of source: KeyPath<R.State, Source>,
    by body: @escaping (R.State) -> Selection<Row>,
    _ kind: RowKind<Row>
  ) {
    table.addList(name, Row.self, nil) { house in
      let reacting = Reacting.of(house)
      let made = ShownProperty { [unowned reacting] in reacting.shown[keyPath: source] }
      return house.lists(name, kind, of: [made]) { [unowned reacting] in body(reacting.shown) }
    }
  }
}

extension ModelHouse {
  /// Begins to show what a function says, as a list.
  ///
  /// - Parameter sources: What it is made of; nil: it is asked each time.
  func lists<Row: Encodable>(
    _ name: String, _ kind: RowKind<Row>, of sources: [ShownSource]? = nil,
    _ body: @escaping () -> Selection<Row>
  ) -> (ValueSetter) throws -> Void {
    let list = ListSetter("\(self.kind.owner).\(name)", kind)
    var last: Selection<Row>?
    return { setter in
      var isOld = last == nil
      // All of them: each is to know its last.
      for source in sources ?? [] where source.hasChanged() { isOld = true }
      let rows = (isOld ? nil : last) ?? body()
      if sources != nil { last = rows }
      // Set all the same: somebody else may have set the list.
      try list.set(rows, by: setter)
    }
  }
}
