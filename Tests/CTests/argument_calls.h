// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on types, sends, observers and events. Included by arguments.c. */

#ifndef ARGUMENT_CALLS_H
#define ARGUMENT_CALLS_H

#include "argument_values.h"

static void tuple_of_types(void) {
  uint32_t found = 0;
  mainstem_contract layer = 0;
  mainstem_type_info info = {.size = (uint32_t)(pick(2) ? sizeof info : number())};
  mainstem_type_row rows[2] = {{name(), contract(), name()}, {name(), contract(), name()}};
  uint32_t types[2];
  const char *text;
  switch (pick(6)) {
  case 0:
    mainstem_type_add(handle(), name(), contract(), name(), pick(9) ? &found : NULL);
    break;
  case 1:
    mainstem_type_find(handle(), name(), pick(9) ? &found : NULL);
    break;
  case 2:
    mainstem_type_read(handle(), type(), pick(9) ? &info : NULL);
    break;
  case 3:
    mainstem_layer_add(handle(), name(), pick(9) ? &layer : NULL);
    break;
  case 4:
    mainstem_types_add(handle(), pick(9) ? rows : NULL, pick(2) ? sizeof rows[0] : (size_t)pick(24),
                       (size_t)pick(3), pick(3) ? types : NULL);
    break;
  default:
    mainstem_origin_name(handle(), type(), pick(9) ? &text : NULL);
    break;
  }
}

static void tuple_of_sends(void) {
  size_t size, count;
  const void *payload = data(&size);
  mainstem_pending *pending = NULL;
  mainstem_request_options options = {(uint32_t)(pick(4) ? sizeof options : pick(40)),
                                      (uint32_t)(pick(4) ? 0 : number()),
                                      fn(),
                                      number(),
                                      (uint32_t)pick(4),
                                      (uint32_t)(pick(9) ? pick(2) : pick(9))};
  mainstem_timer *timer = NULL;
  switch (pick(10)) {
  case 0:
    mainstem_send(handle(), type(), payload, size);
    break;
  case 1:
    mainstem_post(handle(), type(), payload, size);
    mainstem_post_from_interrupt(handle(), type(), payload, size);
    break;
  case 2:
    mainstem_request(handle(), type(), payload, size, fn(), NULL, pick(3) ? &pending : NULL);
    note(pending);
    break;
  case 3:
    mainstem_request_with(handle(), type(), payload, size, pick(9) ? &options : NULL, fn(), NULL,
                          NULL, pick(3) ? &pending : NULL);
    note(pending);
    break;
  case 4:
    mainstem_drain(handle(), (size_t)number(), pick(3) ? &count : NULL);
    break;
  case 5:
    mainstem_send_after(handle(), type(), payload, size, (int64_t)number(), 0,
                        pick(3) ? &timer : NULL);
    note(timer);
    break;
  case 6:
    mainstem_send_after(handle(), type(), payload, size, (int64_t)number(), (int64_t)number(),
                        pick(3) ? &timer : NULL);
    note(timer);
    break;
  case 7:
    mainstem_timer_cancel(handle());
    break;
  case 8: {
    mainstem_event_header headers[4];
    memset(headers, 0, sizeof headers);
    for (size_t i = 0; i < COUNT(headers); i++) {
      headers[i].type = type();
      headers[i].size = (uint32_t)pick(pick(9) ? 8 : 400);
      headers[i].offset = (uint32_t)(pick(9) ? pick(sizeof headers) : number());
    }
    mainstem_send_many(handle(), pick(9) ? headers : NULL, (size_t)pick(sizeof headers + 1),
                       (size_t)(pick(9) ? pick(6) : number()), pick(2) ? &count : NULL);
    break;
  }
  default:
    mainstem_flush(handle());
    break;
  }
}

static void tuple_of_values(void) {
  mainstem_retained *kept = NULL;
  size_t size;
  const void *payload = data(&size);
  switch (pick(6)) {
  case 0:
    mainstem_value_set_bool(handle(), type(), pick(2) != 0);
    break;
  case 1:
    mainstem_value_set_integer(handle(), type(), (int64_t)number());
    break;
  case 2:
    mainstem_value_set_number(handle(), type(), (double)number());
    break;
  case 3:
    mainstem_value_set_text(handle(), type(), name());
    break;
  case 4:
    mainstem_value_get(handle(), type(), pick(9) ? &kept : NULL);
    break;
  default:
    mainstem_value_set(handle(), type(), payload, size);
  }
  note(kept);
}

static void tuple_of_lists(void) {
  mainstem_list_row rows[3];
  mainstem_list_ends ends = {number(), (size_t)pick(4), (size_t)pick(4)};
  mainstem_list_window window = {(size_t)number(), (size_t)pick(4), (size_t)number()};
  for (int i = 0; i < 3; i++) {
    size_t size;
    const void *payload = data(&size);
    const char *key = name();
    size_t most = key == NULL ? 300 : strlen(key) + 1;
    rows[i] = (mainstem_list_row){key, (size_t)pick((uint32_t)most), payload, size};
  }
  mainstem_list_set(handle(), type(), pick(9) ? rows : NULL,
                    pick(4) ? sizeof rows[0] : (size_t)number(), (size_t)pick(4),
                    pick(2) ? &ends : NULL);
  mainstem_list_set_window(handle(), type(), pick(9) ? rows : NULL,
                           pick(4) ? sizeof rows[0] : (size_t)number(), (size_t)pick(4),
                           pick(2) ? &ends : NULL, pick(9) ? &window : NULL);
}

static mainstem_status open_any(void *user_data, mainstem_context *context, size_t index,
                                mainstem_context **child) {
  (void)user_data, (void)index;
  if (pick(8)) return mainstem_scope_add(context, "Child", NULL, child);
  *child = handle();
  return (mainstem_status)pick(4);
}

static void tuple_of_children(void) {
  mainstem_child children[3];
  mainstem_list_ends ends = {number(), (size_t)pick(4), (size_t)pick(4)};
  for (int i = 0; i < 3; i++) {
    const char *key = name();
    size_t most = key == NULL ? 300 : strlen(key) + 1;
    children[i] = (mainstem_child){key, (size_t)pick((uint32_t)most), (uint64_t)pick(3)};
  }
  mainstem_children_set(handle(), type(), pick(9) ? children : NULL,
                        pick(4) ? sizeof children[0] : (size_t)number(), (size_t)pick(4),
                        pick(2) ? &ends : NULL, pick(9) ? open_any : NULL, NULL);
}

static void tuple_of_gates(void) {
  mainstem_context *made = NULL;
  mainstem_gate_row rows[2];
  mainstem_gate_options options = {0};
  for (int i = 0; i < 2; i++)
    rows[i] = (mainstem_gate_row){pick(3) ? "RequestAsk" : name(), pick(3) ? "RequestAsk" : name()};
  options.size = (uint32_t)(pick(4) ? sizeof options : pick(60));
  options.refusal = (int32_t)number();
  options.expired = (int32_t)(pick(2) ? 0 : number());
  options.open = pick(3) ? "Value" : name();
  options.refresh = pick(3) ? NULL : name();
  options.limit = (size_t)number();
  mainstem_gate_add(handle(), name(), pick(9) ? rows : NULL,
                    pick(4) ? sizeof rows[0] : (size_t)number(), (size_t)pick(3),
                    pick(9) ? &options : NULL, pick(3) ? &made : NULL);
  note(made);
}

static void pass_anything(void *user_data, const mainstem_workflow_run *run) {
  size_t size;
  const void *payload = data(&size);
  mainstem_error error = {(uint32_t)pick(50), (int32_t)number(), name(), name(), name()};
  (void)user_data;
  switch (pick(4)) {
  case 0:
    mainstem_workflow_pass(run, payload, size);
    break;
  case 1:
    mainstem_workflow_skip(pick(3) ? run : NULL);
    break;
  case 2:
    mainstem_workflow_fail(run, pick(3) ? &error : NULL);
  }
}

static void tuple_of_workflows(void) {
  mainstem_context *made = NULL;
  mainstem_workflow_row rows[2];
  mainstem_workflow_options options = {0};
  for (int i = 0; i < 2; i++)
    rows[i] = (mainstem_workflow_row){pick(3) ? "RequestAsk" : name(),
                                      pick(2) ? pass_anything : NULL,
                                      pick(2) ? NULL : name(),
                                      pick(2) ? pass_anything : NULL,
                                      (int64_t)number(),
                                      (int64_t)number(),
                                      (uint32_t)pick(3),
                                      (uint32_t)pick(3)};
  options.size = (uint32_t)(pick(4) ? sizeof options : pick(60));
  options.flags = (uint32_t)(pick(4) ? 0 : number());
  options.finish = pick(2) ? pass_anything : NULL;
  options.limit = (size_t)number();
  mainstem_workflow_add(handle(), name(), pick(3) ? "RequestAsk" : name(), pick(9) ? rows : NULL,
                        pick(4) ? sizeof rows[0] : (size_t)number(), (size_t)pick(3),
                        pick(2) ? &options : NULL, NULL, NULL, pick(3) ? &made : NULL);
  mainstem_workflow_pass(NULL, "", 0);
  note(made);
}

