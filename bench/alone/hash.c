/* An ordinary program by itself: a hash table of lists, looked up ten million times. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry { struct entry *next; uint64_t key, value; };
static struct entry *table[1 << 16];

static struct entry *get(uint64_t key)
{
    struct entry **list = &table[key * UINT64_C(0x9e3779b97f4a7c15) >> 48], *e = *list;
    while (e && e->key != key)
        e = e->next;
    if (e)
        return e;
    e = malloc(sizeof *e);
    if (!e)
        exit(1);
    *e = (struct entry){ *list, key, 0 };
    return *list = e;
}

int main(void)
{
    uint64_t seed = 1, sum = 0;
    for (uint64_t i = 0; i < 10000000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        struct entry *e = get((seed >> 33) % 200000);
        e->value += i;
        sum ^= e->value;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
