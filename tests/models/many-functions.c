/* expect: none. Forty functions that call each other: what the deepest call needs is found without writing anything twice. */
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int f0(int n) { return n; }
static int f1(int n) { return n > 1 ? f0(n - 1) + f0(0) : n; }
static int f2(int n) { return n > 2 ? f1(n - 1) + f1(0) : n; }
static int f3(int n) { return n > 3 ? f1(n - 1) + f2(0) : n; }
static int f4(int n) { return n > 4 ? f2(n - 1) + f3(0) : n; }
static int f5(int n) { return n > 5 ? f2(n - 1) + f4(0) : n; }
static int f6(int n) { return n > 6 ? f3(n - 1) + f5(0) : n; }
static int f7(int n) { return n > 7 ? f3(n - 1) + f6(0) : n; }
static int f8(int n) { return n > 8 ? f4(n - 1) + f7(0) : n; }
static int f9(int n) { return n > 9 ? f4(n - 1) + f8(0) : n; }
static int f10(int n) { return n > 10 ? f5(n - 1) + f9(0) : n; }
static int f11(int n) { return n > 11 ? f5(n - 1) + f10(0) : n; }
static int f12(int n) { return n > 12 ? f6(n - 1) + f11(0) : n; }
static int f13(int n) { return n > 13 ? f6(n - 1) + f12(0) : n; }
static int f14(int n) { return n > 14 ? f7(n - 1) + f13(0) : n; }
static int f15(int n) { return n > 15 ? f7(n - 1) + f14(0) : n; }
static int f16(int n) { return n > 16 ? f8(n - 1) + f15(0) : n; }
static int f17(int n) { return n > 17 ? f8(n - 1) + f16(0) : n; }
static int f18(int n) { return n > 18 ? f9(n - 1) + f17(0) : n; }
static int f19(int n) { return n > 19 ? f9(n - 1) + f18(0) : n; }
static int f20(int n) { return n > 20 ? f10(n - 1) + f19(0) : n; }
static int f21(int n) { return n > 21 ? f10(n - 1) + f20(0) : n; }
static int f22(int n) { return n > 22 ? f11(n - 1) + f21(0) : n; }
static int f23(int n) { return n > 23 ? f11(n - 1) + f22(0) : n; }
static int f24(int n) { return n > 24 ? f12(n - 1) + f23(0) : n; }
static int f25(int n) { return n > 25 ? f12(n - 1) + f24(0) : n; }
static int f26(int n) { return n > 26 ? f13(n - 1) + f25(0) : n; }
static int f27(int n) { return n > 27 ? f13(n - 1) + f26(0) : n; }
static int f28(int n) { return n > 28 ? f14(n - 1) + f27(0) : n; }
static int f29(int n) { return n > 29 ? f14(n - 1) + f28(0) : n; }
static int f30(int n) { return n > 30 ? f15(n - 1) + f29(0) : n; }
static int f31(int n) { return n > 31 ? f15(n - 1) + f30(0) : n; }
static int f32(int n) { return n > 32 ? f16(n - 1) + f31(0) : n; }
static int f33(int n) { return n > 33 ? f16(n - 1) + f32(0) : n; }
static int f34(int n) { return n > 34 ? f17(n - 1) + f33(0) : n; }
static int f35(int n) { return n > 35 ? f17(n - 1) + f34(0) : n; }
static int f36(int n) { return n > 36 ? f18(n - 1) + f35(0) : n; }
static int f37(int n) { return n > 37 ? f18(n - 1) + f36(0) : n; }
static int f38(int n) { return n > 38 ? f19(n - 1) + f37(0) : n; }
static int f39(int n) { return n > 39 ? f19(n - 1) + f38(0) : n; }

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    total += f39(40);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(total == 68);
    return 0;
}
