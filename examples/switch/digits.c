/* Digit analysis. The plan: 0 the operator, 2xxx to 7xxx lines of this switch, 9 a trunk and behind it ten digits of the network; 1 and 8 mean
 * nothing.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <string.h>

enum { LOCAL = 4, OUTSIDE = 11, OPERATOR_TRUNK = FIRST_TRUNK };

struct plan { char low, high; int length; enum analysis kind; };     /* by the first digit: how many there are */

static const struct plan plans[] = {
    { '0', '0', 1, Atrunk },
    { '2', '7', LOCAL, Aline },
    { '9', '9', OUTSIDE, Atrunk },
};

void digits_clear(struct line *x)
{
    x->digits = 0;
    x->dialled[0] = '\0';
    x->hops = 0;
}

void digits_add(struct line *x, int digit)
{
    if (x->digits == DIGITS || digit < 0 || digit > 9)
        return;
    x->dialled[x->digits++] = (char)('0' + digit);
    x->dialled[x->digits] = '\0';
}

static const struct plan *plan_of(char first)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (first >= plans[i].low && first <= plans[i].high)
            return &plans[i];
    return NULL;
}

int digits_analyse(const struct line *x)
{
    if (!x->digits)
        return Amore;
    const struct plan *plan = plan_of(x->dialled[0]);
    if (!plan)
        return Abad;
    if (x->digits < plan->length)
        return Amore;
    if (plan->kind == Aline && !line_numbered(x->dialled))
        return Abad;
    return plan->kind;
}

/* ---- trunks ---- */

/* An idle trunk; the operator has the first one for himself. */
static int idle_trunk(void)
{
    for (int port = OPERATOR_TRUNK + 1; port < PORTS; port++) {
        const struct line *x = port_line(port);
        if (x && !x->first)
            return port;
    }
    return 0;
}

int digits_port(const struct line *x)
{
    const struct plan *plan = plan_of(x->dialled[0]);
    const struct line *to;
    if (!plan)
        return 0;
    if (plan->kind == Aline) {
        to = line_numbered(x->dialled);
        return to ? to->port : 0;
    }
    if (x->dialled[0] == '0')
        return port_line(OPERATOR_TRUNK) ? OPERATOR_TRUNK : 0;
    return idle_trunk();
}
