// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Tables: MAINSTEM_ROWS, and what is said of a size or a count that is not that of a table's rows. */

#include "stream.h"

static void ignore(void *user_data, const mainstem_event *event) {}

static void reduce(void *user_data, void *state, const void *mutation, size_t size) {}

static const mainstem_type_row types[] = {{"RequestOne", MAINSTEM_PAYLOAD_NONE, "ResponseOne"},
                                          {"ResponseOne", MAINSTEM_PAYLOAD_NONE, NULL},
                                          {"View.value", MAINSTEM_PAYLOAD_NONE, NULL}};
static const mainstem_handler_row handlers[] = {{"ResponseOne", ignore, 0},
                                                {"View.value", ignore, MAINSTEM_HANDLER_OWN}};
static const mainstem_viewmodel_row model[] = {
    {"start", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0, "stop"},
    {"stop", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0, NULL}};
static const mainstem_binding_row rows[] = {{"value", ignore, 0},
                                            {"value", NULL, MAINSTEM_BINDING_ON_HOST}};
static const mainstem_route_row routes[] = {{"home", NULL, MAINSTEM_SCREEN, 0, NULL},
                                            {"page", NULL, MAINSTEM_SCREEN, 0, NULL}};
static const mainstem_handler_row stage[] = {{"MainstemShow", ignore, 0},
                                             {"MainstemHide", ignore, 0}};
static const mainstem_intent_row intents[] = {{"View.value", NULL, ignore, 0, 0},
                                              {"RequestOne", NULL, ignore, 0, 0}};