static void tuple_of_resources(const mainstem_event *event) {
  static const mainstem_type_row rows[] = {{"RequestA", MAINSTEM_PAYLOAD_BYTES, "ResponseA"},
                                           {"RequestB", MAINSTEM_PAYLOAD_BYTES, "ResponseA"},
                                           {"ResponseA", MAINSTEM_PAYLOAD_NONE, NULL},
                                           {"A", MAINSTEM_PAYLOAD_BYTES, NULL}};
  mainstem_resources *made = NULL;
  mainstem_resource *resource = NULL;
  mainstem_resources_options options = {0};
  const void *bytes;
  size_t size;
  const void *payload = data(&size);
  options.size = (uint32_t)(pick(9) ? sizeof options : pick(60));
  options.request = pick(9) ? "RequestA" : name();
  options.behind = pick(9) ? "RequestB" : name();
  options.drop = pick(9) ? "A" : name();
  options.limit_bytes = (size_t)number();
  options.limit = (size_t)number();
  if (pick(9) == 0) mainstem_types_add(handle(), MAINSTEM_ROWS(rows), NULL);
  mainstem_resources_add(handle(), name(), pick(9) ? &options : NULL, pick(9) ? &made : NULL);
  note(made);
  mainstem_resources_put((mainstem_resources *)(void *)handle(), event, payload, size);
  mainstem_resource_get((mainstem_resources *)(void *)handle(), payload, size,
                        pick(9) ? &resource : NULL);
  mainstem_resource_read(pick(2) ? resource : (mainstem_resource *)(void *)handle(),
                         pick(9) ? &bytes : NULL, pick(9) ? &size : NULL);
  mainstem_resource_release(pick(9) ? NULL : (mainstem_resource *)(void *)handle());
  mainstem_resource_release(resource);
}

static void tuple_of_undo_logs(void) {
  static const mainstem_type_row types[] = {
      {"RequestU", MAINSTEM_PAYLOAD_NONE, "ResponseU"},
      {"RequestR", MAINSTEM_PAYLOAD_NONE, "ResponseU"},
      {"ResponseU", MAINSTEM_PAYLOAD_NONE, NULL},
      {"U", MAINSTEM_PAYLOAD_JSON | MAINSTEM_ROLE_VALUE, NULL}};
  mainstem_context *made = NULL;
  mainstem_undo_log_row rows[2];
  mainstem_undo_log_options options = {0};
  for (int i = 0; i < 2; i++)
    rows[i] =
        (mainstem_undo_log_row){pick(3) ? "RequestAsk" : name(), pick(3) ? "RequestAsk" : name(),
                                pick(2) ? pass_anything : NULL};
  options.size = (uint32_t)(pick(9) ? sizeof options : pick(60));
  options.flags = pick(9) ? 0 : (uint32_t)number();
  options.undo = pick(9) ? "RequestU" : name();
  options.redo = pick(9) ? "RequestR" : name();
  options.shown = pick(9) ? "U" : name();
  options.limit = (size_t)number();
  if (pick(9) == 0) mainstem_types_add(handle(), MAINSTEM_ROWS(types), NULL);
  mainstem_undo_log_add(handle(), name(), pick(9) ? rows : NULL,
                        pick(4) ? sizeof rows[0] : (size_t)number(), (size_t)pick(3),
                        pick(9) ? &options : NULL, NULL, NULL, pick(3) ? &made : NULL);
  note(made);
}

static void tuple_of_a_list(const mainstem_event *event) {
  mainstem_list_change change;
  mainstem_list_row row;
  mainstem_list_window window;
  size_t at, removed, added;
  mainstem_list_window_get(event, pick(9) ? &window : NULL);
  mainstem_list_read(event, (size_t)number(), pick(9) ? &change : NULL);
  mainstem_list_span(event, pick(9) ? &at : NULL, pick(9) ? &removed : NULL, &added);
  mainstem_list_count(event, pick(9) ? &at : NULL);
  mainstem_list_row_get(event, (size_t)number(), pick(9) ? &row : NULL);
  mainstem_list_find(event, pick(9) ? "a" : NULL, (size_t)pick(2), pick(9) ? &at : NULL);
}

