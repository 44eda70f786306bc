// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* prints what a screen shows in each of the 60 cases of the truth table; see HostTests/test_table.py. */

#include <signin.h>
#include <stdio.h>
#include <string.h>

static const char *const outputs[] = {
    "usernameInputEnable", "passwordInputEnable", "submitEnable", "submitTitle", "indicatorHidden",
    "indicatorAnimating",  "stateHidden",         "stateId",      "state"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };
static char shown[OUTPUTS][64];

static const struct {
  const char *name, *json;
} states[] = {{"unsigned", "{\"unsigned\":{}}"},
              {"signingIn", "{\"signingIn\":{}}"},
              {"signingUp", "{\"signingUp\":{}}"},
              {"signingOut", "{\"signingOut\":{}}"},
              {"signed", "{\"signed\":{\"user\":{\"name\":\"jack\",\"time\":\"09:41\"}}}"}};

static void show_bool(void *text, const mainstem_event *event) {
  strcpy(text, mainstem_event_bool(event) ? "1" : "0");
}

static void show_text(void *text, const mainstem_event *event) {
  snprintf(text, sizeof shown[0], "%s", mainstem_value_text(event));
}

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

static void bind(mainstem_context *view, mainstem_context *form, mainstem_binding **binding) {
  for (int at = 0; at < OUTPUTS; at++) {
    bool is_text = at == 3 || at > 6;
    mainstem_binding_row row = {outputs[at], is_text ? show_text : show_bool, 0};
    mainstem_binding_add(view, form, &row, sizeof row, 1, shown[at], NULL, binding);
  }
}

int main(void) {
  mainstem_context *context, *view = NULL, *form = NULL, *session = NULL;
  mainstem_binding *binding = NULL;
  mainstem_event_type type = 0;
  uint64_t number = 0;
  mainstem_context_create(NULL, &context);
  signin_install(context);
  signin_view(context, "Window", &view);
  mainstem_instance_open(view, "SignIn", NULL, 0, opened, &number, NULL);
  mainstem_scope_find(context, number, &form, NULL);
  bind(view, form, &binding);
  mainstem_service_find(context, "Session", &session);
  mainstem_type_find(context, "Session.state", &type);
  for (size_t length = 0; length <= 5; length++)
    for (size_t has_password = 0; has_password <= 1; has_password++)
      for (size_t at = 0; at < sizeof states / sizeof states[0]; at++) {
        mainstem_value_set(session, type, states[0].json, strlen(states[0].json));
        mainstem_binding_set(binding, "username", "nnnnn", length);
        mainstem_binding_set(binding, "password", "p", has_password);
        mainstem_value_set(session, type, states[at].json, strlen(states[at].json));
        printf("%zu | %zu | %s", length, has_password, states[at].name);
        for (int output = 0; output < OUTPUTS; output++) printf(" | %s", shown[output]);
        printf("\n");
      }
  const char *message;
  mainstem_status failed = mainstem_context_first_error(context, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}
