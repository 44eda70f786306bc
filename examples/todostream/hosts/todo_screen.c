// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// What the core shows becomes widgets, and what the user does becomes requests.

#include "todo_window.h"

enum { LATE_MS = 200, TOAST_S = 10 };

static guint late_timer, quiet_timer;

typedef struct asked { /* a request, and what its answer is for */
  window *self;
  const char *what;
  json_t *payload;
  then_fn then;
} asked;

gpointer at(window *self, const char *id) {
  GObject *found = gtk_builder_get_object(self->ui, id);
  return found ? found : gtk_builder_get_object(self->frame, id);
}

const char *text(json_t *of, const char *key) {
  const char *value = json_string_value(json_object_get(of, key));
  return value ? value : "";
}

const char *id_of(json_t *row) { return text(json_object_get(row, "todo"), "id"); }

json_t *value_of(mainstem_gtk_row *row) { return json_loadb(row->data, row->size, 0, NULL); }

static void answered(void *data, const mainstem_event *event);
static void show_failure(window *self, const mainstem_event *event, asked *again);

// Requests

static void show_busy(gboolean is_busy) {
  for (guint index = 0; index < windows->len; index++)
    gtk_widget_set_visible(at(windows->pdata[index], "busy"), is_busy);
}

bool is_quiet(void) {
  uint64_t open = 0;
  mainstem_request_count(context, MAINSTEM_TYPE_ANY, &open);
  return open == 0;
}

static gboolean late(gpointer data) {
  (void)data;
  late_timer = 0;
  show_busy(!is_quiet());
  return G_SOURCE_REMOVE;
}

static gboolean quiet(gpointer data) {
  (void)data;
  quiet_timer = 0;
  if (!is_quiet()) return G_SOURCE_REMOVE;
  show_busy(FALSE);
  for (guint index = windows->len; index > 0; index--) end_when_quiet(windows->pdata[index - 1]);
  return G_SOURCE_REMOVE;
}

/* Something was asked or answered. What takes longer than a moment is shown. */
static void watch(const char *what) {
  const char *doing = what && !strcmp(what, "RequestTodoViewModels") ? "Loading …" : "Saving …";
  if (is_replay) return;
  for (guint index = 0; what && index < windows->len; index++)
    gtk_label_set_label(at(windows->pdata[index], "doing"), doing);
  if (!late_timer) late_timer = g_timeout_add(LATE_MS, late, NULL);
  if (!quiet_timer) quiet_timer = g_idle_add(quiet, NULL);
}

void unwatch(void) {
  if (late_timer) g_source_remove(late_timer);
  if (quiet_timer) g_source_remove(quiet_timer);
}

static void free_asked(gpointer data) {
  json_decref(((asked *)data)->payload);
  g_free(data);
}

/* Asks. If it fails, the user is told, and may ask again. Takes the payload. */
void ask(window *self, const char *what, json_t *payload, then_fn then) {
  mainstem_event_type type = 0;
  char *bytes = payload ? json_dumps(payload, JSON_COMPACT) : NULL;
  if (!bytes || is_replay) {
    free(bytes);
    json_decref(payload);
    return;
  }
  asked *request = g_new0(asked, 1);
  *request = (asked){self, what, payload, then};
  mainstem_bars_unsay(self->bars);
  mainstem_type_find(self->scope, what, &type);
  mainstem_status status =
      mainstem_request(self->scope, type, bytes, strlen(bytes), answered, request, NULL);
  if (status) {
    mainstem_bars_failed(self->bars, status, NULL, NULL, NULL);
    free_asked(request);
  }
  free(bytes);
  watch(what);
}

static bool is_of_dialog(window *self, const mainstem_event *event) {
  mainstem_error error = {.size = sizeof error};
  return self->detail && !mainstem_event_error(event, &error) &&
         !strcmp(error.subject, text(self->detail, "session"));
}

/* Takes over what could not be kept: if the user was closing the window, closing again means it. */
static void warn(window *self, json_t *edit) {
  json_decref(self->warned);
  self->warned = self->is_closing ? edit : NULL;
  if (!self->is_closing) json_decref(edit);
}

