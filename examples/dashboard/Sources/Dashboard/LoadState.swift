// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How far a load has come. Each load ends, in `loaded` or in `failed`.
enum LoadState: String, Codable, Sendable { case initialized, loading, loaded, failed }
