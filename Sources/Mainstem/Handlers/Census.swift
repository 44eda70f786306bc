// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What factories and services have subscribed in a context under test, where nothing may be left at the end.
final class Census {
  /// By what declares them.
  var declared: UInt64 = 0
  /// By instances of services.
  var services: [(scope: Context, subscriptions: UInt64)] = []
}

extension Context {
  /// From now on what factories and services subscribe is counted.
  package func beginCensus() { types.census = Census() }

  /// How many subscriptions factories and services have, which may be there at the end.
  package var declaredSubscriptions: UInt64 { types.census?.declared ?? 0 }

  /// How many the instances of services have that live.
  package var serviceSubscriptions: UInt64 {
    (types.census?.services ?? []).reduce(0) { $1.scope.isLive ? $0 + $1.subscriptions : $0 }
  }

  /// How many subscriptions there are that neither a declaration nor an instance of a service has. Opening something
  /// may make such an instance, which lives on when that has ended.
  ///
  /// - Parameter before: How many there were before something was opened; only those that came with it count.
  package func otherSubscriptions(since before: UInt64 = 0) throws(StreamError) -> UInt64 {
    let counted = before + declaredSubscriptions + serviceSubscriptions
    let all = try stats().subscriptions
    return all - min(all, counted)
  }

  /// Whether its scope has not ended.
  package var isLive: Bool { (try? number) != nil }

  /// Ends the instances of services.
  package func endServices() {
    for service in types.census?.services ?? [] { try? service.scope.close() }
  }

  /// Counts what a declaration subscribes.
  func countingDeclared(_ declare: () throws(StreamError) -> Void) throws(StreamError) {
    guard let census = types.census else { return try declare() }
    let before = try otherSubscriptions()
    try declare()
    census.declared += try otherSubscriptions(since: before)
  }

  /// Counts what an instance of a service subscribes, which fills this scope.
  func countingService(_ make: () throws -> Void) throws {
    guard let census = types.census else { return try make() }
    let before = try otherSubscriptions()
    try make()
    census.services.append((self, try otherSubscriptions(since: before)))
  }
}
