// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "pictures.h"

#include <string.h>

static mainstem_resources *pictures;

static const mainstem_type_row types[] = {
    {"RequestPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
    {"RequestFetchPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
    {"ResponsePicture", MAINSTEM_PAYLOAD_NONE, NULL},
    {"PictureDropped", MAINSTEM_PAYLOAD_TEXT, NULL}};

mainstem_status pictures_add(mainstem_context *app, http_provider *http, size_t limit_bytes) {
  mainstem_resources_options options = {.size = sizeof options, .limit_bytes = limit_bytes};
  mainstem_event_type numbers[4];
  options.request = "RequestPicture";
  options.behind = "RequestFetchPicture";
  options.drop = "PictureDropped";
  mainstem_status status = mainstem_types_add(app, MAINSTEM_ROWS(types), numbers);
  if (!status) status = mainstem_resources_add(app, "Pictures", &options, &pictures);
  if (status) return status;
  return http_provider_load(http, app, "PictureSite", "RequestFetchPicture", pictures);
}

static unsigned long number(const unsigned char *at) {
  return (unsigned long)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* A PNG begins with a sign and its header, where its width and height are. */
void pictures_say(char *place, size_t size, const mainstem_event *event) {
  mainstem_resource *resource;
  const void *data;
  size_t count;
  *place = 0;
  if (!event->size) return;
  if (mainstem_resource_get(pictures, event->data, event->size, &resource)) {
    snprintf(place, size, "[picture]"); /* of a session that is shown again */
    return;
  }
  mainstem_resource_read(resource, &data, &count);
  const unsigned char *bytes = data;
  if (count < 24 || memcmp(bytes, "\x89PNG\r\n\x1a\n", 8)) snprintf(place, size, "[not a picture]");
  else snprintf(place, size, "[picture %lu × %lu]", number(bytes + 16), number(bytes + 20));
  mainstem_resource_release(resource);
}
