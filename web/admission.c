/* SPDX-License-Identifier: MIT */
#include "web/admission.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool admission_same(const char *secret, const char *text, size_t length)
{
    size_t digits = strlen(secret);
    unsigned char difference = length != digits || !digits;
    for (size_t i = 0; i < digits; i++)
        difference |= (unsigned char)(secret[i] ^ (i < length ? text[i] : 0));
    return !difference;
}

struct header_check { const char *name, *value; int seen; };

static enum MHD_Result check_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct header_check *c = arg;
    (void)kind;
    if (!strcasecmp(name, c->name)) {
        c->seen++;
        c->value = value;
    }
    return MHD_YES;
}

static struct header_check header(struct MHD_Connection *connection, const char *name)
{
    struct header_check c = { name, NULL, 0 };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, check_header, &c);
    return c;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* What comes after http:// or, where a proxy speaks TLS, https://; NULL: something else. */
static const char *host_of(const char *origin, bool proxy)
{
    if (begins(origin, "http://"))
        return origin + strlen("http://");
    return proxy && begins(origin, "https://") ? origin + strlen("https://") : NULL;
}

static bool is_host(const char *host, const char *called, char (*hosts)[ADMISSION_HOST])
{
    if (!host)
        return false;
    return hosts ? !strcasecmp(host, hosts[0]) || !strcasecmp(host, hosts[1]) : !strcasecmp(host, called);
}

bool admission_is_ours(struct MHD_Connection *connection, char (*hosts)[ADMISSION_HOST])
{
    struct header_check host = header(connection, MHD_HTTP_HEADER_HOST), origin = header(connection, MHD_HTTP_HEADER_ORIGIN);
    if (host.seen != 1 || origin.seen > 1 || !is_host(host.value, host.value, hosts))
        return false;
    return !origin.seen || (origin.value && is_host(host_of(origin.value, !hosts), host.value, hosts));
}

bool admission_says_json(struct MHD_Connection *connection)
{
    static const char json[] = "application/json";
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE);
    return type && !strncasecmp(type, json, sizeof json - 1) && strchr("; \t", type[sizeof json - 1]);
}

bool admission_announces(struct MHD_Connection *connection, size_t most)
{
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > most;
}
