# Spin takes our never claims, and says of each formula or its negation, and not of both, that it is violated; also with X.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v spin > /dev/null || { echo "Spin is not installed"; exit 77; }
cat > model.pml <<'END'
bool a, b = 1;
#define p a
#define q !a && b || a && !b
#define r b
active proctype turn() { do :: atomic { a = !a; b = a } od }
END

# From a = 0, b = 1: p is 0 1 0 1 ..., b follows p, q is 1 0 0 0 ...
errors() {                           # OPTIONS FORMULA
    must verisoft ltl --never --name claim "$@" > claim.ltl
    must spin -a -o3 -N claim.ltl model.pml > spin.log
    must ${CC:-cc} -w -DNOREDUCE -o pan pan.c
    ./pan -a 2>&1 | sed -n 's/.*errors: \([0-9]*\).*/\1/p'
}
holds() {
    is "errors of $1" 0 "$(errors --not "$1")"
    is "errors of the negation of $1" 1 "$(errors "$1")"
}
holds '!p && q'
holds 'X p'
holds '[](p <-> X !p)'
holds 'X []!q'
holds '[]<>p && []<>!p'
holds '[](p -> X X p)'
holds '!p U p'
holds '!p && X (p && r)'
holds '!(<>[]p)'
holds 'true'
holds '!(p W q) -> false'
must verisoft ltl --template response-chain-1-2 p=p s='!r' t=p --formula > formula
holds "$(cat formula)"
exit $failed
