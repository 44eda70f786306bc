// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Todostream: a todo list as an app core. All of it but the view.
 *
 *     mainstem_context *context, *todos, *view;
 *     todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
 *     mainstem_context_create(NULL, &context);
 *     todostream_install(context, &options, &todos);
 *     todostream_view(context, "view", &view);
 *     mainstem_binding_add(view, todos, MAINSTEM_ROWS(shown), screen, NULL, NULL);
 *
 * From then on the app is its list of events and four values, all of them JSON. A view sends and observes the layer
 * "viewmodel" only: what it gets is ready to be shown, and what it got it sends back as it is.
 *
 *     RequestTodoViewModels              {"list":"home"}, with "deleted":true for the deleted ones, and
 *                                        with "query":query to search, to sort, or for a part of the rows
 *       ResponseTodoViewModels           {"list":"home","deleted":false}: it was read and is shown
 *     RequestToggleCompleteTodoViewModel {"row":row}
 *     RequestDeleteTodoViewModel         {"row":row}
 *     RequestRestoreTodoViewModel        {"row":row}
 *     RequestUndoDeleteTodoViewModel     {"list":"home"}
 *     RequestMoveTodoViewModel           {"row":row,"before":row}, without "before" to the end
 *       ResponseTodoViewModel            {"list":"home","row":row}
 *     RequestPurgeTodoViewModel          {"row":row} of a deleted todo
 *       ResponsePurgedTodoViewModel      {"list":"home","row":row}: it is gone
 *     RequestNewTodoDetailViewModel      {"list":"home"}
 *     RequestTodoDetailViewModel         {"row":row}
 *       ResponseTodoDetailViewModel      {"detail":detail}: an edit session is open
 *     RequestUpdateDetailViewModel       {"detail":detail}, edited
 *     RequestCancelDetailViewModel       {"detail":detail}
 *       ResponseUpdateDetailViewModel    {"detail":detail,"outcome":"saved" or "cancelled"}
 *     RequestValidateDetailViewModel     {"detail":detail}, if the host validates (see below)
 *       ResponseValidateDetailViewModel  no payload: it may be saved
 *
 *     query   (queries.h) {"where":"lower(title) contains lower($text)","values":{"text":"milk"},
 *              "sort":["todo.priority"],"offset":0,"limit":10}; its fields are those of a row
 *     row     {"title","subtitle","complete","deleted","completeActionTitle","todo"}
 *     detail  {"session","todo", to be edited: "title","subtitle","priority":"high" or "normal",
 *              "completed","deleted"; to be shown: "priorityText","completedText",
 *              "deletedActionTitle", and "error" when a save could not be kept}
 *
 * The values of `todos`, the owner that a view is bound to, are what is to be seen now:
 *
 *     rows         a list (lists.h) of rows: the todos of the list that was read last; empty before that
 *     deletedRows  such a list, too: its deleted todos
 *     list         {"id","summary","deletedSummary"}: the rest of that list; null before one was read
 *     detail       the edit session that was opened last and is not over; null if all are
 *
 * Without a query, `rows` has all todos of the list that are not deleted, and `deletedRows` those that are, in the order
 * of the list. With a query, each of the two has what the query selects from it, again after each change: a row that does
 * not match any longer leaves, and the window of each list (mainstem_list_window_get) says which part it is. The query
 * stays until a list is asked for again. What a user types belongs into "values".
 *
 * The key of a row is the id of its todo. An event of `rows` comes before that of `deletedRows`: a row that leaves the
 * deleted ones, and is not among the others then, was purged.
 *
 * A tracked request is answered when the values are up to date (law 14).
 *
 * Whatever changes a todo ends in ResponseTodoViewModel, and changes the lists, so a view sees what another one did.
 * "todo" and "session" are not the view's: it carries them. A list is there as soon as it is named.
 *
 * An undo restores the todo of the list that was deleted last through this core, whichever view deleted it; the next
 * undo restores the one before. What was restored or purged meanwhile is left out, and a new session begins with
 * nothing to undo. A purge removes a deleted todo for good, and ends in ResponsePurgedTodoViewModel: a view that still
 * has its row can no longer change it. To purge a todo that is gone already is no error.
 *
 * A host may validate edits, also by asking another machine: with TODOSTREAM_VALIDATES, each edit that has a title goes
 * to the host's server for RequestValidateDetailViewModel before it is accepted. The server answers when it can, within
 * 10 seconds; its failure is the answer to the view. Meanwhile the edit session is open: it may be edited, saved again
 * or cancelled, and then the late verdict changes nothing.
 *
 * With TODOSTREAM_ANALYTICS, an analytics server tells what was done and what has failed, but no text of a user, no name
 * of a list, and no id. It observes, and sends only events of its own layer, "analytics":
 *
 *     RequestUpload                      {"batch":"…","records":[{"event":"RequestDeleteTodoViewModel","at":7},…]}
 *       ResponseUploaded                 {"batch":"…"}
 *     NoticeUploadDue                    no payload: upload what waits
 *
 * The host's server for RequestUpload puts a batch where it belongs, and answers when that is done. Add it on the host
 * scheduler (mainstem_server_add_with): then a replay uploads nothing. A batch goes when it has 20 records, or after 30
 * seconds. After a failure, or a minute without an answer, the same batch comes again: after 1, then 5, then every 30
 * seconds. The next one comes when it has arrived. 1,000 records may wait; above that the oldest are dropped, and the
 * last record of the next batch says how many: {"event":"lost","count":3}. Before it ends, a host sends NoticeUploadDue,
 * and drains until nothing is left.
 *
 * A move puts a todo in front of another one of its list, not at a number: so it means the same after another view has
 * changed the list. A todo that is not in the list any more is refused, as the one to move and as the one to go in
 * front of. While a query is shown, a move is refused: ask for the list without one first. A move writes an order key
 * into the todo, "place"; where there is no room for a key, all todos of the list get new keys, in one step, but still
 * only one row moves. A new todo comes first. Two programs that move at once see the same list when they read it again.
 *
 * A failed response carries one of the codes below, a text for a person (mainstem_event.user_message) and as
 * its subject the id of the list or todo, or the edit session. It changes nothing that is kept.
 *
 * Behind them, the layer "model": RequestReadTodos, ResponseTodos, RequestWriteTodo, ResponseTodo, RequestPlaceTodos,
 * ResponsePlacedTodos, RequestPurgeTodo, ResponsePurgedTodo.
 */

#ifndef TODOSTREAM_H
#define TODOSTREAM_H

#include <stddef.h>
#include <stdint.h>

#ifndef MAINSTEM_H
#include <mainstem.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The codes of failed responses. */
enum {
  TODOSTREAM_EMPTY_TITLE = 1001,       /**< A todo needs a title; the edit session stays open. */
  TODOSTREAM_CLOSED_SESSION = 1002,    /**< The edit session is over. */
  TODOSTREAM_NOT_DELETED = 1003,       /**< Only a deleted todo can be purged. */
  TODOSTREAM_NOTHING_TO_UNDO = 1004,   /**< No delete is left to undo. */
  TODOSTREAM_PURGED = 1005,            /**< The todo is gone for good. */
  TODOSTREAM_NOT_IN_LIST = 1006,       /**< The todo is deleted or not there: nothing to move. */
  TODOSTREAM_NOT_IN_ORDER = 1007,      /**< A query is shown: ask for the whole list to move. */
  TODOSTREAM_WRONG_QUERY = 1008,       /**< The query compares what is neither text nor number. */
  TODOSTREAM_NOT_VALIDATED = 1009,     /**< The host's validator has not answered. */
  TODOSTREAM_STORE_LOCKED = 1010,      /**< Another program holds the file. */
  TODOSTREAM_STORE_READ_ONLY = 1011,   /**< The file may not be changed. */
  TODOSTREAM_NO_SPACE = 1012,          /**< The disk is full. */
  TODOSTREAM_STORE_UNAVAILABLE = 1013, /**< The file cannot be opened or made. */
  TODOSTREAM_STORE_UNREADABLE = 1014,  /**< The file holds no list that this version can read. */
  TODOSTREAM_OTHER = 1099              /**< Anything else. */
};

/** A server of the host answers RequestValidateDetailViewModel. */
#define TODOSTREAM_VALIDATES 1
/** A server of the host answers RequestUpload. */
#define TODOSTREAM_ANALYTICS 2

/** How the app is to be. */
typedef struct todostream_options {
  uint32_t size;                   /**< sizeof this struct. */
  int32_t patience_ms;             /**< How long to wait for a file that another program holds.
                                        0: 100 ms; below 0: as long as it takes. */
  const char *path;                /**< The SQLite file that keeps the todos; made on first use. */
  int64_t (*now)(void *user_data); /**< Microseconds since 1970; NULL: the context's clock. */
  void *user_data;                 /**< For now; must live as long as the app. */
  uint32_t flags;                  /**< 0 or flags, joined by `|`: TODOSTREAM_… */
} todostream_options;

/**
 * Installs the servers of the app in a context or scope, and registers their event types.
 *
 * The store has a thread of its own, a serial scheduler: a locked file or a slow disk delays no event that does not
 * need it. So what needs the store is answered after the call that asks, in mainstem_drain or mainstem_wait. In a
 * replay, the journal has the store's answers, and no file is touched.
 *
 * `server` gets the owner of the values, a scope with the name "ViewModelServer". mainstem_scope_end ends the app with
 * it, and it ends with the context. No file is touched before the first request.
 *
 * Owner: the path is copied. Thread: context.
 * Null: `options->now`, `options->user_data` and `server` may be NULL.
 * Errors: MAINSTEM_INVALID (NULL, no path), MAINSTEM_UNSUPPORTED (options of another version, unknown flags),
 * and those of mainstem_viewmodel_add, mainstem_scheduler_add and mainstem_server_add. A failed call has installed
 * nothing; the thread, if it was started, ends with the context.
 */
MAINSTEM_API mainstem_status todostream_install(mainstem_context *context,
                                                const todostream_options *options,
                                                mainstem_context **server);

/**
 * Makes the scope that a view is given: it may send and observe the layer "viewmodel", and no other.
 *
 * Owner: the caller, who ends it with mainstem_scope_end; it ends with the context. Thread: context.
 * Null: no argument may be NULL. Errors: those of mainstem_scope_add.
 */
MAINSTEM_API mainstem_status todostream_view(mainstem_context *context, const char *name,
                                             mainstem_context **view);

#ifdef __cplusplus
}
#endif

#endif
