/* Who has which number, feature and target of forwarding: what an operator provisions.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stdio.h>
#include <string.h>

static struct line ports[PORTS];

struct line *port_line(int port)
{
    if (port < 1 || port >= PORTS || !ports[port].port)
        return NULL;
    return &ports[port];
}

struct line *line_numbered(const char *number)
{
    for (int i = 1; i < PORTS; i++)
        if (ports[i].port && ports[i].number[0] && !strcmp(ports[i].number, number))
            return &ports[i];
    return NULL;
}

bool fenable(const struct line *x, unsigned feature)
{
    return (x->features & feature) != 0;
}

bool anonymous(int port)
{
    const struct line *x = port_line(port);
    return x && x->private;
}

/* ---- features by their names ---- */

static const struct { const char *name; unsigned bit; } names[] = {
    { "CFBL", CFBL }, { "CFDA", CFDA }, { "CW", CW }, { "TWC", TWC }, { "ACR", ACR }, { "DTS", DTS }, { "DOS", DOS }
};

enum { NAMES = sizeof names / sizeof *names };

static bool feature_named(const char *name, size_t length, unsigned *bit)
{
    for (int i = 0; i < NAMES; i++)
        if (strlen(names[i].name) == length && !strncmp(names[i].name, name, length)) {
            *bit = names[i].bit;
            return true;
        }
    return false;
}

/* "CW,TWC,private"; "-" is none. */
static bool read_features(struct line *x, const char *text)
{
    x->features = 0;
    x->private = false;
    if (!strcmp(text, "-"))
        return true;
    while (*text) {
        size_t length = strcspn(text, ",");
        unsigned bit = 0;
        if (length == 7 && !strncmp(text, "private", length))
            x->private = true;
        else if (!feature_named(text, length, &bit))
            return false;
        x->features |= bit;
        text += length + (text[length] == ',');
    }
    return true;
}

const char *feature_list(unsigned features)
{
    static char list[64];
    list[0] = '\0';
    for (int i = 0; i < NAMES; i++)
        if (features & names[i].bit) {
            if (list[0])
                strcat(list, ",");
            strcat(list, names[i].name);
        }
    return list[0] ? list : "-";
}

/* ---- provisioning ---- */

static bool is_number(const char *text)
{
    size_t length = strlen(text);
    return length <= DIGITS && strspn(text, "0123456789") == length;
}

bool provision(int port, const char *number, const char *features, const char *forward)
{
    if (port < 1 || port >= PORTS || !is_number(number) || !is_number(forward))
        return false;
    struct line *x = &ports[port], *other = line_numbered(number);
    if (other && other != x)
        return false;
    struct line fresh = { .state = 1, .port = port };
    if (!read_features(&fresh, features))
        return false;
    snprintf(fresh.number, sizeof fresh.number, "%s", number);
    snprintf(fresh.forward, sizeof fresh.forward, "%s", forward);
    *x = fresh;
    return true;
}
