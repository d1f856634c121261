/* SPDX-License-Identifier: MIT */
#include "certifier/marks.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

void marks_fini(struct marks *m)
{
    free(m->all);
    *m = (struct marks){ 0 };
}

static void add_state(struct marks *m)
{
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 1024;
        m->all = memory_resize(m->all, m->room);
    }
    m->all[m->count++] = 0;
}

static void count(struct marks *m, const struct script_entry *e)
{
    if (e->label == BACK)
        return;
    if (e->is_new)
        add_state(m);
    if (e->to >= m->first && m->all[e->to - m->first] < MARKS_MANY)
        m->all[e->to - m->first]++;
}

static int read_needed(struct marks *m, struct script *script, struct err *err)
{
    uint64_t state;
    int more;
    while ((more = script_next_needed(script, &state, err)) > 0) {
        if (state < m->first || state - m->first >= m->count) {
            fail(err, "it says that other parts speak of state %llu, which is none of its own", (unsigned long long)state);
            err->code = -EBADMSG;
            return -EBADMSG;
        }
        m->all[state - m->first] |= MARKS_MANY + 1;
    }
    return more;
}

static int interrupted(struct err *err)
{
    fail(err, "interrupted");
    err->code = -EINTR;
    return -EINTR;
}

int marks_make(struct marks *m, struct script *script, uint64_t most, const volatile int *interrupt, struct err *err)
{
    struct script_entry e;
    int more = 0;
    if (most == UINT64_MAX)
        script_keep(script);
    if (script_start(script))
        m->first = script_start(script)->next;
    else
        add_state(m);
    for (; most && (more = interrupt && *interrupt ? interrupted(err) : script_next(script, &e, err)) > 0; most--)
        count(m, &e);
    if (!more && script_start(script))
        more = read_needed(m, script, err);
    return more < 0 ? more : script_again(script, err);
}
