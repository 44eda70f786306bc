// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in windows: the view of libtodostream.so, and nothing else.

#include "lines.h"
#include "todo_window.h"
#include "upload.h"

#include <mainstem_follow.h>

mainstem_context *context, *todos;
GPtrArray *windows, *names;
bool is_replay;
static GMainLoop *loop;
static GPtrArray *gone;
static const char *journal; /* where it is recorded; NULL: nowhere */
static bool is_traced;

static void open_window(void);

// Actions: the shortcuts, buttons and menus of todo.ui name them

static void act_new(window *self) {
  ask_list(self, "RequestNewTodoDetailViewModel", list_name(self), open_detail);
}

static void act_undo(window *self) {
  ask_list(self, "RequestUndoDeleteTodoViewModel", list_name(self), NULL);
}

static void act_read(window *self) { read_list(self, list_name(self), focus_list); }
static void act_search(window *self) {
  gtk_search_bar_set_search_mode(at(self, "search_bar"), TRUE);
  gtk_widget_grab_focus(at(self, "search"));
}

/* The user goes on typing; where the search was closed, it is in the list. */
static void leave_focus(window *self, json_t *answer) {
  if (!gtk_search_bar_get_search_mode(at(self, "search_bar"))) focus_list(self, answer);
}

static void search_changed(window *self) { read_list(self, list_name(self), leave_focus); }
static void search_done(window *self) { focus_list(self, NULL); }

static void act_lists(window *self) { gtk_menu_button_popup(at(self, "lists")); }

static void act_page(window *self) {
  gtk_stack_set_visible_child_name(at(self, "pages"), is_deleted_page(self) ? "todos" : "deleted");
  give_focus(self, NULL);
}

static void act_toggle(window *self) { toggle(self, chosen(self)); }
static void act_delete(window *self) { delete_row(self, chosen(self)); }
static void act_purge(window *self) { purge(self, chosen(self)); }

static void act_up(window *self) {
  move(self, chosen(self), gtk_single_selection_get_selected(selection(self)) - 1);
}

static void act_down(window *self) {
  move(self, chosen(self), gtk_single_selection_get_selected(selection(self)) + 2);
}

static void act_window(window *self) {
  (void)self;
  open_window();
}

static void act_help(window *self) {
  gtk_window_set_transient_for(at(self, "help"), at(self, "window"));
  gtk_window_present(at(self, "help"));
}

static void act_close(window *self) { gtk_window_close(at(self, "window")); }

static void add_action(window *self, const char *name, void (*act)(window *self)) {
  GSimpleAction *action = g_simple_action_new(name, NULL);
  g_signal_connect_swapped(action, "activate", G_CALLBACK(act), self);
  g_action_map_add_action(G_ACTION_MAP(self->actions), G_ACTION(action));
  g_object_unref(action);
}

static void add_actions(window *self) {
  static const struct {
    const char *name;
    void (*act)(window *self);
  } all[] = {{"new", act_new},       {"undo", act_undo},     {"read", act_read},
             {"search", act_search}, {"lists", act_lists},   {"page", act_page},
             {"toggle", act_toggle}, {"delete", act_delete}, {"purge", act_purge},
             {"up", act_up},         {"down", act_down},     {"window", act_window},
             {"help", act_help},     {"save", save},         {"confirm", confirm},
             {"escape", escape},     {"close", act_close}};
  GPropertyAction *dark = g_property_action_new("dark", gtk_settings_get_default(),
                                                "gtk-application-prefer-dark-theme");
  self->actions = g_simple_action_group_new();
  for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
    add_action(self, all[index].name, all[index].act);
  g_action_map_add_action(G_ACTION_MAP(self->actions), G_ACTION(dark));
  g_object_unref(dark);
  gtk_widget_insert_action_group(at(self, "window"), "win", G_ACTION_GROUP(self->actions));
  enable(self);
}

// The end

/* Takes out what is in the window. */
static void empty(window *self) {
  hide_toast(self);
  g_signal_handlers_disconnect_by_data(self->todos, self);
  g_signal_handlers_disconnect_by_data(self->deleted, self);
  mainstem_bars_show(self->bars, NULL);
}

static void end_window(window *self) {
  if (!g_ptr_array_remove(windows, self)) return;
  g_ptr_array_add(gone, self);
  empty(self);
  if (is_quiet()) mainstem_scope_end(self->scope); /* else it ends with the context */
  gtk_window_destroy(at(self, "help"));
  gtk_window_destroy(at(self, "window"));
  if (!windows->len) g_main_loop_quit(loop);
}

void end_when_quiet(window *self) {
  if (self->is_closing && !self->detail && is_quiet()) end_window(self);
}

/* The user closes the window: an edit is saved, and what is open is waited for. What fails then is shown, and the
   window stays. Who closes it again means it. */