static void tuple_of_observers(void) {
  mainstem_observe_options options = {0};
  mainstem_subscription *made = NULL;
  uint32_t types[3] = {type(), type(), type()};
  uint64_t from;
  options.size = (uint32_t)(pick(4) ? sizeof options : pick(200));
  if (pick(2)) options.flags = (uint32_t)(pick(2) ? pick(32) : number());
  if (pick(2)) options.types = types;
  options.type_count = (size_t)pick(4);
  if (pick(2)) options.role = contract();
  if (pick(3) == 0) options.layers = number();
  if (pick(3) == 0) options.count = number();
  if (pick(3) == 0) options.scheduler = (uint32_t)(pick(9) ? pick(3) : number());
  switch (pick(10)) {
  case 7: {
    mainstem_subscription_stats stats = {.size = (uint32_t)(pick(3) ? sizeof stats : pick(200))};
    mainstem_subscription_stats_read(handle(), pick(9) ? &stats : NULL);
    break;
  }
  case 6: {
    unsigned char buffer[300];
    size_t count, next;
    mainstem_mailbox_take(handle(), pick(9) ? buffer : NULL,
                          (size_t)(pick(3) ? sizeof buffer : pick(sizeof buffer)),
                          pick(9) ? &count : NULL, pick(2) ? &next : NULL);
    break;
  }
  case 8:
    if (pick(3)) tuple_of_values();
    else if (pick(2)) tuple_of_lists();
    else if (pick(2)) tuple_of_children();
    else if (pick(2)) tuple_of_gates();
    else if (pick(2)) tuple_of_undo_logs();
    else tuple_of_workflows();
    break;
  case 5:
    mainstem_history_keep(handle(), type(), pick(9) ? (size_t)pick(5) : (size_t)number(),
                          pick(4) ? 0 : (int64_t)number());
    break;
  case 0:
    mainstem_observe(handle(), type(), fn(), NULL, NULL, pick(3) ? &made : NULL);
    break;
  case 1:
    mainstem_observe_with(handle(), pick(9) ? &options : NULL, fn(), NULL, NULL,
                          pick(3) ? &made : NULL);
    break;
  case 2:
    mainstem_subscription_from(handle(), pick(9) ? &from : NULL);
    break;
  case 3:
    mainstem_cancel(handle());
    break;
  case 4:
    mainstem_cancel_wait(handle());
    break;
  default:
    if (pick(50) == 0) mainstem_trace(other_than_home(), pick(4) ? ignore_line : NULL, NULL);
    break;
  }
  note(made);
}

static void ignore_changes(void *user_data, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) EXPECT(strlen(names[i]) > 0);
}

static void ignore_ended(void *user_data) { (void)user_data; }

static void ignore_mutation(void *user_data, void *state, const void *mutation, size_t size) {}

static void tuple_of_reactors(void) {
  const mainstem_viewmodel_row rows[2] = {
      {name(), (uint32_t)pick(6), contract(), fn(), NULL, (uint32_t)pick(5), 0, NULL},
      {"of", MAINSTEM_VIEWMODEL_COMMAND, 0, fn(), NULL, 0, 0, pick(2) ? name() : NULL}};
  mainstem_reactor_table table = {0};
  mainstem_context *added = NULL;
  size_t size;
  const void *mutation = data(&size);
  table.size = pick(9) ? (uint32_t)sizeof table : (uint32_t)pick(200);
  table.state_size = (uint32_t)pick(9);
  table.rows = pick(9) ? rows : NULL;
  table.row_size = pick(9) ? sizeof rows[0] : (size_t)pick(56);
  table.count = (size_t)pick(3);
  table.mutation = contract();
  table.reduce = pick(9) ? ignore_mutation : NULL;
  mainstem_reactor_add(handle(), pick(4) ? name() : NULL, pick(9) ? &table : NULL, NULL, NULL,
                       pick(3) ? &added : NULL);
  note(added);
  mainstem_reactor_merge(handle(), mutation, size);
  mainstem_reactor_state(handle());
  mainstem_reactor_stub(handle(), NULL);
}

