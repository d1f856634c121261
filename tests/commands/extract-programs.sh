# Programs with threads and processes: a first harness, what is said of every statement, and what cannot be carried over.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_parser

refused() {                          # the program is on standard input
    { echo '#include <verisoft.h>'; cat; } > refused.c
    line "verisoft extract refused.c -o model.pml"
}

cp "$project"/tests/models/cond-lost.c "$project"/tests/models/macros.c .
line "verisoft extract cond-lost.c --defaults -o cond-lost.harness"
run cat cond-lost.harness
line "verisoft extract cond-lost.harness --statements"
line "verisoft extract macros.c --statements | sed 's/^\(macros.c:[0-9]*\):[0-9]*/\1/'"
line "verisoft extract cond-lost.c --unmapped abstract -o model.pml"
line "verisoft extract --default-map | sed -n 1,4p"

refused << 'END'
int main(void) { __asm__ volatile ("nop"); return VS_toss(1); }
END
refused << 'END'
int main(void) { int n = VS_toss(2); int a[n + 1]; a[0] = 1; return a[0]; }
END
refused << 'END'
int other(int);
int main(void) { return other(VS_toss(1)); }
END
refused << 'END'
static int f(int n) { return n ? n * f(n - 1) : 1; }
int main(void) { VS_assert(f(VS_toss(3)) != 6); return 0; }
END
line "verisoft extract refused.c --recursion 6 -o model.pml"
refused << 'END'
int main(void) { int x = VS_toss(1); return x && ({ int y = x + 1; y > 1; }); }
END
refused << 'END'
static void done(int *p) { *p = 0; }
int main(void) { int x __attribute__((cleanup(done))) = VS_toss(1); return x; }
END
refused << 'END'
static int n;
__attribute__((constructor)) static void first(void) { n = 1; }
int main(void) { return VS_toss(n); }
END
refused << 'END'
#include <stdio.h>
int main(void) { return printf("%d", VS_toss(1)); }
END
refused << 'END'
int main(void) { void *p = VS_toss(1) ? &&a : &&b; goto *p; a: return 0; b: return 1; }
END

# Left out: also what calls nothing that the model knows. What is left out and changes something that is not, is warned of.
cat > stale.c << 'END'
#include <stdio.h>
#include <verisoft.h>
int balance;
static int enough(void) { return balance > 0; }
int main(void)
{
    FILE *file = fopen("x", "r");
    if (!file || fgetc(file) == 'x')
        balance = 5;
    if (printf("%d\n", balance) < 0)
        balance++;
    if (enough())
        VS_assert(0);
    return 0;
}
END
line "verisoft extract stale.c --unmapped abstract 2>&1 > log"
line "verisoft extract stale.c"
