/* Replies of the protocol in words, for the terminal.
 * SPDX-License-Identifier: MIT */
#ifndef SHOWN_H
#define SHOWN_H

#include "simulator/protocol.h"

#include <stdio.h>

struct shown {
    struct protocol *protocol;       /* borrowed */
    FILE            *out;            /* borrowed */
    bool             color;
    int              width;          /* of a line; 0: as long as it is */
    bool             departed;       /* it was said that the loaded scenario was left */
    json_t          *sources;        /* texts of source files that were needed, by name */
};

void shown_init(struct shown *, struct protocol *, FILE *out, bool color, int width);
void shown_fini(struct shown *);

void shown_welcome(struct shown *);                              /* what this is, and where it stands */
void shown_reply(struct shown *, const char *request, const json_t *asked, const json_t *reply);
void shown_choices(struct shown *, const json_t *choices);       /* behind an error that asks for one */
void shown_filter(struct shown *, const char *pattern);          /* the transitions that match */

#endif
