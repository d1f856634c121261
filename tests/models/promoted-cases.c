/* expect: none */
#include <pthread.h>
#include <verisoft.h>
/* A case has the type that the value is promoted to; a parameter that is written as an array is a pointer; and older names of atomics. */
static int narrow(unsigned char c) { switch (c) { case 256: return 1; case 0: return 2; } return 3; }
static int negative(char c) { switch (c) { case 200: return 1; case -56: return 2; } return 3; }
static int first(int a[static 2], int m[][2], char *words[]) { int *at = a++; return *at + a[0] * 10 + m[1][0] * 100 + *words[1]; }
static void add(int a[]) { a[1] = a[1] + 1; }
static void add_one(int *a, int n) { a[1] += n; }
typedef struct { int x; } box;
static void open_box(box b, int n) { (void)b, (void)n; }
static void (*const other)(box, int) = open_box;
static void (*const adds)(int *, int) = add_one;
static int n[2], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *begin(void *unused);
static void *(*const again)(void *) = begin;        /* a ring of calls, which never closes */
static void *inner(void *unused)
{
    pthread_mutex_lock(&lock);
    add(n);
    if (n[1] > 9)
        again(NULL);
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *begin(void *unused) { (void)__sync_fetch_and_add(&count, 2); return inner(unused); }
int main(void)
{
    pthread_t t;
    int m[2][2] = { { 1, 2 }, { 3, 4 } };
    char *words[] = { "a", "b" };
    VS_assert(narrow(0) == 2 && narrow((unsigned char)256) == 2 && narrow(1) == 3 && negative((char)200) == 2 && negative(0) == 3);
    VS_assert(first((int[]){ 5, 6 }, m, words) == 365 + 'b');
    other((box){ 1 }, 2);
    pthread_create(&t, NULL, begin, NULL);
    begin(NULL);
    pthread_join(t, NULL);
    adds(n, 1);
    VS_assert(n[1] == 3 && count == 4 && __sync_bool_compare_and_swap(&count, 4, 5) && count == 5);
    return 0;
}
