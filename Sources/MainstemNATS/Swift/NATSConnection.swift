// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// Which servers of NATS to connect to, and how.
///
///     var archive = NATSConnection("nats://archive:4222")
///     archive.credentials = "app.creds"
///
/// Where no more than the URL is needed, write it as a literal: `to: "nats://archive:4222"`.
public struct NATSConnection: Sendable, Equatable {
  /// The servers' URLs, separated by commas.
  public var url: String
  /// What the server calls the connection; `nil`: "mainstem mirror" and so on.
  public var name: String?
  /// The user, with ``password``.
  public var user: String?
  /// The password of ``user``.
  public var password: SecretText?
  /// The path of a file of credentials (.creds), in the place of user and password.
  public var credentials: String?
  /// Whether it uses TLS, also where the URL does not say so.
  public var usesTLS = false
  /// TLS: the path of a file of the certificates to trust; `nil`: the system's.
  public var authorities: String?
  /// TLS: the path of a file with this side's certificate.
  public var certificate: String?
  /// TLS: the path of a file with the key of ``certificate``.
  public var key: String?
  /// TLS: the host that the certificate must name; `nil`: the URL's.
  public var host: String?

  /// Makes a connection's options.
  ///
  /// - Parameter url: The servers' URLs, separated by commas.
  public init(_ url: String = "nats://localhost:4222") { self.url = url }
}

extension NATSConnection: ExpressibleByStringLiteral {
  /// Makes a connection's options of a URL.
  ///
  /// - Parameter value: The servers' URLs, separated by commas.
  public init(stringLiteral value: String) { self.init(value) }
}
