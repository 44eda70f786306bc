// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The slots of the dashboard are there, and empty. What comes into them is the flow's affair.
struct WidgetsWanted: Notice {}