/* Calls all functions that take rows, each of which must say `wanted`. A size of 0 stands for the right one. */
static void call_all(mainstem_context *context, size_t size, mainstem_status wanted) {
  mainstem_route_row read[8];
  mainstem_context *view = scope_open(context, "View");
#define SIZE(table) (size ? size : sizeof(table)[0])
  EXPECT_STATUS(mainstem_routes_add(context, routes, SIZE(routes), 2), wanted);
  if (wanted) EXPECT_OK(mainstem_routes_add(context, MAINSTEM_ROWS(routes)));
  EXPECT_STATUS(mainstem_types_add(context, types, SIZE(types), 3, NULL), wanted);
  EXPECT_STATUS(mainstem_server_add(context, "One", handlers, SIZE(handlers), 2, NULL, NULL, NULL),
                wanted);
  mainstem_server_options options = {.size = sizeof options};
  EXPECT_STATUS(mainstem_server_add_with(context, "With", handlers, SIZE(handlers), 2, &options,
                                         NULL, NULL, NULL),
                wanted);
  EXPECT_STATUS(
      mainstem_viewmodel_add(context, "Model", model, SIZE(model), 2, NULL, NULL, NULL, NULL),
      wanted);
  mainstem_reactor_table table = {.size = sizeof table,
                                  .state_size = 1,
                                  .rows = model,
                                  .row_size = SIZE(model),
                                  .count = 2,
                                  .reduce = reduce};
  EXPECT_STATUS(mainstem_reactor_add(context, "Reactor", &table, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_binding_add(view, view, rows, SIZE(rows), 2, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_routes_read(context, 1, read, SIZE(read)), wanted);
  EXPECT_STATUS(mainstem_stage_add(context, stage, SIZE(stage), 2, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_intents_add(view, intents, SIZE(intents), 2, NULL, NULL), wanted);
#undef SIZE
}

static mainstem_context *program_open(uint32_t threads) {
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_types_add(context, MAINSTEM_ROWS(types), NULL));
  return context;
}

/* Catches: a size that no row has and that is believed: the rows are read beyond their end. */
CASE(a_size_beyond_any_row_is_refused, IN_BOTH) {
  const size_t sizes[] = {72,   sizeof types,    sizeof model,    4096,
                          4104, (size_t)1 << 32, (size_t)1 << 63, (size_t)-8};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mainstem_context *context = program_open(threads);
    call_all(context, sizes[i], MAINSTEM_UNSUPPORTED);
    EXPECT(strstr(mainstem_last_error(), "row_size") != NULL);
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: a size that is too small, or no size of a row at all. */
CASE(a_size_that_no_row_has_is_refused, IN_BOTH) {
  const size_t sizes[] = {1, 8, 15, 17};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mainstem_context *context = program_open(threads);
    call_all(context, sizes[i], MAINSTEM_INVALID);
    EXPECT_OK(mainstem_context_close(context));
  }
}

CASE(the_right_sizes_are_taken, IN_BOTH) {
  mainstem_context *context = program_open(threads);
  call_all(context, 0, MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(context));
}

/* The rows of 0.10, which end before their last field. */
typedef struct old_handler_row {
  const char *type;
  mainstem_event_fn fn;
} old_handler_row;

typedef struct old_model_row {
  const char *name;
  uint32_t kind;
  mainstem_contract contract;
  mainstem_event_fn fn;
  const char *enabled;
  uint32_t policy;
  mainstem_contract answer;
} old_model_row;

typedef struct old_binding_row {
  const char *name;
  mainstem_event_fn changed;
} old_binding_row;

static void count(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

/* Catches: rows of an older size that are refused, or that are read as if they were longer. */
CASE(rows_of_an_older_version_are_taken, IN_BOTH) {
  const old_handler_row old_handlers[] = {{"View.value", count}, {"RequestOne", count}};
  const old_handler_row old_stage[] = {{"MainstemShow", ignore}, {"MainstemHide", ignore}};
  const old_model_row old_model[] = {
      {"on", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, count, NULL, 0, 0},
      {"stop", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, count, "on", 0, 0}};
  const old_binding_row old_rows[] = {{"on", count}, {"stop.enabled", count}};
  const mainstem_handler_row *handlers_now = (const mainstem_handler_row *)old_handlers;
  const mainstem_viewmodel_row *model_now = (const mainstem_viewmodel_row *)old_model;
  mainstem_reactor_table table = {.size = sizeof table,
                                  .state_size = 1,
                                  .rows = model_now,
                                  .row_size = sizeof old_model[0],
                                  .count = 2,
                                  .reduce = reduce};
  mainstem_context *context = program_open(threads), *shown;
  mainstem_binding *binding;
  mainstem_event_type value;
  int handled = 0, told = 0, seen = 0;
  EXPECT_OK(mainstem_routes_add(context, MAINSTEM_ROWS(routes)));
  EXPECT_OK(mainstem_stage_add(context, (const mainstem_handler_row *)old_stage,
                               sizeof old_stage[0], 2, NULL, NULL, NULL));
  EXPECT_OK(mainstem_server_add(context, "Old", handlers_now, sizeof old_handlers[0], 2, &handled,
                                NULL, NULL));
  EXPECT_OK(mainstem_reactor_add(context, "Reactor", &table, &told, NULL, NULL));
  EXPECT_OK(mainstem_viewmodel_add(context, "Model", model_now, sizeof old_model[0], 2, NULL, &told,
                                   NULL, &shown));
  value = type_named(context, "View.value");
  EXPECT_OK(mainstem_send(context, value, NULL, 0));
  EXPECT_EQUAL(handled, 1);
  EXPECT_OK(mainstem_binding_add(context, shown, (const mainstem_binding_row *)old_rows,
                                 sizeof old_rows[0], 2, &seen, NULL, &binding));
  EXPECT_OK(mainstem_binding_set(binding, "on", "\1", 1));
  EXPECT_EQUAL(told, 1);
  EXPECT(seen >= 2);
  EXPECT_OK(mainstem_binding_run(binding, "stop", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_EQUAL(told, 2);
  EXPECT_OK(mainstem_context_close(context));
}

/* What a macro makes of a table. */
static void expect_table(const void *table, const void *first, size_t row_size, size_t count,
                         size_t wanted) {
  EXPECT(table == first);
  EXPECT_EQUAL(row_size, wanted);
  EXPECT_EQUAL(count, 2);
}

CASE(the_macro_is_three_arguments, IN_BOTH) {
  expect_table(handlers, MAINSTEM_ROWS(handlers), sizeof(mainstem_handler_row));
  expect_table(model, MAINSTEM_ROWS(model), sizeof(mainstem_viewmodel_row));
  const mainstem_reactor_table table = {.size = sizeof table, .rows = MAINSTEM_ROWS(model)};
  expect_table(model, table.rows, table.row_size, table.count, sizeof(mainstem_viewmodel_row));
}

int main(void) { return expect_all(); }