static void answered(void *data, const mainstem_event *event) {
  asked *request = data;
  window *self = request->self;
  if (event->status == MAINSTEM_CANCELLED) {
    free_asked(request); /* its window is gone */
    return;
  }
  if (!event->status) {
    json_t *answer = json_loadb(event->data, event->size, 0, NULL);
    if (request->then) request->then(self, answer);
    json_decref(answer);
    free_asked(request);
    return;
  }
  warn(self, self->detail ? edited(self) : NULL);
  self->is_closing = false; /* there is something to read */
  if (is_of_dialog(self, event)) free_asked(request);
  else show_failure(self, event, request);
}

void ask_row(window *self, const char *what, mainstem_gtk_row *row, then_fn then) {
  if (row) ask(self, what, json_pack("{s:o}", "row", value_of(row)), then);
}

void ask_list(window *self, const char *what, const char *list, then_fn then) {
  ask(self, what, json_pack("{s:s}", "list", list), then);
}

const char *list_name(window *self) {
  return *text(self->list, "id") ? text(self->list, "id") : "home";
}

// Focus, and what lies over the rest

bool is_deleted_page(window *self) {
  return !strcmp(gtk_stack_get_visible_child_name(at(self, "pages")), "deleted");
}

GtkListView *page_list(window *self) {
  return at(self, is_deleted_page(self) ? "deleted_rows" : "rows");
}

GtkSingleSelection *selection(window *self) {
  return GTK_SINGLE_SELECTION(gtk_list_view_get_model(page_list(self)));
}

/* Gives the keys to what had them, or to the list. */
void give_focus(window *self, GtkWidget *focus) {
  if (is_replay) return;
  bool had = focus && gtk_widget_get_root(focus) && gtk_widget_grab_focus(focus);
  if (!had && !gtk_widget_grab_focus(GTK_WIDGET(page_list(self))))
    gtk_window_set_focus(at(self, "window"), NULL);
}

/* A row may have been removed that had them. */
void give_focus_after(window *self) {
  GtkWidget *focus = gtk_window_get_focus(at(self, "window"));
  if (!focus || !gtk_widget_get_root(focus)) give_focus(self, NULL); /* GTK leaves it the keys */
}

void focus_list(window *self, json_t *answer) {
  (void)answer;
  give_focus(self, NULL);
}

/* What is under a dialog takes nothing; where a session is shown again, nothing at all. */
void enable(window *self) {
  static const char *const always[] = {"close", "help", NULL};
  static const char *const covered[] = {"close", "help", "escape", "save", "confirm", NULL};
  char **all = g_action_group_list_actions(G_ACTION_GROUP(self->actions));
  for (char **name = all; *name; name++) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->actions), *name);
    gboolean is_on = !is_replay && !self->cover;
    is_on = is_on || g_strv_contains(is_replay ? always : covered, *name);
    if (G_IS_SIMPLE_ACTION(action)) g_simple_action_set_enabled(G_SIMPLE_ACTION(action), is_on);
  }
  g_strfreev(all);
  gtk_widget_set_sensitive(at(self, "lists"), !self->cover && !is_replay);
  gtk_widget_set_sensitive(at(self, "main"), !self->cover);
  g_object_set(at(self, "content"), "can-target", !self->cover, "can-focus", !self->cover, NULL);
}

void put_over(window *self, const char *name, const char *focus) {
  self->cover = at(self, name);
  g_set_object(&self->focus, gtk_window_get_focus(at(self, "window")));
  gtk_widget_set_visible(self->cover, TRUE);
  gtk_widget_grab_focus(at(self, focus));
  enable(self);
}

void uncover(window *self) {
  GtkWidget *cover = self->cover;
  json_t *next = json_array_get(self->unsaved, 0);
  self->cover = NULL;
  enable(self);
  give_focus(self, self->focus);
  gtk_widget_set_visible(cover, FALSE);
  if (!next) return;
  json_incref(next);
  json_array_remove(self->unsaved, 0);
  open_detail(self, next);
  json_decref(next);
}

// What the core shows

