# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Failures and refusals as exceptions."""

from __future__ import annotations

import pickle

from mainstem import Failure, MainstemError, RequestTimeout, Status


def test_a_failure_has_a_sentence_a_text_a_code_and_a_subject():
    failure = Failure("NO_NAME", user_message="Please tell me your name.", subject="name")

    assert (failure.message, failure.code, failure.subject) == ("NO_NAME", Status.APP, "name")
    assert failure.user_message == "Please tell me your name."
    assert str(failure) == "NO_NAME: Please tell me your name."
    assert Failure("NO_NAME").user_message == "NO_NAME"


def test_failures_are_equal_by_value_and_can_be_pickled():
    failure = Failure("a", user_message="b", code=1001, subject="c")

    assert failure == Failure("a", user_message="b", code=1001, subject="c")
    assert failure != Failure("a", user_message="b", code=1002, subject="c")
    assert failure != "a"
    assert hash(failure) == hash(pickle.loads(pickle.dumps(failure)))
    assert pickle.loads(pickle.dumps(failure)) == failure


def test_a_refusal_names_its_status():
    assert str(MainstemError(5, "why")) == "BUSY: why"
    assert MainstemError(5, "why").status is Status.BUSY
    assert MainstemError(4711, "why").status == 4711
    assert isinstance(Failure("x"), MainstemError)


def test_a_time_out_is_a_timeout_error():
    timeout = RequestTimeout("slow")

    assert isinstance(timeout, TimeoutError)
    assert isinstance(timeout, Failure)
    assert (timeout.status, str(timeout)) == (Status.TIMEOUT, "TIMEOUT: slow")
    again = pickle.loads(pickle.dumps(timeout))
    assert (type(again), again) == (RequestTimeout, timeout)
