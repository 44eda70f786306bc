// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A long list in a GtkListView, through mainstem_gtk_rows: what it is told, what it makes, what stays selected, and what
   is animated. */

#include <gtk/gtk.h>
#include <mainstem_changes.h>

enum { MANY = 10000 };

static int told, made, changed;
static int inserted, highlighted; /* rows that began to be animated */
static int sum;                   /* of their numbers */
static int playing;               /* rows that are animated now */

static void check(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, mainstem_last_error());
  exit(1);
}

static int number_of(GtkWidget *row) {
  return atoi(gtk_label_get_label(GTK_LABEL(gtk_widget_get_first_child(row))));
}

/* A row of the list has other CSS classes. */
static void note(GtkWidget *row) {
  bool was = g_object_get_data(G_OBJECT(row), "was") != NULL;
  bool is_new = gtk_widget_has_css_class(row, "mainstem-inserted");
  bool is = is_new || gtk_widget_has_css_class(row, "mainstem-changed");
  if (was == is) return;
  g_object_set_data(G_OBJECT(row), "was", is ? row : NULL);
  playing += is ? 1 : -1;
  if (!is) return;
  is_new ? inserted++ : highlighted++;
  sum += number_of(row);
}

static void note_gone(GtkWidget *row) {
  if (g_object_get_data(G_OBJECT(row), "was")) playing--;
}

static void tell(void) { told++; }
static void change(void) { changed++; }

static void setup(GtkListItemFactory *factory, GtkListItem *cell) {
  (void)factory;
  made++;
  gtk_list_item_set_child(cell, gtk_label_new(""));
}

static void show(GtkListItem *cell) {
  mainstem_gtk_row *row = gtk_list_item_get_item(cell);
  gtk_label_set_label(GTK_LABEL(gtk_list_item_get_child(cell)), row->data);
}

static void bind(GtkListItemFactory *factory, GtkListItem *cell) {
  (void)factory;
  GtkWidget *row = gtk_widget_get_parent(gtk_list_item_get_child(cell));
  if (!g_object_get_data(G_OBJECT(row), "noted")) {
    g_object_set_data(G_OBJECT(row), "noted", row);
    g_signal_connect(row, "notify::css-classes", G_CALLBACK(note), NULL);
    g_signal_connect(row, "destroy", G_CALLBACK(note_gone), NULL);
  }
  g_signal_connect_swapped(gtk_list_item_get_item(cell), "changed", G_CALLBACK(show), cell);
  show(cell);
}

static void unbind(GtkListItemFactory *factory, GtkListItem *cell) {
  (void)factory;
  g_signal_handlers_disconnect_by_data(gtk_list_item_get_item(cell), cell);
}

static void settle(void) {
  while (g_main_context_iteration(NULL, FALSE)) continue;
}

/* Sets rows with these numbers as keys; the payload of each is its key, and `mark` for one of them. */
static void set(mainstem_context *owner, mainstem_event_type type, const int *numbers, size_t count,
                int marked) {
  static char texts[MANY][16];
  static mainstem_list_row rows[MANY];
  for (size_t index = 0; index < count; index++) {
    int size = snprintf(texts[index], sizeof texts[index], "%d%s", numbers[index],
                        numbers[index] == marked ? "!" : "");
    size_t key = (size_t)size - (numbers[index] == marked);
    rows[index] = (mainstem_list_row){texts[index], key, texts[index], (size_t)size};
  }
  check(!mainstem_list_set(owner, type, rows, sizeof rows[0], count, NULL), "set");
  settle();
}

static void use(mainstem_context *owner, mainstem_event_type type, GListModel *model,
                GtkSingleSelection *selection) {
  static int numbers[MANY];
  for (int index = 0; index < MANY; index++) numbers[index] = index;
  set(owner, type, numbers, MANY, -1);
  check(told == 1 && g_list_model_get_n_items(model) == MANY, "one signal for the first list");
  gtk_single_selection_set_selected(selection, 0);
  gpointer chosen = gtk_single_selection_get_selected_item(selection);
  memmove(numbers, numbers + 1, (MANY - 1) * sizeof numbers[0]);
  numbers[MANY - 1] = 0;
  set(owner, type, numbers, MANY, -1);
  check(told == 2, "one signal for a move");
  check(gtk_single_selection_get_selected(selection) == MANY - 1 &&
            gtk_single_selection_get_selected_item(selection) == chosen,
        "the moved row stays selected");
  g_signal_connect(chosen, "changed", G_CALLBACK(change), NULL);
  set(owner, type, numbers, MANY, 0);
  check(told == 3 && changed == 1, "the changed row is shown anew");
  set(owner, type, numbers, MANY - 1, -1);
  check(told == 4 && g_list_model_get_n_items(model) == MANY - 1, "one signal for a removal");
  check(made <= 400, "no more widgets than for some screens");
}

