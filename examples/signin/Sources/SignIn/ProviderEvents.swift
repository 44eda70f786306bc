// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

// What the session asks the provider, a server of the host's that knows the network.

/// The answer to a name and a password that fit: the time.
public struct ResponseLogIn: Response, TextEvent {
  public static let layer = Layer.model
  public var text: String
  public init(text: String) { self.text = text }
}

public struct RequestLogIn: Request, Credentials {
  public typealias Answer = ResponseLogIn
  public static let layer = Layer.model
  public var text: SecretText
  public init(text: SecretText) { self.text = text }
}

public struct ResponseLogOut: Response {
  public static let layer = Layer.model
  public init() {}
}

/// Carries the name.
public struct RequestLogOut: Request, TextEvent {
  public typealias Answer = ResponseLogOut
  public static let layer = Layer.model
  public var text: String
  public init(text: String) { self.text = text }
}
