// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11: same in, same out, as far as there is no journal yet: one seed and the same input give the same
 * positions, times, numbers and ids in every run, and who looks changes nothing.
 */

#include "expect.h"

typedef struct run {
  mainstem_context *context;
  mainstem_event_type tick, drawn, ask, answer;
  char text[8000];
  int looks;
} run;

static void write_down(run *self, const char *word, const mainstem_event *event) {
  size_t length = strlen(self->text);
  uint64_t number = 0, second = 0;
  int64_t time = 0;
  char id[MAINSTEM_ID_SIZE];
  EXPECT_OK(mainstem_context_random(event->context, &number));
  EXPECT_OK(mainstem_context_id(event->context, id));
  EXPECT_OK(mainstem_context_random(event->context, &second));
  EXPECT_OK(mainstem_context_now(event->context, &time));
  EXPECT(number != second);
  EXPECT_EQUAL(time, event->time);
  snprintf(self->text + length, sizeof self->text - length,
           "%s #%llu <- #%llu at %lld: %llx %s %llx\n", word, (unsigned long long)event->position,
           (unsigned long long)event->cause, (long long)time, (unsigned long long)number, id,
           (unsigned long long)second);
}

/* Draws, sends what it drew, and arms a timer by it. */
static void on_tick(void *user_data, const mainstem_event *event) {
  run *self = (run *)user_data;
  uint64_t number = 0;
  EXPECT_OK(mainstem_context_random(event->context, &number));
  EXPECT_OK(mainstem_send(event->context, self->drawn, &number, sizeof number));
  if (event->time > 3000000) return;
  EXPECT_OK(mainstem_send_after(event->context, self->tick, &number, sizeof number,
                                (int64_t)(number % 3) + 1, NULL));
  EXPECT_OK(mainstem_request(event->context, self->ask, &number, sizeof number, NULL, NULL, NULL));
}

static void on_ask(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void on_any(void *user_data, const mainstem_event *event) {
  write_down((run *)user_data, "saw", event);
}

static void look(void *user_data, const mainstem_event *event) {
  mainstem_stats stats = {.size = sizeof stats};
  char line[200];
  uint64_t number;
  size_t length;
  EXPECT_OK(mainstem_context_stats(event->context, &stats));
  EXPECT_OK(mainstem_event_line(event, line, sizeof line, &length));
  EXPECT_OK(mainstem_context_random(event->context, &number));
  ++*(int *)user_data;
}

static void look_at_line(void *user_data, const char *line) {
  (void)line;
  ++*(int *)user_data;
}

static mainstem_event_type struct_type(mainstem_context *context, const char *name,
                                       const char *response) {
  mainstem_event_type type = 0;
  EXPECT_OK(mainstem_type_add(context, name, MAINSTEM_PAYLOAD_STRUCT | 8, response, &type));
  return type;
}

static run *play(uint32_t threads, uint64_t seed, int is_inspected) {
  static run runs[2];
  static int next;
  run *self = &runs[next++ % 2];
  const mainstem_handler_row row = {"RequestAsk", on_ask};
  const uint64_t zero = 0;
  mainstem_context_options options;
  memset(self, 0, sizeof *self);
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.flags = MAINSTEM_CONTEXT_TIMES;
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  options.seed = seed;
  EXPECT_OK(mainstem_context_create(&options, &self->context));
  mainstem_context *c = self->context;
  self->tick = struct_type(c, "Tick", NULL);
  self->drawn = struct_type(c, "Drawn", NULL);
  self->ask = struct_type(c, "RequestAsk", "ResponseAnswer");
  self->answer = struct_type(c, "ResponseAnswer", NULL);
  EXPECT_OK(mainstem_observe(c, self->tick, on_tick, self, NULL, NULL));
  EXPECT_OK(mainstem_server_add(c, "Server", &row, sizeof row, 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_observe(c, MAINSTEM_TYPE_ANY, on_any, self, NULL, NULL));
  if (is_inspected) {
    EXPECT_OK(mainstem_observe(c, MAINSTEM_TYPE_ANY, look, &self->looks, NULL, NULL));
    EXPECT_OK(mainstem_trace(c, look_at_line, &self->looks));
  }
  EXPECT_OK(mainstem_send(c, self->tick, &zero, sizeof zero));
  EXPECT_OK(mainstem_post(c, self->tick, &zero, sizeof zero));
  EXPECT_OK(mainstem_send_every(c, self->tick, &zero, sizeof zero, 2, NULL));
  if (is_inspected) {
    mainstem_stats stats = {.size = sizeof stats};
    for (int i = 0; i < 10; i++) EXPECT_OK(mainstem_context_stats(c, &stats));
  }
  EXPECT_OK(mainstem_context_advance(c, 6));
  char id[MAINSTEM_ID_SIZE];
  EXPECT_OK(mainstem_context_id(c, id));
  strcat(self->text, id);
  EXPECT_OK(mainstem_context_close(c));
  return self;
}

/* Catches: a clock, a counter or a memory address in what a callback gets. */
static void one_seed_gives_the_same_in_every_run(uint32_t threads) {
  run *first = play(threads, 7, 0);
  EXPECT(strlen(first->text) > 1000);
  EXPECT_TEXT(play(threads, 7, 0)->text, first->text);
}

static void another_seed_gives_something_else(uint32_t threads) {
  run *first = play(threads, 7, 0);
  EXPECT(strcmp(play(threads, 8, 0)->text, first->text) != 0);
  first = play(threads, 0, 0);
  EXPECT(strcmp(play(threads, 0, 0)->text, first->text) != 0);
}

/* Catches: a look that takes a position, or a number that belongs to somebody else. */
static void who_looks_changes_nothing(uint32_t threads) {
  run *first = play(threads, 7, 0);
  run *second = play(threads, 7, 1);
  EXPECT(second->looks > 20);
  EXPECT_TEXT(second->text, first->text);
}

/* Catches: numbers that repeat, and ids that are none. */
static void numbers_and_ids_differ(uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context;
  uint64_t numbers[1000];
  char id[MAINSTEM_ID_SIZE], other[MAINSTEM_ID_SIZE];
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  EXPECT_OK(mainstem_context_create(&options, &context));
  for (int i = 0; i < 1000; i++) {
    EXPECT_OK(mainstem_context_random(context, &numbers[i]));
    for (int before = 0; before < i; before++) EXPECT(numbers[before] != numbers[i]);
  }
  EXPECT_OK(mainstem_context_id(context, id));
  EXPECT_OK(mainstem_context_id(context, other));
  EXPECT(strcmp(id, other) != 0);
  EXPECT_EQUAL(strlen(id), 36);
  for (int i = 0; i < 36; i++) {
    int is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    EXPECT(is_dash ? id[i] == '-' : strchr("0123456789abcdef", id[i]) != NULL);
  }
  EXPECT_EQUAL(id[14], '4');
  EXPECT(strchr("89ab", id[19]) != NULL);
  EXPECT_STATUS(mainstem_context_random(context, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_id(context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

static const expect_case cases[] = {
    {"one seed gives the same in every run", one_seed_gives_the_same_in_every_run, IN_BOTH},
    {"another seed gives something else", another_seed_gives_something_else, IN_BOTH},
    {"who looks changes nothing", who_looks_changes_nothing, IN_BOTH},
    {"numbers and ids differ", numbers_and_ids_differ, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }
