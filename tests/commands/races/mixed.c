/* Memory that is used as atomic variables of different sizes. WHICH=1: a byte of a word is stored while the word is read and written back; 2: the same, the
 * word by addition, so that nothing is lost; 3: half of 16 bytes; 4: a byte of a word that lies across two; 5: two halves are stored, and the whole is
 * read between; 6: a lock of a word whose holder gives back a byte of it; 7: bytes of one word that are each used by one. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

#define ALL __ATOMIC_SEQ_CST
#define LOAD(x)     __atomic_load_n(&(x), ALL)
#define STORE(x, v) __atomic_store_n(&(x), v, ALL)

static union { unsigned long all; unsigned half[2]; unsigned char byte[8]; _Alignas(16) unsigned __int128 twice; unsigned long word[2]; } both;
static struct __attribute__((packed)) { char before[6]; unsigned char byte[4]; } across;
static int taken;

#if WHICH == 1
static void one(void) { STORE(both.byte[3], 1); }
static void two(void) { unsigned long was = LOAD(both.all); STORE(both.all, was + 1); }
static void end(void) { assert(both.all == 0x01000001); }
#elif WHICH == 2
static void one(void) { STORE(both.byte[3], 1); }
static void two(void) { __atomic_fetch_add(&both.all, 1, ALL); }
static void end(void) { assert(both.all == 0x01000001); }
#elif WHICH == 3
static void one(void) { STORE(both.word[1], 1); }
static void two(void) { unsigned __int128 was = LOAD(both.twice); STORE(both.twice, was + 1); }
static void end(void) { assert(both.word[0] == 1 && both.word[1] == 1); }
#elif WHICH == 4
#define WORD (*(unsigned *)&across.byte)
static void one(void) { STORE(across.byte[3], 1); }
static void two(void) { unsigned was = LOAD(WORD); STORE(WORD, was + 1); }
static void end(void) { assert(WORD == 0x01000001); }
#elif WHICH == 5
static void one(void) { STORE(both.half[0], 1); STORE(both.half[1], 1); }
static void two(void) { assert(LOAD(both.all) != 1); }
static void end(void) { }
#elif WHICH == 6
static void lock(void)
{
    for (unsigned free = 0; !__atomic_compare_exchange_n(&both.half[0], &free, 1, 0, ALL, ALL); free = 0)
        while (LOAD(both.byte[0])) ;
}
static void one(void) { lock(); taken++; STORE(both.byte[0], 0); }
static void two(void) { one(); }
static void end(void) { assert(taken == 2); }
#else
static void one(void) { STORE(both.byte[0], 1); STORE(both.byte[0], 2); }
static void two(void) { STORE(both.byte[1], 1); STORE(both.byte[1], 2); }
static void end(void) { assert(both.all == 0x0202); }
#endif

static void *first(void *unused)  { one(); return unused; }
static void *second(void *unused) { two(); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    end();
    return 0;
}
