// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Event types, layers and catalogues: what a registration gives, finds and refuses. */

#include "stream.h"

static mainstem_type_info info_of(mainstem_context *context, mainstem_event_type type) {
  mainstem_type_info info = {sizeof info, 77, 77, NULL, 77, 77, NULL};
  EXPECT_OK(mainstem_type_read(context, type, &info));
  return info;
}

CASE(numbers_follow_the_librarys_own, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = type_named(context, "MainstemFailure");
  EXPECT_EQUAL(type, 1);
  EXPECT_EQUAL(info_of(context, 1).contract & MAINSTEM_LAYER_MASK, MAINSTEM_LAYER_SYSTEM);
  EXPECT_EQUAL(info_of(context, 1).contract & MAINSTEM_PAYLOAD_MASK, MAINSTEM_PAYLOAD_JSON);
  EXPECT_EQUAL(type_open(context, "A", MAINSTEM_PAYLOAD_NONE, NULL), own_types() + 1);
  EXPECT_EQUAL(type_open(context, "B", MAINSTEM_PAYLOAD_NONE, NULL), own_types() + 2);
  EXPECT_EQUAL(stats_of(context).types, own_types() + 2);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(the_same_name_and_contract_is_the_same_type, IN_BOTH) {
  mainstem_context *context = context_open(threads), *scope;
  mainstem_event_type type = type_open(context, "A", MAINSTEM_PAYLOAD_TEXT, NULL), other = 0;
  scope = scope_open(context, "Scope");
  EXPECT_EQUAL(type_open(context, "A", MAINSTEM_PAYLOAD_TEXT, NULL), type);
  EXPECT_EQUAL(type_open(scope, "A", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_NOTICE, NULL), type);
  EXPECT_STATUS(mainstem_type_add(context, "A", MAINSTEM_PAYLOAD_BYTES, NULL, &other),
                MAINSTEM_INVALID);
  EXPECT_STATUS(
      mainstem_type_add(context, "A", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_REQUEST, NULL, &other),
      MAINSTEM_INVALID);
  EXPECT_STATUS(
      mainstem_type_add(context, "A", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL, &other),
      MAINSTEM_INVALID);
  other = type_named(scope, "A");
  EXPECT_EQUAL(other, type);
  EXPECT_EQUAL(stats_of(context).types, own_types() + 1);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(struct_sizes_are_part_of_the_contract, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type;
  type_open(context, "P", MAINSTEM_PAYLOAD_STRUCT | 8, NULL);
  EXPECT_STATUS(mainstem_type_add(context, "P", MAINSTEM_PAYLOAD_STRUCT | 9, NULL, &type),
                MAINSTEM_INVALID);
  type_open(context, "Most", MAINSTEM_PAYLOAD_STRUCT | 0xffffffffULL, NULL);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(a_response_named_later_holds, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = type_open(context, "RequestA", MAINSTEM_PAYLOAD_NONE, NULL), answer;
  EXPECT_EQUAL(info_of(context, type).response, 0);
  EXPECT_EQUAL(type_open(context, "RequestA", MAINSTEM_PAYLOAD_NONE, "ResponseA"), type);
  EXPECT_EQUAL(info_of(context, type).response, 0);
  answer = type_open(context, "ResponseA", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_EQUAL(info_of(context, type).response, answer);
  EXPECT_EQUAL(type_open(context, "RequestA", MAINSTEM_PAYLOAD_NONE, NULL), type);
  EXPECT_EQUAL(info_of(context, type).response, answer);
  EXPECT_STATUS(mainstem_type_add(context, "RequestA", MAINSTEM_PAYLOAD_NONE, "ResponseB", &type),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(the_role_follows_from_the_name, IN_BOTH) {
  static const struct {
    const char *name;
    mainstem_contract given, role;
  } rows[] = {{"RequestX", 0, MAINSTEM_ROLE_REQUEST},
              {"ResponseX", 0, MAINSTEM_ROLE_RESPONSE},
              {"X", 0, MAINSTEM_ROLE_NOTICE},
              {"requestX", 0, MAINSTEM_ROLE_NOTICE},
              {"XRequest", 0, MAINSTEM_ROLE_NOTICE},
              {"Reques", 0, MAINSTEM_ROLE_NOTICE},
              {"RequestY", MAINSTEM_ROLE_NOTICE, MAINSTEM_ROLE_NOTICE},
              {"Save", MAINSTEM_ROLE_REQUEST, MAINSTEM_ROLE_REQUEST},
              {"Saved", MAINSTEM_ROLE_RESPONSE, MAINSTEM_ROLE_RESPONSE}};
  mainstem_context *context = context_open(threads);
  for (size_t i = 0; i < COUNT(rows); i++) {
    mainstem_event_type type =
        type_open(context, rows[i].name, rows[i].given | MAINSTEM_LAYER_MODEL, NULL);
    EXPECT_EQUAL(info_of(context, type).contract, rows[i].role | MAINSTEM_LAYER_MODEL);
    EXPECT_TEXT(info_of(context, type).name, rows[i].name);
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: names compared as text (normalized), by prefix, or cut. */
CASE(names_are_bytes, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  char name[257];
  mainstem_event_type type;
  mainstem_event_type composed = type_open(context, "caf\xc3\xa9", 0, NULL);
  EXPECT(composed != type_open(context, "cafe\xcc\x81", 0, NULL));
  EXPECT(type_open(context, "ab", 0, NULL) != type_open(context, "abc", 0, NULL));
  EXPECT(type_open(context, "AB", 0, NULL) != type_open(context, "ab", 0, NULL));
  memset(name, 'n', sizeof name);
  name[256] = 0;
  EXPECT_STATUS(mainstem_type_add(context, name, 0, NULL, &type), MAINSTEM_TOO_BIG);
  name[255] = 0;
  type = type_open(context, name, 0, NULL);
  EXPECT_TEXT(info_of(context, type).name, name);
  name[254] = 0;
  EXPECT(type != type_open(context, name, 0, NULL));
  EXPECT_OK(mainstem_context_close(context));
}

CASE(what_is_kept_is_part_of_the_contract, IN_BOTH) {
  static const mainstem_contract kept[] = {MAINSTEM_RECORD_FULL,
                                           MAINSTEM_RECORD_MARK,
                                           MAINSTEM_RECORD_NONE,
                                           MAINSTEM_RECORD_INPUTS,
                                           MAINSTEM_SECRET,
                                           MAINSTEM_SECRET | MAINSTEM_RECORD_MARK,
                                           MAINSTEM_SECRET | MAINSTEM_RECORD_NONE};
  static const char *const names[] = {"A", "B", "C", "D", "E", "F", "G"};
  mainstem_context *context = context_open(threads);
  for (size_t i = 0; i < COUNT(kept); i++) {
    mainstem_event_type type = type_open(context, names[i], MAINSTEM_PAYLOAD_TEXT | kept[i], NULL);
    EXPECT_EQUAL(info_of(context, type).contract,
                 MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_NOTICE | kept[i]);
    EXPECT_STATUS(mainstem_type_add(context, names[i],
                                    MAINSTEM_PAYLOAD_TEXT | kept[(i + 1) % COUNT(kept)], NULL,
                                    &type),
                  MAINSTEM_INVALID);
  }
  EXPECT_OK(mainstem_context_close(context));
}

CASE(layers_are_found_by_name, IN_BOTH) {
  static const char *const names[] = {"app", "model", "viewmodel", "view", "navigation", "system"};
  mainstem_context *context = context_open(threads);
  mainstem_contract layer = 0, own = 0;
  char name[20];
  for (size_t i = 0; i < COUNT(names); i++) {
    EXPECT_OK(mainstem_layer_add(context, names[i], &layer));
    EXPECT_EQUAL(layer, (mainstem_contract)i << 40);
  }
  for (int i = 6; i < 64; i++) {
    snprintf(name, sizeof name, "layer%d", i);
    EXPECT_OK(mainstem_layer_add(context, name, &own));
    EXPECT_EQUAL(own, (mainstem_contract)i << 40);
    EXPECT_TEXT(info_of(context, type_open(context, name, own, NULL)).layer, name);
    EXPECT_OK(mainstem_layer_add(context, name, &layer));
    EXPECT_EQUAL(layer, own);
  }
  type_open(context, "X", MAINSTEM_PAYLOAD_TEXT | own, NULL);
  EXPECT_STATUS(mainstem_layer_add(context, "one more", &layer), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_layer_add(context, "layer63", &layer));
  EXPECT_EQUAL(MAINSTEM_LAYER_BIT(layer), 1ull << 63);
  EXPECT_EQUAL(MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_APP), 1);
  EXPECT_EQUAL(MAINSTEM_LAYER_BIT(MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW | MAINSTEM_SECRET),
               8);
  EXPECT_STATUS(mainstem_layer_add(context, "", &layer), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_layer_add(context, NULL, &layer), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_layer_add(context, "\xfe", &layer), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_layer_add(context, "view", NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(a_catalogue_stops_at_its_first_wrong_row, IN_BOTH) {
  static const mainstem_type_row rows[] = {{"RequestA", MAINSTEM_PAYLOAD_TEXT, "ResponseA"},
                                           {"ResponseA", MAINSTEM_PAYLOAD_TEXT, NULL},
                                           {"MainstemOwn", MAINSTEM_PAYLOAD_TEXT, NULL},
                                           {"Last", MAINSTEM_PAYLOAD_NONE, NULL}};
  mainstem_context *context = context_open(threads);
  mainstem_event_type types[4] = {0, 0, 0, 0}, type;
  EXPECT_OK(mainstem_types_add(context, rows, sizeof rows[0], 2, types));
  EXPECT_EQUAL(types[0], own_types() + 1);
  EXPECT_EQUAL(types[1], own_types() + 2);
  EXPECT_EQUAL(info_of(context, types[0]).response, types[1]);
  EXPECT_STATUS(mainstem_types_add(context, rows + 1, sizeof rows[0], 3, types), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "MainstemOwn") != NULL ||
         strstr(mainstem_last_error(), "1") != NULL);
  EXPECT_STATUS(mainstem_type_find(context, "Last", &type), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_types_add(context, rows, sizeof rows[0], 2, NULL));
  EXPECT_OK(mainstem_types_add(context, rows, sizeof rows[0], 0, NULL));
  EXPECT_STATUS(mainstem_types_add(context, NULL, sizeof rows[0], 1, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_types_add(context, rows, 0, 1, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_types_add(context, rows, 7, 1, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: name memory that moves while the table of types grows. */
CASE(names_of_ten_thousand_types_stay, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  const char *first = info_of(context, type_open(context, "First", 0, NULL)).name;
  const mainstem_event_type own = (mainstem_event_type)own_types();
  char name[30];
  for (int i = 0; i < 10000; i++) {
    snprintf(name, sizeof name, "Type%d", i);
    EXPECT_EQUAL(type_open(context, name, MAINSTEM_PAYLOAD_NONE, NULL), own + 2 + i);
  }
  EXPECT_TEXT(first, "First");
  EXPECT(first == info_of(context, own + 1).name);
  EXPECT_TEXT(info_of(context, own + 10001).name, "Type9999");
  EXPECT_OK(mainstem_send(context, own + 10001, NULL, 0));
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a refusal that leaves open what is wrong with a contract. */
CASE(another_contract_is_refused_with_what_differs, IN_BOTH) {
  static const struct {
    mainstem_contract contract;
    const char *part;
  } others[] = {{MAINSTEM_PAYLOAD_STRUCT | 8, "another payload"},
                {MAINSTEM_PAYLOAD_TEXT, "another payload"},
                {MAINSTEM_PAYLOAD_STRUCT | 4 | MAINSTEM_ROLE_VALUE, "another role"},
                {MAINSTEM_PAYLOAD_STRUCT | 4 | MAINSTEM_LAYER_VIEW, "another layer"},
                {MAINSTEM_PAYLOAD_STRUCT | 4 | MAINSTEM_SECRET, "another secret flag"},
                {MAINSTEM_PAYLOAD_STRUCT | 4 | MAINSTEM_RECORD_MARK, "another record mode"}};
  mainstem_context *context = context_open(threads);
  mainstem_event_type type;
  type_open(context, "Moved", MAINSTEM_PAYLOAD_STRUCT | 4, NULL);
  for (size_t i = 0; i < COUNT(others); i++) {
    EXPECT_STATUS(mainstem_type_add(context, "Moved", others[i].contract, NULL, &type),
                  MAINSTEM_INVALID);
    EXPECT(strstr(mainstem_last_error(), others[i].part) != NULL);
  }
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }
