// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on scopes, services, activity and schedulers. Included by arguments.c. */

#ifndef ARGUMENT_SCOPES_H
#define ARGUMENT_SCOPES_H

#include "argument_values.h"

static mainstem_status make_service(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  static const mainstem_handler_row rows[] = {{"RequestB", ignore_event, 0}};
  (void)user_data, (void)event;
  note(scope);
  return mainstem_server_add(scope, NULL, rows, sizeof rows[0], 1, NULL, NULL, NULL);
}

static void tuple_of_a_service(void) {
  const char *types[2] = {name(), "RequestB"};
  mainstem_context *service = NULL;
  mainstem_service_add(handle(), name(), pick(9) ? types : NULL, (size_t)(pick(4) ? pick(3) : 0),
                       contract(), pick(9) ? make_service : NULL, NULL, NULL);
  mainstem_service_find(handle(), name(), pick(9) ? &service : NULL);
  note(service);
}

static void tuple_of_a_scope(void) {
  mainstem_scope_options options = {.size = (uint32_t)(pick(4) ? sizeof options : pick(60)),
                                    .flags = (uint32_t)(pick(4) ? pick(4) : number()),
                                    .send_layers = number(),
                                    .observe_layers = number(),
                                    .limit_observers = number()};
  mainstem_context *scope = NULL;
  mainstem_scope_add(handle(), name(), pick(4) ? &options : NULL, pick(9) ? &scope : NULL);
  note(scope);
}

/* Few of the home: each scheduler has a thread. */
static void tuple_of_a_scheduler(void) {
  mainstem_scheduler made = 0;
  mainstem_context *context = pick(9) ? (mainstem_context *)other_than_home() : home;
  mainstem_scheduler_add(context, name(), (uint32_t)(pick(4) ? 0 : number()),
                         pick(9) ? &made : NULL);
}

static void tuple_of_numbers(void) {
  uint64_t count;
  switch (pick(4)) {
  case 0:
    mainstem_request_count(handle(), type(), pick(9) ? &count : NULL);
    break;
  case 1:
    mainstem_activity_report(handle(), type());
    break;
  case 2:
    mainstem_subscription_demand(handle(), number());
    break;
  default:
    EXPECT(mainstem_version() != 0);
    break;
  }
}

static void tuple_of_scopes(void) {
  switch (pick(pick(9) ? 3 : 4)) {
  case 0:
    tuple_of_a_scope();
    break;
  case 1:
    tuple_of_a_service();
    break;
  case 2:
    tuple_of_numbers();
    break;
  default:
    tuple_of_a_scheduler();
    break;
  }
}

#endif
