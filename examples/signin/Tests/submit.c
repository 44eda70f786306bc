// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* signs in, fails, submits twice, cancels, signs out, and hears late; see HostTests/test_submit.py. */

#include <signin.h>
#include <stdio.h>
#include <string.h>

static mainstem_context *context;
static mainstem_binding *binding;
static mainstem_retained *asked; /* what the provider has not answered */

static void heard(void *who, const mainstem_event *event) {
  printf("%s%.*s\n", (const char *)who, (int)event->size, (const char *)event->data);
}

static void says(void *who, const mainstem_event *event) {
  printf("%s%s\n", (const char *)who, mainstem_value_text(event));
}

static void ended(void *what, const mainstem_event *event) {
  printf("%s %s\n", (const char *)what, mainstem_status_name(event->status));
}

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

static void begin(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (asked) mainstem_retained_release(asked);
  mainstem_event_retain(event, &asked);
}

/* Lets the provider answer: with a time, with nothing, or with an error. */
static void answer(const char *time, const char *error) {
  const mainstem_event *event;
  mainstem_error wrong = {sizeof wrong, MAINSTEM_APP, "WRONG", error, NULL};
  mainstem_retained_event(asked, &event);
  if (error) mainstem_respond_error_with(event, &wrong);
  else mainstem_respond(event, time, strlen(time));
  mainstem_drain(context, 0, NULL);
}

static void run(const char *command) {
  mainstem_status status =
      mainstem_binding_run(binding, command, NULL, 0, ended, (void *)command, NULL, NULL);
  if (status) printf("%s refused %s\n", command, mainstem_status_name(status));
  mainstem_drain(context, 0, NULL);
}

static void type(const char *name, const char *password) {
  mainstem_binding_set(binding, "username", name, strlen(name));
  mainstem_binding_set(binding, "password", password, strlen(password));
}

static void play(mainstem_event_type state) {
  type("jack", "wrong");
  run("submit");
  answer(NULL, "Not you.");
  type("jack", "kcaj");
  run("submit");
  run("submit");
  run("cancel");
  run("submit");
  type("somebody", "else");
  answer("09:41", NULL);
  mainstem_observe(context, state, heard, "late ", NULL, NULL);
  run("submit");
  answer("", NULL);
}

int main(void) {
  static const mainstem_handler_row handlers[] = {{"RequestLogIn", begin, 0},
                                                  {"RequestLogOut", begin, 0}};
  static const mainstem_binding_row row = {"state", says, 0};
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  mainstem_context *view = NULL, *form = NULL;
  mainstem_event_type state = 0;
  uint64_t number = 0;
  mainstem_context_create(NULL, &context);
  signin_install(context);
  mainstem_server_add_with(context, "Account", MAINSTEM_ROWS(handlers), &options, NULL, NULL, NULL);
  signin_view(context, "Window", &view);
  mainstem_instance_open(view, "SignIn", NULL, 0, opened, &number, NULL);
  mainstem_scope_find(context, number, &form, NULL);
  mainstem_binding_add(view, form, &row, sizeof row, 1, "says: ", NULL, &binding);
  mainstem_type_find(context, "Session.state", &state);
  mainstem_observe(context, state, heard, "", NULL, NULL);
  play(state);
  mainstem_retained_release(asked);
  const char *message;
  mainstem_status failed = mainstem_context_first_error(context, &message);
  mainstem_context_close(context);
  return failed != MAINSTEM_EXECUTING && failed != MAINSTEM_OK ? fprintf(stderr, "%s\n", message)
                                                               : 0;
}
