# `verisoft cc` in the place of a compiler: make, libraries, what configure asks, what only looks, other compilers; what it makes runs by itself,
# and tells VeriSoft of its reads and writes. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
must cp "$project"/tests/commands/cc/* .
unset CC CXX VERISOFT_CC VERISOFT_CXX

found() {                            # what is found in a program: kinds, and variables that race
    verisoft "$@" --stop-at-error 0 --json r.json --quiet --output out
    echo "$*: $? instrumented $(json r.json instrumented)"
    for i in 0 1 2 3 4 5; do
        kind=$(json r.json errors.$i.kind 2> /dev/null) || break
        case $kind in
        race) echo "    race: $(json r.json errors.$i.variable)" ;;
        ?*)   echo "    $kind" ;;
        esac
    done
    rm -rf out
}

must make -s CC='verisoft cc'
must ./program
must make -s CC='verisoft cc'        # nothing is left to do: main.d is as it should be
grep -q count.h main.d || echo "main.d does not know count.h"
found ./program
rm -f -- *.o *.a *.so program
must make -s CC=cc
found ./program
verisoft ./program --quiet --output out; verisoft ./program --output out | head -n 1

# What configure asks, and what only looks.
echo 'char memcpy(); int main(void) { return memcpy != 0 ? 0 : 1; }' > conftest.c
verisoft cc -w -o conftest conftest.c && ./conftest; echo "conftest $?"
echo 'int main(void) { return 7; }' | verisoft cc -x c - -o seven; ./seven; echo "standard input $?"
verisoft cc --version > said && head -n 1 said | grep -qi 'gcc\|cc \|free software' || echo "--version does not name the compiler"
verisoft cc -v > said 2>&1 && grep -q version said || echo "-v does not name the compiler"
verisoft cc -E count.c | grep -c 'counter++'
verisoft cc -MM count.c | tr -s ' \\\n' ' ' ; echo
verisoft cc -fsyntax-only count.c && echo "syntax $?"
verisoft cc -c nothing.c 2> /dev/null; echo "no such file $?"
verisoft cc -r -o both.o main.c count.c -nostdlib && echo "relocatable $?"
echo 'int main() { return 0; }' > plus.cc
verisoft c++ plus.cc -o plus && ./plus && echo "c++ $?"
verisoft cc -fsanitize=undefined -c count.c -o other.o && nm other.o | grep -c tsan
CC='verisoft cc' verisoft cc -c count.c -o other.o && echo "named itself $?"
VERISOFT_CC=no-such-compiler verisoft cc -c count.c 2> said; echo "no compiler $?: $(cat said)"
must verisoft help cc > said

for flag in -DCOPY -DMOVE -DSET; do
    must verisoft cc -O2 -pthread copy.c "$flag" -o copy
    must ./copy
    found ./copy
done
if command -v clang > /dev/null; then            # its own hooks, and the same is found
    VERISOFT_CC=clang verisoft cc -O2 -pthread copy.c -o copy || echo "clang failed"
fi
found ./copy | sed 's/shared\..*/shared/' | uniq
