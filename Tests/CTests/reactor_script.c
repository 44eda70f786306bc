// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Plays Tests/scenarios/reactors.txt, which Python and Swift play too: the same actions, the same values in the same
 * order, and where the payloads are the same in all three, the same events.
 */

#include "feed.h"
#include "reactors.h"
#include "transcript.h"

enum { LINES = 64 };

typedef struct player {
  mainstem_context *context, *reactor;
  mainstem_binding *binding;
  const char *program;
  stopwatch watch;
  feed feed;
  transcript seen;
  /* The events, as lines, the oldest first. */
  char lines[LINES][200];
  int sent, checked;
} player;

static const char *path;

/* Values and pulses of the reactor, by name. */
static void see(void *user_data, const mainstem_event *event) {
  player *self = (player *)user_data;
  mainstem_type_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_type_read(event->context, event->type, &info));
  const char *name = strchr(info.name, '.');
  const mainstem_contract role = info.contract & MAINSTEM_ROLE_MASK;
  const mainstem_contract payload = info.contract & MAINSTEM_PAYLOAD_MASK;
  if (name == NULL || strchr(++name, '.') != NULL || strcmp(name, "mutation") == 0) return;
  if (role != MAINSTEM_ROLE_VALUE && role != MAINSTEM_ROLE_NOTICE) return;
  if (payload == MAINSTEM_PAYLOAD_BOOL)
    transcript_add(&self->seen, "%s=%s", name, mainstem_event_bool(event) ? "true" : "false");
  else if (payload == MAINSTEM_PAYLOAD_INTEGER)
    transcript_add(&self->seen, "%s=%d", name, (int)mainstem_event_integer(event));
  else transcript_add(&self->seen, "%s=%.*s", name, (int)event->size, (const char *)event->data);
}

static void note(void *user_data, const char *line) {
  player *self = (player *)user_data;
  snprintf(self->lines[self->sent++ % LINES], sizeof self->lines[0], "%s", line);
  EXPECT(self->sent - self->checked <= LINES);
}

/* The oldest event that has not been looked at is this one; nothing: all have been. */
static void check_sent(player *self, const char *wanted) {
  if (*wanted == 0) {
    self->checked = self->sent;
    return;
  }
  EXPECT(self->checked < self->sent);
  EXPECT_TEXT(self->lines[self->checked++ % LINES], wanted);
}

static void add(player *self) {
  mainstem_context **added = &self->reactor;
  if (strcmp(self->program, "counter") == 0)
    EXPECT_OK(mainstem_reactor_add(self->context, "Counter", &counter_table, NULL, NULL, added));
  else if (strcmp(self->program, "alerts") == 0)
    EXPECT_OK(mainstem_reactor_add(self->context, "Alerts", &alerts_table, NULL, NULL, added));
  else if (strcmp(self->program, "stopwatch") == 0)
    stopwatch_add(&self->watch, self->context, added);
  else
    EXPECT_OK(mainstem_reactor_add(self->context, "Feed", &feed_table, &self->feed, NULL, added));
  EXPECT_OK(mainstem_binding_add(self->context, self->reactor, NULL, sizeof(mainstem_binding_row),
                                 0, NULL, NULL, &self->binding));
  EXPECT_OK(mainstem_flush(self->context));
}

static void open_program(player *self, const char *program, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->program = program;
  EXPECT_OK(mainstem_context_create(
      OPTIONS(context, .threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL), &self->context));
  EXPECT_OK(mainstem_observe(self->context, MAINSTEM_TYPE_ANY, see, self, NULL, NULL));
  EXPECT_OK(mainstem_trace(self->context, note, self));
  feed_serve(&self->feed, self->context);
  add(self);
}

static void run(player *self, char *step) {
  char *wanted = strstr(step, " -> "), *text;
  if (wanted != NULL) *wanted = 0;
  if ((text = strchr(step, ' ')) != NULL) *text++ = 0;
  mainstem_status status = mainstem_binding_run(
      self->binding, step, text, text == NULL ? 0 : strlen(text), NULL, NULL, NULL, NULL);
  EXPECT_TEXT(mainstem_status_name(status), wanted == NULL ? "OK" : wanted + 4);
}

static const char *after(const char *line, const char *verb) {
  size_t length = strlen(verb);
  if (strncmp(line, verb, length) != 0 || (line[length] != 0 && line[length] != ' ')) return NULL;
  return line[length] == 0 ? line + length : line + length + 1;
}

static void play(player *self, char *line) {
  const char *rest;
  if ((rest = after(line, "run")) != NULL) {
    run(self, line + 4);
  } else if ((rest = after(line, "see")) != NULL) {
    EXPECT_TEXT(self->seen.text, rest);
    transcript_clear(&self->seen);
    if (strcmp(self->program, "counter") != 0 && strcmp(self->program, "alerts") != 0)
      check_sent(self, "");
  } else if ((rest = after(line, "sent")) != NULL) {
    check_sent(self, rest);
  } else if ((rest = after(line, "wait")) != NULL) {
    EXPECT_OK(mainstem_context_advance(self->context, atoi(rest)));
  } else if ((rest = after(line, "page")) != NULL) {
    feed_answer(&self->feed, rest, NULL);
  } else if ((rest = after(line, "fail")) != NULL) {
    feed_answer(&self->feed, NULL, rest);
  } else if ((rest = after(line, "asked")) != NULL) {
    EXPECT_EQUAL(self->feed.asked_count, atoi(rest));
  } else {
    EXPECT_TEXT(line, "again");
    EXPECT_OK(mainstem_scope_end(self->reactor));
    add(self);
  }
}

CASE(play_all, IN_BOTH) {
  char line[200], program[20];
  player self = {0};
  FILE *file = fopen(path, "r");
  EXPECT(file != NULL);
  while (fgets(line, sizeof line, file) != NULL) {
    size_t indent = strspn(line, " ");
    line[strcspn(line, "\n")] = 0;
    if (line[indent] == 0 || line[indent] == '#') continue;
    if (indent > 0) {
      play(&self, line + indent);
      continue;
    }
    if (self.context != NULL) EXPECT_OK(mainstem_context_close(self.context));
    snprintf(program, sizeof program, "%.19s", line);
    open_program(&self, program, threads);
  }
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_EQUAL(fclose(file), 0);
}

int main(int count, char **arguments) {
  EXPECT_EQUAL(count, 2);
  path = arguments[1];
  return expect_all();
}