static gboolean close_window(window *self) {
  if (self->is_closing) {
    end_window(self);
    return TRUE;
  }
  self->is_closing = true;
  if (self->detail) {
    json_t *now = edited(self);
    bool is_kept = json_equal(now, self->detail) && !*text(self->detail, "error");
    (is_kept || json_equal(now, self->warned) ? escape : save)(self);
    json_decref(now);
  }
  end_when_quiet(self);
  return TRUE;
}

static gboolean close_all(gpointer data) {
  (void)data;
  for (guint index = windows->len; index > 0; index--) close_window(windows->pdata[index - 1]);
  return G_SOURCE_CONTINUE;
}

static void free_window(gpointer data) {
  window *self = data;
  json_decref(self->list);
  json_decref(self->detail);
  json_decref(self->warned);
  json_decref(self->saved);
  json_decref(self->unsaved);
  json_decref(self->purged);
  g_object_unref(self->todos);
  g_object_unref(self->deleted);
  g_object_unref(self->actions);
  g_clear_object(&self->focus);
  g_clear_object(&self->again);
  g_object_unref(self->ui);
  g_object_unref(self->frame);
  g_free(self);
}

// A window

static void read_entry(GtkEntry *entry, window *self) {
  read_list(self, gtk_editable_get_text(GTK_EDITABLE(entry)), focus_list);
}

static void read_known(GtkListBox *known, GtkListBoxRow *row, window *self) {
  (void)known;
  read_list(self, gtk_label_get_label(GTK_LABEL(gtk_list_box_row_get_child(row))), focus_list);
}

static void tie(window *self) {
  mainstem_binding_row rows[] = {{"list", show_list, 0}, {"detail", show_detail, 0}};
  mainstem_observe_options responses = {.size = sizeof responses, .role = MAINSTEM_ROLE_RESPONSE};
  size_t count = is_replay ? 2 : 1;
  self->todos = mainstem_gtk_rows(self->scope, todos, "rows");
  self->deleted = mainstem_gtk_rows(self->scope, todos, "deletedRows");
  fill(self, "rows", self->todos, false);
  fill(self, "deleted_rows", self->deleted, true);
  mainstem_binding_add(self->scope, todos, rows, sizeof rows[0], count, self, NULL, NULL);
  mainstem_observe_with(self->scope, &responses, notice, self, NULL, NULL);
  g_signal_connect_swapped(at(self, "pages"), "notify::visible-child", G_CALLBACK(show_summary),
                           self);
}

/* Shows the list in a window; takes the window. */
static window *new_window(GtkBuilder *frame) {
  static int opened;
  char name[32] = "view";
  window *self = g_new0(window, 1);
  if (++opened > 1) snprintf(name, sizeof name, "view %d", opened);
  self->frame = frame;
  self->ui = gtk_builder_new_from_file(TODO_HOSTS "/todo_list.ui");
  self->bars = g_object_get_data(at(self, "window"), "mainstem-bars");
  self->saved = json_object();
  self->unsaved = json_array();
  todostream_view(context, name, &self->scope);
  mainstem_bars_show(self->bars, at(self, "top"));
  add_actions(self);
  tie(self);
  return self;
}

static GtkBuilder *new_frame(void) {
  GtkBuilder *frame = gtk_builder_new_from_file(TODO_HOSTS "/todo.ui");
  mainstem_bars_new(GTK_WINDOW(gtk_builder_get_object(frame, "window")));
  return frame;
}

static void open_window(void) {
  window *self = new_window(new_frame());
  for (guint index = 0; index < names->len; index++) add_name(self, names->pdata[index]);
  g_ptr_array_add(windows, self);
  if (journal) mainstem_bars_record(self->bars, context, journal);
  g_signal_connect_swapped(at(self, "title"), "activate", G_CALLBACK(save), self);
  g_signal_connect_swapped(at(self, "subtitle"), "activate", G_CALLBACK(save), self);
  gtk_search_bar_connect_entry(at(self, "search_bar"), at(self, "search"));
  /* It is there at once: while it comes, GTK drops what is typed. */
  gtk_revealer_set_transition_duration(
      GTK_REVEALER(gtk_widget_get_first_child(at(self, "search_bar"))), 0);
  g_signal_connect_swapped(at(self, "search"), "search-changed", G_CALLBACK(search_changed), self);
  g_signal_connect_swapped(at(self, "search"), "activate", G_CALLBACK(search_done), self);
  g_signal_connect(at(self, "list"), "activate", G_CALLBACK(read_entry), self);
  g_signal_connect(at(self, "known"), "row-activated", G_CALLBACK(read_known), self);
  g_signal_connect_swapped(at(self, "window"), "close-request", G_CALLBACK(close_window), self);
  gtk_window_present(at(self, "window"));
  give_focus(self, NULL);
}

