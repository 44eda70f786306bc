// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Tables: MAINSTEM_ROWS, and what is said of a size or a count that is not that of a table's rows. */

#include "stream.h"

static void ignore(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

static void reduce(void *user_data, void *state, const void *mutation, size_t size) {
  (void)user_data;
  (void)state;
  (void)mutation;
  (void)size;
}

static const mainstem_catalogue_row types[] = {{"RequestOne", MAINSTEM_PAYLOAD_NONE, "ResponseOne"},
                                               {"ResponseOne", MAINSTEM_PAYLOAD_NONE, NULL},
                                               {"View.value", MAINSTEM_PAYLOAD_NONE, NULL}};
static const mainstem_handler_row handlers[] = {{"ResponseOne", ignore}, {"View.value", ignore}};
static const mainstem_handler_row_with handlers_with[] = {{{"ResponseOne", ignore}, 0},
                                                          {{"View.value", ignore}, 1}};
static const mainstem_model_row model[] = {
    {"on", MAINSTEM_SHOWS, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0},
    {"stop", MAINSTEM_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0}};
static const mainstem_model_row_with model_with[] = {
    {{"start", MAINSTEM_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0}, "stop"},
    {{"stop", MAINSTEM_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0}, NULL}};
static const mainstem_binding_row rows[] = {{"value", ignore}, {"value", NULL}};
static const mainstem_binding_row_with rows_with[] = {{{"value", ignore}, 0}, {{"value", NULL}, 2}};
static const mainstem_route_row routes[] = {{"home", NULL, MAINSTEM_SCREEN, 0, NULL},
                                            {"page", NULL, MAINSTEM_SCREEN, 0, NULL}};
static const mainstem_handler_row stage[] = {{"MainstemShow", ignore}, {"MainstemHide", ignore}};
static const mainstem_intent_row intents[] = {{"View.value", NULL, ignore, 0, 0},
                                              {"RequestOne", NULL, ignore, 0, 0}};

/* Calls all functions that take rows, each of which must say `wanted`. A size of 0 stands for the right one. */
static void call_all(mainstem_context *context, size_t size, mainstem_status wanted) {
  mainstem_route_row read[8];
  mainstem_context *view;
  EXPECT_OK(mainstem_scope_add(context, "View", &view));
#define SIZE(table) (size ? size : sizeof(table)[0])
  EXPECT_STATUS(mainstem_routes_add(context, routes, SIZE(routes), 2), wanted);
  if (wanted) EXPECT_OK(mainstem_routes_add(context, MAINSTEM_ROWS(routes)));
  EXPECT_STATUS(mainstem_catalogue_add(context, types, SIZE(types), 3, NULL), wanted);
  EXPECT_STATUS(mainstem_server_add(context, "One", handlers, SIZE(handlers), 2, NULL, NULL, NULL),
                wanted);
  mainstem_server_options options = {.size = sizeof options};
  EXPECT_STATUS(mainstem_server_add_with(context, "With", &handlers_with[0].row,
                                         SIZE(handlers_with), 2, &options, NULL, NULL, NULL),
                wanted);
  EXPECT_STATUS(mainstem_server_add(context, "With", &handlers_with[0].row, SIZE(handlers_with), 2,
                                    NULL, NULL, NULL),
                wanted);
  EXPECT_STATUS(mainstem_model_add(context, "Plain", model, SIZE(model), 2, NULL, NULL, NULL, NULL),
                wanted);
  EXPECT_STATUS(mainstem_model_add(context, "Until", &model_with[0].row, SIZE(model_with), 2, NULL,
                                   NULL, NULL, NULL),
                wanted);
  mainstem_reactor_table table = {.size = sizeof table, .state_size = 1, .rows = model};
  table.row_size = SIZE(model);
  table.count = 2;
  table.reduce = reduce;
  EXPECT_STATUS(mainstem_reactor_add(context, "Reactor", &table, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_binding_add(view, view, rows, SIZE(rows), 2, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(
      mainstem_binding_add(view, view, &rows_with[0].row, SIZE(rows_with), 2, NULL, NULL, NULL),
      wanted);
  EXPECT_STATUS(mainstem_routes_read(context, 1, read, SIZE(read)), wanted);
  EXPECT_STATUS(mainstem_stage_add(context, stage, SIZE(stage), 2, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_intents_add(view, intents, SIZE(intents), 2, NULL, NULL), wanted);
#undef SIZE
}

static mainstem_context *program_open(uint32_t threads) {
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_catalogue_add(context, MAINSTEM_ROWS(types), NULL));
  return context;
}

/* Catches: a size that no row has and that is believed: the rows are read beyond their end. */
static void a_size_beyond_any_row_is_refused(uint32_t threads) {
  const size_t sizes[] = {72,   sizeof types,    sizeof model,    sizeof model_with, 4096,
                          4104, (size_t)1 << 32, (size_t)1 << 63, (size_t)-8};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mainstem_context *context = program_open(threads);
    call_all(context, sizes[i], MAINSTEM_UNSUPPORTED);
    EXPECT(strstr(mainstem_last_error(), "row_size") != NULL);
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: a size that is too small, or no size of a row at all. */
static void a_size_that_no_row_has_is_refused(uint32_t threads) {
  const size_t sizes[] = {1, 8, 15, 17};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mainstem_context *context = program_open(threads);
    call_all(context, sizes[i], MAINSTEM_INVALID);
    EXPECT_OK(mainstem_context_close(context));
  }
}

static void the_right_sizes_are_taken(uint32_t threads) {
  mainstem_context *context = program_open(threads);
  call_all(context, 0, MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(context));
}

/* What a macro makes of a table. */
static void expect_table(const void *table, const void *first, size_t row_size, size_t count,
                         size_t wanted) {
  EXPECT(table == first);
  EXPECT_EQUAL(row_size, wanted);
  EXPECT_EQUAL(count, 2);
}

static void the_macro_is_three_arguments(uint32_t threads) {
  (void)threads;
  expect_table(handlers, MAINSTEM_ROWS(handlers), sizeof(mainstem_handler_row));
  expect_table(handlers_with, MAINSTEM_ROWS_WITH(handlers_with), sizeof(mainstem_handler_row_with));
  expect_table(model_with, MAINSTEM_ROWS_WITH(model_with), sizeof(mainstem_model_row_with));
  const mainstem_reactor_table table = {.size = sizeof table, .rows = MAINSTEM_ROWS(model)};
  expect_table(model, table.rows, table.row_size, table.count, sizeof(mainstem_model_row));
}

static const expect_case cases[] = {
    {"a size beyond any row is refused", a_size_beyond_any_row_is_refused, IN_BOTH},
    {"a size that no row has is refused", a_size_that_no_row_has_is_refused, IN_BOTH},
    {"the right sizes are taken", the_right_sizes_are_taken, IN_BOTH},
    {"the macro is three arguments", the_macro_is_three_arguments, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }
