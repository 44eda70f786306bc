// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The test kit: a stage that notes what it is told. */

#include "tested.h"

static mainstem_context *page;

static mainstem_status make_page(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  page = scope;
  return MAINSTEM_OK;
}

static tested staged(uint32_t threads, const mainstem_test_answer *answers, size_t count) {
  static const mainstem_route_row routes[] = {{"home", "Page", MAINSTEM_SCREEN, 0, NULL},
                                              {"page/<int:id>", "Page", MAINSTEM_SCREEN, 0, NULL},
                                              {"confirm", NULL, MAINSTEM_DIALOG, 0, NULL},
                                              {"users", NULL, MAINSTEM_EMBED, 0, "left"}};
  tested on = tested_open(threads);
  const mainstem_contract url = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEWMODEL;
  MAINSTEM_TEST_OK(on.test, mainstem_factory_add(on.context, "Page", url, make_page, NULL, NULL));
  MAINSTEM_TEST_OK(on.test,
                   mainstem_routes_add(on.context, routes, sizeof routes[0], COUNT(routes)));
  MAINSTEM_TEST_STAGE(on.test, answers, count);
  return on;
}

static void open_url(tested *on, mainstem_context *asker, const char *url) {
  MAINSTEM_TEST_OK(on->test, mainstem_navigator_open(asker, url, NULL, NULL, NULL));
  MAINSTEM_TEST_ADVANCE(on->test, 0);
}

CASE(a_stage_notes_what_it_is_told, IN_BOTH) {
  tested on = staged(threads, NULL, 0);
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "");
  open_url(&on, on.context, "home");
  open_url(&on, page, "users");
  open_url(&on, page, "page/7");
  open_url(&on, page, "confirm");
  MAINSTEM_TEST_EXPECT_SHOWN(
      on.test, "show screen home\nshow embed users\nshow screen page/7\nshow dialog confirm\n");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "home\n  users\n  page/7\n    confirm\n");
  notice(&on, "one");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "one");
  MAINSTEM_TEST_EXPECT_NOTHING(on.test);
  EXPECT_OK(mainstem_component_finish(page, 0, NULL, 0));
  MAINSTEM_TEST_NEXT(on.test, "MainstemFinish");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "hide confirm page/7\n");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "home\n  users\n");
  EXPECT_EQUAL(mainstem_test_calls(on.test, "MainstemShow"), 4);
  tested_close(&on);
}

CASE(a_stage_answers_as_a_test_says, IN_BOTH) {
  const mainstem_test_answer answers[] = {
      {NULL, 0, MAINSTEM_OK, 1, 300},
      {"no window", 0, 1002, 1, 0},
      {NULL, 0, MAINSTEM_OK, 1, MAINSTEM_TEST_NEVER},
  };
  tested on = staged(threads, answers, COUNT(answers));
  open_url(&on, on.context, "home");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "show screen home\n");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "");
  MAINSTEM_TEST_ADVANCE(on.test, 300);
  MAINSTEM_TEST_EXPECT_TREE(on.test, "home\n");
  open_url(&on, page, "page/1");
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "MainstemResult", 1002, "no window");
  open_url(&on, on.context, "page/2");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "show screen page/1\nhide page/1\nshow screen page/2\n");
  MAINSTEM_TEST_ADVANCE(on.test, 10000);
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "MainstemResult", MAINSTEM_TIMEOUT, NULL);
  open_url(&on, on.context, "page/3");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "hide page/2\nshow screen page/3\n");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "home\n  page/3\n");
  tested_close(&on);
}

/* What a test tells when it has failed; the next one begins anew. */
#define EXPECT_FAILS(part)                                                                         \
  do {                                                                                             \
    EXPECT_TOLD(part);                                                                             \
    told[0] = 0;                                                                                   \
  } while (0)

/* Catches: a kit that compares less than all calls and the whole tree; that closes without a word of what is left. */
CASE(what_differs_is_told, IN_BOTH) {
  const mainstem_test_answer answer = {NULL, 0, MAINSTEM_OK, 2, 0};
  tested on = staged(threads, &answer, 1);
  open_url(&on, on.context, "home");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "show screen page/1\n");
  EXPECT_FAILS("the stage was told something else\nshow screen page/1\n  was expected, and it was\n"
               "show screen home\n");
  MAINSTEM_TEST_EXPECT_TREE(on.test, "home\n  users\n");
  EXPECT_FAILS("the tree is another\nhome\n  users\n  was expected, and it was\nhome\n");
  MAINSTEM_TEST_STAGE(on.test, NULL, 0);
  EXPECT_FAILS("this test has a stage already");
  notice(&on, "one");
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TOLD("the stub of MainstemShow");
  EXPECT_TOLD("has 1 answers left");
  EXPECT_FAILS("nobody expected #");

  on = tested_open(threads);
  MAINSTEM_TEST_STAGE(on.test, NULL, 0);
  EXPECT_FAILS("mainstem_stage_add is INVALID");
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_NOTHING_TOLD();
}

static void say_that_it_changes(void *user_data, const mainstem_event *event) {
  notice((tested *)user_data, "changed");
}

/* Catches: a test that fails for what the app says when the test itself closes its pages; one that hides a failure. */
CASE(what_the_end_sets_off_does_not_count, IN_BOTH) {
  tested on = staged(threads, NULL, 0);
  mainstem_event_type tree;
  MAINSTEM_TEST_OK(on.test, mainstem_type_find(on.context, "MainstemTree", &tree));
  open_url(&on, on.context, "home");
  MAINSTEM_TEST_EXPECT_SHOWN(on.test, "show screen home\n");
  MAINSTEM_TEST_OK(on.test,
                   mainstem_observe(on.context, tree, say_that_it_changes, &on, NULL, NULL));
  mainstem_test_keep(on.test);
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_NOTHING_TOLD();
}

int main(void) { return expect_all(); }
