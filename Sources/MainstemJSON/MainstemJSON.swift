// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Empty: `JSONCoder` is part of `Mainstem`. The module remains so that programs that import it still build.
