# A program that never comes to its main function is ended, and that is said. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
may-trace || { echo "ptrace is refused here: it is seen like any other loop"; exit 77; }
cat > program.c <<'END_OF_PROGRAM'
#include <verisoft.h>

__attribute__((constructor(90))) static void begin(void)
{
    volatile long i = 0;
    for (;;)
        i++;
}

int main(void)
{
    VS_assert(0);
    return 0;
}
END_OF_PROGRAM
build linked program.c
verisoft ./linked --divergence-limit 1 > said 2>&1
is "status" 2 $?
grep -q 'does not come to its main function' said || { cat said; failed=1; }
exit $failed
