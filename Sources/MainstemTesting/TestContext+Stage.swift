// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// Adds routes and a stage that remembers what it was asked. The app is ready.
  ///
  ///     let test = TestContext()
  ///     let stage = test.stage { on in on.flow("app") { _, _ in DiaryFlow() } }
  ///     test.open("app")
  ///     test.expectShown(stage, "show screen diary")
  ///     test.expectTree(
  ///       """
  ///       app
  ///         diary
  ///       """)
  ///
  /// What the navigator, its guards and view models send of their own need not be expected. At the end of the test
  /// components may be there.
  ///
  /// - Parameters:
  ///   - sourceLocation: The place of the call in the test.
  ///   - routes: Gets the table, and fills it.
  /// - Returns: The stage.
  public func stage(
    sourceLocation: SourceLocation = #_sourceLocation, _ routes: (inout Routes<Void>) -> Void
  ) -> RecordingStage {
    let stage = RecordingStage()
    transcript.skipsNavigation = true
    transcript.skipsOwners = true
    attempt(sourceLocation) {
      let before = try context.otherSubscriptions()
      try context.addRoutes(routes)
      navigation = try context.otherSubscriptions(since: before)
      let between = try context.otherSubscriptions()
      let scope = try stage.add(to: context)
      servers.append((scope, try context.otherSubscriptions(since: between)))
      try context.navigator.ready()
    }
    return stage
  }

  /// Opens a URL from outside, and drains.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - sourceLocation: The place of the call in the test.
  public func open(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { _ = try context.navigator.open(url) }
    advance(by: .zero, sourceLocation: sourceLocation)
  }

  /// The stage must have been asked this since the last time, such as `show screen diary/7` or `hide confirm diary/7`.
  ///
  /// - Parameters:
  ///   - stage: The stage.
  ///   - calls: What it was asked, in order.
  ///   - sourceLocation: The place of the call in the test.
  public func expectShown(
    _ stage: RecordingStage, _ calls: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    advance(by: .zero, sourceLocation: sourceLocation)
    let found = stage.takeCalls()
    if found != calls {
      differ("the stage was asked", calls, found, sourceLocation)
    }
  }

  /// The components must stand on each other like this: a line for each URL, two spaces below what it stands on.
  ///
  /// - Parameters:
  ///   - tree: The tree; empty: there is none.
  ///   - sourceLocation: The place of the call in the test.
  public func expectTree(_ tree: String, sourceLocation: SourceLocation = #_sourceLocation) {
    advance(by: .zero, sourceLocation: sourceLocation)
    attempt(sourceLocation) {
      let found = TestContext.lines(of: try context.navigator.tree)
      let expected = tree.split(separator: "\n").map(String.init)
      if found != expected { differ("the tree is", expected, found, sourceLocation) }
    }
  }

  /// Closes what is there, as a user does with gestures: nobody is asked.
  func leaveStage() {
    guard navigation != nil, let tree = try? context.navigator.tree else { return }
    for component in tree where component.parent == 0 {
      try? context.navigator.gone(component.number)
    }
  }

  private func differ(
    _ what: String, _ expected: [String], _ found: [String], _ sourceLocation: SourceLocation
  ) {
    Issue.record(
      """
      \(what)
        \(found.joined(separator: "\n  "))
      expected
        \(expected.joined(separator: "\n  "))
      """, sourceLocation: sourceLocation)
  }

  /// Each with what stands on it below, in the order of opening.
  private static func lines(
    of tree: [Component], on parent: UInt64 = 0, indent: String = ""
  ) -> [String] {
    tree.filter { $0.parent == parent }.flatMap { component in
      [indent + component.url]
        + lines(of: tree, on: component.number, indent: indent + "  ")
    }
  }
}