static void style(void) {
  GtkCssProvider *styles = gtk_css_provider_new();
  gtk_css_provider_load_from_path(styles, TODO_HOSTS "/todo.css");
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(styles),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(styles);
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

/* The user works with it, until the last window is closed and everything is saved. */
static void use(const char *list) {
  mainstem_status status = MAINSTEM_OK;
  guint source = mainstem_gtk_attach(context);
  open_window();
  read_list(windows->pdata[0], list, focus_list);
  guint ends[] = {g_unix_signal_add(SIGINT, close_all, NULL),
                  g_unix_signal_add(SIGTERM, close_all, NULL)};
  g_main_loop_run(loop);
  for (int index = 0; index < 2; index++) g_source_remove(ends[index]);
  unwatch();
  g_source_remove(source);
  while (!status && !is_quiet()) status = mainstem_wait(context, -1);
}

/* A session is shown again, from its beginning. No file is touched. */
static mainstem_status open_again(void *data, mainstem_context *replayed) {
  todostream_options options = {.size = sizeof options, .path = "/no/store"};
  context = replayed;
  if (is_traced) mainstem_trace(context, trace, stderr);
  mainstem_status status = todostream_install(context, &options, &todos);
  if (!status) g_ptr_array_add(gone, new_window(g_object_ref(data)));
  return status;
}

static void close_again(void *data) {
  window *self = gone->pdata[gone->len - 1];
  (void)data;
  empty(self);
  mainstem_scope_end(self->scope);
  g_ptr_array_remove(gone, self);
}

static gboolean quit(gpointer data) {
  (void)data;
  g_main_loop_quit(loop);
  return G_SOURCE_CONTINUE;
}

static bool show_again(playing *session) {
  GtkBuilder *frame = new_frame();
  GtkWindow *shown = GTK_WINDOW(gtk_builder_get_object(frame, "window"));
  mainstem_bars *bars = g_object_get_data(G_OBJECT(shown), "mainstem-bars");
  is_replay = true;
  bool is_there = !mainstem_bars_replay(bars, session->path, open_again, close_again, frame);
  if (is_there) {
    g_signal_connect_swapped(shown, "close-request", G_CALLBACK(quit), NULL);
    g_unix_signal_add(SIGINT, quit, NULL);
    g_unix_signal_add(SIGTERM, quit, NULL);
    gtk_window_present(shown);
    mainstem_follow_start(bars, session, loop);
    g_main_loop_run(loop);
  } else {
    fprintf(stderr, "%s\n", mainstem_last_error());
  }
  mainstem_bars_end(bars);
  gtk_window_destroy(shown);
  g_object_unref(frame);
  return is_there;
}

static bool run(todostream_options *options, const char *list) {
  const char *message;
  mainstem_context_create(NULL, &context);
  if (journal) mainstem_journal_record(context, journal, NULL);
  if (is_traced) mainstem_trace(context, trace, stderr);
  todostream_install(context, options, &todos);
  upload_serve(context);
  mainstem_status failed = mainstem_context_first_error(context, &message);
  if (!failed) use(list);
  bool is_good = failed || upload_rest(context);
  failed = mainstem_context_first_error(context, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(context);
  return !failed && is_good;
}

static const char usage[] =
    "usage: todo_window [--db PATH] [--list NAME] [--patience MS] [--record PATH]\n"
    "                   [--analytics FILE] [--trace]\n"
    "       todo_window --replay PATH [--speed FACTOR | --follow FD] [--trace]\n";

int main(int count, char **words) {
  todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
  const char *list = "home";
  playing session = PLAYING;
  lines_begin();
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) is_traced = true;
    else if (index + 1 == count) return fputs(usage, stderr), 2;
    else if (!strcmp(words[index], "--db")) options.path = words[++index];
    else if (!strcmp(words[index], "--list")) list = words[++index];
    else if (!strcmp(words[index], "--patience")) options.patience_ms = atoi(words[++index]);
    else if (!strcmp(words[index], "--analytics")) {
      options.flags = TODOSTREAM_ANALYTICS;
      if (!upload_open(words[++index])) return 1;
    } else if (!strcmp(words[index], "--record")) journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else return fputs(usage, stderr), 2;
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
  if (session.path && options.flags) return fputs(usage, stderr), 2; /* it was uploaded then */
  if (!gtk_init_check())
    return fputs("There is no display: todo is the host for a terminal.\n", stderr), 1;
  windows = g_ptr_array_new();
  gone = g_ptr_array_new_with_free_func(free_window);
  names = g_ptr_array_new_with_free_func(g_free);
  loop = g_main_loop_new(NULL, FALSE);
  style();
  bool is_good = session.path ? show_again(&session) : run(&options, list);
  g_ptr_array_unref(gone);
  g_ptr_array_unref(names);
  g_ptr_array_unref(windows);
  g_main_loop_unref(loop);
  return !is_good;
}