static void tuple_of_bindings(void) {
  mainstem_binding_row rows[3] = {
      {name(), fn(), pick(4)}, {name(), fn(), 0}, {name(), fn(), pick(2) ? 1 : pick(64)}};
  mainstem_binding *made = NULL;
  size_t size;
  const void *payload = data(&size);
  switch (pick(9)) {
  case 7:
    tuple_of_reactors();
    break;
  case 5: {
    const mainstem_viewmodel_row row = {name(),
                                        (uint32_t)pick(6),
                                        contract(),
                                        fn(),
                                        pick(3) ? NULL : name(),
                                        (uint32_t)pick(5),
                                        pick(3) ? 0 : contract(),
                                        NULL};
    const mainstem_viewmodel_row model[2] = {
        row, {"of", MAINSTEM_VIEWMODEL_VALUE, 0, NULL, NULL, 0, 0, NULL}};
    mainstem_context *added = NULL;
    mainstem_viewmodel_add(handle(), pick(4) ? name() : NULL, pick(9) ? model : NULL,
                           pick(9) ? sizeof row : (size_t)pick(56), (size_t)pick(3), NULL, NULL,
                           NULL, pick(3) ? &added : NULL);
    note(added);
    break;
  }
  case 6: {
    mainstem_pending *pending = NULL;
    mainstem_binding_run(handle(), name(), payload, size, fn(), NULL, NULL,
                         pick(3) ? &pending : NULL);
    note(pending);
    break;
  }
  case 0:
    mainstem_binding_add(handle(), pick(4) ? handle() : NULL, pick(9) ? rows : NULL,
                         pick(9) ? sizeof rows[0] : (size_t)pick(16), (size_t)pick(4), NULL, NULL,
                         pick(3) ? &made : NULL);
    note(made);
    break;
  case 1:
    mainstem_binding_retarget(handle(), pick(4) ? handle() : NULL);
    break;
  case 2:
    mainstem_binding_on_changes(handle(), pick(4) ? ignore_changes : NULL, NULL);
    break;
  case 3:
    mainstem_binding_on_ended(handle(), pick(4) ? ignore_ended : NULL, NULL);
    break;
  case 4:
    mainstem_binding_set(handle(), name(), payload, size);
    break;
  default:
    if (pick(9) == 0) mainstem_binding_end(pick(9) ? handle() : NULL);
    break;
  }
}

static void ignore_settled(void *user_data) { (void)user_data; }

static void tuple_of_an_event(const mainstem_event *event) {
  mainstem_error error = {(uint32_t)(pick(2) ? sizeof error : pick(50)), (int32_t)number(), name(),
                          name(), name()};
  mainstem_retained *kept = NULL;
  char line[64];
  bool is_settled;
  size_t size, length;
  const void *payload = data(&size);
  switch (pick(13)) {
  case 10:
    (void)mainstem_event_bool(pick(9) ? event : NULL);
    (void)mainstem_event_integer(pick(9) ? event : NULL);
    (void)mainstem_event_number(pick(9) ? event : NULL);
    (void)mainstem_value_text(pick(9) ? event : NULL);
    if (pick(2)) tuple_of_a_list(pick(9) ? event : NULL);
    else tuple_of_resources(pick(9) ? event : NULL);
    break;
  case 11:
    mainstem_reactor_mutate(pick(9) ? event : NULL, payload, size);
    break;
  case 9:
    mainstem_event_on_settled(pick(9) ? event : NULL, pick(9) ? ignore_settled : NULL, NULL, NULL);
    mainstem_event_is_settled(pick(9) ? event : NULL, pick(9) ? &is_settled : NULL);
    break;
  case 0:
    mainstem_event_error(event, pick(9) ? &error : NULL);
    break;
  case 1:
    mainstem_event_line(event, line, (size_t)pick(sizeof line + 1), &length);
    break;
  case 2:
    mainstem_event_line(event, NULL, (size_t)pick(2), pick(2) ? &length : NULL);
    break;
  case 3:
    mainstem_event_retain(event, pick(9) ? &kept : NULL);
    break;
  case 4:
    mainstem_respond(event, payload, size);
    break;
  case 5:
    mainstem_respond_error(event, (int32_t)number(), name());
    break;
  case 6:
    mainstem_respond_error_with(event, pick(9) ? &error : NULL);
    break;
  case 7:
    mainstem_fail(event, (int32_t)number(), name());
    break;
  case 8:
    mainstem_respond_progress(event, type(), payload, size);
    break;
  default:
    mainstem_confirm(event);
    break;
  }
  note(kept);
}

#endif
