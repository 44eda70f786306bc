# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of routers ask: the pattern that a URL takes, and the message of a refusal."""

import pytest
from mainstem import MainstemError, Router


def taken(url, *patterns, **types):
    """The pattern that a URL takes, and its parameters; None: no route."""
    with Router() as router:
        for name, convert in types.items():
            router.type(name, convert)
        for pattern in patterns:
            router.add(pattern, pattern)
        match = router.match(url)
        return match and (match.value, match.parameters)


def refused(status, call, *arguments):
    with pytest.raises(MainstemError) as error:
        call(*arguments)
    assert error.value.status == status, error.value
    return error.value.message
