// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A request type of a context. It must name its answer, because both sides agree on both. */

#include "requests.h"

static mainstem_status sorry(const struct kind *kind, mainstem_status status) {
  return refuse(status, "%s: %s", kind->function, mainstem_last_error());
}

mainstem_status request_type_find(const struct kind *kind, mainstem_context *context,
                                  const char *name, struct request_type *type) {
  mainstem_type_info info = {.size = sizeof info};
  if (name == NULL) return refuse(MAINSTEM_INVALID, "%s: type: is NULL", kind->function);
  mainstem_status status = mainstem_type_find(context, name, &type->type);
  if (status == MAINSTEM_OK) status = mainstem_type_read(context, type->type, &info);
  if (status != MAINSTEM_OK) return sorry(kind, status);
  type->request = info.contract;
  if ((info.contract & MAINSTEM_ROLE_MASK) != MAINSTEM_ROLE_REQUEST || info.response == 0)
    return refuse(MAINSTEM_INVALID,
                  "%s: type: is no request, or names no response type that is registered",
                  kind->function);
  status = mainstem_type_read(context, info.response, &info);
  type->response = info.contract;
  return status == MAINSTEM_OK ? status : sorry(kind, status);
}
