/* What programs do when nobody checks them: threads take parts of a text, count its words in a table, and sort what they found.
 *     work THREADS WORDS
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, BUCKETS = 1 << 12, LONGEST = 12 };
struct word { struct word *next; int count; char text[LONGEST]; };
struct part { const char *from, *to; };

static struct word *table[BUCKETS];
static pthread_mutex_t locks[64];

static unsigned hash(const char *text)
{
    unsigned h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

static void count(const char *text)
{
    unsigned at = hash(text) % BUCKETS;
    pthread_mutex_lock(&locks[at % 64]);
    struct word *w = table[at];
    while (w && strcmp(w->text, text))
        w = w->next;
    if (!w) {
        w = calloc(1, sizeof *w);
        strcpy(w->text, text);
        w->next = table[at];
        table[at] = w;
    }
    w->count++;
    pthread_mutex_unlock(&locks[at % 64]);
}

static void *work(void *arg)
{
    const struct part *p = arg;
    char text[LONGEST];
    for (const char *at = p->from; at < p->to;) {
        int length = 0;
        while (at < p->to && *at != ' ' && length < LONGEST - 1)
            text[length++] = *at++;
        text[length] = 0;
        count(text);
        at++;
    }
    return NULL;
}

static int by_count(const void *a, const void *b)
{
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}

static char *make_text(long words, size_t *length)
{
    char *text = malloc((size_t)words * LONGEST), *to = text;
    unsigned random = 1;
    for (long i = 0; i < words; i++) {
        random = random * 1103515245u + 12345;
        to += sprintf(to, "w%u ", (random >> 16) % 5000);
    }
    *length = (size_t)(to - text);
    return text;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long n = atol(argv[1]), words = atol(argv[2]), found = 0;
    if (n < 1 || n > MOST || words < 1)
        return 2;
    static struct word *all[BUCKETS * 16];
    pthread_t threads[MOST];
    struct part parts[MOST];
    size_t length;
    char *text = make_text(words, &length);
    for (int i = 0; i < 64; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < n; i++) {
        parts[i] = (struct part){ text + length / (size_t)n * (size_t)i, i == n - 1 ? text + length : text + length / (size_t)n * (size_t)(i + 1) };
        pthread_create(&threads[i], NULL, work, &parts[i]);
    }
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < BUCKETS; i++)
        for (struct word *w = table[i]; w; w = w->next)
            all[found++] = w;
    qsort(all, (size_t)found, sizeof *all, by_count);
    printf("%ld words, %s %d times\n", found, all[0]->text, all[0]->count);
    return 0;
}
