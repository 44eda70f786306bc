# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem`: shows journals."""

import sys

from .tool import main

if __name__ == "__main__":
    sys.exit(main())
