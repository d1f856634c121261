/* Every kind of statement of C, one of each: none may disappear. SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <pthread.h>

struct pair { int a, b; };
enum colour { red = 3, green, blue = 10 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const int table[3] = { 1, [2] = 5 };
int f(int), g(void);
#define TWICE(x) do { f(x); f(x); } while (0)
static inline int twice(int x) { return 2 * x; }

void all(int event, int (*call)(int), struct pair *p)
{
    static int state = 1;
    static atomic_int counter;
    unsigned char small = 200;
    uint16_t word = 0xffff;
    long long big = 0x100000000LL;
    bool yes = event > 1, no = !yes;
    struct pair one = { 1, 2 }, two = { .b = 4 };
    int vla[event];
    const char *text = "a; } { \" @name: //";

    for (int i = 0, j = 9; i < j; i++, j--)
        vla[i] = j;
    for (;;) {
        int event = small;               /* shadows */
        if (event++ > 3)
            break;
        continue;
    }
    do {
        if (g())
            continue;
        small += 1;
    } while (small < 3 && f(small) || g());
    switch (state) {
    case 1 ... 3:
        one = two;
        /* falls through */
    case 4: {
        inside:
        word = (uint16_t)(word << 1), big--;
        break;
    }
    default:
        goto inside;
    }
    switch (event) { case red: case green: f(1); break; case blue: f('\n'); }
    yes = no ? f(1) : g();
    call(3);
    (*call)(4);
    TWICE(word);
    p->a = table[p->b & 1] + (int)sizeof two;
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&counter, 1);
    counter++;
    if (text[0] == 'a' && (big, p))
        state = twice(2);
    pthread_mutex_unlock(&lock);
    ;
    while (no)
        return;
    ({ int inner = 3; f(inner); });
    __asm__ volatile ("nop");
}
