// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bindings: change sets, told once per drain. */

#include "scheduled.h"
#include "screen.h"

static void tell(void *user_data, const char *const *names, size_t count) {
  screen *self = (screen *)user_data;
  transcript_add(&self->seen, "(");
  for (size_t i = 0; i < count; i++) transcript_add(&self->seen, "%s", names[i]);
  transcript_add(&self->seen, ")");
}

static void look(void *user_data, const mainstem_event *event) {
  transcript_add(&((screen *)user_data)->seen, "host");
}

/* Catches: a set told for each change, before the rows, without a name, or never; a host that is not woken for it. */
CASE(changes_are_told_once_per_drain, IN_BOTH) {
  static const mainstem_binding_row silent[] = {{"name", NULL, 0}, {"count", NULL, 0}};
  scheduled host = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  screen self;
  int64_t timeout = 7;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, silent, sizeof silent[0], 2, &self, NULL,
                                 &self.binding));
  say(self.owner, &self, "before", 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 0);
  EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
  observe_on(self.on.context, self.name, &host, look, &self, NULL);
  for (int64_t i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self.owner, self.count, &i, sizeof i));
  say(self.owner, &self, "one", 4);
  EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
  EXPECT_EQUAL(timeout, 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 2);
  EXPECT_TEXT(self.seen.text, "host ( count name )");
  EXPECT_EQUAL(drained(self.on.context, 0), 0);
  EXPECT_OK(send_text(self.owner, self.name, "two"));
  EXPECT_OK(mainstem_binding_on_changes(self.binding, NULL, NULL));
  EXPECT_EQUAL(drained(self.on.context, 0), 2);
  EXPECT_TEXT(self.seen.text, "host ( count name ) host");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void tell_and_end(void *user_data, const char *const *names, size_t count) {
  screen *self = (screen *)user_data;
  tell(user_data, names, count);
  EXPECT_STATUS(mainstem_drain(self->on.context, 0, NULL), MAINSTEM_BUSY);
  say(self->owner, self, "more", 1);
  EXPECT_OK(mainstem_binding_end(self->binding));
}

/* Catches: names that are freed while they are told; a set of a binding that has ended; what is still waiting when the
   context closes. */
CASE(a_binding_may_end_while_its_changes_are_told, IN_BOTH) {
  for (int closes = 0; closes < 2; closes++) {
    screen self;
    screen_open(&self, threads);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell_and_end, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    if (!closes) EXPECT_EQUAL(drained(self.on.context, 0), 1);
    if (!closes) EXPECT_TEXT(self.seen.text, "one ( name ) more 1 ~");
    EXPECT_EQUAL(drained(self.on.context, 0), closes ? 1 : 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
  for (int i = 0; i < 3; i++) {
    screen self;
    screen_open(&self, threads);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    if (i == 1) EXPECT_OK(mainstem_scope_end(self.view));
    if (i == 2) EXPECT_OK(mainstem_binding_end(self.binding));
    if (i > 0) EXPECT_EQUAL(drained(self.on.context, 0), 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_TEXT(self.seen.text, "one ~");
  }
}

/* Catches: what still waited when a context closed, counted in the next one, which has its memory. */
CASE(what_waits_at_the_end_is_not_left_to_the_next_context, IN_BOTH) {
  for (int i = 0; i < 2; i++) {
    screen self;
    int64_t timeout = 7;
    screen_open(&self, threads);
    EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
    EXPECT_EQUAL(timeout, -1);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
    EXPECT_EQUAL(timeout, 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

int main(void) { return expect_all(); }