void show_summary(window *self) {
  gtk_label_set_label(at(self, "summary"),
                      text(self->list, is_deleted_page(self) ? "deletedSummary" : "summary"));
  gtk_label_set_label(at(self, "empty"), text(self->list, "summary"));
  gtk_label_set_label(at(self, "none_deleted"), text(self->list, "deletedSummary"));
  gtk_widget_set_visible(at(self, "empty"), !g_list_model_get_n_items(self->todos));
  gtk_widget_set_visible(at(self, "none_deleted"), !g_list_model_get_n_items(self->deleted));
}

void add_name(window *self, const char *name) {
  gtk_list_box_append(at(self, "known"),
                      g_object_new(GTK_TYPE_LABEL, "label", name, "xalign", 0.0, NULL));
}

static void know_name(const char *name) {
  for (guint index = 0; index < names->len; index++)
    if (!strcmp(names->pdata[index], name)) return;
  g_ptr_array_add(names, g_strdup(name));
  for (guint index = 0; index < windows->len; index++) add_name(windows->pdata[index], name);
}

void show_list(void *data, const mainstem_event *event) {
  window *self = data;
  json_decref(self->list);
  self->list = json_loadb(event->data, event->size, JSON_DECODE_ANY, NULL);
  gtk_label_set_label(at(self, "name"), text(self->list, "id"));
  if (json_is_object(self->list)) {
    const char *name = text(self->list, "id");
    char *title = g_strconcat(name, " – Todos", is_replay ? ", shown again" : "", NULL);
    gtk_window_set_title(at(self, "window"), title);
    g_free(title);
    know_name(name);
  }
  if (self->deleted) show_summary(self);
}

gboolean hide_toast(gpointer data) {
  window *self = data;
  if (self->toast) g_source_remove(self->toast);
  g_clear_pointer(&self->toasted, g_free);
  self->toast = 0;
  gtk_revealer_set_reveal_child(at(self, "toast"), FALSE);
  return G_SOURCE_REMOVE;
}

/* A delete can be undone, whichever view made it. */
static void show_toast(window *self, json_t *row) {
  bool is_deleted = json_is_true(json_object_get(row, "deleted"));
  if (!is_deleted && g_strcmp0(self->toasted, id_of(row))) return;
  hide_toast(self);
  if (!is_deleted) return;
  char *said = g_strdup_printf("Deleted “%s”", text(row, "title"));
  self->toasted = g_strdup(id_of(row));
  gtk_label_set_label(at(self, "deleted_title"), said);
  gtk_revealer_set_reveal_child(at(self, "toast"), TRUE);
  self->toast = g_timeout_add_seconds(TOAST_S, hide_toast, self);
  g_free(said);
}

static void show_problem(window *self, const char *problem) {
  gtk_label_set_label(at(self, "problem"), problem);
  gtk_widget_set_visible(at(self, "problem"), *problem != '\0');
  gtk_widget_grab_focus(at(self, "title"));
}

/* What to do about what the store says, beside what its text says; NULL: to try again does not help. */
static const char *what_to_do(mainstem_status code) {
  switch (code) {
  case TODOSTREAM_STORE_LOCKED:
    return "";
  case TODOSTREAM_STORE_READ_ONLY:
    return "Make the file writable, then try again.";
  case TODOSTREAM_NO_SPACE:
    return "Free some space, then try again.";
  case TODOSTREAM_STORE_UNAVAILABLE:
    return "Check the folder of the file, then try again.";
  case TODOSTREAM_STORE_UNREADABLE:
    return "Start the program with another file: --db PATH.";
  default:
    return NULL;
  }
}

static void ask_again(GtkWidget *button, asked *request) {
  g_object_ref(button); /* which has the request */
  ask(request->self, request->what, json_incref(request->payload), request->then);
  g_object_unref(button);
}

/* Says what has failed and what to do, and offers to try again if that may help. Takes the request. */
static void show_failure(window *self, const mainstem_event *event, asked *request) {
  const char *hint = what_to_do(event->status);
  g_clear_object(&self->again);
  if (request) {
    self->again = g_object_ref_sink(gtk_button_new());
    g_signal_connect(self->again, "clicked", G_CALLBACK(ask_again), request);
    g_object_set_data_full(G_OBJECT(self->again), "request", request, free_asked);
  }
  mainstem_bars_say(self->bars, event->user_message, hint, hint ? self->again : NULL, "clicked");
}

