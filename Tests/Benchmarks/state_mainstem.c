// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "state.h"

#include "stream.h"

typedef struct view_model {
  stream *on;
  mainstem_context *scope;
  mainstem_binding *binding;
  uint64_t *sum;
  int64_t values[VALUES];
} view_model;

static const mainstem_contract integer = MAINSTEM_PAYLOAD_INTEGER;

static view_model *model_open(uint32_t threads, uint64_t *sum) {
  view_model *opened = calloc(1, sizeof *opened);
  if (opened == NULL) abort();
  opened->on = stream_open(threads, 1);
  opened->sum = sum;
  for (int i = 0; i < VALUES; i++) opened->values[i] = 1;
  return opened;
}

static int64_t other(view_model *of) { return of->values[0] ^= 256; }

static void bind_to(view_model *of, const char *value) {
  const mainstem_binding_row row = {value, observe_mainstem, 0};
  must(mainstem_binding_add(of->on->context, of->scope, &row, sizeof row, 1, of->sum, NULL,
                            &of->binding));
}

/* One value, of a scope that says it itself. */

static view_model *owner_open(uint32_t threads, uint64_t *sum) {
  view_model *opened = model_open(threads, sum);
  must(mainstem_type_add(opened->on->context, "Owner.value", integer | MAINSTEM_ROLE_VALUE, NULL,
                         &opened->on->types[0]));
  must(mainstem_scope_add(opened->on->context, "Owner", NULL, &opened->scope));
  must(mainstem_value_set_integer(opened->scope, opened->on->types[0], other(opened)));
  return opened;
}

static void *open_observed(uint32_t threads, uint64_t *sum) {
  view_model *opened = owner_open(threads, sum);
  must(mainstem_observe(opened->on->context, opened->on->types[0], observe_mainstem, sum, NULL,
                        NULL));
  return opened;
}

static void *open_bound(uint32_t threads, uint64_t *sum) {
  view_model *opened = owner_open(threads, sum);
  bind_to(opened, "value");
  return opened;
}

static void change(void *opened, size_t count) {
  view_model *of = opened;
  for (size_t i = 0; i < count; i++)
    mainstem_value_set_integer(of->scope, of->on->types[0], other(of));
}

static void repeat(void *opened, size_t count) {
  const view_model *of = opened;
  for (size_t i = 0; i < count; i++)
    mainstem_value_set_integer(of->scope, of->on->types[0], of->values[0]);
}

/* A view model, shown after each write. */

static mainstem_status show(void *user_data, mainstem_context *scope,
                            const mainstem_event_type *types) {
  const view_model *of = user_data;
  for (int i = 0; i < VALUES; i++) mainstem_value_set_integer(scope, types[i], of->values[i]);
  return MAINSTEM_OK;
}

static void written(void *user_data, const mainstem_event *event) {
  view_model *of = user_data;
  of->values[0] = of->values[1] = mainstem_event_integer(event);
}

static const mainstem_viewmodel_row rows[VALUES] = {
    {"written", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_INTEGER, written, NULL, 0, 0, NULL},
    {"changed", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"second", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"third", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"fourth", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL}};

static void *open_written(uint32_t threads, uint64_t *sum) {
  view_model *opened = model_open(threads, sum);
  must(mainstem_viewmodel_add(opened->on->context, "Model", rows, sizeof rows[0], VALUES, show,
                              opened, NULL, &opened->scope));
  bind_to(opened, "changed");
  return opened;
}

static void write(void *opened, size_t count) {
  view_model *of = opened;
  for (size_t i = 0; i < count; i++) {
    int64_t value = of->values[0] ^ 256;
    mainstem_binding_set(of->binding, "written", &value, sizeof value);
  }
}

/* Cells: owners that a factory makes. */

typedef struct cell {
  mainstem_context *scope;
  mainstem_binding *binding;
} cell;

static cell cells[CELLS];

static mainstem_status make_cell(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  (void)event;
  return mainstem_viewmodel_add(scope, NULL, rows, sizeof rows[0], VALUES, show, user_data, NULL,
                                NULL);
}

static void found(void *user_data, const mainstem_event *event) {
  cell *of = user_data;
  must(event->status);
  must(mainstem_scope_find(event->context, (uint64_t)mainstem_event_integer(event), &of->scope,
                           NULL));
}

static void *open_cells(uint32_t threads, uint64_t *sum) {
  view_model *opened = model_open(threads, sum);
  must(mainstem_factory_add(opened->on->context, "Cell", MAINSTEM_PAYLOAD_NONE, make_cell, opened,
                            NULL));
  return opened;
}

static void round_of_cells(view_model *of) {
  static const mainstem_binding_row bound[VALUES] = {{"written", observe_mainstem, 0},
                                                     {"changed", observe_mainstem, 0},
                                                     {"second", observe_mainstem, 0},
                                                     {"third", observe_mainstem, 0},
                                                     {"fourth", observe_mainstem, 0}};
  mainstem_context *context = of->on->context;
  for (int i = 0; i < CELLS; i++)
    must(mainstem_instance_open(context, "Cell", NULL, 0, found, &cells[i], NULL));
  for (int i = 0; i < CELLS; i++)
    must(mainstem_binding_add(context, cells[i].scope, bound, sizeof bound[0], VALUES, of->sum,
                              NULL, &cells[i].binding));
  for (int i = 0; i < CELLS; i++)
    must(mainstem_binding_retarget(cells[i].binding, cells[(i + 1) % CELLS].scope));
  for (int i = 0; i < CELLS; i++) {
    must(mainstem_binding_end(cells[i].binding));
    must(mainstem_scope_end(cells[i].scope));
  }
}

static void rounds_of_cells(void *opened, size_t count) {
  for (size_t i = 0; i < count; i++) round_of_cells(opened);
}

#define ON(threads, open_it)                                                                       \
  static void *open_it##_##threads(uint64_t *sum) {                                                \
    return open_it(MAINSTEM_THREADS_##threads, sum);                                               \
  }

ON(ANY, open_observed)
ON(ONE, open_observed)
ON(ANY, open_bound)
ON(ONE, open_bound)
ON(ANY, open_written)
ON(ONE, open_written)
ON(ANY, open_cells)
ON(ONE, open_cells)

const state_contestant state_any_thread = {"mainstem any",
                                           {{open_observed_ANY, change},
                                            {open_bound_ANY, change},
                                            {open_observed_ANY, repeat},
                                            {open_written_ANY, write},
                                            {open_cells_ANY, rounds_of_cells}}};
const state_contestant state_one_thread = {"mainstem one",
                                           {{open_observed_ONE, change},
                                            {open_bound_ONE, change},
                                            {open_observed_ONE, repeat},
                                            {open_written_ONE, write},
                                            {open_cells_ONE, rounds_of_cells}}};