/* Lets the window work until the last change was drawn and no row is animated, and forgets those that were. */
static void rest(GtkWidget *list) {
  while (playing || mainstem_changes_of(list)->tick) g_main_context_iteration(NULL, TRUE);
  inserted = highlighted = sum = 0;
}

static void animate(mainstem_context *owner, mainstem_event_type type, GtkWidget *list) {
  int numbers[MANY];
  GtkSettings *settings = gtk_widget_get_settings(list);
  for (int index = 0; index < MANY; index++) numbers[index] = index;
  set(owner, type, numbers, MANY, -1);
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", 0);
  settle();
  rest(list);
  set(owner, type, numbers, MANY, 3);
  check(inserted == 0 && highlighted == 1 && sum == 3, "the row that has changed is highlighted");
  rest(list);
  numbers[1] = MANY;
  set(owner, type, numbers, MANY, 3);
  check(inserted == 1 && highlighted == 0 && sum == MANY, "the row that is new fades in");
  rest(list);
  numbers[2] = MANY + 1; /* for 2 */
  numbers[6] = 8, numbers[7] = 6, numbers[8] = 7;
  set(owner, type, numbers, MANY, 5);
  check(inserted == 1 && highlighted == 3 && sum == MANY + 1 + 3 + 5 + 8,
        "an insert, a move and two other payloads at once");
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", MANY / 2);
  settle();
  for (GtkWidget *row = gtk_widget_get_first_child(list); row;
       row = gtk_widget_get_next_sibling(row))
    check(!g_object_get_data(G_OBJECT(row), "was") || number_of(row) < 9 || number_of(row) > MANY,
          "a widget that shows another row is not animated");
  rest(list);
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", 0);
  settle();
  check(inserted + highlighted == 0, "what is scrolled to is not animated");
  set(owner, type, numbers + MANY / 2, 50, 5);
  set(owner, type, numbers, 50, 5);
  check(inserted + highlighted == 0, "another list is not animated");
  set(owner, type, numbers, MANY, 5);
  for (int index = 0; index <= MAINSTEM_CHANGES_MANY; index++) numbers[index] += 2 * MANY;
  set(owner, type, numbers, MANY, 5);
  check(inserted + highlighted == 0, "too many at once are not animated");
  g_object_set(settings, "gtk-enable-animations", FALSE, NULL);
  set(owner, type, numbers, MANY, numbers[1]);
  check(inserted + highlighted == 0, "nothing is animated where that is switched off");
  g_object_set(settings, "gtk-enable-animations", TRUE, NULL);
  gtk_widget_set_visible(list, FALSE);
  set(owner, type, numbers, MANY, -1);
  gtk_widget_set_visible(list, TRUE);
  settle();
  check(inserted + highlighted == 0, "what a hidden list gets is not animated");
  set(owner, type, numbers, MANY, numbers[2]); /* and ends in the middle */
  check(highlighted == 1, "it is animated again");
}

int main(void) {
  mainstem_context *context, *owner, *view;
  mainstem_event_type type;
  check(gtk_init_check(), "display");
  check(!mainstem_context_create(NULL, &context), "context");
  check(!mainstem_scope_add(context, "Numbers", NULL, &owner), "owner");
  check(!mainstem_scope_add(context, "view", NULL, &view), "view");
  check(!mainstem_type_add(context, "Numbers.rows",
                           MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_TEXT, NULL,
                           &type),
        "type");
  GListModel *model = mainstem_gtk_rows(view, owner, "rows");
  check(model != NULL && mainstem_gtk_rows(view, owner, "") == NULL, "rows");
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(unbind), NULL);
  g_signal_connect(model, "items-changed", G_CALLBACK(tell), NULL);
  GtkWidget *list = gtk_list_view_new(NULL, factory);
  mainstem_changes_show(GTK_LIST_VIEW(list), model);
  GtkSingleSelection *selection = gtk_single_selection_new(g_object_ref(model));
  gtk_list_view_set_model(GTK_LIST_VIEW(list), GTK_SELECTION_MODEL(selection));
  GtkWidget *scrolled = gtk_scrolled_window_new(), *window = gtk_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 400);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
  while (!gtk_widget_get_mapped(list)) g_main_context_iteration(NULL, TRUE);
  use(owner, type, model, selection);
  check(inserted == 0, "the first list is not animated");
  animate(owner, type, list);
  check(!mainstem_scope_end(view), "end");
  check(g_list_model_get_n_items(model) == 0, "a view that has ended has no rows");
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(selection);
  g_object_unref(model);
  check(!mainstem_context_close(context), "close");
  puts("rows");
  return 0;
}