static bool is_a(const mainstem_event *event, const char *name) {
  mainstem_event_type type = 0;
  return !mainstem_type_find(context, name, &type) && type == event->type;
}

/* What any view has caused; answers to this one come to `answered`, too. */
void notice(void *data, const mainstem_event *event) {
  window *self = data;
  watch(NULL);
  if (event->status && is_of_dialog(self, event)) show_problem(self, event->user_message);
  else if (event->status && is_replay) show_failure(self, event, NULL);
  if (event->status) return;
  if (is_replay) mainstem_bars_unsay(self->bars);
  json_t *answer = json_loadb(event->data, event->size, 0, NULL);
  json_t *detail = json_object_get(answer, "detail");
  if (is_a(event, "ResponseTodoViewModel")) show_toast(self, json_object_get(answer, "row"));
  else if (is_a(event, "ResponseTodoDetailViewModel") && *text(detail, "error") &&
           json_object_get(self->saved, text(detail, "session")))
    open_detail(self, answer);
  json_decref(answer);
}

// The dialog

static void set_text(GtkEditable *entry, const char *text) {
  gtk_editable_set_enable_undo(entry, FALSE); /* of the todo before */
  gtk_editable_set_text(entry, text);
  gtk_editable_set_enable_undo(entry, TRUE);
}

void open_detail(window *self, json_t *answer) {
  json_t *detail = json_object_get(answer, "detail");
  if (self->cover) { /* one after the other */
    json_array_append(self->unsaved, answer);
    return;
  }
  json_decref(self->detail);
  self->detail = json_incref(detail);
  warn(self, *text(detail, "error") ? json_incref(detail) : NULL);
  self->is_closing = false;
  gtk_label_set_label(at(self, "heading"), *text(detail, "title") ? "Edit Todo" : "New Todo");
  set_text(at(self, "title"), text(detail, "title"));
  set_text(at(self, "subtitle"), text(detail, "subtitle"));
  gtk_check_button_set_active(at(self, "high"), !strcmp(text(detail, "priority"), "high"));
  put_over(self, "dialog", "title");
  show_problem(self, text(detail, "error"));
}

/* The edit session of a session that is shown again. */
void show_detail(void *data, const mainstem_event *event) {
  window *self = data;
  json_t *detail = json_loadb(event->data, event->size, JSON_DECODE_ANY, NULL);
  if (self->detail) uncover(self);
  json_decref(self->detail);
  self->detail = NULL;
  if (json_is_object(detail)) {
    json_t *answer = json_pack("{s:O}", "detail", detail);
    open_detail(self, answer);
    json_decref(answer);
  }
  json_decref(detail);
}

json_t *edited(window *self) {
  json_t *detail = json_copy(self->detail);
  bool is_high = gtk_check_button_get_active(at(self, "high"));
  json_object_set_new(detail, "title", json_string(gtk_editable_get_text(at(self, "title"))));
  json_object_set_new(detail, "subtitle", json_string(gtk_editable_get_text(at(self, "subtitle"))));
  json_object_set_new(detail, "priority", json_string(is_high ? "high" : "normal"));
  return detail;
}

static void leave(window *self, json_t *answer) {
  (void)answer;
  json_decref(self->detail);
  self->detail = NULL;
  uncover(self);
}

void save(window *self) {
  if (!self->detail) return;
  json_object_set_new(self->saved, text(self->detail, "session"), json_true());
  ask(self, "RequestUpdateDetailViewModel", json_pack("{s:o}", "detail", edited(self)), leave);
}

/* Leaves what is on top: a dialog, or else what has been said. */
void escape(window *self) {
  if (self->detail) {
    json_t *payload = json_pack("{s:O}", "detail", self->detail);
    ask(self, "RequestCancelDetailViewModel", payload, leave);
  } else if (self->cover) {
    uncover(self);
  } else {
    hide_toast(self);
  }
}
