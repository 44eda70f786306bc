// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 13: scopes that end while their values are looked at, and the memory of values. */

#include "journal.h"
#include "transcript.h"
#include "value.h"

#include <malloc.h>

typedef struct ending {
  mainstem_context *scopes[3];
  mainstem_event_type type;
  int calls, ends;
} ending;

/* Ends what comes next, what came, or all; what it reads must stay. */
static void end_while_late(void *user_data, const mainstem_event *event) {
  ending *self = (ending *)user_data;
  char before[32];
  snprintf(before, sizeof before, "%s", mainstem_value_text(event));
  if (before[0] != 's') return; /* MainstemEnded */
  self->calls++;
  for (int i = 0; i < 3; i++) {
    if (self->ends & 1 << i && self->scopes[i] != NULL) {
      EXPECT_OK(mainstem_scope_end(self->scopes[i]));
      self->scopes[i] = NULL;
    }
  }
  EXPECT_TEXT(mainstem_value_text(event), before);
}

/* Catches: a walk over values that goes on in freed memory, whichever of them end in its first call. */
CASE(scopes_end_while_their_values_come, IN_BOTH) {
  for (int ends = 0; ends < 8; ends++) {
    for (int by_type = 0; by_type < 2; by_type++) {
      stream on = stream_open(threads);
      ending self = {{NULL, NULL, NULL}, value_open(on.context, MAINSTEM_PAYLOAD_TEXT), 0, ends};
      for (int i = 0; i < 3; i++) {
        self.scopes[i] = scope_open(on.context, "S");
        EXPECT_OK(set_text(self.scopes[i], self.type, i == 0 ? "s zero" : "s"));
      }
      EXPECT_OK(mainstem_observe(on.context, by_type ? self.type : MAINSTEM_TYPE_ANY,
                                 end_while_late, &self, NULL, NULL));
      EXPECT_EQUAL(self.calls, 3); /* Their ends come later. */
      EXPECT_EQUAL(stats_of(on.context).history, 3 - (ends & 1) - (ends >> 1 & 1) - (ends >> 2));
      EXPECT_OK(mainstem_context_close(on.context));
    }
  }
}

static void end_own_scope(void *user_data, const mainstem_event *event) {
  char before[32];
  snprintf(before, sizeof before, "%s", mainstem_value_text(event));
  if (before[0] != 'a') return; /* MainstemEnded */
  EXPECT_OK(mainstem_scope_end((mainstem_context *)user_data));
  EXPECT_TEXT(mainstem_value_text(event), before);
}

/* Catches: the present value freed in a callback that got it. */
CASE(a_scope_ends_in_the_change_of_its_value, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_context *scope = scope_open(on.context, "S");
  EXPECT_OK(set_text(scope, type, "before"));
  EXPECT_OK(
      mainstem_observe_with(on.context,
                            &(mainstem_observe_options){.size = sizeof(mainstem_observe_options),
                                                        .flags = MAINSTEM_OBSERVE_NEW},
                            end_own_scope, scope, NULL, NULL));
  witness_observe(&a, on.context, type);
  EXPECT_OK(set_text(scope, type, "after!"));
  EXPECT_TEXT(seen.text, "a1 a2");
  EXPECT_EQUAL(stats_of(on.context).history, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* What freed memory held is gone. */
static void overwrite_freed(void) {
  static char *blocks[128];
  for (size_t i = 0; i < COUNT(blocks); i++) {
    const size_t size = (i / 2 + 1) * 16;
    blocks[i] = malloc(size);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 'x', size);
  }
  for (size_t i = 0; i < COUNT(blocks); i++) free(blocks[i]);
}

static void end_while_fed(void *user_data, const mainstem_event *event) {
  ending *self = (ending *)user_data;
  self->calls++;
  EXPECT_OK(mainstem_scope_end(self->scopes[0]));
  overwrite_freed();
  EXPECT_TEXT(mainstem_value_text(event), "what was recorded");
}

static ending scope_with_value(const stream *on) {
  ending self = {{NULL, NULL, NULL}, value_open(on->context, MAINSTEM_PAYLOAD_TEXT), 0, 0};
  self.scopes[0] = scope_open(on->context, "S");
  return self;
}

/* Catches: a value freed in the callback that got it, where a muted replay ends it at once. */
CASE(a_scope_ends_while_its_value_is_fed, IN_BOTH) {
  const char *path = journal_path("fed");
  mainstem_replay_options options = {.size = sizeof options};
  mainstem_replay *replay;
  stream on = stream_open(threads);
  ending self = scope_with_value(&on);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(set_text(self.scopes[0], self.type, "what was recorded"));
  EXPECT_OK(mainstem_context_close(on.context));

  on = stream_open(threads);
  self = scope_with_value(&on);
  options.mode = MAINSTEM_REPLAY_MUTED;
  EXPECT_OK(mainstem_replay_open(on.context, path, &options, &replay));
  EXPECT_OK(mainstem_replay_step(replay, 1, NULL));
  EXPECT_OK(mainstem_observe(on.context, self.type, end_while_fed, &self, NULL, NULL));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_EQUAL(stats_of(on.context).history, 0);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(on.context));
  journal_sweep();
}

enum { SCOPES = 20000 };

/* Sets a value of each scope. Returns the memory that each takes. */
static size_t set_each(mainstem_context **scopes, mainstem_event_type type) {
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < SCOPES; i++) EXPECT_OK(mainstem_value_set_integer(scopes[i], type, i));
  return (mallinfo2().uordblks - before) / SCOPES;
}

/* Catches: values that stay when their scopes have ended, or cost more than they may. */
CASE(memory_of_values, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_INTEGER);
  mainstem_event_type other =
      type_open(on.context, "Another", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL);
  static mainstem_context *scopes[SCOPES];
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < SCOPES; i++) scopes[i] = scope_open(on.context, "S");
    size_t first = set_each(scopes, type), second = set_each(scopes, other);
    if (second > 256 + 8) fprintf(stderr, "  a value takes %zu bytes\n", second);
    EXPECT(second <= 256 + 8);
    if (first > 576) fprintf(stderr, "  with room for the end: %zu bytes\n", first);
    EXPECT(first <= 576);
    EXPECT_EQUAL(stats_of(on.context).history, 2 * SCOPES);
    for (int i = 0; i < SCOPES; i++) EXPECT_OK(mainstem_scope_end(scopes[i]));
    EXPECT_EQUAL(stats_of(on.context).history, 0);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) {
  int status = expect_run(120);
  journal_remove_folder();
  return status;
}
