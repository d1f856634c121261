/* Distance is the least number of letters to insert, delete, change or swap with a neighbour.
 * SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b) || (a == '-' && b == '_') || (a == '_' && b == '-');
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return LONGEST;
    unsigned d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= rows; i++)
        for (size_t j = 1; j <= columns; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    assert(d[rows][columns] <= (rows > columns ? rows : columns));
    return d[rows][columns];
}

void suggest_start(struct suggestion *s, const char *word)
{
    *s = (struct suggestion){ .word = word, .distance = 1 + (strlen(word) + 1) / 3 };
}

void suggest_offer(struct suggestion *s, const char *name)
{
    unsigned d = distance(s->word, name);
    if (d >= s->distance)
        return;
    s->distance = d;
    s->best = name;
}

struct suggestion_text suggest_text(const struct suggestion *s)
{
    struct suggestion_text t = { "" };
    if (s->best)
        snprintf(t.text, sizeof t.text, "; did you mean %s?", s->best);
    return t;
}
