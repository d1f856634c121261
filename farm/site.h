/* The farm over HTTP: its requests (doc/farm.md), and the work that goes on beside. Invariant: what changes, by whomever, changes the number that pages
 * wait for. SPDX-License-Identifier: MIT */
#ifndef SITE_H
#define SITE_H

#include "farm/watch.h"
#include "farm/work.h"
#include "web/server.h"

struct farm_site;
/* `watch` NULL: sources are looked at when somebody asks. All are borrowed; gives, return it with farm_site_free. */
struct farm_site *farm_site_new(struct farm *, struct work *, struct daemon *);
void              farm_site_free(struct farm_site *);
struct site       farm_site(struct farm_site *);                 /* to be served */

#endif
