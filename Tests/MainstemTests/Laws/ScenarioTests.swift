// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The laws, as Tests/scenarios states them for every language.
@Suite("Scenarios") struct ScenarioTests {
  @Test(arguments: Scenario.cases(law: 1))
  func `law 1: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 2))
  func `law 2: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 3))
  func `law 3: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 4))
  func `law 4: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 5))
  func `law 5: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 6))
  func `law 6: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 7))
  func `law 7: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 8))
  func `law 8: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 9))
  func `law 9: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 10))
  func `law 10: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 11))
  func `law 11: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 12))
  func `law 12: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 13))
  func `law 13: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 14))
  func `law 14: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 15))
  func `law 15: scenario`(_ scenario: Scenario) throws { try scenario.play() }

  @Test(arguments: Scenario.cases(law: 16))
  func `law 16: scenario`(_ scenario: Scenario) throws { try scenario.play() }
}

extension Scenario {
  func play() throws { try ScenarioStage(options).play(lines) }
}
