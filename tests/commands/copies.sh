# Copies are seen however a program spells them, also those that a compiler makes itself, and those that a C library checks.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
for flags in -O0 '-O2 -D_FORTIFY_SOURCE=2'; do
    must verisoft cc $flags -w -pthread "$project/tests/commands/races/copies.c" -o copies
    must ./copies 16
    nm -u copies | grep -q '__vsn*printf_chk' && prints= || prints="16 17"       # what glibc 2.40 has for clang: doc/limits.md
    for which in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 18 $prints; do
        verisoft ./copies --quiet --stop-at-error 0 --json r.json --output out -- "$which"
        is "status of copies $which, $flags" 1 $?
        is "what is found in copies $which, $flags" race "$(json r.json errors.0.kind)"
        rm -rf out
    done
done
# What does not fit.
cat > fit.c <<'END'
#include <stdio.h>
#include <string.h>
static char small[4];
int main(int argc, char **argv) { sprintf(small, "%d%s", 12345, argv[argc - 1]); return 0; }
END
must verisoft cc -O2 -D_FORTIFY_SOURCE=2 -w fit.c -o fit
(./fit > said 2>&1); is "a program of its own that writes too much dies" 134 $?
exit "$failed"
